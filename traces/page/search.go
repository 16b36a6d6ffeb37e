package page

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces"
)

// A search is a breadth-first search with the plain semantics that keeps the graph of states. Nodes are
// numbered in the order of their discovery, from 0.
type search struct {
	in      model.Instance
	numbers map[protocol.Code]int32 // of all nodes
	states  []lts.Transition        // the nodes that are not yet expanded, the next one first
	outside map[int32]bool          // nodes outside the constraint: nothing follows
	first   []int32                 // by expanded node: index of its first step in to
	to      []int32                 // target of each step
	levels  []int                   // number of nodes at each distance
	level   int                     // first node of the level after the one that is expanded
	fails   string                  // the model error that ended the search; "": none
	limit   string                  // the limit that ended the search, or found; "": none
	done    bool                    // all states were visited

	ctx  context.Context // ends the search
	most int             // limit of states; 0: none
	// The functions may be nil. full returns another limit that is reached; "": none. met is called for each
	// new node, look for each expanded node with its steps, also pruned ones, taken for each step. stops
	// reports whether to end the search at a step.
	full  func() string
	met   func(n int32, t *lts.Transition)
	look  func(n int32, at lts.State, enabled []lts.Transition)
	stops func(at lts.State, t *lts.Transition) bool
	taken func(n int32, at lts.State, t *lts.Transition, to int32)
}

func (s *search) begin(from ...lts.Transition) {
	s.numbers, s.outside, s.first = map[protocol.Code]int32{}, map[int32]bool{}, []int32{0}
	for i := range from {
		s.meet(&from[i])
	}
	s.level = len(s.numbers)
	s.levels = []int{s.level}
}

func (s *search) ended() bool { return s.done || s.limit != "" || s.fails != "" }

func (s *search) expanded() int { return len(s.first) - 1 }

// run expands one node or more, until pause returns true or the search ends.
func (s *search) run(pause func() bool) {
	e := check.Caught(func() {
		for first := true; !s.ended() && (first || !pause()); first = false {
			if s.limit = s.expand(); s.limit != "" {
				break
			}
			if s.done = len(s.states) == 0; s.done {
				break
			}
			if s.limit = s.limits(); s.limit == "" && s.expanded() == s.level {
				s.levels, s.level = append(s.levels, len(s.numbers)-s.level), len(s.numbers)
			}
		}
	})
	if e != nil {
		s.fails = e.Error()
	}
	if s.ended() {
		s.states = nil
	}
}

func (s *search) limits() string {
	switch {
	case s.most > 0 && len(s.numbers) >= s.most:
		return "the limit of states is reached"
	case s.ctx != nil && s.ctx.Err() != nil:
		return "the time limit is reached"
	case s.full != nil:
		return s.full()
	}
	return ""
}

// found is the limit of a search that stops has ended.
const found = "found"

// expand expands the next node. It returns found if stops ends the search.
func (s *search) expand() string {
	n, at := int32(s.expanded()), s.states[0]
	var all []lts.Transition
	if !at.Outside {
		all = s.in.Plain.Steps(at.Next)
		if s.look != nil {
			s.look(n, at.Next, all)
		}
	}
	for i := range all {
		t := &all[i]
		if t.Pruned {
			continue
		}
		if s.stops != nil && s.stops(at.Next, t) {
			return found
		}
		to, known := s.numbers[t.Next.Code()]
		if !known {
			to = s.meet(t)
		}
		if s.taken != nil {
			s.taken(n, at.Next, t, to)
		}
		s.to = append(s.to, to)
	}
	s.states, s.first = s.states[1:], append(s.first, int32(len(s.to)))
	return ""
}

// meet adds a node unless it is known, and returns its number.
func (s *search) meet(t *lts.Transition) int32 {
	code := t.Next.Code()
	if n, known := s.numbers[code]; known {
		return n
	}
	n := int32(len(s.numbers))
	s.numbers[code] = n
	s.states = append(s.states, lts.Transition{Next: t.Next, Outside: t.Outside})
	if t.Outside {
		s.outside[n] = true
	}
	if s.met != nil {
		s.met(n, t)
	}
	return n
}

