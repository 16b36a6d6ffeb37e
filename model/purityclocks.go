package model

import (
	"fmt"
	"iter"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

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

// All amounts are tried in the first memo keys, and in the states while there are fewLocals. Later one amount is
// tried, in one of sampled.
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

// checkLater judges a state, whose answers are known, with later times.
func (c *judge) checkLater(which iter.Seq[int], hash uint64) {
	few := len(c.t.procs[0].locals) < fewLocals
	if c.t.c.Clocks == nil || !c.copied.deep {
		return
	}
	for _, by := range amountsOf(few, hash>>36) {
		for i := range which {
			c.ofState.Copy()
			c.copied.later(by)
			if first, second := c.ofState.Answers[i+1], c.ofState.Ask(i); first != second {
				panic(&Error{
					Part: c.ofState.Part(i), What: comparesTimes, State: check.Described(c.state()),
					First:  first.String(),
					Second: fmt.Sprintf("%v, if all times are %d later", second, by),
				})
			}
		}
	}
}

// StepsLater evaluates the handlers of a memo key with later times.
func (t *adapter) StepsLater(s protocol.MemoKey) {
	if t.keysLater++; t.keysLater > keysAtFirst && t.keysLater%sampled != 0 {
		return
	}
	first := t.moved(s, 0)
	for _, by := range amountsOf(t.keysLater <= fewLocals, t.keysLater) {
		var failed *Error
		var second []interp.Outcome
		func() {
			defer check.Catch(&failed)
			second = t.moved(s, by)
		}()
		t.compareLater(s, by, first, second, failed)
	}
}

// moved returns the outcomes of a memo key whose times were moved by an amount, with their times moved back. It
// leaves out crashes, as nothing depends on the times of the dead.
func (t *adapter) moved(s protocol.MemoKey, by uint32) (all []interp.Outcome) {
	l := t.c.locals.Copied(t.procs[s.Proc].local(s.Local))
	if !s.Dead.Has(s.Proc) {
		t.c.later(l, by)
	}
	run := runner{c: t.c, yield: func(o *interp.Outcome) bool {
		if !o.Crash {
			t.c.later(o.Local, -by)
			for _, sent := range o.Sent {
				t.c.Clocks.Message(sent.M, func(time *uint32) { *time -= by })
			}
			all = append(all, *o)
		}
		return true
	}}
	if s.Message == 0 {
		run.idle(s.Proc, l, s.Context)
		return all
	}
	e := &t.procs[s.Proc].envelopes[s.Message-1]
	m := t.c.messages.Copied(e.M)
	t.c.Clocks.Message(m, func(time *uint32) { *time += by })
	run.react(s.Proc, e.From, l, m, s.Context)
	return all
}

// compareLater panics if the handlers had other outcomes with later times, or failed.
func (t *adapter) compareLater(
	s protocol.MemoKey, by uint32, first, second []interp.Outcome, failed *Error,
) {
	for i := 0; i < max(len(first), len(second)) || failed != nil; i++ {
		action, before, after := protocol.MaxActions, "it was not enabled", "it is not enabled"
		var one, other *interp.Outcome
		if i < len(first) {
			one = &first[i]
			action, before = one.Action, t.did(one)
		}
		if i < len(second) && failed == nil {
			other = &second[i]
			action, after = min(action, other.Action), t.did(other)
		}
		switch {
		case failed != nil:
			action, after = int(failed.Label.Action), failed.What
		case one != nil && other != nil && t.sameOutcome(one, other):
			continue
		}
		e := t.context(s, action)
		e.What, e.First = comparesTimes, before
		e.Second = fmt.Sprintf("%s, if all times are %d later", after, by)
		panic(&e)
	}
}

// sameOutcome reports whether two outcomes are equal in all that later steps and properties depend on.
func (t *adapter) sameOutcome(x, y *interp.Outcome) bool {
	if x.Action != y.Action || x.Peer != y.Peer || x.Note != y.Note || len(x.Sent) != len(y.Sent) {
		return false
	}
	for i := range x.Sent {
		if x.Sent[i].To != y.Sent[i].To || !t.c.messages.Equal(x.Sent[i].M, y.Sent[i].M) {
			return false
		}
	}
	return t.c.locals.Equal(x.Local, y.Local)
}

// did spells an outcome.
func (t *adapter) did(o *interp.Outcome) string {
	text := t.c.spelled(o.Local)
	for _, s := range o.Sent {
		text += fmt.Sprintf(", sends %s to %s", t.c.messages.Text(s.M), t.c.Names.Of(s.To))
	}
	return text
}
