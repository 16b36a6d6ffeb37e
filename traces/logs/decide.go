package logs

import "slices"

// decide looks for an order in which never more than k units are in use, if neither the
// stays that overlap in every order show that there is none, nor those that may overlap that
// all orders are such.
func (o *Occupancy) decide(l *Log, list []stay) {
	if o.Count > 0 || o.Possibly <= o.K || l.causal && l.vectors == nil {
		return
	}
	a := newArrangement(l, list, o.K)
	if a.search() {
		o.Avoidable = !l.doubtful
		return
	}
	if a.budget < 0 {
		o.Exact = false
		return
	}
	o.Surely = max(o.Surely, o.K+1)
	core := a.core(list)
	o.definite(func() Crowd {
		c := l.crowd(list, core)
		c.Units, c.Shifting = o.K+1, true
		return c
	})
}

// alone looks at what each node has in use in its own order.
func (o *Occupancy) alone(l *Log, list []stay) {
	a := newArrangement(l, list, o.K)
	for _, steps := range a.steps {
		used, above := 0, false
		for i := range steps {
			var at int
			at, used = steps[i].use(used)
			o.Surely = max(o.Surely, at)
			if at > o.K && !above {
				o.definite(func() Crowd { return l.crowd(list, l.certainAt(list, steps[i].event)) })
			}
			above = at > o.K
		}
	}
}

// certainAt lists the certain stays of an event's node that go on at that event.
func (l *Log) certainAt(list []stay, e int32) (stays []int32) {
	for i := range list {
		s := &list[i]
		over := s.sure != none && (s.sure < e || s.sure == e && s.enter != e && l.ends(s))
		if s.certain && l.recs[s.enter].node == l.recs[e].node && s.enter <= e && !over {
			stays = append(stays, int32(i))
		}
	}
	return stays
}

// core returns few stays that cannot be put in order: without any one of them there is an
// order, as far as the budget allows to find that out.
func (a *arrangement) core(list []stay) (core []int32) {
	// What was never reached has not stood in the way.
	for i := range list {
		s := &list[i]
		if n := slices.Index(a.nodes, a.l.recs[s.enter].node); s.certain && n >= 0 && a.reached(n, s.enter) {
			core = append(core, int32(i))
		}
	}
	budget := searchBudget
	for size := (len(core) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(core) && budget >= 0; {
			without := slices.Delete(slices.Clone(core), from, min(from+size, len(core)))
			b := newArrangement(a.l, pick(list, without), a.k)
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

func pick(list []stay, some []int32) (picked []stay) {
	for _, i := range some {
		picked = append(picked, list[i])
	}
	return picked
}
