package property

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

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
// one outside the constraint; steps forbidden by an assumption are not enabled.
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
