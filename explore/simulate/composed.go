package simulate

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// composedPlayer plays compositions, in one state that changes: only candidates that are drawn are tried.
type composedPlayer struct {
	*interp.Interp
	*model.Monitor
	s *interp.State
	// timed: a timetable chooses the events. Then candidates are not counted, states are not judged, and the
	// bounds of searches do not end a run.
	timed bool
	// the actions of the events of links, and of the faults of links and the network, which are counted as
	// events of each process; and of what befalls messages
	events, hazards []int

	r       *rand.Rand
	dead    []model.Proc
	counts  []int   // per process: of its candidates
	heads   [][]int // per process: which envelopes of its inbox it may receive next
	stale   []bool  // per process: heads are to be found anew
	sent    uint32  // messages, so far: each is marked by how many there were before it
	cause   []uint32
	at      candidate
	step    interp.Step // that was prepared last
	draw    func(n int) int
	try     func(*interp.Step) bool // is tried
	whole   bool                    // the step that is yielded next is one that is to be broken off
	found   answer                  // of the candidate at hand
	now     taken                   // that was taken last
	lost    []interp.Lost           // messages that the last step has lost
	before  *interp.State           // the state before it, if a property looks at it
	room    interp.State            // of the state before
	changed []model.Proc            // whose local state or inbox it has changed; nil: all
	hashes  hashes
}

func newComposedPlayer(in model.Instance, timed bool) *composedPlayer {
	pl := &composedPlayer{Interp: in.Interp, timed: timed}
	if !timed {
		pl.Monitor = model.NewMonitor(in)
	}
	for a := pl.FirstEvent; a < pl.FirstCrash; a++ {
		pl.events = append(pl.events, a)
	}
	for i, x := range pl.Medium.Faults.List() {
		if x == protocol.Loss || x == protocol.Copy {
			pl.hazards = append(pl.hazards, pl.FirstFault+i)
		} else {
			pl.events = append(pl.events, pl.FirstFault+i)
		}
	}
	pl.try, pl.draw = pl.tried, func(n int) int { return pl.r.IntN(n) }
	n := pl.N()
	pl.counts, pl.heads, pl.stale = make([]int, n), make([][]int, n), make([]bool, n)
	pl.hashes = hashes{locals: make([]uint64, n), inboxes: make([]uint64, n), stale: make([]bool, n)}
	return pl
}

func (pl *composedPlayer) procs() int { return pl.N() }

func (pl *composedPlayer) begin(r *rand.Rand) {
	pl.r, pl.dead, pl.sent, pl.now = r, pl.dead[:0], 0, taken{cause: -1}
	pl.before, pl.changed = nil, nil
	pl.s = pl.Start().Own()
	for p := range model.Proc(pl.N()) {
		if pl.s.IsDead(p) {
			pl.dead = append(pl.dead, p)
		}
		for i := range pl.s.Inbox(p) {
			pl.s.Mark(p, i, pl.mark())
		}
	}
	pl.recountAll()
}

func (pl *composedPlayer) recountAll() {
	if pl.timed {
		return
	}
	for p := range model.Proc(pl.N()) {
		pl.recount(p)
	}
}

// mark returns the mark of the next message.
func (pl *composedPlayer) mark() uint32 {
	pl.sent++
	return pl.sent
}

// receivable returns what p may receive next, in the order of sending: of a bag everything, and of what is
// equal all.
func (pl *composedPlayer) receivable(p model.Proc) []int {
	if !pl.stale[p] {
		return pl.heads[p]
	}
	pl.stale[p] = false
	heads, inbox := pl.heads[p][:0], pl.s.Inbox(p)
	for i := range inbox {
		if !pl.FIFO() || i == 0 || inbox[i-1].From != inbox[i].From {
			heads = append(heads, i)
		}
	}
	if pl.FIFO() {
		slices.SortFunc(heads, func(i, k int) int { return cmp.Compare(inbox[i].Mark, inbox[k].Mark) })
	}
	pl.heads[p] = heads
	return heads
}

func (pl *composedPlayer) count(p int) int { return pl.counts[p] }

// recount finds anew how many candidates p has, after a step that concerns it.
func (pl *composedPlayer) recount(p model.Proc) {
	pl.stale[p], pl.hashes.stale[p] = true, true
	pl.counts[p] = len(pl.events)
	if pl.s.IsDead(p) {
		return
	}
	n := pl.counts[p] + pl.breakable(p) + len(pl.hazards)*len(pl.receivable(p))
	if pl.MayCrash(p, pl.s.Dead) {
		n++
		if pl.Parts {
			n++
		}
	}
	pl.counts[p] = n
}

// breakable is how many candidates of p, a live process, a crash may break off: handlers, receipts,
// notices.
func (pl *composedPlayer) breakable(p model.Proc) int {
	n := pl.FirstReceipt + len(pl.receivable(p))
	if pl.FirstNotice < pl.FirstEvent {
		n += len(pl.dead)
	}
	return n
}

