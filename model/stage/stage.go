// Package stage is how single runs of a composition are played in place: a [Stage] has one state, and carries
// out the steps that it is told. Random runs (explore/walk)
// and timed ones (explore/timed) are played so; package model builds stages, and modellers need none.
package stage

import (
	"math/rand/v2"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// A Stage plays one run of a composition in place: it has one state, and carries out the steps that it is
// told. It runs the handlers that are explored, and keeps nothing of the past, so a run may be as long as
// it likes. It is for one goroutine. What it calls of the model may fail: it panics with an Error then.
//
// A step has two halves. Own, Receive, Notice or Crash prepares it, and tells whether it can be taken;
// nothing has changed yet. Commit takes the step that was prepared last.
type Stage interface {
	// Start begins a run, at the initial state. Picks of handlers, and what else is left to chance, are
	// drawn from r.
	Start(r *rand.Rand)
	N() int
	Live(p protocol.Proc) bool
	// Handlers is the number of local handlers; each process has them all.
	Handlers() int
	Own(p protocol.Proc, handler int) Answer
	Receive(p protocol.Proc, m Envelope) Answer
	Notice(p, dead protocol.Proc) Answer
	FIFO() bool    // the discipline of the channels
	Noticed() bool // whether processes are told of crashes
	// NoticeAction and CrashAction are the indices of what Notice and Crash do; that of Break follows.
	NoticeAction() int
	CrashAction() int
	Crash(p protocol.Proc) Answer
	// Break makes the step that was prepared end in a crash of its process, with a part of its sends
	// carried out, drawn at random among those that there are.
	Break() Answer
	// Idle reports whether the step that was prepared, one of its process by itself, changes nothing but,
	// maybe, what is remembered: such a step can be taken for ever.
	Idle() bool
	// Commit returns what the step put into channels, valid until the next Commit.
	Commit() []Dispatch
	// Action is the index of the action that was prepared, and Label that of the step.
	Action() int
	Label() protocol.Label
	// Events is how many things may befall a process besides: the events of its link, that the link
	// breaks, and, as if they were steps of the first process, that the network splits and heals. The
	// dead come up by one of them. Event prepares one; EventAction is its index.
	Events() int
	Event(p protocol.Proc, i int) Answer
	EventAction(i int) int
	// Hazards is how many things may befall a message that p can receive next: it is lost, it is copied.
	// Befall prepares one; HazardAction is its index.
	Hazards() int
	Befall(p protocol.Proc, m Envelope, i int) Answer
	HazardAction(i int) int
	// Lost returns the messages under way that the last step lost with their channel, valid until the next
	// Commit. They are dropped already.
	Lost() []Envelope
	// Faulty reports whether channels may fail by themselves.
	Faulty() bool
	// MayCrash reports whether the adversary may crash p now, between two handlers or inside one.
	MayCrash(p protocol.Proc) (between, inside bool)
	// Inbox returns what is under way to p, in the order of sending; nothing in a stage that is light.
	Inbox(p protocol.Proc) []Envelope
	// From returns the sender of a message under way, Receipt the index of the action that receives it.
	From(m Envelope) protocol.Proc
	Receipt(m Envelope) int
	// Beyond reports whether the state is beyond the bounds of the model, or the constraint rejects it: a
	// run is not gone on with then.
	Beyond() bool
	Units(p protocol.Proc) int
	InUse() int
	Names() []string // of the local handlers
	// Requests tells of each local handler whether it is a wish of the user's.
	Requests() []bool
	// Suspects returns whom p takes for dead, if the model says so.
	Suspects(p protocol.Proc) (g values.Group, ok bool)
	// Drop takes a message to p out of its channel.
	Drop(p protocol.Proc, m Envelope)

	// Judge returns the invariants among which that the state violates and the goals that it reaches. It
	// looks only at what the step before can have changed, unless anew is true.
	Judge(which uint64, anew bool) uint64
	// JudgeStep returns the StepInvariants among which that the last step broke.
	JudgeStep(which uint64) uint64
	// JudgeQuiet returns the Quiet properties among which that fail in the state, a quiet one.
	JudgeQuiet(which uint64) uint64
	// Marks returns the marks of the state in lasso k of Liveness property i.
	Marks(i, k int) lts.Marks
	// State spells the state out.
	State() lts.State
	// Hash returns a number that is the same for equal states, and hardly ever for others. LocalHash does
	// so of the local state of p, whoever p is.
	Hash() uint64
	LocalHash(p protocol.Proc) uint64
}

// An Envelope is a message under way on a Stage with its sender: a number that is used again once it is
// received.
type Envelope uint32

// A Dispatch is a message that was put into a channel.
type Dispatch struct {
	To protocol.Proc
	Envelope
}

// An Answer says whether a step can be taken.
type Answer uint8

const (
	// NotEnabled says that there is no such step.
	NotEnabled Answer = iota
	// Enabled says that it can be taken.
	Enabled
	// Excluded says that an assumption on runs excludes it.
	Excluded
)
