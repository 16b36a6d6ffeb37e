//go:build !js

package page

import (
	"runtime/metrics"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces"
)

// Limits of the search behind the live page.
const (
	lookaheadStates = 400_000
	lookaheadBytes  = 1 << 29 // that the program takes more than when the search began
)

// A lookahead is a breadth-first search from the state in view, which goes on while a person thinks. It keeps
// the graph of the states met, so the distance from each choice to a violation or a goal is known at any
// time.
type lookahead struct {
	in    model.Instance
	infos []model.PropertyInfo

	numbers  map[protocol.Code]int32
	states   []lts.Transition // those that are not expanded yet: of nodes from len(first)-1 on
	outside  map[int32]bool   // nodes from which nothing goes on
	is       []uint64         // of a node: properties violated, goals reached, one bit each
	first    []int32          // of a node that is expanded: its first step in to
	to       []int32          // steps: to which node
	by       map[int32]uint64 // step properties that a step breaks
	levels   []int            // nodes that were met at each distance
	level    int              // the first node of the level after that under way
	fails    string           // why the model cannot go on
	limit    string           // why the search ended before it was complete
	complete bool
	bytes    uint64 // of the program, at the beginning
}

// newLookahead prepares a search from the end of a step.
func newLookahead(in model.Instance, at *lts.Transition) *lookahead {
	h := &lookahead{
		in: in, infos: in.Space.Properties(), numbers: map[protocol.Code]int32{}, outside: map[int32]bool{},
		by:    map[int32]uint64{},
		first: []int32{0}, levels: []int{1}, level: 1, bytes: heapBytes(),
	}
	h.meet(at)
	return h
}

// heapBytes is what the program's values take.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// ended reports whether nothing more is looked for.
func (h *lookahead) ended() bool { return h.complete || h.limit != "" || h.fails != "" }

// expanded is the number of nodes whose steps are known.
func (h *lookahead) expanded() int { return len(h.first) - 1 }

// depth is the number of levels whose nodes are all expanded.
func (h *lookahead) depth() int {
	if h.complete {
		return len(h.levels)
	}
	return len(h.levels) - 1
}

// search goes on until it is to pause, or there is no more. It takes one step at least.
func (h *lookahead) search(pause func() bool) {
	var e *model.Error
	defer func() {
		if e != nil {
			h.fails = e.Error()
		}
	}()
	defer model.Catch(&e)
	for first := true; !h.ended() && (first || !pause()); first = false {
		h.expand()
		switch i := h.expanded(); {
		case i == len(h.is):
			h.complete = len(h.outside) == 0
			if !h.complete {
				h.limit = "what is outside the constraint is not followed"
			}
		case len(h.is) >= lookaheadStates:
			h.limit = "it has visited as many states as it may"
		case i%1024 == 0 && heapBytes() > h.bytes+lookaheadBytes:
			h.limit = "it has taken as much memory as it may"
		case i == h.level:
			h.levels, h.level = append(h.levels, len(h.is)-h.level), len(h.is)
		}
	}
	if h.ended() {
		h.states = nil
	}
}

// expand follows the next node.
func (h *lookahead) expand() {
	n := int32(h.expanded())
	at := h.states[0]
	h.states = h.states[1:]
	var all []lts.Transition
	if !at.Outside {
		all = h.in.Plain.Steps(at.Next)
		h.standstill(n, at.Next, all)
	}
	for i := range all {
		t := &all[i]
		if t.Pruned {
			continue
		}
		to, known := h.numbers[t.Next.Code()]
		if !known {
			to = h.meet(t)
		}
		for p, info := range h.infos {
			if info.Kind == model.StepInvariant && h.in.Plain.JudgeStep(at.Next, *t, p) {
				h.by[int32(len(h.to))] |= 1 << p
			}
		}
		h.to = append(h.to, to)
	}
	h.first = append(h.first, int32(len(h.to)))
}

// meet adds a node.
func (h *lookahead) meet(t *lts.Transition) int32 {
	n := int32(len(h.is))
	h.numbers[t.Next.Code()] = n
	h.states = append(h.states, lts.Transition{Next: t.Next, Outside: t.Outside})
	if t.Outside {
		h.outside[n] = true
	}
	var is uint64
	for p, info := range h.infos {
		if (info.Kind == model.Invariant || info.Kind == model.Reachable) && h.in.Plain.Judge(t.Next, p) {
			is |= 1 << p
		}
	}
	h.is = append(h.is, is)
	return n
}

// standstill judges a node by the properties about states in which nothing, or nothing of the
// algorithm, can happen.
func (h *lookahead) standstill(n int32, at lts.State, steps []lts.Transition) {
	actions := h.in.Space.Actions()
	quiet := !slices.ContainsFunc(steps, func(t lts.Transition) bool {
		return actions[t.Action].Kind ==
			protocol.Ordinary
	})
	for p, info := range h.infos {
		if info.Kind == model.DeadlockFree && len(steps) == 0 || info.Kind == model.Quiet && quiet &&
			h.in.Plain.Judge(at, p) {
			h.is[n] |= 1 << p
		}
	}
}

