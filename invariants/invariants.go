// Package invariants holds the properties that are the same for all algorithms,
// written once: at most k inside, no starvation, deadlock freedom, questions of
// capacity, and the forms of liveness. A spec gives them its own name, sentence and source with As.
package invariants

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// For has the properties of models whose states are S: For[state]{}.AtMost(1).
type For[S any] struct{}

// Of has the properties of compositions with local states L, messages M and histories H. A model declares
// one: var claims invariants.Of[local, message, model.None].
type Of[L, M, H any] struct{ For[model.Global[L, M, H]] }

// AtMost is the invariant that live processes use at most k units at once: Composition.Units or System.Units
// returns the number that a process uses.
func (For[S]) AtMost(k int) model.Property[S] {
	return model.Property[S]{
		Name: "at-most-k", Kind: model.Invariant,
		Doc:   "live processes never use more than k units at once",
		OfUse: func(used, _ int) bool { return used <= k },
	}
}

// NoStarvation is the property that no live process waits in a quiet state. If every run
// ends, this means that every request is served.
func (Of[L, M, H]) NoStarvation(waits func(l *L) bool) model.Property[model.Global[L, M, H]] {
	return model.Property[model.Global[L, M, H]]{
		Name: "no-starvation", Kind: model.Quiet,
		Doc:     "when nothing is left to do but crashes, no live process waits",
		Idle:    "nobody ever waits",
		OfLocal: func(g *model.Global[L, M, H], p model.Proc) bool { return !waits(g.Local(p)) },
	}
}

// CanReach is the question whether k units can be in use at once.
func (For[S]) CanReach(k int) model.Property[S] {
	return model.Property[S]{
		Name: "can-reach-k", Kind: model.Reachable,
		Doc:   "k units can be in use at once",
		OfUse: func(used, _ int) bool { return used >= k },
	}
}

// Enough returns the reason why no algorithm can have more than k units in use at once: at most k are
// requested at a time. Each request of process p is for units[p]; nil: one. "": more are requested.
func Enough(k int, rounds, units []int, nw model.Network) string {
	asked := 0
	for p, r := range rounds {
		switch {
		case !requests(p, r, nw):
		case units == nil:
			asked++
		default:
			asked += units[p]
		}
	}
	switch {
	case asked > k:
		return ""
	case asked == 1:
		return "at most 1 unit is ever requested"
	}
	return fmt.Sprintf("at most %d units are ever requested at a time", asked)
}

// requests reports whether process p, which has r rounds, may ever request.
func requests(p, r int, nw model.Network) bool { return r != 0 && !nw.Dead.Has(model.Proc(p)) }

// requesters counts the processes that may request.
func requesters(rounds []int, nw model.Network) (n int) {
	for p, r := range rounds {
		if requests(p, r, nw) {
			n++
		}
	}
	return n
}

// Because returns the reason why if a condition holds, and otherwise "": the argument of MootIf, TrivialIf
// and ExcusedBy.
func Because(holds bool, why string) string {
	if holds {
		return why
	}
	return ""
}

func onlySome(n int) string {
	switch n {
	case 0:
		return "no process ever requests"
	case 1:
		return "only one process ever requests"
	}
	return fmt.Sprintf("only %d processes ever request", n)
}

// DeadlockFreedom is the property that every reachable state has a successor.
func (For[S]) DeadlockFreedom(source string) model.Property[S] {
	return model.Property[S]{
		Name: "deadlock-freedom", Kind: model.DeadlockFree, Source: source,
		Doc: "every reachable state has a successor",
	}
}

// Always is the invariant that every state satisfies holds.
func (For[S]) Always(name, doc string, holds func(*S) bool) model.Property[S] {
	return model.Property[S]{Name: name, Doc: doc, Kind: model.Invariant, Holds: holds}
}

// AtRest is the property that every quiet state satisfies holds.
func (For[S]) AtRest(name, doc string, holds func(*S) bool) model.Property[S] {
	return model.Property[S]{Name: name, Doc: doc, Kind: model.Quiet, Holds: holds}
}

