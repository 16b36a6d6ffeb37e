//go:build !js

package page

import (
	"runtime/metrics"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Limits of the search behind the live page.
const (
	lookaheadStates = 400_000
	lookaheadBytes  = 1 << 29 // that the program takes more than when the search began
)

// A lookahead is a search from the state in view, which goes on while a person thinks. From its graph the
// distance of each choice from a violation or a goal is known at any time.
type lookahead struct {
	search
	infos []model.PropertyInfo
	can   uint64           // properties that a state or step can show, one bit each
	bad   uint64           // a bit of these is a violation; a bit of the others a goal that is reached
	is    []uint64         // of a node: properties violated, goals reached, one bit each
	by    map[int32]uint64 // step properties that a step breaks
	bytes uint64           // of the program, at the beginning
}

// newLookahead prepares a search from the end of a step.
func newLookahead(in model.Instance, at *lts.Transition) *lookahead {
	h := &lookahead{
		search: search{in: in, most: lookaheadStates}, infos: in.Space.Properties(), by: map[int32]uint64{}, bytes: heapBytes(),
	}
	for p, info := range h.infos {
		if info.Kind != model.Liveness && info.Kind != model.Costs {
			h.can |= 1 << p
		}
		if info.Kind != model.Reachable {
			h.bad |= 1 << p
		}
	}
	h.met, h.look, h.taken, h.full = h.judge, h.judgeQuiet, h.judgeStep, h.memory
	h.begin(*at)
	return h
}

// heapBytes is what the program's values take.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// complete reports whether every state that follows was visited.
func (h *lookahead) complete() bool { return h.done && len(h.outside) == 0 }

// depth is the number of levels whose nodes are all expanded.
func (h *lookahead) depth() int {
	if h.complete() {
		return len(h.levels)
	}
	return len(h.levels) - 1
}

// memory returns the limit of memory if it is reached.
func (h *lookahead) memory() string {
	if h.expanded()%1024 == 0 && heapBytes() > h.bytes+lookaheadBytes {
		return "the limit of memory is reached"
	}
	return ""
}

// judge judges a node by the properties of states.
func (h *lookahead) judge(_ int32, t *lts.Transition) {
	var is uint64
	for p, info := range h.infos {
		if (info.Kind == model.Invariant || info.Kind == model.Reachable) && h.in.Plain.Judge(t.Next, p) {
			is |= 1 << p
		}
	}
	h.is = append(h.is, is)
}

// judgeQuiet judges a node by the properties about states in which nothing, or nothing of the algorithm,
// can happen.
func (h *lookahead) judgeQuiet(n int32, at lts.State, steps []lts.Transition) {
	actions := h.in.Space.Actions()
	quiet := !slices.ContainsFunc(steps, func(t lts.Transition) bool {
		return actions[t.Action].Kind == protocol.Ordinary
	})
	for p, info := range h.infos {
		if info.Kind == model.DeadlockFree && len(steps) == 0 || info.Kind == model.Quiet && quiet &&
			h.in.Plain.Judge(at, p) {
			h.is[n] |= 1 << p
		}
	}
}

// judgeStep judges a step.
func (h *lookahead) judgeStep(_ int32, at lts.State, t *lts.Transition, _ int32) {
	for p, info := range h.infos {
		if info.Kind == model.StepInvariant && h.in.Plain.JudgeStep(at, *t, p) {
			h.by[int32(len(h.to))] |= 1 << p
		}
	}
}

// predecessors returns the steps that lead to each node, by the node that they come from.
func (h *lookahead) predecessors() (from func(v int32) []int32) {
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

// pathTo returns the choices that lead from the beginning to property p by shortest ways.
func (h *lookahead) pathTo(p int, far []int32) (choices []int) {
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

// canStayGood reports whether there is a run from the beginning on which nothing is violated: it ends, or
// repeats itself. It takes away all nodes from which every run is violated. A node that is not expanded is no
// such run; if the question is open, it may begin one.
func (h *lookahead) canStayGood(from func(int32) []int32, open bool) bool {
	gone := make([]bool, len(h.is))
	var todo []int32
	take := func(v int32) {
		if !gone[v] {
			gone[v], todo = true, append(todo, v)
		}
	}
	for v := range int32(len(h.is)) {
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

// allStepsBad reports whether a node has steps, and all of them violate something or lead to nodes that are
// gone.
func (h *lookahead) allStepsBad(u int32, gone []bool) bool {
	for e := h.first[u]; e < h.first[u+1]; e++ {
		if !gone[h.to[e]] && h.by[e]&h.bad == 0 {
			return false
		}
	}
	return h.first[u] < h.first[u+1]
}