// into returns the steps that lead to each node, by the node that they come from.
func (h *lookahead) into() (from func(v int32) []int32) {
	start := make([]int32, len(h.is)+1)
	for _, v := range h.to {
		start[v+1]++
	}
	for v := range h.is {
		start[v+1] += start[v]
	}
	sources, next := make([]int32, len(h.to)), slices.Clone(start)
	for u := range h.expanded() {
		for e := h.first[u]; e < h.first[u+1]; e++ {
			v := h.to[e]
			sources[next[v]] = int32(u)
			next[v]++
		}
	}
	return func(v int32) []int32 { return sources[start[v]:start[v+1]] }
}

const never = int32(1 << 30) // the distance of what was not found

// met are the properties of which a bit is set anywhere.
func (h *lookahead) met() (which uint64) {
	for _, bits := range h.is {
		which |= bits
	}
	for _, bits := range h.by {
		which |= bits
	}
	return which
}

// distances returns how many steps it is from each node to property p, as far as it was met.
func (h *lookahead) distances(p int, from func(int32) []int32) []int32 {
	far := make([]int32, len(h.is))
	var now, next []int32
	for v := range h.is {
		far[v] = never
		if h.is[v]>>p&1 == 1 {
			far[v], now = 0, append(now, int32(v))
		}
	}
	for e, which := range h.by {
		if u := h.source(e); which>>p&1 == 1 && far[u] == never {
			far[u], next = 1, append(next, u)
		}
	}
	for d := int32(1); len(now)+len(next) > 0; d++ {
		for _, v := range now {
			for _, u := range from(v) {
				if far[u] == never {
					far[u], next = d, append(next, u)
				}
			}
		}
		now, next = next, now[:0]
	}
	return far
}

// source returns the node from which a step leads.
func (h *lookahead) source(step int32) int32 {
	u, here := slices.BinarySearch(h.first, step)
	if !here {
		return int32(u - 1)
	}
	for u+1 < len(h.first) && h.first[u+1] == step { // nodes without steps have the same first one
		u++
	}
	return int32(u)
}

// way returns the choices that lead from the beginning to property p by shortest ways.
func (h *lookahead) way(p int, far []int32) (choices []int) {
	for v := int32(0); far[v] > 0; {
		for e := h.first[v]; e < h.first[v+1]; e++ {
			if to := h.to[e]; h.by[e]>>p&1 == 1 || far[to] == far[v]-1 {
				choices, v = append(choices, int(e-h.first[v])), to
				if h.by[e]>>p&1 == 1 {
					return choices
				}
				break
			}
		}
	}
	return choices
}

// well reports whether there is a run from the beginning on which nothing is violated, and whether
// there may be one: it ends, or repeats itself. A node that is not expanded is no such run, but may begin
// one.
func (h *lookahead) well(from func(int32) []int32) (is, may bool) {
	return h.lasts(from, false), h.lasts(from, true)
}

// lasts takes away all nodes from which every run is violated, and reports whether the beginning is left.
// What is not expanded is kept if it is open.
func (h *lookahead) lasts(from func(int32) []int32, open bool) bool {
	bad := h.violations()
	gone := make([]bool, len(h.is))
	var todo []int32
	take := func(v int32) {
		if !gone[v] {
			gone[v], todo = true, append(todo, v)
		}
	}
	for v := range int32(len(h.is)) {
		if unknown := int(v) >= h.expanded() || h.outside[v]; h.is[v]&bad != 0 || unknown && !open ||
			!unknown && h.stuck(v, gone) {
			take(v)
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range from(v) {
			if !gone[u] && h.stuck(u, gone) {
				take(u)
			}
		}
	}
	return !gone[0]
}

// stuck reports whether all steps of a node, of which there are some, violate something or lead to what is
// gone.
func (h *lookahead) stuck(u int32, gone []bool) bool {
	bad := h.violations()
	for e := h.first[u]; e < h.first[u+1]; e++ {
		if !gone[h.to[e]] && h.by[e]&bad == 0 {
			return false
		}
	}
	return h.first[u] < h.first[u+1]
}

// violations are the properties of which a bit means that they are violated; of the others, that a goal is
// reached.
func (h *lookahead) violations() (which uint64) {
	for p, info := range h.infos {
		if info.Kind != model.Reachable {
			which |= 1 << p
		}
	}
	return which
}

// verdictOf is what a bit of property p means.
func (h *lookahead) verdictOf(p int) string {
	if h.infos[p].Kind == model.Reachable {
		return traces.Reached
	}
	return traces.Violated
}
