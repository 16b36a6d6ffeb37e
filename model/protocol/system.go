package protocol

// A System is a transition system of one process that is the whole state, which has a fixed number of
// words.
type System interface {
	// Words is how many words a state has. Equal states have equal words, on one machine.
	Words() int
	// Init hands over the initial states, with label 0.
	Init(*Successors)
	// Constrained reports whether there is a constraint, which Keeps asks.
	Constrained() bool
	// NewStepper returns what finds steps, for one goroutine.
	NewStepper() Stepper
	// Canonical appends the canonical bytes of a state.
	Canonical(to []byte, state []uint32) []byte
}

// A Stepper finds the steps of a System.
type Stepper interface {
	// Expand finds the steps from a state, and hands over those that change it.
	Expand(state []uint32, to *Successors)
	// Keeps reports whether the constraint keeps a state.
	Keeps(state []uint32) bool
}

// Successors takes the successors of a state of a System, one after the other.
type Successors struct {
	// Room is where the next successor is written, all of its words.
	Room []uint32
	// Taker takes what is in Room, and makes room for the next.
	Taker
	// Loops are the labels of steps that lead back to the state itself, which are not handed over.
	Loops []Label
	// Fired counts all steps, per action.
	Fired *[MaxActions]int64

	Any      bool // there is a step
	Ordinary bool // there is an ordinary one
}

// A Taker takes the successor that was written, reached by the step whose label a word is.
type Taker interface{ Take(label uint32) }
