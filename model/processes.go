package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

var _ interp.Processes = (*composition)(nil)

// Declared returns the declarations for the interpreter.
func (c *composition) Declared() *interp.Declared {
	d := &interp.Declared{
		Actions: c.actions, Dead: c.Network.Dead,
		Mortal: c.mayEver(), Parts: c.Network.CrashSends != NoPart, AnyPart: c.Network.CrashSends == Subset,
		History: c.histories.Copied(c.first),
		Locals:  c.locals, Messages: c.messages, Histories: c.histories,
		FirstReceipt: len(c.Local), FirstNotice: c.noticeAction, FirstEvent: c.eventAction,
		FirstCrash: c.crashAction, FirstFault: c.firstFault,
		Medium: protocol.Medium{Channel: c.Network.Channel, Faults: c.Network.Faults, Clocks: c.Clocks != nil,
			Order: c.byOrder(), InFlight: uint32(c.Network.MaxInFlight), History: c.History.Step != nil,
			Guards: c.History.Guards, Links: c.Links != nil, Recovers: c.recovers(),
			Crashes: c.Network.Crashes},
	}
	if c.Clocks != nil {
		d.Medium.Skew = uint32(c.Clocks.MaxSkew)
	}
	if c.Links != nil {
		d.Medium.Rising = c.Links.Rising
	}
	for p := range Proc(c.N) {
		d.Names = append(d.Names, c.Names.Of(p))
	}
	d.Requests = mapped(c.Local, func(h handler) bool { return h.Request })
	return d
}

// spelled writes a local state, for an Error.
func (c *composition) spelled(l value) string { return check.Spelled(c.locals.Any(l), c.Names) }

// ofLocal is the context of a call of a function of a local state.
func (c *composition) ofLocal(part string, l value) func() Error {
	return func() Error { return Error{Part: part, State: c.spelled(l)} }
}

func (c *composition) Begin(p Proc) value {
	defer check.Named(func() Error { return Error{Part: "Init", Process: c.Names.Of(p)} })
	return c.locals.Own(c.Init(p))
}

func (c *composition) UnderWay(p Proc) []interp.Sent {
	if c.Sends == nil {
		return nil
	}
	defer check.Named(func() Error { return Error{Part: "UnderWay", Process: c.Names.Of(p)} })
	sent := c.Sends(p)
	for i, s := range sent {
		if int(s.To) >= c.N {
			panic(&Error{Where: check.DeclaredAt(c.Composition.UnderWay), What: fmt.Sprintf(
				"%s is sent to process %d; there are %d, counted from 0", c.messages.Text(s.M), s.To, c.N)})
		}
		sent[i].M = c.messages.Own(s.M)
	}
	return sent
}

func (c *composition) Receiver(a interp.Ask) int {
	r := c.runner()
	r.Ask = a
	i := r.receiver()
	c.runners.Put(r)
	return len(c.Local) + i
}

func (c *composition) Accepts(m value) bool { return c.accepting(m) >= 0 }

func (c *composition) Reset(p Proc, l value) value {
	l = c.locals.Copied(l)
	c.reset(p, l)
	return l
}

func (c *composition) Link(l value) *protocol.Link { return c.Links.Of(l) }

func (c *composition) Carry(before, after value, sent []interp.Sent) ([]interp.Sent, protocol.Cut) {
	return c.Links.carry(before, after, sent)
}

func (c *composition) Break(l value, gone Proc) value {
	after := c.locals.Copied(l)
	output := c.Links.Of(after)
	if output.State != protocol.OpenLink || output.To != gone {
		return l
	}
	output.State = protocol.BrokenLink
	return after
}

func (c *composition) LocalTrace(l value) (t protocol.Trace) {
	defer check.Named(check.Part("Links.Numbers"))
	if c.Links.Numbers != nil {
		t.Numbers = c.Links.Numbers(l)
	}
	return t
}

func (c *composition) MessageTrace(m value) (t protocol.Trace) {
	defer check.Named(check.Part("Links"))
	if c.Links.Carries != nil {
		t.Numbers = c.Links.Carries(m)
	}
	for i := range c.Links.Timers {
		for p := range Proc(c.N) {
			if c.Links.Timers[i].Awaits(p, m) {
				t.Awaited[i] = t.Awaited[i].With(p)
			}
		}
	}
	return t
}

// byOrder reports whether times count by their order only.
func (c *composition) byOrder() bool { return c.Clocks != nil && c.Clocks.ByOrder }

func (c *composition) eachTime(l value, visit func(*uint32)) {
	c.Clocks.Local(l, visit)
	if c.Clocks.Seen != nil {
		c.Clocks.Seen(l, visit)
	}
}

