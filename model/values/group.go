package values

import (
	"cmp"
	"iter"
	"math/bits"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Group is a set of processes, up to protocol.MaxStage of them, for local states of models that are
// played with more than a search takes. The zero value is empty.
//
// A Group can be forgotten: see Composition.Forget. The methods that return a Group take a forgotten one for
// an unknown set; the others panic, because it was forgotten too early. Groups that may be forgotten must not
// be compared with ==.
type Group struct {
	low       protocol.Set
	forgotten bool // then it has no members
	high      *members
}

// members are the processes from MaxProcs on, 64 in a word. An array never changes: groups share it.
type members [(protocol.MaxStage - protocol.MaxProcs + 63) / 64]uint64

// Stays marks a pointer that is nil in all states of a search, and so has no canonical bytes: see package
// codec.
func (*members) Stays() {}

// Everybody returns the group of the first n processes.
func Everybody(n int) (g Group) {
	g.low = protocol.All(min(n, protocol.MaxProcs))
	if n > protocol.MaxProcs {
		g.high = new(members)
		for i := range n - protocol.MaxProcs {
			g.high[i/64] |= 1 << (i % 64)
		}
	}
	return g
}

// GroupOf returns the group of the processes in a set.
func GroupOf(s protocol.Set) Group { return Group{low: s} }

// GoString writes the members: two groups that are equal are written the same.
func (g Group) GoString() string { return g.Format(0) }

// Forget forgets the members.
func (g *Group) Forget() { *g = Group{forgotten: true} }

// Forgotten reports whether the members are forgotten.
func (g Group) Forgotten() bool { return g.forgotten }

// read panics if the members are forgotten.
func (g Group) read() {
	if g.forgotten {
		panic(readsForgotten)
	}
}

// Set returns the members below MaxProcs, in a search all members.
func (g Group) Set() protocol.Set {
	g.read()
	return g.low
}

// Has reports whether p is a member.
func (g Group) Has(p protocol.Proc) bool {
	g.read()
	if p < protocol.MaxProcs {
		return g.low.Has(p)
	}
	i := int(p) - protocol.MaxProcs
	return g.high != nil && i < 64*len(g.high) && g.high[i/64]>>(i%64)&1 == 1
}

// only returns the group of one process.
func only(p protocol.Proc) Group {
	if p < protocol.MaxProcs {
		return Group{low: 1 << p}
	}
	i, high := int(p)-protocol.MaxProcs, new(members)
	high[i/64] = 1 << (i % 64)
	return Group{high: high}
}

// With returns g with p added.
func (g Group) With(p protocol.Proc) Group {
	if g.forgotten || g.Has(p) {
		return g
	}
	return g.Union(only(p))
}

// Without returns g with p removed.
func (g Group) Without(p protocol.Proc) Group {
	if g.forgotten || !g.Has(p) {
		return g
	}
	return g.Minus(only(p))
}

// Union returns the members of g or h.
func (g Group) Union(h Group) Group {
	return g.combine(h, func(a, b uint64) uint64 { return a | b })
}

// Minus returns the members of g that are not in h.
func (g Group) Minus(h Group) Group {
	if g == (Group{}) { // whatever h is
		return g
	}
	return g.combine(h, func(a, b uint64) uint64 { return a &^ b })
}

// Meet returns the members of both g and h.
func (g Group) Meet(h Group) Group {
	if none := (Group{}); g == none || h == none { // whatever the other one is
		return none
	}
	return g.combine(h, func(a, b uint64) uint64 { return a & b })
}

// combine combines two groups word by word; f(0, 0) is 0.
func (g Group) combine(h Group, f func(a, b uint64) uint64) Group {
	if g.forgotten || h.forgotten {
		return Group{forgotten: true}
	}
	r := Group{low: protocol.Set(f(uint64(g.low), uint64(h.low)))}
	if g.high == nil && h.high == nil {
		return r
	}
	var none, all members
	a, b := cmp.Or(g.high, &none), cmp.Or(h.high, &none)
	for i := range all {
		all[i] = f(a[i], b[i])
	}
	if all != none {
		r.high = &all
	}
	return r
}

// Empty reports whether the group has no member.
func (g Group) Empty() bool { return g.Len() == 0 }

// Len returns the number of members.
func (g Group) Len() int {
	g.read()
	n := g.low.Len()
	if g.high != nil {
		for _, w := range g.high {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// Each yields the members in ascending order.
func (g Group) Each() iter.Seq[protocol.Proc] {
	g.read()
	return func(yield func(protocol.Proc) bool) {
		for p := range g.low.Each() {
			if !yield(p) {
				return
			}
		}
		if g.high == nil {
			return
		}
		for i, w := range g.high {
			for ; w != 0; w &= w - 1 {
				if !yield(protocol.Proc(protocol.MaxProcs + i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// String writes the group with processes counted from 1, as {1,3}.
func (g Group) String() string { return g.Format(1) }

// Format writes the group with processes counted from first.
func (g Group) Format(first int) string {
	if g.forgotten {
		return forgotten
	}
	var words []string
	for p := range g.Each() {
		words = append(words, strconv.Itoa(int(p)+first))
	}
	return "{" + strings.Join(words, ",") + "}"
}
