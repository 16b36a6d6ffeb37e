package twophase

import (
	"context"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestMutantIsCaught lets the coordinator commit without having heard of all managers.
func TestMutantIsCaught(t *testing.T) {
	p := protocol{3}
	sys := p.system()
	sys.Actions[0].Do = func(s *state, _ int, _ *model.Choice) bool {
		if s.TM != initial || s.Prepared == 0 {
			return false
		}
		s.TM = committed
		s.Decision |= commitSent
		return true
	}
	r, err := explore.Run(context.Background(), model.NewSystem(sys), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Properties[0].Verdict != explore.Violated {
		t.Errorf("%s: %s, want violated", r.Properties[0].Name, r.Properties[0].Verdict)
	}
}
