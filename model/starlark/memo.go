package starfile

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"go.starlark.net/starlark"
)

// A memo remembers what a function of a state came to, by what it has read of the state: as a
// tree. An inner node is the next thing that the function reads, which depends on nothing but what it
// read before; a branch is what it found there; a leaf is what it came to. So an action that looks
// at one variable of many is run once for each value of that one.
type memo[R any] struct {
	mu   sync.RWMutex
	root *node[R]
	room *atomic.Int64 // nodes that may still be added, of all memos of a model
}

// maxNodes bounds the nodes of a model's memos: about 300 MiB. What finds no room is run again.
const maxNodes = 1 << 21

type node[R any] struct {
	what uint32           // is read next, unless it is a leaf
	next map[key]*node[R] // nil: a leaf
	leaf R
}

// A key is what was found: a number, or a text by its address, which it keeps from being freed.
type key struct {
	text unsafe.Pointer
	x    uint64
}

func keyOf(s string, x uint64) key {
	return key{unsafe.Pointer(unsafe.StringData(s)), x<<32 | uint64(len(s))}
}

// A step is one thing that was read, and what was found.
type step struct {
	what  uint32
	found key
}

// find goes down the tree, where look finds what is read.
func (m *memo[R]) find(look func(what uint32) key) (leaf R, found bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n := m.root
	for n != nil && n.next != nil {
		n = n.next[look(n.what)]
	}
	if n == nil {
		return leaf, false
	}
	return n.leaf, true
}

// add remembers that the function read what trace says, and came to leaf.
func (m *memo[R]) add(trace []step, leaf R) {
	if m.room.Add(-int64(len(trace)+1)) < 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.root == nil {
		m.root = branch(trace, leaf)
		return
	}
	n := m.root
	for i, s := range trace {
		child := n.next[s.found]
		if child == nil {
			if n.next != nil { // else another worker has come to it meanwhile
				n.next[s.found] = branch(trace[i+1:], leaf)
			}
			return
		}
		n = child
	}
}

// branch returns the nodes of a trace, one below the other.
func branch[R any](trace []step, leaf R) *node[R] {
	n := &node[R]{leaf: leaf}
	for _, s := range slices.Backward(trace) {
		n = &node[R]{what: s.what, next: map[key]*node[R]{s.found: n}}
	}
	return n
}

// A question is what a function of the model says of states or of parts of them: the answers are remembered,
// by what it has read.
type question[R any] struct {
	b    *builder
	f    starlark.Callable
	of   func(starlark.Value) (R, bool)
	want string
	memo memo[R]
}

// predicate makes a question of a function; nil: there is no function.
func (b *builder) predicate(f starlark.Callable) *question[bool] {
	return asking(b, f, isBool, "True and False")
}

// counter is predicate, of a function that returns numbers.
func (b *builder) counter(f starlark.Callable) *question[int] {
	return asking(b, f, isCount, "numbers from 0 on")
}

func asking[R any](
	b *builder, f starlark.Callable, of func(starlark.Value) (R, bool), want string,
) *question[R] {
	if f == nil {
		return nil
	}
	return &question[R]{b, f, of, want, memo[R]{room: &b.room}}
}

func isBool(v starlark.Value) (bool, bool) { b, ok := v.(starlark.Bool); return bool(b), ok }

func isCount(v starlark.Value) (int, bool) {
	if v, is := v.(starlark.Bool); is {
		if v {
			return 1, true
		}
		return 0, true
	}
	x, err := starlark.AsInt32(v)
	return x, err == nil && x >= 0
}

// ask asks about what look finds; args makes the arguments, which note in the trace what is read of them.
func (q *question[R]) ask(look func(what uint32) key, args func(trace *[]step) []starlark.Value) R {
	r, found := q.memo.find(look)
	if !found {
		var trace []step
		r = q.answer(args(&trace)...)
		q.memo.add(trace, r)
	}
	return r
}

// answer calls the function.
func (q *question[R]) answer(args ...starlark.Value) R {
	v, _ := q.b.searches.run(&call{}, q.f, args...)
	r, ok := q.of(v)
	if !ok {
		panic(mistakeIn(q.f, fmt.Sprintf("%s returns %s; allowed: %s", q.f.Name(), short(v), q.want)))
	}
	return r
}

// askOf asks about what has some keys, all of which count.
func (q *question[R]) askOf(args func() []starlark.Value, keys ...key) R {
	return q.ask(func(what uint32) key { return keys[what] }, func(trace *[]step) []starlark.Value {
		for i, k := range keys {
			*trace = append(*trace, step{uint32(i), k})
		}
		return args()
	})
}
