package changroberts

import (
	"context"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestMutantIsCaught lets candidates pass on larger identities too.
func TestMutantIsCaught(t *testing.T) {
	r := ring{3}
	sys := r.system()
	sys.Actions[1].DoAll = func(s *state, is []int, c *model.Choice) bool {
		i, d := is[0], is[1]
		larger := s.State[i] == cand && d > i
		if !r.handle(s, is, c) {
			return false
		}
		if larger {
			s.Msgs[r.next(i)] |= 1 << d
		}
		return true
	}
	report, err := explore.Run(context.Background(), model.NewSystem(sys), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != explore.Violated {
		t.Errorf("%s, want violated", report.Verdict)
	}
}
