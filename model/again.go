package model

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// Handlers run once for each memo key, so the memo of a handler that is not a function of its arguments would
// be wrong. Therefore the kernel runs each handler once more, after others, and compares the outcomes. This
// file describes the differences.

// LocalAgain evaluates the constraint, the units and the properties of a local state of p again.
func (t *adapter) LocalAgain(p Proc, id uint32, first protocol.Local) {
	l := t.procs[p].locals[id]
	t.c.locals.CopyTo(t.shown, l)
	t.compare(first, t.local(p, t.shown), func(part string, first, second any) {
		panic(&Error{
			Part: part, What: check.Nondeterministic, State: t.c.spelled(l),
			First: fmt.Sprint(first), Second: fmt.Sprint(second),
		})
	})
}

// compare calls differ if the facts about one local state, or about two that have to be alike, differ:
// with the part of the model that gave them, and both results.
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

// DifferAfter panics with the mistake that a history came to two results for one event.
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

// Differ panics with the mistake that handlers came to two outcomes for one memo key, or for two merged ones.
func (t *adapter) Differ(s protocol.MemoKey, merged uint32, first, second *protocol.Outcome) {
	action, before, after := t.texts(first, second)
	normal := s.Local
	s.Local = merged
	e := t.context(s, action)
	e.What, e.First, e.Second = check.Nondeterministic, before, after
	if merged != normal {
		e.Part, e.What = "Forget", forgetsTooMuch+" by "+t.actions[action].Name
	}
	panic(&e)
}

// texts describes two outcomes of a handler and returns its action; one outcome may be nil.
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

// context is the context of the handler of an action in a memo key.
func (t *adapter) context(s protocol.MemoKey, action int) Error {
	r := runner{c: t.c, Ask: interp.Ask{Proc: s.Proc, Local: t.procs[s.Proc].local(s.Local)}}
	if s.Message > 0 {
		e := &t.procs[s.Proc].envelopes[s.Message-1]
		r.Peer, r.Message = e.From, e.M
	}
	return r.context(action)
}

// text describes an outcome.
func (t *adapter) text(o *protocol.Outcome) string {
	parts := []string{t.c.spelled(t.c.locals.Value(o.Local))}
	for _, s := range o.Sent {
		m := t.c.messages.Text(t.c.messages.Value(s.Message))
		parts = append(parts, fmt.Sprintf("sends %s to %s", m, t.c.Names.Of(s.To)))
	}
	return strings.Join(parts, ", ")
}
