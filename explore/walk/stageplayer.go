package walk

import (
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/stage"
)

// stagePlayer plays compositions.
type stagePlayer struct {
	stage.Stage
	actions []lts.Action
	fifo    bool
	noticed bool
	// How many of these there are: see stage.Stage.
	handlers, events, hazards int

	r      *rand.Rand
	dead   []model.Proc
	counts []int              // per process: of its candidates
	heads  [][]stage.Envelope // per process: what it may receive next, where channels are FIFO
	stale  []bool             // heads are to be found anew
	seen   []bool             // per sender, while heads are found
	serial []uint64           // per message under way: how many were sent before it
	sent   uint64
	anew   bool // nothing was judged yet
	cause  []stage.Envelope
	at     candidate
	now    taken // the step that was taken last
}

func newStagePlayer(in model.Instance) *stagePlayer {
	pl := &stagePlayer{Stage: in.NewStage(false), actions: in.Space.Actions()}
	n := pl.N()
	pl.fifo, pl.noticed = pl.FIFO(), pl.Noticed()
	pl.handlers, pl.events, pl.hazards = pl.Handlers(), pl.Events(), pl.Hazards()
	pl.counts = make([]int, n)
	pl.heads, pl.stale, pl.seen = make([][]stage.Envelope, n), make([]bool, n), make([]bool, n)
	return pl
}

func (pl *stagePlayer) procs() int { return pl.N() }

func (pl *stagePlayer) begin(r *rand.Rand) {
	pl.r, pl.dead, pl.sent, pl.anew, pl.now = r, pl.dead[:0], 0, true, taken{cause: -1}
	pl.Start(r)
	for p := range model.Proc(pl.N()) {
		if !pl.Live(p) {
			pl.dead = append(pl.dead, p)
		}
		for _, m := range pl.Inbox(p) {
			pl.number(m)
		}
	}
	pl.recountAll()
}

func (pl *stagePlayer) recountAll() {
	for p := range model.Proc(pl.N()) {
		pl.recount(p)
	}
}

// number gives a message the next number.
func (pl *stagePlayer) number(m stage.Envelope) {
	for int(m) >= len(pl.serial) {
		pl.serial = append(pl.serial, 0)
	}
	pl.sent++
	pl.serial[m] = pl.sent
}

// receivable returns what p may receive next: of a bag everything, and of what is equal all.
func (pl *stagePlayer) receivable(p model.Proc) []stage.Envelope {
	if !pl.fifo {
		return pl.Inbox(p)
	}
	if pl.stale[p] {
		pl.stale[p] = false
		clear(pl.seen)
		pl.heads[p] = pl.heads[p][:0]
		for _, m := range pl.Inbox(p) {
			if from := pl.From(m); !pl.seen[from] {
				pl.seen[from] = true
				pl.heads[p] = append(pl.heads[p], m)
			}
		}
	}
	return pl.heads[p]
}

func (pl *stagePlayer) count(p int) int { return pl.counts[p] }

// recount finds anew how many candidates p has, after a step that concerns it.
func (pl *stagePlayer) recount(p model.Proc) {
	pl.stale[p] = true
	pl.counts[p] = pl.events
	if !pl.Live(p) {
		return
	}
	n := pl.counts[p] + pl.breakable(p) + pl.hazards*len(pl.receivable(p))
	between, inside := pl.MayCrash(p)
	if between {
		n++
	}
	if inside {
		n++
	}
	pl.counts[p] = n
}