// path returns the choices of the path by which the search reached a node.
func (s *search) path(n int32) (choices []int) {
	for int(n) >= s.levels[0] {
		step := int32(slices.Index(s.to, n))
		from := s.source(step)
		choices, n = append(choices, int(step-s.first[from])), from
	}
	slices.Reverse(choices)
	return choices
}

// source returns the node from which a step leads.
func (s *search) source(step int32) int32 {
	u, here := slices.BinarySearch(s.first, step)
	if !here {
		return int32(u - 1)
	}
	for u+1 < len(s.first) && s.first[u+1] == step { // nodes without steps have the first of the next one
		u++
	}
	return int32(u)
}

// A Path is a run as indices from 0: of the initial state among the initial states of the model, and of each
// step among the steps enabled in its state.
type Path struct {
	Initial int   `json:"initial"`
	Choices []int `json:"path"`
}

// PathOf returns the path of a run. It is an error if a step of the run fails with a model error.
func PathOf(r *traces.Run) (p Path, err error) {
	in := r.Instance()
	p.Choices = []int{}
	p.Initial = slices.IndexFunc(in.Plain.Init(), func(t lts.Transition) bool {
		return t.Next.Key() == r.States[0].Key()
	})
	for i := range r.Taken {
		k := slices.IndexFunc(traces.Enabled(in, r.States[i]),
			func(t lts.Transition) bool { return same(&t, &r.Taken[i]) })
		if k < 0 {
			return p, fmt.Errorf("step %d fails, so no state follows it", i+1)
		}
		p.Choices = append(p.Choices, k)
	}
	return p, nil
}

// follow takes the steps of a path. It is an error if the path does not exist.
func (p Path) follow(in model.Instance) (initial lts.State, taken []lts.Transition, err error) {
	inits := in.Plain.Init()
	if p.Initial < 0 || p.Initial >= len(inits) {
		return nil, nil, fmt.Errorf("there is no initial state %d; there are %d, counted from 0", p.Initial,
			len(inits))
	}
	at := inits[p.Initial]
	initial = at.Next
	for i, k := range p.Choices {
		steps := traces.Enabled(in, at.Next)
		switch {
		case at.Outside:
			return nil, nil, fmt.Errorf("step %d: nothing follows a state outside the constraint", i+1)
		case k < 0 || k >= len(steps):
			return nil, nil, fmt.Errorf("step %d: there is no choice %d; there are %d, counted from 0", i+1,
				k, len(steps))
		}
		at = steps[k]
		taken = append(taken, at)
	}
	return initial, taken, nil
}

// A target reports whether step t from a state reaches what a search looks for.
type target func(from lts.State, t *lts.Transition) bool

// ofProperty is the target that violates property p, or reaches it if it is a goal.
func ofProperty(in model.Instance, p int) (target, error) {
	infos := in.Space.Properties()
	if p < 0 || p >= len(infos) {
		return nil, fmt.Errorf("there is no property %d", p)
	}
	if k := infos[p].Kind; k == model.Liveness || k == model.Costs {
		return nil, fmt.Errorf("%s is of kind %s: no single state or step shows it. "+
			"`check --property %[1]s` finds such runs", infos[p].Name, k)
	}
	return func(from lts.State, t *lts.Transition) bool {
		v := traces.Verdict(in, from, t, t.Next, p)
		return v == traces.Violated || v == traces.Reached
	}, nil
}

// A finding is the result of a search for a target.
type finding struct {
	search
	choices []int // the shortest run to the target; nil: none was found
}

// shortest looks for a shortest run from the end of a step to a target. It gives up after limit states,
// or when the context ends.
func shortest(ctx context.Context, in model.Instance, from *lts.Transition, to target, limit int) *finding {
	f := &finding{search: search{in: in, ctx: ctx, most: limit, stops: to}}
	f.begin(*from)
	f.run(func() bool { return false })
	if f.limit == found {
		n := f.expanded()
		f.choices = append(f.path(int32(n)), len(f.to)-int(f.first[n]))
	}
	return f
}

// randomWalk takes n random steps, or fewer if nothing more is enabled.
func randomWalk(in model.Instance, at lts.Transition, n int, random *rand.Rand) (choices []int) {
	for range n {
		steps := traces.Enabled(in, at.Next)
		if len(steps) == 0 || at.Outside {
			break
		}
		k := random.IntN(len(steps))
		choices, at = append(choices, k), steps[k]
	}
	return choices
}
