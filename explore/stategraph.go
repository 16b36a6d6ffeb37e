package explore

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/kernel"
)

// A stateGraph has the visited states as nodes and all steps from them as edges, with what
// they are about. Fairness, messages that wait, costs and goals out of reach are looked at in
// views of it. A step that leads out of the state space, or nowhere, is an edge back to
// its node.
type stateGraph struct {
	graph.Graph
	base    *[numShards]uint32
	abouts  numbers   // per edge: an index into all
	all     []about   // different ones, in no certain order
	stuck   graph.Set // nodes in which no run stays: assumptions forbid all their steps
	quiet   graph.Set
	drifts  bool // some step moves all times back and does nothing else
	initial []uint32

	reversed *graph.Graph // made when it is first asked for
}

// An about is what a step is about.
type about struct {
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

// about returns what an edge is about.
func (g *stateGraph) about(edge uint32) *about { return &g.all[g.abouts.at(edge)] }

// bytes returns the memory held, the views apart.
func (g *stateGraph) bytes() int64 {
	n := 4*int64(len(g.Begin)+len(g.To)) + g.abouts.bytes()
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
// once more. Workers share out pieces of it, as they share out chunks in a round.
func (s *search) graph() *stateGraph {
	if s.built != nil {
		return s.built
	}
	s.affordGraph("", 0)
	base, cells := s.bases()
	edges := s.steps()
	g := &stateGraph{
		Graph:  graph.Graph{Begin: make([]uint32, cells+1), To: make([]uint32, 0, edges)},
		base:   base,
		abouts: numbers{short: make([]uint16, 0, edges)},
		stuck:  graph.NewSet(uint32(cells)), quiet: graph.NewSet(uint32(cells)),
	}
	pieces := make([]piece, chunksPerRound)
	numberings := make([]numbering, s.opt.Workers)
	known := knownAbouts{index: map[about]uint32{}}
	for w := range numberings {
		numberings[w].all = &known
	}
	var seen recount
	next := uint32(0)
	for next < g.Nodes() {
		s.tick(0)
		n := 0
		for ; n < len(pieces) && next < g.Nodes(); n++ {
			first := next
			next += min(2*chunkStates, g.Nodes()-next)
			pieces[n].first, pieces[n].end = first, next
		}
		s.workers.run(n, func(w, i int) { pieces[i].expand(s, g, s.cursors[w], &numberings[w]) })
		for i := range pieces[:n] {
			g.add(s, &pieces[i])
			seen.add(pieces[i].states, &pieces[i].batch)
		}
	}
	seen.check(s)
	g.all, g.initial = known.all, s.initialNodes(base)
	s.built = g
	return g
}

// steps is how many edges the state graph has.
func (s *search) steps() int64 { return s.report.Generated + s.report.Pruned + s.report.Outside }

// affordGraph ends the pass before it begins if the state graph, and what else there is to do in it, which
// takes so many bytes for each node, do not fit the memory limit.
func (s *search) affordGraph(use string, perNode int64) {
	_, cells := s.bases()
	steps := s.steps()
	what := fmt.Sprintf("the graph of %d states and %d steps%s", s.report.States, steps, use)
	if 2*cells >= math.MaxUint32 || cells+uint64(steps) >= math.MaxUint32 {
		panic(halt(what + " is too large: cells of the table and steps are less than 4,294,967,295 together"))
	}
	s.afford(what, (bytesPerCell+perNode)*int64(cells)+bytesPerStep*steps)
}

// What the state graph takes for each cell of the visited set and for each step: where its steps begin, and
// two bits; where it leads, and what it is about.
const (
	bytesPerCell = 5
	bytesPerStep = 4 + 2
)

// numbers is a list of numbers, in 16 bits each as long as that is enough: what steps are about mostly has
// some hundred different values.
type numbers struct {
	short []uint16
	long  []uint32 // once it is not enough
}

func (l *numbers) at(i uint32) uint32 {
	if l.long != nil {
		return l.long[i]
	}
	return uint32(l.short[i])
}

// outgrown reports whether the list has to be widened before some numbers are added.
func (l *numbers) outgrown(by []uint32) bool {
	return l.long == nil && len(by) > 0 && slices.Max(by) > math.MaxUint16
}

// widen makes room for numbers of 32 bits, so many.
func (l *numbers) widen(room int64) {
	l.long = make([]uint32, 0, max(1, room))
	for _, x := range l.short {
		l.long = append(l.long, uint32(x))
	}
	l.short = nil
}

func (l *numbers) add(xs []uint32) {
	if l.long != nil {
		l.long = append(l.long, xs...)
		return
	}
	for _, x := range xs {
		l.short = append(l.short, uint16(x))
	}
}

func (l *numbers) bytes() int64 { return 2*int64(len(l.short)) + 4*int64(len(l.long)) }

// A piece is a run of consecutive nodes and the edges from them.
type piece struct {
	first, end   uint32
	states       int64
	batch        kernel.Batch
	degrees      []uint32 // per node: the edges from it and from those before it
	to, abouts   []uint32
	stuck, quiet []uint32
	drifts       bool
	touched      uint32 // keeps the touching loads from being optimised away
}

// own is what the numbers of edges back to their node begin with until all others are looked up,
// which have their index in the batch till then; behind it, the index of the node in the piece.
const own = 1 << 31

// expand finds the edges from the nodes of the piece. First the cells of all successors are touched, so
// that the cache misses overlap, then they are looked up.
func (pc *piece) expand(s *search, g *stateGraph, c *checker, known *numbering) {
	b := &pc.batch
	b.Reset(s.width)
	pc.states = 0
	pc.degrees, pc.to, pc.abouts = pc.degrees[:0], pc.to[:0], pc.abouts[:0]
	pc.stuck, pc.quiet = pc.stuck[:0], pc.quiet[:0]
	for n := pc.first; n < pc.end; n++ {
		if v := s.vector(g.base, n); v != nil {
			pc.states++
			pc.enter(n, v, c, known)
		}
		pc.degrees = append(pc.degrees, uint32(len(pc.to)))
	}
	for i := range b.Len() {
		h := b.Hash(i)
		sh := &s.shards[shardOf(h)]
		pc.touched += sh.cells[sh.home(placeOf(h))]
	}
	for i, k := range pc.to {
		if k < own {
			pc.to[i] = s.node(g.base, b.At(int(k)), b.Hash(int(k)))
		} else {
			pc.to[i] = pc.first + k - own
		}
	}
}

// enter enters all steps from node n, whose state is v.
func (pc *piece) enter(n uint32, v []uint32, c *checker, known *numbering) {
	b := &pc.batch
	begin, shifted := b.Mark(), len(b.Shifted)
	enabled := c.Annotate(v, b)
	add := func(to uint32, x about) {
		pc.to = append(pc.to, to)
		pc.abouts = append(pc.abouts, known.of(x))
	}
	back := own + n - pc.first
	for i := begin.In / b.Stride; i < b.Len(); i++ {
		x := about{Note: b.Notes.In[i]}
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
		add(back, about{Note: note, kind: away})
	}
	for _, note := range b.Notes.Pruned[begin.Pruned:] {
		add(back, about{Note: note, kind: away})
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
	if g.abouts.outgrown(pc.abouts) {
		s.afford("the state graph, whose steps are about more than 65,536 things,", 4*s.steps())
		g.abouts.widen(s.steps())
	}
	g.abouts.add(pc.abouts)
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

// knownAbouts numbers what steps are about, in an order that depends on who asks first; so
// nothing else must depend on it.
type knownAbouts struct {
	mu    sync.Mutex
	all   []about
	index map[about]uint32
}

func (k *knownAbouts) number(x about) uint32 {
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

// A numbering is what a worker remembers of the numbers: those that it asked for last.
type numbering struct {
	all      *knownAbouts
	siblings [1 << siblingAbouts]struct {
		about  about
		number uint32 // plus one; 0: nothing
	}
}

const siblingAbouts = 12 // bits

func (k *numbering) of(x about) uint32 {
	h := (uint64(x.Label.Word())<<32 | uint64(x.Message)) * 0x9E3779B97F4A7C15
	r := &k.siblings[h>>(64-siblingAbouts)]
	if r.number == 0 || r.about != x {
		r.about, r.number = x, k.all.number(x)+1
	}
	return r.number - 1
}
