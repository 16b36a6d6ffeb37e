package property

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

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
	Unmet                       func() []string `json:"-"`
	Steps                       []string        // of a StepInvariant: the actions that it judges
	OfUse                       bool            // it reads the units in use
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

// A Lasso describes runs without end that violate a Liveness property. Such a
// run comes to a start, and from there on to a cycle, in which it stays for ever.
// As there are finitely many states, each violation has a run of this form.
type Lasso[S any] struct {
	// Start is true in states from which the property has to be fulfilled; nil: all.
	Start func(*S) bool
	// Initially: only initial states are starts.
	Initially bool
	// Never has to be false in every state from the start on; nil: no constraint.
	Never func(*S) bool
	// Avoids has to be false in every state of the cycle; nil: no constraint.
	Avoids func(*S) bool
	// Each of Visits has to be true in some state of the cycle: generalised Büchi acceptance.
	Visits []func(*S) bool
}

// Marks returns the marks that s has in lasso k of property i.
func (j *Judges) Marks(s codec.Value, i, k int) (r lts.Marks) {
	l := &j.Props[i].Lassos[k]
	if l.Start == nil || l.Start(s) {
		r |= lts.Starts
	}
	if l.Never != nil && l.Never(s) {
		r |= lts.Fulfils
	}
	if l.Avoids != nil && l.Avoids(s) {
		r |= lts.OffCycle
	}
	for v, visit := range l.Visits {
		if visit(s) {
			r |= lts.FirstVisit << v
		}
	}
	return r
}

// A Fairness is a condition on runs without end: if the steps that it is about are
// enabled from some point on for ever (strong: again and again), they are taken
// again and again. A step is enabled only if it leads to a different state, also to
// one outside the constraint. Steps forbidden by an assumption are enabled, and not taken.
// Only ordinary steps are ever forced, whatever Has returns for others.
type Fairness struct {
	Name   string                    `json:"name"`
	Strong bool                      `json:"strong,omitempty"`
	Has    func(protocol.Label) bool `json:"-"`
}

// Forces reports whether the condition is about steps with label l.
func (f *Fairness) Forces(l protocol.Label, actions []lts.Action) bool {
	defer check.Named(func() check.Error {
		return check.Error{Part: "fairness condition " + f.Name, Action: actions[l.Action].Name,
			Label: protocol.Label{Action: l.Action}}
	})
	return actions[l.Action].Kind == protocol.Ordinary && f.Has(l)
}
