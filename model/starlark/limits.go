package starfile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.starlark.net/starlark"
)

// A model that never ends, or whose values double and double, is a common mistake: Starlark counts
// steps, and what makes values at once passes through spend, by a change of the syntax tree: see rewrite.
const (
	maxSteps    = 5_000_000 // of Starlark, in a call, or in reading a file with those that it loads
	someSteps   = 1_000     // after which the time is looked at, and whether the search has ended
	maxTime     = 10 * time.Second
	maxPicked   = 1 << 18 // ways through one call, by what it picks
	maxElements = 1 << 16 // of a list, a set or a string that is made at once
	maxMade     = 1 << 23 // elements that one call makes at once
	maxNumber   = 512     // bits
)

// A call is what the builtins of the library may do while a function of the model is run.
type call struct {
	loading bool // the file is read
	pick    func(n int) int
	send    func(to, m starlark.Value) error
	note    func(kind int, about starlark.Value) error

	searches *cancelGroup
	stopped  bool      // it was ended, because the searches are to end
	began    time.Time // when it had taken some steps
	left     uint64    // steps
	made     int       // elements
	picked   int       // the product of the numbers of alternatives: there are no more ways through the call
}

const callKey = "call"

// callOf returns the call that is under way on a thread.
func callOf(t *starlark.Thread) *call { return t.Local(callKey).(*call) }

// begin has a thread work for a call.
func (c *call) begin(t *starlark.Thread) {
	t.SetLocal(callKey, c)
	t.OnMaxSteps = onward
	c.grant(t)
}

// grant gives a thread some of the steps that are left.
func (c *call) grant(t *starlark.Thread) {
	some := min(c.left, someSteps)
	c.left -= some
	t.SetMaxExecutionSteps(t.ExecutionSteps() + some)
}

// onward lets a call go on that has taken some steps, as long as it may.
func onward(t *starlark.Thread) {
	c := callOf(t)
	if c.began.IsZero() {
		c.began = time.Now()
	}
	switch {
	case c.searches.over():
		c.stopped = true
		t.Cancel("the search is to end")
	case time.Since(c.began) > maxTime:
		t.Cancel("it takes longer than " + maxTime.String())
	case c.left == 0:
		t.Cancel("it does not end: too many steps")
	default:
		c.grant(t)
	}
}

// spend counts elements that are made.
func spend(t *starlark.Thread, n int) error {
	c := callOf(t)
	if c.made += n; c.made > maxMade {
		return fmt.Errorf("it makes more than %d elements of lists, sets and strings in one call", maxMade)
	}
	return nil
}

// spendOn counts the elements of a value that is made at once, or gone through.
func spendOn(t *starlark.Thread, v starlark.Value) error {
	if x, is := v.(starlark.Int); is {
		if _, small := x.Int64(); !small && x.BigInt().BitLen() > maxNumber {
			return fmt.Errorf("a number of more than %d bits", maxNumber)
		}
		return nil
	}
	n := starlark.Len(v)
	if n > maxElements {
		return fmt.Errorf("a value of %d elements is too large; allowed are %d", n, maxElements)
	}
	return spend(t, max(0, n))
}

// A cancelGroup has the contexts of the searches of a model that are under way: a call of a function of the
// model that takes long ends when all of them have.
type cancelGroup struct {
	mu    sync.Mutex
	under []context.Context
}

// until adds a search, up to the call of what it returns: see model.Instance.
func (g *cancelGroup) until(ctx context.Context) (release func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.under = append(g.under, ctx)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if i := slices.Index(g.under, ctx); i >= 0 {
			g.under = slices.Delete(g.under, i, i+1)
		}
	}
}

// over reports whether there are searches, and all of them have ended.
func (g *cancelGroup) over() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.under) > 0 && !slices.ContainsFunc(g.under, func(ctx context.Context) bool {
		return ctx.Err() == nil
	})
}

// threads are those on which functions of models run.
var threads = sync.Pool{New: func() any { return &starlark.Thread{Print: noPrint} }}

// noPrint: what a model prints is lost, since nobody could say when it runs.
func noPrint(*starlark.Thread, string) {}

// errNotEnabled is the error with which a step ends that is not enabled.
var errNotEnabled = errors.New("when(...) stands in a step of the model only")

// run calls a function of a model. A mistake of it is panicked with.
func (g *cancelGroup) run(c *call, f starlark.Callable, args ...starlark.Value) (
	v starlark.Value, enabled bool,
) {
	t := threads.Get().(*starlark.Thread)
	c.searches, c.left = g, maxSteps
	c.begin(t)
	v, err := starlark.Call(t, f, args, nil)
	if err != nil && errors.Is(err, errNotEnabled) && c.pick != nil {
		err, v = nil, starlark.False
	}
	if err != nil {
		failed := mistake(err)
		failed.Stopped = c.stopped
		panic(failed) // and the thread is left
	}
	threads.Put(t)
	return v, v != starlark.False
}