// Threads of the steps of a composition: the handlers of a process and the events of its link are one, so
// are the messages of a FIFO channel, and each message of a bag by itself; so is each notice, each way to
// crash, each fault of a link, and of a channel or a message.
const (
	ofChannels = 1 << 32
	ofNotices  = 2 << 32
	ofCrashes  = 3 << 32
	ofFaults   = 4 << 32
	ofHazards  = 5 << 32
)

// candidate numbers the events first, which the dead have, too; then handlers, receipts and notices, then
// what may befall messages, and crashes last.
func (pl *composedPlayer) candidate(p, i int) candidate {
	n, q := uint64(pl.N()), model.Proc(p)
	if i < len(pl.events) {
		c := candidate{kind: event, proc: p, action: pl.events[i], thread: uint64(p)}
		if pl.Actions[c.action].Kind == model.Fault {
			c.thread = ofFaults + uint64(i)*n + uint64(p)
		}
		return c
	}
	i -= len(pl.events)
	if i < pl.breakable(q) {
		return pl.breaking(p, i)
	}
	i -= pl.breakable(q)
	heads := pl.receivable(q)
	if i < len(pl.hazards)*len(heads) {
		at, x := heads[i%len(heads)], i/len(heads)
		return candidate{
			kind: hazard, proc: p, index: at, action: pl.hazards[x],
			thread: uint64(x+1)*ofHazards + pl.threadOf(q, at),
		}
	}
	i -= len(pl.hazards) * len(heads)
	c := candidate{kind: crash, proc: p, action: pl.FirstCrash, thread: ofCrashes + uint64(p)}
	if i == 1 {
		c.kind, c.action, c.thread = broken, c.action+1, c.thread+n
	}
	return c
}

// threadOf is that of a message to p, or of its channel.
func (pl *composedPlayer) threadOf(p model.Proc, at int) uint64 {
	e := &pl.s.Inbox(p)[at]
	if pl.FIFO() {
		return uint64(p)*uint64(pl.N()) + uint64(e.From)
	}
	return uint64(e.Mark)
}

// breaking is a candidate of p that a crash may break off.
func (pl *composedPlayer) breaking(p, i int) candidate {
	q := model.Proc(p)
	if i < pl.FirstReceipt {
		return candidate{kind: ownStep, proc: p, action: i, thread: uint64(p)}
	}
	i -= pl.FirstReceipt
	heads := pl.receivable(q)
	if i < len(heads) {
		return candidate{
			kind: receipt, proc: p, index: heads[i], action: pl.s.Receipt(q, heads[i]).Action,
			thread: ofChannels + pl.threadOf(q, heads[i]),
		}
	}
	j := int(pl.dead[i-len(heads)])
	return candidate{
		kind: notice, proc: p, index: j, action: pl.FirstNotice,
		thread: ofNotices + uint64(p)*uint64(pl.N()) + uint64(j),
	}
}

// eventOf is the event of a candidate.
func (pl *composedPlayer) eventOf(c candidate) interp.Event {
	e := interp.Event{Proc: model.Proc(c.proc), Action: c.action, At: -1}
	switch c.kind {
	case notice:
		e.Peer = model.Proc(c.index)
	case receipt, hazard:
		m := &pl.s.Inbox(e.Proc)[c.index]
		e.At, e.Peer = c.index, m.From
		if c.kind == receipt {
			e.M = m.M
		}
	}
	return e
}

func (pl *composedPlayer) prepare(c candidate) answer {
	pl.at = c
	how := interp.How{Draw: pl.draw, Parts: c.kind == broken}
	if how.Parts {
		all := pl.breakable(model.Proc(c.proc))
		if all == 0 {
			return notEnabled
		}
		c = pl.breaking(c.proc, pl.r.IntN(all))
	}
	e := pl.eventOf(c)
	if c.kind == event && e.Action >= pl.FirstFault && e.Proc > 0 &&
		pl.Medium.Faults.List()[e.Action-pl.FirstFault] != protocol.BreakFault {
		return notEnabled // the network fails as if that were a step of the first process
	}
	return pl.attempt(e, how)
}

// attempt finds out whether an event is enabled, and keeps the step by which it happens.
func (pl *composedPlayer) attempt(e interp.Event, how interp.How) answer {
	pl.whole, pl.found = how.Parts, notEnabled
	pl.s.Enabled(e, how, pl.try)
	return pl.found
}

// tried takes what is yielded of the candidate at hand.
func (pl *composedPlayer) tried(t *interp.Step) (more bool) {
	switch {
	case t.Excluded:
		pl.found = excluded
	case pl.whole:
		pl.whole = false
		return true
	default:
		pl.step, pl.found = *t, enabled
	}
	return false
}

