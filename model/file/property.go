package file

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// A propertyValue is a property that a file declares, before it is known of what.
type propertyValue struct {
	typed
	info  settings
	kind  string
	unmet func() string // why it says nothing; nil: it may not come to that
}

func (*propertyValue) Type() string { return "property" }

// about are the settings that all properties have.
var about = []string{"doc", "source", "on_request", "moot", "excuse"}

// propertyForms are the kinds of properties, with the names of the settings of each.
var propertyForms = map[string][]string{
	"invariant": {"name", "holds", "each", "inbox", "message", "count", "messages", "least", "most",
		"use", "clear"},
	"reachable":         {"name", "goal"},
	"at_end":            {"name", "holds"},
	"deadlock_free":     {"name"},
	"step_property":     {"name", "holds", "steps"},
	"eventually":        {"name", "p", "begins"},
	"always_eventually": {"name", "p"},
	"eventually_always": {"name", "p"},
	"leads_to":          {"name", "p", "q"},
	"infinitely_often":  {"name", "ps", "q"},
	"no_run":            {"name", "start", "initially", "never", "avoids", "visits"},
	"served":            {"name", "waits"},
	"at_most":           {"k", "name"},
	"can_reach":         {"k", "name"},
	"no_starvation":     {"waits", "name"},
	"messages":          {"name", "opens", "closes", "least", "most"},
	"messages_total":    {"name", "served", "least", "most"},
}

// propertyBuiltins are the functions that declare properties.
func (b *builder) propertyBuiltins(to starlark.StringDict) {
	for kind, names := range propertyForms {
		names := append(append([]string{}, names...), about...)
		to[kind] = b.builtin(kind, func(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
			s := settingsOf(kind, args, named, names...)
			p := &propertyValue{typed: typed{name: kind}, info: *s, kind: kind}
			if slices.Contains(implying, kind) {
				p.unmet = b.unmet(s)
			}
			return p, s.err
		})
	}
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
}

// properties makes the properties that a file declares.
func properties[S any](values []starlark.Value, b binding[S]) (ps []model.Property[S], err error) {
	for _, v := range values {
		p, ok := v.(*propertyValue)
		if !ok {
			return nil, fmt.Errorf(
				"properties: %w",
				misfit(v, "what invariant(...), reachable(...) and the others return"),
			)
		}
		s := p.info
		one := property(p.kind, &s, b)
		if name := s.text("name"); name != "" {
			one.Name = name
		}
		if doc := s.text("doc"); doc != "" {
			one.Doc = doc
		}
		one.Source, one.OnRequest = s.text("source"), s.flag("on_request")
		one.Unmet = p.unmet
		one.Moot, one.Excuse = s.text("moot"), s.text("excuse")
		for i := range one.Each {
			one.Each[i].OnRequest = one.OnRequest
		}
		if s.err != nil {
			return nil, s.err
		}
		ps = append(ps, one)
	}
	return ps, nil
}

func property[S any](kind string, s *settings, b binding[S]) (p model.Property[S]) {
	switch kind {
	case "invariant":
		p = model.Property[S]{Kind: model.Invariant}
		if f := s.function("use"); f != nil {
			p.OfUse = func(used, live int) bool {
				return holds(&call{what: "a property"}, f, number(used),
					number(live))
			}
		}
		if f := s.function("holds"); f != nil {
			p.Holds = b.state(f)
		}
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
			Doc: "when nothing is left to do but crashes, nobody waits",
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
	if f := s.needs(name); f != nil {
		return b.state(f)
	}
	return nil
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
