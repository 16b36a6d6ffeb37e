package model

import (
	"fmt"
	"math"
	"strings"
)

// Clocks declares logical clocks, such as Lamport's. They grow for ever where runs
// go on for ever, but if handlers only compare times, and make new ones by adding
// to some, then only differences matter: states are stored up to a common shift of
// all times of all live processes and of all messages under way to them. Two
// states are one if and only if one is the other, shifted.
//
// A value that means "never" is no time; a time is never confused with it, as the
// least time of a stored state is 1. Histories hold no times.
type Clocks[L, M comparable] struct {
	// Local calls visit for each time in l, Message for each time in m.
	Local   func(l *L, visit func(*uint32))
	Message func(m *M, visit func(*uint32))
	// MaxSkew bounds the difference between two times of a state; 0: no bound. States
	// beyond are cut off: see Enabled.Beyond.
	MaxSkew int
	// Within is a further bound, for counters that grow for ever: it holds of the local
	// states that are not beyond it; Limit says it in words. Nil: there is none.
	Within func(l *L) bool
	Limit  string
}

// firstTime is the least time of a stored state.
const firstTime = 1

// noTime is what a part of a state without times has as its least.
const noTime = math.MaxUint32

// A timing is what there is to know of the times in a local state or an inbox.
type timing struct {
	least, greatest uint32
	letters         uint32 // in an inbox
	beyond          bool   // Within does not hold
}

func newTiming() timing { return timing{least: noTime} }

func (t *timing) see(time *uint32) {
	t.least, t.greatest = min(t.least, *time), max(t.greatest, *time)
}

// merge adds what there is to know of another part of the state.
func (t *timing) merge(other *timing) {
	t.least, t.greatest = min(t.least, other.least), max(t.greatest, other.greatest)
	t.letters += other.letters
	t.beyond = t.beyond || other.beyond
}

// limits bound what states are part of the state space; 0: no bound.
type limits struct{ skew, inFlight uint32 }

func (c *Composition[L, M, H]) limits() (l limits) {
	l.inFlight = uint32(c.Network.MaxInFlight)
	if c.Clocks != nil {
		l.skew = uint32(c.Clocks.MaxSkew)
	}
	return l
}

// exceeded reports whether a state with such times and so many letters is out of bounds.
func (l limits) exceeded(t *timing) bool {
	if l.skew > 0 && t.least != noTime && t.greatest-t.least > l.skew {
		return true
	}
	return t.beyond || l.inFlight > 0 && t.letters > l.inFlight
}

// timed reports whether a message holds a time.
func (c *Composition[L, M, H]) timed(m *M) (some bool) {
	if c.Clocks != nil {
		copied := *m
		c.Clocks.Message(&copied, func(*uint32) { some = true })
	}
	return some
}

// settles reports whether successors have to be looked at for times or bounds.
func (c *Composition[L, M, H]) settles() bool { return c.Clocks != nil || c.Network.MaxInFlight > 0 }

// bounds says in words what cuts off states; "" if nothing does.
func (c *Composition[L, M, H]) bounds() string {
	var all []string
	if c.Clocks != nil && c.Clocks.MaxSkew > 0 {
		all = append(all, fmt.Sprintf("times at most %d apart", c.Clocks.MaxSkew))
	}
	if c.Network.MaxInFlight > 0 {
		all = append(all, fmt.Sprintf("at most %d messages under way", c.Network.MaxInFlight))
	}
	if c.Clocks != nil && c.Clocks.Within != nil {
		all = append(all, c.Clocks.Limit)
	}
	return strings.Join(all, ", ")
}

// timeLocal notes the times of a new local state.
func (sp *space[L, M, H]) timeLocal(t *tables[L, M], l L) {
	if sp.settles {
		defer named(func() Error { return Error{Part: "Clocks", State: spelled(l, sp.c.Names)} })
		tm := newTiming()
		if sp.c.Clocks != nil {
			sp.c.Clocks.Local(&l, tm.see)
			tm.beyond = sp.c.Clocks.Within != nil && !sp.c.Clocks.Within(&l)
		}
		t.localTimes = append(t.localTimes, tm)
	}
}

