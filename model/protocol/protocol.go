// Package protocol is the interface between models and the kernel that explores them: processes, steps,
// media, and the questions that the kernel asks about a model. Local states, messages and histories
// are canonical bytes here: equal values have equal bytes, on every machine, and different ones
// have different bytes.
//
// A Protocol is a set of processes that exchange messages, a System one process that is the whole
// state. Neither depends on the way in which states are stored, or on the order in which they are found.
package protocol

import "github.com/atmostk/atmostk/model/movers"

// A Protocol is a set of processes that exchange messages, for one search. The kernel calls it from one
// goroutine at a time, and once for each memo key.
//
// The kernel gives numbers to local states, messages, inboxes and histories, 0, 1, 2, .. in the
// order in which they come up, separately for each kind and process. It introduces each value by the
// method that begins with New, and passes its number from then on. A number is valid after
// that method has returned; if it panics the same number may be given to another value.
//
// A method panics if the model is at fault. The kernel does not recover.
type Protocol interface {
	Declaration() *Declaration
	// Init returns the initial state.
	Init() Initial

	NewLocal(p Proc, id uint32, local []byte) Local
	NewMessage(to Proc, id uint32, e Envelope) Message
	// NewInbox reports whether a property that reads inboxes only is false for this one.
	NewInbox(p Proc, id uint32, messages []uint32) (broken bool)
	NewHistory(id uint32, history []byte, r Record)

	// Steps passes the outcomes of a memo key to out.
	Steps(s MemoKey, out Outcomes)
	// After returns the history after an event, or false: it excludes the step.
	After(history uint32, e Event) (next []byte, kept bool)
	// Break returns the local state of p after the crash of another process, under Links.
	Break(p Proc, local uint32, gone Proc) []byte
	// ShiftLocal and ShiftMessage return values with all times moved back by an amount.
	ShiftLocal(p Proc, local uint32, by uint32) []byte
	ShiftMessage(to Proc, message uint32, by uint32) []byte

	// Forget returns, if the Declaration Forgets, the normal form of a local state, and the local state to
	// compare with it: without values that cannot be read. If they differ Merge introduces the latter, with
	// a number from Merged on, and panics if the model distinguishes it from the normal form.
	Forget(p Proc, local []byte) (compared, normal []byte)
	Merge(p Proc, id uint32, local []byte, normal uint32)
	// MergesOn panics with the mistake that local states without end are merged into one normal form.
	MergesOn(p Proc, merged uint32)

	// Distinguished returns the part of the model that distinguishes two local states of p, other than its
	// handlers; "": none does.
	Distinguished(p Proc, a, b uint32) string

	// Renamed and RenamedMessage return the canonical bytes of a local state, and of a message on its way to
	// a process, after a renaming of the Declaration.
	Renamed(p Proc, local uint32, by int) []byte
	RenamedMessage(to Proc, message uint32, by int) []byte

	// LocalAgain computes the facts of NewLocal again, and panics if they differ.
	LocalAgain(p Proc, id uint32, first Local)
	// Differ panics with the mistake that a memo key had the first outcome at first, and then the second,
	// with its own local state or one that is merged into it; nil: no further outcome.
	Differ(s MemoKey, local uint32, first, second *Outcome)
	// DifferAfter panics with the mistake that After came to two results; nil: it excluded the step.
	DifferAfter(history uint32, first, second []byte)

	// Footprint estimates the bytes held.
	Footprint() int
}

// A Declaration describes a protocol.
type Declaration struct {
	Names  []string // of all processes
	Medium Medium
	// FaultAction is the index of the first action of the channel adversary: they stand in the
	// order of Faults.List.
	FaultAction int
	// Forgets: local states with the same normal form count as one. Not with Clocks or Links.
	Forgets bool
	// Hermetic: handlers can read only their arguments, so purity checks cover only a sample of them.
	Hermetic bool
	Table    Table
	// Renamings are those by which processes may be exchanged, the identity first; nil: none may be. Not with
	// Clocks, InFlight, Links, History or Movers.
	Renamings [][]Proc
	// Movers are received at once; nil: no messages are. Not with Clocks, InFlight, Links or Recovers.
	Movers *movers.Movers
}

// Merged is the number of the first local state that its normal form replaces: these have
// numbers of their own, and no state holds them.
const Merged = 1 << 24

// Initial is an initial state: of each process the local state, and the messages under way to it in the order
// of sending.
type Initial struct {
	Dead    Set
	Locals  [][]byte
	Inboxes [][]Envelope
	History []byte
}

// Closed is the number of the inbox of a dead process, which gets no message. It is never
// introduced.
const Closed = 0

// The first OftenAsked evaluations of each kind are repeated ManyTimes: in a small model two random results
// may well be equal, and most models that are no functions are small. 64 times 8 handlers take half a
// millisecond.
const (
	OftenAsked = 64
	ManyTimes  = 8
)

// An Envelope is a message on its way, with its sender.
type Envelope struct {
	From    Proc
	Message []byte
}

