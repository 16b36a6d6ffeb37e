package model

import (
	"fmt"
	"iter"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A copyView shows properties a copy of a state, so that it is found out if they change it.
type copyView struct {
	of     *partsView
	locals []value
	past   value
	shown  []envelopes // the inboxes, copies if deep
	deep   bool
	whole  global
}

func (w *copyView) local(p Proc) value     { return w.locals[p] }
func (w *copyView) inbox(p Proc) envelopes { return w.shown[p] }
func (w *copyView) history() value         { return w.past }

func (w *copyView) inUse(dead Set) (n int) {
	for p := range w.locals {
		if !dead.Has(Proc(p)) {
			n += w.of.t.c.Units(Proc(p), w.locals[p])
		}
	}
	return n
}

// copy copies a state, of which some processes are dead.
func (w *copyView) copy(from *partsView, dead Set) {
	c := from.t.c
	w.of, w.whole = from, global{N: c.N, Dead: dead, view: w}
	w.locals, w.shown, w.past = w.locals[:0], w.shown[:0], c.histories.Copied(from.history())
	for p := range Proc(c.N) {
		shown := from.inbox(p)
		if w.deep {
			shown = c.inbox(from.envelopes(p), nil)
			for i, m := range c.received(shown) {
				c.messages.CopyTo(m, from.envelopes(p)[i].M)
			}
		}
		w.locals, w.shown = append(w.locals, c.locals.Copied(from.local(p))), append(w.shown, shown)
	}
}

// envelopes returns the inbox of p.
func (w *partsView) envelopes(p Proc) []interp.Envelope {
	return w.t.procs[p].inboxes[partAt(w.s, w.t.c.N+int(p))]
}

// changed says what is not as it was copied; "" if all is.
func (w *copyView) changed() string {
	c := w.of.t.c
	for p := range w.locals {
		name := c.Names.Of(Proc(p))
		if !c.locals.Equal(w.locals[p], w.of.local(Proc(p))) {
			return name + ": " + c.spelled(w.locals[p])
		}
		if !w.deep {
			continue
		}
		for i, m := range c.received(w.shown[p]) {
			if e := &w.of.envelopes(Proc(p))[i]; !c.messages.Equal(m, e.M) {
				return fmt.Sprintf("message to %s from %s: %s", name, c.Names.Of(e.From), c.messages.Text(m))
			}
		}
	}
	if !c.histories.Equal(w.past, w.of.history()) {
		return "history: " + check.Spelled(c.histories.Any(w.past), c.Names)
	}
	return ""
}

// newPurityChecks returns the purity checks of states and of steps.
func (c *judge) newPurityChecks() {
	part := func(i int) string { return "property " + c.t.judges.Props[i].Name }
	c.ofState = check.PurityCheck{
		Part: part, Changed: c.copied.changed,
		Copy: func() { c.copied.copy(&c.fromView, c.from.Dead) },
		Ask:  func(i int) check.Answer { return c.t.judges.Answer(subject(&c.copied.whole), i) },
	}
	c.ofStep = check.PurityCheck{
		Part: part,
		Copy: func() {
			c.copiedFrom.copy(&c.fromView, c.from.Dead)
			c.copiedTo.copy(&c.toView, c.to.Dead)
			c.copiedLabel = c.label
		},
		Changed: func() string { return c.copiedFrom.changed() + c.copiedTo.changed() },
		Ask: func(i int) check.Answer {
			l := c.copiedLabel
			from, to := subject(&c.copiedFrom.whole), subject(&c.copiedTo.whole)
			broken := c.t.judges.Step(from, int(l.Action), Proc(l.Proc), to, 1<<i)
			return check.Answer{Report: broken != 0}
		},
	}
}

// state returns the state that is checked, spelled out.
func (c *judge) state() State { return c.t.Decode(c.fromView.s) }

// Of the states that come to a purity check one in sampled is also judged as a whole by the properties that
// are judged by table, with copies of its messages; and each, while the first process has few local states.
const (
	sampled   = 16
	fewLocals = 32
)

func (c *judge) CheckState(s *protocol.Parts, which uint64, k lts.Known) {
	which &= c.t.judges.Answers
	t := &c.t.table
	c.copied.deep = k.Hash>>32%sampled == 0 || len(c.t.procs[0].locals) < fewLocals
	if !c.copied.deep {
		which &^= t.Props
	}
	if which == 0 {
		return
	}
	c.fromView.see(s, &c.from)
	c.ofState.EvalTwice(check.Among(which), c.state)
	byParts, unknown := c.byParts(s, which)
	for i := range check.Among(which & t.Props) {
		whole := c.ofState.Answers[i+1]
		if k.Told && (k.ByTable>>i&1 == 1) != whole.Report ||
			unknown>>i&1 == 0 && (byParts>>i&1 == 1) != whole.Report {
			panic(&Error{
				Part: c.ofState.Part(i), State: check.Described(c.state()),
				What:  "judged process by process it says something else than judged as a whole",
				First: check.Answer{Report: !whole.Report}.String(), Second: whole.String(),
			})
		}
	}
	if c.copied.deep {
		c.checkLater(&c.ofState, check.Among(which), k.Hash, &c.copied)
	}
}

func (c *judge) CheckQuiet(s *protocol.Parts, which uint64, hash uint64) {
	if which &= c.t.judges.OfKind[Quiet]; which != 0 {
		c.fromView.see(s, &c.from)
		c.copied.deep = true
		c.ofState.EvalTwice(check.Among(which), c.state)
		c.checkLater(&c.ofState, check.Among(which), hash, &c.copied)
	}
}

func (c *judge) CheckStep(s *protocol.Parts, l Label, t *protocol.Parts, which uint64) {
	if which &= c.t.judges.Steps[l.Action]; which == 0 {
		return
	}
	c.fromView.see(s, &c.from)
	c.toView.see(t, &c.to)
	c.label, c.copiedFrom.deep, c.copiedTo.deep = l, true, true
	c.ofStep.EvalTwice(check.Among(which), c.state)
	c.checkLater(&c.ofStep, check.Among(which), uint64(c.ofStep.Checks)<<36, &c.copiedFrom, &c.copiedTo)
}

// States that differ by a common shift of all times count as one, so properties and handlers may only depend
// on how far times are apart. The purity checks evaluate them once more with later times.

// comparesTimes is the mistake of a function that depends on how late it is.
const comparesTimes = "it says something else if all times are later by the same amount, and with Clocks " +
	"both are one"

// laterBy are the amounts by which times are moved: a constant that a time is compared with is seldom larger.
var laterBy = func() (amounts []uint32) {
	for by := uint32(1); by <= 16; by++ {
		amounts = append(amounts, by)
	}
	for by := uint32(32); by <= 1<<20; by *= 2 {
		amounts = append(amounts, by)
	}
	return amounts
}()

// All amounts are tried in the first memo keys, and in the states while there are fewLocals. Later one amount
// is tried, in one of sampled.
const keysAtFirst = 1 << 10

func amountsOf(few bool, number uint64) []uint32 {
	if few {
		return laterBy
	}
	i := number % uint64(len(laterBy))
	return laterBy[i : i+1]
}

// later moves all times of a copy that has messages of its own.
func (w *copyView) later(by uint32) {
	c := w.of.t.c
	for p := range w.locals {
		if w.whole.Dead.Has(Proc(p)) {
			continue
		}
		c.later(w.locals[p], by)
		for _, m := range c.received(w.shown[p]) {
			c.Clocks.Message(m, func(time *uint32) { *time += by })
		}
	}
}

// checkLater evaluates properties, whose answers are known, about copies with later times.
func (c *judge) checkLater(x *check.PurityCheck, which iter.Seq[int], number uint64, copies ...*copyView) {
	if c.t.c.Clocks == nil {
		return
	}
	defer x.Copy() // the next check evaluates these copies once more
	for _, by := range amountsOf(len(c.t.procs[0].locals) < fewLocals, number>>36) {
		for i := range which {
			x.Copy()
			for _, w := range copies {
				w.later(by)
			}
			if first, second := x.Answers[i+1], x.Ask(i); first != second {
				panic(&Error{
					Part: x.Part(i), What: comparesTimes, State: check.Described(c.state()),
					First:  first.String(),
					Second: fmt.Sprintf("%v, if all times are %d later", second, by),
				})
			}
		}
	}
}
