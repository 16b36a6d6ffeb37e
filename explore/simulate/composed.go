package simulate

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// composedPlayer plays compositions, in one state that changes: only candidates that are drawn are tried.
type composedPlayer struct {
	*interp.Interp
	*model.Monitor
	s *interp.State
	// the actions of the events of links, and of the faults of links and the network, which are listed as
	// events of each process; and of the faults of messages
	events, hazards []int

	r       *rand.Rand
	dead    []model.Proc
	lists   [][]candidate // per process
	heads   []int         // room for receivable
	sent    uint32        // messages, so far: each is marked by the number of those before it
	cause   []uint32
	at      candidate               // that was prepared last
	step    interp.Step             // by which it happens
	draw    func(n int) int         // a pick, from r
	picked  bool                    // the handler at hand has picked
	try     func(*interp.Step) bool // is tried
	parts   bool                    // the step is to be broken off
	found   answer                  // of the candidate at hand
	steps   []interp.Step           // by which it can happen, or one that was drawn
	moved   bool                    // the run has taken a step
	by      model.Proc              // the process that took the last step, with its label
	label   model.Label
	before  *interp.State // the state before it, if a property looks at it
	room    interp.State  // of the state before
	changed []model.Proc  // whose local state or inbox it has changed; nil: all
	// The hashes of the parts of a state are found anew after a step that changes them.
	locals, inboxes []uint64
	stale           []bool
	text            []byte // room for values
}

func newComposedPlayer(in model.Instance) *composedPlayer {
	pl := &composedPlayer{Interp: in.Interp, Monitor: model.NewMonitor(in)}
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
	pl.try = func(t *interp.Step) (more bool) {
		switch {
		case pl.parts && !t.Crash: // perhaps excluded, and what is broken off is not
		case t.Excluded:
			pl.found = excluded
		default:
			pl.steps = append(pl.steps, *t)
		}
		return true
	}
	pl.draw = func(n int) int { pl.picked = true; return pl.r.IntN(n) }
	n := pl.N()
	pl.lists, pl.locals, pl.inboxes = make([][]candidate, n), make([]uint64, n), make([]uint64, n)
	pl.stale = make([]bool, n)
	return pl
}

func (pl *composedPlayer) candidates() [][]candidate { return pl.lists }

func (pl *composedPlayer) begin(r *rand.Rand) {
	pl.r, pl.sent, pl.by, pl.moved = r, 0, 0, false
	pl.before, pl.changed = nil, nil
	pl.s = pl.Start().Own()
	pl.dead = slices.AppendSeq(pl.dead[:0], pl.s.Dead.Each())
	for p := range model.Proc(pl.N()) {
		for i := range pl.s.Inbox(p) {
			pl.s.Mark(p, i, pl.mark())
		}
	}
	pl.recount()
}

