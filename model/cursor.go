package model

// cursor expands and judges the states of a composition. It reads the tables of
// the space and allocates nothing.
type cursor[L, M, H comparable] struct {
	sp           *space[L, M, H]
	local, inbox [MaxProcs]uint32 // numbers of the state at hand
	history      uint32
	dead         Set
	came         Trail
	sum          hash   // of the state at hand
	miss         Miss   // valid after Expand returned false
	then         uint32 // the history after the move at hand
	excluded     bool   // the history excludes that move
	from, to     Global[L, M, H]
	fromView     vectorView[L, M, H]
	toView       vectorView[L, M, H]
}

func (sp *space[L, M, H]) NewCursor() Cursor {
	c := &cursor[L, M, H]{sp: sp}
	c.fromView.sp, c.toView.sp = sp, sp
	c.from = Global[L, M, H]{N: sp.c.N, view: &c.fromView}
	c.to = Global[L, M, H]{N: sp.c.N, view: &c.toView}
	return c
}

// A vectorView shows a vector to properties.
type vectorView[L, M, H comparable] struct {
	sp *space[L, M, H]
	v  []uint32
}

func (w *vectorView[L, M, H]) local(p Proc) *L {
	return &w.sp.procs[p].locals.values[w.sp.layout.slots[p].get(w.v)]
}

func (w *vectorView[L, M, H]) inbox(p Proc) []Letter[M] {
	return w.sp.procs[p].contents[w.sp.layout.slots[w.sp.inboxSlot(p)].get(w.v)]
}

func (w *vectorView[L, M, H]) inUse(dead Set) (n int) {
	for p := range w.sp.procs {
		if !dead.Has(Proc(p)) {
			n += int(w.sp.procs[p].units[w.sp.layout.slots[p].get(w.v)])
		}
	}
	return n
}

func (w *vectorView[L, M, H]) history() *H {
	return &w.sp.histories.values[w.sp.layout.slots[w.sp.historySlot()].get(w.v)]
}

func (c *cursor[L, M, H]) Missed() Miss { return c.miss }

// load takes a vector apart.
func (c *cursor[L, M, H]) load(v []uint32) {
	n := c.sp.c.N
	slots := c.sp.layout.slots
	c.dead = 0
	c.history = slots[2*n].get(v)
	h := hash(0).change(2*n, 0, c.history)
	for p := range n {
		c.local[p] = slots[p].get(v)
		c.inbox[p] = slots[n+p].get(v)
		h = h.change(p, 0, c.local[p]).change(n+p, 0, c.inbox[p])
		if c.inbox[p] == dead {
			c.dead = c.dead.With(Proc(p))
		}
	}
	c.sum = h
}

func (c *cursor[L, M, H]) Hash(v []uint32) uint64 {
	var h hash
	for i, s := range c.sp.layout.slots {
		h = h.change(i, 0, s.get(v))
	}
	return uint64(h)
}

func (c *cursor[L, M, H]) Expand(v []uint32, came Trail, b *Batch) (e Enabled, ok bool) {
	begin := b.Mark()
	c.load(v)
	c.came = came
	e.Hash = uint64(c.sum)
	for p := range Proc(c.sp.c.N) {
		if c.dead.Has(p) {
			continue
		}
		if !c.expandProcess(v, p, b, &e) {
			b.Cut(begin)
			return e, false
		}
	}
	return e, true
}

// expandProcess adds the successors to which p can go.
func (c *cursor[L, M, H]) expandProcess(v []uint32, p Proc, b *Batch, e *Enabled) bool {
	t := &c.sp.procs[p]
	row := c.row(t, p)
	asleep := p < Proc(c.came&15)
	first, ok := find(row, 0)
	if !ok {
		c.miss = Miss{kind: missSituation, proc: p, a: situationKey(c.local[p], 0, c.dead)}
		return false
	}
	if !c.takeAll(v, p, first, c.inbox[p], asleep, b, e) {
		return false
	}
	list := t.delivers[c.inbox[p]]
	if list == unknown {
		c.miss = Miss{kind: missDelivery, proc: p, a: uint64(c.inbox[p])}
		return false
	}
	for _, d := range t.deliveries[list.first:][:list.n] {
		old := asleep && (c.came>>16>>p&1 == 0 || t.letters.values[d.letter].From != Proc(c.came&15))
		first, ok := find(row, d.letter+1)
		if !ok {
			c.miss = Miss{kind: missSituation, proc: p, a: situationKey(c.local[p], d.letter+1, c.dead)}
			return false
		}
		if !c.takeAll(v, p, first, d.rest, old, b, e) {
			return false
		}
	}
	return true
}

// last is the number before 0: a loop over moves that goes on from there ends.
const last = ^uint32(0)

// row returns what p can do in its local state.
func (c *cursor[L, M, H]) row(t *tables[L, M], p Proc) []rowCell {
	if i := int(c.sp.deadSets[c.dead]) - 1; i >= 0 {
		return t.situations[i].row(c.local[p&15])
	}
	return emptyRow
}

// takeAll adds the successors to which the moves from the first on lead; rest is
// the inbox without the letter received. On a miss it may leave the batch with
// half a successor, which Expand cuts off.
func (c *cursor[L, M, H]) takeAll(v []uint32, p Proc, first, rest uint32, asleep bool, b *Batch, e *Enabled) bool {
	sp := c.sp
	for i := first; i != 0; i++ {
		m := sp.moves[i]
		mv := &sp.effects.values[m.effect>>1]
		if m.effect&1 == 1 {
			i = last
		}
		if mv.event != 0 && !c.remember(p, mv) {
			return false
		}
		if mv.event != 0 && c.excluded && sp.c.History.Guards {
			continue
		}
		e.Ordinary = e.Ordinary || mv.flags&ordinary != 0
		if mv.event != 0 && c.excluded {
			e.Pruned++
			b.Pruned = append(b.Pruned, Label{mv.action, uint8(p), mv.peer})
			continue
		}
		if asleep && mv.flags&(outside|crashes) == 0 && (mv.event == 0 || c.came&(1<<8) == 0) {
			b.Loops = append(b.Loops, Label{mv.action, uint8(p), mv.peer})
			e.Steps++
			continue
		}
		if !c.take(v, p, m.local, mv, rest, b, e) {
			return false
		}
		e.Steps++
	}
	return true
}

