package model

import (
	"fmt"
	"slices"
	"unsafe"
)

// Compose makes a composition explorable. If there is a mistake in it, Check tells.
func Compose[L, M, H comparable](c Composition[L, M, H]) Instance {
	if err := c.check(); err != nil {
		return Instance{mistake: err}
	}
	c.Names.count = c.N
	actions := c.actions()
	c.Properties = merged(spelledOut(c.Properties), c.namedPart)
	j := newJudges(c.Properties, actions)
	sp := &space[L, M, H]{
		c: &c, actions: actions, judges: j, machine: newMachine(c.N), procs: make([]tables[L, M], c.N),
	}
	sp.run = runner[L, M, H]{c: &c, again: true, yield: func(o outcome[L, M]) { sp.found = append(sp.found, sp.move(&o)) }}
	sp.whole = Global[L, M, H]{N: c.N, view: &sp.part}
	sp.settles, sp.limits, sp.guards = c.settles(), c.limits(), c.History.Guards
	sp.byTable = newJudgeTable(&c)
	sp.raise(&sp.byTable, false)
	for p := range sp.procs {
		sp.procs[p].gears = &sp.gears[p]
		sp.procs[p].inboxes.skip() // that of the dead
		sp.procs[p].inboxMarks = append(sp.procs[p].inboxMarks, false)
		sp.procs[p].inboxRows = append(sp.procs[p].inboxRows, inboxRows{})
		sp.timeInbox(&sp.procs[p], nil)
		sp.inbox(Proc(p), nil)
	}
	sp.start = sp.number(c.start().settled())
	sp.arrange(sp.sizes())
	return Instance{Space: sp, Plain: &worldPlain[L, M, H]{&c, j}, Nodes: newNodes(c)}
}

// namedPart names a part of a property that has no name: after the process, where there is one
// for each.
func (c *Composition[L, M, H]) namedPart(part, parts int) string {
	if parts == c.N {
		return c.Names.Of(Proc(part))
	}
	return numberedPart(part, parts)
}

// space is the Space of a composition. Local states, channel contents and
// histories are numbered as they are met, and a state is the vector of those
// numbers: for each process its local state and its inbox (everything on its way
// to it), and the history. What numbers turn into is the machine's.
type space[L, M, H comparable] struct {
	c       *Composition[L, M, H]
	actions []Action
	judges  judges[Global[L, M, H]]
	byTable judgeTable
	machine
	procs     []tables[L, M]
	postLists listed            // lists of posts, as pairs of numbers
	postFirst []uint32          // per list: where it begins in posts
	run       runner[L, M, H]   // of handlers in situations that are new
	from      uint32            // the local state in which it runs them
	found     []move            // what has come of it
	scratch   []uint32          // letters of an inbox
	part      partView[L, M, H] // of a state, to be judged
	whole     Global[L, M, H]   // as which properties see it
	key       []uint32          // of a list of posts
	histories numbered[H]
	events    numbered[Event]
	charges   numbered[Charges]
	start     []uint32 // numbers of the initial state
}

// tables are the numberings that belong to one process.
type tables[L, M comparable] struct {
	*gears
	locals  numbered[L]
	letters numbered[Letter[M]]
	inboxes listed      // of letters
	spelled []Letter[M] // the letters of inboxes.words
	bundles listed      // of letters that one step sends here
}

// Inbox 0 belongs to the dead: nothing is ever put into it. Its key is no
// multiple of four bytes long, so no letters have it.
const (
	closedInbox = "closed"
	dead        = 0
)

func (sp *space[L, M, H]) Width() int        { return sp.layout.width }
func (sp *space[L, M, H]) Actions() []Action { return sp.actions }
func (sp *space[L, M, H]) Properties() []PropertyInfo {
	is := info(sp.c.Properties)
	for i := range is {
		is[i].ByTable = sp.byTable.props>>i&1 == 1
	}
	return is
}
func (sp *space[L, M, H]) Fairness() []Fairness { return sp.c.Fairness }
func (sp *space[L, M, H]) Reduced() bool        { return false }
func (sp *space[L, M, H]) Delivery() Delivery   { return sp.c.Delivery }
func (sp *space[L, M, H]) Bounds() string       { return sp.c.bounds() }

