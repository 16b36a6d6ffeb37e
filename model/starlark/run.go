package starfile

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Limits of one call of a function of a model, or of reading a file with the files that it loads: a model
// that never ends is a common mistake. They count steps of Starlark, not seconds, so that a verdict does not
// depend on the load of the machine. A call is granted some steps at a time, and asks then whether the search
// has ended; it counts as these steps at least.
const (
	maxSteps       = 5_000_000
	maxStepsOfInit = 1_000_000_000 // of all ways through init together: about 10 seconds
	someSteps      = 1_000         // granted at a time
	maxPicked      = 1 << 18       // ways through one call, by its picks
)

// A call is one execution of a function of the model, with the actions that it allows to the library.
type call struct {
	loading bool // the file is read
	pick    func(n int) int
	send    func(to, m starlark.Value) error
	note    func(kind int, about starlark.Value) error
	later   func(clock uint32) uint32 // the time of a new request
	passed  uint32                    // the amount by which a clock goes beyond a time

	searches *cancelGroup
	stopped  bool   // the searches ended before the call
	steps    uint64 // allowed; 0: maxSteps
	left     uint64 // of them
	picked   int    // the product of the numbers of alternatives, a bound on the ways through the call
}

const callKey = "call"

// callOf returns the call that a thread executes.
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

// onward lets a call go on that has taken its steps, or cancels it at a limit.
func onward(t *starlark.Thread) {
	c := callOf(t)
	switch {
	case c.searches.over():
		c.stopped = true
		t.Cancel("the search is to end")
	case c.left == 0:
		t.Cancel(fmt.Sprintf("it takes more than %d steps of Starlark", c.steps))
	default:
		c.grant(t)
	}
}

// A cancelGroup counts the searches of a model that are under way, and how many have ended. When all have, a
// function of the model that takes long ends as well.
type cancelGroup struct{ under, ended atomic.Int64 }

// until adds a search, up to the call of the function that it returns: see model.Instance.
func (g *cancelGroup) until(ctx context.Context) (release func()) {
	g.under.Add(1)
	stop := context.AfterFunc(ctx, func() { g.ended.Add(1) })
	return sync.OnceFunc(func() {
		if !stop() {
			g.ended.Add(-1)
		}
		g.under.Add(-1)
	})
}

// over reports whether there are searches, and all of them have ended.
func (g *cancelGroup) over() bool { n := g.under.Load(); return n > 0 && g.ended.Load() >= n }

// threads are reused for functions of models. Output of print is dropped.
var threads = sync.Pool{New: func() any { return &starlark.Thread{Print: noPrint} }}

func noPrint(*starlark.Thread, string) {}

// errNotEnabled ends a step that is not enabled.
var errNotEnabled = errors.New("when(...) is for steps of the model")

// run calls a function of a model, and reports whether the step is enabled. A mistake of the function is a
// panic with a model.Error.
func (g *cancelGroup) run(c *call, f starlark.Callable, args ...starlark.Value) (
	v starlark.Value, enabled bool,
) {
	t := threads.Get().(*starlark.Thread)
	if c.searches, c.picked = g, 0; c.steps == 0 {
		c.steps, c.left = maxSteps, maxSteps
	}
	c.begin(t)
	v, err := starlark.Call(t, f, args, nil)
	if err != nil && errors.Is(err, errNotEnabled) && c.pick != nil {
		err, v = nil, starlark.False
	}
	if err != nil {
		failed := mistake(err)
		failed.Stopped = c.stopped
		panic(failed) // the thread is not reused
	}
	threads.Put(t)
	return v, v != starlark.False
}
