package starfile

import (
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
	is, sure := p.expr(n.Cond, s).truth()
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
	all := maps.Clone(a)
	maps.Copy(all, b)
	for name := range all {
		all[name] = join(a[name], b[name]) // in one of them only: nothing is known
	}
	return all
}

// loop goes through the body of a loop. Of what changes from round to round nothing is known at its begin.
func (p *pass) loop(n *syntax.ForStmt, s *scope, result *shape) {
	elem := p.expr(n.X, s).inside()
	if elem != nil && len(elem) == 0 {
		return
	}
	changed := map[string]bool{}
	assignedIn(n.Body, changed)
	before := maps.Clone(s.vars)
	for name := range changed {
		s.set(name, nil)
	}
	p.bind(n.Vars, elem, nil, s)
	p.block(n.Body, s, result)
	s.vars = met(before, s.vars)
}

// assign goes through an assignment.
func (p *pass) assign(n *syntax.AssignStmt, s *scope) {
	x := p.expr(n.RHS, s)
	if n.Op == syntax.EQ {
		p.bind(n.LHS, x, n.RHS, s)
		return
	}
	was := p.expr(n.LHS, s)
	if len(was) == 1 && (n.Op == syntax.PIPE_EQ || n.Op == syntax.PLUS_EQ) {
		if _, of := keysAndValues(was[0].t); of != nil {
			p.given(p.text(n.LHS), was[0].t, n.RHS, x, s)
		}
	}
	if name, is := unwrapped(n.LHS).(*syntax.Ident); is {
		y := shape(nil)
		if was != nil && x != nil && was.is("int") && x.is("int") {
			y = ofKind("int")
		}
		s.set(name.Name, y)
	}
}

// bindFresh gives the variables of a comprehension, which are its own, a shape.
func (p *pass) bindFresh(to syntax.Expr, x shape, s *scope) {
	own := map[string]bool{}
	targetNames(to, own)
	for name := range own {
		s.vars[name] = nil
	}
	p.bind(to, x, nil, s)
}

// bind gives what is assigned to a shape; the expression is that of the value, if there is one.
func (p *pass) bind(to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	switch to := unwrapped(to).(type) {
	case *syntax.Ident:
		s.set(to.Name, x.loose())
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
	parts, values := x.parted(len(list)), make([]syntax.Expr, len(list))
	if e != nil {
		if tuple, is := unwrapped(e).(*syntax.TupleExpr); is {
			same := len(tuple.List) == len(list)
			p.judge(start(to), "unpacked", start(to), same,
				"%d values for %d variables", len(tuple.List), len(list))
			if same {
				values = tuple.List
			}
		}
	}
	for i := range list {
		if text := p.text(list[i]); text != "_" && text != "it" {
			twice := slices.ContainsFunc(list[:i], func(e syntax.Expr) bool { return p.text(e) == text })
			p.judgeHere(start(list[i]), "twice", !twice, "%s gets two values at once", text)
		}
		p.bind(list[i], parts[i], values[i], s)
	}
}
