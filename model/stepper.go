package model

// stepper expands the states of a machine. It reads the tables and allocates nothing.
// What is needed for each successor is kept in fixed arrays, indexed by process & 15,
// because this is the inner loop of the search.
type stepper struct {
	m            *machine
	n            int
	history      place
	locals       [MaxProcs]place
	inboxes      [MaxProcs]place
	local, inbox [MaxProcs]uint32 // numbers of the state at hand
	past         uint32           // the number of its history
	dead         Set
	sum          hash // of the state at hand
	came         Trail
	v            []uint32 // the state at hand
	b            *Batch
	enabled      Enabled
	miss         Miss   // valid after Expand returned false
	then         uint32 // the history after the move at hand
	excluded     bool   // the history excludes that move
}

// A place is where a number of the state stands in vectors, and what it counts in the hash.
type place struct {
	slot
	constant hash
}

func newStepper(m *machine) (c stepper) {
	at := func(i int) place { return place{m.layout.slots[i], m.constants[i]} }
	c.m, c.n = m, len(m.gears)
	for p := range c.n {
		c.locals[p], c.inboxes[p] = at(p), at(m.inboxSlot(Proc(p)))
	}
	c.history = at(m.historySlot())
	return c
}

// change changes the number in vector v from old to new, and returns the hash h after that.
func (x *place) change(v []uint32, h hash, old, new uint32) hash {
	x.set(v, old, new)
	return h + (hash(new)-hash(old))*x.constant
}

func (c *stepper) Missed() Miss { return c.miss }

func (c *stepper) missed(m Miss) bool {
	c.miss = m
	return false
}

// load takes a vector apart.
func (c *stepper) load(v []uint32) {
	c.dead = 0
	c.past = c.history.get(v)
	h := hash(c.past) * c.history.constant
	for p := range c.n {
		l, i := &c.locals[p&15], &c.inboxes[p&15]
		local, inbox := l.get(v), i.get(v)
		c.local[p&15], c.inbox[p&15] = local, inbox
		h += hash(local)*l.constant + hash(inbox)*i.constant
		if inbox == dead {
			c.dead = c.dead.With(Proc(p))
		}
	}
	c.sum = h
}

func (c *stepper) Hash(v []uint32) uint64 {
	h := hash(c.history.get(v)) * c.history.constant
	for p := range c.n {
		l, i := &c.locals[p&15], &c.inboxes[p&15]
		h += hash(l.get(v))*l.constant + hash(i.get(v))*i.constant
	}
	return uint64(h)
}

func (c *stepper) Expand(v []uint32, came Trail, b *Batch) (e Enabled, ok bool) {
	begin := b.Mark()
	c.load(v)
	c.v, c.came, c.b, c.enabled = v, came, b, Enabled{}
	for p := range Proc(c.n) {
		if c.inbox[p&15] != dead && !c.expandProcess(p) {
			b.cut(begin)
			return e, false
		}
	}
	return c.enabled, true
}

// row returns what p can do in its local state.
func (c *stepper) row(p Proc) []rowCell {
	if i := int(c.m.deadSets[c.dead]) - 1; i >= 0 {
		return c.m.gears[p].situations[i].row(c.local[p&15])
	}
	return emptyRow
}

// expandProcess adds the successors to which p can go.
func (c *stepper) expandProcess(p Proc) bool {
	inbox := c.inbox[p&15]
	row := c.row(p)
	known := p < c.came.proc()
	first, ok := find(row, 0)
	if !ok {
		return c.missed(Miss{kind: missSituation, proc: p, a: situationKey(c.local[p&15], 0, c.dead)})
	}
	if first != 0 && !c.takeAll(p, first, inbox, known) {
		return false
	}
	g := &c.m.gears[p]
	list := g.delivers[inbox]
	if list == unknown {
		return c.missed(Miss{kind: missDelivery, proc: p, a: uint64(inbox)})
	}
	for i := range g.deliveries[list.first:][:list.n] {
		d := &g.deliveries[list.first:][i]
		first, ok := find(row, d.letter+1)
		if !ok {
			return c.missed(Miss{kind: missSituation, proc: p, a: situationKey(c.local[p&15], d.letter+1, c.dead)})
		}
		if first != 0 && !c.takeAll(p, first, d.rest, known && !(c.came.heard(p) && d.from == c.came.proc())) {
			return false
		}
	}
	return true
}

// last is the number before 0: a loop over moves that goes on from there ends.
const last = ^uint32(0)

// takeAll adds the successors to which the moves from the first on lead; rest is
// the inbox without the letter received, and known says that the steps were possible
// before the state at hand was reached. On a miss it may leave the batch with
// half a successor, which Expand cuts off.
func (c *stepper) takeAll(p Proc, first, rest uint32, known bool) bool {
	for i := first; i != 0; i++ {
		mv := c.m.moves[i]
		e := &c.m.effects.values[mv.effect>>1]
		if mv.effect&1 == 1 {
			i = last
		}
		if e.event != 0 && !c.remember(p, e) {
			return false
		}
		if e.event != 0 && c.excluded && c.m.guards {
			continue
		}
		c.enabled.Ordinary = c.enabled.Ordinary || e.flags&ordinary != 0
		if e.event != 0 && c.excluded {
			c.enabled.Pruned++
			c.b.Pruned = append(c.b.Pruned, Label{e.action, uint8(p), e.peer})
			continue
		}
		c.enabled.Steps++
		if known && e.flags&(outside|crashes) == 0 && !(e.event != 0 && c.came.noted()) {
			c.b.Known = append(c.b.Known, Label{e.action, uint8(p), e.peer})
			continue
		}
		if !c.take(p, mv.local, e, rest) {
			return false
		}
	}
	return true
}

// remember finds the history after a move, c.then, or that the move is excluded.
func (c *stepper) remember(p Proc, e *effect) bool {
	event := uint64(e.event - 1)
	r, ok := c.m.successor.get(uint64(c.past+1)<<32 | event)
	if !ok {
		c.miss = Miss{missHistory, p, uint64(c.past), event}
	}
	c.then, c.excluded = uint32(r>>1), r&1 == 1
	return ok
}

// take adds the successor to which a move of p leads.
func (c *stepper) take(p Proc, local uint32, e *effect, rest uint32) bool {
	if e.flags&crashes != 0 {
		rest = dead
	}
	to := &c.b.Records
	if e.flags&outside != 0 && !c.m.settles {
		to = &c.b.Outside
	}
	rec := to.add(Label{e.action, uint8(p), e.peer}, Parent(uint64(c.sum)))
	//nolint:staticcheck // a few words: a loop is faster than copy
	for i, x := range c.v {
		rec[i] = x
	}
	h := c.locals[p&15].change(rec, c.sum, c.local[p&15], local)
	h = c.inboxes[p&15].change(rec, h, c.inbox[p&15], rest)
	if e.posts > 0 {
		for _, post := range c.m.posts[e.firstPost:][:e.posts] {
			inbox := c.inbox[post.to&15]
			if post.to == uint32(p) {
				inbox = rest
			}
			r, ok := find(c.m.gears[post.to].arrivals.row(inbox), post.bundle)
			if !ok {
				return c.missed(Miss{missArrival, Proc(post.to), uint64(inbox), uint64(post.bundle)})
			}
			h = c.inboxes[post.to&15].change(rec, h, inbox, r)
		}
	}
	if e.event != 0 {
		h = c.history.change(rec, h, c.past, c.then)
	}
	to.setHash(rec, h)
	rec[to.Width+RecordTrail] = uint32(e.trail)
	return !c.m.settles || c.settle(rec, e.flags&outside != 0)
}
