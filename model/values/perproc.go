package values

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// A PerProc is a value of each process, for local states of models that are also played with more processes
// than a search takes. The zero value has the zero of T for each.
//
// It is copied like an array, and an array holds the values of the first protocol.FewProcs processes. Values
// of further processes, which only a Stage has, are in blocks that copies share and that never change: with
// them, equal PerProcs need not be ==.
type PerProc[T comparable] struct {
	low  [protocol.FewProcs]T
	high *above[T]
}

// above holds values of the processes from protocol.FewProcs on, in blocks; nil: all are zero.
type above[T comparable] [(protocol.MaxStage - protocol.FewProcs + block - 1) / block]*[block]T

// block is the number of values in a block: to change a value, its block and the list of blocks are copied.
const block = 32

// At returns the value of p.
func (v *PerProc[T]) At(p protocol.Proc) (x T) {
	if p < protocol.FewProcs {
		return v.low[p]
	}
	if i := p - protocol.FewProcs; v.high != nil && v.high[i/block] != nil {
		return v.high[i/block][i%block]
	}
	return x
}

// Put gives p another value.
func (v *PerProc[T]) Put(p protocol.Proc, x T) {
	if p < protocol.FewProcs {
		v.low[p] = x
		return
	}
	if v.At(p) == x {
		return
	}
	var all above[T]
	if v.high != nil {
		all = *v.high
	}
	i := p - protocol.FewProcs
	var values [block]T
	if all[i/block] != nil {
		values = *all[i/block]
	}
	values[i%block] = x
	all[i/block], v.high = &values, &all
}

// Each yields the processes whose value is not zero, with it.
func (v PerProc[T]) Each() iter.Seq2[protocol.Proc, T] {
	return func(yield func(protocol.Proc, T) bool) {
		var zero T
		for p, x := range v.low {
			if x != zero && !yield(protocol.Proc(p), x) {
				return
			}
		}
		if v.high == nil {
			return
		}
		for i, values := range v.high {
			for k := 0; values != nil && k < block; k++ {
				if values[k] != zero && !yield(protocol.Proc(protocol.FewProcs+i*block+k), values[k]) {
					return
				}
			}
		}
	}
}

// Values returns the values of the first n processes.
func (v PerProc[T]) Values(n int) []any {
	all := make([]any, n)
	for p := range all {
		all[p] = v.At(protocol.Proc(p))
	}
	return all
}

// GoString writes all values: two that are equal are written the same.
func (v PerProc[T]) GoString() string {
	var b strings.Builder
	for p, x := range v.Each() {
		fmt.Fprintf(&b, "%d:%#v ", p, x)
	}
	return b.String()
}

// IsPerProc is a PerProc of any type.
type IsPerProc interface{ Values(n int) []any }

// Stays marks a pointer that is nil in all states of a search, and so is no part of them.
func (*above[T]) Stays() {}

// One returns the number of units that a process uses if it uses one while it is inside: see
// Composition.Units.
func One[L any](inside func(l *L) bool) func(l *L) int {
	return func(l *L) int {
		if inside(l) {
			return 1
		}
		return 0
	}
}

// Rename moves the value of each process p to process to[p].
func (v *PerProc[T]) Rename(to []protocol.Proc) {
	was := *v
	for p, q := range to {
		v.Put(q, was.At(protocol.Proc(p)))
	}
}

// Before reports whether (s, i) < (t, j): the order of requests by their times, and of equal times by their
// processes.
func Before(s uint32, i protocol.Proc, t uint32, j protocol.Proc) bool {
	return s < t || s == t && i < j
}

// A Counter is a number of 32 bits in a local state that can be forgotten: see Composition.Forget. Adding
// to a forgotten one leaves it forgotten, and so does Max; Value panics, because it was forgotten too early.
// So all other operations on a forgotten Counter are right whatever its value was, and need no check. Two
// Counters must not be compared with ==: no check finds that.
type Counter struct{ n uint32 }

// forgottenCount is the number in a forgotten Counter. No counter reaches it, neither from 0 up
// nor, past 0, from the top down.
const forgottenCount = 1 << 31

// readsForgotten is the mistake that a Counter or a Group was forgotten too early.
var readsForgotten = protocol.Mistake{
	What: "it reads a variable that is forgotten: Composition.Forget takes it for dead",
}

// forgotten is how a forgotten value is written.
const forgotten = "forgotten"

// Count returns the counter with value n, which must not be 2147483648.
func Count(n uint32) Counter {
	if n == forgottenCount {
		panic(protocol.Mistake{What: "a Counter gets to 2147483648, which stands for one that is forgotten"})
	}
	return Counter{n}
}

// Value returns the value of the counter. It panics if that is forgotten.
func (c Counter) Value() uint32 {
	if c.n == forgottenCount {
		panic(readsForgotten)
	}
	return c.n
}

// Plus returns the counter with n added, modulo 2^32.
func (c Counter) Plus(n uint32) Counter { return c.changed(c.n + n) }

// Minus returns the counter with n taken off, modulo 2^32.
func (c Counter) Minus(n uint32) Counter { return c.changed(c.n - n) }

// Max returns the counter with value n, if that is larger.
func (c Counter) Max(n uint32) Counter { return c.changed(max(c.n, n)) }

// changed returns the counter with value n, unless it is forgotten.
func (c Counter) changed(n uint32) Counter {
	if c.Forgotten() {
		return c
	}
	return Count(n)
}

// Forgotten reports whether the value is forgotten.
func (c Counter) Forgotten() bool { return c.n == forgottenCount }

// Forget forgets the value.
func (c *Counter) Forget() { c.n = forgottenCount }

// Time returns the number for Clocks to visit, if the counter is a time.
func (c *Counter) Time() *uint32 { return &c.n }

// String writes the value.
func (c Counter) String() string {
	if c.n == forgottenCount {
		return forgotten
	}
	return strconv.FormatUint(uint64(c.n), 10)
}
