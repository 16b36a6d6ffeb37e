package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// systemPurity is what purity checks of a system keep: the state that is checked, and its steps.
type systemPurity struct {
	ofState, ofStep property.PurityCheck
	at              *systemState
	steps, again    []triedStep
}

func (c *systemCursor) named(s value) *systemState { return &systemState{c.of.Copied(s), c.system} }

// A triedStep is the result of one instance of an action, with one combination of picks.
type triedStep struct {
	next    value
	label   Label
	enabled bool
}

// newPurityChecks returns the purity checks of states and of steps.
func (c *systemCursor) newPurityChecks() {
	c.purity.ofStep = property.PurityCheck{
		Judges: &c.judges, Shown: c.copied, By: c.by,
		Changed: func(copied value, s State) string {
			if c.of.Equal(copied, s.(*systemState).s) {
				return ""
			}
			return c.named(copied).Key()
		},
	}
	c.purity.ofState = c.purity.ofStep
	c.purity.ofState.Constraint = c.Constraint
}

// Check takes all steps from a state twice, unless it is for Quiet properties, and evaluates twice what
// judges the state and the steps. Where there is symmetry, a sample of its orbit has to be alike.
func (c *systemCursor) Check(x lts.Checked) {
	p := &c.purity
	p.at = c.Decode(x.State).(*systemState)
	of := property.Subject{Which: x.Which & c.judges.Answers, States: []State{p.at}}
	switch {
	case x.Next != nil:
		return // the check of the state has checked its steps
	case x.Quiet:
		if of.Which = x.Which & c.judges.OfKind[Quiet]; of.Which == 0 {
			return
		}
	default:
		c.checkSteps(x.Which)
	}
	p.ofState.EvalTwice(of)
	for _, o := range c.drawnOrders(x.Hash) {
		if t := c.inOrder(of, o); !x.Quiet {
			c.sameRepresentative(o, t)
			c.stepsAlike(t, o, x.Which&c.judges.OfKind[StepInvariant])
		}
	}
}

// checkSteps takes all steps from the state twice, and evaluates StepInvariants among which twice.
func (c *systemCursor) checkSteps(which uint64) {
	if e := c.stepsTwice(); e != nil {
		panic(e)
	}
	p := &c.purity
	for i := range p.steps {
		step := &p.steps[i]
		if which := which & c.judges.Steps[step.label.Action]; which != 0 && step.enabled {
			states := []State{p.at, c.named(step.next)}
			p.ofStep.EvalTwice(property.Subject{Which: which, Label: step.label, States: states})
		}
	}
}

// stepsTwice takes all steps from the state twice, and returns the mistake that they differ. A step that
// fails will be met when the state is expanded.
func (c *systemCursor) stepsTwice() (mistake *Error) {
	x := &c.purity
	var failed *Error
	defer func() {
		if failed != nil {
			c.choice, x.steps = Choice{}, x.steps[:0]
		}
	}()
	defer Catch(&failed)
	x.steps = c.allSteps(x.at.s, x.steps[:0])
	x.again = c.allSteps(x.at.s, x.again[:0])
	for k := range max(len(x.steps), len(x.again)) {
		list := x.steps
		if k >= len(list) {
			list = x.again
		} else if k < len(x.again) && c.sameStep(&x.steps[k], &x.again[k]) {
			continue
		}
		e := c.taking(list[k].label)
		e.What, e.State = check.Nondeterministic, check.Described(x.at)
		e.First, e.Second = c.text(x.steps, k), c.text(x.again, k)
		return &e
	}
	return nil
}

func (c *systemCursor) sameStep(a, b *triedStep) bool {
	return a.label == b.label && a.enabled == b.enabled && c.of.Equal(a.next, b.next)
}

// text describes item k of a list.
func (c *systemCursor) text(list []triedStep, k int) string {
	switch {
	case k >= len(list):
		return "no such choice"
	case !list[k].enabled:
		return "it was not enabled"
	}
	return check.Described(c.named(list[k].next))
}

// allSteps appends the results of all instances of all actions in s, in the memory of earlier steps of the
// list.
func (c *systemCursor) allSteps(s value, to []triedStep) []triedStep {
	for a := range c.System.Actions {
		action := &c.System.Actions[a]
		for i, n := 0, action.Instances; i < n; {
			var next value
			if len(to) < cap(to) {
				next = to[:len(to)+1][len(to)].next
			}
			next = c.of.CopyTo(next, s)
			enabled := action.Do(next, i, &c.choice)
			if !enabled {
				c.of.Assign(next, s) // whatever it did
			}
			to = append(to, triedStep{next, protocol.InstanceLabel(a, i), enabled})
			if !c.choice.Picked() || !c.choice.Again() {
				i++
			}
		}
	}
	return to
}

// An order is an order of the members of a symmetry, as the exchanges that make it.
type order struct {
	set       int
	exchanges [][2]int
}

