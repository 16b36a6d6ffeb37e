package model

// linkCursor expands and judges the states of a Linked. It reads the tables of the
// space and allocates nothing.
type linkCursor[L, M comparable] struct {
	_        cacheLine
	sp       *linkSpace[L, M]
	cells    [MaxProcs]uint32 // of the state at hand
	facts    [MaxProcs]*cellFacts
	dead     Set
	crashes  uint32
	fresh    uint8
	awaited  [MaxTimers]Set
	sum      hash
	learn    func(p Proc, situation uint64) bool // of a Learner; nil: what is missing stays so
	from, to LinkedGlobal[L, M]
	fromView linkVectorView[L, M]
	toView   linkVectorView[L, M]
	_        cacheLine
}

func (sp *linkSpace[L, M]) NewCursor() Cursor {
	c := &linkCursor[L, M]{sp: sp}
	c.fromView.sp, c.toView.sp = sp, sp
	c.from = LinkedGlobal[L, M]{N: sp.c.N, view: &c.fromView}
	c.to = LinkedGlobal[L, M]{N: sp.c.N, view: &c.toView}
	return c
}

// linkLearner is a linkCursor that learns.
type linkLearner[L, M comparable] struct {
	*linkCursor[L, M]
	err error
}

func (sp *linkSpace[L, M]) NewLearner() Learner {
	c := &linkLearner[L, M]{linkCursor: sp.NewCursor().(*linkCursor[L, M])}
	c.learn = func(p Proc, situation uint64) bool {
		var grow bool
		grow, c.err = sp.learn(p, situation)
		return !grow && c.err == nil
	}
	return c
}

func (c *linkLearner[L, M]) Err() error { return c.err }

// A linkVectorView shows a vector to properties.
type linkVectorView[L, M comparable] struct {
	sp *linkSpace[L, M]
	v  []uint32
}

func (w *linkVectorView[L, M]) cell(p Proc) *cell[L] {
	return &w.sp.procs[p].cells.values[w.sp.layout.slots[p].get(w.v)]
}

func (w *linkVectorView[L, M]) local(p Proc) *L  { return &w.cell(p).local }
func (w *linkVectorView[L, M]) link(p Proc) Link { return w.cell(p).link }
func (w *linkVectorView[L, M]) queue(p Proc) []M { return w.sp.content[w.cell(p).queue] }

// see shows v to properties, through g.
func (w *linkVectorView[L, M]) see(v []uint32, g *LinkedGlobal[L, M]) {
	w.v = v
	g.Dead = 0
	for p := range Proc(g.N) {
		if w.cell(p).dead {
			g.Dead = g.Dead.With(p)
		}
	}
}

func (c *linkCursor[L, M]) Mail(_ []uint32, to []Mail) []Mail { return to }
func (c *linkCursor[L, M]) Receive([]uint32, Mail, *Batch) {
	panic("model: a link is fair by the labels of its steps")
}

// load takes a vector apart.
func (c *linkCursor[L, M]) load(v []uint32) {
	slots := c.sp.layout.slots
	n := c.sp.c.N
	c.dead, c.awaited = 0, [MaxTimers]Set{}
	var numbers uint64
	var h hash
	for p := range n {
		id := slots[p].get(v)
		f := &c.sp.procs[p].facts[id]
		c.cells[p], c.facts[p] = id, f
		numbers |= f.numbers
		for i := range c.awaited {
			c.awaited[i] |= f.awaited[i]
		}
		if f.dead {
			c.dead = c.dead.With(Proc(p))
		}
		h = h.change(p, 0, id)
	}
	c.fresh = c.sp.c.fresh(numbers)
	c.crashes = slots[n].get(v)
	c.sum = h.change(n, 0, c.crashes)
}

func (c *linkCursor[L, M]) Hash(v []uint32) uint64 {
	var h hash
	for i, s := range c.sp.layout.slots {
		h = h.change(i, 0, s.get(v))
	}
	return uint64(h)
}

func (c *linkCursor[L, M]) Expand(v []uint32, _ Trail, b *Batch) (e Enabled, ok bool) {
	begin := b.Mark()
	c.load(v)
	for p := range Proc(c.sp.c.N) {
		if !c.alone(v, p, b, &e) || !c.deliver(v, p, b, &e) {
			b.cut(begin)
			return e, false
		}
		c.crash(v, p, b, &e)
	}
	for at := begin.In; at < len(b.Words); at += b.Stride {
		b.Fired[uint8(b.LabelAt(at).Action)]++
	}
	return e, true
}

