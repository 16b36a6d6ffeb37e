package protocol

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
