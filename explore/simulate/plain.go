package simulate

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// plainPlayer plays systems, by their plain semantics: all steps are found and one of them is taken.
type plainPlayer struct {
	lts.Plain
	info   []model.PropertyInfo
	before lts.State      // the state before the last step; nil: the run has just begun
	by     lts.Transition // the last step
	owners map[string]int
	steps  []lts.Transition // from the present state
	lists  [][]candidate    // of the same steps, by owner
	next   *lts.Transition
	room   []byte // to write the text to be hashed
}

func (pl *plainPlayer) begin(r *rand.Rand) {
	inits := pl.Init()
	pl.before, pl.by = nil, inits[r.IntN(len(inits))]
	pl.owners, pl.lists = map[string]int{}, nil // numbered anew: no run depends on those before it
	pl.arrive()
}

// arrive lists the steps from a new state.
func (pl *plainPlayer) arrive() {
	for p := range pl.lists {
		pl.lists[p] = pl.lists[p][:0]
	}
	if pl.by.Outside { // runs end there
		return
	}
	pl.steps = pl.Steps(pl.by.Next)
	for i := range pl.steps {
		t := &pl.steps[i]
		p, known := pl.owners[t.Owner]
		if !known {
			p = len(pl.owners)
			pl.owners[t.Owner] = p
			pl.lists = append(pl.lists, nil)
		}
		c := candidate{proc: model.Proc(p), at: int32(i), act: int32(t.Action), thread: uint64(p)}
		if t.Received != nil {
			c.thread += (1 + uint64(t.Label().Peer)) << 32
		} else if t.Crashed {
			c.kind, c.thread = crash, c.thread+1<<63
		}
		pl.lists[p] = append(pl.lists[p], c)
	}
}

func (pl *plainPlayer) candidates() [][]candidate { return pl.lists }
func (pl *plainPlayer) action(c candidate) int    { return int(c.act) }

func (pl *plainPlayer) prepare(c candidate) answer {
	pl.next = &pl.steps[c.at]
	if pl.next.Pruned {
		return excluded
	}
	return enabled
}

func (pl *plainPlayer) commit() taken {
	pl.before, pl.by = pl.by.Next, *pl.next
	pl.arrive()
	return taken{action: pl.by.Action, proc: pl.owners[pl.by.Owner], label: pl.by.Label(), cause: -1}
}

func (pl *plainPlayer) beyond() bool { return pl.by.Outside }

func (pl *plainPlayer) judge(which uint64) (found uint64) {
	for i := range property.Among(which) {
		if pl.info[i].Kind != model.StepInvariant && pl.Judge(pl.by.Next, i) ||
			pl.info[i].Kind == model.StepInvariant && pl.before != nil && pl.JudgeStep(pl.before, pl.by, i) {
			found |= 1 << i
		}
	}
	return found
}

func (pl *plainPlayer) judgeQuiet(which uint64) uint64 { return pl.judge(which) }
func (pl *plainPlayer) marks(i, k int) lts.Marks       { return pl.Marks(pl.by.Next, i, k) }
func (pl *plainPlayer) state() lts.State               { return pl.by.Next }

// hash takes what an owner has for its local state.
func (pl *plainPlayer) hash(met map[uint64]struct{}) uint64 {
	vars := pl.by.Next.Vars()
	for i, first := range vars {
		if first.Owner == "" || i > 0 && vars[i-1].Owner == first.Owner {
			continue
		}
		pl.room = append(pl.room[:0], first.Owner...)
		for _, v := range vars {
			if v.Owner == first.Owner {
				pl.room = binary.LittleEndian.AppendUint64(pl.room, uint64(len(v.Value)))
				pl.room = append(pl.room, v.Value...)
			}
		}
		met[xxhash.Sum64(pl.room)] = struct{}{}
	}
	return pl.by.Next.Code().Lo
}
