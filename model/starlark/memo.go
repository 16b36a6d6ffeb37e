package starfile

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
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
