package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A certainSweep goes along the certain parts of holdings.
type certainSweep struct {
	window[*holding]
	verdict  *verdict
	units    int // in use
	inside   []*holding
	low      lowest
	handover handoverMeter
	// passing are holdings that may pass now, in the order in which they begin to, and gone those
	// that were inside since the first of them did.
	passing, gone []*holding
}

// begins makes it ready.
func (c *certainSweep) begins(v *verdict) {
	c.verdict, c.run, c.passed = v, c.edge, formats.Never
}

// take takes a holding that is certain.
func (c *certainSweep) take(s *holding) {
	switch from, to := s.certainInterval(); {
	case from < to:
		c.add(s, s.enter.tie(), from, certainBegin, to, certainEnd)
	case to == formats.Never: // it passes before everything
		c.pass(s, formats.Never, 0)
	default:
		c.add(s, s.enter.tie(), to, passFrom, from, passTo)
	}
}

// edge takes the next edge.
func (c *certainSweep) edge(e order.Queued[*holding]) {
	was := c.units
	s := e.Of
	switch kindOf(e.Tie) {
	case certainEnd:
		c.units -= int(s.units)
		c.leave(s)
		c.low.add(e.At, c.units) // the last one that ends at a moment counts
	case certainBegin:
		c.units += int(s.units)
		s.slot = int32(len(c.inside))
		c.inside = append(c.inside, s)
		c.verdict.Certainly = max(c.verdict.Certainly, c.units)
		if c.units > c.verdict.K && was <= c.verdict.K {
			c.verdict.definite(OverlapSet{}, c.inside...)
			c.handover.open(e.At)
		}
	case passTo:
		c.low.add(e.At, c.units)
		_, from := s.certainInterval()
		at, units := c.low.since(from)
		c.pass(s, at, units)
		c.forgetPassed(s)
	case passFrom:
		c.low.add(e.At, c.units)
		c.passing = append(c.passing, s)
	}
	if max(was, c.units) > c.verdict.K && was != c.units {
		c.handover.holding(s.certainInterval())
	}
	if was > c.verdict.K && c.units <= c.verdict.K {
		c.handover.close(e.At)
	}
}

// leave takes a holding out of those inside.
func (c *certainSweep) leave(s *holding) {
	last := len(c.inside) - 1
	c.inside[s.slot] = c.inside[last]
	c.inside[s.slot].slot = s.slot
	c.inside[last] = nil
	c.inside = c.inside[:last]
	if len(c.passing) > 0 {
		c.gone = append(c.gone, s)
	}
}

// forgetPassed forgets what no holding that passes needs any more.
func (c *certainSweep) forgetPassed(s *holding) {
	s.slot = formats.None
	for len(c.passing) > 0 && c.passing[0].slot == formats.None {
		c.passing = c.passing[1:]
	}
	if len(c.passing) == 0 {
		c.passing, c.gone = nil, c.gone[:0]
		return
	}
	_, since := c.passing[0].certainInterval()
	for len(c.gone) > 0 {
		if _, to := c.gone[0].certainInterval(); to > since {
			break
		}
		c.gone = c.gone[1:]
	}
}

// pass looks for room for a holding without a certain part, at the moment at which the fewest units
// are in use.
func (c *certainSweep) pass(s *holding, at int64, units int) {
	units += int(s.units)
	if c.verdict.Certainly = max(c.verdict.Certainly, units); units <= c.verdict.K {
		return
	}
	var inside []*holding
	for _, others := range [][]*holding{c.inside, c.gone} {
		for _, o := range others {
			if a, b := o.certainInterval(); a < at && at < b {
				inside = append(inside, o)
			}
		}
	}
	c.verdict.definite(OverlapSet{Passing: len(inside) > 0}, append(inside, s)...)
}

// lowest knows for each moment so far the fewest units in use since.
type lowest struct {
	at    []int64
	units []int // ascending
}

// add is told the units in use at a moment, which is not before the others.
func (w *lowest) add(at int64, units int) {
	n := len(w.at)
	for n > 0 && w.units[n-1] >= units {
		n--
	}
	w.at, w.units = append(w.at[:n], at), append(w.units[:n], units)
}

