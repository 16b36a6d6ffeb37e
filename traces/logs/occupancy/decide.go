package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// decide looks for an order in which never more than k units are in use, if neither the
// holdings that overlap in every order show that there is none, nor those that may overlap that
// all orders are such.
func (o *resourceState) decide() {
	l := o.l
	if o.Count > 0 || o.Possibly <= o.K || l.Causal && l.Vectors == nil {
		return
	}
	a := newArrangement(l, o.list, o.K)
	if a.search() {
		o.Avoidable = !l.Doubtful
		return
	}
	if a.budget < 0 {
		o.Exact = false
		return
	}
	o.Certainly = max(o.Certainly, o.K+1)
	o.definite(OverlapSet{Units: o.K + 1, Shifting: true}, a.core(o.list)...)
}

// alone looks at what each node has in use in its own order.
func (o *resourceState) alone() {
	a := newArrangement(o.l, o.list, o.K)
	for _, steps := range a.steps {
		used, above := 0, false
		for i := range steps {
			var at int
			at, used = steps[i].use(used)
			o.Certainly = max(o.Certainly, at)
			if at > o.K && !above {
				o.definite(OverlapSet{}, o.certainAt(steps[i].event)...)
			}
			above = at > o.K
		}
	}
}

// certainAt lists the certain holdings of an event's node that go on at that event.
func (o *resourceState) certainAt(e int32) (stays []*holding) {
	for _, s := range o.list {
		over := s.sure.at != formats.None && (s.sure.at < e || s.sure.at == e && s.enter.at != e && s.ends())
		if s.certain && s.node == o.l.Recs[e].Node && s.enter.at <= e && !over {
			stays = append(stays, s)
		}
	}
	return stays
}

// core returns few holdings that cannot be put in order: without any one of them there is an
// order, as far as the budget allows to find that out.
func (a *arrangement) core(list []*holding) (core []*holding) {
	// What was never reached has not stood in the way.
	for _, s := range list {
		if n := slices.Index(a.nodes, s.node); s.certain && n >= 0 && a.reached(n, s.enter.at) {
			core = append(core, s)
		}
	}
	budget := searchBudget
	for size := (len(core) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(core) && budget >= 0; {
			without := slices.Delete(slices.Clone(core), from, min(from+size, len(core)))
			b := newArrangement(a.l, without, a.k)
			b.budget = budget
			found := b.search()
			budget = b.budget
			if !found && budget >= 0 {
				core = without
			} else {
				from += size
			}
		}
	}
	return core
}

// reached reports whether an event has happened in some cut, or could have been the next
// step of its node.
func (a *arrangement) reached(n int, event int32) bool {
	far := int(a.far[n])
	return far >= len(a.steps[n]) || event <= a.steps[n][far].event
}
