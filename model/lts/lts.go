// Package lts is the view of a model for packages that search, judge, replay and show it: a labelled
// transition system. A [State] is spelled out, a [Transition] is a step with its text, and [Plain] lists
// both, with handlers that run each time. The rest is for the search, whose states are numbers: [Opened]
// is the model for one search, a [Judge] judges its states.
package lts

import (
	"iter"
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// An Action is a named kind of step.
type Action struct {
	Name   string // the paper's name of it
	Source string // where the paper has it: "lines 7-14"
	Kind   protocol.ActionKind
	// Receipt: the step receives a message.
	Receipt bool
}

// A State is one global state, spelled out.
type State interface {
	// Key is the same for two states if and only if they are equal.
	Key() string
	// Code is the same for equal states, on every machine: see protocol.Code.
	Code() protocol.Code
	// Vars lists the variables with their values, grouped by owner.
	Vars() []Var
}

// A Var is a variable of a state, ready to be read by a person.
type Var struct {
	Owner string // the process; "": global
	Name  string
	Value string
}

// A Transition is a step of the plain semantics.
type Transition struct {
	Action  int           // index into Space.Actions
	Text    func() string // what happens, in words: "p2 receives REQUEST(1) from p1"
	Owner   string        // the process that acts, as in Var.Owner; "": none in particular
	Next    State
	Outside bool // Next violates the constraint
	Pruned  bool // forbidden by an assumption: the step is not taken

	// In a Composition:
	Received *Message  // the message that was received; nil: none
	Sent     []Message // put into channels, in that order
	Lost     []Message // messages taken out of channels without a receipt, under Links
	Noticed  string    // the process whose crash was noticed; "": none
	Crashed  bool      // the owner is dead afterwards
	// Effect lists the variables of the process that the handler changes, and the kinds of messages that it
	// sends; nil: no handler completed.
	Effect func() string

	Proc, Peer protocol.Proc // the process that takes the step, and the other one involved: see Label
	Envelope   string        // the message received with its sender, spelled out; "": none
	Timed      bool          // the envelope holds a time
	Charges    protocol.Charges
}

// A Message is a message as a person reads it.
type Message struct {
	From, To string // processes
	Text     string // "REQUEST(1)"
}

// A PlainJudge judges the states of the plain semantics.
type PlainJudge interface {
	// Judge reports whether property i is violated in s (for Reachable: satisfied),
	// whatever its kind but StepInvariant, DeadlockFree, Liveness and Costs.
	Judge(s State, i int) bool
	// Marks returns the marks of s in lasso k of Liveness property i.
	Marks(s State, i, k int) Marks
	// Served returns the requests that property i, of kind Costs, counts as served in a run that ends in s.
	Served(s State, i int) int
	// JudgeStep reports whether the step breaks StepInvariant i.
	JudgeStep(s State, tr Transition, i int) bool
	// Part returns the name of the violated part of property i, made by Each: violated in s or,
	// if tr is not nil, by the step tr from s; "": the property has no parts.
	Part(s State, tr *Transition, i int) string
	// Blame returns the names of the processes that this violation of property i is about, and a clause
	// about the offence. Either may be empty.
	Blame(s State, tr *Transition, i int) (names []string, offence string)
	// Beside returns further variables of s, which runs of property i show.
	Beside(s State, i int) []Var
}

// Plain is the same transition system without vectors, tables or numbering: the
// handlers run each time. It is slow and simple; counterexamples are re-executed
// and the search is tested with it.
type Plain interface {
	Init() []Transition // to the initial states; only Next and Outside matter
	Steps(State) []Transition
	// Like returns the steps from a state that have a label.
	Like(s State, l protocol.Label) []Transition
	PlainJudge
	// InUse lists the live processes that use units in s, with the number of units.
	InUse(s State) []Use
	// Stands reports whether stored, a state of the search, stands for s: they
	// are equal or, under symmetry reduction, have the same orbit.
	Stands(stored, s State) bool
}

// A Use is the use of the resource by a process.
type Use struct {
	Owner string // the process
	Units int
}

// Label returns the label under which the search knows the step.
func (t *Transition) Label() protocol.Label {
	return protocol.Label{Action: uint16(t.Action), Proc: uint8(t.Proc), Peer: uint8(t.Peer)}
}

// SetLabel makes the step one with the label.
func (t *Transition) SetLabel(l protocol.Label) {
	t.Action, t.Proc, t.Peer = int(l.Action), protocol.Proc(l.Proc), protocol.Proc(l.Peer)
}

// A Delivery is the fairness of runs without end to messages in
// channels to live processes. Their receipt is enabled or not like other steps.
type Delivery uint8

const (
	// AnyDelivery lets messages wait for ever.
	AnyDelivery Delivery = iota
	// WeakDelivery demands that a message that can always be received, from some point on, is received.
	WeakDelivery
	// StrongDelivery demands that a message that can be received again and again is received.
	StrongDelivery
)

// A LassoInfo describes a Lasso to readers that do not judge its states.
type LassoInfo struct {
	Initially bool   // only initial states are starts
	Fulfilled bool   // some states fulfil the property: Lasso.Never or Lasso.Avoids is set
	Visits    int    // number of visits
	Part      string // the part of a property made by Each to which it belongs; "": none
}

// MaxFair limits the fairness conditions of a model and the visits of a property, together.
const MaxFair = 58

// MaxProperties is the largest number of properties of a model: masks have a bit for each.
const MaxProperties = 64

// Opened is a model for one search.
type Opened struct {
	Protocol protocol.Protocol // of a Composition; else nil
	System   protocol.System   // of a System; else nil
	States   States
}

// States decode and judge the kernel's states.
type States interface {
	// Decode returns the state that has these parts.
	Decode(*protocol.Parts) State
	// NewJudge returns a judge of states, for one goroutine.
	NewJudge() Judge
	// Coverage returns the declarations that are not in use in some states, of which it reads no more than it
	// takes for no more than least to be left. Nil: in the parts of states that are in the tables, some of
	// which may be in no visited state, because the constraint, the history or a bound keeps them out.
	Coverage(states iter.Seq[*protocol.Parts], least Coverage) Coverage
}

// A PartsJudge is the part of a Judge that reads one whole state.
type PartsJudge interface {
	// JudgeQuiet returns the Quiet properties that fail in s, a quiet state.
	JudgeQuiet(s *protocol.Parts, which uint64) uint64
	// Origins returns the origin classes of Reachable property i to which s belongs.
	Origins(s *protocol.Parts, i int) uint64
	// Marks returns the marks of s in lasso k of Liveness property i.
	Marks(s *protocol.Parts, i, k int) Marks
	// Served returns the value of Cost.Served of property i in s, a state of a Composition.
	Served(s *protocol.Parts, i int) int
}

// A Judge judges states. Property masks have bit i for property i.
type Judge interface {
	// Check evaluates the properties and other functions of the model about a subject again, on copies; the
	// kernel runs handlers of a Composition again itself. Check panics with an Error if a function has two
	// results, changes the copies, or is not symmetric where symmetry is declared. In a System the check
	// of a state checks its steps, too.
	Check(x Checked)
	// Judge returns the invariants that s violates and the reachability goals that it satisfies.
	Judge(s *protocol.Parts, which uint64) uint64
	// JudgeStep returns the StepInvariants that the step breaks.
	JudgeStep(s *protocol.Parts, l protocol.Label, t *protocol.Parts, which uint64) uint64
	PartsJudge
}

// Checked is the subject of a purity check: a state, with the properties that judge any state or, if Quiet is
// set, with Quiet properties; or a step of a Composition.
type Checked struct {
	State, Next *protocol.Parts // Next: after the step; nil: the subject is a state
	Label       protocol.Label  // of the step
	Quiet       bool
	Which       uint64 // the properties to evaluate
	Hash        uint64 // of the state
}

// Coverage has the declarations that a search of all states never saw in use.
type Coverage struct {
	// Unchanged are the variables that keep their first value for ever, in
	// each process: fields by their names in Go, as "Mutex.State". It is nil
	// if states represent others, up to a symmetry or a shift of times.
	Unchanged []string
	Unused    bool // no local state uses a unit of the resource
}

// Marks are the acceptance marks of a state in the runs that a Lasso describes, a set of bits. States where
// Visits[i] holds have the mark FirstVisit << i.
type Marks uint64

const (
	// Starts is the mark of states from which on the property has to be fulfilled.
	Starts Marks = 1 << iota
	// Fulfils is the mark of states that end the search for a violation: Never holds.
	Fulfils
	// OffCycle is the mark of states that cannot be in the cycle: Avoids holds.
	OffCycle
	// FirstVisit is the mark of states where Visits[0] holds.
	FirstVisit
)

// Named returns for each action whether it has one of the names.
func Named(actions []Action, names []string) []bool {
	is := make([]bool, len(actions))
	for i, a := range actions {
		is[i] = slices.Contains(names, a.Name)
	}
	return is
}
