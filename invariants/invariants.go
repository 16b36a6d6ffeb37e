package invariants

import (
	"fmt"

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

// silent returns the reason why a property of each process's requests holds vacuously for some of
// them; "": all request.
func silent(rounds []int, dead model.Set) string {
	for p, r := range rounds {
		if r == 0 || dead.Has(model.Proc(p)) {
			return "a process that is dead or has no rounds never requests"
		}
	}
	return ""
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

// Accuse is the Blame of the first live process that has an offence.
func (Of[L, M, H]) Accuse(offence func(name func(model.Proc) string, g *model.Global[L, M, H],
	p model.Proc) string) func(func(model.Proc) string, *model.Global[L, M, H], model.Proc,
	*model.Global[L, M, H]) (model.Set, string) {
	return func(name func(model.Proc) string, _ *model.Global[L, M, H], _ model.Proc,
		g *model.Global[L, M, H]) (model.Set, string) {
		for p := range model.Proc(g.N) {
			if text := offence(name, g, p); g.Live(p) && text != "" {
				return model.SetOf(p), text
			}
		}
		return 0, ""
	}
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
