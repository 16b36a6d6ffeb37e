package kernel

import "github.com/atmostk/atmostk/model/protocol"

// stepper expands the states of a machine. It reads the tables and allocates nothing.
// Fixed arrays, indexed by process & procMask, have the data for each successor,
// because this is the inner loop of the search.
type stepper struct {
	m          *machine
	n          int
	views      [protocol.MaxProcs]view
	history    hashedSlot
	past       uint32            // the number of the history in the state at hand
	dead       protocol.Set      // in it
	sum        hash              // of the state at hand
	parent     uint32            // Parent of it
	use        uint32            // the units in use
	needsCheck *needsCheck       // for the number of live processes
	words      [maxRecord]uint32 // the state at hand
	width      int               // of it
	b          *Batch
	came       SleepTag
	wakes      stepFlags // steps with one of these are never known
	flags      stepFlags // of the steps found
	pruned     int       // steps that the history excludes
	beyond     int       // steps out of bounds
	count      int64     // what a step counts in Fired
	// fill, of a Filler, fills an entry of the tables in; false: the model is at fault.
	fill       func(entry) bool
	overflowed bool             // a number was given out that the present layout has no room for
	then       uint32           // the history after the transition at hand
	excluded   bool             // the history excludes that transition
	failing    bool             // channels lose or copy messages
	apart      bool             // the network is split in the state at hand
	medium     bool             // there are links, or partitions, or times count by order only
	again      bool             // tables grew while a record was completed: expand the state again
	received   []protocol.Label // the receipts at once, to be counted
	times      uint8            // then: the different times in the state at hand
}

// procMask shows the compiler that an index is a process's.
const procMask = protocol.MaxProcs - 1

// A view is what a stepper has of a process while it expands a state.
type view struct {
	proc                 uint32
	local, inbox         uint32     // the numbers in the state at hand
	localSlot, inboxSlot hashedSlot // where they stand
	procTables           *procTables
	linkView             protocol.LinkView // of the process, in the state at hand
	memos                *memos            // in its context
}

// A hashedSlot is where a number of the state stands in vectors, and its factor in the hash.
type hashedSlot struct {
	protocol.Slot
	constant hash
}

func newStepper(m *machine) (c stepper) {
	at := func(i int) hashedSlot { return hashedSlot{m.layout.slots[i], hashConstants[i]} }
	c.m, c.n, c.width, c.count = m, len(m.procTables), m.layout.width, 1
	for p := range c.n {
		inbox := at(m.inboxSlot(protocol.Proc(p)))
		c.views[p] = view{proc: uint32(p), procTables: &m.procTables[p], localSlot: at(p), inboxSlot: inbox}
	}
	c.history = at(m.historySlot())
	c.failing, c.medium = len(m.ofMessages) > 0, m.Faults.Split != 0 || m.Links || m.Order
	c.markCrashed(0)
	return c
}

// read returns the number in a state.
func (x *hashedSlot) read(words *[maxRecord]uint32) uint32 {
	return words[x.Word&(maxRecord-1)] >> (x.Shift & 31) & x.Mask
}

// change changes the number in a record from old to new, and returns the hash h after that.
func (x *hashedSlot) change(rec *[maxRecord]uint32, h hash, old, new uint32) hash {
	rec[x.Word&(maxRecord-1)] ^= (old ^ new) << (x.Shift & 31)
	return x.rehash(h, old, new)
}

// exchange is change in a record that was completed.
func (x *hashedSlot) exchange(rec []uint32, h hash, old, new uint32) hash {
	x.Set(rec, old, new)
	return x.rehash(h, old, new)
}

func (x *hashedSlot) rehash(h hash, old, new uint32) hash {
	return h + (hash(new)-hash(old))*x.constant
}

// filled is called where the tables lack an entry, and reports whether they now have it. It
// is rare: inlined it would only take registers away.
//
//go:noinline
func (c *stepper) filled(kind entryKind, p, a, b uint32) bool {
	q := &c.views[p&procMask]
	in := protocol.Context{Dead: c.dead, View: q.linkView, Times: c.times}
	if c.fill == nil || !c.fill(entry{kind, protocol.Proc(p), a, b, in}) {
		return false
	}
	if kind == memoEntry && q.memos == &emptyMemos {
		c.markCrashed(c.dead) // the first memo of a set of the dead makes all of theirs
	}
	return true
}

