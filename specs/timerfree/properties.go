package timerfree

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

func (a *algorithm) properties(network model.Network) []model.Property[global] {
	const paper = "INRIA report inria-00394918, "
	ps := []model.Property[global]{
		claims.AtMost(a.k).From(paper + "Lemma 2").
			TrivialIf(invariants.Enough(a.k, a.rounds, nil, network)),
		{
			Name: "no-false-suspicion", Kind: model.Invariant, Source: paper + "Lemma 1",
			Doc:   "whoever a live process takes for dead is dead",
			Holds: everyLive(func(l *local, dead model.Set) bool { return l.Crashed.Set()&^dead == 0 }),
			Clear: func(g *global, p model.Proc) bool { return g.Local(p).Crashed.Empty() },
		},
		claims.NoStarvation(func(l *local) bool {
			return l.State == requesting
		}).
			From(paper + "Lemma 3"),
		claims.RequestsServed(a.n,
			func(l *local) bool { return l.State == requesting }).
			From(paper + "Lemma 3").OnlyOnRequest(!a.endless()).ExcusedBy(invariants.Silent(a.rounds,
			network.Dead)),
		{
			Name: "all-detected", Kind: model.Quiet, Source: paper + "Theorem 1", Moot: a.tooLate(network),
			Doc:   "when nothing is left to do but crashes, every live process takes all the dead for dead",
			Holds: everyLive(func(l *local, dead model.Set) bool { return dead&^l.Crashed.Set() == 0 }),
		},
		a.detectedAtLast().From(paper + "Theorem 1").MootIf(a.rare()),
		{
			Name: "permissions-exact", Kind: model.Invariant, Source: paper + "section 4.1, the variables " +
				"perm_count and have_perm",
			Doc: "a live process that waits has counted as many permissions as there are processes " +
				"whose permission " +
				"it holds",
			OfLocal: func(g *global, p model.Proc) bool {
				l := g.Local(p)
				return l.State != requesting || int(l.PermCount.Value()) == l.HavePerm.Len()
			},
		},
		{
			Name: "permissions-live", Kind: model.Invariant, Source: paper +
				"section 4.1 on lines 24-26, and proof " +
				"of Lemma 2, second case",
			Doc: "a live process holds no permission of a process that it takes for dead",
			OfLocal: func(g *global, p model.Proc) bool {
				return g.Local(p).HavePerm.Meet(g.Local(p).Crashed).
					Empty()
			},
		},
		claims.CanReach(a.k).From(paper + "section 1").
			MootIf(invariants.Few(a.k, a.rounds, network)),
		claims.CanReachMin(a.k, a.rounds,
			func(l *local) int { return int(l.Rounds) }).
			From(paper + "section 1").MootIf(invariants.FewMin(a.k, a.rounds, network)),
	}
	ps = append(ps, a.onRequest(paper)...)
	if a.checkRP {
		ps = append(ps, invariants.ResponsivenessKept(a.responsiveness(), (*global).History).
			From(paper+"section 2"))
	}
	return ps
}

// onRequest are the claims that are asked of few instances: what the text says of single
// variables and steps, and what requests cost.
func (a *algorithm) onRequest(paper string) []model.Property[global] {
	most := 3 * (a.n - 1)
	ps := []model.Property[global]{
		{
			Name: "at-most-f-missing", Kind: model.Invariant, Source: paper +
				"section 4.1, the variable not_rec_from",
			Doc:     "not_rec_from of a live process holds at most f processes",
			OfLocal: func(g *global, p model.Proc) bool { return g.Local(p).NotRecFrom.Len() <= a.f },
		},
		{
			Name: "told-of-silent", Kind: model.StepInvariant, Source: paper + "section 4.1, condition (1)",
			Steps: []string{"receive REQUEST"},
			Doc: "whom a waiting process learns from a REQUEST to be dead has not answered its " +
				"current request",
			HoldsStep: func(from *global, by model.Proc, to *global) bool {
				return found(from, by, to).Minus(from.Local(by).NewNotRecFrom).Empty()
			},
		},
		{
			Name: "granters-not-suspected", Kind: model.StepInvariant, Source: paper +
				"proof of Lemma 2, second case",
			Steps: []string{"receive REQUEST", "receive REPLY"},
			Doc:   "a waiting process does not begin to take a process for dead whose permission it holds",
			HoldsStep: func(from *global, by model.Proc, to *global) bool {
				return found(from, by, to).Meet(from.Local(by).HavePerm).Empty()
			},
		},
		{
			Name: "first-enters-below-k", Kind: model.Invariant, Source: paper + "proof of Lemma 3",
			Doc: "if fewer than k processes are inside and no message is under way, the first of " +
				"those that wait " +
				"may enter",
			Holds: a.firstEnters,
		},
		{
			Name: "can-serve-all", Kind: model.Reachable, Source: paper + "section 2",
			Doc: "some run comes to its end, with all requests of live processes served and all " +
				"messages received",
			Holds: func(g *global) bool { return a.served(g) > 0 && allReceived(g) },
		},
		{
			Name: "can-enter-with-fewer", Kind: model.Reachable, Source: paper + "section 1",
			Doc: "a process can come to be allowed to enter with fewer than n-k permissions",
			Holds: func(g *global) bool {
				return g.Count(func(l *local) bool {
					return l.State == requesting && int(l.PermCount.Value()) < a.n-a.k && a.permitted(l)
				}) > 0
			},
		},
		invariants.MessagesTotal(2*(a.n-1), most, a.served).From(paper + "section 5.2"),
		invariants.MessagesTotal(0, 2*(a.n-1), a.served).
			As("messages-as-raymond",
				"a whole run in which all are served takes no more messages for each request "+
					"than "+
					"a REQUEST and a REPLY for each other process", paper+"abstract and section 1"),
	}
	for i := range ps {
		ps[i].OnRequest = true
	}
	return ps
}

