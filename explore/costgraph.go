package explore

import (
	"fmt"
	"math"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// A costGraph has what a bound counts for one process, or for whole runs: the steps
// between visited states that go on counting, those that begin to count, and those
// that end it.
type costGraph struct {
	// fairGraph holds the steps that go on. takes is what a step costs, and sets tells
	// whether it costs anything: so a streett finds the cycles that do.
	fairGraph
	process  int // or whole
	openings []costStep
	closings []costStep
}

// costs is the bit of the steps that cost something.
const costs = 1

// A costStep begins to count, or ends it. Whole runs begin in their initial state, and
// end in a quiet one: from and to are the same then.
type costStep struct {
	from, to uint32
	weight   uint16
	requests uint16 // closings: by how many what was counted is divided
}

// whole stands for whole runs in place of a process.
const whole = -1

// countFor builds the graph of the bound of property i for a process, or for whole
// runs, in a pass, by expanding every state once.
func (s *search) countFor(i, process int) *costGraph {
	base, cells := s.bases()
	if cells+uint64(s.report.Generated) >= math.MaxUint32 {
		panic(halt("the state graph is too large to count along it"))
	}
	s.afford("to count along the state graph", bytesPerCostNode*int64(cells)+bytesPerCostStep*s.report.Generated)
	g := &costGraph{process: process}
	g.nodes = uint32(cells)
	g.begin = make([]uint32, 1, cells+1)
	g.bits = make([]uint64, cells)
	g.stuck = newBitset(g.nodes)
	c := counter{s: s, g: g, base: base, property: i, process: process}
	bound := s.report.Properties[i].Bound
	c.opens = model.Named(s.report.Actions, bound.Opens)
	c.closes = model.Named(s.report.Actions, bound.Closes)
	s.expandAll(func(n uint32, v []uint32, e kernel.Enabled, b *kernel.Batch) {
		g.closeUpTo(n)
		c.enter(n, v, e, b)
	})
	g.closeUpTo(g.nodes)
	if process == whole {
		for _, n := range s.initialNodes(base) {
			g.openings = append(g.openings, costStep{from: n, to: n})
		}
	}
	return g
}

// closeUpTo ends the steps of all nodes before n.
func (g *costGraph) closeUpTo(n uint32) {
	for uint32(len(g.begin)) <= n {
		g.begin = append(g.begin, uint32(len(g.to)))
	}
}

// What counting takes for each state: 12 here, 16 for what was found, 20 in
// components.go; and for each step, also of the graph of predecessors.
const (
	bytesPerCostNode = 48
	bytesPerCostStep = 12
)

// A counter enters states into a costGraph.
type counter struct {
	s             *search
	g             *costGraph
	base          *[numShards]uint32
	property      int
	process       int
	opens, closes []bool // per action
	charges       []model.Charges
}

// enter enters the steps from node n, whose state is v, to its successors.
func (c *counter) enter(n uint32, v []uint32, enabled kernel.Enabled, b *kernel.Batch) {
	cursor := c.s.cursors[0]
	c.charges = cursor.messages().Charges(v, c.charges[:0])
	if len(c.charges) != b.Len() {
		panic(fmt.Errorf("%w: %d costs of %d steps", ErrInternal, len(c.charges), b.Len()))
	}
	for i := range b.Len() {
		l := b.Label(i)
		to := c.s.node(c.base, b.At(i), b.Hash(i))
		if c.process == whole {
			c.goOn(n, to, c.charges[i].All)
			continue
		}
		weight := c.charges[i].To[c.process]
		its := int(l.Proc) == c.process
		switch {
		case its && c.opens[l.Action]:
			c.g.openings = append(c.g.openings, costStep{from: n, to: to, weight: uint16(weight)})
		case its && c.closes[l.Action]:
			c.g.closings = append(c.g.closings, costStep{n, to, uint16(weight), 1})
		default:
			c.goOn(n, to, int(weight))
		}
	}
	if c.process == whole && enabled.Quiet() {
		if requests := cursor.Served(v, c.property); requests > 0 {
			c.g.closings = append(c.g.closings, costStep{n, n, 0, uint16(requests)})
		}
	}
}

// goOn enters a step that goes on counting.
func (c *counter) goOn(n, to uint32, weight int) {
	if n == to && weight == 0 {
		return
	}
	for k := len(c.g.sets.list); k <= weight; k++ {
		c.g.sets.list = append(c.g.sets.list, uint64(min(k, 1))*costs)
	}
	c.g.to = append(c.g.to, to)
	c.g.takes = append(c.g.takes, uint16(weight))
}
