package timerfree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

const report = "INRIA report inria-00394918, "

func (a *algorithm) properties(network model.Network) []model.Property[global] {
	x := invariants.Exclusion[local, message, invariants.Answers]{K: a.k, Rounds: a.rounds, Network: network,
		Waits: (*local).waits, Made: func(p model.Proc, l *local) int { return a.rounds[p] - int(l.Rounds) }}
	main := x.Main(report + "Lemma 2") // at-most-k, no-starvation, requests-served
	suspicion := claims.Always("no-false-suspicion", "a process that a live process takes for dead is dead",
		everyLive(func(l *local, dead model.Set) bool { return l.Crashed.Set()&^dead == 0 })).
		From(report + "Lemma 1").Blaming(suspects)
	suspicion.Clear = func(g *global, p model.Proc) bool { return g.Local(p).Crashed.Empty() }
	ps := slices.Concat([]model.Property[global]{
		main[0], suspicion, main[1].From(report + "Lemma 3"), main[2].From(report + "Lemma 3"),
		claims.AtRest("all-detected",
			"when nothing is left to do but crashes, every live process takes all dead processes for dead",
			everyLive(func(l *local, dead model.Set) bool { return dead&^l.Crashed.Set() == 0 })).
			From(report + "Theorem 1").MootIf(invariants.Because(
			!a.endless() && a.n >= 2 && network.Crashes > network.Dead.Len() &&
				network.Crashable&^network.Dead != 0,
			"the rounds end, and a crash after the last request is never detected")),
		a.detectedAtLast().From(report + "Theorem 1").MootIf(invariants.Because(!a.endless(),
			"the rounds end, so that no process enters again and again")),
		claims.Without("permissions-exact", "a live process that waits has counted as many permissions as "+
			"there are processes whose permission it holds", miscount).
			From(report + "section 4.1, the variables perm_count and have_perm"),
		claims.Locally("permissions-live",
			"a live process holds no permission of a process that it takes for dead",
			func(l *local) bool { return l.HavePerm.Meet(l.Crashed).Empty() }).
			From(report + "section 4.1 on lines 24-26, and proof of Lemma 2, second case"),
	}, x.Capacity(report+"section 1", report+"section 1"), a.onRequest())
	if a.checkRP {
		ps = append(ps, invariants.ResponsivenessKept(a.responsiveness(), (*global).History).
			From(report+"section 2"))
	}
	return ps
}

// onRequest are the claims that few instances check: about single variables and steps, and the costs of
// requests.
func (a *algorithm) onRequest() []model.Property[global] {
	ps := []model.Property[global]{
		claims.Locally("at-most-f-missing", "not_rec_from of a live process holds at most f processes",
			func(l *local) bool { return l.NotRecFrom.Len() <= a.f }).
			From(report + "section 4.1, the variable not_rec_from"),
		claims.Step("told-of-silent", "if a waiting process learns from a REQUEST that q is dead, "+
			"q has not answered its current request", func(from *global, by model.Proc, to *global) bool {
			return found(from, by, to).Minus(from.Local(by).NewNotRecFrom).Empty()
		}, "receive REQUEST").From(report + "section 4.1, condition (1)").
			Blaming(claims.Acting(func(name func(model.Proc) string, from *global, by model.Proc,
				to *global) string {
				return declared(name, found(from, by, to).Minus(from.Local(by).NewNotRecFrom)) +
					", which has answered its request"
			})),
		claims.Step("granters-not-suspected", "a waiting process never begins to take a process for dead "+
			"whose permission it holds", func(from *global, by model.Proc, to *global) bool {
			return found(from, by, to).Meet(from.Local(by).HavePerm).Empty()
		}, "receive REQUEST", "receive REPLY").From(report + "proof of Lemma 2, second case").
			Blaming(claims.Acting(func(name func(model.Proc) string, from *global, by model.Proc,
				to *global) string {
				return declared(name, found(from, by, to).Meet(from.Local(by).HavePerm)) +
					", whose permission it holds"
			})),
		claims.Always("first-enters-below-k", "if fewer than k processes are inside and no message is "+
			"under way, the first of those that wait may enter", a.firstEnters).From(report + "proof of " +
			"Lemma 3").Blaming(claims.Guilty("it waits first and may not enter",
			func(g *global, p model.Proc) bool { return p == a.first(g) })),
		claims.Can("can-serve-all", "some run comes to its end, with all requests of live processes served "+
			"and all messages received", func(g *global) bool { return a.served(g) > 0 && allReceived(g) }).
			From(report + "section 2"),
		claims.Can("can-enter-with-fewer", "a process can come to be allowed to enter with fewer than n-k "+
			"permissions", func(g *global) bool {
			return g.Count(func(l *local) bool {
				return l.waits() && int(l.PermCount.Value()) < a.n-a.k && a.permitted(l)
			}) > 0
		}).From(report + "section 1"),
		invariants.MessagesTotal(2*(a.n-1), 3*(a.n-1), a.served).From(report + "section 5.2"),
		invariants.MessagesTotal(0, 2*(a.n-1), a.served).As("messages-as-raymond",
			"a whole run in which all are served takes no more messages for each request than a REQUEST "+
				"and a REPLY for each other process", report+"abstract and section 1"),
	}
	for i := range ps {
		ps[i].OnRequest = true
	}
	return ps
}

