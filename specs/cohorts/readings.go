package cohorts

import "github.com/atmostk/atmostk/model"

// Readings of Figure 1 and of the cases of Probe, and mode=gather.

// timed is the time of a new request: its number, or with clock=lamport the time of the clock.
func (a *algorithm) timed(l *requester) uint8 {
	if !a.lamport {
		return l.Round
	}
	l.Clock++
	return l.Clock
}

// counted is the number of grants that the cases of Probe count: with probe=more-than, "more than" x nodes,
// one less.
func (a *algorithm) counted(granted int) int {
	if a.moreThan {
		return granted - 1
	}
	return granted
}

// returned is the set S that Probe(C_i, g) returns, any of its size. With surplus=at-once the other nodes of
// C_i are released.
func (a *algorithm) returned(loc *local, size int, out *outbox) model.Set {
	l := &loc.Requester
	i := int(l.Index)
	s := pick(a.within(l.G, i), size, out)
	if a.surplus == "at-once" {
		giveBack(loc, a.Cohorts[i-1]&^s, out)
	}
	return s
}

// giveBack releases nodes before the exit.
func giveBack(loc *local, nodes model.Set, out *outbox) {
	l := &loc.Requester
	l.G &^= nodes
	l.P &^= nodes
	sendAll(nodes&^loc.Down, message{kind: release, ts: l.TS}, out)
}

func pick(s model.Set, size int, out *outbox) model.Set {
	var subsets []model.Set
	for t := s; ; t = (t - 1) & s { // all subsets of s
		if t.Len() == size {
			subsets = append(subsets, t)
		}
		if t == 0 {
			return subsets[out.Pick(len(subsets))]
		}
	}
}

// walk is Figure 1 over all grants held, through the cohorts probed: what each
// Probe returns, C_m first, and the g that is left. It returns false if some Probe
// would not return.
func (a *algorithm) walk(l *requester) (results []result, g int, ok bool) {
	g = int(l.Left)
	for i := len(a.Cohorts); i >= int(l.Index) && g > 0; i-- {
		r := a.probe(i, g, a.within(l.G, i).Len())
		if r.size == 0 {
			return nil, g, false
		}
		results = append(results, r)
		switch {
		case i == 1:
			g = 0
		case r.primary:
			g--
		}
	}
	return results, g, true
}

// extend probes the next cohort when the cohorts probed have granted all that Probe asks
// of them (mode=gather); with mode=repaired only when every node of the last one has
// answered.
func (a *algorithm) extend(_ model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if l.State != waiting {
		return false
	}
	if _, g, ok := a.walk(l); !ok || g == 0 {
		return false
	}
	if a.repaired && a.Cohorts[l.Index-1]&^(l.Answered|loc.Down) != 0 {
		return false
	}
	a.request(loc, int(l.Index)-1, out) // C_1 leaves no g
	return true
}

// enter ends Get_Quorum when the walk succeeds (mode=gather or repaired).
func (a *algorithm) enter(_ model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if l.State != waiting {
		return false
	}
	results, g, ok := a.walk(l)
	if !ok || g > 0 {
		return false
	}
	for j, r := range results {
		l.R |= pick(a.within(l.G, len(a.Cohorts)-j), r.size, out)
	}
	if a.surplus == "at-once" {
		giveBack(loc, l.P&^l.R, out)
	}
	l.State = cs
	l.Answered, l.Asked = 0, 0
	return true
}
