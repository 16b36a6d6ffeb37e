// Package lts is the view of a model for packages that search, judge, replay and show it: a labelled
// transition system. A [State] is spelled out, a [Transition] is a step with its text, and [Plain] lists
// both, with handlers that run each time. The rest is for the search, whose states are numbers: [Opened]
// is the model for one search, a [Judge] judges its states.
package lts

import "github.com/atmostk/atmostk/model/protocol"

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
