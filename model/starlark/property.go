package starfile

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// A propertyValue is a property that a file declares, before it is known of what.
type propertyValue struct {
	typed
	info  settings
	unmet func() string // why it says nothing; nil: it may not come to that
}

func (*propertyValue) Type() string { return "property" }

// property is what the functions that declare properties do.
func (b *builder) property(s *settings) (starlark.Value, error) {
	p := &propertyValue{typed: typed{name: s.of}, info: *s}
	if slices.Contains(implying, s.of) {
		p.unmet = b.unmet(s)
	}
	return p, nil
}

// A binding makes functions of states of what a file says.
type binding[S any] interface {
	// state makes a predicate of states, and member one of states and one of those who act.
	state(f starlark.Callable) func(*S) bool
	member(f starlark.Callable, i int) func(*S) bool
	count(f starlark.Callable) func(*S) int
	taken(f starlark.Callable) func(from *S, by model.Proc, to *S) bool
	// parts fills in what an invariant says of single processes and messages.
	parts(p *model.Property[S], s *settings)
	members() int
	builder() *builder
}

// properties makes the properties that a file declares.
func properties[S any](set *settings, b binding[S]) (ps []model.Property[S]) {
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

func property[S any](s *settings, b binding[S]) (p model.Property[S]) {
	switch kind := s.of; kind {
	case "invariant":
		p = model.Property[S]{Kind: model.Invariant}
		if f := s.function("use"); f != nil {
			q := b.builder().predicate(f)
			p.OfUse = func(used, live int) bool { return q.answer(number(used), number(live)) }
		}
		p.Holds = optional(s, b, "holds")
		b.parts(&p, s)
	case "reachable":
		p = model.Property[S]{Kind: model.Reachable, Holds: predicate(s, b, "goal")}
	case "at_end":
		p = model.Property[S]{Kind: model.Quiet, Holds: predicate(s, b, "holds")}
	case "deadlock_free":
		p = invariants.For[S]{}.DeadlockFreedom("")
	case "step_property":
		p = model.Property[S]{Kind: model.StepInvariant, Steps: s.strings("steps")}
		if f := s.needs("holds"); f != nil {
			p.HoldsStep = b.taken(f)
		}
	case "at_most":
		p = invariants.For[S]{}.AtMost(s.whole("k", 1))
	case "can_reach":
		p = invariants.For[S]{}.CanReach(s.whole("k", 1))
	case "no_starvation":
		p = model.Property[S]{
			Name: "no-starvation", Kind: model.Quiet,
			Doc:  "when nothing is left to do but crashes, nobody waits",
			Idle: "nobody ever waits",
		}
		p.Holds = nobody(s.needs("waits"), b)
	case "messages", "messages_total":
		p = costs(kind, s, b)
	default:
		p = lasting(kind, s, b)
	}
	return p
}

// predicate returns the predicate of a setting, which has to be given.
func predicate[S any](s *settings, b binding[S], name string) func(*S) bool {
	s.needs(name)
	return optional(s, b, name)
}

// optional is predicate, of a setting that need not be given.
func optional[S any](s *settings, b binding[S], name string) func(*S) bool {
	if f := s.function(name); f != nil {
		return b.state(f)
	}
	return nil
}

// nobody makes a predicate that holds where f holds of nobody.
func nobody[S any](f starlark.Callable, b binding[S]) func(*S) bool {
	if f == nil {
		return nil
	}
	each := ofEach(f, b)
	return func(s *S) bool {
		for _, waits := range each {
			if waits(s) {
				return false
			}
		}
		return true
	}
}

// ofEach makes a predicate of one of those who act for each of them.
func ofEach[S any](f starlark.Callable, b binding[S]) (each []func(*S) bool) {
	for i := range b.members() {
		each = append(each, b.member(f, i))
	}
	return each
}

// lasting makes properties of runs without end.
func lasting[S any](kind string, s *settings, b binding[S]) model.Property[S] {
	switch kind {
	case "eventually":
		return invariants.Eventually(optional(s, b, "begins"), predicate(s, b, "p"))
	case "always_eventually":
		return invariants.AlwaysEventually(predicate(s, b, "p"))
	case "eventually_always":
		return invariants.EventuallyAlways(predicate(s, b, "p"))
	case "leads_to":
		return invariants.LeadsTo(predicate(s, b, "p"), predicate(s, b, "q"))
	case "infinitely_often":
		return invariants.InfinitelyOften(predicates(s, b, "ps"), predicate(s, b, "q"))
	case "served":
		f := s.needs("waits")
		if f == nil {
			return model.Property[S]{}
		}
		each := ofEach(f, b)
		return invariants.Served(len(each), func(g *S, i int) bool { return each[i](g) })
	}
	return invariants.NoRun(kind, "no such run", model.Lasso[S]{
		Start: optional(s, b, "start"), Initially: s.flag("initially"), Never: optional(s, b, "never"),
		Avoids: optional(s, b, "avoids"), Visits: predicates(s, b, "visits"),
	})
}

func predicates[S any](s *settings, b binding[S], name string) (all []func(*S) bool) {
	for _, v := range s.list(name) {
		f, ok := v.(starlark.Callable)
		if !ok {
			s.fail("%s holds %s; allowed: functions", name, short(v))
			return nil
		}
		all = append(all, b.state(f))
	}
	return all
}

// costs makes bounds on messages.
func costs[S any](kind string, s *settings, b binding[S]) model.Property[S] {
	bound := model.Bound{Least: s.whole("least", 0), Most: s.whole("most", 0)}
	p := model.Property[S]{Name: "messages", Kind: model.Costs, Doc: "requests cost messages within bounds"}
	if kind == "messages" {
		bound.Opens, bound.Closes = s.strings("opens"), s.strings("closes")
		p.Cost = &model.Cost[S]{Bound: bound}
		return p
	}
	p.Name = "messages-total"
	if f := s.needs("served"); f != nil {
		p.Cost = &model.Cost[S]{Bound: bound, Served: b.count(f)}
	}
	return p
}