// Can is the question whether some run comes to a state that satisfies goal.
func (For[S]) Can(name, doc string, goal func(*S) bool) model.Property[S] {
	return model.Property[S]{Name: name, Doc: doc, Kind: model.Reachable, Holds: goal}
}

// Step is the property that every step of the named actions satisfies holds.
func (For[S]) Step(name, doc string, holds func(from *S, by model.Proc, to *S) bool,
	actions ...string) model.Property[S] {
	return model.Property[S]{Name: name, Doc: doc, Kind: model.StepInvariant, HoldsStep: holds,
		Steps: actions}
}

// Guilty is the Blame of all live processes that are guilty, with the offence.
func (Of[L, M, H]) Guilty(offence string, guilty func(g *model.Global[L, M, H], p model.Proc) bool) func(
	func(model.Proc) string, *model.Global[L, M, H], model.Proc, *model.Global[L, M, H]) (model.Set, string) {
	return func(_ func(model.Proc) string, _ *model.Global[L, M, H], _ model.Proc,
		g *model.Global[L, M, H]) (who model.Set, _ string) {
		for p := range model.Proc(g.N) {
			if g.Live(p) && guilty(g, p) {
				who = who.With(p)
			}
		}
		return who, offence
	}
}

// Without is the invariant that no live process has an offence, which its local state shows; "": it has none.
// A violation blames the first process that has one.
func (Of[L, M, H]) Without(name, doc string, offence func(name func(model.Proc) string, p model.Proc,
	l *L) string) model.Property[model.Global[L, M, H]] {
	type global = model.Global[L, M, H]
	unnamed := func(model.Proc) string { return "" }
	return model.Property[global]{Name: name, Doc: doc, Kind: model.Invariant,
		OfLocal: func(g *global, p model.Proc) bool { return offence(unnamed, p, g.Local(p)) == "" },
		Blame: func(name func(model.Proc) string, _ *global, _ model.Proc, g *global) (model.Set, string) {
			for p := range model.Proc(g.N) {
				if text := offence(name, p, g.Local(p)); g.Live(p) && text != "" {
					return model.SetOf(p), text
				}
			}
			return 0, ""
		}}
}

// Acting is the Blame of the process that takes a step, with its offence.
func (Of[L, M, H]) Acting(offence func(name func(model.Proc) string, from *model.Global[L, M, H],
	by model.Proc, to *model.Global[L, M, H]) string) func(
	func(model.Proc) string, *model.Global[L, M, H], model.Proc, *model.Global[L, M, H]) (model.Set, string) {
	return func(name func(model.Proc) string, from *model.Global[L, M, H], by model.Proc,
		to *model.Global[L, M, H]) (model.Set, string) {
		return model.SetOf(by), offence(name, from, by, to)
	}
}

// Locally is the invariant that the local state of every live process satisfies holds.
func (Of[L, M, H]) Locally(name, doc string, holds func(l *L) bool) model.Property[model.Global[L, M, H]] {
	return model.Property[model.Global[L, M, H]]{Name: name, Doc: doc, Kind: model.Invariant,
		OfLocal: func(g *model.Global[L, M, H], p model.Proc) bool { return holds(g.Local(p)) }}
}

// LocallyElse is Locally with the offence of the processes whose local states do not satisfy holds.
func (c Of[L, M, H]) LocallyElse(offence, name, doc string,
	holds func(l *L) bool) model.Property[model.Global[L, M, H]] {
	return c.Locally(name, doc, holds).Blaming(c.Guilty(offence,
		func(g *model.Global[L, M, H], p model.Proc) bool { return !holds(g.Local(p)) }))
}

// Exclusion has the claims about an algorithm of k-mutual exclusion, in which a process uses one unit at a
// time.
type Exclusion[L, M, H any] struct {
	K       int
	Rounds  []int // of each process: the number of its requests
	Network model.Network
	Waits   func(l *L) bool              // the process has requested a unit and has none yet
	Made    func(p model.Proc, l *L) int // the requests that the process has made
}

