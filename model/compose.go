package model

import (
	"fmt"
	"slices"
	"unsafe"
)

// Compose makes a composition explorable. If there is a mistake in it, Check tells.
func Compose[L, M, H comparable](c Composition[L, M, H]) (in Instance) {
	defer caught(&in)()
	if err := c.check(); err != nil {
		return Instance{mistake: err}
	}
	c.Names.count = c.N
	actions := c.actions()
	c.Properties = merged(assume(spelledOut(c.Properties), c.Assume), c.namedPart)
	j := newJudges(c.Properties, actions)
	sp := &space[L, M, H]{
		c: &c, actions: actions, judges: j, machine: newMachine(c.N), procs: make([]tables[L, M], c.N),
	}
	sp.run = runner[L, M, H]{c: &c, again: true, yield: func(o outcome[L, M]) { sp.found = append(sp.found, sp.move(&o)) }}
	sp.whole = Global[L, M, H]{N: c.N, view: &sp.part}
	sp.settles, sp.limits, sp.guards = c.settles(), c.limits(), c.History.Guards
	if c.Links != nil {
		sp.links, sp.rising, sp.revives = true, c.Links.Rising, c.Links.Recover != nil
	}
	sp.numberFaults()
	sp.byTable = newJudgeTable(&c)
	sp.raise(&sp.byTable, false)
	for p := range sp.procs {
		sp.procs[p].gears = &sp.gears[p]
		sp.procs[p].inboxes.skip() // that of the dead
		sp.procs[p].inboxMarks = append(sp.procs[p].inboxMarks, false)
		sp.procs[p].inboxRows = append(sp.procs[p].inboxRows, inboxRows{})
		sp.procs[p].inboxTraces = append(sp.procs[p].inboxTraces, trace{})
		sp.timeInbox(&sp.procs[p], nil)
		sp.inbox(Proc(p), nil)
	}
	sp.start = sp.number(c.start().settled())
	sp.arrange(sp.sizes())
	return Instance{Space: sp, Plain: &worldPlain[L, M, H]{&c, j}, Nodes: newNodes(c), Capacity: c.Capacity}
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
	exhausted bool              // one of them has asked for a number in vain
	found     []move            // what has come of it
	scratch   []uint32          // letters of an inbox
	part      partView[L, M, H] // of a state, to be judged
	whole     Global[L, M, H]   // as which properties see it
	key       []uint32          // of a list of posts
	histories numbered[past[H]]
	pastCodes []Code // likewise
	events    numbered[occurrence]
	charges   numbered[Charges]
	start     []uint32 // numbers of the initial state
	learnt    []learnt // since it was verified
	reruns    rerun[L, M, H]
	shown     L // to functions of the model that look at a local state
}

// past is the part of a state that no handler reads.
type past[H comparable] struct {
	history H
	record  record
}

// An occurrence is what the history, and the record, are told of a step.
type occurrence struct {
	Event
	fault fault
}

// tables are the numberings that belong to one process.
type tables[L, M comparable] struct {
	*gears
	locals  numbered[L]
	letters numbered[Letter[M]]
	inboxes listed      // of letters
	spelled []Letter[M] // the letters of inboxes.words
	bundles listed      // of letters that one step sends here

	localCodes, inboxCodes []Code // by number, as far as they were asked for
}

// Inbox 0 belongs to the dead: nothing is ever put into it. Its key is no
// multiple of four bytes long, so no letters have it.
const (
	closedInbox = "closed"
	dead        = 0
	emptyInbox  = 1
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
	if sp.c.History.Step == nil && !sp.c.recovers() && !sp.c.Network.Faults.some() {
		sizes[sp.historySlot()] = 0
	}
	return sizes
}

// local returns the number of a local state of p.
func (sp *space[L, M, H]) local(p Proc, l L) uint32 {
	if id, known := sp.procs[p].locals.index[l]; known {
		return id
	}
	return sp.newLocal(p, l)
}