// counts returns how many numbers each slot has to hold.
func (sp *space[L, M, H]) counts() []int {
	counts := make([]int, 2*sp.c.N+1)
	for p := range sp.procs {
		counts[p] = len(sp.procs[p].locals.values)
		counts[sp.inboxSlot(Proc(p))] = len(sp.procs[p].inboxes.spans)
	}
	counts[sp.historySlot()] = len(sp.histories.values)
	return counts
}

func (sp *space[L, M, H]) sizes() []int {
	sizes := sp.counts()
	for i, count := range sizes {
		sizes[i] = bitsFor(count)
	}
	if sp.c.History.Step == nil {
		sizes[sp.historySlot()] = 0
	}
	return sizes
}

// local returns the number of a local state of p.
func (sp *space[L, M, H]) local(p Proc, l L) uint32 {
	t := &sp.procs[p]
	id, isNew := t.locals.of(l)
	if isNew {
		l := &t.locals.values[id]
		t.outside = append(t.outside, sp.c.Constraint != nil && !sp.c.Constraint(p, l))
		t.localMarks = append(t.localMarks, sp.markLocal(p, l))
		sp.timeLocal(t, *l)
	}
	return id
}

// content returns the letters of an inbox.
func (t *tables[L, M]) content(inbox uint32) []Letter[M] {
	s := t.inboxes.spans[inbox]
	return t.spelled[s.first:][:s.n:s.n]
}

// inbox returns the number of the inbox of p with the given letters.
func (sp *space[L, M, H]) inbox(p Proc, letters []uint32) uint32 {
	t := &sp.procs[p]
	if sp.c.Network.Channel == Bag {
		slices.Sort(letters)
	} else {
		slices.SortStableFunc(letters, func(a, b uint32) int {
			return int(t.letters.values[a].From) - int(t.letters.values[b].From)
		})
	}
	id, isNew := t.inboxes.of(letters)
	if isNew {
		for _, letter := range letters {
			t.spelled = append(t.spelled, t.letters.values[letter])
		}
		content := t.content(id)
		t.inboxMarks = append(t.inboxMarks, sp.markInbox(p, content))
		t.inboxRows = append(t.inboxRows, inboxRows{delivers: unknown})
		sp.timeInbox(t, content)
	}
	return id
}

// number returns the numbers of a state.
func (sp *space[L, M, H]) number(w *world[L, M, H]) []uint32 {
	numbers := make([]uint32, 2*sp.c.N+1)
	for p := range Proc(sp.c.N) {
		numbers[p] = sp.local(p, w.local[p])
		if w.dead.Has(p) {
			numbers[sp.inboxSlot(p)] = dead
			continue
		}
		var letters []uint32
		for _, letter := range w.inbox[p] {
			id, _ := sp.procs[p].letters.of(letter)
			letters = append(letters, id)
		}
		numbers[sp.inboxSlot(p)] = sp.inbox(p, letters)
	}
	numbers[sp.historySlot()], _ = sp.histories.of(w.history)
	return numbers
}

func (sp *space[L, M, H]) Init(b *Batch) {
	var h hash
	for i, id := range sp.start {
		h = h.change(i, 0, id)
	}
	use, live := 0, 0
	for p := range sp.procs {
		if sp.start[sp.inboxSlot(Proc(p))] != dead {
			use, live = use+int(sp.procs[p].units(sp.start[p])), live+1
		}
	}
	v := b.add(0, 0, sp.alarms[live].mark(Trail(use)<<trailUse))
	clear(v[:b.Width])
	b.setHash(v, h)
	for i, id := range sp.start {
		sp.layout.slots[i].set(v, 0, id)
	}
	for p := range sp.procs {
		if sp.procs[p].outside[sp.start[p]] {
			b.moveOutside()
			return
		}
	}
}

