package explore

import (
	"math"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// A fairGraph has the visited states as nodes, numbered as in graph, and for each
// the steps from it to different ones, with what they mean for fairness. Fairness
// conditions have the first bits of a mask, the next two are those of extras; the
// roles in the lasso at hand, shifted, have the following ones.
type fairGraph struct {
	nodes uint32
	base  *[numShards]uint32
	begin []uint32 // per node: where its steps begin; one more at the end
	to    []uint32
	takes []uint16 // per step: which conditions it takes, an index into sets
	sets  sets

	// bits tells of each node which weak conditions are disabled in it and which
	// strong ones are enabled, and its roles.
	bits    []uint64
	stuck   bitset // nodes in which no run stays: assumptions forbid all their steps
	initial []uint32

	weak, strong uint64
	conditions   int
	receipt      uint64 // of steps: a message is received; of nodes: none can be
	shift        uint64 // of steps: all times are moved back
	drifts       bool   // some step only moves all times: see live
}

// extras are the bits between those of conditions and those of roles.
const extras = 2

// bytesPerNode is what the search for lassos takes for each node at most: in this
// file 12, in lasso.go 16, in components.go 24.
const bytesPerNode = 52

// stepsFrom returns where the steps of node n begin and end.
func (g *fairGraph) stepsFrom(n uint32) (first, end uint32) { return g.begin[n], g.begin[n+1] }

// fair builds the graph in a pass, when it is first asked for, by expanding every state
// once more.
func (s *search) fair() *fairGraph {
	if s.fairGraph != nil {
		return s.fairGraph
	}
	base, cells := s.bases()
	if 2*cells >= math.MaxUint32 || s.report.Generated >= math.MaxUint32 {
		panic(halt("the state graph is too large for the search for cycles"))
	}
	s.afford("the search for cycles", bytesPerNode*int64(cells)+6*s.report.Generated)
	g := &fairGraph{
		nodes: uint32(cells), base: base, begin: make([]uint32, cells+1), bits: make([]uint64, cells),
		stuck: newBitset(uint32(cells)),
	}
	g.to = make([]uint32, 0, s.report.Generated)
	g.takes = make([]uint16, 0, s.report.Generated)
	for i, f := range s.declared.Fairness() {
		if f.Strong {
			g.strong |= 1 << i
		} else {
			g.weak |= 1 << i
		}
		g.conditions++
	}
	g.receipt = 1 << g.conditions
	g.shift = 2 << g.conditions
	s.connect(g)
	s.fairGraph = g
	return g
}

// connect enters the steps of all states, and which conditions are enabled where.
// Workers share out stretches of nodes, as they share out units in a round.
func (s *search) connect(g *fairGraph) {
	stretches := make([]stretch, unitsPerRound)
	takings := make([]*taking, s.opt.Workers)
	for w := range takings {
		takings[w] = &taking{g: g, fairness: s.declared.Fairness(), actions: s.report.Actions, of: make([]uint16, len(s.report.Actions)<<17)}
	}
	var seen recount
	next := uint32(0)
	for next < g.nodes {
		s.tick(0)
		n := 0
		for ; n < len(stretches) && next < g.nodes; n++ {
			first := next
			next += min(2*unitStates, g.nodes-next)
			stretches[n].first, stretches[n].end = first, next
		}
		s.workers.run(n, func(w, i int) { stretches[i].connect(s, g, s.cursors[w], takings[w]) })
		for i := range stretches[:n] {
			g.append(&stretches[i])
			seen.add(stretches[i].states, &stretches[i].batch)
		}
	}
	seen.check(s)
	s.unseen(takings)
	g.initial = s.initialNodes(g.base)
}

// A stretch is a run of consecutive nodes, and what was found of them.
type stretch struct {
	first, end uint32
	states     int64
	batch      kernel.Batch
	degrees    []uint32 // per node
	to         []uint32
	takes      []uint16
	stuck      []uint32
	drifts     bool
	touched    uint32 // keeps the touching loads from being optimised away
}

// connect finds the steps from the nodes of the stretch. First the cells of all
// successors are touched, so that the cache misses overlap, then they are looked up.
func (st *stretch) connect(s *search, g *fairGraph, c *checker, t *taking) {
	b := &st.batch
	b.Reset(s.width)
	st.states = 0
	st.degrees, st.to, st.takes, st.stuck = st.degrees[:0], st.to[:0], st.takes[:0], st.stuck[:0]
	for n := st.first; n < st.end; n++ {
		begin, shifted := b.Mark(), len(b.Shifted)
		v := s.vector(g.base, n)
		if v != nil {
			st.states++
			e := s.expandAgain(c, v, b)
			st.judge(g, n, v, e, begin, shifted, t)
		}
		st.degrees = append(st.degrees, uint32(len(st.takes)))
	}
	for i := range st.to {
		h := b.Hash(int(st.to[i]))
		sh := &s.shards[shardOf(h)]
		st.touched += sh.cells[sh.home(placeOf(h))]
	}
	for i, k := range st.to {
		st.to[i] = s.node(g.base, b.At(int(k)), b.Hash(int(k)))
	}
}

// judge enters the steps from node n, which are in the batch from begin on, and
// which conditions are enabled there. Until all are looked up, steps lead to their
// places in the batch.
func (st *stretch) judge(g *fairGraph, n uint32, v []uint32, e kernel.Enabled, begin kernel.Mark, shifted int, t *taking) {
	b := &st.batch
	enabled := uint64(0)
	for i := begin.In / b.Stride; i < b.Len(); i++ {
		moved := shifted < len(b.Shifted) && b.Shifted[shifted] == uint32(i)
		if moved {
			shifted++
		}
		if slices.Equal(v, b.At(i)) {
			st.drifts = st.drifts || moved
			continue
		}
		set, mask := t.by(b.Label(i), moved)
		st.to = append(st.to, uint32(i))
		st.takes = append(st.takes, set)
		enabled |= mask
	}
	for i := begin.Out / b.Stride; i < b.Outside.Len(); i++ {
		_, mask := t.by(b.Outside.Label(i), false)
		enabled |= mask
	}
	for _, l := range b.Pruned[begin.Pruned:] {
		_, mask := t.by(l, false)
		enabled |= mask
	}
	g.bits[n] = enabled&g.strong | (g.weak|g.receipt)&^enabled
	if !e.Any && len(b.Pruned) > begin.Pruned {
		st.stuck = append(st.stuck, n)
	}
}

// append adds the steps of the next stretch.
func (g *fairGraph) append(st *stretch) {
	begin := uint32(len(g.to))
	g.to = append(g.to, st.to...)
	g.takes = append(g.takes, st.takes...)
	for i, n := range st.degrees {
		g.begin[st.first+uint32(i)+1] = begin + n
	}
	for _, n := range st.stuck {
		g.stuck.set(n)
	}
	g.drifts = g.drifts || st.drifts
}

// cast enters the roles of all states in lasso k of property i, and returns which there are.
func (g *fairGraph) cast(s *search, i, k int) (all met) {
	const size = 1 << 16
	roles := g.conditions + extras
	s.tick(0)
	mets := make([]met, (g.nodes+size-1)/size)
	s.workers.run(len(mets), func(w, part int) {
		var m met
		for n := uint32(part) * size; n < min(g.nodes, uint32(part+1)*size); n++ {
			if v := s.vector(g.base, n); v != nil {
				r := s.cursors[w].Roles(v, i, k)
				m.add(r)
				g.bits[n] = g.bits[n]&(1<<roles-1) | uint64(r)<<roles
			}
		}
		mets[part] = m
	})
	for _, m := range mets {
		all.merge(m)
	}
	return all
}

// has reports whether node n has a role.
func (g *fairGraph) has(n uint32, r model.Roles) bool {
	return g.bits[n]>>(g.conditions+extras)&uint64(r) != 0
}

// sets are the different sets of conditions that steps take.
type sets struct {
	mu   sync.Mutex
	list []uint64
}

// index returns the place of a set, which depends on who asks first; so nothing
// else must depend on it.
func (s *sets) index(set uint64) uint16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := slices.Index(s.list, set)
	if k < 0 {
		k = len(s.list)
		s.list = append(s.list, set)
	}
	return uint16(k)
}

// A taking knows which conditions the steps with each label take. Each worker has
// its own.
type taking struct {
	g        *fairGraph
	fairness []model.Fairness
	actions  []model.Action
	of       []uint16 // per label, and whether times are moved: 1 + index into sets; 0: not known yet
	masks    []uint64 // per index into sets
}

// by returns the set of conditions that steps with label l take, and its mask.
func (t *taking) by(l model.Label, moved bool) (uint16, uint64) {
	at := int(l.Action)<<17 | int(l.Proc)<<9 | int(l.Peer)<<1
	set := uint64(0)
	if moved {
		at |= 1
		set = t.g.shift
	}
	if k := t.of[at]; k != 0 {
		return k - 1, t.masks[k-1]
	}
	if t.actions[l.Action].Receipt {
		set |= t.g.receipt
	}
	for i := range t.fairness {
		if t.fairness[i].Forces(l, t.actions) {
			set |= 1 << i
		}
	}
	k := t.g.sets.index(set)
	t.of[at] = k + 1
	for len(t.masks) <= int(k) {
		t.masks = append(t.masks, 0)
	}
	t.masks[k] = set
	return k, set
}
