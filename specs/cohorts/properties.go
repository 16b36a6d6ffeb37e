package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

func (a *algorithm) properties(nw model.Network) []model.Property[global] {
	exclusive := claims.Always("exclusive", "no node is in the sets R of two requesters in the critical "+
		"section",
		disjoint(quorumsInCS)).From(paper + ", section 3")
	exclusive.Clear = empty(quorumsInCS)
	return slices.Concat([]model.Property[global]{
		a.units(a.K, paper+", section 3"),
		exclusive,
		oneGrant(),
		every("has-quorums", "in the critical section R contains h disjoint quorums",
			func(l *requester) bool {
				return l.State != cs || a.Contains(l.R, int(l.H))
			}).From(paper + ", section 3"),
		every("returned-held", "the grants that Probe has returned are still held",
			func(l *requester) bool { return l.R&^l.G == 0 }).From(paper + ", Figure 1"),
		cleanEnd("no node is locked", paper+", section 4"),
		every("best-primaries",
			"R takes its primary cohorts among the last h, as it does without failures and conflicts",
			func(l *requester) bool { return quorumsInCS(l)&^a.last(int(l.H)) == 0 }).
			From(paper + ", section 4").
			Blaming(claims.Guilty("it uses a cohort that is not among the last h",
				func(g *global, p model.Proc) bool {
					l := &g.Local(p).Requester
					return quorumsInCS(l)&^a.last(int(l.H)) != 0
				})).MootIf(invariants.Because(len(a.h) > 1 || nw.Crashes > 0,
			"section 4 claims it of runs without conflicts and failures")),
		a.deadlockFree(a.can, paper+", section 3"),
		a.allServed(a.can),
	}, a.costs(a.messages()))
}

// can reports whether a requester can be served by the nodes that are up.
func (a *algorithm) can(up model.Set, l *requester) bool { return a.Contains(a.Nodes()&up, int(l.H)) }

// messages returns section 4's bounds on the messages of a request: 3ch in the best
// case, where ch is the size of the last h cohorts, for the smallest h of a requester;
// and 6n.
func (a *algorithm) messages() (least, most int, source string) {
	return 3 * a.last(slices.Min(a.h)).Len(), 6 * a.Nodes().Len(), paper + ", section 4"
}

// oneGrant is the reason why h disjoint quorums exclude other requesters.
func oneGrant() model.Property[global] {
	p := claims.Always("one-grant", "no two requesters hold the grant of one node", disjoint(grants)).
		From(paper + ", section 2, on the earlier algorithm")
	p.Clear = empty(grants)
	return p
}

func grants(l *requester) model.Set { return l.G }

// quorumsInCS is R in the critical section, and otherwise empty.
func quorumsInCS(l *requester) model.Set {
	if l.State != cs {
		return 0
	}
	return l.R
}

// every is an invariant of all live requesters.
func every(name, doc string, holds func(l *requester) bool) model.Property[global] {
	return claims.Locally(name, doc, func(l *local) bool { return holds(&l.Requester) })
}

// disjoint is the property that no node is in the sets of two live requesters.
func disjoint(of func(l *requester) model.Set) func(*global) bool {
	return func(g *global) bool {
		var seen model.Set
		for p := range model.Proc(g.N) {
			if !g.Live(p) {
				continue
			}
			s := of(&g.Local(p).Requester)
			if s&seen != 0 {
				return false
			}
			seen |= s
		}
		return true
	}
}

// empty is Property.Clear of disjoint.
func empty(of func(l *requester) model.Set) func(*global, model.Proc) bool {
	return func(g *global, p model.Proc) bool { return of(&g.Local(p).Requester) == 0 }
}

// last returns the last h cohorts.
func (a *algorithm) last(h int) (nodes model.Set) {
	for _, c := range a.Cohorts[max(0, len(a.Cohorts)-h):] {
		nodes |= c
	}
	return nodes
}
