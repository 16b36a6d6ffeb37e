package ewd840

import (
	"context"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestMutantIsCaught lets nodes send without turning black.
func TestMutantIsCaught(t *testing.T) {
	r := ring{3}
	sys := r.system()
	sys.Actions[2].DoAll = func(s *state, is []int, c *model.Choice) bool {
		black := s.Black
		enabled := r.send(s, is, c)
		s.Black = black
		return enabled
	}
	report, err := explore.Run(context.Background(), model.NewSystem(sys), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != explore.Violated {
		t.Errorf("%s, want violated", report.Verdict)
	}
}