// back returns the change of a time when all are moved back by an amount, or ranked among the given stamps.
func (c *composition) back(by uint32) func(time *uint32) {
	if c.byOrder() {
		return func(time *uint32) { *time = protocol.Order{Stamps: by}.Rank(*time) }
	}
	return func(time *uint32) { *time -= by }
}

func (c *composition) LocalTimes(l value) (times protocol.Times, beyond bool) {
	if c.Clocks == nil {
		return protocol.NoTimes(), false
	}
	return c.localTimes(l)
}

func (c *composition) localTimes(l value) (times protocol.Times, beyond bool) {
	times = protocol.NoTimes()
	defer check.Named(c.ofLocal("Clocks", l))
	shown := c.locals.Copied(l)
	if c.byOrder() {
		c.Clocks.Local(shown, times.SeeStamp)
		c.Clocks.Seen(shown, times.SeeClock)
	} else {
		c.eachTime(shown, times.See)
	}
	return times, c.Clocks.Within != nil && !c.Clocks.Within(shown)
}

func (c *composition) MessageTimes(m value) protocol.Times {
	if c.Clocks == nil {
		return protocol.NoTimes()
	}
	return c.messageTimes(m)
}

func (c *composition) messageTimes(m value) protocol.Times {
	times := protocol.NoTimes()
	defer check.Named(check.Part("Clocks.Message"))
	see := times.See
	if c.byOrder() {
		see = times.SeeStamp
	}
	c.Clocks.Message(c.messages.Copied(m), see)
	return times
}

func (c *composition) LocalBack(l value, by uint32) value {
	defer check.Named(check.Part("Clocks"))
	l = c.locals.Copied(l)
	c.eachTime(l, c.back(by))
	return l
}

func (c *composition) MessageBack(m value, by uint32) value {
	defer check.Named(check.Part("Clocks"))
	m = c.messages.Copied(m)
	c.Clocks.Message(m, c.back(by))
	return m
}

func (c *composition) Remember(h value, e Event) (next value, kept bool) {
	next = c.histories.Copied(h)
	defer check.Named(func() Error {
		return Error{Part: "History.Step", State: check.Spelled(c.histories.Any(next), c.Names)}
	})
	kept = c.History.Step(next, e)
	if !kept && c.History.Watches {
		panic(protocol.Mistake{What: "it excludes a step, although History.Watches is set"})
	}
	return c.histories.Own(next), kept
}

func (c *composition) Keeps(p Proc, l value) bool {
	if c.Constraint == nil {
		return true
	}
	defer check.Named(c.ofLocal("Constraint", l))
	return c.Constraint(p, l)
}

func (c *composition) Units(p Proc, l value) int {
	if c.Composition.Units == nil {
		return 0
	}
	defer check.Named(func() Error {
		return Error{Part: "Units", Process: c.Names.Of(p), State: c.spelled(l)}
	})
	n := c.Composition.Units(l)
	if n < 0 || n > c.mostUse {
		panic(noUnits(n, c.mostUse, c.Composition.Units))
	}
	return n
}

// noUnits is the mistake that a process uses an impossible number of units.
func noUnits(n, most int, units any) *Error {
	what := fmt.Sprintf("%d units are in use; allowed are 0 to %d", n, most)
	if most < largestUse {
		what += " with --reduce crashes"
	}
	return &Error{Part: "Units", What: what, Where: check.DeclaredAt(units)}
}

func (c *composition) Suspects(l value) (g values.Group, known bool) {
	if c.Composition.Suspects == nil {
		return g, false
	}
	return c.Composition.Suspects(l), true
}

func (c *composition) Owner(from Proc, s *interp.Sent) Proc {
	if c.Charge == nil {
		return from
	}
	defer check.Named(check.Part("Charge"))
	to := c.Charge(from, s.To, s.M)
	if int(to) >= c.N {
		panic(&Error{
			What: fmt.Sprintf("it charges %s from %s to %s to process %d; there are %d, counted from 0",
				c.messages.Text(s.M), c.Names.Of(from), c.Names.Of(s.To), to, c.N),
			Where: check.DeclaredAt(c.Composition.Charge),
		})
	}
	return to
}

func (c *composition) LocalVars(p Proc, l value) []Var {
	owner := c.Names.Of(p)
	if c.Vars == nil {
		x := c.locals.Any(l)
		defer check.Named(check.Shower("the local state", owner, x))
		return values.Fields(owner, x, c.Names)
	}
	defer check.Named(func() Error { return Error{Part: "Vars", Process: owner, State: c.spelled(l)} })
	vars := c.Vars(c.locals.Copied(l))
	for i := range vars {
		vars[i].Owner = owner
	}
	return vars
}

func (c *composition) HistoryVars(h value) []Var {
	x := c.histories.Any(h)
	defer check.Named(check.Shower("the history", "", x))
	return values.Fields("history", x, c.Names)
}
