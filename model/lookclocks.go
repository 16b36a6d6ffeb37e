package model

import (
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// States that differ by a common shift of all times are stored as one, so whatever is asked of a model may
// only tell apart how far times are from each other. Here it is asked of times that are later than those met.

// comparesTimes is what is wrong with a function that asks how late it is.
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

// All amounts are tried of the first states, while the first process has so few local states, and of as many
// memo keys; then one is, of a sample of the states and, after so many, of the memo keys.
const (
	allAmountsBelow = 32
	oneStateIn      = 1 << 4
	keysAtFirst     = 1 << 10
	oneKeyIn        = 1 << 4
)

// amountsOf returns the amounts that are tried of the case of a number.
func amountsOf(few bool, number uint64) []uint32 {
	if few {
		return laterBy
	}
	i := number % uint64(len(laterBy))
	return laterBy[i : i+1]
}

// later moves all times of a local state; by less than 0, as a uint32 has it, back.
func (c *composition) later(l value, by uint32) {
	c.Clocks.Local(l, func(time *uint32) { *time += by })
}

// later moves all times of a copy that are any.
func (w *copyView) later(by uint32) {
	for p := range w.locals {
		if w.whole.Dead.Has(Proc(p)) {
			continue
		}
		w.c.later(w.locals[p], by)
		for _, m := range w.messages[p] {
			w.c.Clocks.Message(m, func(time *uint32) { *time += by })
		}
	}
}

// lookLater judges a state of which Look has judged a copy, with later times.
func (c *judge) lookLater(s *protocol.Parts, which, hash uint64) {
	few := len(c.t.procs[0].locals) < allAmountsBelow
	if c.t.c.Clocks == nil || which == 0 || !few && hash>>32%oneStateIn != 0 {
		return
	}
	var copied copyView
	for _, by := range amountsOf(few, hash>>36) {
		for left := which; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			copied.copy(&c.fromView, c.from.Dead, true)
			first := c.t.judges.answer(&copied.whole, i)
			copied.later(by)
			if second := c.t.judges.answer(&copied.whole, i); first != second {
				panic(&Error{
					Part: "property " + c.t.judges.props[i].Name, What: comparesTimes,
					State: described(c.t.Decode(s)), First: first.String(),
					Second: fmt.Sprintf("%v, if all times are %d later", second, by),
				})
			}
		}
	}
}

// StepsLater asks what the handlers do in a memo key with later times.
func (t *typed) StepsLater(s protocol.MemoKey) {
	if t.c.Clocks == nil {
		return
	}
	if t.keysLater++; t.keysLater > keysAtFirst && t.keysLater%oneKeyIn != 0 {
		return
	}
	first := t.moved(s, 0)
	for _, by := range amountsOf(t.keysLater <= allAmountsBelow, t.keysLater) {
		var failed *Error
		var second []interp.Outcome
		func() {
			defer Catch(&failed)
			second = t.moved(s, by)
		}()
		t.compareLater(s, by, first, second, failed)
	}
}

// moved returns what the handlers do in a memo key whose times were moved, with their times moved back. What
// a process does that crashes is left out, as nobody asks for the times of the dead.
func (t *typed) moved(s protocol.MemoKey, by uint32) (all []interp.Outcome) {
	l := t.c.locals.copied(t.procs[s.Proc].local(s.Local))
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
		run.idle(s.Proc, l, s.Setting)
		return all
	}
	e := &t.procs[s.Proc].envelopes[s.Message-1]
	m := t.c.messages.copied(e.M)
	t.c.Clocks.Message(m, func(time *uint32) { *time += by })
	run.react(s.Proc, e.From, l, m, s.Setting)
	return all
}

// compareLater panics if the handlers did something else with later times, or failed.
func (t *typed) compareLater(
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
			action, after = failed.action, failed.What
		case one != nil && other != nil && t.sameOutcome(one, other):
			continue
		}
		e := t.context(s, action)
		e.What, e.First = comparesTimes, before
		e.Second = fmt.Sprintf("%s, if all times are %d later", after, by)
		panic(&e)
	}
}

// sameOutcome reports whether two outcomes are the same in all that anybody can see.
func (t *typed) sameOutcome(x, y *interp.Outcome) bool {
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

// did says what came of a handler.
func (t *typed) did(o *interp.Outcome) string {
	text := t.c.spelled(o.Local)
	for _, s := range o.Sent {
		text += fmt.Sprintf(", sends %s to %s", t.c.messages.Text(s.M), t.c.Names.Of(s.To))
	}
	return text
}
