package invariants_test

import (
	"testing"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// TestResponsiveness follows A through the loss of answers and a crash.
func TestResponsiveness(t *testing.T) {
	p1, p2, p3 := model.Proc(0), model.Proc(1), model.Proc(2)
	history := invariants.Responsiveness{N: 3, F: 1, Reading: 1, Assume: true}.History()
	h := history.Init
	without := func(p model.Proc, by uint8, missing ...model.Proc) model.Event {
		return model.Event{Proc: p, Note: invariants.Unanswered(by, model.SetOf(missing...))}
	}
	for i, s := range []struct {
		event model.Event
		kept  bool
		a3    model.Set
	}{
		{without(p1, 2, p3), true, model.All(3)}, // not in this reading
		{without(p1, 1, p3), true, model.SetOf(p2, p3)},
		{without(p1, 1, p3), true, model.SetOf(p2, p3)}, // once lost, always lost
		{without(p2, 1, p3), false, model.SetOf(p3)},
		{model.Event{Proc: p3, Crash: true, Dead: model.SetOf(p3)}, true, model.All(3)},
		{model.Event{Proc: p2, Note: invariants.Unanswered(1, model.SetOf(p3)), Dead: model.SetOf(p3)}, true,
			model.All(3)},
	} {
		if kept := history.Step(&h, s.event); kept != s.kept || h.A[p3] != s.a3 {
			t.Errorf("after event %d: %v, A of p3 is %v; want %v, %v", i, kept, h.A[p3], s.kept, s.a3)
		}
	}
}
