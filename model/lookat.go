package model

import (
	"fmt"
	"slices"
)

// NoFunction is the mistake that a part of the model came to two results in a state.
func NoFunction(part string, s State, first, second any) *Error {
	return &Error{
		Part: part, What: impure, State: described(s), First: fmt.Sprint(first), Second: fmt.Sprint(second),
	}
}

// Impure reports whether the mistake is that something is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }

// answer is what property i says of a state in which its kind is judged whatever is enabled
// there; 0 for properties of other kinds.
func (j *judges[S]) answer(s *S, i int) (a uint64) {
	p := &j.props[i]
	switch p.Kind {
	case Invariant, Reachable:
		if j.flags(s, i) {
			a = 1
		}
	case Liveness:
		for k := range p.Lassos {
			a = a*31 + uint64(j.roles(s, i, k))
		}
	}
	if p.Origins != nil {
		a = a*31 + j.origins(s, i)
	}
	return a
}

// A copyView shows properties a copy of a state, so that it is found out if they change it.
type copyView[L, M, H comparable] struct {
	c       *Composition[L, M, H]
	locals  []L
	letters []Letter[M] // of all inboxes
	inboxes [][]Letter[M]
	past    H
}

func (w *copyView[L, M, H]) local(p Proc) *L          { return &w.locals[p] }
func (w *copyView[L, M, H]) inbox(p Proc) []Letter[M] { return w.inboxes[p] }
func (w *copyView[L, M, H]) history() *H              { return &w.past }

func (w *copyView[L, M, H]) inUse(dead Set) (n int) {
	for p := range w.locals {
		if !dead.Has(Proc(p)) {
			n += w.c.units(&w.locals[p])
		}
	}
	return n
}

// copy copies a state.
func (w *copyView[L, M, H]) copy(from view[L, M, H], n int) {
	w.locals, w.letters, w.inboxes, w.past = w.locals[:0], w.letters[:0], w.inboxes[:0], *from.history()
	for p := range Proc(n) {
		w.locals = append(w.locals, *from.local(p))
		w.letters = append(w.letters, from.inbox(p)...)
	}
	rest := w.letters
	for p := range Proc(n) {
		k := len(from.inbox(p))
		w.inboxes, rest = append(w.inboxes, rest[:k:k]), rest[k:]
	}
}

// is reports whether the copy is still that of a state.
func (w *copyView[L, M, H]) is(from view[L, M, H]) bool {
	for p := range w.locals {
		if w.locals[p] != *from.local(Proc(p)) || !slices.Equal(w.inboxes[p], from.inbox(Proc(p))) {
			return false
		}
	}
	return w.past == *from.history()
}

// Look judges a copy of s twice by each property, and compares with what the tables say.
func (c *cursor[L, M, H]) Look(v []uint32, which uint64) {
	c.fromView.see(v, &c.from)
	if c.copied.c == nil {
		c.copied.c = c.sp.c
	}
	copied := Global[L, M, H]{N: c.from.N, Dead: c.from.Dead, view: &c.copied}
	c.copied.copy(&c.fromView, c.from.N)
	byTable, known := c.judge(v, &c.sp.byTable)
	for i := range c.sp.judges.props {
		if which>>i&1 == 0 {
			continue
		}
		first := c.sp.judges.answer(&copied, i)
		part := "property " + c.sp.judges.props[i].Name
		if !c.copied.is(&c.fromView) {
			panic(&Error{
				Part: part, What: meddling, State: described(c.sp.Decode(v)),
				First: spelled(*c.fromView.local(0), c.sp.c.Names), Second: c.changed(),
			})
		}
		if second := c.sp.judges.answer(&copied, i); first != second {
			panic(NoFunction(part, c.sp.Decode(v), first, second))
		}
		if !known || c.sp.byTable.props>>i&1 == 0 {
			continue
		}
		if table, whole := byTable>>i&1 == 1, c.sp.judges.flags(&copied, i); table != whole {
			panic(&Error{
				Part: part, State: described(c.sp.Decode(v)),
				What:  "judged process by process it says something else than judged as a whole",
				First: fmt.Sprint(!table), Second: fmt.Sprint(!whole),
			})
		}
	}
}

// changed says what a property has made of the copy.
func (c *cursor[L, M, H]) changed() string {
	for p := range c.copied.locals {
		if c.copied.locals[p] != *c.fromView.local(Proc(p)) {
			return c.sp.c.Names.Of(Proc(p)) + ": " + spelled(c.copied.locals[p], c.sp.c.Names)
		}
	}
	return "other messages, or another history"
}