// found are those whom a waiting process begins to take for dead in a step.
func found(from *global, by model.Proc, to *global) values.Group {
	if from.Local(by).State != requesting {
		return values.Group{}
	}
	return to.Local(by).Crashed.Minus(from.Local(by).Crashed)
}

// firstEnters judges a step of the proof of Lemma 3: the first of those that wait has all
// permissions that it needs, if there are fewer than k inside and all messages have come.
func (a *algorithm) firstEnters(g *global) bool {
	if g.InUse() >= a.k {
		return true
	}
	if !allReceived(g) {
		return true
	}
	first := model.Proc(a.n)
	for i := range model.Proc(a.n) {
		if !g.Live(i) || g.Local(i).State != requesting {
			continue
		}
		if int(first) == a.n || a.precedes(g.Local(i).Last.Value(), i, g.Local(first).Last.Value(), first) {
			first = i
		}
	}
	return int(first) == a.n || a.permitted(g.Local(first))
}

// allReceived reports whether no message is under way.
func allReceived(g *global) bool {
	for i := range model.Proc(g.N) {
		if len(g.Inbox(i)) > 0 {
			return false
		}
	}
	return true
}

// served counts the requests of a run that ends with all of them served, of the processes that
// are live then; 0 if some are left, or if there were none.
func (a *algorithm) served(g *global) (requests int) {
	for i := range model.Proc(a.n) {
		l := g.Local(i)
		switch {
		case !g.Live(i):
		case l.State != notRequesting || l.Rounds > 0:
			return 0
		default:
			requests += a.rounds[i]
		}
	}
	return requests
}

// rare says why no run enters again and again; "" if some may.
func (a *algorithm) rare() string {
	if a.endless() {
		return ""
	}
	return "the rounds end, so that nobody enters again and again"
}

// tooLate says why some crash is never detected by construction; "" if all may be.
func (a *algorithm) tooLate(nw model.Network) string {
	if a.endless() || a.n < 2 || nw.Crashes == nw.Dead.Len() || nw.Crashable&^nw.Dead == 0 {
		return ""
	}
	return "the rounds end, and who crashes after the last request is never looked for"
}

// endless reports whether some process requests for ever.
func (a *algorithm) endless() bool { return slices.Contains(a.rounds, model.Forever) }

// detectedAtLast is Theorem 1, of the runs that its proof is about: all live processes
// request and enter again and again. It is violated if one of them goes without
// knowing of some crash for ever.
func (a *algorithm) detectedAtLast() model.Property[global] {
	var others []func(*global) bool
	for j := range model.Proc(a.n) {
		others = append(others,
			func(g *global) bool { return !g.Live(j) || g.Local(j).State == notRequesting },
			func(g *global) bool { return !g.Live(j) || g.Local(j).State == cs })
	}
	var lassos []model.Lasso[global]
	for i := range model.Proc(a.n) {
		lassos = append(lassos, model.Lasso[global]{
			Avoids: func(g *global) bool { return !g.Live(i) || g.Dead&^g.Local(i).Crashed.Set() == 0 },
			Visits: others,
		})
	}
	return invariants.NoRun("detected-at-last",
		"in fair runs in which all live processes enter again and again, each of them takes "+
			"all the dead for "+
			"dead at last", lassos...)
}

// everyLive makes a property of states of one of local states and who is dead.
func everyLive(holds func(l *local, dead model.Set) bool) func(*global) bool {
	return func(g *global) bool { return g.Count(func(l *local) bool { return !holds(l, g.Dead) }) == 0 }
}
