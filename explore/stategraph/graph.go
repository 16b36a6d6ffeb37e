// Package stategraph builds the graph of all states that a search has visited. Liveness, costs, and goals
// out of reach are judged on it after the search.
package stategraph

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/lts"
)

// A Pass goes through the graph of all visited states after the search, for one question. If it has to stop
// early, it has no answer, and it may be deep inside loops: so it ends by a panic.
type Pass interface {
	// Tick ends the pass if there is a reason to stop. Loops call it with the number of their iteration; it
	// checks at every 8192nd.
	Tick(iteration int)
	// Afford ends the pass if more bytes for what, a noun, exceed the memory limit.
	Afford(what string, more int64)
	// Halt ends the pass without an answer. The reason is a sentence.
	Halt(why string)
	// Broken ends the pass with an internal error.
	Broken(what string)
	// Run calls task for each i below n, on the workers.
	Run(n int, task func(worker, i int))
}

// Visited is the result of a search: the visited states, and counts to compare the graph with.
type Visited struct {
	Pass
	Tables  *memory.Set
	Space   kernel.Space
	Cursors []kernel.Cursor // one for each worker
	States  int64
	Steps   int64   // all steps, including forbidden ones and steps out of the state space
	Fired   []int64 // per action: number of its steps that were generated
	Actions []lts.Action
}

// A Graph has the visited states as nodes and all steps from them as edges, each with a label. Fairness,
// delivery obligations, costs and goals out of reach are judged in views of it. A step that leads out of
// the state space, or changes nothing, is an edge back to its node.
type Graph struct {
	graph.Graph
	*Visited
	Distinct []Label   // the labels that occur, in an order that differs from run to run
	Stuck    graph.Set // nodes in which no run stays: assumptions forbid all their steps
	Quiet    graph.Set // nodes of quiet states
	Drifts   bool      // some step moves all times back and does nothing else
	Refuses  bool      // see kernel.Batch
	Initial  []uint32

	base     [memory.Shards]uint32
	labels   packed       // per edge: an index into Distinct
	reversed *graph.Graph // made by the first call of Predecessors
}

// A Label has the data of a step that views need: the action, the process, the message received, the charges
// (see kernel.Note), the kind of its target, and whether it moves all times back.
type Label struct {
	kernel.Note
	Kind    Kind
	Shifted bool // all times are moved back
}

// A Kind is the kind of an edge's target.
type Kind uint8

// The kinds of edges.
const (
	Inside Kind = iota // to another visited state
	Loop               // to the same state
	Away               // out of the state space, or forbidden by an assumption
)

// LabelOf returns the index of an edge's label.
func (g *Graph) LabelOf(edge uint32) uint32 { return g.labels.at(edge) }

// Vector returns the state of a node; nil for a node without a state, an empty cell of the table.
func (g *Graph) Vector(n uint32) []uint32 { return g.Tables.Vector(&g.base, n) }

// Bytes returns the memory that the graph holds, without the views.
func (g *Graph) Bytes() int64 {
	n := 4*int64(len(g.Begin)+len(g.To)+len(g.labels.long)) + 2*int64(len(g.labels.short))
	if g.reversed != nil {
		n += 4 * int64(len(g.Begin)+len(g.To))
	}
	return n
}

// Predecessors returns the graph with all edges reversed.
func (g *Graph) Predecessors() *graph.Graph {
	if g.reversed == nil {
		g.Afford("the state graph, each step backwards too,", 4*int64(len(g.Begin)+len(g.To)))
		g.reversed = g.Reversed()
	}
	return g.reversed
}

// The number of nodes of a piece, and of pieces that are expanded in one call of Run.
const (
	pieceNodes = 1024
	pieces     = 8
)