func (pl *composedPlayer) commit() {
	t := &pl.step
	pl.now = taken{t.Action, int(t.Proc), t.Label(), -1}
	if t.At >= 0 && t.Fault == protocol.NoFault {
		if m := &pl.s.Inbox(t.Proc)[t.At]; pl.at.kind == receipt && slices.Contains(pl.cause, m.Mark) {
			pl.now.cause = int(m.From)
		}
	}
	if pl.before = nil; !pl.timed && pl.Looks(t.Action) {
		pl.before = pl.s.CloneTo(&pl.room)
	}
	p, lived := t.Proc, !pl.s.IsDead(t.Proc)
	pl.cause, pl.changed = pl.cause[:0], append(pl.changed[:0], p)
	if t.Fault == protocol.Copy {
		if t.Copied = pl.s.Inbox(p)[t.At].Mark; !pl.FIFO() { // where the first of both is received next
			t.Copied = pl.mark()
			pl.cause = append(pl.cause, t.Copied)
		}
	}
	for i := range t.Sent {
		t.Sent[i].Mark = pl.mark()
		pl.cause, pl.changed = append(pl.cause, t.Sent[i].Mark), append(pl.changed, t.Sent[i].To)
	}
	pl.lost = pl.s.Apply(t)
	if t.Cut > 0 || t.Crash && pl.Medium.Links {
		pl.changed = nil
	}
	switch lives := !pl.s.IsDead(p); {
	case lived && !lives:
		pl.dead = append(pl.dead, p)
	case lives && !lived:
		pl.dead = slices.DeleteFunc(pl.dead, func(q model.Proc) bool { return q == p })
	case len(pl.lost) == 0 && pl.changed != nil:
		for i := 0; i < len(pl.changed) && !pl.timed; i++ {
			pl.recount(pl.changed[i])
		}
		return
	}
	pl.recountAll() // there is somebody less who may crash, and there are notices
}

func (pl *composedPlayer) last() taken  { return pl.now }
func (pl *composedPlayer) beyond() bool { return !pl.timed && pl.s.Beyond(model.Proc(pl.now.proc)) }

func (pl *composedPlayer) judge(which uint64) uint64 {
	if pl.timed {
		return 0
	}
	found := pl.Judge(pl.s, which, model.Proc(pl.now.proc), pl.changed)
	if pl.before != nil {
		found |= pl.JudgeStep(pl.before, pl.now.label, pl.s, which)
	}
	return found
}

func (pl *composedPlayer) judgeQuiet(which uint64) uint64 { return pl.JudgeQuiet(pl.s, which) }
func (pl *composedPlayer) marks(i, k int) lts.Marks       { return pl.Marks(pl.s, i, k) }
func (pl *composedPlayer) state() lts.State               { return pl.s.Clone() }

// hashes are those of the parts of a state, which are found anew after a step that changes them. They are
// made from values only, and so the same in every process: runs that several machines play are counted
// together.
type hashes struct {
	locals, inboxes []uint64
	stale           []bool
	room            []byte // to write values
}

// base of the polynomials in which hashes of parts are put together is odd.
const base = 0x9e3779b97f4a7c15

// mixed spreads a hash over all bits, another way at each place (the finalizer of splitmix64).
func mixed(place int, x uint64) uint64 {
	x += uint64(place+1) * base
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// find finds the hashes of p anew, if they are stale.
func (h *hashes) find(pl *composedPlayer, p model.Proc) {
	if !h.stale[p] {
		return
	}
	h.stale[p] = false
	h.locals[p], h.room = pl.Locals.Hash(h.room, pl.s.Local(p))
	inbox := uint64(0)
	if pl.s.IsDead(p) {
		inbox = 1
	}
	for _, e := range pl.s.Inbox(p) {
		var x uint64
		x, h.room = pl.Messages.Hash(h.room, e.M)
		if x = mixed(int(e.From), x); pl.FIFO() {
			inbox *= base
		}
		inbox += x
	}
	h.inboxes[p] = inbox
}

func (pl *composedPlayer) hash() (sum uint64) {
	if pl.Medium.Clocks { // the same up to a shift of all times
		return pl.s.Code().Lo
	}
	h, n := &pl.hashes, pl.N()
	sum, h.room = pl.Histories.Hash(h.room, pl.s.History())
	if r := pl.s.Record(); r != (protocol.Record{}) {
		sum += xxhash.Sum64(r.Bytes())
	}
	for p := range model.Proc(n) {
		h.find(pl, p)
		sum += mixed(int(p), h.locals[p]) + mixed(n+int(p), h.inboxes[p])
	}
	return sum
}

func (pl *composedPlayer) localHash() uint64 {
	p := model.Proc(pl.now.proc)
	pl.hashes.find(pl, p)
	return pl.hashes.locals[p] + uint64(p)
}
