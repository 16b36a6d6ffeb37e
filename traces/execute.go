package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// Budgets of the work on a run, in executed steps. In a model with a dozen steps
// enabled at a time, 20,000 are about a second. A run of many steps is sliced before, in
// runsToSlice times its length.
const (
	tidyBudget     = 20_000
	minimiseBudget = 20_000
	runsToSlice    = 40
)

// A replayer executes steps of a run once more in another order, or without some of them.
type replayer struct {
	*claim
	left int // executed steps until it gives up
}

// repeat returns the step that is enabled in a state and is the same as one that
// was taken elsewhere: of the same process, with the same action, receiving or
// noticing the same. Where there are several it is the one with the most similar
// outcome; nil if none is enabled.
func (m *replayer) repeat(at lts.State, t *lts.Transition) *lts.Transition {
	m.left--
	var ts []lts.Transition
	if m.in.Interp != nil { // of a composition, whose labels have the processes
		ts = m.like(at, t.Label())
	} else {
		ts = m.enabled(at)
	}
	if i := MostSimilar(ts, t); i >= 0 {
		return &ts[i]
	}
	return nil
}

// similarity is -1 for steps that are not of one kind, and greater the more alike
// they are.
func similarity(a, b *lts.Transition) int {
	if a.Owner != b.Owner || a.Action != b.Action || a.Noticed != b.Noticed || a.Crashed != b.Crashed {
		return -1
	}
	if (a.Received == nil) != (b.Received == nil) {
		return -1
	}
	n := 0
	if a.Received != nil {
		if a.Received.From != b.Received.From {
			return -1
		}
		if a.Received.Text == b.Received.Text {
			n += 4
		}
	}
	if slices.Equal(a.Sent, b.Sent) {
		n += 2
	}
	if a.Owner == "" && a.Text() != b.Text() { // another instance of the action
		return -1
	}
	return n
}

// ownVars returns the variables of the process that acted, or of all where no process did.
func ownVars(t *lts.Transition) []lts.Var {
	return slices.DeleteFunc(t.Next.Vars(), func(v lts.Var) bool {
		return v.Owner != t.Owner &&
			t.Owner != "" || v.Name == "inbox"
	})
}

// same reports whether a step is the one that was taken elsewhere in everything
// but what surrounds it.
func same(a, b *lts.Transition) bool {
	if similarity(a, b) < 0 || !slices.Equal(a.Sent, b.Sent) {
		return false
	}
	return a.Received == nil || *a.Received == *b.Received
}

// MostSimilar returns the number of the step among those enabled in a state, as Run.Enabled lists them, that
// is most like one that was taken elsewhere; -1 if none is of its kind. Of several it is one that leaves the
// same local state.
func MostSimilar(enabled []lts.Transition, t *lts.Transition) int {
	var alike []int
	most := 0
	for i := range enabled {
		n := similarity(&enabled[i], t)
		if n > most {
			most, alike = n, nil
		}
		if n == most {
			alike = append(alike, i)
		}
	}
	switch len(alike) {
	case 0:
		return -1
	case 1:
		return alike[0]
	}
	own := ownVars(t)
	return alike[max(0, slices.IndexFunc(alike, func(i int) bool {
		return slices.Equal(ownVars(&enabled[i]),
			own)
	}))]
}
