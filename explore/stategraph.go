package explore

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A stateGraph has the visited states as nodes and all steps from them as edges, each with a label. Fairness,
// delivery obligations, costs and goals out of reach are looked at in views of it. A step that leads out of
// the state space, or changes nothing, is an edge back to its node.
type stateGraph struct {
	graph.Graph
	base     *[memory.Shards]uint32
	labels   packed      // per edge: an index into distinct
	distinct []edgeLabel // the labels that occur, in no certain order
	stuck    graph.Set   // nodes in which no run stays: assumptions forbid all their steps
	quiet    graph.Set
	drifts   bool // some step moves all times back and does nothing else
	initial  []uint32

	reversed *graph.Graph // made when it is first asked for
}

// An edgeLabel is what views ask of a step: the action, the process, the message received, the charges (see
// kernel.Note), where it leads, and whether it moves all times back.
type edgeLabel struct {
	kernel.Note
	kind    edgeKind
	shifted bool // all times are moved back
}

type edgeKind uint8

const (
	inside edgeKind = iota // to another visited state
	loop                   // to the same one
	away                   // out of the state space, or forbidden by an assumption
)

// label returns the label of an edge.
func (g *stateGraph) label(edge uint32) *edgeLabel { return &g.distinct[g.labels.at(edge)] }

// bytes returns the memory held, the views apart.
func (g *stateGraph) bytes() int64 {
	n := 4*int64(len(g.Begin)+len(g.To)) + g.labels.bytes()
	if g.reversed != nil {
		n += 4 * int64(len(g.Begin)+len(g.To))
	}
	return n
}

// predecessors returns the graph with all edges reversed.
func (s *search) predecessors() *graph.Graph {
	g := s.graph()
	if g.reversed == nil {
		s.afford("the state graph, each step backwards too,", 4*int64(len(g.Begin)+len(g.To)))
		g.reversed = g.Reversed()
	}
	return g.reversed
}

// graph builds the state graph in a pass, when it is first asked for, by expanding every state
// once more. Workers share out pieces of it, as they share out chunks in an expansion.
func (s *search) graph() *stateGraph {
	if s.built != nil {
		return s.built
	}
	s.affordGraph("", 0)
	base, cells := s.tables.Bases()
	edges := s.steps()
	g := &stateGraph{
		Graph:  graph.Graph{Begin: make([]uint32, cells+1), To: make([]uint32, 0, edges)},
		base:   &base,
		labels: packed{short: make([]uint16, 0, edges)},
		stuck:  graph.NewSet(uint32(cells)), quiet: graph.NewSet(uint32(cells)),
	}
	pieces := make([]piece, chunksPerExpansion)
	caches := make([]labelCache, s.opt.Workers)
	known := labelTable{index: map[edgeLabel]uint32{}}
	for w := range caches {
		caches[w].all = &known
	}
	var seen stepCount
	next := uint32(0)
	for next < g.Nodes() {
		s.tick(0)
		n := 0
		for ; n < len(pieces) && next < g.Nodes(); n++ {
			first := next
			next += min(2*chunkStates, g.Nodes()-next)
			pieces[n].first, pieces[n].end = first, next
		}
		s.workers.run(n, func(w, i int) { pieces[i].expand(s, g, s.cursors[w], &caches[w]) })
		for i := range pieces[:n] {
			g.add(s, &pieces[i])
			seen.add(pieces[i].states, &pieces[i].batch)
		}
	}
	seen.check(s)
	g.distinct, g.initial = known.all, s.initialNodes(&base)
	s.built = g
	return g
}

// steps is how many edges the state graph has.
func (s *search) steps() int64 { return s.report.Generated + s.report.Pruned + s.report.Outside }

// affordGraph ends the pass before it begins if the state graph, and what else there is to do in it, which
// takes so many bytes for each node, do not fit the memory limit.
func (s *search) affordGraph(use string, perNode int64) {
	_, cells := s.tables.Bases()
	steps := s.steps()
	what := fmt.Sprintf("the graph of %d states and %d steps%s", s.report.States, steps, use)
	if 2*cells >= math.MaxUint32 || cells+uint64(steps) >= math.MaxUint32 {
		panic(halt(what + " is too large: cells of the table and steps are less than 4,294,967,295 together"))
	}
	s.afford(what, (bytesPerCell+perNode)*int64(cells)+bytesPerStep*steps)
}

// What the state graph takes for each cell of the visited set and for each step: where its steps begin, and
// two bits; where it leads, and its label.
const (
	bytesPerCell = 5
	bytesPerStep = 4 + 2
)

// packed is a list of numbers, in 16 bits each as long as that is enough: a graph mostly has some hundred
// distinct labels.
type packed struct {
	short []uint16
	long  []uint32 // once it is not enough
}

func (l *packed) at(i uint32) uint32 {
	if l.long != nil {
		return l.long[i]
	}
	return uint32(l.short[i])
}

// outgrown reports whether the list has to be widened before some numbers are added.
func (l *packed) outgrown(by []uint32) bool {
	return l.long == nil && len(by) > 0 && slices.Max(by) > math.MaxUint16
}

// widen makes room for numbers of 32 bits, so many.
func (l *packed) widen(room int64) {
	l.long = make([]uint32, 0, max(1, room))
	for _, x := range l.short {
		l.long = append(l.long, uint32(x))
	}
	l.short = nil
}

