package model

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// Handlers run once for each memo key that comes up, so a handler that is not a function of
// its arguments would do something else than what is remembered of it. Therefore the kernel asks all
// once more, after other handlers have run, and compares. Here stands what is told of a difference.

// LocalAgain evaluates the constraint, the units and the properties of a local state of p again, and with
// later times.
func (t *adapter) LocalAgain(p Proc, id uint32, first protocol.Local) {
	l := t.procs[p].locals[id]
	t.c.locals.CopyTo(t.shown, l)
	differ := func(what, later string) func(part string, first, second any) {
		return func(part string, first, second any) {
			panic(&Error{
				Part: part, What: what, State: t.c.spelled(l),
				First: fmt.Sprint(first), Second: fmt.Sprint(second) + later,
			})
		}
	}
	t.compare(first, t.local(p, t.shown), differ(check.Nondeterministic, ""))
	if t.c.Clocks == nil {
		return
	}
	for _, by := range amountsOf(id < fewLocals, uint64(id)) {
		t.c.locals.CopyTo(t.shown, l)
		t.c.later(t.shown, by)
		second := t.local(p, t.shown)
		second.Times, second.Beyond = first.Times, first.Beyond // bounds may be of times
		t.compare(first, second, differ(comparesTimes, fmt.Sprintf(", if all times are %d later", by)))
	}
}

// compare calls differ with a part of the model that says something else of a local state the second time,
// or of another one, and with what it says; if there is one.
func (t *adapter) compare(first, second protocol.Local, differ func(part string, first, second any)) {
	switch {
	case first == second:
		return
	case first.Outside != second.Outside:
		differ("Constraint", !first.Outside, !second.Outside)
	case first.Units != second.Units:
		differ("Units", first.Units, second.Units)
	case first.Broken != second.Broken:
		var names []string
		for _, i := range t.table.ofLocal {
			names = append(names, t.c.Properties[i].Name)
		}
		differ("property "+strings.Join(names, " or "), !first.Broken, !second.Broken)
	case first.Trace != second.Trace:
		differ("Links.Numbers", first.Trace.Numbers, second.Trace.Numbers)
	}
	differ("Clocks", first.Times, second.Times)
}

// DifferAfter tells that a history came to two results.
func (t *adapter) DifferAfter(history uint32, first, second []byte) {
	text := func(b []byte) string {
		if b == nil {
			return "it excluded the step"
		}
		return "it led to " + check.Spelled(t.c.histories.Any(t.c.histories.Value(b)), t.c.Names)
	}
	panic(&Error{
		Part: "History.Step", What: check.Nondeterministic,
		State: check.Spelled(t.c.histories.Any(t.histories[history].history), t.c.Names),
		First: text(first), Second: text(second),
	})
}

// Differ tells that the handlers came to an outcome, or to no other one if it is nil, where they
// came to the first before, or to no other one.
func (t *adapter) Differ(s protocol.MemoKey, first, second *protocol.Outcome) {
	action, before, after := t.texts(first, second)
	e := t.context(s, action)
	e.What, e.First, e.Second = check.Nondeterministic, before, after
	panic(&e)
}

// texts says what a handler came to first and then, of which one may be nil, and which action's it is.
func (t *adapter) texts(first, second *protocol.Outcome) (action int, before, after string) {
	const nothing = "it was not enabled"
	before, after, known := nothing, nothing, protocol.MaxActions
	if first != nil {
		action = int(first.Action)
		before, known = t.text(first), action
	}
	if second != nil && int(second.Handler) <= known {
		after, action = t.text(second), int(second.Handler)
		if int(second.Handler) < known && int(second.Action) < known {
			before = nothing
		}
	}
	return action, before, after
}

// context says what is under way in a memo key when the handler of an action runs.
func (t *adapter) context(s protocol.MemoKey, action int) Error {
	r := runner{c: t.c, Ask: interp.Ask{Proc: s.Proc, Local: t.procs[s.Proc].local(s.Local)}}
	if s.Message > 0 {
		e := &t.procs[s.Proc].envelopes[s.Message-1]
		r.Peer, r.Message = e.From, e.M
	}
	return r.context(action)
}

// text says what came of a handler.
func (t *adapter) text(o *protocol.Outcome) string {
	parts := []string{t.c.spelled(t.c.locals.Value(o.Local))}
	for _, s := range o.Sent {
		m := t.c.messages.Text(t.c.messages.Value(s.Message))
		parts = append(parts, fmt.Sprintf("sends %s to %s", m, t.c.Names.Of(s.To)))
	}
	return strings.Join(parts, ", ")
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

// moved returns the outcomes of a memo key whose times were moved by an amount, with their times moved back.
// It leaves out crashes, as nothing depends on the times of the dead.
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
