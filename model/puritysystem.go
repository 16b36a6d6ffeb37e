package model

import (
	"fmt"
	"iter"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

func (c *systemCursor[S]) named(s *S) *systemState[S] { return &systemState[S]{*s, &c.System} }

// A triedStep is what one instance of an action came to, with one combination of picks.
type triedStep[S comparable] struct {
	next    S
	action  int
	i       int
	enabled bool
}

// newPurityChecks returns the purity checks of states and of steps.
func (c *systemCursor[S]) newPurityChecks() {
	part := func(i int) string {
		if i == theConstraint {
			return "Constraint"
		}
		return "property " + c.judges.props[i].Name
	}
	c.ofState = purityCheck{
		part: part, copy: func() { c.copied = c.checked },
		changed: func() string { return c.differs(&c.copied, &c.checked) },
		ask:     func(i int) answer { return c.answer(&c.copied, i) },
	}
	c.ofStep = purityCheck{
		part: part, copy: func() { c.copiedFrom, c.copiedTo, c.copiedStep = c.checked, c.step.next, c.step },
		changed: func() string {
			return c.differs(&c.copiedFrom, &c.checked) + c.differs(&c.copiedTo, &c.copiedStep.next)
		},
		ask: func(i int) answer {
			return answer{report: c.judgeTried(&c.copiedFrom, &c.copiedStep, &c.copiedTo, 1<<i) != 0}
		},
	}
}

// answer evaluates a property, or the constraint.
func (c *systemCursor[S]) answer(s *S, i int) answer {
	if i == theConstraint {
		return answer{report: c.Constraint != nil && !c.Constraint(s)}
	}
	return c.judges.answer(s, i)
}

// differs spells a copy that is not as it was; "" if it is.
func (c *systemCursor[S]) differs(s, was *S) string {
	if *s == *was {
		return ""
	}
	return c.named(s).Key()
}

// state returns the state that is checked.
func (c *systemCursor[S]) state() State { return c.named(&c.checked) }

// withConstraint yields the constraint and the properties of a mask.
func withConstraint(which uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		if yield(theConstraint) {
			among(which)(yield)
		}
	}
}

// CheckState takes all steps from a state twice, and evaluates twice what judges the state and the steps.
// Where there is symmetry, a sample of its orbit has to be alike.
func (c *systemCursor[S]) CheckState(v *protocol.Parts, which uint64, k lts.Known) {
	load(&c.checked, v.Words)
	if e := c.stepsTwice(); e != nil {
		panic(e)
	}
	for i := range c.steps {
		c.step = c.steps[i]
		if which := which & c.judges.steps[c.step.action]; which != 0 && c.step.enabled {
			c.ofStep.evalTwice(among(which), c.state)
		}
	}
	parts := withConstraint(which & c.judges.answers)
	c.ofState.evalTwice(parts, c.state)
	c.sampleOrbit(parts, k.Hash, which&c.judges.ofKind[StepInvariant], true)
}

// CheckQuiet does the same with Quiet properties.
func (c *systemCursor[S]) CheckQuiet(v *protocol.Parts, which uint64, hash uint64) {
	if which &= c.judges.ofKind[Quiet]; which != 0 {
		load(&c.checked, v.Words)
		c.ofState.evalTwice(among(which), c.state)
		c.sampleOrbit(among(which), hash, 0, false)
	}
}

// CheckStep does nothing: CheckState evaluates all steps.
func (c *systemCursor[S]) CheckStep(*protocol.Parts, Label, *protocol.Parts, uint64) {}

// judgeTried judges a step by StepInvariants.
func (c *systemCursor[S]) judgeTried(from *S, x *triedStep[S], to *S, which uint64) uint64 {
	label := protocol.LabelOf(uint32(x.action) | uint32(x.i)<<16)
	return c.judges.step(from, x.action, c.by(label), to, which)
}

// stepsTwice takes all steps from the state twice, and returns the mistake that they differ. A step that
// fails will be met when the state is expanded.
func (c *systemCursor[S]) stepsTwice() (mistake *Error) {
	var failed *Error
	defer func() {
		if failed != nil {
			c.choice, c.steps = Choice{}, c.steps[:0]
		}
	}()
	defer Catch(&failed)
	c.steps = c.allSteps(&c.checked, c.steps[:0])
	c.stepsAgain = c.allSteps(&c.checked, c.stepsAgain[:0])
	for k := range max(len(c.steps), len(c.stepsAgain)) {
		if k < len(c.steps) && k < len(c.stepsAgain) && c.steps[k] == c.stepsAgain[k] {
			continue
		}
		list := c.steps
		if k >= len(list) {
			list = c.stepsAgain
		}
		e := c.taking(list[k].action, list[k].i)
		e.What, e.State = nondeterministic, described(c.state())
		e.First, e.Second = c.text(c.steps, k), c.text(c.stepsAgain, k)
		return &e
	}
	return nil
}

// text describes item k of a list.
func (c *systemCursor[S]) text(list []triedStep[S], k int) string {
	switch {
	case k >= len(list):
		return "no such choice"
	case !list[k].enabled:
		return "it was not enabled"
	}
	return described(c.named(&list[k].next))
}

// allSteps appends what all instances of all actions come to in s.
func (c *systemCursor[S]) allSteps(s *S, to []triedStep[S]) []triedStep[S] {
	for a := range c.System.Actions {
		action := &c.System.Actions[a]
		for i, n := 0, action.Instances; i < n; {
			c.next = *s
			enabled := action.Do(&c.next, i, &c.choice)
			if !enabled {
				c.next = *s // whatever it did
			}
			to = append(to, triedStep[S]{next: c.next, action: a, i: i, enabled: enabled})
			if c.choice.at == 0 || !c.choice.Again() {
				i++
			}
		}
	}
	return to
}

