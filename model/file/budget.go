package file

import (
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"
)

// A model may not take the machine down: by what never ends, or by values that grow and grow. Starlark
// counts steps, but one step can make a list of a billion elements, compare two, or freeze what a few lines
// have nested into a tree of 2^60 leaves. So whatever takes long in one step passes through a function here
// that counts what it takes, by a change of the syntax tree: see guard.

const (
	maxSteps    = 5_000_000 // of Starlark, in a call, or in reading a file with those that it loads
	someSteps   = 1_000     // after which the time is looked at
	maxTime     = 10 * time.Second
	maxPicked   = 1 << 18 // ways through one call, by what it picks
	maxElements = 1 << 16 // of a list, a set or a string that is made at once
	maxMade     = 1 << 23 // elements that one call makes or goes through at once
	someMade    = 1 << 16 // after which the time is looked at
	maxNumber   = 512     // bits
)

// A budget is what a call of a function may still take, or the reading of a file.
type budget struct {
	began time.Time // when it had taken some steps
	left  uint64    // steps
	made  int       // elements
	timed int       // of these, when the time was looked at
}

func newBudget() budget { return budget{left: maxSteps} }

var errLate = errors.New("it takes longer than " + maxTime.String())

// grant gives a thread some of the steps that are left.
func (b *budget) grant(t *starlark.Thread) {
	some := min(b.left, someSteps)
	b.left -= some
	t.SetMaxExecutionSteps(t.ExecutionSteps() + some)
}

// late reports whether the time is over.
func (b *budget) late() bool {
	if b.began.IsZero() {
		b.began = time.Now()
		return false
	}
	return time.Since(b.began) > maxTime
}

// begin has a thread work for a call.
func (c *call) begin(t *starlark.Thread) {
	t.SetLocal(callKey, c)
	t.OnMaxSteps = onward
	c.grant(t)
}

// onward lets a call go on that has taken some steps, as long as it may.
func onward(t *starlark.Thread) {
	c := t.Local(callKey).(*call)
	switch {
	case over(t):
		c.stopped = true
		t.Cancel("the search is to end")
	case c.late():
		t.Cancel(errLate.Error())
	case c.left == 0:
		t.Cancel("it does not end: too many steps")
	default:
		c.grant(t)
	}
}

// spend counts elements that are made or gone through.
func spend(t *starlark.Thread, n int) error {
	c, _ := t.Local(callKey).(*call)
	if c == nil {
		return nil
	}
	if c.made += n; c.made > maxMade || n < 0 {
		return fmt.Errorf(
			"it makes or goes through more than %d elements of lists, sets and strings in one call", maxMade)
	}
	if c.made-c.timed > someMade {
		if c.timed = c.made; c.late() {
			return errLate
		}
	}
	return nil
}

// spendOn counts all that is in a value, with what is in that, so many times.
func spendOn(t *starlark.Thread, v starlark.Value, times int) error {
	switch v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return nil
	case starlark.String:
		if n := starlark.Len(v) / 16 * times; n > 0 {
			return spend(t, n)
		}
		return nil
	}
	c, _ := t.Local(callKey).(*call)
	if c == nil {
		return nil
	}
	most := (maxMade-c.made)/times + 1
	left := most
	weigh(v, &left, maxNesting)
	return spend(t, (most-left)*times)
}
