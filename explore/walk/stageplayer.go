package walk

import (
	"math/rand/v2"

	"github.com/atmostk/atmostk/model"
)

// stagePlayer plays compositions whose medium is channels that deliver all.
type stagePlayer struct {
	model.Stage
	fifo   bool
	r      *rand.Rand
	dead   []model.Proc
	counts []int          // per process: of its candidates
	heads  [][]model.Mail // per process: what it may receive next, where channels are FIFO
	stale  []bool         // heads are to be found anew
	seen   []bool         // per sender, while heads are found
	serial []uint64       // per message under way: how many were sent before it
	sent   uint64
	anew   bool // nothing was judged yet
	cause  []model.Mail
	at     candidate
	step   taken
}

func newStagePlayer(in model.Instance) *stagePlayer {
	pl := &stagePlayer{Stage: in.NewStage(false)}
	n := pl.N()
	pl.fifo = pl.FIFO()
	pl.counts = make([]int, n)
	pl.heads, pl.stale, pl.seen = make([][]model.Mail, n), make([]bool, n), make([]bool, n)
	return pl
}

func (pl *stagePlayer) procs() int { return pl.N() }

func (pl *stagePlayer) begin(r *rand.Rand) {
	pl.r, pl.dead, pl.sent, pl.anew, pl.step = r, pl.dead[:0], 0, true, taken{cause: -1}
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
func (pl *stagePlayer) number(m model.Mail) {
	for int(m) >= len(pl.serial) {
		pl.serial = append(pl.serial, 0)
	}
	pl.sent++
	pl.serial[m] = pl.sent
}

// receivable returns what p may receive next: of a bag everything, and of what is equal all.
func (pl *stagePlayer) receivable(p model.Proc) []model.Mail {
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
	pl.counts[p] = 0
	if !pl.Live(p) {
		return
	}
	n := pl.Handlers() + len(pl.receivable(p))
	if pl.Noticed() {
		n += len(pl.dead)
	}
	between, inside := pl.MayCrash(p)
	if between {
		n++
	}
	if inside {
		n++
	}
	pl.counts[p] = n
}

// Threads of the steps of a composition: the handlers of a process are one, so are the messages of a FIFO
// channel, and each message of a bag by itself; so is each notice, and each way to crash.
const (
	ofChannels = 1 << 32
	ofNotices  = 2 << 32
	ofCrashes  = 3 << 32
)

func (pl *stagePlayer) candidate(p, i int) candidate {
	n, q := uint64(pl.N()), model.Proc(p)
	if i < pl.Handlers() {
		return candidate{kind: ownStep, proc: p, index: i, action: i, thread: uint64(p)}
	}
	i -= pl.Handlers()
	mail := pl.receivable(q)
	if i < len(mail) {
		m := mail[i]
		thread := ofChannels + pl.serial[m]
		if pl.fifo {
			thread = ofChannels + uint64(p)*n + uint64(pl.From(m))
		}
		return candidate{kind: receipt, proc: p, mail: uint32(m), action: pl.Receipt(m), thread: thread}
	}
	i -= len(mail)
	if pl.Noticed() {
		if i < len(pl.dead) {
			j := int(pl.dead[i])
			return candidate{kind: notice, proc: p, index: j, action: pl.NoticeAction(), thread: ofNotices +
				uint64(p)*n + uint64(j)}
		}
		i -= len(pl.dead)
	}
	c := candidate{kind: crash, proc: p, action: pl.CrashAction(), thread: ofCrashes + uint64(p)}
	if i == 1 {
		c.kind, c.action, c.thread = broken, c.action+1, c.thread+n
	}
	return c
}

func (pl *stagePlayer) prepare(c candidate) model.Answer {
	pl.at = c
	p := model.Proc(c.proc)
	switch c.kind {
	case ownStep:
		return pl.Own(p, c.index)
	case receipt:
		return pl.Receive(p, model.Mail(c.mail))
	case notice:
		return pl.Notice(p, model.Proc(c.index))
	case crash:
		return pl.Crash(p)
	}
	handlers := pl.count(c.proc) - 2 // and what can be received and noticed, but not crashes
	if handlers == 0 {
		return model.NotEnabled
	}
	of := pl.candidate(c.proc, pl.r.IntN(handlers))
	if a := pl.prepare(of); a != model.Enabled {
		return a
	}
	return pl.Break()
}

func (pl *stagePlayer) commit() {
	pl.step = taken{pl.Action(), pl.at.proc, pl.Label(), -1}
	if pl.at.kind == receipt {
		for _, m := range pl.cause {
			if m == model.Mail(pl.at.mail) {
				pl.step.cause = int(pl.From(m))
			}
		}
	}
	p := model.Proc(pl.at.proc)
	pl.cause = pl.cause[:0]
	for _, d := range pl.Commit() {
		pl.number(d.Mail)
		pl.recount(d.To)
		pl.cause = append(pl.cause, d.Mail)
	}
	if pl.Live(p) {
		pl.recount(p)
		return
	}
	pl.dead = append(pl.dead, p)
	pl.recountAll() // there is somebody less who may crash, and there are notices
}

func (pl *stagePlayer) last() taken  { return pl.step }
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
func (pl *stagePlayer) roles(i, k int) model.Roles     { return pl.Roles(i, k) }
func (pl *stagePlayer) state() model.State             { return pl.State() }
func (pl *stagePlayer) hash() uint64                   { return pl.Hash() }
func (pl *stagePlayer) localHash() uint64 {
	return pl.LocalHash(model.Proc(pl.step.proc)) + uint64(pl.step.proc)
}
