package kernel

import (
	"github.com/atmostk/atmostk/model/protocol"
)

// cursor is a stepper that also tells what steps are about.
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

func (c *cursor) Annotate(v []uint32, b *Batch) Enabled {
	c.load(v)
	c.prepare(0, b)
	for p := range c.n {
		q := &c.views[p&procMask]
		s := q.memos
		if q.inbox == dead {
			if c.m.revives {
				c.annotate(q, s.of[q.local].idle, emptyInbox, Note{})
			}
			continue
		}
		at := &s.of[q.local]
		c.annotate(q, at.idle, q.inbox, Note{})
		for _, d := range c.delivers(q) {
			timed := c.m.settles && c.sp.procs[p].times[d.envelope].Least != protocol.NoTime
			c.annotate(q, *s.cells.find(at.receiving, d.envelope), d.rest, Note{Message: d.envelope + 1,
				Timed: timed})
		}
		if c.failing {
			c.befallInbox(q)
			b.note(Note{})
		}
	}
	c.befallNetwork()
	b.note(Note{})
	return c.enabled()
}

// annotate adds the successors to which moves of a process lead, with a note that lacks the charges.
func (c *cursor) annotate(q *view, moves move, rest uint32, n Note) {
	for mv := range c.m.all(moves) {
		e := &c.m.effects.Values[mv.kind.effect()]
		n.charges = e.charges
		c.take(q, e, mv.local, rest, false)
		c.b.note(n)
	}
}