// alone adds the successors to which p goes by itself.
func (c *linkCursor[L, M]) alone(v []uint32, p Proc, b *Batch, e *Enabled) bool {
	f := c.facts[p]
	s := setting{endDead: c.dead.Has(f.link.To), fresh: c.fresh}
	for i := range s.due {
		s.due[i] = !c.awaited[i].Has(p)
	}
	moves, ok := c.moves(p, linkSituation(c.cells[p], 0, s))
	for i := range moves {
		c.take(v, p, &moves[i], Label{moves[i].action, uint8(p), 0}, b, e)
	}
	return ok
}

// deliver adds the successor in which the next message of p is received.
func (c *linkCursor[L, M]) deliver(v []uint32, p Proc, b *Batch, e *Enabled) bool {
	f := c.facts[p]
	if f.letter == 0 {
		return true
	}
	to, before := f.link.To, c.cells[f.link.To&15]
	if to == p {
		before = f.popped
	}
	moves, ok := c.moves(to, linkSituation(before, f.letter, setting{fresh: c.fresh}))
	if !ok {
		return false
	}
	t := c.take(v, to, &moves[0], Label{moves[0].action, uint8(to), uint8(p)}, b, e)
	if to != p {
		c.change(t, p, f.popped, b)
	}
	return true
}

// moves returns what p can do in a situation.
func (c *linkCursor[L, M]) moves(p Proc, situation uint64) ([]linkMove, bool) {
	span, ok := c.sp.procs[p].situations.get(situation)
	if !ok {
		if c.learn == nil || !c.learn(p, situation) {
			return nil, false
		}
		span, _ = c.sp.procs[p].situations.get(situation)
	}
	return c.sp.moves[span>>24:][:span&(1<<24-1)], true
}

// take adds the successor to which a move of p leads.
func (c *linkCursor[L, M]) take(v []uint32, p Proc, mv *linkMove, l Label, b *Batch, e *Enabled) []uint32 {
	t := b.add(l.word(), Parent(uint64(c.sum)), trailSuspect)
	copy(t, v)
	b.setHash(t, c.sum)
	c.change(t, p, mv.cell, b)
	e.Any = true
	e.Ordinary = e.Ordinary || mv.ordinary
	return t
}

// change gives p another cell in t, the newest successor.
func (c *linkCursor[L, M]) change(t []uint32, p Proc, to uint32, b *Batch) {
	from := c.cells[p&15]
	c.sp.layout.slots[p].set(t, from, to)
	b.setHash(t, b.hashOf(t).change(int(p), from, to))
}

// crash adds the successor in which p crashes.
func (c *linkCursor[L, M]) crash(v []uint32, p Proc, b *Batch, e *Enabled) {
	composition := c.sp.c
	crashes := int(c.crashes)
	if composition.Recover == nil {
		crashes = (c.dead &^ composition.Dead).Len()
	}
	if !composition.mayCrash(p, c.dead, crashes) {
		return
	}
	mv := linkMove{cell: c.facts[p].crashed, action: uint16(composition.crashAction())}
	t := c.take(v, p, &mv, Label{mv.action, uint8(p), 0}, b, e)
	for q := range Proc(composition.N) {
		if f := c.facts[q&15]; q != p && f.link == (Link{LinkOpen, p}) {
			c.change(t, q, f.broken, b)
		}
	}
	if composition.Recover != nil {
		slot := composition.N
		c.sp.layout.slots[slot].set(t, c.crashes, c.crashes+1)
		b.setHash(t, b.hashOf(t).change(slot, c.crashes, c.crashes+1))
	}
}

func (c *linkCursor[L, M]) Judge(v []uint32, which uint64) uint64 {
	c.fromView.see(v, &c.from)
	return c.sp.judges.states(&c.from, which)
}

func (c *linkCursor[L, M]) JudgeQuiet(v []uint32, which uint64) uint64 {
	c.fromView.see(v, &c.from)
	return c.sp.judges.quiet(&c.from, which)
}

func (c *linkCursor[L, M]) JudgeStep(v []uint32, l Label, w []uint32, which uint64) uint64 {
	if which&c.sp.judges.steps[l.Action] == 0 {
		return 0
	}
	c.fromView.see(v, &c.from)
	c.toView.see(w, &c.to)
	return c.sp.judges.step(&c.from, int(l.Action), Proc(l.Proc), &c.to, which)
}

func (c *linkCursor[L, M]) Origins(v []uint32, i int) uint64 {
	c.fromView.see(v, &c.from)
	return c.sp.judges.origins(&c.from, i)
}

func (c *linkCursor[L, M]) Roles(v []uint32, i, k int) Roles {
	c.fromView.see(v, &c.from)
	return c.sp.judges.roles(&c.from, i, k)
}