// A Local has the facts about a local state for the kernel.
type Local struct {
	Units   int   // of the resource in use
	Outside bool  // the constraint rejects it
	Broken  bool  // a property that reads local states only is false, or may be
	Beyond  bool  // beyond the bounds of the model
	Times   Times // with Clocks
	Trace   Trace // under Links
	Named   Set   // processes that are not to be exchanged
}

// A Message has the facts about a message for the kernel.
type Message struct {
	Times Times // with Clocks
	Trace Trace // under Links
	Named Set   // processes that are not to be exchanged
}

// A MemoKey is everything that the outcomes of a process depend on.
type MemoKey struct {
	Proc    Proc
	Local   uint32
	Message uint32 // 1 + the message received; 0: none
	Context
}

// A Table has the properties that can be judged without reading a whole state.
type Table struct {
	Props uint64 // bit i: property i
	// Found holds, for the units in use and the number of live processes, the properties of Props to
	// report.
	Found [MaxUnits + 1][MaxProcs + 1]uint64
}

// MaxUnits is the largest number of units in use for which a Table has verdicts.
const MaxUnits = 32

// Outcomes takes the outcomes of a memo key, one after the other.
type Outcomes interface {
	// Add takes an outcome. Its memory is used again when Add returns.
	Add(o *Outcome)
}

// An Outcome is one result of a memo key: a step of the process.
type Outcome struct {
	Action   uint16
	Handler  uint16 // the action of the handler that ran; equal to Action except in a crash
	Peer     Proc   // the sender of the message received, or the process noticed dead
	Ordinary bool   // the state is not quiet
	Crash    bool   // the process is dead afterwards
	Revives  bool   // it was dead, and comes up
	// Exhausted: a handler asked for a fresh number, and all were in use.
	Exhausted bool
	Fault     ChannelFault // it is a step of the channel adversary
	Cut       Cut          // messages of the process that are lost, before it sends
	Note      uint32       // for the history; 0: nothing
	Known     uint32       // 1 + the number of the local state afterwards; 0: Local has its bytes
	Local     []byte       // afterwards
	Sent      []Sent       // in the order of sending; those to the dead are not stored
}

// Sent is a message on its way into the channel to a process.
type Sent struct {
	To      Proc
	Owner   Proc // the process to which it is charged
	Message []byte
}

// A Cut is the loss of messages that a process has under way: 1 + the
// process to which they go; 0: none.
type Cut uint8

// CutTo is the loss of messages to p.
func CutTo(p Proc) Cut { return Cut(p) + 1 }

// Has reports whether messages to p are lost.
func (c Cut) Has(p Proc) bool { return c == CutTo(p) }

// A Mistake is the panic for something that no model may do.
type Mistake struct{ Part, What string }

// Parts are the parts of a state: the numbers of its local states, of its inboxes and of its
// history, in this order, as the kernel has packed them; or the words of the state of a System.
type Parts struct {
	Words []uint32
	Slots []Slot // of the numbers in Words; nil in a System
}

// At returns a number.
func (p *Parts) At(i int) uint32 { return p.Slots[i].Get(p.Words) }

// A Slot is the place of a number in words: the word, shifted to the right, and then masked.
type Slot struct {
	Word, Mask uint32
	Shift      uint8
}

// Get returns the number. Shifts are less than 32; the compiler makes shorter code if it sees that.
func (s *Slot) Get(words []uint32) uint32 { return words[s.Word] >> (s.Shift & 31) & s.Mask }

// Set changes the number from old to new.
func (s *Slot) Set(words []uint32, old, new uint32) { words[s.Word] ^= (old ^ new) << (s.Shift & 31) }

// A System is a transition system of one process that is the whole state, which has a fixed number of
// words.
type System interface {
	// Words is the number of words of a state. Equal states have equal words, on one machine.
	Words() int
	// Init passes the initial states on, with label 0.
	Init(*Successors)
	// Constrained reports whether there is a constraint, which Keeps evaluates.
	Constrained() bool
	// Traced lists the labels of all steps, in their order, if Step finds the bits that they touch; nil: it
	// does not.
	Traced() []Label
	// NewStepper returns a stepper for one goroutine.
	NewStepper() Stepper
	// Canonical appends the canonical bytes of a state.
	Canonical(to []byte, state []uint32) []byte
}

// A Stepper finds the steps of a System.
type Stepper interface {
	// Expand finds the steps from a state, and passes on the successors that differ from it.
	Expand(state []uint32, to *Successors)
	// Step does the same for the steps with one label. If touched is not nil, it sets there the bits of the
	// state that they read or change: from states with the same values of these, the steps are the same.
	Step(state []uint32, l Label, touched []uint32, to *Successors)
	// Keeps reports whether the constraint keeps a state.
	Keeps(state []uint32) bool
}

// Successors takes the successors of a state of a System, one after the other.
type Successors struct {
	// Room is the memory for all words of the next successor.
	Room []uint32
	// Taker takes the successor in Room, and makes room for the next.
	Taker
	// Loops are the labels of steps that lead back to the state itself, which are not passed on.
	Loops []Label
	// Fired counts all steps, per action.
	Fired *[MaxActions]int64

	Any      bool // there is a step
	Ordinary bool // there is an ordinary one
}

// A Taker takes the successor in Room. label is the Word of the label of the step to it.
type Taker interface{ Take(label uint32) }
