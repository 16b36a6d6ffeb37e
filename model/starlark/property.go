package starfile

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/property"
)

// A binding answers questions about states.
type binding[S any] struct {
	b       *builder
	members int
	names   []string // of the members
	// at is about a state and a member, as of is about the state: a question is about one member only.
	at func(q *question, s *S, member int) int
	// of is about a state, one about a state and a member, and taken about a step of a process.
	of    func(q *question, s *S) int
	one   func(q *question, s *S, member int) int
	taken func(q *question, from *S, by model.Proc, to *S) int
	// image is the state of another model to which a state is mapped.
	image func(q *inquiry[string], s *S) string
	// parts sets the parts of an invariant about single processes and messages.
	parts func(p *model.Property[S], s *settings)
}

// predicate makes a predicate of states; nil: there is no function.
func (b *binding[S]) predicate(f starlark.Callable) func(*S) bool {
	if f == nil {
		return nil
	}
	q := b.b.question(f, conditions)
	return func(s *S) bool { return b.of(q, s) != 0 }
}

// about is predicate for a function that may take a member, too.
func (b *binding[S]) about(f starlark.Callable, member int) func(*S) bool {
	if !takesMember(f) {
		return b.predicate(f)
	}
	q := b.b.question(f, conditions)
	return func(s *S) bool { return b.at(q, s, member) != 0 }
}

func takesMember(f starlark.Callable) bool {
	of, is := f.(*starlark.Function)
	return is && arity(of) == 2
}

// chosen are the members that a property is about: all, or the processes of a role.
func (b *binding[S]) chosen(s *settings) (all []int) {
	of := setting[*roleValue](s, "of", "a role")
	for i := range b.members {
		if of == nil || of.has(i+1) {
			all = append(all, i)
		}
	}
	return all
}

// each makes a function of states and members; nil: there is no function.
func (b *binding[S]) each(f starlark.Callable, want string) func(*S, int) int {
	if f == nil || b.members == 0 {
		return nil
	}
	q := b.b.question(f, want)
	return func(s *S, i int) int { return b.one(q, s, i) }
}

// eachHolds is each for a condition.
func (b *binding[S]) eachHolds(f starlark.Callable) func(*S, int) bool {
	ask := b.each(f, conditions)
	if ask == nil {
		return nil
	}
	return func(s *S, i int) bool { return ask(s, i) != 0 }
}

func properties[S any](set *settings, b *binding[S]) (ps []model.Property[S]) {
	const allowed = "what invariant(...), reachable(...) and the others return"
	for _, s := range listOf(set, "properties", allowed, having("on_request")) {
		if s.of == "implements" && s.refines == nil {
			continue // of an abstraction
		}
		p := perMember(s, b)
		p.Name, p.Doc = cmp.Or(s.text("name"), p.Name), cmp.Or(s.text("doc"), p.Doc)
		p.Source, p.OnRequest = s.text("source"), s.flag("on_request")
		if slices.Contains(implying, s.of) {
			p.Unmet = b.b.unmet(s)
		}
		p.Moot, p.Excuse = s.text("moot"), s.text("excuse")
		for i := range p.Each {
			p.Each[i].Name, p.Each[i].OnRequest = b.names[b.chosen(s)[i]], p.OnRequest
		}
		switch units := set.given("units") != nil || len(set.roles) > 0; {
		case (s.of == "at_most" || s.of == "can_reach") && !units:
			s.fail("units is missing in %s(...): how many units are in use", set.of)
		case s.of == "served" && b.members == 0:
			s.fail("it is about members; system(members = ...) lists them")
		}
		twice := func(o model.Property[S]) bool { return o.Name == p.Name && p.Name != "" }
		if slices.ContainsFunc(ps, twice) {
			s.fail("two properties are called %s", p.Name)
		}
		set.err = cmp.Or(set.err, s.err)
		if ps = append(ps, p); s.of == "implements" {
			ps = append(ps, beginnings(p, s.refines, b))
		}
	}
	return ps
}

