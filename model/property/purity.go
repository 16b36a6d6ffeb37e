package property

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// An Answer is the result of a property for a state: whether the state has to be reported, and a hash of
// its marks and origins.
type Answer struct {
	Report bool
	Rest   uint64
}

// String writes the answer for a person.
func (a Answer) String() string {
	if a.Rest != 0 {
		return fmt.Sprintf("to report: %v, marks %#x", a.Report, a.Rest)
	}
	return fmt.Sprintf("to report: %v", a.Report)
}

// A PurityCheck evaluates properties again, on copies of a state or of both states of a step: a search judges
// in one of many orders and judges some parts once, so a property has to be a function of its arguments and
// must not change them. A PurityCheck belongs to one goroutine.
type PurityCheck struct {
	Judges     *Judges
	Shown      func(s lts.State) codec.Value                // a copy of a state
	Changed    func(copied codec.Value, s lts.State) string // the part of the copy that differs; "": none
	By         func(l protocol.Label) protocol.Proc         // the process that takes a step
	Constraint func(s codec.Value) bool                     // evaluated with the properties; nil: none

	Answers [lts.MaxProperties + 1]Answer // about the last subject, per property; then of the constraint
	Checks  int                           // so far
	last    Subject                       // the previous subject, in the first checks
}

// constraint is the place of the constraint in PurityCheck.Answers.
const constraint = lts.MaxProperties

// A Subject is a state, or a step with its two states, for which the properties in Which are evaluated.
type Subject struct {
	Which  uint64
	Label  protocol.Label
	States []lts.State
	copies []codec.Value
}

// Part names a property, or the constraint, for an Error.
func (c *PurityCheck) Part(i int) string {
	if i == constraint {
		return "Constraint"
	}
	return "property " + c.Judges.Props[i].Name
}

func (c *PurityCheck) parts(x *Subject) iter.Seq[int] {
	return func(yield func(int) bool) {
		if c.Constraint == nil || len(x.States) != 1 || yield(constraint) {
			Among(x.Which)(yield)
		}
	}
}

func (c *PurityCheck) copy(x *Subject) {
	x.copies = x.copies[:0]
	for _, s := range x.States {
		x.copies = append(x.copies, c.Shown(s))
	}
}

// changed returns the part in which the copies of a subject differ from its states; "": none.
func (c *PurityCheck) changed(x *Subject) (part string) {
	for i, s := range x.States {
		part += c.Changed(x.copies[i], s)
	}
	return part
}

// ask evaluates a property, or the constraint, on the copies of a subject.
func (c *PurityCheck) ask(x *Subject, i int) Answer {
	switch {
	case i == constraint:
		return Answer{Report: !c.Constraint(x.copies[0])}
	case len(x.copies) > 1:
		a := int(x.Label.Action)
		return Answer{Report: c.Judges.Step(x.copies[0], a, c.By(x.Label), x.copies[1], 1<<i) != 0}
	}
	return c.Judges.answer(x.copies[0], i)
}

// EvalTwice evaluates the properties of a subject twice, and in the first checks protocol.ManyTimes, and
// panics if one comes to two results or changes the copies. The first checks also evaluate the previous
// subject once more, as handlers may have run since. It leaves the answers in Answers.
func (c *PurityCheck) EvalTwice(x Subject) {
	for i := range c.parts(&c.last) {
		c.again(&c.last, i)
	}
	c.last = Subject{}
	c.copy(&x)
	for i := range c.parts(&x) {
		c.Answers[i] = c.ask(&x, i)
	}
	if c.changed(&x) != "" { // before the second evaluation, as two changes may undo each other
		c.mutates(&x)
	}
	again := 1
	if c.Checks++; c.Checks <= protocol.OftenAsked {
		again, c.last = protocol.ManyTimes-1, x
	}
	for i := range c.parts(&x) {
		for range again {
			c.again(&x, i)
		}
	}
}

// again panics if a property gives another answer than before.
func (c *PurityCheck) again(x *Subject, i int) {
	if a := c.ask(x, i); a != c.Answers[i] {
		panic(check.NoFunction(c.Part(i), x.States[0], c.Answers[i], a))
	}
}

// mutates panics with the mistake that one of the properties changes its argument.
func (c *PurityCheck) mutates(x *Subject) {
	mistake := &check.Error{Part: "a property", What: check.MutatesInput, State: check.Described(x.States[0])}
	mistake.First, mistake.Second = mistake.State, c.changed(x)
	for i := range c.parts(x) {
		c.copy(x)
		c.ask(x, i)
		if changed := c.changed(x); changed != "" {
			mistake.Part, mistake.Second = c.Part(i), changed
			break
		}
	}
	panic(mistake)
}

// Alike evaluates properties, whose answers are known, on states that must have the same answers, and panics
// with a mistake if one has another answer; others describes these states.
func (c *PurityCheck) Alike(x Subject, mistake string, others func() string, states ...lts.State) {
	as := x.States[0]
	x.States = states
	c.copy(&x)
	for i := range c.parts(&x) {
		if a := c.ask(&x, i); a != c.Answers[i] {
			panic(&check.Error{Part: c.Part(i), What: mistake, State: check.Described(as),
				First: c.Answers[i].String(), Second: a.String() + others()})
		}
	}
}

// Among yields the properties of a mask.
func Among(which uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for left := which; left != 0 && yield(bits.TrailingZeros64(left)); left &= left - 1 {
		}
	}
}