// lookedUp returns the result of a pair of numbers of process p in a table, and fills it in if it is not
// there. It returns false if that fails.
func (c *stepper) lookedUp(of *table, kind entryKind, p int, a, b uint32) (x uint32, ok bool) {
	if x, ok = of.get(a, b); !ok && c.filled(kind, uint32(p), a, b) {
		return of.get(a, b)
	}
	return x, ok
}

// load takes a vector apart.
func (c *stepper) load(v []uint32) {
	for i, x := range v { // few: a call would take longer
		c.words[i&(maxRecord-1)] = x
	}
	c.past = c.history.read(&c.words)
	h := hash(c.past) * c.history.constant
	gone := protocol.Set(0)
	for p := range c.n {
		q := &c.views[p&procMask]
		q.local, q.inbox = q.localSlot.read(&c.words), q.inboxSlot.read(&c.words)
		h += hash(q.local)*q.localSlot.constant + hash(q.inbox)*q.inboxSlot.constant
		if q.inbox == dead {
			gone = gone.With(protocol.Proc(p))
		}
	}
	c.sum = h
	if c.medium {
		c.loadMedium(gone)
	} else if gone != c.dead || c.views[0].memos == &emptyMemos {
		c.markCrashed(gone)
	}
}

// loadMedium finds out whether the network is split in the state at hand, the link view of each process, and
// the number of times.
func (c *stepper) loadMedium(gone protocol.Set) {
	if c.m.Faults.Split != 0 {
		c.apart = c.m.apart[c.past]
	}
	if c.m.Links {
		c.loadLinkViews()
	}
	if c.m.Order {
		c.loadTimes()
	}
	c.markCrashed(gone)
}

// loadLinkViews finds the link view of each process.
func (c *stepper) loadLinkViews() {
	var all protocol.Trace
	for p := range c.n {
		q := &c.views[p&procMask]
		all.Merge(&q.procTables.localTraces[q.local])
		all.Merge(&q.procTables.inboxTraces[q.inbox])
	}
	for p := range c.n {
		c.views[p&procMask].linkView = all.Of(protocol.Proc(p), c.m.Rising)
	}
}

// emptyMemos: a context with no memo yet.
var emptyMemos memos

// markCrashed chooses the memos of the contexts in which some processes are dead.
func (c *stepper) markCrashed(gone protocol.Set) {
	c.dead = gone
	c.needsCheck = &c.m.needsCheck[c.n-gone.Len()]
	for p := range c.n {
		c.views[p].memos = &emptyMemos
		in := protocol.Context{Dead: gone, View: c.views[p].linkView, Times: c.times}
		if i := c.m.contextNumber(in); i > 0 {
			c.views[p].memos = c.m.procTables[p].memos[i-1]
		}
	}
}

func (c *stepper) Hash(v []uint32) uint64 {
	h := hash(c.history.Get(v)) * c.history.constant
	for p := range c.n {
		q := &c.views[p&procMask]
		h += hash(q.localSlot.Get(v))*q.localSlot.constant + hash(q.inboxSlot.Get(v))*q.inboxSlot.constant
	}
	return uint64(h)
}

func (c *stepper) Expand(v []uint32, came SleepTag, b *Batch) (e Enabled, ok bool) {
	b.Began = b.Mark()
	c.load(v)
	c.prepare(came, b)
	if !c.expandAll() || c.overflowed {
		fill := c.fill
		// takes the counts back, up to the missing entry or to the end
		c.fill, c.count = nil, -1
		c.expandAll()
		c.again = c.again && !c.overflowed
		c.fill, c.count, c.overflowed = fill, 1, false
		b.cut()
		return e, false
	}
	for _, l := range c.received {
		b.Fired[uint8(l.Action)]++
	}
	return c.enabled(), true
}

// enabled sums up the expanded state.
func (c *stepper) enabled() Enabled {
	return Enabled{c.flags&enabled != 0, c.pruned, c.beyond, c.flags&ordinary != 0}
}

// prepare sets the fields that do not depend on steps.
func (c *stepper) prepare(came SleepTag, b *Batch) {
	c.came, c.flags, c.pruned, c.beyond = came, 0, 0, 0
	c.received = c.received[:0]
	if c.b != b { // a write costs more
		c.b = b
	}
	c.parent, c.use = Parent(uint64(c.sum)), came.use()
	c.wakes = outside | crashes
	if came&tagNoted != 0 {
		c.wakes |= eventful
	}
}