// remember finds the history after a move, c.then, or that the move is excluded.
func (c *cursor[L, M, H]) remember(p Proc, mv *effect) bool {
	event := uint64(mv.event - 1)
	r, ok := c.sp.successor.get(uint64(c.history+1)<<32 | event)
	if !ok {
		c.miss = Miss{missHistory, p, uint64(c.history), event}
	}
	c.then, c.excluded = uint32(r>>1), r&1 == 1
	return ok
}

// take adds the successor to which a move of p leads.
func (c *cursor[L, M, H]) take(v []uint32, p Proc, local uint32, mv *effect, rest uint32, b *Batch, e *Enabled) bool {
	sp := c.sp
	slots := sp.layout.slots
	n := sp.c.N
	if mv.flags&crashes != 0 {
		rest = dead
	}
	b.Reserve(1)
	t := b.Add(Label{mv.action, uint8(p), mv.peer}, 0)
	//nolint:staticcheck // a few words: a loop is faster than copy
	for i, x := range v {
		t[i] = x
	}
	slots[p].set(t, c.local[p&15], local)
	slots[n+int(p)].set(t, c.inbox[p&15], rest)
	h := c.sum.change(int(p), c.local[p&15], local)
	h = h.change(n+int(p), c.inbox[p&15], rest)
	if mv.posts > 0 {
		for _, post := range sp.posts[mv.firstPost:][:mv.posts] {
			inbox := c.inbox[post.to&15]
			if post.to == uint32(p) {
				inbox = rest
			}
			r, ok := find(sp.procs[post.to].arrivals.row(inbox), post.bundle)
			if !ok {
				c.miss = Miss{missArrival, Proc(post.to), uint64(inbox), uint64(post.bundle)}
				return false
			}
			slots[n+int(post.to)].set(t, inbox, r)
			h = h.change(n+int(post.to), inbox, r)
		}
	}
	if mv.event != 0 {
		slots[2*n].set(t, c.history, c.then)
		h = h.change(2*n, c.history, c.then)
	}
	b.Hashes[len(b.Hashes)-1] = uint64(h)
	b.Trails[len(b.Trails)-1] = mv.trail
	out := mv.flags&outside != 0
	if sp.settles {
		beyond, ok := c.settle(b)
		if !ok {
			return false
		}
		if beyond && !out {
			e.Beyond++
		}
		out = out || beyond
	}
	if out {
		b.MoveOutside()
	}
	return true
}

func (c *cursor[L, M, H]) Charges(v []uint32, to []Charges) []Charges {
	c.load(v)
	for p := range Proc(c.sp.c.N) {
		if c.dead.Has(p) {
			continue
		}
		t := &c.sp.procs[p]
		row := c.row(t, Proc(p))
		to = c.chargesOf(p, row, 0, to)
		list := t.delivers[c.inbox[p]]
		for _, d := range t.deliveries[list.first:][:list.n] {
			to = c.chargesOf(p, row, d.letter+1, to)
		}
	}
	return to
}

// chargesOf appends what the moves in one situation cost, those left out that
// takeAll leaves out.
func (c *cursor[L, M, H]) chargesOf(p Proc, row []rowCell, letter uint32, to []Charges) []Charges {
	first, _ := find(row, letter)
	for i := first; i != 0; i++ {
		m := c.sp.moves[i]
		mv := &c.sp.effects.values[m.effect>>1]
		if m.effect&1 == 1 {
			i = last
		}
		if mv.flags&outside != 0 || mv.event != 0 && c.remember(p, mv) && c.excluded {
			continue
		}
		to = append(to, c.sp.charges.values[mv.charges])
	}
	return to
}

func (c *cursor[L, M, H]) Served(v []uint32, i int) int {
	c.fromView.see(v, &c.from)
	return c.sp.judges.served(&c.from, i)
}

// see shows v to properties, through g.
func (w *vectorView[L, M, H]) see(v []uint32, g *Global[L, M, H]) {
	w.v = v
	if w.sp.c.Network.Crashes == 0 {
		return
	}
	g.Dead = 0
	for p := range Proc(g.N) {
		if w.sp.layout.slots[w.sp.inboxSlot(p)].get(v) == dead {
			g.Dead = g.Dead.With(p)
		}
	}
}

func (c *cursor[L, M, H]) Judge(v []uint32, which uint64) uint64 {
	c.fromView.see(v, &c.from)
	return c.sp.judges.states(&c.from, which)
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
		list := t.delivers[c.inbox[p]]
		for _, d := range t.deliveries[list.first:][:list.n] {
			to = append(to, Mail{p, d.letter, c.sp.c.timed(&t.letters.values[d.letter].M)})
		}
	}
	return to
}

func (c *cursor[L, M, H]) Receive(v []uint32, m Mail, b *Batch) {
	c.load(v)
	t := &c.sp.procs[m.Proc]
	list := t.delivers[c.inbox[m.Proc]]
	for _, d := range t.deliveries[list.first:][:list.n] {
		if d.letter == m.Letter {
			var e Enabled
			first, _ := find(c.row(t, m.Proc), d.letter+1)
			c.takeAll(v, m.Proc, first, d.rest, false, b, &e)
		}
	}
}
