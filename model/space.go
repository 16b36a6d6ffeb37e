package model

import (
	"context"
	"iter"

	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/protocol"
)

// An Action is a named kind of step.
type Action struct {
	Name   string // the paper's name of it
	Source string // where the paper has it: "lines 7-14"
	Kind   ActionKind
	// Receipt: the step receives a message.
	Receipt bool
}

// PropertyKind says at which states or steps a property is judged.
type PropertyKind uint8

const (
	// Invariant holds in every reachable state.
	Invariant PropertyKind = iota
	// Reachable holds if some reachable state satisfies it: a question, answered by a witness.
	Reachable
	// Quiet holds in every quiet state: one with no ordinary step enabled.
	Quiet
	// DeadlockFree holds if every reachable state has a successor.
	DeadlockFree
	// StepInvariant holds for every step from every reachable state.
	StepInvariant
	// Liveness holds for every fair run without end: Property.Lassos describe the others.
	Liveness
	// Costs holds if the messages of every part of a run that Property.Cost describes
	// are within its bounds.
	Costs

	numKinds
)

// String names the kind as reports do.
func (k PropertyKind) String() string {
	return [...]string{"invariant", "reachability", "quiet states", "deadlock", "steps", "liveness",
		"costs"}[k]
}

// PropertyInfo describes a property to those who do not judge it.
type PropertyInfo struct {
	Name      string
	Doc       string // one sentence
	Source    string // paper and place of the claim
	Kind      PropertyKind
	OnRequest bool // checked only when asked for by name
	// Moot says why there is nothing to ask in this instance, Excuse why the property may hold
	// vacuously: see Property.
	Moot, Excuse string
	Steps        []string // of a StepInvariant: the actions that it looks at
	OfUse        bool     // it looks at the units in use
	// Origins, for a Reachable property: the names of the classes of states
	// from which one asks whether the goal can still be reached.
	Origins []string
	Lassos  []LassoInfo // of a Liveness property
	// Bound is that of a property of kind Costs.
	Bound *Bound
	// ByTable: a state need not be judged by it unless its Trail makes it suspect.
	ByTable bool
	// StateByState: of a Composition, an invariant or a goal that looks at whole states, and is asked about
	// each.
	StateByState bool
}

// A Space is what an instance declares. What it calls of the model may fail: it panics with an Error
// then, or with what Catch makes one of; and so do the others below.
type Space interface {
	Actions() []Action
	Properties() []PropertyInfo
	// Fairness returns the conditions on runs without end, and Delivery those on messages.
	Fairness() []Fairness
	Delivery() Delivery
	// Bounds says in words what cuts off states, so that nothing can be said to hold; ""
	// if nothing does.
	Bounds() string
	// Reduced reports whether states stand for whole orbits under symmetry.
	Reduced() bool
	// Open returns the model as one search asks about it, which has met nothing yet.
	Open() Opened
	// reduce is Instance.Reduce.
	reduce(in Instance, r Reduction, asked uint64) (Instance, error)
}

// Opened is a model as one search asks about it.
type Opened struct {
	Protocol protocol.Protocol // of a Composition; else nil
	System   protocol.System   // of a System; else nil
	States   States
}

// States know what the kernel's states stand for.
type States interface {
	// Decode returns the state that has these parts.
	Decode(*protocol.Parts) State
	// NewJudge returns what judges states, for one goroutine.
	NewJudge() Judge
	// Coverage tells after a complete search what never changed. The states visited are only
	// gone through where there are no tables that tell, and as far as it takes.
	Coverage(visited iter.Seq[*protocol.Parts]) Coverage
}

// A Judge judges states. Property masks have bit i for property i.
type Judge interface {
	// Look calls what is called of the model in s, but for handlers that have run already, and what
	// judges it by the properties among which, twice and on copies, which have to stay as they are.
	// If it is not a function, or not symmetric where symmetry is declared, it panics with an Error.
	Look(s *protocol.Parts, which uint64, k Known)
	// Judge returns the invariants that s violates and the reachability goals that it satisfies.
	Judge(s *protocol.Parts, which uint64) uint64
	// JudgeQuiet returns the Quiet properties that fail in s, a quiet state.
	JudgeQuiet(s *protocol.Parts, which uint64) uint64
	// JudgeStep returns the StepInvariants that the step breaks.
	JudgeStep(s *protocol.Parts, l Label, t *protocol.Parts, which uint64) uint64
	// Origins returns the origin classes of Reachable property i to which s belongs.
	Origins(s *protocol.Parts, i int) uint64
	// Roles returns the roles of s in lasso k of Liveness property i.
	Roles(s *protocol.Parts, i, k int) Roles
	// Served returns what Cost.Served of property i says in s, of a Composition.
	Served(s *protocol.Parts, i int) int
}

