package page

import (
	"context"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A search is a breadth-first search with the plain semantics that keeps the graph of states. Nodes are
// numbered in the order of their discovery, from 0.
type search struct {
	in      model.Instance
	numbers map[protocol.Code]uint32 // of all nodes
	states  []lts.Transition         // the nodes that are not yet expanded, the next one first
	outside map[uint32]bool          // nodes outside the constraint: nothing follows
	first   []uint32                 // by expanded node: index of its first step in to
	to      []uint32                 // target of each step
	levels  []int                    // number of nodes at each distance
	level   int                      // first node of the level after the one that is expanded
	fails   string                   // the model error that ended the search; "": none
	limit   string                   // the limit that ended the search, or found; "": none
	done    bool                     // all states were visited

	ctx   context.Context // ends the search
	most  int             // limit of states; 0: none
	exact bool            // states that differ by a shift of all times are different
	// The functions may be nil. full returns another limit that is reached; "": none. met is called for each
	// new node, look for each expanded node with its steps, also pruned ones, taken for each step. stops
	// reports whether to end the search at a step.
	full  func() string
	met   func(n uint32, t *lts.Transition)
	look  func(n uint32, at lts.State, enabled []lts.Transition)
	stops func(at lts.State, t *lts.Transition) bool
	taken func(n uint32, at lts.State, t *lts.Transition, to uint32)
}

func (s *search) begin(from ...lts.Transition) {
	s.numbers, s.outside, s.first = map[protocol.Code]uint32{}, map[uint32]bool{}, []uint32{0}
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
			s.limit = s.expand()
			if s.done = s.limit == "" && len(s.states) == 0; s.ended() {
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
	n, at := uint32(s.expanded()), s.states[0]
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
		to := s.meet(t)
		if s.taken != nil {
			s.taken(n, at.Next, t, to)
		}
		s.to = append(s.to, to)
	}
	s.states, s.first = s.states[1:], append(s.first, uint32(len(s.to)))
	return ""
}

// meet adds a node unless it is known, and returns its number.
func (s *search) meet(t *lts.Transition) uint32 {
	code := t.Next.Code()
	if s.exact {
		code = t.Next.(*interp.State).Exact()
	}
	if n, known := s.numbers[code]; known {
		return n
	}
	n := uint32(len(s.numbers))
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
func (s *search) path(n uint32) (choices []int) {
	for int(n) >= s.levels[0] {
		step := uint32(slices.Index(s.to, n))
		from := s.source(step)
		choices, n = append(choices, int(step-s.first[from])), from
	}
	slices.Reverse(choices)
	return choices
}

// source returns the node from which a step leads. Nodes without steps have the first of the next one.
func (s *search) source(step uint32) uint32 {
	after, _ := slices.BinarySearch(s.first, step+1)
	return uint32(after - 1)
}
