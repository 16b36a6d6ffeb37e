package starfile

import (
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
	mu   sync.RWMutex  // of changes, and of the branches of nodes that have many
	room *atomic.Int64 // nodes that may still be added, of all memos of a model
}

// maxNodes bounds the nodes of a model's memos: about 300 MiB. Beyond it results are not remembered.
const maxNodes = 1 << 21

// A node is read while others add branches: its first ones are replaced as a whole.
type node[R any] struct {
	what uint32                      // the part that is read next, unless it is a leaf
	few  atomic.Pointer[[]branch[R]] // the first manyBranches; nil: a leaf
	many map[key]*node[R]            // the others
	leaf R
}

type branch[R any] struct {
	found key
	to    *node[R]
}

// manyBranches is how many branches are compared one by one.
const manyBranches = 8

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
	n := m.root.Load()
	for n != nil {
		few := n.few.Load()
		if few == nil {
			return n.leaf, true
		}
		n = m.branch(n, *few, look(n.what))
	}
	return leaf, false
}

// branch returns where a branch of a node leads; nil: none yet.
func (m *memo[R]) branch(n *node[R], few []branch[R], found key) *node[R] {
	for i := range few {
		if few[i].found == found {
			return few[i].to
		}
	}
	if len(few) < manyBranches {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return n.many[found]
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
		m.root.Store(path(trace, leaf))
		return
	}
	for i, s := range trace {
		few := n.few.Load()
		at := slices.IndexFunc(*few, func(b branch[R]) bool { return b.found == s.found })
		next := n.many[s.found]
		switch {
		case at >= 0:
			next = (*few)[at].to
		case next != nil:
		case len(*few) < manyBranches:
			more := append(slices.Clip(*few), branch[R]{s.found, path(trace[i+1:], leaf)})
			n.few.Store(&more)
			return
		default:
			if n.many == nil {
				n.many = map[key]*node[R]{}
			}
			n.many[s.found] = path(trace[i+1:], leaf)
			return
		}
		n = next
	}
}

// path returns the nodes of a trace, one below the other.
func path[R any](trace []step, leaf R) *node[R] {
	n := &node[R]{leaf: leaf}
	for _, s := range slices.Backward(trace) {
		above := &node[R]{what: s.what}
		above.few.Store(&[]branch[R]{{s.found, n}})
		n = above
	}
	return n
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
