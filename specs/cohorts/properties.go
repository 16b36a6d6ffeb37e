package cohorts

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

func (a *algorithm) properties(nw model.Network) []model.Property[global] {
	least, most := a.messages()
	contended := ""
	if a.requesters() > 1 || nw.Crashes > 0 {
		contended = "section 4 claims it of runs without conflicts and failures"
	}
	return []model.Property[global]{
		claims.AtMost(a.K).
			As("units", "live requesters in the critical section use at most k units", paper+", section 3").
			TrivialIf(invariants.Enough(a.K, a.rounds, a.h, model.Network{})),
		{
			Name: "exclusive", Kind: model.Invariant, Source: paper + ", section 3",
			Doc:   "no node is in the sets R of two requesters in the critical section",
			Holds: disjoint(quorumsInCS), Clear: empty(quorumsInCS),
		},
		oneGrant(),
		{
			Name: "has-quorums", Kind: model.Invariant, Source: paper + ", section 3",
			Doc: "in the critical section R contains h disjoint quorums",
			OfLocal: every(func(l *requester) bool {
				return l.State != cs || a.Contains(l.R, int(l.H))
			}),
		},
		{
			Name: "returned-held", Kind: model.Invariant, Source: paper + ", Figure 1",
			Doc:     "the grants that Probe has returned are still held",
			OfLocal: every(func(l *requester) bool { return l.R&^l.G == 0 }),
		},
		cleanEnded(),
		{
			Name: "best-primaries", Kind: model.Invariant, Source: paper + ", section 4",
			Doc:  "R takes its primary cohorts among the last h, as it does without failures and conflicts",
			Moot: contended,
			OfLocal: every(func(l *requester) bool {
				return l.inCS(l.R)&^a.last(int(l.H)) == 0
			}),
		},
		{
			Name: "deadlock-freedom", Kind: model.Quiet, Source: paper + ", section 3",
			Doc: "when nothing is left to do but crashes, every live requester is served, stays, or " +
				"cannot be served by the nodes that are up",
			Holds: a.deadlockFree,
		},
		allServed(a.requesters(), a.waits),
		claims.Messages("start", "exit", 0, most).From(paper + ", section 4"),
		invariants.MessagesTotal(least, most, served).From(paper + ", section 4"),
	}
}

// allServed is the property that none of so many requesters waits for ever in a fair
// run; those that are excused do not count as waiting. It takes the graph of all states, and
// is checked on request.
func allServed[S any](requesters int, waits func(s *S, i int) bool) model.Property[S] {
	return invariants.Served(requesters, waits).
		As("all-served", "in fair runs every live requester is served in the end, or cannot be by the "+
			"nodes that are up", paper+", section 3").
		OnlyOnRequest(true)
}

// waits reports whether a live requester waits and is not excused.
func (a *algorithm) waits(g *global, i int) bool {
	l := &g.Local(model.Proc(i)).Requester
	return g.Live(model.Proc(i)) && l.State == waiting && a.Contains(a.Nodes()&^g.Dead, int(l.H))
}

// messages returns section 4's bounds on the messages of a request: 3ch in the best
// case, where ch is the size of the last h cohorts, for the smallest h of a requester;
// and 6n.
func (a *algorithm) messages() (least, most int) {
	return 3 * a.last(slices.Min(a.h)).Len(), 6 * a.Nodes().Len()
}

// served returns how many requests were made in a run without crashes that ends in a
// quiet state, if all are served.
func served(g *global) (requests int) {
	if g.Dead != 0 || g.Count(func(l *local) bool { return l.Requester.State != idle }) > 0 {
		return 0
	}
	for p := range model.Proc(g.N) {
		requests += int(g.Local(p).Requester.Round)
	}
	return requests
}

// oneGrant is what makes h disjoint quorums exclude others.
func oneGrant() model.Property[global] {
	return model.Property[global]{
		Name: "one-grant", Kind: model.Invariant, Source: paper + ", section 2, on the earlier algorithm",
		Doc:   "no two requesters hold the grant of one node",
		Holds: disjoint(grants), Clear: empty(grants),
	}
}

// cleanEnded: everything that was granted is given back.
func cleanEnded() model.Property[global] {
	return model.Property[global]{
		Name: "clean-end", Kind: model.Quiet, Source: paper + ", section 4",
		Doc: "after a run without crashes in which all are served and no message is left, no " +
			"node is locked",
		Holds: cleanEnd,
	}
}

func quorumsInCS(l *requester) model.Set { return l.inCS(l.R) }
func grants(l *requester) model.Set      { return l.G }

// inCS returns s if the requester is in the critical section, or else nothing.
func (l *requester) inCS(s model.Set) model.Set {
	if l.State != cs {
		return 0
	}
	return s
}

// every makes a property of states of one of live requesters.
func every(holds func(l *requester) bool) func(*global, model.Proc) bool {
	return func(g *global, p model.Proc) bool { return holds(&g.Local(p).Requester) }
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

// empty is where disjoint need not be asked.
func empty(of func(l *requester) model.Set) func(*global, model.Proc) bool {
	return every(func(l *requester) bool { return of(l) == 0 })
}

// last returns the last h cohorts.
func (a *algorithm) last(h int) (nodes model.Set) {
	for _, c := range a.Cohorts[max(0, len(a.Cohorts)-h):] {
		nodes |= c
	}
	return nodes
}

// cleanEnd judges quiet states: nobody who is idle has a round left there.
func cleanEnd(g *global) bool {
	if g.Dead != 0 || g.Count(func(l *local) bool { return l.Requester.State != idle }) > 0 {
		return true
	}
	return g.Count(func(l *local) bool { return l.Arbiter.Lock.TS != 0 }) == 0
}

// deadlockFree judges quiet states.
func (a *algorithm) deadlockFree(g *global) bool {
	up := a.Nodes() &^ g.Dead
	stuck := false
	for p := range model.Proc(a.requesters()) {
		l := &g.Local(p).Requester
		if !g.Live(p) || l.State == idle || l.State == cs && a.stays(p) {
			continue
		}
		stuck = stuck || a.Contains(up, int(l.H))
	}
	return !stuck
}
