package starfile

import (
	"go.starlark.net/starlark"
)

// What the functions of a model are called with.

// enterSystem notes what a system calls.
func (b *builder) enterSystem(set *settings, s *system) {
	b.entries = entries{}
	state, member := ofType(s.state), shapeOf(s.members)
	for _, v := range set.list("actions") {
		switch a := v.(type) {
		case *stepValue:
			with, said := []shape{state}, "the state"
			for _, d := range a.domains {
				with = append(with, shapeOf(d))
			}
			if len(a.domains) > 0 {
				said = "the state, and a value of each of the " + counted(len(a.domains), "list") +
					" in action(...)"
			}
			b.entries.add(a.f, said, with...)
		case starlark.Callable:
			b.entries.add(a,
				"the state; of an action with more, action("+a.Name()+", values, ...) lists their values",
				state)
		}
	}
	for _, name := range []string{"init", "constraint"} {
		b.entries.add(set.function(name), "the state", state)
	}
	for _, name := range []string{"units", "dead"} {
		b.entries.add(set.function(name), "the state, and a member", state, member)
	}
	b.enterProperties(set, map[string]entry{
		"state": {with: []shape{state}, said: "the state"},
		"waits": {with: []shape{state, member}, said: "the state, and a member"},
		"steps": {with: []shape{state, state}, said: "the state before and after a step"},
	})
}

func counted(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// enterProcesses notes what processes call.
func (b *builder) enterProcesses(set *settings, c *composition) {
	b.entries = entries{messages: c.messages, history: c.history, local: c.local}
	me, id := shape{{t: c.local, kind: meKind}}, ofKind("int")
	state := ofKind(stateKind)
	for _, v := range set.list("steps") {
		if s, is := v.(*stepValue); is {
			b.entries.add(s.f, "the local state", me)
		} else if f, is := v.(starlark.Callable); is {
			b.entries.add(f, "the local state", me)
		}
	}
	for _, v := range set.list("receive") {
		s := v.(*stepValue)
		b.entries.add(s.f, "the local state, the sender and the message", me, id, shape{{t: s.of}})
	}
	if s, is := set.given("notice").(*stepValue); is {
		b.entries.add(s.f, "the local state, and the process that is dead", me, id)
	}
	for _, name := range []string{"init", "crash", "units", "constraint", "within"} {
		b.entries.add(set.function(name), "the local state", me)
	}
	b.entries.add(set.function("under_way"), "the number of a process", id)
	b.entries.add(set.function("charge"), "the sender, the receiver and the message", id, id,
		ofMessages(c.messages))
	if c.history != nil {
		b.entries.add(c.history.step, "the history, and what happens", ofType(c.history.of),
			ofKind(eventKind))
	}
	envelope := ofKind(envelopeKind)
	b.enterProperties(set, map[string]entry{
		"state": {with: []shape{state}, said: "the state"},
		"waits": {with: []shape{me}, said: "the local state"},
		"steps": {with: []shape{state, state, id},
			said: "the state before and after a step, and the process"},
		"each":    {with: []shape{me}, said: "the local state, or with who is dead"},
		"message": {with: []shape{envelope}, said: "a message on its way"},
		"inbox": {with: []shape{{{kind: "list", elem: envelope}}},
			said: "a list of the messages on their way"},
	})
}

// roles say which functions of properties are called with what; those that are not listed: the state.
var roles = map[string]string{
	"waits": "waits", "each": "each", "count": "waits", "clear": "waits", "message": "message",
	"messages": "message", "inbox": "inbox", "use": "use",
}

// enterProperties notes what properties call: with says with what, by roles.
func (b *builder) enterProperties(set *settings, with map[string]entry) {
	with["use"] = entry{with: []shape{ofKind("int"), ofKind("int")},
		said: "the units in use, and how many live"}
	for _, v := range set.list("properties") {
		p, is := v.(*propertyValue)
		if !is {
			continue
		}
		for name, value := range p.info.fields {
			role := roles[name]
			if role == "" {
				role = "state"
			}
			if p.info.of == "step_property" {
				role = "steps"
			}
			of := []starlark.Value{value}
			if list, is := value.(*starlark.List); is {
				of, _ = elements(list)
			}
			for _, v := range of {
				f, is := v.(*starlark.Function)
				e, known := with[role]
				if !is || !known || name == "steps" {
					continue
				}
				if role == "each" && f.NumParams() == 2 {
					e.with = append(e.with[:1:1], ofKind("set"))
				}
				b.entries.add(f, e.said, e.with...)
			}
		}
	}
}
