package file

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// assignedIn notes the names that statements assign to.
func assignedIn(stmts []syntax.Stmt, names map[string]bool) {
	for _, stmt := range stmts {
		switch n := stmt.(type) {
		case *syntax.AssignStmt:
			targetNames(n.LHS, names)
		case *syntax.ForStmt:
			targetNames(n.Vars, names)
			assignedIn(n.Body, names)
		case *syntax.IfStmt:
			assignedIn(n.True, names)
			assignedIn(n.False, names)
		case *syntax.DefStmt:
			names[n.Name.Name] = true
		}
	}
}

// targetNames notes the names in what is assigned to.
func targetNames(x syntax.Expr, names map[string]bool) {
	switch x := unwrapped(x).(type) {
	case *syntax.Ident:
		names[x.Name] = true
	case *syntax.TupleExpr:
		for _, y := range x.List {
			targetNames(y, names)
		}
	case *syntax.ListExpr:
		for _, y := range x.List {
			targetNames(y, names)
		}
	}
}

// block goes through statements, adds what they return to a result, and reports whether they always return.
func (p *pass) block(stmts []syntax.Stmt, s *scope, result *shape) (ends bool) {
	for _, stmt := range stmts {
		switch n := stmt.(type) {
		case *syntax.ExprStmt:
			p.expr(n.X, s)
		case *syntax.AssignStmt:
			p.assign(n, s)
		case *syntax.ReturnStmt:
			x := known(starlark.None, n.Return)
			if n.Result != nil {
				x = p.expr(n.Result, s)
			}
			*result = join(*result, x)
			return true
		case *syntax.DefStmt:
			s.set(n.Name.Name, shape{{made: &closure{
				name: n.Name.Name, at: n.Def, params: n.Params, body: n.Body, up: s}}})
		case *syntax.IfStmt:
			if p.branch(n, s, result) {
				return true
			}
		case *syntax.ForStmt:
			p.loop(n, s, result)
		}
	}
	return false
}

// branch goes through an if.
func (p *pass) branch(n *syntax.IfStmt, s *scope, result *shape) (ends bool) {
	is, sure := truth(p.expr(n.Cond, s))
	switch {
	case sure && is:
		return p.block(n.True, s, result)
	case sure:
		return p.block(n.False, s, result)
	}
	before := maps.Clone(s.vars)
	one := p.block(n.True, s, result)
	after := s.vars
	s.vars = before
	other := p.block(n.False, s, result)
	switch {
	case one && other:
		return true
	case other:
		s.vars = after
	case !one:
		s.vars = met(after, s.vars)
	}
	return false
}

// met are the variables where two ways meet.
func met(a, b map[string]shape) map[string]shape {
	all := map[string]shape{}
	for name := range a {
		all[name] = join(a[name], b[name]) // in one of them only: nothing is known
	}
	for name := range b {
		if _, is := a[name]; !is {
			all[name] = nil
		}
	}
	return all
}

// loop goes through the body of a loop until its variables are known.
func (p *pass) loop(n *syntax.ForStmt, s *scope, result *shape) {
	elem := insideOf(p.expr(n.X, s))
	if elem != nil && len(elem) == 0 {
		return
	}
	for round := range 3 {
		before := maps.Clone(s.vars)
		p.bind(n.Vars, elem, nil, s)
		p.block(n.Body, s, result)
		for name, x := range before {
			if y := join(x, s.vars[name]); round == 1 && y.size() != x.size() {
				s.vars[name] = nil // it changes from round to round
			} else {
				s.vars[name] = y
			}
		}
	}
}

// assign goes through an assignment.
func (p *pass) assign(n *syntax.AssignStmt, s *scope) {
	x := p.expr(n.RHS, s)
	if n.Op == syntax.EQ {
		loosen(n.RHS, s) // two names for one list
		if _, named := unwrapped(n.RHS).(*syntax.Ident); named {
			x = p.expr(n.RHS, s)
		}
		p.bind(n.LHS, x, n.RHS, s)
		return
	}
	was := p.expr(n.LHS, s)
	if len(was) == 1 && was[0].t != nil && (n.Op == syntax.PIPE_EQ || n.Op == syntax.PLUS_EQ) {
		if _, of := keysAndValues(was[0].t); of != nil {
			p.given(p.text(n.LHS), was[0].t, n.RHS, x, s)
		}
	}
	if name, is := unwrapped(n.LHS).(*syntax.Ident); is {
		y := shape(nil)
		if was.is("int") && x.is("int") && was != nil && x != nil {
			y = ofKind("int")
		}
		s.set(name.Name, y)
	}
}

// bind gives what is assigned to a shape; the expression is that of the value, if there is one.
func (p *pass) bind(to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	switch to := unwrapped(to).(type) {
	case *syntax.Ident:
		s.set(to.Name, x)
	case *syntax.DotExpr:
		r := p.expr(to.X, s)
		field := p.attribute(to, r)
		if len(r) == 1 && len(field) == 1 && e != nil {
			p.given(p.text(to), field[0].t, e, x, s)
		}
	case *syntax.IndexExpr:
		elem := p.index(to, s)
		if len(elem) == 1 && e != nil {
			p.given(p.text(to), elem[0].t, e, x, s)
		}
	case *syntax.TupleExpr:
		p.unpack(to.List, to, x, e, s)
	case *syntax.ListExpr:
		p.unpack(to.List, to, x, e, s)
	}
}

// unpack gives several variables what is in a value.
func (p *pass) unpack(list []syntax.Expr, to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	parts, values := p.partsOf(x, len(list)), make([]syntax.Expr, len(list))
	if tuple, is := unwrappedTuple(e); is {
		p.judge(p.start(to), "unpacked", p.start(to), len(tuple.List) == len(list), func() string {
			return fmt.Sprintf("%d values for %d variables", len(tuple.List), len(list))
		})
		if len(tuple.List) == len(list) {
			values = tuple.List
		}
	}
	for i := range list {
		if text := p.text(list[i]); text != "_" && text != "it" {
			twice := slices.ContainsFunc(list[:i], func(e syntax.Expr) bool { return p.text(e) == text })
			p.judge(p.start(list[i]), "twice", p.start(list[i]), !twice, func() string {
				return text + " gets two values at once"
			})
		}
		p.bind(list[i], parts[i], values[i], s)
	}
}

func unwrappedTuple(e syntax.Expr) (*syntax.TupleExpr, bool) {
	if e == nil {
		return nil, false
	}
	t, is := unwrapped(e).(*syntax.TupleExpr)
	return t, is
}