func (l *packed) add(xs []uint32) {
	if l.long != nil {
		l.long = append(l.long, xs...)
		return
	}
	for _, x := range xs {
		l.short = append(l.short, uint16(x))
	}
}

func (l *packed) bytes() int64 { return 2*int64(len(l.short)) + 4*int64(len(l.long)) }

// A piece is a run of consecutive nodes and the edges from them.
type piece struct {
	first, end   uint32
	states       int64
	batch        kernel.Batch
	degrees      []uint32 // per node: the edges from it and from those before it
	to, labels   []uint32
	stuck, quiet []uint32
	drifts       bool
	touched      uint32 // keeps the touching loads from being optimised away
}

// ownEdge is the bit that tells, in piece.to, edges back to their node from others until those are looked up.
//
//	bit 31    30 .. 0
//	   | 1 | index of the node in the piece
//	   | 0 | index of the successor in the batch
const ownEdge = 1 << 31

// expand finds the edges from the nodes of the piece. First the cells of all successors are touched, so
// that the cache misses overlap, then they are looked up.
func (pc *piece) expand(s *search, g *stateGraph, c *checker, known *labelCache) {
	b := &pc.batch
	b.Reset(s.width)
	pc.states = 0
	pc.degrees, pc.to, pc.labels = pc.degrees[:0], pc.to[:0], pc.labels[:0]
	pc.stuck, pc.quiet = pc.stuck[:0], pc.quiet[:0]
	for n := pc.first; n < pc.end; n++ {
		if v := s.tables.Vector(g.base, n); v != nil {
			pc.states++
			pc.enter(n, v, c, known)
		}
		pc.degrees = append(pc.degrees, uint32(len(pc.to)))
	}
	for i := range b.Len() {
		h := b.Hash(i)
		pc.touched += s.tables[memory.ShardOf(h)].Touch(memory.PlaceOf(h))
	}
	for i, k := range pc.to {
		if k < ownEdge {
			pc.to[i] = s.node(g.base, b.At(int(k)), b.Hash(int(k)))
		} else {
			pc.to[i] = pc.first + k - ownEdge
		}
	}
}

// enter enters all steps from node n, whose state is v.
func (pc *piece) enter(n uint32, v []uint32, c *checker, known *labelCache) {
	b := &pc.batch
	begin, shifted := b.Mark(), len(b.Shifted)
	enabled := c.Annotate(v, b)
	add := func(to uint32, x edgeLabel) {
		pc.to = append(pc.to, to)
		pc.labels = append(pc.labels, known.of(x))
	}
	back := ownEdge + n - pc.first
	for i := begin.In / b.Stride; i < b.Len(); i++ {
		x := edgeLabel{Note: b.Notes.In[i]}
		if shifted < len(b.Shifted) && b.Shifted[shifted] == uint32(i) {
			x.shifted = true
			shifted++
		}
		if slices.Equal(v, b.At(i)) {
			x.kind = loop
			pc.drifts = pc.drifts || x.shifted
			add(back, x)
			continue
		}
		add(uint32(i), x)
	}
	for _, note := range b.Notes.Outside[begin.Out/b.Stride:] {
		add(back, edgeLabel{Note: note, kind: away})
	}
	for _, note := range b.Notes.Pruned[begin.Pruned:] {
		add(back, edgeLabel{Note: note, kind: away})
	}
	if !enabled.Any && len(b.Pruned) > begin.Pruned {
		pc.stuck = append(pc.stuck, n)
	}
	if enabled.Quiet() {
		pc.quiet = append(pc.quiet, n)
	}
}

// add adds the edges of the next piece.
func (g *stateGraph) add(s *search, pc *piece) {
	begin := uint32(len(g.To))
	g.To = append(g.To, pc.to...)
	if g.labels.outgrown(pc.labels) {
		s.afford("the state graph, whose steps are about more than 65,536 things,", 4*s.steps())
		g.labels.widen(s.steps())
	}
	g.labels.add(pc.labels)
	for i, n := range pc.degrees {
		g.Begin[pc.first+uint32(i)+1] = begin + n
	}
	for _, n := range pc.stuck {
		g.stuck.Add(n)
	}
	for _, n := range pc.quiet {
		g.quiet.Add(n)
	}
	g.drifts = g.drifts || pc.drifts
}

// A labelTable numbers the labels in the order in which workers first ask, which differs from run to run:
// nothing that is reported may depend on it.
type labelTable struct {
	mu    sync.Mutex
	all   []edgeLabel
	index map[edgeLabel]uint32
}

func (k *labelTable) number(x edgeLabel) uint32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	i, known := k.index[x]
	if !known {
		i = uint32(len(k.all))
		k.index[x] = i
		k.all = append(k.all, x)
	}
	return i
}

// A labelCache is a worker's direct-mapped cache of the labelTable: the labels that it asked for last.
type labelCache struct {
	all     *labelTable
	entries [1 << labelCacheBits]struct {
		label  edgeLabel
		number uint32 // plus one; 0: nothing
	}
}

const labelCacheBits = 12

func (k *labelCache) of(x edgeLabel) uint32 {
	h := (uint64(x.Label.Word())<<32 | uint64(x.Message)) * 0x9E3779B97F4A7C15
	r := &k.entries[h>>(64-labelCacheBits)]
	if r.number == 0 || r.label != x {
		r.label, r.number = x, k.all.number(x)+1
	}
	return r.number - 1
}