// Main are the properties at-most-k, no-starvation and requests-served, which source claims. The last is
// checked only on request where all rounds end.
func (x Exclusion[L, M, H]) Main(source string) []model.Property[model.Global[L, M, H]] {
	var claims Of[L, M, H]
	return []model.Property[model.Global[L, M, H]]{
		claims.AtMost(x.K).From(source).TrivialIf(Enough(x.K, x.Rounds, nil, x.Network)),
		claims.NoStarvation(x.Waits).From(source),
		claims.RequestsServed(len(x.Rounds), x.Waits).From(source).
			OnlyOnRequest(!slices.Contains(x.Rounds, model.Forever)).
			ExcusedBy(Because(requesters(x.Rounds, x.Network) < len(x.Rounds),
				"a process that is dead or has no rounds never requests")),
	}
}

// Capacity are the questions can-reach-k and can-reach-min, with the source of each. The second is whether
// min(k, live) units can be in use at once, also from later states. These are, for every r up to the
// largest number of rounds that is not Forever, the states with at least k live processes that have at
// least r rounds left each.
func (x Exclusion[L, M, H]) Capacity(source, sourceMin string) []model.Property[model.Global[L, M, H]] {
	type global = model.Global[L, M, H]
	least := model.Property[global]{
		Name: "can-reach-min", Kind: model.Reachable, Source: sourceMin,
		Doc:   "as many units as processes are live, up to k, can be in use at once",
		OfUse: func(used, live int) bool { return used >= min(x.K, live) },
	}
	most, asking := 0, requesters(x.Rounds, x.Network)
	for _, n := range x.Rounds {
		if n != model.Forever {
			most = max(most, n)
		}
	}
	for r := range most + 1 {
		least.Origins = append(least.Origins, model.Origin[global]{
			Name: fmt.Sprintf("k live, %d rounds left", r),
			In: func(g *global) bool {
				left := func(p model.Proc) bool { return x.Rounds[p]-x.Made(p, g.Local(p)) >= r }
				return g.Every(left) && g.N-g.Dead.Len() >= x.K
			},
		})
	}
	all := For[global]{}.CanReach(x.K).From(source)
	if asking < x.K {
		all.Moot = fmt.Sprintf("%s, so k=%d units are never in use at once", onlySome(asking), x.K)
	}
	if live := len(x.Rounds) - x.Network.Crashes; asking < min(x.K, live) {
		least.Moot = fmt.Sprintf("%s, and at least %d are always live", onlySome(asking), live)
	}
	return []model.Property[global]{all, least}
}

// MessagesTotal bounds the messages of whole runs for each request. It judges runs in which nobody
// crashed and all requests were served.
func (x Exclusion[L, M, H]) MessagesTotal(least, most int) model.Property[model.Global[L, M, H]] {
	return MessagesTotal(least, most, func(g *model.Global[L, M, H]) (requests int) {
		if g.Dead != 0 || g.InUse() > 0 || g.Count(x.Waits) > 0 {
			return 0
		}
		for p := range model.Proc(g.N) {
			requests += x.Made(p, g.Local(p))
		}
		return requests
	})
}

// Messages bounds the cost of a request: the messages charged to a process from a step
// named opens to the next one named closes, both included. If most is 0 there is no upper limit.
// It is checked on request only, because it takes the graph of all states.
func (For[S]) Messages(opens, closes string, least, most int) model.Property[S] {
	return model.Property[S]{
		Name: "messages", Kind: model.Costs, OnRequest: true,
		Doc: fmt.Sprintf("from %s to %s a process is charged %s messages", opens, closes,
			limits(least, most)),
		Cost: &model.Cost[S]{Bound: model.Bound{Opens: []string{opens}, Closes: []string{closes},
			Least: least, Most: most}},
	}
}

