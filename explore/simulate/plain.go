package simulate

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// plainPlayer plays systems, by their plain semantics: all steps are found and one of them is taken.
type plainPlayer struct {
	lts.Plain
	actions []lts.Action
	info    []model.PropertyInfo
	at      lts.State
	before  lts.State // the state before the last step
	by      lts.Transition
	owners  map[string]int
	steps   [][]lts.Transition // by owner
	next    *lts.Transition
	begun   bool
	room    []byte // to write the text to be hashed
}

func newPlainPlayer(in model.Instance) *plainPlayer {
	return &plainPlayer{
		Plain: in.Plain, actions: in.Space.Actions(), info: in.Space.Properties(), owners: map[string]int{},
	}
}

func (pl *plainPlayer) begin(r *rand.Rand) {
	inits := pl.Init()
	pl.by = inits[r.IntN(len(inits))]
	pl.before, pl.begun = nil, false
	pl.arrive()
}

// arrive finds the steps from the state that was come to.
func (pl *plainPlayer) arrive() {
	pl.at = pl.by.Next
	for p := range pl.steps {
		pl.steps[p] = pl.steps[p][:0]
	}
	if pl.by.Outside { // nothing goes on from there
		return
	}
	for _, t := range pl.Steps(pl.at) {
		p, known := pl.owners[t.Owner]
		if !known {
			p = len(pl.owners)
			pl.owners[t.Owner] = p
			pl.steps = append(pl.steps, nil)
		}
		pl.steps[p] = append(pl.steps[p], t)
	}
}

func (pl *plainPlayer) procs() int      { return len(pl.steps) }
func (pl *plainPlayer) count(p int) int { return len(pl.steps[p]) }

func (pl *plainPlayer) candidate(p, i int) candidate {
	t := &pl.steps[p][i]
	c := candidate{kind: any, proc: p, index: i, action: t.Action}
	c.thread = uint64(p)
	if l := t.Label(); t.Received != nil {
		c.thread += (1 + uint64(l.Peer)) << 32
	} else if t.Crashed {
		c.kind, c.thread = crash, c.thread+1<<63
	}
	return c
}

func (pl *plainPlayer) prepare(c candidate) answer {
	pl.next = &pl.steps[c.proc][c.index]
	if pl.next.Pruned {
		return excluded
	}
	return enabled
}

func (pl *plainPlayer) commit() {
	pl.before, pl.by, pl.begun = pl.at, *pl.next, true
	pl.arrive()
}

func (pl *plainPlayer) last() taken {
	return taken{action: pl.by.Action, proc: pl.owners[pl.by.Owner], label: pl.by.Label(), cause: -1}
}

func (pl *plainPlayer) beyond() bool { return pl.by.Outside }

func (pl *plainPlayer) judge(which uint64) (found uint64) {
	for ; which != 0; which &= which - 1 {
		i := bits.TrailingZeros64(which)
		switch pl.info[i].Kind {
		case model.Invariant, model.Reachable:
			if pl.Judge(pl.at, i) {
				found |= 1 << i
			}
		case model.StepInvariant:
			if pl.begun && pl.JudgeStep(pl.before, pl.by, i) {
				found |= 1 << i
			}
		}
	}
	return found
}

func (pl *plainPlayer) judgeQuiet(which uint64) (found uint64) {
	for ; which != 0; which &= which - 1 {
		if i := bits.TrailingZeros64(which); pl.Judge(pl.at, i) {
			found |= 1 << i
		}
	}
	return found
}

func (pl *plainPlayer) marks(i, k int) lts.Marks { return pl.Marks(pl.at, i, k) }
func (pl *plainPlayer) state() lts.State         { return pl.at }
func (pl *plainPlayer) hash() uint64             { return pl.at.Code().Lo }

// localHash hashes what the owner of the last step has.
func (pl *plainPlayer) localHash() uint64 {
	pl.room = append(pl.room[:0], pl.by.Owner...)
	for _, v := range pl.at.Vars() {
		if v.Owner == pl.by.Owner && v.Name != "inbox" {
			pl.room = binary.LittleEndian.AppendUint64(pl.room, uint64(len(v.Value)))
			pl.room = append(pl.room, v.Value...)
		}
	}
	return xxhash.Sum64(pl.room)
}