// expandAll adds the successors of the state at hand. If the tables lack something it may
// leave the batch with half a successor, which Expand cuts off.
func (c *stepper) expandAll() bool { //nolint:funlen // the inner loop: taken apart it costs 2%
	for p := range c.n {
		q := &c.views[p&procMask]
		if q.inbox == dead {
			if c.m.Recovers && !c.revive(q) {
				return false
			}
			continue
		}
		s, local, known := q.memos, q.local, p < c.came.proc()
		at := s.at(local)
		if at.idle.kind == 0 {
			if !c.filled(memoEntry, q.proc, q.local, 0) {
				return false
			}
			s = q.memos
			at = s.at(local)
		}
		switch tr := at.idle; {
		case tr.kind == noTransitions:
		case tr.kind&transitionList == 0:
			if !c.fire(q, &c.m.effects.values[tr.kind.effect()], tr.local, q.inbox, known) {
				return false
			}
		case !c.fireList(q, tr.local, q.inbox, known):
			return false
		}
		g := q.procTables
		list := g.inboxRows[q.inbox].delivers
		if list == unknown {
			if !c.filled(deliveriesEntry, q.proc, q.inbox, 0) {
				return false
			}
			list = g.inboxRows[q.inbox].delivers
		}
		if c.apart {
			list = g.inside[q.inbox]
		}
		sender := protocol.Proc(protocol.MaxProcs + 1) // of what may be new to p
		if c.came.heard(p) {
			sender, known = protocol.Proc(c.came.proc()), known && c.came&tagMany == 0
		}
		for i, end := list.first, list.first+list.n; i < end; i++ { // a slice would take longer to make
			d := &g.deliveries[i]
			cell := s.cells.first(at.receiving, d.envelope)
			if cell.key != d.envelope+1 {
				if cell = c.reaction(q, s, at, d.envelope); cell == nil {
					return false
				}
			}
			switch tr := cell.value; {
			case tr.kind == noTransitions:
			case tr.kind&transitionList == 0:
				e := &c.m.effects.values[tr.kind.effect()]
				if e.flags&eventful != 0 {
					if !c.fire(q, e, tr.local, d.rest, known && d.from != sender) {
						return false
					}
					continue
				}
				c.flags |= e.flags | enabled // as fire does, but a call takes time
				c.b.Fired[uint8(e.label)] += c.count
				if known && d.from != sender && e.flags&(outside|crashes) == 0 {
					continue
				}
				if !c.add(q, e, tr.local, d.rest) {
					return false
				}
			case !c.fireList(q, tr.local, d.rest, known && d.from != sender):
				return false
			}
		}
		if c.failing && !c.injectInbox(q) {
			return false
		}
	}
	return len(c.m.ofNetwork) == 0 || c.injectNetwork()
}

// revive adds the successors in which a dead process comes up, with an empty inbox.
func (c *stepper) revive(q *view) bool {
	s := q.memos
	if s.at(q.local).idle.kind == 0 {
		if !c.filled(memoEntry, q.proc, q.local, 0) {
			return false
		}
		s = q.memos
	}
	for tr := range c.m.all(s.at(q.local).idle) {
		if !c.fire(q, &c.m.effects.values[tr.kind.effect()], tr.local, emptyInbox, false) {
			return false
		}
	}
	return true
}

// reaction returns the cell of an envelope in the row of a local state, where it is not the first one; nil if
// the tables lack it.
func (c *stepper) reaction(q *view, s *memos, at *localRows, envelope uint32) *rowCell[transition] {
	if cell := s.cells.probe(at.receiving, envelope); cell != nil {
		return cell
	}
	if !c.filled(memoEntry, q.proc, q.local, envelope+1) {
		return nil
	}
	return s.cells.probe(at.receiving, envelope)
}

// fireList fires the list of transitions that begins at first.
func (c *stepper) fireList(q *view, first, rest uint32, known bool) bool {
	for i := first; ; i++ {
		tr := c.m.transitions[i]
		if !c.fire(q, &c.m.effects.values[tr.kind.effect()], tr.local, rest, known) {
			return false
		}
		if tr.kind&lastTransition != 0 {
			return true
		}
	}
}

// fire adds the successor to which a transition leads, to a local state and with an effect, or
// leaves it out; rest is the inbox without the envelope received, and known says that the
// step was possible before the state at hand was reached.
func (c *stepper) fire(q *view, e *effect, local, rest uint32, known bool) bool {
	if e.flags&eventful != 0 && !c.remember(q, e) {
		return c.excluded
	}
	c.flags |= e.flags | enabled
	c.b.Fired[uint8(e.label)] += c.count
	if known && e.flags&c.wakes == 0 {
		return true
	}
	return c.add(q, e, local, rest)
}

