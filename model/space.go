package model

import "iter"

// A Label says of a step which action it is, and of whom. Steps of one state may
// have the same label: fairness is not stated of anything finer.
type Label struct {
	Action uint16 // index into Space.Actions
	Proc   uint8  // the process that acts; in a System the low byte of Instance
	Peer   uint8  // the sender of the message received, the process noticed dead; in a System the high byte
}

// Instance returns which instance of the action it is, in a System.
func (l Label) Instance() int { return int(l.Peer)<<8 | int(l.Proc) }

// instanceLabel is the label of an instance of an action of a System.
func instanceLabel(action, instance int) Label {
	return Label{uint16(action), uint8(instance), uint8(instance >> 8)}
}

// ActionKind says what a step counts as when a state is judged quiet.
type ActionKind uint8

const (
	// Ordinary steps are what the algorithm still has to do.
	Ordinary ActionKind = iota
	// Spontaneous steps may happen and need not: a state in which only they are left is quiet.
	Spontaneous
	// Fault steps are the adversary's: crashes. They never have to happen.
	Fault
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
	return [...]string{"invariant", "reachability", "quiet states", "deadlock", "steps", "liveness", "costs"}[k]
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
}

// A Trail is what a state remembers of the step by which it was first reached, so
// that steps that commute with that one need not be looked up. Let the state t have
// been reached from s by a step b of process q. A step a of a process p before q that
// was possible in s already does not read what b writes, nor b what a writes: a after
// b leads to the same state as b after a. The state after a alone is reached no later
// than t; so what a leads to from t is reached from there, and no later.
//
// Whatever is reached is still looked up from somewhere: of all steps to a state from
// the level before it, one of the last process in the order is never left out, because
// a step left out is replaced by one of a later process.
//
// A message that b sent was not there for a. Crashes are taken to commute with nothing, and
// neither do two steps of which the history takes note. A step a to a state that the
// constraint rejects is never left out, as nothing is reached from there.
//
// A trail also counts the units in use in t, so that most states need not be judged.
type Trail uint32

const (
	trailProc    Trail = 15     // q
	trailNoted   Trail = 1 << 4 // the history takes note of b
	trailSuspect Trail = 1 << 5 // t has to be judged
	trailMany    Trail = 1 << 6 // b sends more than one message to somebody
	trailUse           = 8      // where the 8 bits begin that count the units
	trailHeard         = 16     // where the processes begin to which b sends
)

func (t Trail) proc() int        { return int(t & trailProc) }
func (t Trail) heard(p int) bool { return t>>trailHeard>>(p&15)&1 == 1 }
func (t Trail) use() uint32      { return uint32(t>>trailUse) & 0xff }

// Suspect reports whether the state has to be judged by the properties that are ByTable.
func (t Trail) Suspect() bool { return t&trailSuspect != 0 }

// Better returns that of two trails of the same state, reached from states of one level,
// that leaves out more.
func (t Trail) Better(u Trail) Trail {
	if u.proc() > t.proc() {
		return u
	}
	return t
}

// Forgotten returns the trail without what it says of steps.
func (t Trail) Forgotten() Trail { return t & (0xff << trailUse) }

// Enabled tells what was found enabled in an expanded state.
type Enabled struct {
	Any    bool // a step is, and no assumption forbids it
	Pruned int  // steps that an assumption forbids: enabled, not taken
	// Beyond counts steps beyond the bounds that Space.Bounds names. They are treated as if
	// a constraint rejected them, but where there are any, states are missing.
	Beyond   int
	Ordinary bool // an ordinary step is enabled, taken or pruned
}

// Quiet reports whether nothing has to happen any more.
func (e Enabled) Quiet() bool { return !e.Ordinary }

// Usual reports whether an ordinary step is enabled, and all steps are taken.
func (e Enabled) Usual() bool { return e.Any && e.Ordinary && e.Pruned|e.Beyond == 0 }

// What a Space, a Cursor or a Plain calls of the model may fail. They panic with an Error
// then, or with what Catch makes one of.

