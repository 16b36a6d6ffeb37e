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
	// events of each process; and of the faults of messages
	events, hazards []int

	r       *rand.Rand
	dead    []model.Proc
	lists   [][]possible // per process: its candidates
	heads   []int        // room for receivable
	sent    uint32       // messages, so far: each is marked by the number of those before it
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
	pl.lists = make([][]possible, n)
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

// A possible event is a candidate of a process.
type possible struct {
	kind   kind
	peer   model.Proc
	at     int32 // in the inbox; -1: none
	action int32 // of a receipt it is found when it is asked for
	thread uint64
}

// receivable returns the envelopes that p may receive next, in the order of sending: of a bag all.
func (pl *composedPlayer) receivable(p model.Proc) []int {
	heads, inbox := pl.heads[:0], pl.s.Inbox(p)
	for i := range inbox {
		if !pl.FIFO() || i == 0 || inbox[i-1].From != inbox[i].From {
			heads = append(heads, i)
		}
	}
	if pl.FIFO() {
		slices.SortFunc(heads, func(i, k int) int { return cmp.Compare(inbox[i].Mark, inbox[k].Mark) })
	}
	pl.heads = heads
	return heads
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

// recount lists the candidates of p anew, after a step that concerns it: first the events, which the dead
// have, too; then handlers, receipts and notices, then the faults of messages, and crashes last.
func (pl *composedPlayer) recount(p model.Proc) {
	pl.hashes.stale[p] = true
	n, q, list := uint64(pl.N()), uint64(p), pl.lists[p][:0]
	for i, a := range pl.events {
		thread := q
		if pl.Actions[a].Kind == model.Fault {
			thread = ofFaults + uint64(i)*n + q
		}
		list = append(list, possible{event, 0, -1, int32(a), thread})
	}
	if !pl.s.IsDead(p) {
		list = pl.recountLive(p, list)
	}
	pl.lists[p] = list
}

// recountLive adds the candidates of a live process.
func (pl *composedPlayer) recountLive(p model.Proc, list []possible) []possible {
	n, q := uint64(pl.N()), uint64(p)
	for a := range int32(pl.FirstReceipt) {
		list = append(list, possible{ownStep, 0, -1, a, q})
	}
	heads := pl.receivable(p)
	for _, at := range heads {
		list = append(list, possible{receipt, 0, int32(at), -1, ofChannels + pl.threadOf(p, at)})
	}
	for i := 0; i < len(pl.dead) && pl.FirstNotice < pl.FirstEvent; i++ {
		j := pl.dead[i]
		list = append(list, possible{notice, j, -1, int32(pl.FirstNotice), ofNotices + q*n + uint64(j)})
	}
	for x, a := range pl.hazards {
		for _, at := range heads {
			thread := uint64(x+1)*ofHazards + pl.threadOf(p, at)
			list = append(list, possible{hazard, pl.s.Inbox(p)[at].From, int32(at), int32(a), thread})
		}
	}
	if pl.MayCrash(p, pl.s.Dead) {
		list = append(list, possible{crash, 0, -1, int32(pl.FirstCrash), ofCrashes + q})
		if pl.Parts {
			list = append(list, possible{broken, 0, -1, int32(pl.FirstCrash) + 1, ofCrashes + q + n})
		}
	}
	return list
}

// threadOf is the thread of a message to p, or of its channel.
func (pl *composedPlayer) threadOf(p model.Proc, at int) uint64 {
	e := &pl.s.Inbox(p)[at]
	if pl.FIFO() {
		return uint64(p)*uint64(pl.N()) + uint64(e.From)
	}
	return uint64(e.Mark)
}

func (pl *composedPlayer) count(p int) int { return len(pl.lists[p]) }

func (pl *composedPlayer) candidate(p, i int) candidate {
	c := &pl.lists[p][i]
	return candidate{kind: c.kind, proc: p, index: i, action: pl.eventOf(p, c).Action, thread: c.thread}
}

// eventOf returns the event of a candidate of p.
func (pl *composedPlayer) eventOf(p int, c *possible) interp.Event {
	if c.kind == receipt {
		return pl.s.Receipt(model.Proc(p), int(c.at))
	}
	return interp.Event{Proc: model.Proc(p), Peer: c.peer, Action: int(c.action), At: int(c.at)}
}

// breakable returns the candidates of a process that a crash may break off: handlers, receipts, notices.
func (pl *composedPlayer) breakable(p int) []possible {
	list := pl.lists[p][len(pl.events):]
	return list[:max(0, slices.IndexFunc(list, func(c possible) bool { return c.kind >= hazard }))]
}

func (pl *composedPlayer) prepare(c candidate) answer {
	pl.at = c
	e := pl.eventOf(c.proc, &pl.lists[c.proc][c.index])
	how := interp.How{Draw: pl.draw, Parts: c.kind == broken}
	if how.Parts {
		all := pl.breakable(c.proc)
		if len(all) == 0 {
			return notEnabled
		}
		e = pl.eventOf(c.proc, &all[pl.r.IntN(len(all))])
	}
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

// tried takes an outcome of the candidate at hand.
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
	pl.recountAll() // fewer processes may crash, and there are notices
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

// hashes are the hashes of the parts of a state, found anew after a step that changes them. They are
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
