package page

import (
	"context"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A search visits states breadth-first through the plain semantics, and keeps their graph: nodes are numbered
// as they are met, steps as they are taken.
type search struct {
	in      model.Instance
	numbers map[protocol.Code]int32
	states  []lts.Transition // of nodes that are not expanded yet
	outside map[int32]bool   // nodes outside the constraint: nothing follows
	first   []int32          // of a node that is expanded: its first step in to
	to      []int32          // steps: to which node
	levels  []int            // nodes met at each distance
	level   int              // the first node of the level after that under way
	fails   string           // the mistake of the model that ended it
	limit   string           // why it ended before there were no more states
	done    bool             // there are no more states

	ctx   context.Context                                       // it ends with it
	most  int                                                   // states that it visits; 0: any number
	full  func() string                                         // another limit that is reached; "": none
	met   func(n int32, t *lts.Transition)                      // a node; may be nil, as the functions below
	look  func(n int32, at lts.State, enabled []lts.Transition) // a node and its steps, also pruned ones
	stops func(at lts.State, t *lts.Transition) bool            // whether a step is the last one wanted
	taken func(n int32, at lts.State, t *lts.Transition, to int32)
}

// begin meets the first nodes.
func (s *search) begin(from ...lts.Transition) {
	s.numbers, s.outside, s.first = map[protocol.Code]int32{}, map[int32]bool{}, []int32{0}
	for i := range from {
		s.meet(&from[i])
	}
	s.level = len(s.numbers)
	s.levels = []int{s.level}
}

// ended reports whether nothing more is visited.
func (s *search) ended() bool { return s.done || s.limit != "" || s.fails != "" }

// expanded is the number of nodes whose steps are known.
func (s *search) expanded() int { return len(s.first) - 1 }

// run expands nodes until it is to pause, or the search ends. It expands one at least.
func (s *search) run(pause func() bool) {
	if e := check.Caught(func() { s.goOn(pause) }); e != nil {
		s.fails = e.Error()
	}
	if s.ended() {
		s.states = nil
	}
}

// goOn is run, in which a mistake of the model may show.
func (s *search) goOn(pause func() bool) {
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
}

// limits returns the limit that is reached; "": none.
func (s *search) limits() string {
	switch {
	case s.most > 0 && len(s.numbers) >= s.most:
		return "the limit of states is reached"
	case s.ctx != nil && s.ctx.Err() != nil:
		return "the time for it was over"
	case s.full != nil:
		return s.full()
	}
	return ""
}

// found is the limit of a search that has met the step it looks for.
const found = "found"

// expand follows the next node. It returns found at the last step wanted.
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

// meet adds a node, and returns its number.
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

// path returns the choices that lead to a node from a first one.
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
	for u+1 < len(s.first) && s.first[u+1] == step { // nodes without steps have the same first one
		u++
	}
	return int32(u)
}
