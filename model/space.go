package model

import "slices"

// A Label says of a step which action it is, and of whom. Steps of one state may
// have the same label: fairness is not stated of anything finer.
type Label struct {
	Action uint16 // index into Space.Actions
	Proc   uint8  // the process that acts; in a System the low byte of the instance
	Peer   uint8  // the sender of the message received, the process noticed dead
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
	// Origins, for a Reachable property: the names of the classes of states
	// from which one asks whether the goal can still be reached.
	Origins []string
	Lassos  []LassoInfo // of a Liveness property
	// Bound is that of a property of kind Costs.
	Bound *Bound
}

// A Batch collects successors, one vector of Width words for each.
type Batch struct {
	Width  int
	Words  []uint32
	Hashes []uint64
	Labels []Label
	Trails []Trail
	// Loops are the steps that lead back to the state itself, which a System leaves
	// out of the successors: of 2pc's steps they are 37%, and none leads to a new state.
	Loops []Label
	// Outside holds the successors that the constraint rejects, or that are beyond the
	// bounds. They are judged by invariants and counted, but are not part of the state space.
	Outside       []uint32
	OutsideLabels []Label
	// Pruned holds the labels of the steps that an assumption forbids.
	Pruned []Label
	// Shifted lists the successors, in ascending order, of which all times were moved
	// back: see Clocks.
	Shifted []uint32

	room int // successors for which there is capacity
}

// Reset empties the batch for vectors of the given width.
func (b *Batch) Reset(width int) {
	if width != b.Width {
		b.Width, b.room = width, 0
	}
	b.Words, b.Hashes, b.Labels, b.Trails = b.Words[:0], b.Hashes[:0], b.Labels[:0], b.Trails[:0]
	b.Loops, b.Outside, b.OutsideLabels = b.Loops[:0], b.Outside[:0], b.OutsideLabels[:0]
	b.Pruned, b.Shifted = b.Pruned[:0], b.Shifted[:0]
}

// Len returns the number of successors within the constraint.
func (b *Batch) Len() int { return len(b.Labels) }

// At returns successor i.
func (b *Batch) At(i int) []uint32 { return b.Words[i*b.Width : (i+1)*b.Width] }

// Reserve makes room for so many more successors.
func (b *Batch) Reserve(n int) {
	if len(b.Labels)+n > b.room {
		b.grow(n)
	}
}

func (b *Batch) grow(n int) {
	b.room = 2*len(b.Labels) + n + 64
	b.Words = slices.Grow(b.Words, b.room*b.Width-len(b.Words))
	b.Hashes = slices.Grow(b.Hashes, b.room-len(b.Hashes))
	b.Labels = slices.Grow(b.Labels, b.room-len(b.Labels))
	b.Trails = slices.Grow(b.Trails, b.room-len(b.Trails))
}

// Add appends a successor, for which there must be room, and returns its vector,
// to be filled in.
func (b *Batch) Add(l Label, hash uint64) []uint32 {
	i, n := len(b.Labels), len(b.Words)
	b.Labels = b.Labels[:i+1]
	b.Hashes = b.Hashes[:i+1]
	b.Trails = b.Trails[:i+1]
	b.Words = b.Words[:n+b.Width]
	b.Labels[i] = l
	b.Hashes[i] = hash
	b.Trails[i] = 0
	return b.Words[n:]
}

// MoveOutside takes the newest successor out of the state space.
func (b *Batch) MoveOutside() {
	n, m := len(b.Words)-b.Width, len(b.Labels)-1
	b.Outside = append(b.Outside, b.Words[n:]...)
	b.OutsideLabels = append(b.OutsideLabels, b.Labels[m])
	b.Words, b.Hashes, b.Labels, b.Trails = b.Words[:n], b.Hashes[:m], b.Labels[:m], b.Trails[:m]
	b.cutShifted()
}

type Trail uint32

// A Mark is a position in a batch, in Labels, OutsideLabels and Pruned.
type Mark struct{ In, Out, Pruned, Loops int }

// Mark returns the present end of the batch.
func (b *Batch) Mark() Mark {
	return Mark{len(b.Labels), len(b.OutsideLabels), len(b.Pruned), len(b.Loops)}
}

// Cut drops everything added since m.
func (b *Batch) Cut(m Mark) {
	b.Words, b.Hashes, b.Labels, b.Trails = b.Words[:m.In*b.Width], b.Hashes[:m.In], b.Labels[:m.In], b.Trails[:m.In]
	b.Loops = b.Loops[:m.Loops]
	b.Outside, b.OutsideLabels = b.Outside[:m.Out*b.Width], b.OutsideLabels[:m.Out]
	b.Pruned = b.Pruned[:m.Pruned]
	b.cutShifted()
}

// cutShifted drops what Shifted says of successors that were dropped.
func (b *Batch) cutShifted() {
	n := len(b.Shifted)
	for n > 0 && int(b.Shifted[n-1]) >= len(b.Labels) {
		n--
	}
	b.Shifted = b.Shifted[:n]
}

// Enabled tells what was found enabled in an expanded state, with the hash of the state.
type Enabled struct {
	Steps  int // successors, loops and those outside the constraint included
	Pruned int // steps that an assumption forbids: enabled, not taken
	// Beyond counts steps beyond the bounds that Space.Bounds names. They are treated as if
	// a constraint rejected them, but where there are any, states are missing.
	Beyond   int
	Ordinary bool // an ordinary step is enabled, taken or pruned
	Hash     uint64
}

// Quiet reports whether nothing has to happen any more.
func (e Enabled) Quiet() bool { return !e.Ordinary }

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
	// Learn computes what a cursor found missing. It returns true if states no
	// longer fit their vectors, so that Grow has to be called; and an error if
	// the model has outgrown what can be numbered.
	Learn(Miss) (grow bool, err error)
	// Grow changes the layout of vectors and returns the translation of those of
	// the old layout. Cursors must be thrown away.
	Grow() func(dst, src []uint32)
	// Footprint estimates the bytes held by the tables of the space.
	Footprint() int64
	// Decode returns the state that a vector stands for.
	Decode([]uint32) State
}

// A Miss says what a cursor needs and the tables do not have yet.
type Miss struct {
	kind uint8
	proc Proc
	a, b uint64
}

// A Cursor expands and judges states. Property masks have bit i for property i.
type Cursor interface {
	// Hash returns the hash of a state, as Expand and Init put it into the batch. The
	// high bits are the good ones.
	// It is the same in all layouts.
	Hash(s []uint32) uint64
	// Expand appends all successors of s. If the tables lack something, the batch
	// is as it was and the result is false; Missed says what to Learn.
	Expand(s []uint32, came Trail, b *Batch) (e Enabled, ok bool)
	Missed() Miss
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

	// In a Composition or a Linked:
	Received *Message  // the message that was received; nil: none
	Sent     []Message // what was put into channels, in that order
	Lost     []Message // what was in channels before and nobody will receive, in a Linked
	Noticed  string    // the process whose crash was noticed; "": none
	Crashed  bool      // the owner is dead afterwards

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
}
