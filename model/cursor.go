package model

// cursor is a stepper that also judges states.
type cursor[L, M, H comparable] struct {
	_ cacheLine
	stepper
	sp       *space[L, M, H]
	from, to Global[L, M, H]
	fromView vectorView[L, M, H]
	toView   vectorView[L, M, H]
	copied   copyView[L, M, H]
	_        cacheLine
}

func (sp *space[L, M, H]) NewCursor() Cursor {
	c := &cursor[L, M, H]{stepper: newStepper(&sp.machine), sp: sp}
	c.fromView.sp, c.toView.sp = sp, sp
	c.from = Global[L, M, H]{N: sp.c.N, view: &c.fromView}
	c.to = Global[L, M, H]{N: sp.c.N, view: &c.toView}
	return c
}

// learner is a cursor that learns.
type learner[L, M, H comparable] struct {
	*cursor[L, M, H]
	err     error
	authors []author // of what is to be verified, in order
}

func (sp *space[L, M, H]) NewLearner() Learner {
	c := &learner[L, M, H]{cursor: sp.NewCursor().(*cursor[L, M, H])}
	c.learn = func(m miss) bool {
		sp.learn(m)
		var grow bool
		grow, c.err = sp.outgrown()
		c.spoilt = c.spoilt || grow || c.err != nil
		return true
	}
	return c
}

func (c *learner[L, M, H]) Err() error { return c.err }

// A vectorView shows a vector to properties.
type vectorView[L, M, H comparable] struct {
	sp *space[L, M, H]
	v  []uint32
}

func (w *vectorView[L, M, H]) local(p Proc) *L {
	return &w.sp.procs[p].locals.values[w.sp.layout.slots[p].get(w.v)]
}

func (w *vectorView[L, M, H]) inbox(p Proc) []Letter[M] {
	return w.sp.procs[p].content(w.sp.layout.slots[w.sp.inboxSlot(p)].get(w.v))
}

func (w *vectorView[L, M, H]) inUse(dead Set) (n int) {
	for p := range w.sp.procs {
		if !dead.Has(Proc(p)) {
			n += w.sp.c.units(w.local(Proc(p)))
		}
	}
	return n
}

func (w *vectorView[L, M, H]) history() *H {
	return &w.sp.histories.values[w.sp.layout.slots[w.sp.historySlot()].get(w.v)].history
}

func (c *cursor[L, M, H]) Charges(v []uint32, to []Charges) []Charges {
	c.load(v)
	for p := range Proc(c.n) {
		s := c.seats[p].situations
		if c.seats[p].inbox == dead {
			if c.m.revives {
				to = c.chargesOf(&s.of[c.seats[p].local].idle, to)
			}
			continue
		}
		at := &s.of[c.seats[p].local]
		to = c.chargesOf(&at.idle, to)
		for _, d := range c.delivers(&c.seats[p]) {
			to = c.chargesOf(s.cells.find(at.receiving, d.letter), to)
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

// chargesOf appends what the moves in one situation cost, those left out that
// are not among the successors.
func (c *cursor[L, M, H]) chargesOf(mv *move, to []Charges) []Charges {
	for mv := range c.m.all(*mv) {
		e := &c.m.effects.values[mv.kind.effect()]
		if e.flags&outside != 0 || e.flags&eventful != 0 && c.excludes(e) {
			continue
		}
		to = append(to, c.sp.charges.values[e.charges])
	}
	return to
}

// freeOf appends that a fault costs nothing, if it is possible.
func (c *cursor[L, M, H]) freeOf(e effect, to []Charges) []Charges {
	if c.excludes(&e) {
		return to
	}
	return append(to, Charges{})
}

func (c *cursor[L, M, H]) Served(v []uint32, i int) int {
	c.fromView.see(v, &c.from)
	return c.sp.judges.served(&c.from, i)
}

// see shows v to properties, through g.
func (w *vectorView[L, M, H]) see(v []uint32, g *Global[L, M, H]) {
	w.v = v
	if w.sp.c.Network.Crashes == 0 && w.sp.c.Network.Dead == 0 {
		return
	}
	g.Dead = 0
	for p := range Proc(g.N) {
		if w.sp.layout.slots[w.sp.inboxSlot(p)].get(v) == dead {
			g.Dead = g.Dead.With(p)
		}
	}
}

func (c *cursor[L, M, H]) Judge(v []uint32, which uint64) (found uint64) {
	which &= c.sp.judges.ofStates
	if t := &c.sp.byTable; which&t.props != 0 {
		if byTable, ok := c.judge(v, t); ok {
			found = byTable & which
			which &^= t.props
		}
	}
	if which == 0 {
		return found
	}
	c.fromView.see(v, &c.from)
	return found | c.sp.judges.states(&c.from, which)
}

func (c *cursor[L, M, H]) JudgeQuiet(v []uint32, which uint64) uint64 {
	c.fromView.see(v, &c.from)
	return c.sp.judges.quiet(&c.from, which)
}

func (c *cursor[L, M, H]) JudgeStep(v []uint32, l Label, w []uint32, which uint64) uint64 {
	if which&c.sp.judges.steps[l.Action] == 0 {
		return 0
	}
	c.fromView.see(v, &c.from)
	c.toView.see(w, &c.to)
	return c.sp.judges.step(&c.from, int(l.Action), Proc(l.Proc), &c.to, which)
}

func (c *cursor[L, M, H]) Origins(v []uint32, i int) uint64 {
	c.fromView.see(v, &c.from)
	return c.sp.judges.origins(&c.from, i)
}

func (c *cursor[L, M, H]) Roles(v []uint32, i, k int) Roles {
	c.fromView.see(v, &c.from)
	return c.sp.judges.roles(&c.from, i, k)
}

func (c *cursor[L, M, H]) Mail(v []uint32, to []Mail) []Mail {
	c.load(v)
	for p := range Proc(c.sp.c.N) {
		t := &c.sp.procs[p]
		for _, d := range c.delivers(&c.seats[p]) {
			to = append(to, Mail{p, d.letter, c.sp.c.timed(&t.letters.values[d.letter].M)})
		}
	}
	return to
}

func (c *cursor[L, M, H]) Receive(v []uint32, m Mail, b *Batch) {
	c.load(v)
	c.prepare(0, b)
	for _, d := range c.delivers(&c.seats[m.Proc]) {
		if d.letter == m.Letter {
			s := c.seats[m.Proc].situations
			mv := s.cells.find(s.of[c.seats[m.Proc].local].receiving, m.Letter)
			for mv := range c.m.all(*mv) {
				c.take(&c.seats[m.Proc], &c.m.effects.values[mv.kind.effect()], mv.local, d.rest, false)
			}
		}
	}
}
