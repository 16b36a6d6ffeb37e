package model

import (
	"slices"
	"sync"

	"github.com/atmostk/atmostk/model/instance"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// Times that count by their order only. A process makes a new stamp that is above its clock; whether it is
// below, equal to, between or above the stamps of others, numbers decide by what happened before. Here each
// of these is a successor. So every run with numbers is a run here, with the same steps and comparisons, for
// any number of requests, and there are more runs.

// byOrder reports whether times count by their order only.
func (c *composition) byOrder() bool { return c.Clocks != nil && c.Clocks.ByOrder }

// eachTime visits all times of a local state.
func (c *composition) eachTime(l value, visit func(*uint32)) {
	c.Clocks.Local(l, visit)
	if c.Clocks.Seen != nil {
		c.Clocks.Seen(l, visit)
	}
}

// back returns the change of a time when all are moved back by an amount, or ranked among the given stamps.
func (c *composition) back(by uint32) func(time *uint32) {
	if c.byOrder() {
		return func(time *uint32) { *time = protocol.Ranked(by, *time) }
	}
	return func(time *uint32) { *time -= by }
}

// Later returns the time of a new request of a process whose clock is t: t+1. With Clocks.ByOrder it returns
// any time above t, so the step has a successor for each place of it among the times of the state.
func (o *Outbox[M]) Later(t uint32) uint32 {
	if !o.order {
		return t + 1
	}
	if o.made != 0 {
		panic(protocol.Mistake{What: "it calls Outbox.Later twice in a step; where times count by their order " +
			"only, a step makes one"})
	}
	t += 1 + uint32(o.Pick(2*int(o.times)+1-int(t)))
	o.made |= 1 << t
	return t
}

// Tick returns the amount by which a clock goes beyond a time that it has seen: 1. With Clocks.ByOrder it is
// 0, as each time that Later returns is above the clock anyhow.
func (o *Outbox[M]) Tick() uint32 {
	if o.order {
		return 0
	}
	return 1
}

// anyRounds is the value of param.Rounds of a process that requests for ever, where times count by their
// order only.
const anyRounds = "any"

// AnyRounds reports whether times count by their order only.
func (a *Args) AnyRounds() bool { return slices.Contains(param.List(a.String("rounds")), anyRounds) }

// numbered returns the instance with numbers, with the properties as they were declared.
func (c *composition) numbered(declared []property.Erased, skew int) instance.Numbered {
	numbers, clocks, timeless := *c, *c.Clocks, *c
	clocks.ByOrder, clocks.MaxSkew = false, skew
	numbers.Clocks, numbers.Properties, numbers.runners = &clocks, declared, new(sync.Pool)
	timeless.Clocks = nil
	x := interp.New(&timeless)
	return instance.Numbered{Instance: numbers.instance(), Alike: func(s State) string {
		return c.ranked(x, s.(*interp.State)).Key()
	}}
}

// ranked returns a state, with or without numbers, with no clock and with stamps by their rank, as a state of
// an interpreter without times.
func (c *composition) ranked(x *interp.Interp, s *interp.State) *interp.State {
	var stamps []uint32
	c.respaced(x, s, func(stamp *uint32) { stamps = append(stamps, *stamp) }, func(*uint32) {})
	slices.Sort(stamps)
	stamps = slices.Compact(stamps)
	return c.respaced(x, s, func(stamp *uint32) {
		at, _ := slices.BinarySearch(stamps, *stamp)
		*stamp = uint32(at + 1)
	}, func(clock *uint32) { *clock = 0 })
}

// respaced returns a state, of the interpreter x, with all stamps and clocks changed.
func (c *composition) respaced(x *interp.Interp, s *interp.State, stamp, clock func(*uint32)) *interp.State {
	locals, inboxes := make([]value, c.N), make([][]interp.Envelope, c.N)
	for p := range Proc(c.N) {
		locals[p] = c.locals.Copied(s.Local(p))
		if s.IsDead(p) {
			continue
		}
		c.Clocks.Local(locals[p], stamp)
		c.Clocks.Seen(locals[p], clock)
		for _, e := range s.Inbox(p) {
			e.M = c.messages.Copied(e.M)
			c.Clocks.Message(e.M, stamp)
			inboxes[p] = append(inboxes[p], e)
		}
	}
	return x.StateOf(s.Dead, locals, inboxes, s.History(), s.Record())
}