// newLocal gives a number to a local state of p that has none. It has none either if what the
// model says of it fails.
func (sp *space[L, M, H]) newLocal(p Proc, l L) uint32 {
	t := &sp.procs[p]
	sp.shown = l
	outside, marked := !sp.c.keeps(p, &sp.shown), sp.markLocal(p, &sp.shown)
	if sp.links {
		defer named(part("Links.Numbers"))
		t.localTraces = append(t.localTraces[:len(t.locals.values)], sp.c.Links.ofLocal(&sp.shown))
	}
	sp.timeLocal(t, l)
	t.outside, t.localMarks = append(t.outside, outside), append(t.localMarks, marked)
	if l != sp.shown {
		panic(&Error{
			Part: "Constraint, Units or a property", What: meddling,
			First: spelled(l, sp.c.Names), Second: spelled(sp.shown, sp.c.Names),
		})
	}
	id := t.locals.add(l)
	sp.learnt = append(sp.learnt, learnt{miss: miss{kind: learntLocal, proc: p, a: uint64(id)}})
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
	if id, known := t.inboxes.find(letters); known {
		return id
	}
	t.spelled = t.spelled[:len(t.inboxes.words)] // without those of an inbox of which a property failed
	for _, letter := range letters {
		t.spelled = append(t.spelled, t.letters.values[letter])
	}
	content := t.spelled[len(t.inboxes.words):]
	bad := sp.markInbox(p, content)
	if sp.links {
		defer named(part("Links"))
		t.inboxTraces = append(t.inboxTraces[:len(t.inboxes.spans)], sp.c.traceOf(content))
	}
	sp.timeInbox(t, content)
	t.inboxMarks, t.inboxRows = append(t.inboxMarks, bad), append(t.inboxRows, inboxRows{delivers: unknown})
	return t.inboxes.add(letters)
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
	numbers[sp.historySlot()] = sp.past(past[H]{w.history, w.record})
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
		sp.learnSituation(m.proc, m.a, surrounding(m.b))
	case missDelivery:
		sp.learnDeliveries(m.proc, uint32(m.a))
	case missArrival:
		t := &sp.procs[m.proc]
		t.arrivals.put(&t.inboxRows[m.a].arrives, uint32(m.b), sp.arrived(m.proc, uint32(m.a), uint32(m.b)))
	case missHistory:
		sp.successor.put((m.a+1)<<32|m.b, sp.learnHistory(sp.histories.values[m.a], sp.events.values[m.b]))
		sp.learnt = append(sp.learnt, learnt{miss: m})
	case missCopy:
		t := &sp.procs[m.proc]
		sp.scratch = append(sp.scratch[:0], t.inboxes.at(uint32(m.a))...)
		i := slices.Index(sp.scratch, uint32(m.b)) // the first that can be received
		t.copies.put((m.a+1)<<32|m.b, uint64(sp.inbox(m.proc, slices.Insert(sp.scratch, i, uint32(m.b)))))
	case missBroken:
		t := &sp.procs[m.proc]
		l := t.locals.values[m.a]
		sp.c.Links.breaks(&l, Proc(m.b))
		t.broken.put((m.a+1)<<8|m.b, uint64(sp.local(m.proc, l)))
	case missShiftedLocal, missShiftedInbox:
		sp.learnShift(m)
	}
}

// numberFaults numbers what the channel adversary can do.
func (sp *space[L, M, H]) numberFaults() {
	f := &sp.c.Network.Faults
	for _, x := range f.faults() {
		a := x.action()
		event, _ := sp.events.of(occurrence{fault: x})
		known := knownFault{fault: x, ordinary: a.Kind == Ordinary, action: uint16(sp.c.faultAction(x)), event: event + 1}
		if x == breakFault { // a step of the process whose link it is
			continue
		}
		if x == lossFault || x == copyFault {
			sp.ofMessages = append(sp.ofMessages, known)
		} else {
			sp.ofNetwork = append(sp.ofNetwork, known)
		}
	}
	sp.parted = f.Split != 0
}

// past returns the number of a history.
func (sp *space[L, M, H]) past(h past[H]) uint32 {
	id, isNew := sp.histories.of(h)
	if isNew {
		sp.apart = append(sp.apart, h.record.partition == split)
	}
	return id
}

// learnHistory returns what becomes of a history after an event, as it stands in successor.
func (sp *space[L, M, H]) learnHistory(h past[H], o occurrence) uint64 {
	e := o.Event
	if e.Crash && sp.c.recovers() {
		if int(h.record.crashes) >= sp.c.Network.Crashes {
			return impossible
		}
		h.record.crashes++
	}
	if !h.record.befall(o.fault, &sp.c.Network.Faults) {
		return impossible
	}
	if sp.c.History.Step != nil && (e.Note != 0 || e.Crash) && !sp.c.remember(&h.history, e) {
		return excluded
	}
	return uint64(sp.past(h)) << 2
}

// arrived returns the inbox of p after the arrival of a bundle in another.
func (sp *space[L, M, H]) arrived(p Proc, inbox, bundle uint32) uint32 {
	t := &sp.procs[p]
	sp.scratch = append(sp.scratch[:0], t.inboxes.at(inbox)...)
	for _, letter := range t.bundles.at(bundle) {
		if letter&cutMark == 0 {
			sp.scratch = append(sp.scratch, letter)
			continue
		}
		sp.scratch = slices.DeleteFunc(sp.scratch, func(known uint32) bool {
			return t.letters.values[known].From == Proc(letter&^cutMark)
		})
	}
	return sp.inbox(p, sp.scratch)
}

// cutMark is set in the element of a bundle that stands for no letter, but cuts off all that
// the process whose number is in the other bits has under way.
const cutMark = 1 << 31

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
	if sp.exhausted {
		err = errExhausted
	}
	return grow || !slots[sp.historySlot()].fits(len(sp.histories.values)), err
}