// timeInbox notes the times of a new inbox.
func (sp *space[L, M, H]) timeInbox(t *tables[L, M], content []Letter[M]) {
	if sp.settles {
		defer named(part("Clocks.Message"))
		tm := newTiming()
		tm.letters = uint32(len(content))
		for _, letter := range content {
			if sp.c.Clocks != nil {
				sp.c.Clocks.Message(&letter.M, tm.see)
			}
		}
		t.inboxTimes = append(t.inboxTimes, tm)
	}
}

// learnShift moves the times of a local state or an inbox of p back by so much.
func (sp *space[L, M, H]) learnShift(m miss) {
	defer named(part("Clocks"))
	t := &sp.procs[m.proc]
	back := func(time *uint32) { *time -= uint32(m.b) }
	if m.kind == missShiftedLocal {
		l := t.locals.values[m.a]
		sp.c.Clocks.Local(&l, back)
		t.shiftedLocals.put(m.a<<32|m.b, uint64(sp.local(m.proc, l)))
		return
	}
	var letters []uint32
	for _, letter := range t.content(uint32(m.a)) {
		sp.c.Clocks.Message(&letter.M, back)
		id, _ := t.letters.of(letter)
		letters = append(letters, id)
	}
	t.shiftedInboxes.put(m.a<<32|m.b, uint64(sp.inbox(m.proc, letters)))
}

// settle moves all times of rec, the newest record, back so that the least is
// firstTime again, and takes it out of the state space if it is out of bounds, or if the
// constraint rejects it. It returns false if the tables lack something.
func (c *stepper) settle(rec []uint32, rejected bool) bool {
	if c.spoilt { // there are no numbers to be read in rec, and it is thrown away
		return true
	}
	all := newTiming()
	for p := range c.n {
		if inbox := c.seats[p].inboxAt.get(rec); inbox != dead {
			all.merge(&c.m.gears[p].localTimes[c.seats[p].localAt.get(rec)])
			all.merge(&c.m.gears[p].inboxTimes[inbox])
		}
	}
	if all.least < firstTime {
		fail("Clocks", "a handler has made a time of 0, which stands for never")
	}
	if all.least > firstTime && all.least != noTime {
		c.b.Shifted = append(c.b.Shifted, uint32(c.b.Len()-1))
		if !c.shift(rec, uint64(all.least-firstTime)) {
			return false
		}
	}
	beyond := c.m.limits.exceeded(&all)
	if beyond && !rejected {
		c.beyond++
	}
	if beyond || rejected {
		c.b.moveOutside()
	}
	return true
}

// shift moves all times of a record back by d.
func (c *stepper) shift(rec []uint32, d uint64) bool {
	h := c.b.hashOf(rec)
	for p := range c.n {
		inbox := c.seats[p].inboxAt.get(rec)
		if inbox == dead {
			continue
		}
		local := c.seats[p].localAt.get(rec)
		l, ok := c.shifted(&c.m.gears[p].shiftedLocals, miss{missShiftedLocal, Proc(p), uint64(local), d})
		if !ok {
			return false
		}
		i, ok := c.shifted(&c.m.gears[p].shiftedInboxes, miss{missShiftedInbox, Proc(p), uint64(inbox), d})
		if !ok || c.spoilt {
			return ok
		}
		c.seats[p].localAt.set(rec, local, uint32(l))
		c.seats[p].inboxAt.set(rec, inbox, uint32(i))
		h += (hash(l)-hash(local))*c.seats[p].localAt.constant + (hash(i)-hash(inbox))*c.seats[p].inboxAt.constant
	}
	c.b.setHash(rec, h)
	return true
}

// shifted finds what a table has for the number a and the time b of m, which it may lack.
func (c *stepper) shifted(table *memo, m miss) (x uint64, ok bool) {
	x, ok = table.get(m.a<<32 | m.b)
	if !ok && c.missed(m) {
		return table.get(m.a<<32 | m.b)
	}
	return x, ok
}
