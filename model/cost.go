package model

import (
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Bound limits how many messages a part of a run may cost.
type Bound struct {
	// Opens and Closes name actions. For each process the messages charged to it count
	// from a step that opens to the next one that closes, both included. Without them
	// whole runs count, up to a quiet state, with all messages.
	Opens, Closes []string
	// Least and Most are the limits, for whole runs those for each request served. A
	// Most of 0 is no limit.
	Least, Most int
}

// Whole reports whether the bound is about whole runs.
func (b *Bound) Whole() bool { return len(b.Opens) == 0 }

// Allows reports whether count messages for so many requests are within the limits.
func (b *Bound) Allows(count, requests int) bool {
	return count >= b.Least*requests && (b.Most == 0 || count <= b.Most*requests)
}

// A Cost is a bound with what it has to know of states.
type Cost[S any] struct {
	Bound
	// Served is the number of requests that were served in a run that ends in s; 0: the
	// bound is not about such a run. Bounds on whole runs only.
	Served func(s *S) int
}

// costPlain is the plain semantics of a model in which steps cost something: of a composition.
type costPlain interface {
	lts.Plain
	Served(s State, i int) int
}

// served returns what Served says in s of property i.
func (j *judges) served(s value, i int) int { return j.props[i].Cost.Served(s) }

// Spent counts the messages of a run, which begins in any state and takes some steps to its end, by the
// bound of property i of kind Costs. The run has to end with a step that closes, or for whole runs, which
// may have no step at all, in a quiet state; if it does not, or the bound is not about it, requests is 0.
func (in Instance) Spent(taken []lts.Transition, end State, i int) (count, requests int) {
	b := in.Space.Properties()[i].Bound
	if b.Whole() {
		for _, t := range taken {
			count += t.Charges.All
		}
		for _, t := range in.Plain.Steps(end) {
			if in.Space.Actions()[t.Action].Kind == protocol.Ordinary {
				return 0, 0
			}
		}
		return count, in.Plain.(costPlain).Served(end, i)
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
