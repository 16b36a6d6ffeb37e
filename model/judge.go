package model

import (
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// judge is the Judge of a composition.
type judge[L, M, H any] struct {
	t        *typed[L, M, H]
	from, to Global[L, M, H]
	fromView partsView[L, M, H]
	toView   partsView[L, M, H]
	sums     []int // of what properties count

	// Of looking at a state or a step:
	copied, copiedTo copyView[L, M, H]
	label            Label // of the step
	before           lookedAt
	answers          []answer
	looked           int // how often, up to protocol.OftenAsked
	ofState, ofStep  func(i int) answer
}

func (t *typed[L, M, H]) NewJudge() lts.Judge {
	c := &judge[L, M, H]{
		t: t, sums: make([]int, len(t.table.counts)), answers: make([]answer, len(t.judges.props)),
	}
	c.ofState, c.ofStep = c.askState, c.askStep
	c.fromView.t, c.toView.t = t, t
	c.from = Global[L, M, H]{N: t.c.N, view: &c.fromView}
	c.to = Global[L, M, H]{N: t.c.N, view: &c.toView}
	return c
}

// A partsView shows a state, of which it has the numbers of the parts, to properties.
type partsView[L, M, H any] struct {
	t *typed[L, M, H]
	s *protocol.Parts
}

func (w *partsView[L, M, H]) local(p Proc) *L {
	return &w.t.procs[p].locals[partAt(w.s, int(p))]
}

func (w *partsView[L, M, H]) inbox(p Proc) []Envelope[M] {
	return w.t.procs[p].content(partAt(w.s, w.t.c.N+int(p)))
}

func (w *partsView[L, M, H]) inUse(dead Set) (n int) {
	for p := range w.t.procs {
		if !dead.Has(Proc(p)) {
			n += w.t.procs[p].ofLocals[partAt(w.s, p)].units
		}
	}
	return n
}

func (w *partsView[L, M, H]) history() *H {
	return &w.t.histories[partAt(w.s, 2*w.t.c.N)].history
}

func (c *judge[L, M, H]) Served(s *protocol.Parts, i int) int {
	c.fromView.see(s, &c.from)
	return c.t.judges.served(&c.from, i)
}

// see shows s to properties, through g.
func (w *partsView[L, M, H]) see(s *protocol.Parts, g *Global[L, M, H]) {
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

func (c *judge[L, M, H]) Judge(s *protocol.Parts, which uint64) uint64 {
	found, left := c.byParts(s, which)
	if left == 0 {
		return found
	}
	c.fromView.see(s, &c.from)
	return found | c.t.judges.states(&c.from, left)
}

func (c *judge[L, M, H]) JudgeQuiet(s *protocol.Parts, which uint64) uint64 {
	c.fromView.see(s, &c.from)
	return c.t.judges.quiet(&c.from, which)
}

func (c *judge[L, M, H]) JudgeStep(s *protocol.Parts, l Label, t *protocol.Parts, which uint64) uint64 {
	if which&c.t.judges.steps[l.Action] == 0 {
		return 0
	}
	c.fromView.see(s, &c.from)
	c.toView.see(t, &c.to)
	return c.t.judges.step(&c.from, int(l.Action), Proc(l.Proc), &c.to, which)
}

func (c *judge[L, M, H]) Origins(s *protocol.Parts, i int) uint64 {
	c.fromView.see(s, &c.from)
	return c.t.judges.origins(&c.from, i)
}

func (c *judge[L, M, H]) Marks(s *protocol.Parts, i, k int) lts.Marks {
	c.fromView.see(s, &c.from)
	return c.t.judges.marks(&c.from, i, k)
}

// partAt returns the number of part i. It stands here because the compiler inlines no function of another
// package into instances of generic ones.
func partAt(p *protocol.Parts, i int) uint32 {
	s := &p.Slots[i]
	return p.Words[s.Word] >> (s.Shift & 31) & s.Mask
}
