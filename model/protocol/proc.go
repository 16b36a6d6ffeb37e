package protocol

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// MaxProcs is the largest number of processes of a composition that is searched: a Set has one bit for each.
const MaxProcs = 64

// FewProcs is the largest number of processes in a model with few processes: see model.FewProcs.
const FewProcs = 16

// MaxStage is the largest number of processes in runs that are played.
const MaxStage = 1024

// Proc is a process, counted from 0 whatever the paper's first index is.
type Proc uint16

// Set is a set of processes.
type Set uint64

// SetOf returns the set of the given processes.
func SetOf(ps ...Proc) Set {
	var s Set
	for _, p := range ps {
		s |= 1 << p
	}
	return s
}

// All returns the set of the first n processes, 0 to n-1.
func All(n int) Set { return 1<<n - 1 }

// Has reports whether p is a member.
func (s Set) Has(p Proc) bool { return s>>p&1 == 1 }

// With returns s with p added.
func (s Set) With(p Proc) Set { return s | 1<<p }

// Without returns s with p removed.
func (s Set) Without(p Proc) Set { return s &^ (1 << p) }

// Len returns the number of members.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Each yields the members in ascending order.
func (s Set) Each() iter.Seq[Proc] {
	return func(yield func(Proc) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(Proc(bits.TrailingZeros64(uint64(s)))) {
				return
			}
		}
	}
}

// String writes the set with processes counted from 1, as {1,3}.
func (s Set) String() string { return s.Format(1) }

// Format writes the set with processes counted from first.
func (s Set) Format(first int) string {
	var b strings.Builder
	b.WriteByte('{')
	for p := range s.Each() {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(p) + first))
	}
	b.WriteByte('}')
	return b.String()
}