// since returns the fewest units in use at a moment since the given one, and such
// a moment.
func (w *lowest) since(from int64) (at int64, units int) {
	i, _ := slices.BinarySearch(w.at, from)
	return w.at[i], w.units[i]
}

// A level is what a node may have in use between two of its events: no event of its holdings
// is between them.
type level struct {
	from, to int64 // this may be so at these times
	units    int
	node     int32 // apart: it is beside all other levels
	slot     int32 // its place among the levels of its node, while the sweep is there
	// These holdings are possible: first and more; nil: none.
	first *holding
	more  []*holding
}

// A possibleSweep finds the largest number of units that may be in use at once. At any
// moment each node may be at any of its levels that the times allow.
type possibleSweep struct {
	window[*level]
	verdict *verdict
	nodes   []local
	beside  local // levels that are beside all others
	total   int
	// always is the highest level of each node that it may have at any time.
	always map[int32]int
	// above: more than k units may be in use now, and by whom is not noted yet.
	above bool
}

// begins makes it ready.
func (p *possibleSweep) begins(v *verdict) {
	p.verdict, p.run, p.passed = v, p.edge, formats.Never
}

// take takes a level.
func (p *possibleSweep) take(v *level) {
	if v.from == formats.Never && v.to == formats.Ever && v.node != apart {
		if v.units <= p.always[v.node] {
			return
		}
		if p.always == nil {
			p.always = map[int32]int{}
		}
		p.always[v.node] = v.units
	}
	kept := *v
	p.add(&kept, v.first.enter.tie(), v.from, possibleBegin, v.to, possibleEnd)
}

// edge takes the next edge.
func (p *possibleSweep) edge(e order.Queued[*level]) {
	if p.above && kindOf(e.Tie) == possibleEnd {
		p.note()
	}
	n := &p.beside
	if e.Of.node != apart {
		p.nodes = append(p.nodes, make([]local, max(0, int(e.Of.node)+1-len(p.nodes)))...)
		n = &p.nodes[e.Of.node]
	}
	p.total -= n.units(e.Of.node)
	if kindOf(e.Tie) == possibleBegin {
		n.add(e.Of)
	} else {
		n.remove(e.Of)
	}
	p.total += n.units(e.Of.node)
	u := p.verdict
	if u.Possibly = max(u.Possibly, p.total); u.Possibly > u.K && u.overlap == nil {
		p.above = true
	}
}

// note keeps who may be inside now.
func (p *possibleSweep) note() {
	var inside []*holding
	for _, v := range p.beside.levels {
		inside = append(inside, v.first)
	}
	for i := range p.nodes {
		var best *level
		for _, v := range p.nodes[i].levels {
			if best == nil || v.units > best.units {
				best = v
			}
		}
		if best != nil {
			inside = append(append(inside, best.first), best.more...)
		}
	}
	p.verdict.possibly(inside)
	p.above = false
}

func (p *possibleSweep) finish() {
	p.window.finish()
	if p.above {
		p.note()
	}
}

// apart is the node of holdings that lines give as a whole: they are beside all else.
const apart = formats.None

// A local has the levels at which a node may be at a moment.
type local struct {
	levels []*level
	sizes  []int // numbers of levels by units
	max    int   // the most units
	sum    int   // the units of all
}

// units is how many a node may have in use: those of one level, or of all that are apart.
func (n *local) units(node int32) int {
	if node == apart {
		return n.sum
	}
	return n.max
}

func (n *local) add(v *level) {
	v.slot = int32(len(n.levels))
	n.levels = append(n.levels, v)
	n.sum += v.units
	for len(n.sizes) <= v.units {
		n.sizes = append(n.sizes, 0)
	}
	n.sizes[v.units]++
	n.max = max(n.max, v.units)
}

func (n *local) remove(v *level) {
	last := len(n.levels) - 1
	n.levels[v.slot] = n.levels[last]
	n.levels[v.slot].slot = v.slot
	n.levels[last] = nil
	n.levels = n.levels[:last]
	n.sum -= v.units
	n.sizes[v.units]--
	for n.max > 0 && n.sizes[n.max] == 0 {
		n.max--
	}
}
