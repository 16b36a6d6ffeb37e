package starfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"go.starlark.net/starlark"
)

// A memo remembers the results of a function of a state, by the parts of the state that it read, as a tree.
// An inner node is the part that the function reads next, which depends only on its reads before; a branch is
// the value found there; a leaf is the result. So an action that reads one variable of many is executed once
// for each value of that variable.
type memo[R any] struct {
	root atomic.Pointer[node[R]]
	mu   sync.Mutex    // of changes
	room *atomic.Int64 // nodes that may still be added, of all memos of a model

	answers [2]*node[R] // the leaves of 0 and 1, where results are numbers: most leaves are one of these
}

// maxNodes bounds the nodes of a model's memos: about 300 MiB. Beyond it results are not remembered.
const maxNodes = 1 << 21

// A node is read while others add branches.
type node[R any] struct {
	what     uint32                      // the part that is read next, unless it is a leaf
	count    int32                       // of branches
	branches atomic.Pointer[branches[R]] // nil: a leaf
	leaf     R
}

// branches have open addressing, and are at most three quarters full. Their number is a power of two.
type branches[R any] []branch[R]

// A branch has its value beside the node, so that a leaf that many share need not be read to compare it.
type branch[R any] struct {
	to    atomic.Pointer[node[R]] // nil: it is free
	found key                     // the value that leads there; it is set before to
}

// at returns the branch of a value, and its node; nil: it is free for the value. Loaded again, it may
// meanwhile be the branch of another value.
func (b branches[R]) at(found key) (*branch[R], *node[R]) {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	for i := (found.x ^ uint64(uintptr(found.text))) * odd >> 32; ; i++ {
		at := &b[i&uint64(len(b)-1)]
		if n := at.to.Load(); n == nil || at.found == found {
			return at, n
		}
	}
}

// put takes a free branch for a value.
func (b branches[R]) put(found key, to *node[R]) {
	at, _ := b.at(found)
	at.found = found
	at.to.Store(to)
}

// A key is a value found: a number, or a text by its address, which the key keeps from being freed.
type key struct {
	text unsafe.Pointer
	x    uint64
}

func keyOf(s string, x uint64) key {
	return key{unsafe.Pointer(unsafe.StringData(s)), x<<32 | uint64(len(s))}
}

// A step is one read: the part of the state, and the value found.
type step struct {
	what  uint32
	found key
}

// find returns the result for a state, in which look finds the value of a part.
func (m *memo[R]) find(look func(what uint32) key) (leaf R, found bool) {
	for n := m.root.Load(); n != nil; {
		b := n.branches.Load()
		if b == nil {
			return n.leaf, true
		}
		_, n = b.at(look(n.what))
	}
	return leaf, false
}

// add remembers a result, after the reads of a trace, unless another worker has done so meanwhile.
func (m *memo[R]) add(trace []step, leaf R) {
	if m.room.Add(-int64(len(trace)+1)) < 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.root.Load()
	if n == nil {
		m.root.Store(m.path(trace, leaf))
		return
	}
	for i, s := range trace {
		_, next := n.branches.Load().at(s.found)
		if next == nil {
			n.add(s.found, m.path(trace[i+1:], leaf))
			return
		}
		n = next
	}
}

// path returns the nodes of a trace, one below the other.
func (m *memo[R]) path(trace []step, leaf R) *node[R] {
	n := &node[R]{leaf: leaf}
	if x, is := any(leaf).(int); is && uint(x) < uint(len(m.answers)) {
		n = cmp.Or(m.answers[x], n)
		m.answers[x] = n
	}
	for _, s := range slices.Backward(trace) {
		above := &node[R]{what: s.what}
		above.add(s.found, n)
		n = above
	}
	return n
}

// add adds a branch. Readers see the old branches, or all.
func (n *node[R]) add(found key, to *node[R]) {
	old := n.branches.Load()
	if old == nil {
		old = &branches[R]{}
	}
	if n.count++; 4*int(n.count) <= 3*len(*old) {
		old.put(found, to)
		return
	}
	all := make(branches[R], max(2, 2*len(*old)))
	all.put(found, to)
	for i := range *old {
		if b := &(*old)[i]; b.to.Load() != nil {
			all.put(b.found, b.to.Load())
		}
	}
	n.branches.Store(&all)
}

// An inquiry is a function of the model about states, or parts of states, with its memo.
type inquiry[R any] struct {
	answer func(args ...starlark.Value) R // calls the function
	memo   memo[R]
}

// A question is an inquiry whose answer is a number; True is 1.
type question = inquiry[int]

// What questions return.
const (
	conditions = "True and False"
	counts     = "numbers from 0 on"
)

func (b *builder) question(f starlark.Callable, want string) *question {
	return &question{memo: memo[int]{room: &b.room}, answer: func(args ...starlark.Value) int {
		v, _ := b.searches.run(&call{}, f, args...)
		x, err := starlark.AsInt32(v)
		switch is, ok := v.(starlark.Bool); {
		case ok && bool(is):
			return 1
		case ok:
			return 0
		case err == nil && x >= 0 && want == counts:
			return x
		}
		panic(mistakeIn(f, fmt.Sprintf("%s returns %s; allowed: %s", f.Name(), short(v), want)))
	}}
}

// ask returns the answer for the state in which look finds values; args makes arguments that add their reads
// to the trace.
func (q *inquiry[R]) ask(look func(what uint32) key, args func(trace *[]step) []starlark.Value) R {
	r, found := q.memo.find(look)
	if !found {
		var trace []step
		r = q.answer(args(&trace)...)
		q.memo.add(trace, r)
	}
	return r
}

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

// threads are reused for functions of models.
var threads = sync.Pool{New: func() any { return &starlark.Thread{} }}

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
