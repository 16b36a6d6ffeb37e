// Package instance is a model with all parameters fixed, as it is searched, replayed and shown: what it
// declares, its plain semantics, and what both say of runs.
package instance

import (
	"context"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// A Space is what an instance declares. What it calls of the model may fail: it panics with an Error
// then, or with what Catch makes one of; and so do the others below.
type Space interface {
	Actions() []lts.Action
	Properties() []property.PropertyInfo
	// Fairness returns the conditions on runs without end, and Delivery those on messages.
	Fairness() []property.Fairness
	Delivery() lts.Delivery
	// Bounds says in words what cuts off states, so that nothing can be said to hold; ""
	// if nothing does.
	Bounds() string
	// Reduced reports whether states stand for whole orbits under symmetry.
	Reduced() bool
	// Open returns the model as one search asks about it, which has met nothing yet.
	Open() lts.Opened
	// Reduce is Instance.Reduce.
	Reduce(in Instance, r Reduction, asked uint64) (Instance, error)
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
	Picture func(lts.State) drawing.Drawing

	// Until tells the model of a search that is to end with ctx, so that functions of the model that take
	// long end then, up to the call of release; nil: none does. See Error.Stopped.
	Until func(ctx context.Context) (release func())

	Mistake error // why there is no more of it: see Check
}

// Build returns an instance that is being built. Check tells what goes wrong.
func Build(build func() Instance) (in Instance) {
	var mistake *check.Error
	defer func() {
		if mistake != nil {
			in = Instance{Mistake: mistake}
		}
	}()
	defer check.Catch(&mistake)
	return build()
}

// Searched reports whether the instance can be searched, and is not only one whose runs are played.
func (in Instance) Searched() bool { return in.Mistake == nil }

// Check returns the first mistake in what a model declares, an *Error, or nil. It looks at
// names, forms, ranges and combinations, before anything is searched; that handlers do what
// they may is checked while they run. Every search and every Spec.Instantiate begin with it.
func (in Instance) Check() error {
	switch {
	case in.Mistake != nil:
		return in.Mistake
	case in.Space == nil || in.Plain == nil:
		return &check.Error{What: "an Instance is made by Compose or NewSystem: this one has no Space"}
	}
	return nil
}