// waits reports whether the process is between a request and the critical section.
func (l *local) waits() bool { return l.State == requesting }

// found are the processes that a waiting process begins to take for dead in a step.
func found(from *global, by model.Proc, to *global) values.Group {
	if from.Local(by).State != requesting {
		return values.Group{}
	}
	return to.Local(by).Crashed.Minus(from.Local(by).Crashed)
}

// firstEnters judges a step of the proof of Lemma 3: the first waiting process has all
// permissions that it needs, if fewer than k are inside and all messages have come.
func (a *algorithm) firstEnters(g *global) bool {
	if g.InUse() >= a.k || !allReceived(g) {
		return true
	}
	first := a.first(g)
	return int(first) == a.n || a.permitted(g.Local(first))
}

// first returns the live process that waits with the first request; n: none waits.
func (a *algorithm) first(g *global) model.Proc {
	first := model.Proc(a.n)
	for i := range model.Proc(a.n) {
		if !g.Live(i) || g.Local(i).State != requesting {
			continue
		}
		if int(first) == a.n || a.precedes(g.Local(i).Last.Value(), i, g.Local(first).Last.Value(), first) {
			first = i
		}
	}
	return first
}

func allReceived(g *global) bool {
	return g.UnderWay(func(_, _ model.Proc, _ message) bool { return true }) == 0
}

// served counts the requests of the live processes at the end of a run in which all were served;
// 0 if some are left.
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

func (a *algorithm) endless() bool { return slices.Contains(a.rounds, model.Forever) }

// detectedAtLast is Theorem 1, for the runs of its proof: all live processes request and
// enter again and again. It is violated if one of them never learns of some crash.
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
		"in fair runs in which all live processes enter again and again, each of them comes to take all "+
			"dead processes for dead", lassos...)
}

// suspects blames the first process that takes a live one for dead.
func suspects(name func(model.Proc) string, _ *global, _ model.Proc, g *global) (model.Set, string) {
	for p := range model.Proc(g.N) {
		for q := range (g.Local(p).Crashed.Set() &^ g.Dead).Each() {
			if g.Live(p) {
				return model.SetOf(p), name(p) + " takes " + name(q) + " for dead, which is alive"
			}
		}
	}
	return 0, ""
}

// miscount is the offence of a process whose variables for permissions differ.
func miscount(_ func(model.Proc) string, _ model.Proc, l *local) string {
	if !l.waits() || int(l.PermCount.Value()) == l.HavePerm.Len() {
		return ""
	}
	return fmt.Sprintf("it has counted %d permissions and holds %d", l.PermCount.Value(), l.HavePerm.Len())
}

// declared says that a process takes others for dead.
func declared(name func(model.Proc) string, dead values.Group) string {
	return "it now takes " + strings.Join(dead.Set().Texts(name), ", ") + " for dead"
}

// everyLive is a property of states that each live process satisfies, by its local state and the dead.
func everyLive(holds func(l *local, dead model.Set) bool) func(*global) bool {
	return func(g *global) bool { return g.Count(func(l *local) bool { return !holds(l, g.Dead) }) == 0 }
}
