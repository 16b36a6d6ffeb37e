package simulate

import (
	"math/rand/v2"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A player plays one run of a model after the other. It lists the steps that may be enabled, and takes them.
type player interface {
	// begin starts a run, which draws from r.
	begin(r *rand.Rand)
	// candidates are listed by process, or by owner of actions in a system; action is the action of one.
	candidates() [][]candidate
	action(c candidate) int
	// prepare answers whether a candidate can be taken, and commit takes the one that was prepared last.
	prepare(c candidate) answer
	commit() taken
	beyond() bool

	// judge returns the properties in which, a set, that the state or the last step violates, and the goals
	// that it reaches; judgeQuiet does so for properties of quiet states.
	judge(which uint64) uint64
	judgeQuiet(which uint64) uint64
	marks(i, k int) lts.Marks
	state() lts.State
	// hash hashes the state, and adds the hashes of its local states that are new to those that were met.
	hash(met map[uint64]struct{}) uint64
}

type candidate struct {
	kind       kind
	proc, peer model.Proc
	at         int32 // the envelope in the inbox, or the transition of a system; -1: none
	act        int32 // the action; -1: of a receipt, which is found when it is asked for
	// thread is the sequence of steps that it belongs to, for priorities: steps of one thread happen in one
	// order, or exclude each other.
	thread uint64
}

type kind uint8

const (
	other kind = iota
	receipt
	hazard // a fault of a message
	crash
	broken // a crash inside a handler
)

type taken struct {
	action, proc int
	label        model.Label
	// the process of the step before, if its message was received in it, lost or copied, or its crash
	// noticed; -1 if not
	cause int
}

// An answer says whether a step can be taken.
type answer uint8

const (
	notEnabled answer = iota
	enabled
	// excluded says that an assumption on runs excludes it.
	excluded
)
