package starfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

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
	defs  map[string]syntax.Node              // functions and other values, by name
	known map[bool]map[syntax.Node][]*premise // of searched functions, which are to hold or not to
	all   []*premise                          // of the function that is searched
}

// implying are the properties that may be vacuous.
var implying = []string{"invariant", "at_end", "step_property"}

// notePremises changes a file so that it records which premises ever hold.
func (b *builder) notePremises(f *syntax.File, source []byte) {
	p := &premises{b: b, lines: strings.Split(string(source), "\n"), defs: map[string]syntax.Node{},
		known: map[bool]map[syntax.Node][]*premise{false: {}, true: {}}}
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
	if found, is := p.known[positive][f]; is {
		return found
	}
	outer := p.all
	p.known[positive][f], p.all = nil, nil
	if c := closureAt(f, nil); c != nil {
		for _, stmt := range c.Body {
			if end, is := stmt.(*syntax.ReturnStmt); is && end.Result != nil {
				p.condition(end.Result, positive)
			}
		}
	}
	p.known[positive][f], p.all = p.all, outer
	return p.known[positive][f]
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
			p.note(&e.True, e.Cond, "never holds when evaluated", neverAsked)
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
	parts := mapped(places, func(at *syntax.Expr) syntax.Expr { return *at })
	if of := parts[0]; positive == (e.Op == syntax.OR) && ofState(of) {
		when, other := "always holds when evaluated", "never holds when evaluated"
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
		if positive == (name == "all") {
			p.note(&c.Body, e, "has nothing to go through when evaluated", "")
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
func (b *builder) unmet(s *settings) func() []string {
	var all []*premise
	for _, v := range s.fields {
		if f, is := v.(*starlark.Function); is {
			all = append(all, b.premises[f.Position().String()]...)
		}
	}
	if all == nil || s.given("clear") != nil { // then it is not asked of every state
		return nil
	}
	return func() (why []string) {
		for _, p := range all {
			if !p.seen.Load() {
				why = append(why, p.why)
			}
		}
		return why
	}
}