// A Space is a transition system in the form in which it is searched: states are
// vectors of 32-bit words that are equal if and only if the states are.
//
// The methods of a Space may change its tables and are called by one goroutine
// at a time, never while a Cursor is in use; cursors only read the tables.
type Space interface {
	// Width is the number of words of a state; it changes only in Grow.
	Width() int
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
	// Init adds the initial states to the batch.
	Init(*Batch)
	// NewCursor returns a reader of the space, for one goroutine.
	NewCursor() Cursor
	// NewLearner returns a cursor that completes the tables.
	NewLearner() Learner
	// Grow changes the layout of vectors and returns the translation of those of
	// the old layout. Cursors must be thrown away. Grown is the Width that they will have:
	// whoever cannot afford that goes on without Grow.
	Grow() Translation
	Grown() int
	// Footprint estimates the bytes held by the tables of the space.
	Footprint() int64
	// Coverage tells after a complete search what never changed. The states visited are only
	// gone through where there are no tables that tell, and as far as it takes.
	Coverage(visited iter.Seq[[]uint32]) Coverage
	// Decode returns the state that a vector stands for, and Code its code.
	Decode([]uint32) State
	Code([]uint32) Code
}

// Coverage is what a model declares and what a search of all states never saw in use.
type Coverage struct {
	// Unchanged are the variables that keep for ever the value that they have at first, in
	// each process: fields by their names in Go, as "Mutex.State". Nothing is said, and nil
	// returned, where states stand for others, up to a symmetry or a shift of times.
	Unchanged []string
	Unused    bool // no local state uses a unit of the resource
}

// A Cursor expands and judges states. Property masks have bit i for property i.
type Cursor interface {
	// Hash returns the hash of a state, as Expand and Init put it into the batch. The
	// high bits are the good ones.
	// It is the same in all layouts.
	Hash(s []uint32) uint64
	// Expand appends the successors of s: all of them if the trail is zero, else those
	// that have to be looked up by a search by levels in which s was reached by the step
	// that the trail is of. If the tables lack something, the batch is as it was and the
	// result is false: a Learner has to do it.
	Expand(s []uint32, came Trail, b *Batch) (e Enabled, ok bool)
	// Look calls what is called of the model in s, but for handlers that have run already, and what
	// judges it by the properties among which, twice and on copies, which have to stay as they are.
	// If it is not a function, or not symmetric where symmetry is declared, it panics with an Error.
	Look(s []uint32, which uint64)
	// Judge returns the invariants that s violates and the reachability goals that it satisfies.
	Judge(s []uint32, which uint64) uint64
	// JudgeQuiet returns the Quiet properties that fail in s, a quiet state.
	JudgeQuiet(s []uint32, which uint64) uint64
	// JudgeStep returns the StepInvariants that the step breaks.
	JudgeStep(s []uint32, l Label, t []uint32, which uint64) uint64
	// Origins returns the origin classes of Reachable property i to which s belongs.
	Origins(s []uint32, i int) uint64
	// Roles returns the roles of s in lasso k of Liveness property i.
	Roles(s []uint32, i, k int) Roles
	// Mail appends the messages that can be received in s to a list.
	Mail(s []uint32, to []Mail) []Mail
	// Receive appends the successors to which the receipt of a message leads.
	Receive(s []uint32, m Mail, b *Batch)
}

// A Learner is a cursor whose Expand finds out what the tables lack, and puts it into
// them. No other cursor may be in use meanwhile.
type Learner interface {
	Cursor
	// Verify computes once more what was learnt since it was last called. A mistake shows if the
	// model is not a function; what it shows in was learnt when state s was expanded.
	Verify() (s []uint32, mistake *Error)
	// Err returns why the latest Expand was false: that there is more than can be numbered; nil if
	// states no longer fit their vectors, so that Grow has to be called, after which the rest can
	// be learnt.
	Err() error
}

// Mail is a message that may be received next by a process. Two are the same if
// nothing distinguishes them, times up to a shift apart.
type Mail struct {
	Proc   Proc
	Letter uint32 // its number among those that the process can receive
	Timed  bool   // it holds a time
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
	// Capacity is the number of units of the resource that there are; 0: it is not known.
	Capacity int

	mistake error // why there is no more of it: see Check
}
