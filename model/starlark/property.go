package starfile

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// A propertyValue is a property that a file declares, before it is known whether it is about a system or
// about processes.
type propertyValue struct {
	typed
	info  settings
	unmet func() string // why it is vacuous; nil: it cannot be
}

func (*propertyValue) Type() string { return "property" }

// property is what the functions do that declare properties.
func (b *builder) property(s *settings) (starlark.Value, error) {
	p := &propertyValue{typed: typed{name: s.of}, info: *s}
	if slices.Contains(implying, s.of) {
		p.unmet = b.unmet(s)
	}
	return p, nil
}

// A binding makes functions of states of questions.
type binding[S any] struct {
	b       *builder
	members int
	// of is about a state, one about a state and a member, and taken about a step of a process.
	of    func(q *question) func(*S) int
	one   func(q *question, member int) func(*S) int
	taken func(q *question) func(from *S, by model.Proc, to *S) int
	// parts sets the parts of an invariant about single processes and messages.
	parts func(p *model.Property[S], s *settings)
}

// predicate makes a predicate of states; nil: there is no function.
func (b *binding[S]) predicate(f starlark.Callable) func(*S) bool {
	if f == nil {
		return nil
	}
	ask := b.of(b.b.question(f, conditions))
	return func(s *S) bool { return ask(s) != 0 }
}

// each makes functions of states, one for each member; none: there is no function.
func (b *binding[S]) each(f starlark.Callable, want string) (each []func(*S) int) {
	for i := 0; f != nil && i < b.members; i++ {
		each = append(each, b.one(b.b.question(f, want), i))
	}
	return each
}

// properties makes the properties that a file declares.
func properties[S any](set *settings, b *binding[S]) (ps []model.Property[S]) {
	for _, v := range set.list("properties") {
		p, ok := v.(*propertyValue)
		if !ok {
			set.fail("properties: %v", misfit(v, "what invariant(...), reachable(...) and the others return"))
			return nil
		}
		s := p.info
		one := property(&s, b)
		one.Name, one.Doc = cmp.Or(s.text("name"), one.Name), cmp.Or(s.text("doc"), one.Doc)
		one.Source, one.OnRequest = s.text("source"), s.flag("on_request")
		one.Unmet = p.unmet
		one.Moot, one.Excuse = s.text("moot"), s.text("excuse")
		for i := range one.Each {
			one.Each[i].OnRequest = one.OnRequest
		}
		if s.err != nil {
			set.err = cmp.Or(set.err, s.err)
			return nil
		}
		ps = append(ps, one)
	}
	return ps
}

// property makes a property. A function that has to be given and is not leaves an error in the settings.
func property[S any](s *settings, b *binding[S]) (p model.Property[S]) {
	state := func(name string) func(*S) bool { return b.predicate(s.needs(name)) }
	maybe := func(name string) func(*S) bool { return b.predicate(s.function(name)) }
	states := func(name string) (all []func(*S) bool) {
		for _, f := range s.functions(name) {
			all = append(all, b.predicate(f))
		}
		return all
	}
	switch s.of {
	case "invariant":
		p = model.Property[S]{Kind: model.Invariant, Holds: maybe("holds"), OfUse: b.b.ofUse(s.function("use"))}
		b.parts(&p, s)
	case "reachable":
		p = model.Property[S]{Kind: model.Reachable, Holds: state("goal")}
	case "at_end":
		p = model.Property[S]{Kind: model.Quiet, Holds: state("holds")}
	case "deadlock_free":
		p = invariants.For[S]{}.DeadlockFreedom("")
	case "step_property":
		p = model.Property[S]{Kind: model.StepInvariant, Steps: s.strings("steps")}
		if f := s.needs("holds"); f != nil {
			ask := b.taken(b.b.question(f, conditions))
			p.HoldsStep = func(from *S, by model.Proc, to *S) bool { return ask(from, by, to) != 0 }
		}
	case "at_most":
		p = invariants.For[S]{}.AtMost(s.whole("k", 1))
	case "can_reach":
		p = invariants.For[S]{}.CanReach(s.whole("k", 1))
	case "no_starvation":
		p = nobodyWaits(b.each(s.needs("waits"), conditions))
	case "eventually":
		p = invariants.Eventually(maybe("begins"), state("p"))
	case "always_eventually":
		p = invariants.AlwaysEventually(state("p"))
	case "eventually_always":
		p = invariants.EventuallyAlways(state("p"))
	case "leads_to":
		p = invariants.LeadsTo(state("p"), state("q"))
	case "infinitely_often":
		p = invariants.InfinitelyOften(states("ps"), state("q"))
	case "served":
		each := b.each(s.needs("waits"), conditions)
		p = invariants.Served(len(each), func(g *S, i int) bool { return each[i](g) != 0 })
	case "no_run":
		p = invariants.NoRun(s.of, "no such run", model.Lasso[S]{
			Start: maybe("start"), Initially: s.flag("initially"), Never: maybe("never"),
			Avoids: maybe("avoids"), Visits: states("visits"),
		})
	case "messages", "messages_total":
		p = costs(s, b)
	}
	return p
}

// ofUse makes a predicate of the units in use and the number of live processes; nil: there is no function.
func (b *builder) ofUse(f starlark.Callable) func(used, live int) bool {
	if f == nil {
		return nil
	}
	q := b.question(f, conditions)
	return func(used, live int) bool { return q.answer(number(used), number(live)) != 0 }
}

// nobodyWaits makes a property of quiet states.
func nobodyWaits[S any](waits []func(*S) int) model.Property[S] {
	return model.Property[S]{
		Name: "no-starvation", Kind: model.Quiet, Idle: "nobody ever waits",
		Doc: "when nothing is left to do but crashes, nobody waits",
		Holds: func(s *S) bool {
			return !slices.ContainsFunc(waits, func(waits func(*S) int) bool { return waits(s) != 0 })
		},
	}
}

// costs makes bounds on messages.
func costs[S any](s *settings, b *binding[S]) model.Property[S] {
	bound := model.Bound{Least: s.whole("least", 0), Most: s.whole("most", 0)}
	p := model.Property[S]{Name: "messages", Kind: model.Costs, Doc: "requests cost messages within bounds"}
	if s.of == "messages" {
		bound.Opens, bound.Closes = s.strings("opens"), s.strings("closes")
		p.Cost = &model.Cost[S]{Bound: bound}
		return p
	}
	p.Name = "messages-total"
	if f := s.needs("served"); f != nil {
		p.Cost = &model.Cost[S]{Bound: bound, Served: b.of(b.b.question(f, counts))}
	}
	return p
}
