package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// budget is the number of steps that each work on a run may execute: about a second if a dozen are enabled at
// a time. With three times as many, 4 of 198 kept runs have no needed orders. Slicing a run of more than
// manySteps steps may execute runsToSlice times its length.
const (
	budget      = 20_000
	runsToSlice = 40
)

// A replayer executes the steps of a run again in another order, or without some of them.
type replayer struct {
	*claim
	left int             // steps that it may still execute
	stop <-chan struct{} // closed: none
}

// repeat returns a step that is enabled in state at and matches step t of another state: same process and
// action, same receipt or notice. Of several it returns the most similar one; nil if none is enabled.
func (m *replayer) repeat(at lts.State, t *lts.Transition) *lts.Transition {
	ts := m.candidates(at, t.Owner, m.actions[t.Action].Name)
	m.left -= 1 + len(ts)/16
	select {
	case <-m.stop:
		m.left = 0
	default:
	}
	if i := MostSimilar(ts, t); i >= 0 {
		return &ts[i]
	}
	return nil
}

// similarity is -1 if two steps differ in process, action, notice, crash or sender of the message
// received. Otherwise it is 0 to 6, greater the more alike they are.
func similarity(a, b *lts.Transition) int {
	if a.Owner != b.Owner || a.Action != b.Action || a.Noticed != b.Noticed || a.Crashed != b.Crashed ||
		(a.Received == nil) != (b.Received == nil) {
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
	if a.Owner == "" && a.Text() != b.Text() { // for example another message that the network loses
		return -1
	}
	return n
}

// ownVars returns the variables of the process that acted, or all variables if no process acted; no inboxes.
func ownVars(t *lts.Transition) []lts.Var {
	return slices.DeleteFunc(t.Next.Vars(), func(v lts.Var) bool {
		return v.Owner != t.Owner && t.Owner != "" || v.Name == "inbox"
	})
}

// same reports whether two steps of different states receive and send the same, and are otherwise similar.
func same(a, b *lts.Transition) bool {
	return similarity(a, b) >= 0 && slices.Equal(a.Sent, b.Sent) &&
		(a.Received == nil || *a.Received == *b.Received)
}

// MostSimilar returns the index in enabled of the step that is most similar to step t of another state; -1 if
// no step is similar. Of equally similar steps it prefers one that leads to the same local state.
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
	same := func(i int) bool { return slices.Equal(ownVars(&enabled[i]), own) }
	return alike[max(0, slices.IndexFunc(alike, same))]
}
