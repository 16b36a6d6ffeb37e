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
func (o *Occupancy) intervals(l *Log, list []stay) {
	edges := make([]edge, 0, 2*len(list)) // the one sweep leaves its memory to the other
	o.sweepCertain(l, list, edges)
	o.sweepPossible(l, list, edges)
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
	var seam seamster
	for i, e := range edges {
		was := units
		switch e.kind {
		case certainEnd:
			units -= int(list[e.stay].units)
			inside = without(inside, e.stay)
		case certainBegin:
			units += int(list[e.stay].units)
			inside = append(inside, e.stay)
			if o.Surely = max(o.Surely, units); units > o.K && was <= o.K {
				o.definite(func() Crowd { return l.crowd(list, inside) })
				seam.open(e.at)
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
		if max(was, units) > o.K && was != units {
			seam.stay(l.certainPart(&list[e.stay]))
		}
		if was > o.K && units <= o.K {
			seam.close(e.at)
		}
	}
	if !seam.not && seam.Count > 0 && seam.Count == o.Count && !l.complete && !l.traced && !l.lined {
		o.Seams = &seam.Seams // nothing passes either, and times are times
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

// A level is what a node may have in use between two of its events: no event of its stays
// is between them.
type level struct {
	from, to int64 // this may be so at these times
	units    int
	after    int32 // the event after which it is so; none: before all
	// peak: only the event itself, at which a stay begins and is over.
	peak bool
}

// levels lists what a node may have in use by its stays.
func (l *Log) levels(list []stay, stays []int32) (ls []level) {
	type turn struct {
		event int32
		units int32 // that begin; below 0: that end
		late  bool  // it ends a stay that begins at the same event
	}
	var turns []turn
	for _, i := range stays {
		s := &list[i]
		turns = append(turns, turn{s.early, s.units, false})
		if s.late != none {
			turns = append(turns, turn{s.late, -s.units, s.late == s.early})
		}
	}
	slices.SortFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.event, b.event), one(a.late)-one(b.late), cmp.Compare(a.units, b.units))
	})
	units := 0
	for k, t := range turns {
		units += int(t.units)
		v := level{from: never, to: ever, units: units, after: t.event}
		if t.event != none {
			v.from = l.recs[t.event].begin
		}
		switch {
		case k+1 < len(turns) && turns[k+1].event == t.event:
			if t.units < 0 || !turns[k+1].late {
				continue
			}
			v.to, v.peak = l.recs[t.event].end, true
		case k+1 < len(turns):
			v.to = l.recs[turns[k+1].event].end
		}
		if units > 0 {
			ls = append(ls, v)
		}
	}
	return ls
}

// sweepPossible finds the largest number of units that may be in use at once. At any
// moment each node may be at any of its levels that the times allow.
func (o *Occupancy) sweepPossible(l *Log, list []stay, edges []edge) {
	byNode := l.byNode(list)
	var all []level
	var of []int32 // the node of each level
	for node, stays := range byNode {
		for _, v := range l.levels(list, stays) {
			k := int32(len(all))
			edges = append(edges, edge{v.from, k, possibleBegin}, edge{v.to, k, possibleEnd})
			all = append(all, v)
			of = append(of, int32(node))
		}
	}
	sortEdges(edges)
	nodes := make([]local, len(byNode))
	total, bestAt := 0, int64(0)
	for _, e := range edges {
		n := &nodes[of[e.stay]]
		total -= n.max
		n.count(all[e.stay].units, e.kind == possibleBegin)
		if total += n.max; total > o.Possibly {
			o.Possibly, bestAt = total, e.at
		}
	}
	if o.Possibly <= o.K {
		return
	}
	// Once more those that may be inside at that moment.
	best := make([]*level, len(byNode))
	for i := range all {
		v := &all[i]
		if b := best[of[i]]; v.from <= bestAt && bestAt <= v.to && (b == nil || v.units > b.units) {
			best[of[i]] = v
		}
	}
	var inside []int32
	for node, v := range best {
		for _, i := range byNode[node] {
			if v != nil && v.has(&list[i]) {
				inside = append(inside, i)
			}
		}
	}
	o.possible(l, list, inside)
}

// has reports whether a stay is part of a level of its node.
func (v *level) has(s *stay) bool {
	return s.early <= v.after && (s.late == none || s.late > v.after || v.peak && s.late == s.early)
}

// byNode lists the possible stays of each node.
func (l *Log) byNode(list []stay) [][]int32 {
	of := make([][]int32, len(l.Nodes))
	for i := range list {
		if list[i].possible {
			node := l.recs[list[i].enter].node
			of[node] = append(of[node], int32(i))
		}
	}
	return of
}

// A local has the levels at which a node may be at a moment.
type local struct {
	sizes []int // numbers of levels by units
	max   int   // the most units
}

// count adds a level, or removes it.
func (n *local) count(units int, add bool) {
	if add {
		for len(n.sizes) <= units {
			n.sizes = append(n.sizes, 0)
		}
		n.sizes[units]++
		n.max = max(n.max, units)
		return
	}
	n.sizes[units]--
	for n.max > 0 && n.sizes[n.max] == 0 {
		n.max--
	}
}

func weight(list []stay, set []int32) (units int) {
	for _, i := range set {
		units += int(list[i].units)
	}
	return units
}