// perMember makes a property, or one for each member if its functions take a member.
func perMember[S any](s *settings, b *binding[S]) (p model.Property[S]) {
	if s.of == "implements" {
		return implementing(s.refines, b)
	}
	var parts []model.Property[S]
	for _, name := range []string{"p", "q", "holds", "begins"} {
		f, is := s.given(name).(starlark.Callable)
		if is && parts == nil && s.of != "step_property" && takesMember(f) {
			parts = mapped(b.chosen(s), func(i int) model.Property[S] { return propertyOf(s, b, i) })
			if parts == nil {
				s.fail("%s takes a member, and no member exists; allowed: system(members = ...), or of = "+
					"a role that has processes here", name)
			}
		}
	}
	if parts == nil {
		asks := func(f string) bool { return s.given(f) != nil }
		if asks("of") && !slices.ContainsFunc([]string{"waits", "each", "count", "clear"}, asks) {
			s.fail("of is the role of the members that a function takes, and none takes a member")
		}
		return propertyOf(s, b, none)
	}
	return invariants.Each(parts...)
}

// propertyOf makes a property, of a member if its functions take one. A function that has to be given and is
// not leaves an error in the settings.
func propertyOf[S any](s *settings, b *binding[S], member int) (p model.Property[S]) {
	state := func(name string) func(*S) bool { return b.about(s.needs(name), member) }
	maybe := func(name string) func(*S) bool { return b.about(s.function(name), member) }
	states := func(name string) []func(*S) bool {
		return mapped(listOf(s, name, "functions", cast[starlark.Callable]), b.predicate)
	}
	switch s.of {
	case "invariant":
		p = model.Property[S]{Kind: model.Invariant, Holds: maybe("holds")}
		if f := s.function("use"); f != nil {
			q := b.b.question(f, conditions)
			p.OfUse = func(used, live int) bool { return q.answer(number(used), number(live)) != 0 }
		}
		b.parts(&p, s)
	case "reachable":
		p = model.Property[S]{Kind: model.Reachable, Holds: state("goal")}
	case "at_end":
		p = model.Property[S]{Kind: model.Quiet, Holds: state("holds")}
	case "deadlock_free":
		p = invariants.For[S]{}.DeadlockFreedom("")
	case "step_property":
		p = model.Property[S]{Kind: model.StepInvariant, Steps: []string{property.AnyStep}}
		if s.given("steps") != nil {
			p.Steps = s.strings("steps")
		}
		q := b.b.question(s.needs("holds"), conditions)
		p.HoldsStep = func(from *S, by model.Proc, to *S) bool { return b.taken(q, from, by, to) != 0 }
	case "at_most":
		p = invariants.For[S]{}.AtMost(s.whole("k", 1))
	case "can_reach":
		p = invariants.For[S]{}.CanReach(s.whole("k", 1))
	case "no_starvation", "served":
		p = waiting(s.of, b.chosen(s), b.eachHolds(s.needs("waits")))
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

// waiting makes the property that each member that waits is served, or that in no quiet state a member waits.
func waiting[S any](of string, members []int, waits func(*S, int) bool) model.Property[S] {
	if of == "served" {
		return invariants.Served(len(members), func(s *S, k int) bool { return waits(s, members[k]) })
	}
	return model.Property[S]{
		Name: "no-starvation", Kind: model.Quiet, Idle: "nobody ever waits",
		Doc: "when nothing is left to do but crashes, nobody waits",
		Holds: func(s *S) bool {
			return !slices.ContainsFunc(members, func(i int) bool { return waits(s, i) })
		},
	}
}

func costs[S any](s *settings, b *binding[S]) model.Property[S] {
	bound := model.Bound{Least: s.whole("least", 0), Most: s.whole("most", 0)}
	if s.of == "messages" {
		bound.Opens, bound.Closes = s.strings("opens"), s.strings("closes")
		return model.Property[S]{Name: s.of, Kind: model.Costs, Cost: &model.Cost[S]{Bound: bound},
			Doc: "requests cost messages within bounds"}
	}
	q := b.b.question(s.needs("served"), counts)
	return invariants.MessagesTotal(bound.Least, bound.Most, func(s *S) int { return b.of(q, s) })
}
