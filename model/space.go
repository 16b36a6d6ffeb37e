package model

import (
	"context"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
)

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
	// vacuously, Unmet why it did, Trivial why no algorithm violates it: see Property.
	Moot, Excuse, Trivial string
	Unmet                 func() string `json:"-"`
	Steps                 []string      // of a StepInvariant: the actions that it looks at
	OfUse                 bool          // it looks at the units in use
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

// A Space is what an instance declares. What it calls of the model may fail: it panics with an Error
// then, or with what Catch makes one of; and so do the others below.
type Space interface {
	Actions() []lts.Action
	Properties() []PropertyInfo
	// Fairness returns the conditions on runs without end, and Delivery those on messages.
	Fairness() []Fairness
	Delivery() lts.Delivery
	// Bounds says in words what cuts off states, so that nothing can be said to hold; ""
	// if nothing does.
	Bounds() string
	// Reduced reports whether states stand for whole orbits under symmetry.
	Reduced() bool
	// Open returns the model as one search asks about it, which has met nothing yet.
	Open() lts.Opened
	// reduce is Instance.Reduce.
	reduce(in Instance, r Reduction, asked uint64) (Instance, error)
}

// An Instance is a model with all parameters fixed.
type Instance struct {
	// Arguments are the model's name and all its parameters, as Instantiate was given them; "": it was made
	// otherwise. A search in files belongs to one instance, and instances that begin alike differ in them.
	Arguments string

	Space Space
	Plain lts.Plain
	// Interp is the interpreter of a composition, for those who follow and play single runs; nil in a System.
	Interp *interp.Interp
	// Capacity is the number of units of the resource that there are; 0: it is not known.
	Capacity int
	// Picture returns what a state looks like; nil: see Spec.Picture.
	Picture func(State) drawing.Drawing

	// Until tells the model of a search that is to end with ctx, so that functions of the model that take
	// long end then, up to the call of release; nil: none does. See Error.Stopped.
	Until func(ctx context.Context) (release func())

	mistake error // why there is no more of it: see Check
}

// built returns an instance that is being built. Check tells what goes wrong.
func built(build func() Instance) (in Instance) {
	var mistake *check.Error
	defer func() {
		if mistake != nil {
			in = Instance{mistake: mistake}
		}
	}()
	defer check.Catch(&mistake)
	return build()
}