// breakable is how many candidates of p, a live process, a crash may break off: handlers, receipts,
// notices.
func (pl *stagePlayer) breakable(p model.Proc) int {
	n := pl.handlers + len(pl.receivable(p))
	if pl.noticed {
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
func (pl *stagePlayer) candidate(p, i int) candidate {
	n, q := uint64(pl.N()), model.Proc(p)
	if i < pl.events {
		c := candidate{kind: event, proc: p, index: i, action: pl.EventAction(i), thread: uint64(p)}
		if pl.actions[c.action].Kind == model.Fault {
			c.thread = ofFaults + uint64(i)*n + uint64(p)
		}
		return c
	}
	i -= pl.events
	if i < pl.breakable(q) {
		return pl.step(p, i)
	}
	i -= pl.breakable(q)
	envelope := pl.receivable(q)
	if i < pl.hazards*len(envelope) {
		m, x := envelope[i%len(envelope)], i/len(envelope)
		return candidate{
			kind: hazard, proc: p, index: x, envelope: uint32(m), action: pl.HazardAction(x),
			thread: uint64(x+1)*ofHazards + pl.threadOf(q, m),
		}
	}
	i -= pl.hazards * len(envelope)
	c := candidate{kind: crash, proc: p, action: pl.CrashAction(), thread: ofCrashes + uint64(p)}
	if i == 1 {
		c.kind, c.action, c.thread = broken, c.action+1, c.thread+n
	}
	return c
}

// threadOf is that of a message to p, or of its channel.
func (pl *stagePlayer) threadOf(p model.Proc, m stage.Envelope) uint64 {
	if pl.fifo {
		return uint64(p)*uint64(pl.N()) + uint64(pl.From(m))
	}
	return pl.serial[m]
}

// step is a candidate of p that a crash may break off.
func (pl *stagePlayer) step(p, i int) candidate {
	q := model.Proc(p)
	if i < pl.handlers {
		return candidate{kind: ownStep, proc: p, index: i, action: i, thread: uint64(p)}
	}
	i -= pl.handlers
	envelope := pl.receivable(q)
	if i < len(envelope) {
		m := envelope[i]
		return candidate{
			kind: receipt, proc: p, envelope: uint32(m), action: pl.Receipt(m),
			thread: ofChannels + pl.threadOf(q, m),
		}
	}
	j := int(pl.dead[i-len(envelope)])
	return candidate{
		kind: notice, proc: p, index: j, action: pl.NoticeAction(),
		thread: ofNotices + uint64(p)*uint64(pl.N()) + uint64(j),
	}
}

func (pl *stagePlayer) prepare(c candidate) stage.Answer {
	pl.at = c
	p := model.Proc(c.proc)
	switch c.kind {
	case ownStep:
		return pl.Own(p, c.index)
	case receipt:
		return pl.Receive(p, stage.Envelope(c.envelope))
	case notice:
		return pl.Notice(p, model.Proc(c.index))
	case event:
		return pl.Event(p, c.index)
	case hazard:
		return pl.Befall(p, stage.Envelope(c.envelope), c.index)
	case crash:
		return pl.Crash(p)
	}
	all := pl.breakable(p)
	if all == 0 {
		return stage.NotEnabled
	}
	if a := pl.prepare(pl.step(c.proc, pl.r.IntN(all))); a != stage.Enabled {
		return a
	}
	return pl.Break()
}

func (pl *stagePlayer) commit() {
	pl.now = taken{pl.Action(), pl.at.proc, pl.Label(), -1}
	if pl.at.kind == receipt {
		for _, m := range pl.cause {
			if m == stage.Envelope(pl.at.envelope) {
				pl.now.cause = int(pl.From(m))
			}
		}
	}
	p := model.Proc(pl.at.proc)
	lived := pl.Live(p)
	pl.cause = pl.cause[:0]
	for _, d := range pl.Commit() {
		pl.number(d.Envelope)
		pl.recount(d.To)
		pl.cause = append(pl.cause, d.Envelope)
	}
	switch lives := pl.Live(p); {
	case lived && !lives:
		pl.dead = append(pl.dead, p)
	case lives && !lived:
		pl.dead = slices.DeleteFunc(pl.dead, func(q model.Proc) bool { return q == p })
	case len(pl.Lost()) == 0:
		pl.recount(p)
		return
	}
	pl.recountAll() // there is somebody less who may crash, and there are notices
}

func (pl *stagePlayer) last() taken  { return pl.now }
func (pl *stagePlayer) beyond() bool { return pl.Beyond() }

func (pl *stagePlayer) judge(which uint64) uint64 {
	found := pl.Judge(which, pl.anew)
	if !pl.anew {
		found |= pl.JudgeStep(which)
	}
	pl.anew = false
	return found
}

func (pl *stagePlayer) judgeQuiet(which uint64) uint64 { return pl.JudgeQuiet(which) }
func (pl *stagePlayer) marks(i, k int) lts.Marks       { return pl.Marks(i, k) }
func (pl *stagePlayer) state() lts.State               { return pl.State() }
func (pl *stagePlayer) hash() uint64                   { return pl.Hash() }
func (pl *stagePlayer) localHash() uint64 {
	return pl.LocalHash(model.Proc(pl.now.proc)) + uint64(pl.now.proc)
}
