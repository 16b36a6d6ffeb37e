package kernel

import (
	"github.com/atmostk/atmostk/model/protocol"
)

// cursor is a stepper that also tells of messages.
type cursor struct {
	_ cacheLine
	stepper
	sp *space
	_  cacheLine
}

// A cacheLine, before and behind what one worker writes all the time, keeps it out of the
// cache lines of what another one uses.
type cacheLine [64]byte

func (sp *space) NewCursor() Cursor { return sp.newCursor() }

func (sp *space) newCursor() *cursor { return &cursor{stepper: newStepper(&sp.machine), sp: sp} }

// learner is a cursor that learns.
type learner struct {
	*cursor
	err     error
	authors []author // of what is to be verified, in order
}

func (sp *space) NewLearner() Learner {
	c := &learner{cursor: sp.newCursor()}
	c.learn = func(m miss) bool {
		sp.learn(m)
		var grow bool
		grow, c.err = sp.outgrown()
		c.spoilt = c.spoilt || grow || c.err != nil
		return true
	}
	return c
}

func (c *learner) Err() error { return c.err }

func (c *cursor) Mail(v []uint32, to []Mail) []Mail {
	c.load(v)
	for p := range protocol.Proc(c.n) {
		t := &c.sp.procs[p]
		for _, d := range c.delivers(&c.seats[p]) {
			timed := c.m.settles && t.times[d.letter].Least != protocol.NoTime
			to = append(to, Mail{p, d.letter, timed})
		}
	}
	return to
}

func (c *cursor) Receive(v []uint32, m Mail, b *Batch) {
	c.load(v)
	c.prepare(0, b)
	for _, d := range c.delivers(&c.seats[m.Proc]) {
		if d.letter == m.Letter {
			s := c.seats[m.Proc].situations
			mv := s.cells.find(s.of[c.seats[m.Proc].local].receiving, m.Letter)
			for mv := range c.m.all(*mv) {
				c.take(&c.seats[m.Proc], &c.m.effects.Values[mv.kind.effect()], mv.local, d.rest, false)
			}
		}
	}
}

func (c *cursor) Charges(v []uint32, to []protocol.Charges) []protocol.Charges {
	c.load(v)
	for p := range c.n {
		s := c.seats[p].situations
		if c.seats[p].inbox == dead {
			if c.m.revives {
				to = c.costOf(&s.of[c.seats[p].local].idle, to)
			}
			continue
		}
		at := &s.of[c.seats[p].local]
		to = c.costOf(&at.idle, to)
		for _, d := range c.delivers(&c.seats[p]) {
			to = c.costOf(s.cells.find(at.receiving, d.letter), to)
		}
		if c.failing {
			for f, d := range c.losses(&c.seats[p]) {
				to = c.freeOf(f.effect(c.seats[p].proc, d.from), to)
			}
		}
	}
	for k := range c.m.ofNetwork {
		to = c.freeOf(c.m.ofNetwork[k].effect(0, 0), to)
	}
	return to
}

// costOf appends what the moves in one situation cost, those left out that
// are not among the successors.
func (c *cursor) costOf(mv *move, to []protocol.Charges) []protocol.Charges {
	for mv := range c.m.all(*mv) {
		e := &c.m.effects.Values[mv.kind.effect()]
		if e.flags&outside != 0 || e.flags&eventful != 0 && c.excludes(e) {
			continue
		}
		to = append(to, c.sp.charges.Values[e.charges])
	}
	return to
}

// freeOf appends that a fault costs nothing, if it is possible.
func (c *cursor) freeOf(e effect, to []protocol.Charges) []protocol.Charges {
	if c.excludes(&e) {
		return to
	}
	return append(to, protocol.Charges{})
}