// Known is what the kernel knows of a state that is looked at.
type Known struct {
	Hash uint64
	// ByTable tells which properties have to be reported, among those that are judged by table, if
	// Told.
	ByTable uint64
	Told    bool
}

// Coverage is what a model declares and what a search of all states never saw in use.
type Coverage struct {
	// Unchanged are the variables that keep for ever the value that they have at first, in
	// each process: fields by their names in Go, as "Mutex.State". Nothing is said, and nil
	// returned, where states stand for others, up to a symmetry or a shift of times.
	Unchanged []string
	Unused    bool // no local state uses a unit of the resource
}

// A State is one global state, spelled out.
type State interface {
	// Key is the same for two states if and only if they are equal.
	Key() string
	// Code is the same for equal states, everywhere: see Code.
	Code() Code
	// Vars lists the variables with their values, grouped by owner.
	Vars() []Var
}

// A Var is a variable of a state, ready to be read by a person.
type Var struct {
	Owner string // the process, or "" for what is global
	Name  string
	Value string
}

// A Transition is a step of the plain semantics.
type Transition struct {
	Action  int           // index into Space.Actions
	Text    func() string // what happens, in words: "p2 receives REQUEST(1) from p1"
	Owner   string        // who acts, as in Var.Owner; "" if nobody in particular
	Next    State
	Outside bool // Next violates the constraint
	Pruned  bool // forbidden by an assumption: the step is not taken

	// In a Composition:
	Received *Message  // the message that was received; nil: none
	Sent     []Message // what was put into channels, in that order
	Lost     []Message // what was in channels before and nobody will receive, under Links
	Noticed  string    // the process whose crash was noticed; "": none
	Crashed  bool      // the owner is dead afterwards

	impossible bool // there may be no more of it
	proc, peer Proc
	mail       string // what was received, spelled out; "": nothing
	timed      bool   // it holds a time
	charges    Charges
}

// A Message is a message as a person reads it.
type Message struct {
	From, To string // processes
	Text     string // "REQUEST(1)"
}

// Plain is the same transition system without vectors, tables or numbering: the
// handlers run each time. It is slow and simple; counterexamples are re-executed
// and the search is tested with it.
type Plain interface {
	Init() []Transition // to the initial states; nothing but Next and Outside matters
	Steps(State) []Transition
	// Judge tells whether property i is violated in s (for Reachable: satisfied),
	// whatever its kind but StepInvariant, DeadlockFree, Liveness and Costs.
	Judge(s State, i int) bool
	// Roles returns the roles of s in lasso k of Liveness property i.
	Roles(s State, i, k int) Roles
	// JudgeStep tells whether the step breaks StepInvariant i.
	JudgeStep(s State, tr Transition, i int) bool
	// Part returns which of the properties that property i, made by Each, consists of is
	// violated in s, or by tr from s if that is not nil; "" if it is not made of several.
	Part(s State, tr *Transition, i int) string
	// InUse lists the live processes that use units in s, with the number of units.
	InUse(s State) []Use
	// Stands reports whether stored, a state of the search, stands for s:
	// equality, or sameness of orbit under symmetry reduction.
	Stands(stored, s State) bool
}

// A Use is what a process uses of the resource.
type Use struct {
	Owner string // the process
	Units int
}

// An Instance is a model with all parameters fixed.
type Instance struct {
	Space Space
	Plain Plain
	// Nodes are the processes of a composition; nil in a System, and where a history
	// guards steps.
	Nodes Nodes
	// NewStage returns what plays single runs of a composition: for measuring, if it is light, when it keeps
	// neither inboxes nor what properties look at. Nil in a System, and where the medium is more than
	// channels that deliver all.
	NewStage func(light bool) Stage
	// Capacity is the number of units of the resource that there are; 0: it is not known.
	Capacity int
	// Picture returns what a state looks like; nil: see Spec.Picture.
	Picture func(State) drawing.Drawing

	// Until tells the model of a search that is to end with ctx, so that functions of the model that take
	// long end then, up to the call of release; nil: none does. See Error.Stopped.
	Until func(ctx context.Context) (release func())

	mistake error // why there is no more of it: see Check
}
