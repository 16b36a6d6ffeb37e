package starfile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
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
	for _, s := range listOf(set, "properties", allowed, isProperty) {
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
			p.Each[i].OnRequest = p.OnRequest
		}
		s.incomplete(set, b.members)
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

// incomplete fails if a property is about what the model does not declare.
func (s *settings) incomplete(of *settings, members int) {
	switch units := of.given("units") != nil || len(of.roles) > 0; {
	case (s.of == "at_most" || s.of == "can_reach") && !units:
		s.fail("units is missing in %s(...): how many units are in use", of.of)
	case s.of == "served" && members == 0:
		s.fail("it is about members; system(members = ...) lists them")
	}
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
			for _, i := range b.chosen(s) {
				parts = append(parts, propertyOf(s, b, i))
			}
			if parts == nil {
				s.fail("%s takes a member; system(members = ...) lists them", name)
			}
		}
	}
	if parts == nil {
		return propertyOf(s, b, none)
	}
	p = invariants.Each(parts...)
	for k, i := range b.chosen(s) {
		p.Each[k].Name = b.names[i]
	}
	return p
}

// propertyOf makes a property, of a member if its functions take one. A function that has to be given and is
// not leaves an error in the settings.
func propertyOf[S any](s *settings, b *binding[S], member int) (p model.Property[S]) {
	state := func(name string) func(*S) bool { return b.about(s.needs(name), member) }
	maybe := func(name string) func(*S) bool { return b.about(s.function(name), member) }
	states := func(name string) (all []func(*S) bool) {
		for _, f := range listOf(s, name, "functions", cast[starlark.Callable]) {
			all = append(all, b.predicate(f))
		}
		return all
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
		p = model.Property[S]{Kind: model.StepInvariant, Steps: s.strings("steps")}
		q := b.b.question(s.needs("holds"), conditions)
		p.HoldsStep = func(from *S, by model.Proc, to *S) bool { return b.taken(q, from, by, to) != 0 }
	case "at_most":
		p = invariants.For[S]{}.AtMost(s.whole("k", 1))
	case "can_reach":
		p = invariants.For[S]{}.CanReach(s.whole("k", 1))
	case "no_starvation":
		p = nobodyWaits(b.chosen(s), b.eachHolds(s.needs("waits")))
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
		p = served(b.chosen(s), b, b.eachHolds(s.needs("waits")))
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

func served[S any](members []int, b *binding[S], waits func(*S, int) bool) model.Property[S] {
	p := invariants.Served(len(members), func(s *S, k int) bool { return waits(s, members[k]) })
	for k, i := range members {
		p.Each[k].Name = b.names[i]
	}
	return p
}

// nobodyWaits makes the property that in no quiet state a member waits.
func nobodyWaits[S any](members []int, waits func(*S, int) bool) model.Property[S] {
	return model.Property[S]{
		Name: "no-starvation", Kind: model.Quiet, Idle: "nobody ever waits",
		Doc: "when nothing is left to do but crashes, nobody waits",
		Holds: func(s *S) bool {
			for _, i := range members {
				if waits(s, i) {
					return false
				}
			}
			return true
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

// An invariant `not p or q` is vacuous if p never holds, and all(... for x in y) if y is always empty. So a
// value that records its evaluation is put there in properties: `not p or (seen and q)`. That costs no call;
// a remembered result was evaluated before.

// A premise is such a place.
type premise struct {
	typed
	why  string
	seen atomic.Bool
}

// Truth records that the place was evaluated.
func (p *premise) Truth() starlark.Bool {
	if !p.seen.Load() {
		p.seen.Store(true)
	}
	return true
}

// premises finds the places in the properties of a file.
type premises struct {
	b     *builder
	lines []string
	defs  map[string]syntax.Node     // functions and other values, by name
	known map[syntax.Node][]*premise // of functions that were searched
	all   []*premise                 // of the function that is searched
}

// implying are the properties that may be vacuous.
var implying = []string{"invariant", "at_end", "step_property"}

// notePremises changes a file so that it records which premises ever hold.
func (b *builder) notePremises(f *syntax.File, source []byte) {
	p := &premises{b: b, lines: strings.Split(string(source), "\n"), defs: map[string]syntax.Node{},
		known: map[syntax.Node][]*premise{}}
	for _, stmt := range f.Stmts {
		switch n := stmt.(type) {
		case *syntax.DefStmt:
			p.defs[n.Name.Name] = n
		case *syntax.AssignStmt:
			if name := nameOf(n.LHS); name != "" {
				p.defs[name] = n.RHS
			}
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if call, is := n.(*syntax.CallExpr); is && slices.Contains(implying, nameOf(call.Fn)) {
			for _, x := range call.Args {
				p.argument(x)
			}
		}
		return true
	})
}

// argument searches an argument of a property, if it is a function.
func (p *premises) argument(x syntax.Expr) {
	if named, is := x.(*syntax.BinaryExpr); is && named.Op == syntax.EQ {
		x = named.Y
	}
	var f syntax.Node = unwrapped(x)
	if name := nameOf(x); name != "" {
		f = p.defs[name]
	}
	if f != nil {
		p.b.premises[start(f).String()] = p.function(f, true)
	}
}

// function searches a function that is called, or stands in a property.
func (p *premises) function(f syntax.Node, positive bool) []*premise {
	if found, is := p.known[f]; is {
		return found
	}
	outer := p.all
	p.known[f], p.all = nil, nil
	if c := closureAt(f, nil); c != nil {
		for _, stmt := range c.Body {
			if end, is := stmt.(*syntax.ReturnStmt); is && end.Result != nil {
				p.condition(end.Result, positive)
			}
		}
	}
	p.known[f], p.all = p.all, outer
	return p.known[f]
}

// condition searches a condition that is to hold, or is not to hold.
func (p *premises) condition(e syntax.Expr, positive bool) {
	switch e := unwrapped(e).(type) {
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			p.condition(e.X, !positive)
		}
	case *syntax.CondExpr:
		inner := e.True
		if nameOf(e.False) == "True" && positive && ofState(e.Cond) {
			p.note(&e.True, e.Cond, "holds in no state", neverAsked)
		}
		p.condition(inner, positive)
		p.condition(e.False, positive)
	case *syntax.BinaryExpr:
		if e.Op == syntax.OR || e.Op == syntax.AND {
			p.operator(e, positive)
		}
	case *syntax.CallExpr:
		p.call(e, positive)
	}
}

// operator searches the operands of `and` or `or`. The first decides whether the second is evaluated.
func (p *premises) operator(e *syntax.BinaryExpr, positive bool) {
	places := append(operands(&e.X, e.Op), operands(&e.Y, e.Op)...)
	var parts []syntax.Expr
	for _, at := range places {
		parts = append(parts, *at)
	}
	if of := parts[0]; positive == (e.Op == syntax.OR) && ofState(of) {
		when, other := "holds in every state", "holds in no state"
		if e.Op == syntax.AND {
			when, other = other, when
		}
		if not, is := unwrapped(of).(*syntax.UnaryExpr); is && not.Op == syntax.NOT {
			of, when = not.X, other
		}
		p.note(places[1], of, when, neverAsked)
	}
	for _, x := range parts {
		p.condition(x, positive)
	}
}

// operands are the places of the operands of one operator, in brackets or not.
func operands(e *syntax.Expr, op syntax.Token) []*syntax.Expr {
	if inner, is := unwrapped(*e).(*syntax.BinaryExpr); is && inner.Op == op {
		return append(operands(&inner.X, op), operands(&inner.Y, op)...)
	}
	return []*syntax.Expr{e}
}

const neverAsked = ", so what follows is never asked"

func (p *premises) call(e *syntax.CallExpr, positive bool) {
	name := nameOf(e.Fn)
	switch {
	case (name == "all" || name == "any") && len(e.Args) == 1:
		c, is := e.Args[0].(*syntax.Comprehension)
		if !is || c.Curly {
			return
		}
		body := c.Body
		if positive == (name == "all") && slices.ContainsFunc(c.Clauses, ofState) {
			p.note(&c.Body, e, "has nothing to go through in any state", "")
		}
		p.condition(body, positive)
	case p.defs[name] != nil:
		p.all = append(p.all, p.function(p.defs[name], positive)...)
	}
}

// note puts a premise in front of an expression that depends on it.
func (p *premises) note(at *syntax.Expr, of syntax.Expr, when, after string) {
	where := start(of)
	made := &premise{why: fmt.Sprintf("%s %s (line %d)%s", textOf(of, p.lines), when, where.Line, after)}
	p.all = append(p.all, made)
	name := "&" + strconv.Itoa(len(p.b.library)) // no file can write it
	p.b.library[name] = made
	*at = &syntax.BinaryExpr{
		X: &syntax.Ident{NamePos: where, Name: name}, OpPos: where, Op: syntax.AND, Y: *at,
	}
}

// ofState reports whether a part of a file may depend on the state: it reads a field or calls a function.
func ofState(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr, *syntax.IndexExpr:
			found = true
		case *syntax.CallExpr:
			found = found || !starlark.Universe.Has(nameOf(n.Fn))
		}
		return !found
	})
	return found
}

// unmet returns a function that explains why a property is vacuous, as far as it was evaluated; nil for a
// property that cannot be.
func (b *builder) unmet(s *settings) func() string {
	var all []*premise
	for _, v := range s.fields {
		if f, is := v.(*starlark.Function); is {
			all = append(all, b.premises[f.Position().String()]...)
		}
	}
	if all == nil || s.given("clear") != nil { // then it is not asked of every state
		return nil
	}
	return func() string {
		for _, p := range all {
			if !p.seen.Load() {
				return p.why
			}
		}
		return ""
	}
}
