package logs

import (
	"cmp"
	"slices"
)

// An edge is an end of a part of a stay. At the same moment they are in the order
// of their kinds.
type edge struct {
	at   int64
	stay int32
	kind edgeKind
}

type edgeKind int8

// The kinds of ends. Of certain parts those that end go first, as touching is no
// overlap; of possible ones it is the other way round.
const (
	certainEnd edgeKind = iota
	passFrom
	passTo
	certainBegin
	possibleBegin
	possibleEnd
)

func sortEdges(edges []edge) {
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.stay, b.stay))
	})
}

// intervals sweeps along time.
func (o *Occupancy) intervals(l *Log, list []stay, overlap bool) {
	edges := make([]edge, 0, 2*len(list)) // the one sweep leaves its memory to the other
	o.sweepCertain(l, list, edges)
	o.sweepPossible(l, list, edges, overlap)
}

// certainPart is where a stay is inside in every order, if from is before to;
// else it passes through at a moment between to and from.
func (l *Log) certainPart(s *stay) (from, to int64) {
	from, to = l.recs[s.enter].end, ever
	if s.sure != none {
		to = l.recs[s.sure].begin
	}
	return from, to
}

// possiblePart is where a stay may be inside.
func (l *Log) possiblePart(s *stay) (from, to int64) {
	from, to = never, ever
	if s.early != none {
		from = l.recs[s.early].begin
	}
	if s.late != none {
		to = l.recs[s.late].end
	}
	return from, to
}

// sweepCertain finds the definite crowds.
func (o *Occupancy) sweepCertain(l *Log, list []stay, edges []edge) {
	for i := range list {
		s := &list[i]
		if !s.certain {
			continue
		}
		from, to := l.certainPart(s)
		if from < to {
			edges = append(edges, edge{from, int32(i), certainBegin}, edge{to, int32(i), certainEnd})
		} else {
			edges = append(edges, edge{to, int32(i), passFrom}, edge{from, int32(i), passTo})
		}
	}
	sortEdges(edges)
	units := 0
	var inside []int32
	var low lows
	for i, e := range edges {
		switch e.kind {
		case certainEnd:
			units -= int(list[e.stay].units)
			inside = without(inside, e.stay)
		case certainBegin:
			was := units
			units += int(list[e.stay].units)
			inside = append(inside, e.stay)
			if o.Surely = max(o.Surely, units); units > o.K && was <= o.K {
				o.definite(func() Crowd { return l.crowd(list, inside) })
			}
		case passTo:
			low.add(e.at, units)
			o.pass(l, list, e.stay, &low)
		case passFrom:
			low.add(e.at, units)
		}
		// After all that ends at a moment and before what begins there.
		if e.kind == certainEnd && (i+1 == len(edges) || edges[i+1].at != e.at || edges[i+1].kind != certainEnd) {
			low.add(e.at, units)
		}
	}
}

func without(list []int32, x int32) []int32 {
	i := slices.Index(list, x)
	list[i] = list[len(list)-1]
	return list[:len(list)-1]
}

// pass looks for room for a stay without a certain part.
func (o *Occupancy) pass(l *Log, list []stay, i int32, low *lows) {
	s := &list[i]
	_, from := l.certainPart(s)
	at, units := low.since(from)
	units += int(s.units)
	if o.Surely = max(o.Surely, units); units <= o.K {
		return
	}
	o.definite(func() Crowd {
		var inside []int32
		for k := range list {
			if a, b := l.certainPart(&list[k]); list[k].certain && a < at && at < b {
				inside = append(inside, int32(k))
			}
		}
		c := l.crowd(list, inside)
		c.Units, c.Stays, c.Passing = c.Units+int(s.units), append(c.Stays, l.report(s)), true
		return c
	})
}

// lows knows for each moment so far the fewest units in use since.
type lows struct {
	at    []int64
	units []int // ascending
}

// add is told the units in use at a moment, which is not before the others.
func (w *lows) add(at int64, units int) {
	n := len(w.at)
	for n > 0 && w.units[n-1] >= units {
		n--
	}
	w.at, w.units = append(w.at[:n], at), append(w.units[:n], units)
}

// since returns the fewest units in use at a moment since the given one, and such
// a moment.
func (w *lows) since(from int64) (at int64, units int) {
	i, _ := slices.BinarySearch(w.at, from)
	return w.at[i], w.units[i]
}

// sweepPossible finds the largest number of units that may be in use at once. Of
// the stays of a node only those count together that its own order allows, and
// none if they do not overlap.
func (o *Occupancy) sweepPossible(l *Log, list []stay, edges []edge, overlap bool) {
	for i := range list {
		from, to := l.possiblePart(&list[i])
		edges = append(edges, edge{from, int32(i), possibleBegin}, edge{to, int32(i), possibleEnd})
	}
	sortEdges(edges)
	nodes := make([]local, len(l.Nodes))
	total, best, bestAt := 0, 0, int64(0)
	for _, e := range edges {
		s := &list[e.stay]
		n := &nodes[l.recs[s.enter].node]
		total -= n.max
		if e.kind == possibleBegin {
			n.add(list, e.stay, overlap)
		} else {
			n.remove(list, e.stay, overlap)
		}
		if total += n.max; total > best {
			best, bestAt = total, e.at
		}
	}
	o.Possibly = best
	if best <= o.K {
		return
	}
	// Once more those that may be inside at that moment.
	clear(nodes)
	for i := range list {
		if from, to := l.possiblePart(&list[i]); from <= bestAt && bestAt <= to {
			n := &nodes[l.recs[list[i].enter].node]
			n.stays = append(n.stays, int32(i))
		}
	}
	var inside []int32
	for i := range nodes {
		inside = append(inside, nodes[i].most(list, overlap)...)
	}
	o.possible(l, list, inside)
}

// A local is the set of stays of one node that may go on at a moment. Those of
// which the node's own order has none after another may be together.
type local struct {
	stays []int32
	sizes []int // numbers of stays by units, where none of the node overlap
	max   int   // the most units in use together
}

func (n *local) add(list []stay, i int32, overlap bool) {
	if overlap {
		n.stays = append(n.stays, i)
		n.max = weight(list, n.together(list))
		return
	}
	u := int(list[i].units)
	for len(n.sizes) <= u {
		n.sizes = append(n.sizes, 0)
	}
	n.sizes[u]++
	n.max = max(n.max, u)
}

func (n *local) remove(list []stay, i int32, overlap bool) {
	if overlap {
		n.stays = without(n.stays, i)
		n.max = weight(list, n.together(list))
		return
	}
	n.sizes[list[i].units]--
	for n.max > 0 && n.sizes[n.max] == 0 {
		n.max--
	}
}

// most returns the stays with most units that may be together.
func (n *local) most(list []stay, overlap bool) []int32 {
	if overlap || len(n.stays) == 0 {
		return n.together(list)
	}
	return []int32{slices.MaxFunc(n.stays, func(a, b int32) int { return cmp.Compare(list[a].units, list[b].units) })}
}

// together returns the stays with most units that may be together: those that
// cover a common place of the node's order, which is the beginning of one of them.
func (n *local) together(list []stay) (best []int32) {
	for _, i := range n.stays {
		var set []int32
		for _, j := range n.stays {
			s, t := &list[i], &list[j]
			if i == j || t.early <= s.early && (t.late == none || t.late > s.early) {
				set = append(set, j)
			}
		}
		if weight(list, set) > weight(list, best) {
			best = set
		}
	}
	return best
}

func weight(list []stay, set []int32) (units int) {
	for _, i := range set {
		units += int(list[i].units)
	}
	return units
}
