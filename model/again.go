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

// LocalAgain asks again what the model says of a local state of p.
func (t *adapter) LocalAgain(p Proc, id uint32, first protocol.Local) {
	l := t.procs[p].locals[id]
	t.c.locals.CopyTo(t.shown, l)
	second := t.local(p, t.shown)
	t.compare(first, second, func(part string, first, second any) {
		panic(&Error{
			Part: part, What: check.Nondeterministic, State: t.c.spelled(l),
			First: fmt.Sprint(first), Second: fmt.Sprint(second),
		})
	})
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
