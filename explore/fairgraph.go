package explore

import (
	"fmt"
	"math"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A fairGraph has the visited states as nodes, numbered as in graph, and for each
// the steps from it to different ones, with what they mean for fairness. Fairness
// conditions have the first bits of a mask; the roles in the lassos of the
// property at hand, shifted, have the following ones.
type fairGraph struct {
	nodes uint32
	begin []uint32 // per node: where its steps begin; one more at the end
	to    []uint32
	takes []uint16 // per step: which conditions it takes, an index into sets
	sets  []uint64

	// bits tells of each node which weak conditions are disabled in it and which
	// strong ones are enabled, and its roles.
	bits    []uint64
	initial []uint32

	weak, strong uint64
	conditions   int
}

// bytesPerNode is what the search for lassos takes for each node at most: in this
// file 12, in lasso.go 16, in components.go 24.
const bytesPerNode = 52

// stepsFrom returns where the steps of node n begin and end.
func (g *fairGraph) stepsFrom(n uint32) (first, end uint32) { return g.begin[n], g.begin[n+1] }

// fair builds the graph after a complete search, when it is first asked for, by
// expanding every state once more. If that would take too much, or is interrupted,
// it returns nil and the reason.
func (s *search) fair() (*fairGraph, string) {
	if s.fairGraph != nil {
		return s.fairGraph, ""
	}
	base, cells := s.bases()
	if cells*(uint64(len(s.space.Fairness()))+2) >= math.MaxUint32 || s.report.Generated >= math.MaxUint32 {
		return nil, "the state graph is too large for the search for cycles"
	}
	need := s.memory() + bytesPerNode*int64(cells) + 6*s.report.Generated
	if s.opt.Memory > 0 && need > s.opt.Memory {
		return nil, fmt.Sprintf("the search for cycles would take %s, the memory limit is %s", Bytes(need), Bytes(s.opt.Memory))
	}
	s.report.Memory = max(s.report.Memory, need)
	g := &fairGraph{nodes: uint32(cells), begin: make([]uint32, 1, cells+1), bits: make([]uint64, cells)}
	g.to = make([]uint32, 0, s.report.Generated)
	g.takes = make([]uint16, 0, s.report.Generated)
	for i, f := range s.space.Fairness() {
		if f.Strong {
			g.strong |= 1 << i
		} else {
			g.weak |= 1 << i
		}
		g.conditions++
	}
	if !g.expand(s, base) {
		return nil, s.limit()
	}
	s.fairGraph = g
	return g, ""
}

// expand enters the steps of all states, and which conditions are enabled where.
func (g *fairGraph) expand(s *search, base *[numShards]uint32) bool {
	var b model.Batch
	t := &taking{g: g, fairness: s.space.Fairness(), actions: s.report.Actions, of: make([]uint16, len(s.report.Actions)<<16)}
	number := func(v []uint32, h uint64) uint32 {
		sh := &s.shards[shardOf(h)]
		return base[shardOf(h)] + sh.number(sh.find(v, h))
	}
	for n, v := range s.nodes() {
		if n%4096 == 0 && s.ctx.Err() != nil {
			return false
		}
		g.closeUpTo(n)
		b.Reset(s.width)
		s.cursors[0].Expand(v, &b)
		enabled := uint64(0)
		for i := range b.Len() {
			if w := b.At(i); !slices.Equal(v, w) {
				set := t.by(b.Labels[i])
				g.to = append(g.to, number(w, b.Hashes[i]))
				g.takes = append(g.takes, set)
				enabled |= g.sets[set]
			}
		}
		for _, l := range b.OutsideLabels {
			enabled |= g.sets[t.by(l)]
		}
		g.bits[n] = enabled&g.strong | g.weak&^enabled
	}
	g.closeUpTo(g.nodes)
	b.Reset(s.width)
	s.space.Init(&b)
	for i := range b.Len() {
		g.initial = append(g.initial, number(b.At(i), b.Hashes[i]))
	}
	return true
}

// closeUpTo ends the lists of steps of all nodes before n.
func (g *fairGraph) closeUpTo(n uint32) {
	for uint32(len(g.begin)) <= n {
		g.begin = append(g.begin, uint32(len(g.to)))
	}
}

// cast enters the roles of all states in the runs that lasso k of property i describes.
func (g *fairGraph) cast(s *search, i, k int) {
	for n, v := range s.nodes() {
		g.bits[n] = g.bits[n]&(1<<g.conditions-1) | uint64(s.cursors[0].Roles(v, i, k))<<g.conditions
	}
}

// has reports whether node n has a role.
func (g *fairGraph) has(n uint32, r model.Roles) bool { return g.bits[n]>>g.conditions&uint64(r) != 0 }

// A taking knows which conditions the steps with each label take.
type taking struct {
	g        *fairGraph
	fairness []model.Fairness
	actions  []model.Action
	of       []uint16 // per label: 1 + index into g.sets; 0: not known yet
}

// by returns the set of conditions that steps with label l take.
func (t *taking) by(l model.Label) uint16 {
	at := int(l.Action)<<16 | int(l.Proc)<<8 | int(l.Peer)
	if t.of[at] == 0 {
		set := uint64(0)
		for i := range t.fairness {
			if t.fairness[i].Forces(l, t.actions) {
				set |= 1 << i
			}
		}
		k := slices.Index(t.g.sets, set)
		if k < 0 {
			k = len(t.g.sets)
			t.g.sets = append(t.g.sets, set)
		}
		t.of[at] = uint16(k + 1)
	}
	return t.of[at] - 1
}
