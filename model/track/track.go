// Package track is how a run is followed of which something is known, as the lines of a log: a [Track]
// carries out single steps, picked by process and action, and need not list all others.
package track

import (
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Composed is the plain semantics of a composition, which can be asked about one
// process at a time. Whoever follows a run of which something is known need not
// enumerate all the rest.
type Composed interface {
	lts.Plain
	// StepsOf returns the steps of one process with one action.
	StepsOf(s lts.State, p protocol.Proc, action int) []lts.Transition
	// Track returns a new Track, with numbers of its own.
	Track() Track
}

// A Track carries out single steps, picked by process and action. It is made for
// one goroutine. It leaves out constraints, and histories that do not guard: no handler
// reads them.
type Track interface {
	Names() []string // of the processes
	Start() Point
	Dead(v Point) protocol.Set
	// Inbox returns everything on its way to p: grouped by sender and each group in
	// its order under FIFO channels.
	Inbox(v Point, p protocol.Proc) []Envelope
	// Steps returns what p can do with an action, whatever it receives thereby.
	Steps(v Point, p protocol.Proc, action int) []Step
	// Receive returns what p can do with envelope i of its inbox: nothing if it is not
	// the one to be received next, or is the copy of another one.
	Receive(v Point, p protocol.Proc, i int) []Step
	// Take returns the point after a step. marks are put on the messages sent; nil
	// is no marks.
	Take(v Point, m *Step, marks []uint32) Point
	// Vars returns the variables of p.
	Vars(v Point, p protocol.Proc) []lts.Var
	// Units returns the number of units that p uses; a dead process uses none.
	Units(v Point, p protocol.Proc) int
	// State spells the point out, with the history that there is at the start.
	State(v Point) lts.State
	// Shows reports whether the point is s, marks and history apart.
	Shows(v Point, s lts.State) bool
	Class(action int) Class
	FIFO() bool // the discipline of the channels
	// Overtakes reports whether a process that crashes while it sends can let a message out
	// without an earlier one to the same process, in channels that keep the order.
	Overtakes() bool
	Guards() bool // whether a history guards steps
	// Independent reports whether steps of different processes commute, of which none receives
	// what the other sends. Under Links they do not: a handler learns of more than is at its process.
	Independent() bool
	// Footprint estimates the bytes held by the numberings.
	Footprint() int64
}

// A Point is a state of a Track in numbers: the local state of each process and
// after them the inbox of each, marks included, the history if it guards, and how many
// crashes there were if processes come up again. Equal points are equal states.
type Point []uint32

// An Envelope is a message on its way. Marks are given by those who follow a run, to
// tell equal messages apart; they mean nothing here.
type Envelope struct {
	From, To protocol.Proc
	Text     string
	Mark     uint32

	ID uint32 // of message and sender, in the numbering of the Track
}

// A Step is what a process can take at some point.
type Step struct {
	Proc     protocol.Proc
	Action   int
	Peer     protocol.Proc // the sender of what is received, the process noticed dead
	Envelope int           // what is received, as an index into the inbox; -1: nothing
	Sent     []Envelope    // those to dead processes too, which are not stored
	Crash    bool
	// Guarded: it depends on the order of other such steps whether it can be taken.
	Guarded bool

	Local   uint32       // the local state afterwards, in the numbering of the Track
	History uint32       // likewise
	Cut     protocol.Cut // the link that loses what it carries
	Revives bool         // the process comes up again
}

// Class says what kind of event starts the steps of an action.
type Class uint8

const (
	// OwnStep is a local handler.
	OwnStep Class = iota
	// Receipt is the receipt of a message.
	Receipt
	// CrashNotice is the notice of a crash.
	CrashNotice
	// CrashStep is a crash between handlers.
	CrashStep
	// BrokenStep is a crash inside a handler.
	BrokenStep
	// ChannelFault is a fault of channels. A Track takes none.
	ChannelFault
)
