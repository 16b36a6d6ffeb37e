package property

import "github.com/atmostk/atmostk/model/lts"

// PropertyKind is the kind of states, steps or runs that a property judges.
type PropertyKind uint8 //nolint:revive // its name in package model

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

// PropertyInfo describes a property to readers that do not judge it.
type PropertyInfo struct { //nolint:revive // its name in package model
	Name      string
	Doc       string // one sentence
	Source    string // paper and place of the claim
	Kind      PropertyKind
	OnRequest bool // checked only when asked for by name
	// Reasons why the property is not asked (Moot), may hold vacuously (Excuse), did so (Unmet), is
	// violated by no algorithm (Trivial), or says nothing if it holds in every state (Idle): see Property.
	Moot, Excuse, Trivial, Idle string
	Unmet                       func() string `json:"-"`
	Steps                       []string      // of a StepInvariant: the actions that it judges
	OfUse                       bool          // it reads the units in use
	// Origins, for a Reachable property: the names of the classes of states
	// from which the goal should stay reachable.
	Origins []string
	Lassos  []lts.LassoInfo // of a Liveness property
	// Bound, for a property of kind Costs.
	Bound *Bound
	// ByTable: it has to judge only the states that the kernel marks.
	ByTable bool
	// StateByState: an invariant or a goal of a Composition that reads whole states, and is evaluated in
	// each.
	StateByState bool
}
