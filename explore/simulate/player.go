package simulate

import (
	"math/rand/v2"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A player plays one run of a model after the other. It knows what may happen next, and lets it happen.
type player interface {
	// begin starts a run, which draws from r.
	begin(r *rand.Rand)
	// procs is how many processes there are, or owners of actions in a system.
	procs() int
	// count is how many candidates process p has now, and candidate returns one of them.
	count(p int) int
	candidate(p, i int) candidate
	// prepare answers if a candidate can be taken, and commit takes the one that was prepared last.
	prepare(c candidate) answer
	commit()
	// last is the step that was taken.
	last() taken
	beyond() bool

	// judge returns what the state has to report of the properties among which, and what the step to it has.
	judge(which uint64) uint64
	judgeQuiet(which uint64) uint64
	marks(i, k int) lts.Marks
	state() lts.State
	// hash hashes the state, and localHash the local state that the last step led to.
	hash() uint64
	localHash() uint64
}

// A candidate is a step that may be enabled.
type candidate struct {
	kind   kind
	proc   int
	index  int // among the candidates of the process
	action int
	// thread is the sequence of steps that it belongs to, for priorities: steps of one thread happen in one
	// order, or exclude each other.
	thread uint64
}

type kind uint8

const (
	ownStep kind = iota
	receipt
	notice
	event  // of a link, or of the network
	hazard // a fault of a message
	crash
	broken // a crash inside a handler
	any    // a transition of the plain semantics
)

// taken is a step that was taken.
type taken struct {
	action, proc int
	label        model.Label
	// the process whose message was received in it, if that was sent in the step before; -1 if not
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
