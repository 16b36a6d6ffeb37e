package instance

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Spent counts the messages of a run, given by the steps taken and its last state, for the bound of
// property i of kind Costs. The run has to end with a step that closes or, for a bound on whole runs,
// in a quiet state. If it does not, or if the bound is not about the run, requests is 0.
func (in Instance) Spent(taken []lts.Transition, end lts.State, i int) (count, requests int) {
	b := in.Space.Properties()[i].Bound
	if b.Whole() {
		for _, t := range taken {
			count += t.Charges.All
		}
		ordinary := func(t lts.Transition) bool { return in.Space.Actions()[t.Action].Kind == protocol.Ordinary }
		requests = in.Plain.Served(end, i)
		if requests > 0 && slices.ContainsFunc(in.Plain.Steps(end), ordinary) {
			return 0, 0
		}
		return count, requests
	}
	if len(taken) == 0 {
		return 0, 0
	}
	last := taken[len(taken)-1]
	opens, closes := lts.Named(in.Space.Actions(), b.Opens), lts.Named(in.Space.Actions(), b.Closes)
	open := false
	for n, t := range taken {
		its := t.Proc == last.Proc
		if its && opens[t.Action] {
			open, count = true, 0
		}
		count += int(t.Charges.To[last.Proc])
		if its && closes[t.Action] {
			if n == len(taken)-1 && open {
				return count, 1
			}
			open = false
		}
	}
	return 0, 0
}