// New builds the graph in a pass, by expanding every state once more. Workers share pieces of it, as they
// share chunks in an expansion. The use of the graph takes perNode more bytes for each node.
func New(v *Visited, use string, perNode int64) *Graph {
	v.afford(use, perNode)
	base, cells := v.Tables.Bases()
	g := &Graph{Graph: graph.Graph{Begin: make([]uint32, cells+1), To: make([]uint32, 0, v.Steps)},
		Visited: v, base: base, labels: packed{short: make([]uint16, 0, v.Steps)},
		Stuck: graph.NewSet(uint32(cells)), Quiet: graph.NewSet(uint32(cells))}
	var all [pieces]piece
	caches := make([]labelCache, len(v.Cursors))
	known := labelTable{index: map[Label]uint32{}}
	for w := range caches {
		caches[w].all = &known
	}
	var states int64
	fired := make([]int64, len(v.Fired))
	next := uint32(0)
	for next < g.Nodes() {
		v.Tick(0)
		n := 0
		for ; n < len(all) && next < g.Nodes(); n++ {
			first := next
			next += min(pieceNodes, g.Nodes()-next)
			all[n].first, all[n].end = first, next
		}
		v.Run(n, func(w, i int) { all[i].expand(g, v.Cursors[w], &caches[w]) })
		for i := range all[:n] {
			pc := &all[i]
			g.add(pc)
			states += pc.states
			for a := range fired {
				fired[a] += pc.batch.Fired[a]
				pc.batch.Fired[a] = 0
			}
		}
	}
	g.check(states, fired)
	g.Distinct = known.all
	var b kernel.Batch
	b.Reset(v.Space.Width())
	v.Space.Init(&b)
	for i := range b.Len() {
		g.Initial = append(g.Initial, g.node(b.At(i), b.Hash(i)))
	}
	return g
}

// check ends the pass if the graph does not have as many states and steps as the search.
func (g *Graph) check(states int64, fired []int64) {
	if states != g.States {
		g.Broken(fmt.Sprintf("the graph has %d of %d states", states, g.States))
	}
	for a, n := range g.Fired {
		if fired[a] != n {
			g.Broken(fmt.Sprintf("the graph has %d of %d steps %q", fired[a], n, g.Actions[a].Name))
		}
	}
}

// node returns the number of a visited state with the given hash.
func (g *Graph) node(v []uint32, h uint64) uint32 {
	n, found := g.Tables.Node(&g.base, v, h)
	if !found {
		g.Broken("a step leads to a state that was not visited")
	}
	return n
}

// afford ends the pass before it begins if the state graph, with perNode bytes per node for
// its use, exceeds the memory limit.
func (v *Visited) afford(use string, perNode int64) {
	_, cells := v.Tables.Bases()
	what := fmt.Sprintf("the graph of %d states and %d steps%s", v.States, v.Steps, use)
	if 2*cells >= math.MaxUint32 || cells+uint64(v.Steps) >= math.MaxUint32 {
		v.Halt(what + " is too large: cells of the table and steps are less than 4,294,967,295 together")
	}
	v.Afford(what, (bytesPerCell+perNode)*int64(cells)+bytesPerStep*v.Steps)
}

// partSize is the number of nodes that a worker takes at a time.
const partSize = 1 << 16

// Parts returns the number of parts for a number of nodes.
func Parts(nodes uint32) int { return int((nodes + partSize - 1) / partSize) }

// EachPart calls f for each part of the nodes, from first to before end, on the workers.
func (v *Visited) EachPart(nodes uint32, f func(worker, part int, first, end uint32)) {
	v.Tick(0)
	v.Run(Parts(nodes), func(w, part int) {
		first := uint32(part) * partSize
		f(w, part, first, first+min(partSize, nodes-first))
	})
}

// The memory of the state graph. Per cell of the visited set: the index of its first step, and two bits. Per
// step: its target and its label.
const (
	bytesPerCell = 5
	bytesPerStep = 4 + 2
)