func (pl *composedPlayer) mark() uint32 {
	pl.sent++
	return pl.sent
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

// recount lists the candidates of changed processes anew.
func (pl *composedPlayer) recount() {
	if pl.changed == nil {
		for p := range pl.lists {
			pl.lists[p], pl.stale[p] = pl.list(pl.lists[p][:0], model.Proc(p)), true
		}
	}
	for _, p := range pl.changed {
		pl.lists[p], pl.stale[p] = pl.list(pl.lists[p][:0], p), true
	}
}

// list lists the candidates of p: first the events, which the dead have, too; then handlers, receipts and
// notices, then the faults of messages, and crashes last.
func (pl *composedPlayer) list(to []candidate, p model.Proc) []candidate {
	n, q := uint64(pl.N()), uint64(p)
	for i, a := range pl.events {
		thread := q
		if pl.Actions[a].Kind == model.Fault {
			thread = ofFaults + uint64(i)*n + q
		}
		to = append(to, candidate{other, p, 0, -1, int32(a), thread})
	}
	if pl.s.IsDead(p) { // its recovery can be broken off
		if pl.Parts && pl.Medium.Recovers && pl.MayCrash(p, pl.s.Dead) {
			to = append(to, candidate{broken, p, 0, -1, int32(pl.FirstCrash) + 1, ofCrashes + q + n})
		}
		return to
	}
	for a := range int32(pl.FirstReceipt) {
		to = append(to, candidate{other, p, 0, -1, a, q})
	}
	heads, inbox := pl.heads[:0], pl.s.Inbox(p) // envelopes to receive next, as they were sent: of a bag all
	for i := range inbox {
		if !pl.FIFO() || i == 0 || inbox[i-1].From != inbox[i].From {
			heads = append(heads, i)
		}
	}
	if pl.FIFO() {
		slices.SortFunc(heads, func(i, k int) int { return cmp.Compare(inbox[i].Mark, inbox[k].Mark) })
	}
	pl.heads = heads
	for _, at := range heads {
		to = append(to, candidate{receipt, p, 0, int32(at), -1, ofChannels + pl.threadOf(p, at)})
	}
	for i := 0; i < len(pl.dead) && pl.FirstNotice < pl.FirstEvent; i++ {
		j := pl.dead[i]
		thread := ofNotices + q*n + uint64(j)
		to = append(to, candidate{other, p, j, -1, int32(pl.FirstNotice), thread})
	}
	for x, a := range pl.hazards {
		for _, at := range heads {
			thread := uint64(x+1)*ofHazards + pl.threadOf(p, at)
			to = append(to, candidate{hazard, p, pl.s.Inbox(p)[at].From, int32(at), int32(a), thread})
		}
	}
	if pl.MayCrash(p, pl.s.Dead) {
		to = append(to, candidate{crash, p, 0, -1, int32(pl.FirstCrash), ofCrashes + q})
		if pl.Parts {
			to = append(to, candidate{broken, p, 0, -1, int32(pl.FirstCrash) + 1, ofCrashes + q + n})
		}
	}
	return to
}

// threadOf is the thread of a message to p, or of its channel.
func (pl *composedPlayer) threadOf(p model.Proc, at int) uint64 {
	e := &pl.s.Inbox(p)[at]
	if pl.FIFO() {
		return uint64(p)*uint64(pl.N()) + uint64(e.From)
	}
	return uint64(e.Mark)
}

func (pl *composedPlayer) action(c candidate) int {
	if c.act < 0 {
		return pl.event(c).Action
	}
	return int(c.act)
}

func (pl *composedPlayer) event(c candidate) interp.Event {
	if c.kind == receipt {
		return pl.s.Receipt(c.proc, int(c.at))
	}
	return interp.Event{Proc: c.proc, Peer: c.peer, Action: int(c.act), At: int(c.at)}
}

func (pl *composedPlayer) prepare(c candidate) answer {
	pl.at = c
	if c.kind == broken { // handlers, receipts and notices can be broken off
		list := pl.lists[c.proc]
		if !pl.s.IsDead(c.proc) {
			list = list[len(pl.events):]
		}
		all := slices.IndexFunc(list, func(c candidate) bool { return c.kind >= hazard })
		found := notEnabled
		for _, i := range pl.r.Perm(max(0, all)) {
			if found = max(found, pl.attempt(pl.event(list[i]), true)); pl.found == enabled {
				return enabled
			}
		}
		return found
	}
	e := pl.event(c)
	if e.At < 0 && e.Action >= pl.FirstFault && e.Proc > 0 &&
		pl.Medium.Faults.List()[e.Action-pl.FirstFault] != protocol.BreakFault {
		return notEnabled // the network fails as if that were a step of the first process
	}
	return pl.attempt(e, false)
}

// attempt finds out whether an event is enabled, or a crash inside it, and keeps the step by which it
// happens. Where the picks that are drawn do not enable it, one of its steps is drawn, if it has any.
func (pl *composedPlayer) attempt(e interp.Event, parts bool) answer {
	pl.parts, pl.found, pl.picked, pl.steps = parts, notEnabled, false, pl.steps[:0]
	pl.s.Enabled(e, interp.How{Draw: pl.draw, Parts: parts}, pl.try)
	i := 0
	if len(pl.steps) == 0 && pl.picked {
		if pl.s.Enabled(e, interp.How{Parts: parts}, pl.try); len(pl.steps) > 0 {
			i = pl.r.IntN(len(pl.steps))
		}
	}
	if len(pl.steps) > 0 {
		pl.step, pl.found = pl.steps[i], enabled
	}
	return pl.found
}

func (pl *composedPlayer) commit() taken {
	t := &pl.step
	p, lived := t.Proc, !pl.s.IsDead(t.Proc)
	now := taken{t.Action, int(p), t.Label(), -1}
	if t.At >= 0 && slices.Contains(pl.cause, pl.s.Inbox(p)[t.At].Mark) ||
		t.Handler == pl.FirstNotice && pl.FirstNotice < pl.FirstEvent && t.Peer == pl.by {
		now.cause = int(pl.by) // the dead take no steps: the last one was the crash
	}
	if pl.before = nil; pl.Looks(t.Action) {
		pl.before = pl.s.CloneTo(&pl.room)
	}
	pl.moved, pl.by, pl.label, pl.cause = true, p, now.label, pl.cause[:0]
	pl.changed = append(pl.changed[:0], p)
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
	lost := pl.s.Apply(t)
	switch lives := !pl.s.IsDead(p); {
	case lived && !lives: // fewer processes may crash, and there are notices
		pl.dead, pl.changed = append(pl.dead, p), nil
	case lives && !lived:
		pl.dead, pl.changed = slices.DeleteFunc(pl.dead, func(q model.Proc) bool { return q == p }), nil
	case t.Cut > 0 || len(lost) > 0:
		pl.changed = nil
	}
	pl.recount()
	return now
}

// beyond is false in the first state: as in a search, bounds cut off steps.
func (pl *composedPlayer) beyond() bool { return pl.moved && pl.s.Beyond(pl.by) }

func (pl *composedPlayer) judge(which uint64) uint64 {
	found := pl.Judge(pl.s, which, pl.by, pl.changed)
	if pl.before != nil {
		found |= pl.JudgeStep(pl.before, pl.label, pl.s, which)
	}
	return found
}

func (pl *composedPlayer) judgeQuiet(which uint64) uint64 { return pl.JudgeQuiet(pl.s, which) }
func (pl *composedPlayer) marks(i, k int) lts.Marks       { return pl.Marks(pl.s, i, k) }
func (pl *composedPlayer) state() lts.State               { return pl.s.Clone() }

// mixed spreads a hash over all bits, another way at each place.
func mixed(place int, x uint64) uint64 { return protocol.Mixed(x + uint64(place+1)*codec.Base) }

// rehash finds the hashes of p anew, if they are stale.
func (pl *composedPlayer) rehash(p model.Proc, met map[uint64]struct{}) {
	if !pl.stale[p] {
		return
	}
	pl.stale[p] = false
	pl.locals[p], pl.text = pl.Locals.Hash(pl.text, pl.s.Local(p))
	met[pl.locals[p]+uint64(p)] = struct{}{}
	inbox := uint64(0)
	if pl.s.IsDead(p) {
		inbox = 1
	}
	for _, e := range pl.s.Inbox(p) {
		var x uint64
		x, pl.text = pl.Messages.Hash(pl.text, e.M)
		if x = mixed(int(e.From), x); pl.FIFO() {
			inbox *= codec.Base
		}
		inbox += x
	}
	pl.inboxes[p] = inbox
}

func (pl *composedPlayer) hash(met map[uint64]struct{}) (sum uint64) {
	sum, pl.text = pl.Histories.Hash(pl.text, pl.s.History())
	if r := pl.s.Record(); r != (protocol.Record{}) {
		sum += xxhash.Sum64(r.Bytes())
	}
	n := pl.N()
	for p := range n {
		pl.rehash(model.Proc(p), met)
		sum += mixed(p, pl.locals[p]) + mixed(n+p, pl.inboxes[p])
	}
	if pl.Medium.Clocks { // the same up to a shift of all times
		return pl.s.Code().Lo
	}
	return sum
}
