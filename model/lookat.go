package model

import (
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// NoFunction is the mistake that a part of the model came to two results in a state.
func NoFunction(part string, s State, first, second any) *Error {
	return &Error{
		Part: part, What: impure, State: described(s), First: fmt.Sprint(first), Second: fmt.Sprint(second),
	}
}

// Impure reports whether the mistake is that something is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }

// An answer is what a property says of a state: whether it has to be reported, and the marks and
// origins of the state, in a sum.
type answer struct {
	report bool
	rest   uint64
}

func (a answer) String() string {
	if a.rest != 0 {
		return fmt.Sprintf("to report: %v, marks %#x", a.report, a.rest)
	}
	return fmt.Sprintf("to report: %v", a.report)
}

// answer asks property i, as far as its kind is judged whatever is enabled in a state.
func (j *judges[S]) answer(s *S, i int) (a answer) {
	p := &j.props[i]
	switch p.Kind {
	case Invariant, Reachable:
		a.report = j.flags(s, i)
	case Liveness:
		for k := range p.Lassos {
			a.rest = a.rest*31 + uint64(j.marks(s, i, k))
		}
	}
	if p.Origins != nil {
		a.rest = a.rest*31 + j.origins(s, i)
	}
	return a
}

// A copyView shows properties a copy of a state, so that it is found out if they change it.
type copyView[L, M, H any] struct {
	c       *Composition[L, M, H]
	locals  []L
	inboxes [][]Envelope[M]
	past    H
	sources [][]Envelope[M] // what inboxes are copies of, if they are
	whole   Global[L, M, H]
}

func (w *copyView[L, M, H]) local(p Proc) *L            { return &w.locals[p] }
func (w *copyView[L, M, H]) inbox(p Proc) []Envelope[M] { return w.inboxes[p] }
func (w *copyView[L, M, H]) history() *H                { return &w.past }

func (w *copyView[L, M, H]) inUse(dead Set) (n int) {
	for p := range w.locals {
		if !dead.Has(Proc(p)) {
			n += w.c.units(&w.locals[p])
		}
	}
	return n
}

// copy copies a state, of which some processes are dead; the messages under way only if deep.
func (w *copyView[L, M, H]) copy(from *partsView[L, M, H], dead Set, deep bool) {
	w.c = from.t.c
	w.whole = Global[L, M, H]{N: w.c.N, Dead: dead, view: w}
	w.locals, w.inboxes, w.sources = w.locals[:0], w.inboxes[:0], w.sources[:0]
	w.past = from.t.ofHistory.copied(from.history())
	for p := range Proc(w.c.N) {
		content := from.inbox(p)
		w.locals, w.inboxes = append(w.locals, w.c.of.local.copied(from.local(p))), append(w.inboxes, content)
		if deep {
			w.inboxes[p], w.sources = w.c.of.message.envelopes(content), append(w.sources, content)
		}
	}
}

// changed says what is not as it was copied; "" if all is.
func (w *copyView[L, M, H]) changed(from *partsView[L, M, H]) string {
	for p := range w.locals {
		switch name := w.c.Names; {
		case !w.c.of.local.equal(&w.locals[p], from.local(Proc(p))):
			return name.Of(Proc(p)) + ": " + spelled(w.locals[p], name)
		case len(w.sources) > 0 && !w.c.of.message.sameEnvelopes(w.inboxes[p], w.sources[p]):
			return fmt.Sprintf("inbox of %s: %v", name.Of(Proc(p)), w.inboxes[p])
		}
	}
	if !w.c.of.history.equal(&w.past, from.history()) {
		return "history: " + spelled(w.past, w.c.Names)
	}
	return ""
}

// Look judges a copy of s twice by each property, and compares with what the tables say.
func (c *judge[L, M, H]) Look(s *protocol.Parts, which uint64, k lts.Known) {
	which &= c.t.judges.answers
	t := &c.t.table
	deep := k.Hash>>32&15 == 0 || len(c.t.procs[0].locals) < 32
	if !deep {
		which &^= t.Props // few states are ever judged as a whole by them
	}
	if which == 0 {
		return
	}
	c.fromView.see(s, &c.from)
	c.copied.copy(&c.fromView, c.from.Dead, deep)
	byParts, unknown := c.byParts(s, which)
	for left := which; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		first, second := c.t.judges.answer(&c.copied.whole, i), c.t.judges.answer(&c.copied.whole, i)
		switch {
		case first != second:
			panic(NoFunction("property "+c.t.judges.props[i].Name, c.t.Decode(s), first, second))
		case k.Told && t.Props>>i&1 == 1 && (k.ByTable>>i&1 == 1) != first.report,
			t.Props&^unknown>>i&1 == 1 && (byParts>>i&1 == 1) != first.report:
			panic(&Error{
				Part: "property " + c.t.judges.props[i].Name, State: described(c.t.Decode(s)),
				What:  "judged process by process it says something else than judged as a whole",
				First: answer{report: !first.report}.String(), Second: first.String(),
			})
		}
	}
	if c.copied.changed(&c.fromView) != "" {
		c.meddled(s, which)
	}
	c.lookLater(s, which, k.Hash)
}

// meddled panics with the mistake that one of the properties changes the state.
func (c *judge[L, M, H]) meddled(s *protocol.Parts, which uint64) {
	for i := range c.t.judges.props {
		if which>>i&1 == 0 {
			continue
		}
		c.copied.copy(&c.fromView, c.from.Dead, true)
		c.t.judges.answer(&c.copied.whole, i)
		if changed := c.copied.changed(&c.fromView); changed != "" {
			state := described(c.t.Decode(s))
			panic(&Error{
				Part: "property " + c.t.judges.props[i].Name, What: meddling, State: state,
				First: state, Second: changed,
			})
		}
	}
}
