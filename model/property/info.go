package property

import "github.com/atmostk/atmostk/model/lts"

// PropertyKind says at which states or steps a property is judged.
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

// PropertyInfo describes a property to those who do not judge it.
type PropertyInfo struct { //nolint:revive // its name in package model
	Name      string
	Doc       string // one sentence
	Source    string // paper and place of the claim
	Kind      PropertyKind
	OnRequest bool // checked only when asked for by name
	// Moot says why there is nothing to ask in this instance, Excuse why the property may hold
	// vacuously, Unmet why it did, Trivial why no algorithm violates it, Idle why it says nothing if it holds
	// in every state: see Property.
	Moot, Excuse, Trivial, Idle string
	Unmet                       func() string `json:"-"`
	Steps                       []string      // of a StepInvariant: the actions that it looks at
	OfUse                       bool          // it looks at the units in use
	// Origins, for a Reachable property: the names of the classes of states
	// from which one asks whether the goal can still be reached.
	Origins []string
	Lassos  []lts.LassoInfo // of a Liveness property
	// Bound is that of a property of kind Costs.
	Bound *Bound
	// ByTable: a state need not be judged by it unless the kernel marks it: it needs a check.
	ByTable bool
	// StateByState: of a Composition, an invariant or a goal that looks at whole states, and is asked about
	// each.
	StateByState bool
}
