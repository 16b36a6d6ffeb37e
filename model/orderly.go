package model

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// Where times count by their order only, handlers and properties must read no more than that. It is checked:
// each memo key is evaluated with other times in the same order, and with lower clocks, and the states that
// a purity check evaluates are evaluated with other times, too.

// Mistakes of models whose times count by their order only.
const (
	makesTime  = "it makes a time by itself; where times count by their order only, a new one is of Outbox.Later"
	readsTimes = "it reads more of times than their order"
	readsClock = "it reads a clock, which may only be raised and passed to Outbox.Later where times count by " +
		"their order only"
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
	low, ranked, m := t.c.locals.Copied(l), s.Context, interp.Envelope{}
	t.c.Clocks.Seen(low, func(clock *uint32) { *clock = 0 })
	if e != nil {
		given.Merge(t.c.MessageTimes(e.M))
		m = interp.Envelope{From: e.From, M: t.c.MessageBack(e.M, given.Order.Stamps)}
	}
	ranked.Times = uint8(given.Order.Count())
	all := t.orderly(s, l, e, given.Order)
	others := t.orderly(protocol.MemoKey{Proc: s.Proc, Context: ranked}, t.c.LocalBack(l, given.Order.Stamps),
		only(e, &m), given.Order.Ranked())
	for _, pair := range [][2][]orderly{{all, others}, {others, all}} {
		for i := range pair[0] {
			o := &pair[0][i]
			if !slices.ContainsFunc(pair[1], func(x orderly) bool { return x.text == o.text }) {
				t.disorderly(s, o, readsTimes)
			}
		}
	}
	lower := t.orderly(s, low, e, given.Order)
	for i := range all {
		o := &all[i]
		if !slices.ContainsFunc(lower, func(x orderly) bool { return x.bare == o.bare && below(x.clocks, o.clocks) }) {
			t.disorderly(s, o, readsClock)
		}
	}
	for i := range lower {
		o := &lower[i]
		if !slices.ContainsFunc(all, func(x orderly) bool { return x.bare == o.bare || o.made && x.label == o.label }) {
			t.disorderly(s, o, readsClock)
		}
	}
}

// only returns m if there is an e.
func only(e, m *interp.Envelope) *interp.Envelope {
	if e == nil {
		return nil
	}
	return m
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
func (t *adapter) orderly(s protocol.MemoKey, l value, e *interp.Envelope, given protocol.Order) (all []orderly) {
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
	if e == nil {
		r.idle(s.Proc, l, s.Context)
	} else {
		r.react(s.Proc, e.From, l, e.M, s.Context)
	}
	return all
}

// readsOrder panics if a property has another answer about states with other times in the same order, or with
// other clocks: a clock with numbers may be higher than the one without.
func (c *judge) readsOrder(of *property.Subject) {
	for _, clocks := range []uint32{0, 255} {
		others := make([]lts.State, len(of.States))
		for k, s := range of.States {
			// different spaces for the states of a step, whose times are ranked one by one
			others[k] = c.t.c.respaced(c.t.x, s.(*interp.State), func(stamp *uint32) { *stamp *= 5 + uint32(k) },
				func(clock *uint32) { *clock = clocks })
		}
		for i := range property.Among(of.Which) {
			if first, second := c.answers(of, of.States, i), c.answers(of, others, i); first != second {
				panic(&Error{Part: "property " + c.t.c.Properties[i].Name, What: readsTimes,
					State: check.Described(of.States[0]), First: first, Second: second})
			}
		}
	}
}

// answers spells the answers of property i about a state, or about a step if there are two states.
func (c *judge) answers(of *property.Subject, states []lts.State, i int) string {
	plain, p := newPlain(c.t.x, c.t.judges, false), &c.t.c.Properties[i]
	switch {
	case len(states) > 1:
		return fmt.Sprint(plain.JudgeStep(states[0], lts.Transition{Action: int(of.Label.Action),
			Proc: Proc(of.Label.Proc), Peer: Proc(of.Label.Peer), Next: states[1]}, i))
	case p.Kind != Liveness:
		return fmt.Sprint(plain.Judge(states[0], i))
	}
	marks := ""
	for k := range p.Lassos {
		marks += fmt.Sprint(plain.Marks(states[0], i, k), " ")
	}
	return marks
}
