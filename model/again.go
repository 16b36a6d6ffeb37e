package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/property"
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
		for i := range property.Among(t.table.Props) {
			if ofOne(&t.c.Properties[i]) != nil {
				names = append(names, t.c.Properties[i].Name)
			}
		}
		differ("property "+strings.Join(names, " or "), !first.Broken, !second.Broken)
	case first.Trace != second.Trace:
		differ("Links.Numbers", first.Trace.Numbers, second.Trace.Numbers)
	case first.Named != second.Named:
		differ("Named", first.Named.Format(t.c.Names.First), second.Named.Format(t.c.Names.First))
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
		e.Part, e.What = "Forget", forgetsTooMuch+" by "+t.c.actions[action].Name
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
	if e := t.received(s); e != nil {
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

// Where times count by their order only, handlers and properties must read no more. Each memo key is
// evaluated with other times in the same order, and with lower clocks; so are states that a purity check
// evaluates.

// Mistakes of models whose times count by their order only.
const (
	makesTime = "it makes a time by itself; where times count by their order only, Outbox.Later makes " +
		"new ones"
	readsTimes = "it reads more of times than their order"
	readsClock = "it reads a clock; where times count by their order only, it may raise it and pass it to " +
		"Outbox.Later"
)

// An orderly is an outcome with its stamps ranked among its own stamps and the stamps of its memo key.
type orderly struct {
	action int
	label  string   // action, peer and crash
	text   string   // the outcome with ranked clocks
	bare   string   // without clocks
	clocks []uint32 // not ranked
	made   bool     // by a call of Later
	after  string   // the local state, for a mistake
}

// keepsOrder panics if the outcomes of a memo key, for local state l and the message of e, if that is not
// nil, depend on more than the order of times.
func (t *adapter) keepsOrder(s protocol.MemoKey, l value, e *interp.Envelope) {
	given, _ := t.c.LocalTimes(l)
	low, ranked := t.c.locals.Copied(l), s.Context
	var m *interp.Envelope
	t.c.Clocks.Seen(low, func(clock *uint32) { *clock = 0 })
	if e != nil {
		given.Merge(t.c.MessageTimes(e.M))
		m = &interp.Envelope{From: e.From, M: t.c.MessageBack(e.M, given.Order.Stamps)}
	}
	ranked.Times = uint8(given.Order.Count())
	all := t.orderly(s, l, e, given.Order)
	others := t.orderly(protocol.MemoKey{Proc: s.Proc, Context: ranked}, t.c.LocalBack(l, given.Order.Stamps),
		m, given.Order.Ranked())
	for _, pair := range [][2][]orderly{{all, others}, {others, all}} {
		t.haveAlike(s, pair[0], pair[1], readsTimes, func(o, x orderly) bool { return x.text == o.text })
	}
	t.readsLocal(s, l, low, t.c.LocalBack(l, given.Order.Stamps))
	lower := t.orderly(s, low, e, given.Order)
	t.haveAlike(s, all, lower, readsClock, func(o, x orderly) bool {
		return x.bare == o.bare && below(x.clocks, o.clocks)
	})
	t.haveAlike(s, lower, all, readsClock, func(o, x orderly) bool {
		return x.bare == o.bare || o.made && x.label == o.label
	})
}

// haveAlike panics with a mistake if no outcome with other times is like one of a memo key.
func (t *adapter) haveAlike(s protocol.MemoKey, all, others []orderly, what string,
	alike func(o, x orderly) bool) {
	for i := range all {
		if !slices.ContainsFunc(others, func(x orderly) bool { return alike(all[i], x) }) {
			t.disorderly(s, &all[i], what)
		}
	}
}

// readsLocal panics if the bounds or the units of a local state differ for one with other times.
func (t *adapter) readsLocal(s protocol.MemoKey, l value, others ...value) {
	facts := func(l value) string {
		_, beyond := t.c.LocalTimes(l)
		return fmt.Sprintf("constraint %v, units %d, beyond bounds %v", t.c.Keeps(s.Proc, l),
			t.c.Units(s.Proc, l), beyond)
	}
	for _, other := range others {
		if first, second := facts(l), facts(other); first != second {
			panic(&Error{Part: "Constraint, Units or Clocks.Within", What: readsTimes, State: t.c.spelled(l),
				Process: t.c.Names.Of(s.Proc), First: first, Second: second})
		}
	}
}

// below reports whether each clock is at most the other one.
func below(clocks, others []uint32) bool {
	for i := range clocks {
		if i >= len(others) || clocks[i] > others[i] {
			return false
		}
	}
	return true
}

// disorderly panics with a mistake of the handler of an outcome.
func (t *adapter) disorderly(s protocol.MemoKey, o *orderly, what string) {
	e := t.context(s, o.action)
	e.What, e.First, e.Second = what, "it leads to "+o.after, "with other times it does not"
	panic(&e)
}

// orderly returns the outcomes of a memo key with the given times, for local state l and the message of e.
func (t *adapter) orderly(s protocol.MemoKey, l value, e *interp.Envelope, given protocol.Order) (
	all []orderly) {
	r := &runner{c: t.c}
	r.yield = func(o *interp.Outcome) bool {
		x := orderly{action: o.Handler, label: fmt.Sprint(o.Action, o.Peer, o.Crash), made: r.out.made != 0,
			after: t.c.spelled(o.Local)}
		after, _ := t.c.LocalTimes(o.Local)
		for i := range o.Sent {
			after.Merge(t.c.MessageTimes(o.Sent[i].M))
		}
		if known := given.Stamps | r.out.made; after.Order.Stamps&^known != 0 ||
			after.Order.Clocks&^(known|given.Clocks|1) != 0 {
			t.disorderly(s, &x, makesTime)
		}
		stamps := given.Stamps | after.Order.Stamps
		sent := fmt.Sprint(o.Note)
		for i := range o.Sent {
			sent += fmt.Sprint(" ", o.Sent[i].To, t.c.messages.Spell(t.c.MessageBack(o.Sent[i].M, stamps)))
		}
		l := t.c.LocalBack(o.Local, stamps)
		x.text = x.label + t.c.locals.Spell(l) + sent
		t.c.Clocks.Seen(o.Local, func(clock *uint32) { x.clocks = append(x.clocks, *clock) })
		t.c.Clocks.Seen(l, func(clock *uint32) { *clock = 0 })
		x.bare = x.label + t.c.locals.Spell(l) + sent
		all = append(all, x)
		return true
	}
	r.outcomes(s.Proc, l, e, s.Context)
	return all
}

// alike calls differ if the facts about a local state of p and one of q differ.
func (t *adapter) alike(p Proc, l value, q Proc, other value, differ func(part string, first, second any)) {
	at := func(p Proc, l value) (is protocol.Local) {
		t.shown = t.c.locals.Copied(l)
		is = t.local(p, t.shown)
		is.Broken = is.Broken && t.renamings == nil // perhaps for a property that is not asked
		return is
	}
	t.compare(at(p, l), at(q, other), differ)
	for i := range t.c.Properties {
		of, f := ofOne(&t.c.Properties[i]), t.c.Properties[i].OfCount
		if of == nil && (f == nil || f.Local == nil) || t.renamings != nil && t.asked>>i&1 == 0 {
			continue
		}
		var first, second any
		if of != nil {
			first, second = answer(t, i, of, p, l), answer(t, i, of, q, other)
		} else {
			first, second = answer(t, i, f.Local, p, l), answer(t, i, f.Local, q, other)
		}
		if first != second {
			differ("property "+t.c.Properties[i].Name, first, second)
		}
	}
}

// answer returns the result of a function of property i for a local state of p.
func answer[T any](t *adapter, i int, of func(value, Proc) T, p Proc, l value) T {
	t.shown = t.c.locals.Copied(l)
	t.part = partView{l: t.shown}
	return ask(t, i, of, p)
}

// checkLocal panics if the model distinguishes a local state of p and a renamed one.
func (t *adapter) checkLocal(p Proc, l value) {
	for i, to := range t.renamings {
		if i == 0 || moved(to)&t.c.named(p, l) != 0 {
			continue
		}
		differ := func(part string, first, second any) {
			panic(&Error{Part: part, What: t.c.distinguishes(to), Process: t.c.Names.Of(p),
				State: t.c.spelled(l), First: fmt.Sprint(first), Second: fmt.Sprint(second)})
		}
		other := t.c.renamed(l, to)
		if t.alike(p, l, to[p], other, differ); t.forgets {
			if normal := t.c.forget(to[p], other); !t.c.locals.Equal(normal, other) {
				differ("Forget", t.c.spelled(other), t.c.spelled(normal))
			}
		}
	}
}

// An unnamed outcome is one of a memo key, as the kernel gets it, with the processes that it names.
type unnamed struct {
	protocol.Outcome
	named Set
}

// outcomes returns the outcomes of a process for local state l and the message of e, if that is not nil.
func (t *adapter) outcomes(p Proc, l value, e *interp.Envelope, dead Set) (all []unnamed) {
	r := &runner{c: t.c, yield: func(o *interp.Outcome) bool {
		x := unnamed{named: t.c.named(p, o.Local)}
		x.Action, x.Handler, x.Ordinary = uint16(o.Action), uint16(o.Handler), o.Kind == protocol.Ordinary
		x.Local = t.c.locals.Append(nil, o.Local)
		for _, s := range o.Sent {
			x.named |= t.c.namedBy(interp.Envelope{From: p, M: s.M})
			x.Sent = append(x.Sent, protocol.Sent{To: s.To,
				Message: t.c.messages.Append(nil, t.normalMessage(s.M))})
		}
		all = append(all, x)
		return true
	}}
	r.outcomes(p, l, e, protocol.Context{Dead: dead})
	return all
}

// keys returns what each outcome is after a renaming, other than its peer and what its history is told.
func (t *adapter) keys(all []unnamed, to []Proc) (keys []string) {
	for i := range all {
		o, sent := &all[i], make([][]byte, len(to))
		for _, s := range o.Sent {
			e := t.c.renamedEnvelope(interp.Envelope{M: t.c.messages.Value(s.Message)}, to)
			sent[to[s.To]] = append(t.c.messages.Append(sent[to[s.To]], e.M), ' ')
		}
		key := fmt.Appendf(nil, "%d %t %q", o.Action, o.Ordinary, sent)
		keys = append(keys, string(t.c.locals.Append(key, t.c.renamed(t.c.locals.Value(o.Local), to))))
	}
	return keys
}

// checkOutcomes panics if the outcomes of a memo key, for local state l, are not those of the renamed memo
// key, or if they name more.
func (t *adapter) checkOutcomes(s protocol.MemoKey, l value, e *interp.Envelope) {
	named := t.c.named(s.Proc, l)
	if e != nil {
		named |= t.c.namedBy(*e)
	}
	outcomes := t.outcomes(s.Proc, l, e, s.Dead)
	wrong := func(what, before, after string, o *unnamed) {
		e := t.context(s, int(o.Handler))
		e.What, e.First, e.Second = what, before+t.text(&o.Outcome), after
		panic(&e)
	}
	for i := range outcomes {
		if o := &outcomes[i]; o.named&^named != 0 {
			wrong("it names a process again, which may be exchanged before", "it leads to ",
				"names "+(o.named&^named).Format(t.c.Names.First), o)
		}
	}
	for i, to := range t.renamings {
		other := e
		if i == 0 || moved(to)&named != 0 {
			continue
		}
		if e != nil {
			other = new(t.c.renamedEnvelope(*e, to))
		}
		images := t.outcomes(to[s.Proc], t.c.renamed(l, to), other, renamedSet(s.Dead, to))
		first, second := t.keys(outcomes, to), t.keys(images, t.renamings[0])
		lacks := func(all []string) func(string) bool {
			return func(key string) bool { return !slices.Contains(all, key) }
		}
		if k := slices.IndexFunc(first, lacks(second)); k >= 0 {
			wrong(t.c.distinguishes(to), "it leads to ", "with names exchanged it does not", &outcomes[k])
		}
		if k := slices.IndexFunc(second, lacks(first)); k >= 0 {
			wrong(t.c.distinguishes(to), "with names exchanged it leads to ", "without it does not",
				&images[k])
		}
	}
}
