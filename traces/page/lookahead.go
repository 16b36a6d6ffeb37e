//go:build !js

package page

import (
	"runtime/metrics"
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// Limits of the search behind the live page.
const (
	lookaheadStates = 400_000
	lookaheadBytes  = 1 << 29 // growth of the heap since the search began
)

// A lookahead is a search from the state in view, which goes on while the user reads the page. Its graph
// gives the distances from each choice to violations and goals.
type lookahead struct {
	search
	infos []model.PropertyInfo
	can   uint64            // bit p: a single state or step can show property p
	bad   uint64            // bit p: property p can be violated, it is not a goal
	is    []uint64          // by node; bit p: the state violates property p, or reaches goal p
	by    map[uint32]uint64 // by index in search.to; bit p: the step violates property p
	bytes uint64            // size of the heap at the beginning
}

func newLookahead(in model.Instance, at *lts.Transition) *lookahead {
	h := &lookahead{search: search{in: in, most: lookaheadStates}, infos: in.Space.Properties(),
		by: map[uint32]uint64{}, bytes: heapBytes()}
	for p, info := range h.infos {
		if info.Kind != model.Liveness && info.Kind != model.Costs {
			h.can |= 1 << p
		}
		if info.Kind != model.Reachable {
			h.bad |= 1 << p
		}
	}
	h.met, h.look, h.full = h.judge, h.judgeQuiet, h.memory
	h.taken = func(_ uint32, at lts.State, t *lts.Transition, _ uint32) {
		for p, info := range h.infos {
			if info.Kind == model.StepInvariant && in.Plain.JudgeStep(at, *t, p) {
				h.by[uint32(len(h.to))] |= 1 << p
			}
		}
	}
	h.begin(*at)
	return h
}

// heapBytes is the size of the objects on the heap.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func (h *lookahead) complete() bool { return h.done && len(h.outside) == 0 }

// memory returns the name of the memory limit if it is reached, otherwise "". It checks every 1,024 nodes.
func (h *lookahead) memory() string {
	if h.expanded()%1024 == 0 && heapBytes() > h.bytes+lookaheadBytes {
		return "the limit of memory is reached"
	}
	return ""
}

// judge judges a new node by invariants and goals.
func (h *lookahead) judge(_ uint32, t *lts.Transition) {
	var is uint64
	for p, info := range h.infos {
		if (info.Kind == model.Invariant || info.Kind == model.Reachable) && h.in.Plain.Judge(t.Next, p) {
			is |= 1 << p
		}
	}
	h.is = append(h.is, is)
}

// judgeQuiet judges a node by the properties of deadlocks and of quiet states.
func (h *lookahead) judgeQuiet(n uint32, at lts.State, steps []lts.Transition) {
	quiet := h.in.Quiet(steps)
	for p, info := range h.infos {
		if info.Kind == model.DeadlockFree && len(steps) == 0 || info.Kind == model.Quiet && quiet &&
			h.in.Plain.Judge(at, p) {
			h.is[n] |= 1 << p
		}
	}
}

// predecessors returns a function that returns the predecessors of a node.
func (h *lookahead) predecessors() (from func(v uint32) []uint32) {
	end := h.first[h.expanded()] // a model error may have ended the search in the middle of a node
	unexpanded := slices.Repeat([]uint32{end}, len(h.is)-h.expanded())
	g := graph.Graph{Begin: slices.Concat(h.first, unexpanded), To: h.to[:end]}
	return g.Reversed().Successors
}

const never = uint32(1 << 30) // the distance if no path is known

// distances returns the distance of each node from property p, in steps; never if no path is known.
func (h *lookahead) distances(p int, from func(uint32) []uint32) []uint32 {
	far := slices.Repeat([]uint32{never}, len(h.is))
	var nearest []uint32 // the nodes met, nearest first
	meet := func(v, d uint32) {
		if far[v] == never {
			far[v], nearest = d, append(nearest, v)
		}
	}
	for v, which := range h.is {
		if which>>p&1 == 1 {
			meet(uint32(v), 0)
		}
	}
	for e, which := range h.by {
		if which>>p&1 == 1 {
			meet(h.source(e), 1)
		}
	}
	for i := 0; i < len(nearest); i++ {
		for _, u := range from(nearest[i]) {
			meet(u, far[nearest[i]]+1)
		}
	}
	return far
}

// pathTo returns the choices of a shortest path from the first node to property p. far are its distances.
func (h *lookahead) pathTo(p int, far []uint32) (choices []int) {
	for v := uint32(0); far[v] > 0; {
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

// canStayGood reports whether some run from the first node violates nothing and ends or has a cycle. It
// removes all nodes from which every run violates something. A node that is not expanded is removed, too;
// with open it counts as the beginning of a good run.
func (h *lookahead) canStayGood(from func(uint32) []uint32, open bool) bool {
	gone := make([]bool, len(h.is))
	var todo []uint32
	take := func(v uint32) {
		if !gone[v] {
			gone[v], todo = true, append(todo, v)
		}
	}
	for v := range uint32(len(h.is)) {
		if unknown := int(v) >= h.expanded() || h.outside[v]; h.is[v]&h.bad != 0 || unknown && !open ||
			!unknown && h.allStepsBad(v, gone) {
			take(v)
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range from(v) {
			if !gone[u] && h.allStepsBad(u, gone) {
				take(u)
			}
		}
	}
	return !gone[0]
}

// allStepsBad reports whether a node has steps, and each violates something or leads to a removed node.
func (h *lookahead) allStepsBad(u uint32, gone []bool) bool {
	for e := h.first[u]; e < h.first[u+1]; e++ {
		if !gone[h.to[e]] && h.by[e]&h.bad == 0 {
			return false
		}
	}
	return h.first[u] < h.first[u+1]
}
