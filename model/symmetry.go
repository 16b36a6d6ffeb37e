package model

import (
	"bytes"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
)

// A Symmetry declares that the members 0..Size-1 of a set are interchangeable:
// permuting them maps steps to steps, and no property tells them apart.
// Several symmetries of one system must concern disjoint sets.
type Symmetry[S comparable] struct {
	Size int
	// Colour summarises what a state says about member i. Permuting the members
	// must permute their colours. The finer it is, the less has to be tried.
	Colour func(s *S, i int) uint64
	// Swap exchanges members i and j everywhere in the state.
	Swap func(s *S, i, j int)
}

// canonical replaces s by the representative of its orbit: members sorted by
// colour, and of the orders that this leaves open the one whose state has the least bytes.
// Members of one colour are mostly twins (swapping them changes nothing), and
// then there is nothing to try; otherwise all orders within the colour are.
func canonical[S comparable](s *S, syms []Symmetry[S], of *codec.Kind) {
	for i := range syms {
		sortByColour(s, &syms[i])
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

func sortByColour[S comparable](s *S, sym *Symmetry[S]) {
	for i := 1; i < sym.Size; i++ { // insertion sort: few members, mostly in order
		for j := i; j > 0 && sym.Colour(s, j) < sym.Colour(s, j-1); j-- {
			sym.Swap(s, j, j-1)
		}
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
