package check

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// What is evaluated once and remembered, or judged in one of many orders, has to be a function of its
// arguments and must not change them. A purity check evaluates it again, on copies.

// What is wrong with a function that came to two results, and with one that changes its arguments.
const (
	Nondeterministic = "the model is not a function: for the same arguments it came to two results"
	MutatesInput     = "it changes what it is given only to look at"
)

// NoFunction is the mistake that a part of the model came to two results in a state.
func NoFunction(part string, s lts.State, first, second any) *Error {
	return &Error{Part: part, What: Nondeterministic, State: Described(s),
		First: fmt.Sprint(first), Second: fmt.Sprint(second)}
}

// Impure reports whether the mistake is that something is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }

// An Answer is what a property says of a state: whether it has to be reported, and the marks and
// origins of the state, in a sum.
type Answer struct {
	Report bool
	Rest   uint64
}

func (a Answer) String() string {
	if a.Rest != 0 {
		return fmt.Sprintf("to report: %v, marks %#x", a.Report, a.Rest)
	}
	return fmt.Sprintf("to report: %v", a.Report)
}

// A PurityCheck evaluates properties several times, about copies of a state or of the states of a step. It
// belongs to one goroutine.
type PurityCheck struct {
	Copy    func()             // copies what is shown to properties
	Changed func() string      // what of the copies is not as it was copied; "": nothing
	Ask     func(i int) Answer // evaluates property i about the copies; theConstraint is another part
	Part    func(i int) string // its name in an Error

	Answers  [lts.MaxProperties + 1]Answer // one behind the place of the part
	Checks   int                           // so far, up to protocol.OftenAsked
	previous []int                         // the parts of the last check, while its copies are there
	state    lts.State                     // of that check
}

// TheConstraint is the part of a model beside its properties that a purity check evaluates.
const TheConstraint = -1

// often counts the checks, and reports whether this is one of the first.
func (c *PurityCheck) often() bool {
	c.Checks++
	return c.Checks <= protocol.OftenAsked
}

// EvalTwice evaluates parts of the model twice, and of the first checks protocol.ManyTimes, and panics if one
// comes to two results or changes the copies. The first checks also evaluate the parts of the check before
// once more, as handlers may have run since. It leaves the answers.
func (c *PurityCheck) EvalTwice(parts iter.Seq[int], state func() lts.State) {
	for _, i := range c.previous {
		c.again(i, func() lts.State { return c.state })
	}
	c.previous = c.previous[:0]
	c.Copy()
	for i := range parts {
		c.Answers[i+1] = c.Ask(i)
	}
	if c.Changed() != "" { // looked at now, as two changes may undo each other
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
func (c *PurityCheck) again(i int, state func() lts.State) {
	if a := c.Ask(i); a != c.Answers[i+1] {
		panic(NoFunction(c.Part(i), state(), c.Answers[i+1], a))
	}
}

// mutates panics with the mistake that one of the parts changes what it is given.
func (c *PurityCheck) mutates(parts iter.Seq[int], at lts.State) {
	mistake := &Error{Part: "a property", What: MutatesInput, State: Described(at)}
	mistake.First, mistake.Second = mistake.State, c.Changed()
	for i := range parts {
		c.Copy()
		c.Ask(i)
		if changed := c.Changed(); changed != "" {
			mistake.Part, mistake.Second = c.Part(i), changed
			break
		}
	}
	panic(mistake)
}

// Among yields the properties of a mask.
func Among(which uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for left := which; left != 0 && yield(bits.TrailingZeros64(left)); left &= left - 1 {
		}
	}
}
