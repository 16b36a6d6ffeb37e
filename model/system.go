package model

import (
	"bytes"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/instance"
)

// A System is a nondeterministic transition system over states of type S, for
// models that are not message passing between processes. S is a comparable type
// of fixed size without pointers, strings or floats; package values has sequences, bags and
// sets for it.
type System[S comparable] struct {
	Init       []S
	Actions    []SystemAction[S]
	Constraint func(*S) bool // nil: none. TLC's meaning, as in a Composition
	Properties []Property[S]
	Fairness   []Fairness         // in addition to the fairness of actions
	Assume     []StateFairness[S] // fairness about states
	Symmetry   []Symmetry[S]      // nil: states are stored as they are
	Vars       func(*S) []Var     // nil: the fields of S. VarsOf lists what processes have

	// Processes are the names of the processes, one lane each in the drawings of runs; nil:
	// steps have no owner. SystemAction.Owner, Units and Dead name them by index.
	Processes []string
	// Units returns the number of units of the resource that a process uses; nil: there is no resource. Units
	// of dead processes are free.
	Units func(s *S, p int) int
	// Capacity is the number of units of the resource: drawings mark where more are in use.
	// 0: not known.
	Capacity int
	// Dead reports whether a process has crashed; nil: none crashes.
	Dead func(s *S, p int) bool
}

// NewSystem makes a system explorable. Instance.Check returns the first mistake in it.
func NewSystem[S comparable](sys System[S]) (in Instance) {
	return instance.Build(sys.erased().instance)
}

// erased takes the type from a system. Its states are values; only the search for a representative is
// compiled for each S.
func (sys *System[S]) erased() *system {
	e := &system{System: *as[*System[codec.Opaque]](sys), of: codec.KindOf[S]()}
	e.canonical = func(s value) { canonical((*S)(unsafe.Pointer(s)), sys.Symmetry, e.of) }
	e.System.Init = nil
	e.init = mapped(sys.Init, func(s S) value { return value(unsafe.Pointer(&s)) })
	return e
}

// A Symmetry declares that the members 0..Size-1 of a set are interchangeable:
// permuting them maps steps to steps, and no property distinguishes them.
// Several symmetries of one system must concern disjoint sets.
type Symmetry[S comparable] struct {
	Size int
	// Colour summarises the part of a state about member i. Permuting the members
	// must permute their colours. The finer it is, the faster the search.
	Colour func(s *S, i int) uint64
	// Swap exchanges members i and j everywhere in the state.
	Swap func(s *S, i, j int)
}

// canonical replaces s by the representative of its orbit: members are sorted by colour; of the
// orders that this leaves open, the one whose state has the least canonical bytes is taken.
// Members of one colour are mostly twins (swapping them changes nothing), and
// then no other order is tried; otherwise all orders within the colour are tried.
func canonical[S comparable](s *S, syms []Symmetry[S], of *codec.Kind) {
	for k := range syms {
		sym := &syms[k]
		for i := 1; i < sym.Size; i++ { // insertion sort: few members, mostly in order
			for j := i; j > 0 && sym.Colour(s, j) < sym.Colour(s, j-1); j-- {
				sym.Swap(s, j, j-1)
			}
		}
	}
	if open := contested(s, syms); open != nil {
		var least []byte
		tryOrders(*s, open, 0, 0, func(t *S) {
			if b := of.Append(nil, value(unsafe.Pointer(t))); least == nil || bytes.Compare(b, least) < 0 {
				least, *s = b, *t
			}
		})
	}
}

// A class is a run of members of one colour that are not all twins.
type class[S comparable] struct {
	sym    *Symmetry[S]
	lo, hi int
}

func contested[S comparable](s *S, syms []Symmetry[S]) (open []class[S]) {
	for k := range syms {
		sym := &syms[k]
		for lo := 0; lo < sym.Size; {
			hi, twins := lo+1, true
			for ; hi < sym.Size && sym.Colour(s, hi) == sym.Colour(s, lo); hi++ {
				t := *s
				sym.Swap(&t, hi-1, hi)
				twins = twins && t == *s
			}
			if !twins {
				open = append(open, class[S]{sym, lo, hi})
			}
			lo = hi
		}
	}
	return open
}

// tryOrders tries all orders of the open classes, from class k, position i on.
func tryOrders[S comparable](s S, open []class[S], k, i int, try func(s *S)) {
	if k == len(open) {
		try(&s)
		return
	}
	c := &open[k]
	if c.lo+i+1 >= c.hi {
		tryOrders(s, open, k+1, 0, try)
		return
	}
	for j := c.lo + i; j < c.hi; j++ {
		t := s
		if j != c.lo+i {
			c.sym.Swap(&t, c.lo+i, j)
		}
		tryOrders(t, open, k, i+1, try)
	}
}