// remember finds the history after a transition, c.then. It returns false if it is excluded,
// or, with c.excluded false, if the tables lack something.
func (c *stepper) remember(q *view, e *effect) bool {
	r, ok := c.lookedUp(&c.m.successor, historyEntry, int(q.proc), c.past, e.event-1)
	if !ok {
		c.excluded = false
		return false
	}
	c.then, c.excluded = r>>2, r&(excluded|impossible) != 0
	if r&excluded != 0 && !c.m.Guards {
		c.flags |= e.flags
		c.pruned++
		c.b.Pruned = append(c.b.Pruned, protocol.LabelOf(e.label))
	}
	return !c.excluded
}

// add adds the successor to which a transition leads.
func (c *stepper) add(q *view, e *effect, local, rest uint32) bool {
	tag := e.tag | SleepTag(c.use+uint32(e.units))<<tagUse&(0xff<<tagUse)
	to := &c.b.Records
	if e.flags&(crashes|outside) != 0 {
		if e.flags&crashes != 0 {
			rest = dead
			tag |= tagSuspect
		}
		if e.flags&outside != 0 && !c.m.settles {
			if c.b.CountOutside && !c.needsCheck.mark(tag).Suspect() {
				c.b.Unjudged += c.count
				return true
			}
			to = &c.b.Outside
		}
	}
	words := to.Words
	at := len(words)
	if cap(words)-at < maxRecord {
		to.grow()
		words = to.Words
	}
	to.Words = words[:at+to.Stride]
	// With what may follow the record the compiler need not check that indices below
	// maxRecord are within.
	rec := (*[maxRecord]uint32)(words[at : at+maxRecord])
	*(*[4]uint32)(rec[:]) = *(*[4]uint32)(c.words[:]) // excess words are overwritten
	for i := 4; i < c.width; i += 4 {
		*(*[4]uint32)(rec[i&(maxRecord-4):]) = *(*[4]uint32)(c.words[i&(maxRecord-4):])
	}
	h := q.localSlot.change(rec, c.sum, q.local, local)
	h = q.inboxSlot.change(rec, h, q.inbox, rest)
	if e.sendings > 0 {
		var ok bool
		if h, ok = c.send(rec, h, q, rest, e); !ok {
			return false
		}
	}
	if e.flags&eventful != 0 {
		h = c.history.change(rec, h, c.past, c.then)
		if c.m.Links && e.flags&crashes != 0 {
			var ok bool
			if h, tag, ok = c.breakLinks(rec, h, q, tag); !ok {
				return false
			}
		}
	}
	end := (*[recordExtra]uint32)(rec[c.width&(maxRecord-1):])
	end[RecordTag], end[RecordParent], end[recordLabel] = uint32(c.needsCheck.mark(tag)), c.parent, e.label
	end[recordHash], end[recordHash+1] = uint32(h), uint32(h>>32)
	return !c.m.completes || c.complete(rec[:to.Stride], e.flags&outside != 0)
}

// send puts the messages of an effect into the inboxes of rec, of hash h, where the sender's
// is rest.
func (c *stepper) send(rec *[maxRecord]uint32, h hash, q *view, rest uint32, e *effect) (hash, bool) {
	for i := e.firstSending; i < e.firstSending+uint32(e.sendings); i++ {
		sent := c.m.sendings[i]
		to := &c.views[sent.to&procMask]
		inbox := to.inbox
		if to == q {
			inbox = rest
		}
		g := to.procTables
		row := g.inboxRows[inbox].arrives
		after := g.arrivals.first(row, sent.group)
		if after.key != sent.group+1 {
			if after = c.arrival(row, sent, inbox); after == nil {
				return h, false
			}
		}
		h = to.inboxSlot.change(rec, h, inbox, after.value)
	}
	return h, true
}

// arrival returns the result of the arrival of a sending in an inbox, where it is not the first
// cell of its row; nil if the tables lack it.
func (c *stepper) arrival(row rowSpan, sent sending, inbox uint32) *rowCell[uint32] {
	g := c.views[sent.to&procMask].procTables
	if after := g.arrivals.probe(row, sent.group); after != nil {
		return after
	}
	if !c.filled(arrivalEntry, sent.to, inbox, sent.group) {
		return nil
	}
	return g.arrivals.probe(g.inboxRows[inbox].arrives, sent.group)
}
