package kernel

import (
	"github.com/atmostk/atmostk/model/protocol"
)

// cursor is a stepper that also annotates steps.
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

// filler is a cursor that fills in what the tables lack.
type filler struct {
	*cursor
	err     error
	authors []author // of the entries to be verified, in order
}

func (sp *space) NewFiller() Filler {
	c := &filler{cursor: sp.newCursor()}
	c.fill = func(e entry) bool {
		sp.fill(e)
		var grow bool
		grow, c.err = sp.Outgrown()
		c.overflowed = c.overflowed || grow || c.err != nil
		return true
	}
	return c
}

func (c *filler) Err() error { return c.err }

func (c *cursor) Annotate(v []uint32, b *Batch) Enabled {
	defer func(fill func(entry) bool) { c.fill = fill }(c.fill)
	c.fill = missing
	c.load(v)
	c.prepare(0, b)
	for p := range c.n {
		q := &c.views[p&procMask]
		s := q.memos
		if q.inbox == dead {
			if c.m.Recovers {
				c.annotate(q, s.of[q.local].idle, emptyInbox, Note{})
			}
			continue
		}
		at := &s.of[q.local]
		c.annotate(q, at.idle, q.inbox, Note{})
		for _, d := range c.delivers(q) {
			n, before := Note{Message: d.envelope + 1}, b.Grown()
			timed := c.m.settles && c.sp.procs[p].times[d.envelope].Least != protocol.NoTime
			if n.Timed = timed; c.m.Order {
				n.Message, n.Timed = c.sp.procs[p].ranked[d.envelope]+1, false
			}
			c.annotate(q, s.cells.probe(at.receiving, d.envelope).value, d.rest, n)
			b.Refuses = b.Refuses || timed && b.Grown() == before && c.sp.Channel == protocol.Bag
		}
		if c.failing {
			c.injectInbox(q)
			b.note(Note{})
		}
	}
	c.injectNetwork()
	b.note(Note{})
	return c.enabled()
}

// missing is the fill of a cursor that annotates: it would leave out the steps that the tables lack.
func missing(entry) bool { panic("the tables lack a step of a state that is annotated") }

// annotate adds the successors to which transitions of a process lead, with a note that lacks the charges.
func (c *cursor) annotate(q *view, transitions transition, rest uint32, n Note) {
	for tr := range c.m.all(transitions) {
		e := &c.m.effects.values[tr.kind.effect()]
		n.charges = e.charges
		c.fire(q, e, tr.local, rest, false)
		c.b.note(n)
	}
}
