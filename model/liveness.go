package model

import "fmt"

// A Lasso describes runs without end that violate a Liveness property. Such a
// run comes to a start, and from there on to a cycle, in which it stays for ever;
// if there is one at all there is one of this form (states are finitely many).
type Lasso[S any] struct {
	// Start tells the states from which the property has to be fulfilled; nil: all.
	Start func(*S) bool
	// Initially: only initial states are starts.
	Initially bool
	// Never holds in no state from the start on; nil: it does not matter.
	Never func(*S) bool
	// Avoids holds in no state of the cycle; nil: likewise.
	Avoids func(*S) bool
	// Visits hold, each of them, in some state of the cycle.
	Visits []func(*S) bool
}

// A LassoInfo describes a Lasso to those who do not judge its states: whether only
// initial states are starts, and how many visits there are.
type LassoInfo struct {
	Initially bool
	Visits    int
}

// Roles are what a state can be in the runs that a Lasso describes, a set: Visits[i]
// has the role FirstVisit << i.
type Roles uint64

const (
	// Starts is the role of states where the property has to be fulfilled.
	Starts Roles = 1 << iota
	// Fulfils is the role of states that end the search for a violation: Never holds.
	Fulfils
	// OffCycle is the role of states that cannot be in the cycle: Avoids holds.
	OffCycle
	// FirstVisit is the role of states where Visits[0] holds.
	FirstVisit
)

// MaxFair limits the fairness conditions of a model and the visits of a property, together.
const MaxFair = 60

// roles returns the roles that s has in the runs that Lassos[k] of property i describes.
func (j *judges[S]) roles(s *S, i, k int) (r Roles) {
	l := &j.props[i].Lassos[k]
	if l.Start == nil || l.Start(s) {
		r |= Starts
	}
	if l.Never != nil && l.Never(s) {
		r |= Fulfils
	}
	if l.Avoids != nil && l.Avoids(s) {
		r |= OffCycle
	}
	for v, visit := range l.Visits {
		if visit(s) {
			r |= FirstVisit << v
		}
	}
	return r
}

// A Fairness is a condition on runs without end: if the steps that it is about are
// enabled from some point on for ever (strong: again and again), they are taken
// again and again. A step is enabled only if it leads to a different state, be it
// one outside the constraint; steps forbidden by an assumption are not enabled.
// Only ordinary steps are ever forced, whatever Has says of others.
type Fairness struct {
	Name   string
	Strong bool
	Has    func(Label) bool
}

// Forces reports whether the condition is about steps with label l.
func (f *Fairness) Forces(l Label, actions []Action) bool {
	return actions[l.Action].Kind == Ordinary && f.Has(l)
}

// Label returns the label under which the search knows the step.
func (t *Transition) Label() Label { return Label{uint16(t.Action), uint8(t.proc), uint8(t.peer)} }

// Refutes says why a run without end does not violate Liveness property i; "" if
// it does. From its last state, which must be that of step cycleAt, the run goes
// on as from there for ever; if there is no step in between, it stutters. That
// its steps are steps of the model is up to the caller.
func (in Instance) Refutes(states []State, cycleAt, i int) string {
	cycle := states[cycleAt:]
	if cycle[0].Key() != cycle[len(cycle)-1].Key() {
		return "its cycle does not close"
	}
	for _, f := range in.Space.Fairness() {
		if !in.keeps(cycle, f) {
			return fmt.Sprintf("its cycle is not fair: %s", f.Name)
		}
	}
	why := "it has no lassos"
	for k := range in.Space.Properties()[i].Lassos {
		if why = in.fulfilled(states, cycleAt, i, k); why == "" {
			break
		}
	}
	return why
}

// keeps reports whether a cycle, which ends in the state where it begins, keeps a
// condition.
func (in Instance) keeps(cycle []State, f Fairness) bool {
	actions := in.Space.Actions()
	always, sometimes := true, false
	for n := range max(1, len(cycle)-1) {
		here := cycle[n].Key()
		enabled := false
		for _, t := range in.Plain.Steps(cycle[n]) {
			next := t.Next.Key()
			if t.Pruned || next == here || !f.Forces(t.Label(), actions) {
				continue
			}
			enabled = true
			if n+1 < len(cycle) && next == cycle[n+1].Key() {
				return true // taken in each round
			}
		}
		always = always && enabled
		sometimes = sometimes || enabled
	}
	if f.Strong {
		return !sometimes
	}
	return !always
}

// fulfilled says why a run is not what Lassos[k] of property i describes.
func (in Instance) fulfilled(states []State, cycleAt, i, k int) string {
	info := in.Space.Properties()[i]
	lasso := info.Lassos[k]
	started, visited := false, Roles(0)
	for n, s := range states {
		r := in.Plain.Roles(s, i, k)
		if r&Fulfils != 0 {
			started = false
		} else if r&Starts != 0 && n <= cycleAt && (n == 0 || !lasso.Initially) {
			started = true
		}
		if n < cycleAt {
			continue
		}
		visited |= r
		if !started {
			return fmt.Sprintf("%s is fulfilled at step %d", info.Name, n)
		}
	}
	if visited&OffCycle != 0 {
		return fmt.Sprintf("%s is fulfilled again and again", info.Name)
	}
	for v := range lasso.Visits {
		if visited&(FirstVisit<<v) == 0 {
			return fmt.Sprintf("%s is about other runs: its cycle does not meet condition %d", info.Name, v+1)
		}
	}
	return ""
}