// drawnOrders draws, by a hash, orders of the members of each symmetry: one, and more in the first checks.
func (c *systemCursor) drawnOrders(hash uint64) (orders []order) {
	n := 1
	if c.purity.ofState.Checks <= protocol.OftenAsked {
		n = protocol.ManyTimes
	}
	for k := range c.Symmetry {
		for sample := range n {
			o, h := order{set: k}, hash+uint64(sample)
			for j := c.Symmetry[k].Size - 1; j > 0; j-- {
				h = h*codec.Base + codec.Base
				if i := int(h >> 32 % uint64(j+1)); i != j {
					o.exchanges = append(o.exchanges, [2]int{i, j})
				}
			}
			orders = append(orders, o)
		}
	}
	return orders
}

// asymmetry panics with the mistake of a symmetry, or of a part of the model.
func (c *systemCursor) asymmetry(part, what, first, second string) {
	panic(&Error{
		Part: part, What: what, State: check.Described(c.purity.at), First: first, Second: second,
	})
}

// tellsApart is the mistake of a function that is not symmetric.
func (o *order) tellsApart() string {
	return fmt.Sprintf("it is not symmetric: it distinguishes members of Symmetry[%d]", o.set)
}

func (o *order) part() string { return fmt.Sprintf("Symmetry[%d]", o.set) }

// inOrder returns the state in another order of its members, in which the properties answer the same.
func (c *systemCursor) inOrder(of property.Subject, o order) *systemState {
	t := c.named(c.purity.at.s)
	c.exchange(t.s, o)
	in := func() string { return " in " + check.Described(t) }
	c.purity.ofState.Alike(of, o.tellsApart(), in, t)
	return t
}

// exchange brings members into an order. Each exchange, done twice, has to lead back.
func (c *systemCursor) exchange(s value, o order) {
	swap := c.Symmetry[o.set].Swap
	for _, x := range o.exchanges {
		was := c.of.Copied(s)
		swap(s, x[0], x[1])
		back := c.of.Copied(s)
		if swap(back, x[0], x[1]); !c.of.Equal(back, was) {
			what := fmt.Sprintf("Swap of %d and %d, done twice, does not lead back", x[0], x[1])
			c.asymmetry(o.part(), what, c.named(was).Key(), c.named(back).Key())
		}
	}
}

// sameRepresentative checks that the state and t, of one orbit, have one representative.
func (c *systemCursor) sameRepresentative(o order, t *systemState) {
	a, b := c.named(c.purity.at.s), c.named(t.s)
	c.canonical(a.s)
	c.canonical(b.s)
	if !c.of.Equal(a.s, b.s) {
		what := "the state and the one with its members in another order have two representatives: " +
			"Swap does not exchange the colours"
		c.asymmetry(o.part(), what, a.Key(), b.Key())
	}
}

// stepsAlike checks that the steps from t, the state in another order, are those from the state in that
// order, and that StepInvariants among which say the same of them.
func (c *systemCursor) stepsAlike(t *systemState, o order, which uint64) {
	var failed *Error
	var first, second map[string]uint64
	func() {
		defer Catch(&failed) // a step that fails will be met when its state is expanded
		c.purity.again = c.allSteps(t.s, c.purity.again[:0])
		first = c.leads(c.purity.at.s, c.purity.steps, which, o)
		second = c.leads(t.s, c.purity.again, which, order{set: o.set})
	}()
	switch {
	case failed != nil && failed.Impure():
		panic(failed)
	case failed != nil:
		c.choice = Choice{}
		return
	}
	same, differ := len(first) == len(second), uint64(0)
	for next, broken := range first {
		also, some := second[next]
		same, differ = same && some, differ|broken^also
	}
	if !same {
		c.asymmetry(o.part(), "steps distinguish members, or Swap leaves out a variable of theirs",
			fmt.Sprintf("steps to %d states", len(first)),
			fmt.Sprintf("to %d states, or to others, from %s", len(second), check.Described(t)))
	}
	for i := range property.Among(differ) {
		c.asymmetry(c.purity.ofStep.Part(i), o.tellsApart(), "of a step from here",
			"not of that from "+check.Described(t))
	}
}

// leads returns, by canonical bytes, the states in an order of the members to which steps from s lead, with
// the StepInvariants among which that such steps break.
func (c *systemCursor) leads(s value, steps []triedStep, which uint64, o order) map[string]uint64 {
	all := map[string]uint64{}
	for _, x := range steps {
		if !x.enabled {
			continue
		}
		next, a := c.of.Copied(x.next), int(x.label.Action)
		c.exchange(next, o)
		all[string(c.of.Append(nil, next))] |=
			c.judges.Step(c.of.Copied(s), a, c.by(x.label), c.of.Copied(x.next), which)
	}
	return all
}
