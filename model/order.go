package model

import (
	"slices"

	"github.com/atmostk/atmostk/model/param"
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
