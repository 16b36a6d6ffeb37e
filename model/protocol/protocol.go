package protocol

// A Protocol is a set of processes that exchange messages, as one search asks about it: by one
// goroutine at a time, and once for each memo key that comes up.
//
// The kernel gives numbers to local states, messages, inboxes and histories, 0, 1, 2, .. in the
// order in which they come up, each kind of each process by itself. It makes each known by the
// method that begins with New, and speaks of it by its number from then on. Numbers count once
// that method has returned; if it panics the same number may come again, for something else.
//
// A method panics if the model is at fault. The kernel lets that pass.
type Protocol interface {
	Declaration() *Declaration
	// Init returns the initial state.
	Init() Initial

	NewLocal(p Proc, id uint32, local []byte) Local
	NewMessage(to Proc, id uint32, e Envelope) Message
	// NewInbox reports whether a property that looks at inboxes only does not hold of this one.
	NewInbox(p Proc, id uint32, messages []uint32) (broken bool)
	NewHistory(id uint32, history []byte, r Record)

	// Steps finds the outcomes of a memo key.
	Steps(s MemoKey, out Outcomes)
	// After returns the history after an event, or that it excludes the step.
	After(history uint32, e Event) (next []byte, kept bool)
	// Break returns the local state of p after the crash of another process, under Links.
	Break(p Proc, local uint32, gone Proc) []byte
	// ShiftLocal and ShiftMessage return what is left when all times were moved back by so much.
	ShiftLocal(p Proc, local uint32, by uint32) []byte
	ShiftMessage(to Proc, message uint32, by uint32) []byte

	// Forget returns the normal form of a local state, where the Declaration Forgets, and what has to be
	// compared with that: the local state without what cannot be read. Merge makes such a
	// one known that differs from the normal form, by its number, from Merged on, and panics
	// if the model says something else of it than of the normal form.
	Forget(p Proc, local []byte) (compared, normal []byte)
	Merge(p Proc, id uint32, local []byte, normal uint32)
	// MergesOn panics with the mistake that there is no end of the local states that are merged into one.
	MergesOn(p Proc, merged uint32)

	// LocalAgain asks again what NewLocal has said, and panics if it says something else.
	LocalAgain(p Proc, id uint32, first Local)
	// StepsLater panics with the mistake that a memo key has other outcomes, besides their times, if all
	// times are later. It is asked with Clocks only.
	StepsLater(s MemoKey)
	// Differ panics with the mistake that a memo key had one outcome, or no other one if that is
	// nil, when it first came up, and then another, or none, if its local state is that of a number: its own,
	// or one that is merged into it.
	Differ(s MemoKey, local uint32, first, second *Outcome)
	// DifferAfter does so where After has come to two results; nil: it excluded the step.
	DifferAfter(history uint32, first, second []byte)

	// Footprint estimates the bytes held.
	Footprint() int
}

// A Declaration is what a protocol says of itself.
type Declaration struct {
	Names  []string // of the processes; there are so many
	Medium Medium
	// FaultAction is the index of the first action of the channel adversary: they stand in the
	// order of Faults.List.
	FaultAction int
	Charged     bool // messages may belong to the request of another than their sender
	// Forgets: local states with the same normal form are taken for one. Not with Clocks or Links.
	Forgets bool
	// Hermetic: steps run where nothing but their arguments can be read, so that few are asked about again.
	Hermetic bool
	Table    Table
}

// Merged is the number of the first local state that is taken for another one, its normal form: they have
// numbers of their own, and states do not hold them.
const Merged = 1 << 24

// Initial is an initial state: of each process the local state, and what is on its way to it in the order
// of sending.
type Initial struct {
	Dead    Set
	Locals  [][]byte
	Inboxes [][]Envelope
	History []byte
}

// Closed is the number of the inbox of a dead process, into which nothing is ever put. It is never
// made known.
const Closed = 0

// OftenAsked of what is asked of a model, of each kind, is asked ManyTimes: in a small model chance may well
// say the same twice, and most models that are no functions are still small. 64 times 8 handlers are half a
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

// A Local is what the kernel has to know of a local state.
type Local struct {
	Units   int   // of the resource, that the process uses
	Outside bool  // the constraint rejects it
	Broken  bool  // a property that looks at local states only does not hold of it, or may not
	Beyond  bool  // it is beyond the bounds of the model
	Times   Times // with Clocks
	Trace   Trace // under Links
}

// A Message is what the kernel has to know of a message.
type Message struct {
	Times Times // with Clocks
	Trace Trace // under Links
}

// A MemoKey is all that what a process does depends on.
type MemoKey struct {
	Proc    Proc
	Local   uint32
	Message uint32 // 1 + what it receives; 0: nothing
	Context
}

// Table tells of the properties that can be judged without looking at a whole state.
type Table struct {
	Props uint64 // bit i: property i is
	// Found holds, for the units in use and the number of live processes, those of these that
	// have to be reported.
	Found [MaxUnits + 1][MaxProcs + 1]uint64
}

// MaxUnits is the largest number of units in use for which a Table has verdicts.
const MaxUnits = 32

// Outcomes takes the outcomes of a memo key, one after the other.
type Outcomes interface {
	// Add takes one. What it points to is free again when Add returns.
	Add(o *Outcome)
}

// An Outcome is one way in which a process can go on.
type Outcome struct {
	Action   uint16
	Handler  uint16 // the action of the handler that ran; Action itself but in a crash
	Peer     Proc   // the sender of what is received, or the process noticed dead
	Ordinary bool   // it counts against quiet
	Crash    bool   // the process is dead afterwards
	Revives  bool   // it was dead, and is not any more
	// Exhausted: a handler asked for a fresh number, and there was none.
	Exhausted bool
	Fault     ChannelFault // it is a step of the channel adversary
	Cut       Cut          // what is lost that the process had under way, before it sends
	Note      uint32       // for the history; 0: nothing
	Known     uint32       // 1 + the number of the local state afterwards; 0: Local has its bytes
	Local     []byte       // afterwards
	Sent      []Sent       // in the order of sending; those to the dead are not stored
}

// Sent is a message on its way into the channel to a process.
type Sent struct {
	To      Proc
	Owner   Proc // to whose request it belongs
	Message []byte
}

// A Cut says what is lost that a process has under way: 0: nothing, else 1 + the
// process to which all of it goes.
type Cut uint8

// CutTo loses what is under way to p.
func CutTo(p Proc) Cut { return Cut(p) + 1 }

// Has reports whether what is under way to p is lost.
func (c Cut) Has(p Proc) bool { return c == CutTo(p) }

// A Mistake is what the kernel panics with when a model does what models cannot do.
type Mistake struct{ Part, What string }
