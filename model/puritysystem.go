package model

import (
	"fmt"
	"iter"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// systemPurity is what purity checks of a system keep: the state that is checked, copies of it and of the
// states of a step, and the steps.
type systemPurity struct {
	ofState, ofStep                       check.PurityCheck
	checked, copied, copiedFrom, copiedTo value
	steps, again                          []triedStep
	step, copiedStep                      triedStep // that is checked, and that was copied
}

func (c *systemCursor) named(s value) *systemState { return &systemState{c.of.Copied(s), c.system} }

// A triedStep is what one instance of an action came to, with one combination of picks.
type triedStep struct {
	next    value
	action  int
	i       int
	enabled bool
}

// newPurityChecks returns the purity checks of states and of steps, which write to some states.
func (c *systemCursor) newPurityChecks(room []value) {
	x := &c.purity
	x.checked, x.copied, x.copiedFrom, x.copiedTo = room[0], room[1], room[2], room[3]
	part := func(i int) string {
		if i == check.TheConstraint {
			return "Constraint"
		}
		return "property " + c.judges.Props[i].Name
	}
	x.ofState = check.PurityCheck{
		Part: part, Copy: func() { c.of.Assign(x.copied, x.checked) },
		Changed: func() string { return c.differs(x.copied, x.checked) },
		Ask:     func(i int) check.Answer { return c.answer(x.copied, i) },
	}
	x.ofStep = check.PurityCheck{
		Part: part, Copy: func() {
			c.of.Assign(x.copiedFrom, x.checked)
			c.of.Assign(x.copiedTo, x.step.next)
			x.copiedStep = x.step
		},
		Changed: func() string {
			return c.differs(x.copiedFrom, x.checked) + c.differs(x.copiedTo, x.copiedStep.next)
		},
		Ask: func(i int) check.Answer {
			return check.Answer{Report: c.judgeTried(x.copiedFrom, &x.copiedStep, x.copiedTo, 1<<i) != 0}
		},
	}
}

// answer evaluates a property, or the constraint.
func (c *systemCursor) answer(s value, i int) check.Answer {
	if i == check.TheConstraint {
		return check.Answer{Report: c.Constraint != nil && !c.Constraint(s)}
	}
	return c.judges.Answer(s, i)
}

// differs spells a copy that is not as it was; "" if it is.
func (c *systemCursor) differs(s, was value) string {
	if c.of.Equal(s, was) {
		return ""
	}
	return c.named(s).Key()
}

// state returns the state that is checked.
func (c *systemCursor) state() State { return c.named(c.purity.checked) }

// withConstraint yields the constraint and the properties of a mask.
func withConstraint(which uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		if yield(check.TheConstraint) {
			check.Among(which)(yield)
		}
	}
}

// CheckState takes all steps from a state twice, and evaluates twice what judges the state and the steps.
// Where there is symmetry, a sample of its orbit has to be alike.
func (c *systemCursor) CheckState(v *protocol.Parts, which uint64, k lts.Known) {
	x := &c.purity
	c.load(x.checked, v.Words)
	if e := c.stepsTwice(); e != nil {
		panic(e)
	}
	for i := range x.steps {
		x.step = x.steps[i]
		if which := which & c.judges.Steps[x.step.action]; which != 0 && x.step.enabled {
			x.ofStep.EvalTwice(check.Among(which), c.state)
		}
	}
	parts := withConstraint(which & c.judges.Answers)
	x.ofState.EvalTwice(parts, c.state)
	c.sampleOrbit(parts, k.Hash, which&c.judges.OfKind[StepInvariant], true)
}

// CheckQuiet does the same with Quiet properties.
func (c *systemCursor) CheckQuiet(v *protocol.Parts, which uint64, hash uint64) {
	if which &= c.judges.OfKind[Quiet]; which != 0 {
		c.load(c.purity.checked, v.Words)
		c.purity.ofState.EvalTwice(check.Among(which), c.state)
		c.sampleOrbit(check.Among(which), hash, 0, false)
	}
}

// CheckStep does nothing: CheckState evaluates all steps.
func (c *systemCursor) CheckStep(*protocol.Parts, Label, *protocol.Parts, uint64) {}

// judgeTried judges a step by StepInvariants.
func (c *systemCursor) judgeTried(from value, x *triedStep, to value, which uint64) uint64 {
	label := protocol.LabelOf(uint32(x.action) | uint32(x.i)<<16)
	return c.judges.Step(from, x.action, c.by(label), to, which)
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
	x.steps = c.allSteps(x.checked, x.steps[:0])
	x.again = c.allSteps(x.checked, x.again[:0])
	for k := range max(len(x.steps), len(x.again)) {
		if k < len(x.steps) && k < len(x.again) && c.sameStep(&x.steps[k], &x.again[k]) {
			continue
		}
		list := x.steps
		if k >= len(list) {
			list = x.again
		}
		e := c.taking(list[k].action, list[k].i)
		e.What, e.State = check.Nondeterministic, check.Described(c.state())
		e.First, e.Second = c.text(x.steps, k), c.text(x.again, k)
		return &e
	}
	return nil
}