// learn puts what is missing into the tables.
func (sp *space[L, M, H]) learn(m miss) {
	switch m.kind {
	case missSituation:
		sp.learnSituation(m.proc, m.a)
	case missDelivery:
		sp.learnDeliveries(m.proc, uint32(m.a))
	case missArrival:
		t := &sp.procs[m.proc]
		sp.scratch = append(append(sp.scratch[:0], t.inboxes.at(uint32(m.a))...), t.bundles.at(uint32(m.b))...)
		id := sp.inbox(m.proc, sp.scratch)
		t.arrivals.put(&t.inboxRows[m.a].arrives, uint32(m.b), id)
	case missHistory:
		h := sp.histories.values[m.a]
		if sp.c.History.Step(&h, sp.events.values[m.b]) {
			id, _ := sp.histories.of(h)
			sp.successor.put((m.a+1)<<32|m.b, uint64(id)<<1)
		} else {
			sp.successor.put((m.a+1)<<32|m.b, 1)
		}
	case missShiftedLocal, missShiftedInbox:
		sp.learnShift(m)
	}
}

// outgrown reports whether states no longer fit their vectors; it returns an error if
// there is more than can be numbered.
func (sp *space[L, M, H]) outgrown() (grow bool, err error) {
	slots := sp.layout.slots
	for p := range Proc(sp.c.N) {
		t := &sp.procs[p]
		grow = grow || !slots[p].fits(len(t.locals.values)) || !slots[sp.inboxSlot(p)].fits(len(t.inboxes.spans))
		if len(t.locals.values) > maxLocals || len(t.letters.values) > maxLetters {
			err = fmt.Errorf("%s has more than %d local states or %d messages to receive", sp.c.Names.Of(p), maxLocals, maxLetters)
		}
	}
	return grow || !slots[sp.historySlot()].fits(len(sp.histories.values)), err
}

// learnSituation runs the handlers of p in a situation that is new.
func (sp *space[L, M, H]) learnSituation(p Proc, key uint64) {
	t := &sp.procs[p]
	local := uint32(key>>40) & (maxLocals - 1)
	l := &t.locals.values[local]
	letter := uint32(key>>16) & maxLetters
	dead := Set(key)
	sp.from, sp.found = local, sp.found[:0]
	if letter == 0 {
		sp.run.idle(p, l, dead)
	} else {
		sp.run.react(p, l, t.letters.values[letter-1], dead)
	}
	mv := move{kind: noMoves}
	switch n := len(sp.found); n {
	case 0:
	case 1:
		mv = sp.found[0]
		mv.kind |= lastMove
	default:
		mv = move{uint32(len(sp.moves)), moveList}
		sp.found[n-1].kind |= lastMove
		sp.moves = append(sp.moves, sp.found...)
	}
	sp.situations(p, dead).put(local, letter, mv)
}

// move puts an outcome of what sp.run runs into numbers.
func (sp *space[L, M, H]) move(o *outcome[L, M]) move {
	p, dead := sp.run.p, sp.run.dead
	e := effect{label: Label{uint16(o.action), uint8(p), uint8(o.peer)}.word()}
	local := sp.local(p, o.local)
	switch {
	case o.crash:
		dead = dead.With(p)
		e.flags |= crashes
	case o.kind == Ordinary:
		e.flags |= ordinary
	}
	if sp.procs[p].outside[local] {
		e.flags |= outside
	}
	e.firstPost, e.posts = sp.address(p, o.sent, dead)
	var charges Charges
	for _, s := range o.sent {
		if !dead.Has(s.To) {
			sp.c.charge(&charges, p, s)
		}
	}
	e.charges, _ = sp.charges.of(charges)
	e.units = -sp.procs[p].units(sp.from)
	if !o.crash {
		e.units += sp.procs[p].units(local)
	}
	if !o.crash && !sp.settles {
		heard, many := sp.heard(e)
		e.trail = Trail(heard)<<trailHeard | Trail(p)
		if many {
			e.trail |= trailMany
		}
	}
	if sp.c.History.Step != nil && (o.note != 0 || o.crash) {
		event, _ := sp.events.of(Event{p, o.note, o.crash, dead})
		e.event = event + 1
		e.flags |= eventful
		e.trail |= trailNoted
	}
	number, _ := sp.effects.of(e)
	return move{local, moveKind(number << 2)}
}

