package model

import (
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// judge is the Judge of a composition.
type judge struct {
	property.PartsJudge
	t        *adapter
	from, to global
	fromView partsView
	toView   partsView
	sums     []int // of what properties count

	ofState, ofStep property.PurityCheck
}

func (t *adapter) NewJudge() lts.Judge {
	c := &judge{t: t, sums: make([]int, len(t.table.counts))}
	c.PartsJudge = property.PartsJudge{All: &t.judges, See: func(s *protocol.Parts) value {
		c.fromView.see(s, &c.from)
		return subject(&c.from)
	}}
	c.ofState, c.ofStep = c.newPurityCheck(), c.newPurityCheck()
	c.fromView.t, c.toView.t = t, t
	c.from = global{N: t.c.N, view: &c.fromView}
	c.to = global{N: t.c.N, view: &c.toView}
	return c
}

// A partsView shows a state, of which it has the numbers of the parts, to properties.
type partsView struct {
	t *adapter
	s *protocol.Parts
}

func (w *partsView) local(p Proc) value {
	return w.t.procs[p].locals[partAt(w.s, int(p))]
}

func (w *partsView) inbox(p Proc) envelopes {
	return w.t.procs[p].shown[partAt(w.s, w.t.c.N+int(p))]
}

func (w *partsView) inUse(dead Set) (n int) {
	for p := range w.t.procs {
		if !dead.Has(Proc(p)) {
			n += w.t.procs[p].ofLocals[partAt(w.s, p)].units
		}
	}
	return n
}

func (w *partsView) history() value {
	return w.t.histories[partAt(w.s, 2*w.t.c.N)].history
}

// see shows s to properties, through g.
func (w *partsView) see(s *protocol.Parts, g *global) {
	w.s = s
	if w.t.c.Network.Crashes == 0 && w.t.c.Network.Dead == 0 {
		return
	}
	g.Dead = 0
	for p := range Proc(g.N) {
		if partAt(s, g.N+int(p)) == protocol.Closed {
			g.Dead = g.Dead.With(p)
		}
	}
}

func (c *judge) Judge(s *protocol.Parts, which uint64) uint64 {
	found, left := c.byParts(s, which)
	if left == 0 {
		return found
	}
	c.fromView.see(s, &c.from)
	return found | c.t.judges.States(subject(&c.from), left)
}

func (c *judge) JudgeStep(s *protocol.Parts, l Label, t *protocol.Parts, which uint64) uint64 {
	if which&c.t.judges.Steps[l.Action] == 0 {
		return 0
	}
	c.fromView.see(s, &c.from)
	c.toView.see(t, &c.to)
	return c.t.judges.Step(subject(&c.from), int(l.Action), Proc(l.Proc), subject(&c.to), which)
}

// partAt returns the number of part i.
func partAt(p *protocol.Parts, i int) uint32 {
	s := &p.Slots[i]
	return p.Words[s.Word] >> (s.Shift & 31) & s.Mask
}
