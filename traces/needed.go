package traces

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/printable"
)

// neededSteps is the length of the longest run for which needed orders are searched: the search takes the
// cube of it for each sequence.
const neededSteps = 100

// An order is a pair of steps of a run, by their indices: the first comes before the second.
type order struct{ first, second int }

// needed returns orders that suffice for the violation: the steps of the run violate the property in each
// sequence that keeps these orders and takes steps as far as they are enabled. Without any one of the
// orders some sequence violates nothing. known is false if its budget ends first, or the run is longer
// than neededSteps.
//
// It adds orders until no harmless sequence is left: a harmless sequence takes some pairs the other way
// round, and the nearest such pair of one process becomes an order. Then it removes orders that the
// others make superfluous.
func (r *Run) needed() (orders []order, known bool) {
	if len(r.Taken) > neededSteps {
		return nil, false
	}
	w := weaving{r: r, replayer: &replayer{&r.claim, budget, nil}}
	for harmless := w.harmless(nil); harmless != nil; harmless = w.harmless(orders) {
		o, found := w.inverted(harmless)
		if !found {
			return nil, false
		}
		orders = append(orders, o)
	}
	for i := 0; i < len(orders) && w.left > 0; {
		less := slices.Delete(slices.Clone(orders), i, i+1)
		if w.harmless(less) != nil {
			i++
		} else {
			orders = less
		}
	}
	slices.SortFunc(orders, func(a, b order) int { return a.second - b.second })
	return orders, w.left > 0
}

// A weaving takes the steps of a run in other sequences. Its indices of steps begin at 1.
type weaving struct {
	r *Run
	*replayer
	orders []order
	seen   map[protocol.Code]bool // states with the steps taken, from which no harmless sequence leads on
}

// harmless returns a sequence that keeps the orders, cannot be continued and violates nothing; nil: there
// is none, or the budget is used up.
func (w *weaving) harmless(orders []order) []int {
	w.orders, w.seen = orders, map[protocol.Code]bool{}
	return w.extend([]lts.State{w.r.States[0]}, nil, nil)
}

// extend continues a sequence, which violates nothing before its last state, to a harmless one. It
// prefers late steps, so it finds sequences far from the run.
func (w *weaving) extend(states []lts.State, taken []lts.Transition, sequence []int) []int {
	at := states[len(states)-1]
	if w.evident(states, taken) || !w.enter(at, sequence) {
		return nil
	}
	complete := true
	for i := len(w.r.Taken); i >= 1; i-- {
		if slices.Contains(sequence, i) || slices.ContainsFunc(w.orders, func(o order) bool {
			return o.second == i && !slices.Contains(sequence, o.first) // a step before i is not taken yet
		}) {
			continue
		}
		if w.left <= 0 {
			return nil
		}
		t := w.repeat(at, &w.r.Taken[i-1])
		if t == nil || t.Outside {
			continue
		}
		complete = false
		found := w.extend(append(slices.Clip(states), t.Next), append(slices.Clip(taken), *t),
			append(slices.Clip(sequence), i))
		if found != nil {
			return found
		}
	}
	if complete {
		return append([]int{}, sequence...)
	}
	return nil
}

// enter reports whether the search is at a state, after these steps in any sequence, for the first time.
func (w *weaving) enter(at lts.State, sequence []int) bool {
	mask := make([]byte, len(w.r.States))
	for _, i := range sequence {
		mask[i] = 1
	}
	key := at.Code().Plus(protocol.CodeOf(-1, mask)) // no part of a state has place -1
	known := w.seen[key]
	w.seen[key] = true
	return !known
}

// inverted returns a pair of steps that a sequence takes the other way round, or whose second step alone it
// takes: the nearest one, pairs of one process first.
func (w *weaving) inverted(sequence []int) (nearest order, found bool) {
	n := len(w.r.Taken)
	place := slices.Repeat([]int{n + 1}, n+1)
	for k, i := range sequence {
		place[i] = k
	}
	distance := func(o order) int {
		d := o.second - o.first
		if w.r.Taken[o.first-1].Owner != w.r.Taken[o.second-1].Owner {
			d += n
		}
		return d
	}
	for i := 1; i <= n; i++ {
		for j := i + 1; j <= n; j++ {
			if o := (order{i, j}); place[j] < place[i] && (!found || distance(o) <= distance(nearest)) {
				nearest, found = o, true
			}
		}
	}
	return nearest, found
}

// mostListed is the largest number of orders that a sentence lists.
const mostListed = 5

func needs(orders []order) string {
	switch n := len(orders); {
	case n == 0:
		return "The same steps violate it in whatever order they are taken: " +
			"the cause is what they do, not when."
	case n > mostListed:
		return fmt.Sprintf("The same steps violate it if %d pairs of them keep their order.", n)
	}
	pairs := printable.Each(orders,
		func(o *order) string { return fmt.Sprintf("%d before %d", o.first, o.second) })
	return "The same steps violate it in every order with " + and(pairs) + "."
}