// learnSituation runs the handlers of p in a situation that is new.
func (sp *space[L, M, H]) learnSituation(p Proc, key uint64, learns surrounding) {
	t := &sp.procs[p]
	local := uint32(key>>40) & (maxLocals - 1)
	l := &t.locals.values[local]
	letter := uint32(key>>16) & maxLetters
	in := setting{Set(key), learns}
	sp.from, sp.found = local, sp.found[:0]
	if letter == 0 {
		sp.run.idle(p, l, in)
	} else {
		sp.run.react(p, l, t.letters.values[letter-1], in)
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
	sp.situations(p, in).put(local, letter, mv)
	sp.learnt = append(sp.learnt, learnt{miss{kind: missSituation, proc: p, a: key}, learns})
}

// move puts an outcome of what sp.run runs into numbers.
func (sp *space[L, M, H]) move(o *outcome[L, M]) move {
	p, dead := sp.run.p, sp.run.in.dead
	sp.exhausted = sp.exhausted || o.exhausted
	e := effect{label: Label{uint16(o.action), uint8(p), uint8(o.peer)}.word()}
	local := sp.local(p, o.local)
	if o.crash {
		dead = dead.With(p)
		e.flags |= crashes
	} else if o.kind == Ordinary {
		e.flags |= ordinary
	}
	if o.revives {
		dead = dead.Without(p)
	}
	if sp.procs[p].outside[local] {
		e.flags |= outside
	}
	e.firstPost, e.posts = sp.address(p, o, dead)
	var charges Charges
	for _, s := range o.sent {
		if !dead.Has(s.To) {
			sp.c.charge(&charges, p, s)
		}
	}
	e.charges, _ = sp.charges.of(charges)
	if !o.revives {
		e.units = -sp.procs[p].units(sp.from)
	}
	if !o.crash {
		e.units += sp.procs[p].units(local)
	}
	if !o.crash && !sp.settles && !sp.links {
		heard, many := sp.heard(e)
		e.trail = Trail(heard)<<trailHeard | Trail(p)
		if many {
			e.trail |= trailMany
		}
	}
	if sp.c.History.Step != nil && (o.note != 0 || o.crash) || sp.links && o.crash || o.fault != noFault {
		event, _ := sp.events.of(occurrence{Event{p, o.note, o.crash, dead}, o.fault})
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
	content := t.content(inbox)
	f := &sp.c.Network.Faults
	if f.moves() {
		t.failing = upTo(t.failing, inbox)
		t.failing[inbox] = sp.deliveries(p, inbox, false, func(i int) bool { return f.concerns(content[i].From, p) })
	}
	if f.Split != 0 {
		t.inside = upTo(t.inside, inbox)
		t.inside[inbox] = sp.deliveries(p, inbox, true, func(i int) bool { return !f.crosses(content[i].From, p) })
	}
	t.inboxRows[inbox].delivers = sp.deliveries(p, inbox, true, func(int) bool { return true })
}

// upTo returns a table with room for entry i.
func upTo(table []span, i uint32) []span {
	for len(table) <= int(i) {
		table = append(table, span{})
	}
	return table
}

// deliveries adds a list of those letters of an inbox that can be received next and of
// which is holds. It is that of receipts, or else holds the senders as they are.
func (sp *space[L, M, H]) deliveries(p Proc, inbox uint32, receipts bool, is func(i int) bool) span {
	t := &sp.procs[p]
	content := t.content(inbox)
	first := uint32(len(t.deliveries))
	for i := range content {
		if !deliverable(sp.c.Network.Channel, content, i) || !is(i) {
			continue
		}
		letters := t.inboxes.at(inbox)
		sp.scratch = append(append(sp.scratch[:0], letters[:i]...), letters[i+1:]...)
		d := delivery{letters[i], sp.inbox(p, sp.scratch), content[i].From}
		if receipts {
			d.from = sp.latest(content, i)
		}
		t.deliveries = append(t.deliveries, d)
	}
	return span{first, uint32(len(t.deliveries)) - first}
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

// address turns what an outcome sends and cuts off into a list of posts, one for each
// living target.
func (sp *space[L, M, H]) address(from Proc, o *outcome[L, M], dead Set) (first uint32, n uint8) {
	if len(o.sent) == 0 && o.cut == 0 {
		return 0, 0
	}
	sp.key = sp.key[:0]
	for to := range Proc(sp.c.N) {
		if dead.Has(to) {
			continue
		}
		t := &sp.procs[to]
		sp.scratch = sp.scratch[:0]
		if o.cut.has(to) {
			sp.scratch = append(sp.scratch, cutMark|uint32(from))
		}
		for _, s := range o.sent {
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

func (sp *space[L, M, H]) Grown() int { return pack(sp.sizes()).width }

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
	h := &sp.histories.values[sp.layout.slots[sp.historySlot()].get(v)]
	w.history, w.record = h.history, h.record
	return w
}