// MessagesTotal bounds all messages of whole runs, for each request that is served. served
// returns the number of these in a run that ends in a state; 0: the bound is not about the run.
func MessagesTotal[S any](least, most int, served func(*S) int) model.Property[S] {
	return model.Property[S]{
		Name: "messages-total", Kind: model.Costs, OnRequest: true,
		Doc: fmt.Sprintf("a whole run in which all are served takes %s messages for each request",
			limits(least, most)),
		Cost: &model.Cost[S]{Bound: model.Bound{Least: least, Most: most}, Served: served},
	}
}

func limits(least, most int) string {
	switch {
	case most == 0:
		return fmt.Sprintf("at least %d", least)
	case least == 0:
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// NoRun returns the property that no fair run has the form of one of the lassos.
func NoRun[S any](name, doc string, ls ...model.Lasso[S]) model.Property[S] {
	return model.Property[S]{Name: name, Kind: model.Liveness, Doc: doc, Lassos: ls}
}

// Eventually is the property that a run which begins in a state where begins holds
// comes to a state where p does: begins => <>p. Nil for begins is every initial state.
func Eventually[S any](begins, p func(*S) bool) model.Property[S] {
	return NoRun("eventually", "sooner or later p holds", model.Lasso[S]{Start: begins, Initially: true,
		Never: p})
}

// AlwaysEventually is the property that p holds infinitely often: []<>p.
func AlwaysEventually[S any](p func(*S) bool) model.Property[S] {
	return NoRun("always-eventually", "p holds again and again", model.Lasso[S]{Avoids: p})
}

// EventuallyAlways is the property that from some point on p holds for ever: <>[]p.
func EventuallyAlways[S any](p func(*S) bool) model.Property[S] {
	return NoRun("eventually-always", "from some point on p holds for ever", model.Lasso[S]{
		Visits: []func(*S) bool{func(s *S) bool { return !p(s) }},
	})
}

// LeadsTo is the property that whenever p holds, q holds then or later: [](p => <>q).
func LeadsTo[S any](p, q func(*S) bool) model.Property[S] {
	return NoRun("leads-to", "whenever p holds, q holds then or later", model.Lasso[S]{Start: p, Never: q})
}

// InfinitelyOften is the property that q holds infinitely often in every run in
// which each of ps does: ([]<>p1 /\ []<>p2 ...) => []<>q.
func InfinitelyOften[S any](ps []func(*S) bool, q func(*S) bool) model.Property[S] {
	return NoRun("infinitely-often", "if each p holds again and again, q does", model.Lasso[S]{Avoids: q,
		Visits: ps})
}

// Served is the property that none of n members waits for ever.
func Served[S any](n int, waits func(s *S, i int) bool) model.Property[S] {
	var each []model.Property[S]
	for i := range n {
		each = append(each, NoRun("served", "in fair runs, nobody waits for ever",
			model.Lasso[S]{Avoids: func(s *S) bool { return !waits(s, i) }}))
	}
	return Each(each...)
}

// RequestsServed is the property that each request is served: a live process that
// waits stops waiting at some later time, or crashes. It judges runs without
// end under fairness, while NoStarvation judges the last states of runs.
func (Of[L, M, H]) RequestsServed(n int, waits func(l *L) bool) model.Property[model.Global[L, M, H]] {
	return Served(n, func(g *model.Global[L, M, H], i int) bool {
		return g.Live(model.Proc(i)) && waits(g.Local(model.Proc(i)))
	}).As("requests-served", "in fair runs, no live process waits for ever", "")
}

// Each is the property that all of ps hold, for example one for each process. They are of one
// kind: invariants, properties of quiet states or of the same steps, or Liveness properties.
// It has the name and the sentence of the first. If it is violated the report names the
// one that does not hold: by its name or, if they share a name, by the process.
func Each[S any](ps ...model.Property[S]) model.Property[S] {
	all := model.Property[S]{Each: append([]model.Property[S]{}, ps...)}
	if len(ps) > 0 {
		all.Name, all.Doc, all.Source = ps[0].Name, ps[0].Doc, ps[0].Source
		all.Kind, all.OnRequest = ps[0].Kind, ps[0].OnRequest
	}
	if len(ps) == 1 {
		all.Each[0].Name = "" // it tells nothing that the name of all does not
	}
	return all
}
