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

// An invariant `not p or q` says nothing if p never holds, and all(... for x in y) if nothing is ever in y.
// So in such places of properties a value is put in that notes when it is come by: `not p or (seen and q)`.
// It costs no call; what is remembered of a property was come by before.

// A premise is such a place.
type premise struct {
	typed
	why  string
	seen atomic.Bool
}

// Truth notes that the place was come by.
func (p *premise) Truth() starlark.Bool {
	if !p.seen.Load() {
		p.seen.Store(true)
	}
	return true
}

// premises finds the places in the properties of a file.
type premises struct {
	l       *loading
	lines   []string
	defs    map[string]syntax.Node // functions, by name
	helpers map[string][]*premise  // of those that were gone through
	all     []*premise             // of the function that is gone through
}

// implying are the properties that may say nothing.
var implying = []string{"invariant", "at_end", "step_property"}

// notePremises changes a file so that it notes which premises ever hold.
func (l *loading) notePremises(f *syntax.File, source []byte) {
	p := &premises{
		l: l, lines: strings.Split(string(source), "\n"), defs: map[string]syntax.Node{},
		helpers: map[string][]*premise{},
	}
	for _, stmt := range f.Stmts {
		switch n := stmt.(type) {
		case *syntax.DefStmt:
			p.defs[n.Name.Name] = n
		case *syntax.AssignStmt:
			if name, is := n.LHS.(*syntax.Ident); is {
				if lambda, is := n.RHS.(*syntax.LambdaExpr); is {
					p.defs[name.Name] = lambda
				}
			}
		}
	}
	var roots []syntax.Node
	syntax.Walk(f, func(n syntax.Node) bool {
		call, is := n.(*syntax.CallExpr)
		if name, named := callee(call); is && named && slices.Contains(implying, name) {
			roots = append(roots, call)
		}
		return true
	})
	for _, call := range roots {
		p.property(call.(*syntax.CallExpr))
	}
}

func callee(call *syntax.CallExpr) (name string, is bool) {
	if call == nil {
		return "", false
	}
	f, is := call.Fn.(*syntax.Ident)
	if !is {
		return "", false
	}
	return f.Name, true
}

// property goes through the functions among the arguments of a property.
func (p *premises) property(call *syntax.CallExpr) {
	for _, x := range call.Args {
		if named, is := x.(*syntax.BinaryExpr); is && named.Op == syntax.EQ {
			x = named.Y
		}
		switch f := unwrapped(x).(type) {
		case *syntax.LambdaExpr:
			p.all = nil
			p.expr(f.Body, true)
			p.l.b.premises[f.Lambda.String()] = p.all
		case *syntax.Ident:
			if def := p.defs[f.Name]; def != nil {
				p.l.b.premises[placeOf(def)] = p.helper(f.Name, true)
			}
		}
	}
}

func placeOf(f syntax.Node) string {
	start, _ := f.Span()
	return start.String()
}

// helper goes through a function that is called, or stands in a property.
func (p *premises) helper(name string, positive bool) []*premise {
	if known, is := p.helpers[name]; is {
		return known
	}
	p.helpers[name] = nil
	before := p.all
	p.all = nil
	switch f := p.defs[name].(type) {
	case *syntax.LambdaExpr:
		p.expr(f.Body, positive)
	case *syntax.DefStmt:
		for _, stmt := range f.Body {
			if end, is := stmt.(*syntax.ReturnStmt); is && end.Result != nil {
				p.expr(end.Result, positive)
			}
		}
	}
	found := p.all
	p.all, p.helpers[name] = before, found
	return found
}

// expr goes through a condition that is to hold, or is not to hold.
func (p *premises) expr(e syntax.Expr, positive bool) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		p.expr(e.X, positive)
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			p.expr(e.X, !positive)
		}
	case *syntax.CondExpr:
		if otherwise, is := e.False.(*syntax.Ident); is && otherwise.Name == "True" && positive &&
			ofState(e.Cond) {
			p.note(&e.True, e.Cond, "holds in no state")
		}
		p.expr(e.True, positive)
		p.expr(e.False, positive)
	case *syntax.BinaryExpr:
		p.operator(e, positive)
	case *syntax.CallExpr:
		p.call(e, positive)
	}
}

func (p *premises) operator(e *syntax.BinaryExpr, positive bool) {
	if e.Op != syntax.OR && e.Op != syntax.AND {
		return
	}
	inner, is := unwrapped(e.X).(*syntax.BinaryExpr)
	chain := is && inner.Op == e.Op // its first operand decides
	if !chain && positive == (e.Op == syntax.OR) && ofState(e.X) {
		of, every := e.X, e.Op == syntax.OR
		if not, is := unwrapped(of).(*syntax.UnaryExpr); is && not.Op == syntax.NOT {
			of, every = not.X, !every
		}
		when := "holds in no state"
		if every {
			when = "holds in every state"
		}
		y := e.Y
		p.note(&e.Y, of, when)
		p.expr(e.X, positive)
		p.operand(y, e.Op, positive)
		return
	}
	p.expr(e.X, positive)
	p.operand(e.Y, e.Op, positive)
}

// operand goes through one that may be in brackets, of the same operator.
func (p *premises) operand(e syntax.Expr, op syntax.Token, positive bool) {
	if inner, is := unwrapped(e).(*syntax.BinaryExpr); is && inner.Op == op {
		p.operand(inner.X, op, positive)
		e = inner.Y
	}
	p.expr(e, positive)
}

func (p *premises) call(e *syntax.CallExpr, positive bool) {
	name, _ := callee(e)
	switch {
	case (name == "all" || name == "any") && len(e.Args) == 1:
		c, is := e.Args[0].(*syntax.Comprehension)
		if !is || c.Curly {
			return
		}
		body := c.Body
		if positive == (name == "all") && slices.ContainsFunc(c.Clauses, ofState) {
			p.note(&c.Body, e, "has nothing to go through in any state")
		}
		p.expr(body, positive)
	case p.defs[name] != nil:
		p.all = append(p.all, p.helper(name, positive)...)
	}
}

// note puts a premise in front of what it is the premise of.
func (p *premises) note(at *syntax.Expr, of syntax.Expr, when string) {
	start, _ := of.Span()
	text := textOf(of, p.lines)
	made := &premise{why: fmt.Sprintf("%s %s (line %d)", text, when, start.Line)}
	if when != "has nothing to go through in any state" {
		made.why += ", so what follows is never asked"
	}
	p.all = append(p.all, made)
	name := "&" + strconv.Itoa(len(p.l.library)) // no file can write it
	p.l.library[name] = made
	*at = &syntax.BinaryExpr{
		X: &syntax.Ident{NamePos: start, Name: name}, OpPos: start, Op: syntax.AND, Y: *at,
	}
}

// ofState reports whether a part of a file may depend on the state: it reads a field, or calls something.
func ofState(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr, *syntax.IndexExpr:
			found = true
		case *syntax.CallExpr:
			name, _ := callee(n)
			found = found || !starlark.Universe.Has(name)
		}
		return !found
	})
	return found
}

// unmet returns why a property says nothing, as far as it was asked; nil if it does.
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
