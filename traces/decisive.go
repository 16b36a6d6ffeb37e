package traces

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
)

// A swap is an order whose reversal alone makes a run harmless. If its first step waits until the second
// is taken, and the other steps keep their order as far as they are enabled, nothing is violated.
type swap struct {
	order
	disabled bool // the first step is not enabled then
	left     int  // number of steps that are not taken then
}

// near is the largest distance of two steps of an order with which some other steps are not taken.
const near = 2

// decisive returns a swap that makes a run harmless. It executes the run with the steps the other
// way round for each pair of steps of a process, or of two processes if they share variables. It prefers
// near pairs to far ones, then orders after which the most steps are taken, then late ones. found is
// false if no pair decides within its budget.
func (r *Run) decisive() (o swap, found bool) {
	m := &replayer{&r.claim, budget, nil}
	for distance := 1; distance < len(r.Taken) && m.left > 0; distance++ {
		for second := len(r.Taken) - 1; second >= distance && m.left > 0; second-- {
			first := r.rival(second, distance)
			if first < 0 {
				continue
			}
			now, decides := m.swapped(r, first, second)
			if decides && (now.left == 0 || distance <= near && (!found || now.better(o))) {
				o, found = now, true
			}
			if found && o.left == 0 {
				return o, true
			}
		}
		if found && !o.disabled {
			break
		}
	}
	return o, found
}

func (o swap) better(than swap) bool {
	if o.disabled != than.disabled {
		return than.disabled
	}
	return o.left < than.left
}

// rival returns the step of the same process that is distance such steps before a step; in a system,
// whose processes share variables, the step distance before it if another process takes it; -1: none.
func (r *Run) rival(second, distance int) int {
	owner := r.Taken[second].Owner
	if r.claim.in.Interp == nil {
		if first := second - distance; r.Taken[first].Owner != owner {
			return first
		}
		return -1
	}
	for i := second - 1; i >= 0 && owner != ""; i-- {
		if r.Taken[i].Owner == owner {
			if distance--; distance == 0 {
				return i
			}
		}
	}
	return -1
}

// swapped executes a run with step first only after step second: always the earliest step of the run that
// is enabled and was not taken yet. decides is false if some state violates the property, or second is
// not taken.
func (m *replayer) swapped(r *Run, first, second int) (o swap, decides bool) {
	states, taken := []lts.State{r.States[0]}, []lts.Transition(nil)
	left := make([]int, len(r.Taken))
	for i := range left {
		left[i] = i
	}
	waits := true
	next := func() int {
		for k, i := range left {
			if waits && i == first || m.left <= 0 {
				continue
			}
			if t := m.repeat(states[len(taken)], &r.Taken[i]); t != nil && !t.Outside {
				taken, states = append(taken, *t), append(states, t.Next)
				return k
			}
		}
		return -1
	}
	for k := next(); k >= 0; k = next() {
		if m.evident(states, taken) {
			return o, false
		}
		waits = waits && left[k] != second
		left = slices.Delete(left, k, k+1)
	}
	disabled := slices.Contains(left, first)
	return swap{order{first + 1, second + 1}, disabled, len(left)}, !waits && m.left > 0
}

func (o swap) why(r *Run) string {
	text := fmt.Sprintf("Step %d, %s, comes before step %d, %s. The other way round, ",
		o.first, r.named(o.first), o.second, r.named(o.second))
	switch {
	case o.left == 0:
		return text + "the same steps would violate nothing."
	case o.disabled:
		return text + fmt.Sprintf("step %d would not be enabled, and the others would violate nothing.",
			o.first)
	}
	return text + "these steps, as far as they are enabled then, would violate nothing."
}