// packed is a list of numbers, in 16 bits each as long as they fit: a graph mostly has a few hundred distinct
// labels.
type packed struct {
	short []uint16
	long  []uint32 // in place of short, once a number does not fit
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

// widen changes the list to numbers of 32 bits, with room for as many.
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

// A piece is a run of consecutive nodes and the edges from them.
type piece struct {
	first, end   uint32
	states       int64
	batch        kernel.Batch
	degrees      []uint32 // per node: number of edges from it and from the nodes before it
	to, labels   []uint32
	stuck, quiet []uint32
	drifts       bool
	touched      uint32 // keeps the touching loads from being optimised away
}

// ownEdge marks, in piece.to, edges back to their node until the targets of the other edges are looked up.
//
//	bit 31    30 .. 0
//	   | 1 | index of the node in the piece
//	   | 0 | index of the successor in the batch
const ownEdge = 1 << 31

// expand finds the edges from the nodes of the piece. It first touches the cells of all successors, so
// that cache misses overlap, and then looks the successors up.
func (pc *piece) expand(g *Graph, c kernel.Cursor, known *labelCache) {
	b := &pc.batch
	b.Reset(g.Space.Width())
	pc.states = 0
	pc.degrees, pc.to, pc.labels = pc.degrees[:0], pc.to[:0], pc.labels[:0]
	pc.stuck, pc.quiet = pc.stuck[:0], pc.quiet[:0]
	for n := pc.first; n < pc.end; n++ {
		if v := g.Vector(n); v != nil {
			pc.states++
			pc.enter(n, v, c, known)
		}
		pc.degrees = append(pc.degrees, uint32(len(pc.to)))
	}
	for i := range b.Len() {
		h := b.Hash(i)
		pc.touched += g.Tables[memory.ShardOf(h)].Touch(memory.PlaceOf(h))
	}
	for i, k := range pc.to {
		if k < ownEdge {
			pc.to[i] = g.node(b.At(int(k)), b.Hash(int(k)))
		} else {
			pc.to[i] = pc.first + k - ownEdge
		}
	}
}

// enter enters all steps from node n, whose state is v.
func (pc *piece) enter(n uint32, v []uint32, c kernel.Cursor, known *labelCache) {
	b := &pc.batch
	begin, shifted := b.Mark(), len(b.Shifted)
	enabled := c.Annotate(v, b)
	add := func(to uint32, x Label) {
		pc.to = append(pc.to, to)
		pc.labels = append(pc.labels, known.of(x))
	}
	back := ownEdge + n - pc.first
	for i := begin.In / b.Stride; i < b.Len(); i++ {
		x := Label{Note: b.Notes.In[i]}
		if shifted < len(b.Shifted) && b.Shifted[shifted] == uint32(i) {
			x.Shifted = true
			shifted++
		}
		if slices.Equal(v, b.At(i)) {
			x.Kind = Loop
			pc.drifts = pc.drifts || x.Shifted
			add(back, x)
			continue
		}
		add(uint32(i), x)
	}
	for _, note := range b.Notes.Outside[begin.Out/b.Stride:] {
		add(back, Label{Note: note, Kind: Away})
	}
	for _, note := range b.Notes.Pruned[begin.Pruned:] {
		add(back, Label{Note: note, Kind: Away})
	}
	if !enabled.Any && len(b.Pruned) > begin.Pruned {
		pc.stuck = append(pc.stuck, n)
	}
	if enabled.Quiet() {
		pc.quiet = append(pc.quiet, n)
	}
}

// add adds the edges of the next piece.
func (g *Graph) add(pc *piece) {
	begin := uint32(len(g.To))
	g.To = append(g.To, pc.to...)
	if g.labels.outgrown(pc.labels) {
		g.Afford("the state graph, with more than 65,536 distinct labels of steps,", 4*g.Steps)
		g.labels.widen(g.Steps)
	}
	g.labels.add(pc.labels)
	for i, n := range pc.degrees {
		g.Begin[pc.first+uint32(i)+1] = begin + n
	}
	for _, n := range pc.stuck {
		g.Stuck.Add(n)
	}
	for _, n := range pc.quiet {
		g.Quiet.Add(n)
	}
	g.Drifts, g.Refuses = g.Drifts || pc.drifts, g.Refuses || pc.batch.Refuses
}

// A labelTable numbers the labels in the order in which workers first ask for them. The order differs from
// run to run, so no result may depend on it.
type labelTable struct {
	mu    sync.Mutex
	all   []Label
	index map[Label]uint32
}

func (k *labelTable) number(x Label) uint32 {
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

// A labelCache is a worker's direct-mapped cache of the labelTable.
type labelCache struct {
	all     *labelTable
	entries [1 << labelCacheBits]struct {
		label  Label
		number uint32 // plus one; 0: empty
	}
}

const labelCacheBits = 12

func (k *labelCache) of(x Label) uint32 {
	h := (uint64(x.Label.Word())<<32 | uint64(x.Message)) * 0x9E3779B97F4A7C15
	r := &k.entries[h>>(64-labelCacheBits)]
	if r.number == 0 || r.label != x {
		r.label, r.number = x, k.all.number(x)+1
	}
	return r.number - 1
}
