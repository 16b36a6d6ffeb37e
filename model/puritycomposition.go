package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// A copyView shows properties a copy of a state, which they could change.
type copyView struct {
	c       *composition
	locals  []value
	inboxes []envelopes
	past    value
}

func (w *copyView) local(p Proc) value     { return w.locals[p] }
func (w *copyView) inbox(p Proc) envelopes { return w.inboxes[p] }
func (w *copyView) history() value         { return w.past }

func (w *copyView) inUse(dead Set) (n int) {
	for p, l := range w.locals {
		if !dead.Has(Proc(p)) {
			n += w.c.Units(Proc(p), l)
		}
	}
	return n
}

// copied returns a copy of a state, as properties see it.
func (c *composition) copied(s State) value {
	at := s.(*interp.State)
	w := &copyView{c: c, past: c.histories.Copied(at.History())}
	for p := range Proc(c.N) {
		inbox := at.Inbox(p)
		shown := c.inbox(inbox, nil)
		for i, m := range c.received(shown) {
			c.messages.CopyTo(m, inbox[i].M)
		}
		w.locals, w.inboxes = append(w.locals, c.locals.Copied(at.Local(p))), append(w.inboxes, shown)
	}
	return subject(&global{N: c.N, Dead: at.Dead, view: w})
}

// changed returns the part of a copy that differs from the state; "": none.
func (c *composition) changed(copied value, s State) string {
	w, at := globalOf(copied).view.(*copyView), s.(*interp.State)
	for p, l := range w.locals {
		name := c.Names.Of(Proc(p))
		if !c.locals.Equal(l, at.Local(Proc(p))) {
			return name + ": " + c.spelled(l)
		}
		for i, m := range c.received(w.inboxes[p]) {
			if e := at.Inbox(Proc(p))[i]; !c.messages.Equal(m, e.M) {
				return fmt.Sprintf("message to %s from %s: %s", name, c.Names.Of(e.From), c.messages.Text(m))
			}
		}
	}
	if !c.histories.Equal(w.past, at.History()) {
		return "history: " + check.Spelled(c.histories.Any(w.past), c.Names)
	}
	return ""
}

// newPurityCheck returns a purity check of states, or of steps.
func (c *judge) newPurityCheck() property.PurityCheck {
	return property.PurityCheck{
		Judges: &c.t.judges, Shown: c.t.c.copied, Changed: c.t.c.changed,
		By: func(l Label) Proc { return Proc(l.Proc) },
	}
}

// Of the states that come to a purity check one in sampled is also judged as a whole by the properties that
// are judged by table; and each, while the first process has few local states.
const (
	sampled   = 16
	fewLocals = 32
)

func (c *judge) Check(x lts.Checked) {
	of, check := property.Subject{Label: x.Label}, &c.ofState
	t, j, whole := &c.t.table, &c.t.judges, true
	switch {
	case x.Next != nil:
		check, of.Which = &c.ofStep, x.Which&j.Steps[x.Label.Action]
		x.Hash = uint64(check.Checks) << 36
	case x.Quiet:
		of.Which = x.Which & j.OfKind[Quiet]
	default:
		of.Which = x.Which & j.Answers
		if whole = x.Hash>>32%sampled == 0 || c.few(); !whole {
			of.Which &^= t.Props
		}
	}
	if of.Which == 0 {
		return
	}
	if of.States = append(of.States, c.t.Decode(x.State)); x.Next != nil {
		of.States = append(of.States, c.t.Decode(x.Next))
	}
	if check.EvalTwice(of); x.Next == nil && !x.Quiet {
		c.compareParts(&x, &of)
	}
	if whole {
		c.checkLater(check, x.Hash, of)
	}
}

// compareParts panics if a property answers something else than what its answers about the parts say.
func (c *judge) compareParts(x *lts.Checked, of *property.Subject) {
	byParts, unknown := c.byParts(x.State, of.Which)
	for i := range property.Among(of.Which & c.t.table.Props) {
		answer := c.ofState.Answers[i]
		if unknown>>i&1 == 0 && (byParts>>i&1 == 1) != answer.Report {
			panic(&Error{
				Part: c.ofState.Part(i), State: check.Described(of.States[0]),
				What:  "judged process by process it has another result than judged as a whole",
				First: property.Answer{Report: !answer.Report}.String(), Second: answer.String(),
			})
		}
	}
}

// few reports whether the first process has few local states so far.
func (c *judge) few() bool { return len(c.t.procs[0].locals) < fewLocals }

// States that differ by a common shift of all times count as one, so properties and handlers may only depend
// on how far times are apart. The purity checks evaluate them once more with later times.

// comparesTimes is the mistake of a function that depends on how late it is.
const comparesTimes = "its result changes if all times are later by the same amount, and with Clocks " +
	"both states are one"

// ifLater ends the description of what a function said with later times.
func ifLater(by uint32) string { return fmt.Sprintf(", if all times are %d later", by) }

// checkLater evaluates properties, whose answers are known, with later times.
func (c *judge) checkLater(check *property.PurityCheck, number uint64, x property.Subject) {
	if c.t.c.Clocks == nil {
		return
	}
	for _, by := range protocol.LaterBy(c.few(), number>>36) {
		var later []State
		for _, s := range x.States {
			later = append(later, s.(*interp.State).Later(by))
		}
		check.Alike(x, comparesTimes, func() string { return ifLater(by) }, later...)
	}
}
