package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A certainSweep goes along the certain parts of holdings.
type certainSweep struct {
	units    int        // in use
	known    []*holding // those inside, and some that were
	enough   int        // known are looked through when they are as many
	passing  []*holding // those that may pass now, in the order in which they begin to, and some that have
	low      lowest
	handover handoverMeter
}

// certain takes a holding when it is known up to where it is certain.
func (u *resourceState) certain(s *holding) {
	if !u.sweeps {
		return
	}
	s.swept = true
	s.from, s.to = s.certainInterval()
	switch tie := s.enter.tie(); {
	case s.from < s.to:
		u.add(s, tie, s.from, certainBegin, s.to, certainEnd)
	case s.to == formats.Never: // it passes before everything
		u.pass(s, formats.Never, 0)
	default:
		u.add(s, tie, s.to, passFrom, s.from, passTo)
	}
}

// certainEdge takes the next end of a certain part.
func (u *resourceState) certainEdge(e *edge, s *holding) {
	c := &u.certainParts
	was := c.units
	switch e.kind() {
	case certainEnd:
		c.units -= int(s.units)
		c.low.add(e.at, c.units) // the last one that ends at a moment counts
	case certainBegin:
		c.units += int(s.units)
		c.forget(e.at)
		c.known = append(c.known, s)
		u.Certainly = max(u.Certainly, c.units)
		if c.units > u.K && was <= u.K {
			isOver := func(s *holding) bool { return s.to <= e.at }
			u.definite(OverlapSet{}, slices.DeleteFunc(slices.Clone(c.known), isOver)...)
			c.handover.open(e.at)
		}
	case passTo:
		c.low.add(e.at, c.units)
		at, units := c.low.since(s.to)
		u.pass(s, at, units)
		for c.passing[0].from < e.at {
			c.passing = c.passing[1:]
		}
	case passFrom:
		c.low.add(e.at, c.units)
		c.passing = append(c.passing, s)
	}
	if max(was, c.units) > u.K && was != c.units {
		c.handover.holding(s.from, s.to)
	}
	if was > u.K && c.units <= u.K {
		c.handover.close(e.at)
	}
}

// forget forgets the holdings that are over before all that may pass at a moment, if there are many.
func (c *certainSweep) forget(since int64) {
	if len(c.known) < c.enough {
		return
	}
	if len(c.passing) > 0 {
		since = min(since, c.passing[0].to)
	}
	c.known = slices.DeleteFunc(c.known, func(s *holding) bool { return s.to <= since })
	c.enough = 2*len(c.known) + 16
}

// pass looks for room for a holding without a certain part, at the moment at which the fewest units
// are in use.
func (u *resourceState) pass(s *holding, at int64, units int) {
	units += int(s.units)
	if u.Certainly = max(u.Certainly, units); units <= u.K {
		return
	}
	isAway := func(o *holding) bool { return at <= o.from || o.to <= at }
	inside := slices.DeleteFunc(slices.Clone(u.certainParts.known), isAway)
	u.definite(OverlapSet{Passing: len(inside) > 0}, append(inside, s)...)
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
	nodes  []local
	beside local // levels that are beside all others
	total  int
	// always is the highest level of each node that it may have at any time.
	always map[int32]int
	// above: more than k units may be in use now, and by whom is not noted yet.
	above bool
}

// possible takes a level.
func (u *resourceState) possible(v level) {
	if !u.sweeps || v.units == 0 {
		return
	}
	if v.from == formats.Never && v.to == formats.Ever && v.node != apart {
		p := &u.possibleLevels
		if v.units <= p.always[v.node] {
			return
		}
		if p.always == nil {
			p.always = map[int32]int{}
		}
		p.always[v.node] = v.units
	}
	u.add(&v, v.first.enter.tie(), v.from, possibleBegin, v.to, possibleEnd)
}

// possibleEdge takes the next end of a level.
func (u *resourceState) possibleEdge(e *edge, v *level) {
	p := &u.possibleLevels
	if e.kind() == possibleEnd {
		u.note()
	}
	n := &p.beside
	if v.node != apart {
		p.nodes = append(p.nodes, make([]local, max(0, int(v.node)+1-len(p.nodes)))...)
		n = &p.nodes[v.node]
	}
	p.total -= n.units(v.node)
	if e.kind() == possibleBegin {
		n.add(v)
	} else {
		n.remove(v)
	}
	p.total += n.units(v.node)
	if u.Possibly = max(u.Possibly, p.total); u.Possibly > u.K && u.overlap == nil {
		p.above = true
	}
}

// note keeps who may be inside now, if they are too many.
func (u *resourceState) note() {
	p := &u.possibleLevels
	if !p.above {
		return
	}
	p.above = false
	var inside []*holding
	for _, v := range p.beside.levels {
		inside = append(inside, v.first)
	}
	for i := range p.nodes {
		if levels := p.nodes[i].levels; len(levels) > 0 {
			best := slices.MaxFunc(levels, func(a, b *level) int { return a.units - b.units })
			inside = append(append(inside, best.first), best.more...)
		}
	}
	u.possibly(inside)
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