func (c *systemCursor) sameStep(a, b *triedStep) bool {
	return a.action == b.action && a.i == b.i && a.enabled == b.enabled && c.of.Equal(a.next, b.next)
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

// allSteps appends what all instances of all actions come to in s, in the place of earlier steps if the list
// has had more.
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
			to = append(to, triedStep{next: next, action: a, i: i, enabled: enabled})
			if !c.choice.Picked() || !c.choice.Again() {
				i++
			}
		}
	}
	return to
}

// sampleOrbit compares the state with a sample of its orbit under each symmetry, drawn by the hash h: what
// the parts answer, the representative, and where steps lead and what StepInvariants among which say of them.
// In the first checks the sample is larger.
func (c *systemCursor) sampleOrbit(parts iter.Seq[int], h, which uint64, steps bool) {
	n := 1
	if c.purity.ofState.Checks <= protocol.OftenAsked {
		n = protocol.ManyTimes
	}
	for k := range c.Symmetry {
		for sample := range n {
			order := c.drawnOrder(k, h+uint64(sample))
			t := c.of.Copied(c.purity.checked)
			c.exchange(t, order)
			for i := range parts {
				first, second := c.purity.ofState.Answers[i+1], c.answer(t, i)
				if first != second {
					c.asymmetry(c.purity.ofState.Part(i), fmt.Sprintf(tellsApart, k), first.String(),
						fmt.Sprintf("%v in %s", second, check.Described(c.named(t))))
				}
			}
			if steps {
				c.sameRepresentative(k, t)
				c.stepsAlike(t, order, which)
			}
		}
	}
}

// What is wrong with a part of a model that is not symmetric.
const tellsApart = "it is not symmetric: it tells members of Symmetry[%d] apart"

// asymmetry panics with what is wrong with a symmetry, or with a part of the model.
func (c *systemCursor) asymmetry(part, what, first, second string) {
	panic(&Error{Part: part, What: what, State: check.Described(c.state()), First: first, Second: second})
}

// An order is an order of the members of a set, as the exchanges that make it.
type order struct {
	set       int
	exchanges [][2]int
}

// drawnOrder draws an order of the members of set k.
func (c *systemCursor) drawnOrder(k int, h uint64) order {
	o := order{set: k}
	for j := c.Symmetry[k].Size - 1; j > 0; j-- {
		h = h*codec.Base + codec.Base
		if i := int(h >> 32 % uint64(j+1)); i != j {
			o.exchanges = append(o.exchanges, [2]int{i, j})
		}
	}
	return o
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

func (o *order) part() string { return fmt.Sprintf("Symmetry[%d]", o.set) }

// sameRepresentative checks that the state and t, of one orbit, have one representative.
func (c *systemCursor) sameRepresentative(k int, t value) {
	a, b := c.of.Copied(c.purity.checked), c.of.Copied(t)
	c.canonical(a)
	c.canonical(b)
	if !c.of.Equal(a, b) {
		what := "the state and the one with its members in another order have two representatives: " +
			"Less is no total order"
		c.asymmetry(fmt.Sprintf("Symmetry[%d]", k), what, c.named(a).Key(), c.named(b).Key())
	}
}

// stepsAlike checks that the steps from t, the state in another order, are those from the state in that
// order.
func (c *systemCursor) stepsAlike(t value, o order, which uint64) {
	var failed *Error
	x, first, second := &c.purity, leads{}, leads{}
	func() {
		defer Catch(&failed) // a step that fails will be met when its state is expanded
		x.again = c.allSteps(t, x.again[:0])
		c.enter(first, x.checked, x.steps, which, o)
		c.enter(second, t, x.again, which, order{set: o.set})
	}()
	switch {
	case failed != nil && failed.Impure():
		panic(failed)
	case failed != nil:
		c.choice = Choice{}
		return
	}
	told, same := first.apart(second)
	if !same {
		c.asymmetry(o.part(), "steps tell members apart, or Swap leaves out what belongs to them",
			fmt.Sprintf("steps to %d states", len(first)),
			fmt.Sprintf("to %d states, or to others, from %s", len(second), check.Described(c.named(t))))
	}
	for i := range check.Among(told) {
		c.asymmetry("property "+c.judges.Props[i].Name, fmt.Sprintf(tellsApart, o.set), "of a step from here",
			"not of that from "+check.Described(c.named(t)))
	}
}

// leads has, by canonical bytes, the states to which steps lead, with the StepInvariants that such steps
// break.
type leads map[string]uint64

// apart returns the StepInvariants that say something else of steps to the same states; not the same: steps
// lead elsewhere.
func (a leads) apart(b leads) (told uint64, same bool) {
	for next, broken := range a {
		also, some := b[next]
		if !some {
			return 0, false
		}
		told |= broken ^ also
	}
	return told, len(a) == len(b)
}

// enter enters where steps from s lead, in an order of the members.
func (c *systemCursor) enter(all leads, s value, steps []triedStep, which uint64, o order) {
	for i := range steps {
		if x := &steps[i]; x.enabled {
			next := c.of.Copied(x.next)
			c.exchange(next, o)
			all[string(c.of.Append(nil, next))] |= c.judgeTried(c.of.Copied(s), x, c.of.Copied(x.next), which)
		}
	}
}