// sampleOrbit compares the state with a sample of its orbit under each symmetry, drawn by the hash h: what
// the parts answer, the representative, and where steps lead and what StepInvariants among which say of them.
// In the first checks the sample is larger.
func (c *systemCursor[S]) sampleOrbit(parts iter.Seq[int], h, which uint64, steps bool) {
	n := 1
	if c.ofState.checks <= protocol.OftenAsked {
		n = protocol.ManyTimes
	}
	for k := range c.Symmetry {
		for sample := range n {
			order := c.drawnOrder(k, h+uint64(sample))
			t := c.checked
			c.exchange(&t, order)
			for i := range parts {
				first, second := c.ofState.answers[i+1], c.answer(&t, i)
				if first != second {
					c.asymmetry(c.ofState.part(i), fmt.Sprintf(tellsApart, k), first.String(),
						fmt.Sprintf("%v in %s", second, described(c.named(&t))))
				}
			}
			if steps {
				c.sameRepresentative(k, &t)
				c.stepsAlike(&t, order, which)
			}
		}
	}
}

// What is wrong with a part of a model that is not symmetric.
const tellsApart = "it is not symmetric: it tells members of Symmetry[%d] apart"

// asymmetry panics with what is wrong with a symmetry, or with a part of the model.
func (c *systemCursor[S]) asymmetry(part, what, first, second string) {
	panic(&Error{Part: part, What: what, State: described(c.state()), First: first, Second: second})
}

// An order is an order of the members of a set, as the exchanges that make it.
type order struct {
	set       int
	exchanges [][2]int
}

// drawnOrder draws an order of the members of set k.
func (c *systemCursor[S]) drawnOrder(k int, h uint64) order {
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
func (c *systemCursor[S]) exchange(s *S, o order) {
	swap := c.Symmetry[o.set].Swap
	for _, x := range o.exchanges {
		was := *s
		swap(s, x[0], x[1])
		back := *s
		if swap(&back, x[0], x[1]); back != was {
			c.asymmetry(o.part(), fmt.Sprintf("Swap of %d and %d, done twice, does not lead back", x[0], x[1]),
				c.named(&was).Key(), c.named(&back).Key())
		}
	}
}

func (o *order) part() string { return fmt.Sprintf("Symmetry[%d]", o.set) }

// sameRepresentative checks that the state and t, of one orbit, have one representative.
func (c *systemCursor[S]) sameRepresentative(k int, t *S) {
	a, b := c.checked, *t
	canonical(&a, c.Symmetry)
	canonical(&b, c.Symmetry)
	if a != b {
		c.asymmetry(fmt.Sprintf("Symmetry[%d]", k), "the state and the one with its members in another order "+
			"have two representatives: Less is no total order",
			c.named(&a).Key(), c.named(&b).Key())
	}
}

// stepsAlike checks that the steps from t, the state in another order, are those from the state in that order.
func (c *systemCursor[S]) stepsAlike(t *S, o order, which uint64) {
	var failed *Error
	first, second := map[S]uint64{}, map[S]uint64{}
	func() {
		defer Catch(&failed) // a step that fails will be met when its state is expanded
		c.stepsAgain = c.allSteps(t, c.stepsAgain[:0])
		c.leads(&c.checked, c.steps, which, first, o)
		c.leads(t, c.stepsAgain, which, second, order{set: o.set})
	}()
	switch {
	case failed != nil && failed.Impure():
		panic(failed)
	case failed != nil:
		c.choice = Choice{}
		return
	}
	for i := range c.steps {
		if next := c.steps[i].next; c.steps[i].enabled {
			c.exchange(&next, o)
			c.alike(t, o, next, first, second)
		}
	}
	for i := range c.stepsAgain {
		if c.stepsAgain[i].enabled {
			c.alike(t, o, c.stepsAgain[i].next, first, second)
		}
	}
}

// leads enters the states to which steps from s lead, with the StepInvariants that such steps break, in an
// order of the members.
func (c *systemCursor[S]) leads(s *S, steps []triedStep[S], which uint64, broken map[S]uint64, o order) {
	for i := range steps {
		if x := &steps[i]; x.enabled {
			from, to, next := *s, x.next, x.next
			c.exchange(&next, o)
			broken[next] |= c.judgeTried(&from, x, &to, which)
		}
	}
}

// alike checks that steps to a state are there from the state and from t, and break the same StepInvariants.
func (c *systemCursor[S]) alike(t *S, o order, next S, first, second map[S]uint64) {
	broken, leads := first[next]
	also, alsoLeads := second[next]
	if leads != alsoLeads {
		says := func(leads bool) string {
			return map[bool]string{true: "a step to ", false: "no step to "}[leads] + described(c.named(&next))
		}
		c.asymmetry(o.part(), "steps tell members apart, or Swap leaves out what belongs to them",
			says(leads)+", members in another order", says(alsoLeads)+" from "+described(c.named(t)))
	}
	for i := range among(broken ^ also) {
		c.asymmetry("property "+c.judges.props[i].Name, fmt.Sprintf(tellsApart, o.set),
			answer{report: broken>>i&1 == 1}.String(),
			fmt.Sprintf("%v of the step from %s", answer{report: also>>i&1 == 1}, described(c.named(t))))
	}
}
