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

// beyond reports whether a state with such times and so many letters is out of bounds.
func (c *Composition[L, M, H]) beyond(t *timing) bool {
	if c.Clocks != nil && c.Clocks.MaxSkew > 0 && t.least != noTime && t.greatest-t.least > uint32(c.Clocks.MaxSkew) {
		return true
	}
	return t.beyond || c.Network.MaxInFlight > 0 && t.letters > uint32(c.Network.MaxInFlight)
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
func (sp *space[L, M, H]) learnShift(m Miss) {
	t := &sp.procs[m.proc]
	back := func(time *uint32) { *time -= uint32(m.b) }
	if m.kind == missShiftedLocal {
		l := t.locals.values[m.a]
		sp.c.Clocks.Local(&l, back)
		t.shiftedLocals.put(m.a<<32|m.b, uint64(sp.local(m.proc, l)))
		return
	}
	var letters []uint32
	for _, letter := range t.contents[m.a] {
		sp.c.Clocks.Message(&letter.M, back)
		id, _ := t.letters.of(letter)
		letters = append(letters, id)
	}
	t.shiftedInboxes.put(m.a<<32|m.b, uint64(sp.inbox(m.proc, letters)))
}

// settle moves all times of the newest successor in b back so that the least is
// firstTime again, and says whether the successor is out of bounds. It is false if
// the tables lack something.
func (c *cursor[L, M, H]) settle(b *Batch) (beyond, ok bool) {
	sp := c.sp
	n := sp.c.N
	t := b.Words[len(b.Words)-b.Width:]
	all := newTiming()
	for p := range n {
		if inbox := sp.layout.slots[n+p].get(t); inbox != dead {
			all.merge(&sp.procs[p].localTimes[sp.layout.slots[p].get(t)])
			all.merge(&sp.procs[p].inboxTimes[inbox])
		}
	}
	if all.least < firstTime {
		panic("model: a handler has made a time of 0, which stands for never")
	}
	if all.least > firstTime && all.least != noTime {
		b.Shifted = append(b.Shifted, uint32(b.Len()-1))
		if !c.shift(t, &b.Hashes[b.Len()-1], uint64(all.least-firstTime)) {
			return false, false
		}
	}
	return sp.c.beyond(&all), true
}

// shift moves all times of t back by d.
func (c *cursor[L, M, H]) shift(t []uint32, sum *uint64, d uint64) bool {
	sp := c.sp
	n := sp.c.N
	h := hash(*sum)
	for p := range n {
		inbox := sp.layout.slots[n+p].get(t)
		if inbox == dead {
			continue
		}
		local := sp.layout.slots[p].get(t)
		l, ok := sp.procs[p].shiftedLocals.get(uint64(local)<<32 | d)
		if !ok {
			c.miss = Miss{missShiftedLocal, Proc(p), uint64(local), d}
			return false
		}
		i, ok := sp.procs[p].shiftedInboxes.get(uint64(inbox)<<32 | d)
		if !ok {
			c.miss = Miss{missShiftedInbox, Proc(p), uint64(inbox), d}
			return false
		}
		sp.layout.slots[p].set(t, local, uint32(l))
		sp.layout.slots[n+p].set(t, inbox, uint32(i))
		h = h.change(p, local, uint32(l)).change(n+p, inbox, uint32(i))
	}
	*sum = uint64(h)
	return true
}