// heard returns the processes to which an effect sends, and whether it sends more than
// one letter to one of them.
func (sp *space[L, M, H]) heard(e effect) (to Set, many bool) {
	for _, post := range sp.posts[e.firstPost:][:e.posts] {
		to = to.With(Proc(post.to))
		many = many || len(sp.procs[post.to].bundles.at(post.bundle)) > 1
	}
	return to, many
}

// learnDeliveries finds out which letters of an inbox can be received next.
func (sp *space[L, M, H]) learnDeliveries(p Proc, inbox uint32) {
	t := &sp.procs[p]
	first := uint32(len(t.deliveries))
	content := t.content(inbox)
	for i := range content {
		if deliverable(sp.c.Network.Channel, content, i) {
			letters := t.inboxes.at(inbox)
			sp.scratch = append(append(sp.scratch[:0], letters[:i]...), letters[i+1:]...)
			t.deliveries = append(t.deliveries, delivery{letters[i], sp.inbox(p, sp.scratch), sp.latest(content, i)})
		}
	}
	t.inboxRows[inbox].delivers = span{first, uint32(len(t.deliveries)) - first}
}

// latest returns the sender of letter i, which is deliverable, if it may be the last
// that it sent, else MaxProcs.
func (sp *space[L, M, H]) latest(inbox []Letter[M], i int) Proc {
	from := inbox[i].From
	for _, later := range inbox[i+1:] {
		if sp.c.Network.Channel == FIFO && later.From == from {
			return MaxProcs
		}
	}
	return from
}

// address turns messages into a list of posts, one for each living target.
func (sp *space[L, M, H]) address(from Proc, sent []Sent[M], dead Set) (first uint32, n uint8) {
	if len(sent) == 0 {
		return 0, 0
	}
	sp.key = sp.key[:0]
	for to := range Proc(sp.c.N) {
		if dead.Has(to) {
			continue
		}
		t := &sp.procs[to]
		sp.scratch = sp.scratch[:0]
		for _, s := range sent {
			if s.To == to {
				id, _ := t.letters.of(Letter[M]{from, s.M})
				sp.scratch = append(sp.scratch, id)
			}
		}
		if len(sp.scratch) > 0 {
			bundle, _ := t.bundles.of(sp.scratch)
			sp.key = append(sp.key, uint32(to), bundle)
		}
	}
	number, isNew := sp.postLists.of(sp.key)
	if isNew {
		sp.postFirst = append(sp.postFirst, uint32(len(sp.posts)))
		for i := 0; i < len(sp.key); i += 2 {
			sp.posts = append(sp.posts, post{sp.key[i], sp.key[i+1]})
		}
	}
	return sp.postFirst[number], uint8(len(sp.key) / 2)
}

func (sp *space[L, M, H]) Grow() Translation {
	old := sp.layout
	sp.arrange(sp.sizes())
	return old.translate(sp.layout)
}

func (sp *space[L, M, H]) Footprint() int64 {
	var l L
	var m Letter[M]
	var h H
	const entry = 48 // of a Go map, besides the key
	size := sp.bytes() + len(sp.histories.values)*(2*int(unsafe.Sizeof(h))+entry)
	for p := range sp.procs {
		t := &sp.procs[p]
		size += len(t.locals.values)*(2*int(unsafe.Sizeof(l))+entry) +
			len(t.letters.values)*(2*int(unsafe.Sizeof(m))+entry) +
			t.bundles.bytes() + t.inboxes.bytes()
		size += len(t.spelled) * (12 + int(unsafe.Sizeof(m))) // and a delivery of each
	}
	return int64(size)
}

func (sp *space[L, M, H]) Decode(v []uint32) State {
	w := &world[L, M, H]{c: sp.c}
	for p := range Proc(sp.c.N) {
		t := &sp.procs[p]
		inbox := sp.layout.slots[sp.inboxSlot(p)].get(v)
		if inbox == dead {
			w.dead = w.dead.With(p)
		}
		w.local = append(w.local, t.locals.values[sp.layout.slots[p].get(v)])
		w.inbox = append(w.inbox, t.content(inbox))
	}
	w.history = sp.histories.values[sp.layout.slots[sp.historySlot()].get(v)]
	return w
}
