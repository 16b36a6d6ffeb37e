package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// systemPurity is what purity checks of a system keep: the steps of the state that is checked.
type systemPurity struct {
	ofState, ofStep property.PurityCheck
	steps, again    []triedStep
}

func (c *systemCursor) named(s value) *systemState { return &systemState{c.of.Copied(s), c.system} }

// A triedStep is the result of one instance of an action, with one combination of picks.
type triedStep struct {
	next    value
	label   Label
	enabled bool
}

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
	p, at := &c.purity, c.Decode(x.State).(*systemState)
	of := property.Subject{Which: x.Which & c.judges.Answers, States: []State{at}}
	switch {
	case x.Next != nil:
		return // the check of the state has checked its steps
	case x.Quiet:
		if of.Which = x.Which & c.judges.OfKind[Quiet]; of.Which == 0 {
			return
		}
	default:
		c.checkSteps(at, x.Which)
	}
	p.ofState.EvalTwice(of)
	samples := 1 // orders that are drawn of each symmetry: more in the first checks
	if p.ofState.Checks <= protocol.OftenAsked {
		samples = protocol.ManyTimes
	}
	for k := range c.Symmetry {
		for sample := range samples {
			o := c.drawnOrder(k, x.Hash+uint64(sample), at)
			t := c.named(at.s)
			o.exchange(t.s)
			p.ofState.Alike(of, o.distinguishes, func() string { return " in " + check.Described(t) }, t)
			if !x.Quiet {
				o.sameRepresentative(t)
				o.stepsAlike(t, x.Which&c.judges.OfKind[StepInvariant])
			}
		}
	}
}

// checkSteps takes all steps from a state twice, and evaluates StepInvariants among which twice.
func (c *systemCursor) checkSteps(at *systemState, which uint64) {
	p := &c.purity
	if !c.allSteps(at.s, &p.steps) || !c.allSteps(at.s, &p.again) {
		p.steps = p.steps[:0]
		return
	}
	for k := range max(len(p.steps), len(p.again)) {
		list := p.steps
		if k >= len(list) {
			list = p.again
		} else if k < len(p.again) {
			a, b := &p.steps[k], &p.again[k]
			if a.label == b.label && a.enabled == b.enabled && c.of.Equal(a.next, b.next) {
				continue
			}
		}
		e := c.taking(list[k].label)
		e.What, e.State = check.Nondeterministic, check.Described(at)
		e.First, e.Second = c.text(p.steps, k), c.text(p.again, k)
		panic(&e)
	}
	for i := range p.steps {
		step := &p.steps[i]
		if which := which & c.judges.Steps[step.label.Action]; which != 0 && step.enabled {
			states := []State{at, c.named(step.next)}
			p.ofStep.EvalTwice(property.Subject{Which: which, Label: step.label, States: states})
		}
	}
}

func (c *systemCursor) text(list []triedStep, k int) string {
	switch {
	case k >= len(list):
		return "no such choice"
	case !list[k].enabled:
		return "it was not enabled"
	}
	return check.Described(c.named(list[k].next))
}

// allSteps lists the results of all instances of all actions in s, in the memory of earlier steps of the
// list. If a step fails it returns false: the search meets that when it expands the state.
func (c *systemCursor) allSteps(s value, list *[]triedStep) (all bool) {
	var failed *Error
	defer func() {
		if failed != nil {
			c.choice = Choice{}
		}
	}()
	defer Catch(&failed)
	to := (*list)[:0]
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
	*list = to
	return true
}

// An order is an order of the members of a symmetry, as the exchanges that make it, for a state to check.
type order struct {
	*systemCursor
	at            *systemState
	swap          func(s value, i, j int)
	exchanges     [][2]int
	part          string
	distinguishes string // the mistake of a function that is not symmetric
}

// drawnOrder draws, by a hash, an order of the members of symmetry k.
func (c *systemCursor) drawnOrder(k int, h uint64, at *systemState) *order {
	o := &order{systemCursor: c, at: at, swap: c.Symmetry[k].Swap, part: fmt.Sprintf("Symmetry[%d]", k)}
	o.distinguishes = "it is not symmetric: it distinguishes members of " + o.part
	for j := c.Symmetry[k].Size - 1; j > 0; j-- {
		h = h*codec.Base + codec.Base
		if i := int(h >> 32 % uint64(j+1)); i != j {
			o.exchanges = append(o.exchanges, [2]int{i, j})
		}
	}
	return o
}

// wrong panics with the mistake of a symmetry, or of a part of the model.
func (o *order) wrong(part, what, first, second string) {
	panic(&Error{Part: part, What: what, State: check.Described(o.at), First: first, Second: second})
}

// exchange brings members into an order. Each exchange, done twice, has to lead back.
func (o *order) exchange(s value) {
	for _, x := range o.exchanges {
		was := o.of.Copied(s)
		o.swap(s, x[0], x[1])
		back := o.of.Copied(s)
		if o.swap(back, x[0], x[1]); !o.of.Equal(back, was) {
			what := fmt.Sprintf("Swap of %d and %d, done twice, does not lead back", x[0], x[1])
			o.wrong(o.part, what, o.named(was).Key(), o.named(back).Key())
		}
	}
}

// sameRepresentative checks that the state and t, of one orbit, have one representative.
func (o *order) sameRepresentative(t *systemState) {
	a, b := o.named(o.at.s), o.named(t.s)
	o.canonical(a.s)
	o.canonical(b.s)
	if !o.of.Equal(a.s, b.s) {
		o.wrong(o.part, "the state and the one with its members in another order have two representatives: "+
			"Swap does not exchange the colours", a.Key(), b.Key())
	}
}

// stepsAlike checks that the steps from t, the state in another order, are those from the state in that
// order, and that StepInvariants among which say the same of them.
func (o *order) stepsAlike(t *systemState, which uint64) {
	if !o.allSteps(t.s, &o.purity.again) {
		return
	}
	first := o.leads(o.at.s, o.purity.steps, which, o.exchange)
	second := o.leads(t.s, o.purity.again, which, func(value) {})
	same, differ := len(first) == len(second), uint64(0)
	for next, broken := range first {
		also, some := second[next]
		same, differ = same && some, differ|broken^also
	}
	if !same {
		o.wrong(o.part, "steps distinguish members, or Swap leaves out a variable of theirs",
			fmt.Sprintf("steps to %d states", len(first)),
			fmt.Sprintf("to %d states, or to others, from %s", len(second), check.Described(t)))
	}
	for i := range property.Among(differ) {
		o.wrong(o.purity.ofStep.Part(i), o.distinguishes, "of a step from here",
			"not of that from "+check.Described(t))
	}
}

// leads returns the states to which steps from s lead, after an exchange of members, by their canonical
// bytes; with each the StepInvariants among which that steps to it break.
func (c *systemCursor) leads(s value, steps []triedStep, which uint64, exchange func(value),
) (all map[string]uint64) {
	all = map[string]uint64{}
	for _, x := range steps {
		if x.enabled {
			next, a := c.of.Copied(x.next), int(x.label.Action)
			exchange(next)
			all[string(c.of.Append(nil, next))] |=
				c.judges.Step(c.of.Copied(s), a, c.by(x.label), c.of.Copied(x.next), which)
		}
	}
	return all
}
