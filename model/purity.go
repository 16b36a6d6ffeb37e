package model

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/atmostk/atmostk/model/protocol"
)

// What is evaluated once and remembered, or judged in one of many orders, has to be a function of its
// arguments and must not change them. A purity check evaluates it again, on copies.

// What is wrong with a function that came to two results, and with one that changes its arguments.
const (
	nondeterministic = "the model is not a function: for the same arguments it came to two results"
	mutatesInput     = "it changes what it is given only to look at"
)

// NoFunction is the mistake that a part of the model came to two results in a state.
func NoFunction(part string, s State, first, second any) *Error {
	return &Error{Part: part, What: nondeterministic, State: described(s),
		First: fmt.Sprint(first), Second: fmt.Sprint(second)}
}

// Impure reports whether the mistake is that something is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }

// An answer is what a property says of a state: whether it has to be reported, and the marks and
// origins of the state, in a sum.
type answer struct {
	report bool
	rest   uint64
}

func (a answer) String() string {
	if a.rest != 0 {
		return fmt.Sprintf("to report: %v, marks %#x", a.report, a.rest)
	}
	return fmt.Sprintf("to report: %v", a.report)
}

// answer evaluates property i, as far as its kind is judged by a state.
func (j *judges) answer(s value, i int) (a answer) {
	p := &j.props[i]
	switch p.Kind {
	case Invariant, Reachable, Quiet:
		a.report = j.flags(s, i)
	case Liveness:
		for k := range p.Lassos {
			a.rest = a.rest*31 + uint64(j.marks(s, i, k))
		}
	}
	if p.Origins != nil {
		a.rest = a.rest*31 + j.origins(s, i)
	}
	return a
}

// A purityCheck evaluates properties several times, about copies of a state or of the states of a step. It
// belongs to one goroutine.
type purityCheck struct {
	copy    func()             // copies what is shown to properties
	changed func() string      // what of the copies is not as it was copied; "": nothing
	ask     func(i int) answer // evaluates property i about the copies; theConstraint is another part
	part    func(i int) string // its name in an Error

	answers  [maxProperties + 1]answer // one behind the place of the part
	checks   int                       // so far, up to protocol.OftenAsked
	previous []int                     // the parts of the last check, while its copies are there
	state    State                     // of that check
}

// theConstraint is the part of a model beside its properties that a purity check evaluates.
const theConstraint = -1

// often counts the checks, and reports whether this is one of the first.
func (c *purityCheck) often() bool {
	c.checks++
	return c.checks <= protocol.OftenAsked
}

// evalTwice evaluates parts of the model twice, and of the first checks protocol.ManyTimes, and panics if one
// comes to two results or changes the copies. The first checks also evaluate the parts of the check before
// once more, as handlers may have run since. It leaves the answers.
func (c *purityCheck) evalTwice(parts iter.Seq[int], state func() State) {
	for _, i := range c.previous {
		c.again(i, func() State { return c.state })
	}
	c.previous = c.previous[:0]
	c.copy()
	for i := range parts {
		c.answers[i+1] = c.ask(i)
	}
	if c.changed() != "" { // looked at now, as two changes may undo each other
		c.mutates(parts, state())
	}
	n := 1
	if c.often() {
		n, c.state = protocol.ManyTimes-1, state()
	}
	for i := range parts {
		for range n {
			c.again(i, state)
		}
		if n > 1 {
			c.previous = append(c.previous, i)
		}
	}
}

// again panics if a part gives another answer than before.
func (c *purityCheck) again(i int, state func() State) {
	if a := c.ask(i); a != c.answers[i+1] {
		panic(NoFunction(c.part(i), state(), c.answers[i+1], a))
	}
}

// mutates panics with the mistake that one of the parts changes what it is given.
func (c *purityCheck) mutates(parts iter.Seq[int], at State) {
	mistake := &Error{Part: "a property", What: mutatesInput, State: described(at)}
	mistake.First, mistake.Second = mistake.State, c.changed()
	for i := range parts {
		c.copy()
		c.ask(i)
		if changed := c.changed(); changed != "" {
			mistake.Part, mistake.Second = c.part(i), changed
			break
		}
	}
	panic(mistake)
}

// among yields the properties of a mask.
func among(which uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for left := which; left != 0 && yield(bits.TrailingZeros64(left)); left &= left - 1 {
		}
	}
}
