package starfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/usage"
)

// The walk of the static pass through statements and expressions; calls are in calls.go.

// A scope has all variables of a function or of a comprehension. The shape of a variable is nil as long as
// nothing is known of it.
type scope struct {
	vars map[string]shape
	up   *scope
}

// find returns the scope that has a variable; nil: it is no variable of a function.
func (s *scope) find(name string) *scope {
	for ; s != nil; s = s.up {
		if _, is := s.vars[name]; is {
			break
		}
	}
	return s
}

// set gives a variable a shape. It leaves global variables alone: the file was executed, and they are final.
func (s *scope) set(name string, x shape) {
	if r := s.find(name); r != nil {
		r.vars[name] = x
	}
}

func (p *pass) lookup(s *scope, name string, at syntax.Position) shape {
	if r := s.find(name); r != nil {
		return r.vars[name]
	}
	for _, names := range []starlark.StringDict{p.globals[at.Filename()], p.library, starlark.Universe} {
		if v := names[name]; v != nil {
			x := known(v, at)
			if at.Filename() == p.main {
				x[0].t = p.words[name]
			}
			return x
		}
	}
	return nil
}

// block visits statements, adds what they return to a result, and reports whether they always return.
func (p *pass) block(stmts []syntax.Stmt, s *scope, result *shape) (ends bool) {
	for _, stmt := range stmts {
		switch n := stmt.(type) {
		case *syntax.ExprStmt:
			p.idle(n.X)
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
			s.set(n.Name.Name, function(closureAt(n, s)))
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

// idle judges an expression that is a statement: without a call it has no effect, unless it is a comment.
func (p *pass) idle(e syntax.Expr) {
	_, acts := e.(*syntax.Literal)
	syntax.Walk(e, func(n syntax.Node) bool {
		_, call := n.(*syntax.CallExpr)
		acts = acts || call
		return true
	})
	p.judge(start(e), acts, "%s has no effect here; x = ... assigns, when(...) asks, f() calls", p.text(e))
}

func (p *pass) branch(n *syntax.IfStmt, s *scope, result *shape) (ends bool) {
	is, sure := p.expr(n.Cond, s).truth()
	before := maps.Clone(s.vars)
	one := sure && !is || p.block(n.True, s, result)
	after := s.vars
	s.vars = before
	other := sure && is || p.block(n.False, s, result)
	switch {
	case other:
		s.vars = after
	case !one:
		s.vars = met(after, s.vars)
	}
	return one && other
}

// met are the variables behind two branches: each may have its shape of either branch.
func met(a, b map[string]shape) map[string]shape {
	all := map[string]shape{}
	for name := range a {
		all[name] = join(a[name], b[name])
	}
	return all
}

// loop visits the body of a loop. At the start of the body, nothing is known of variables that change in it.
func (p *pass) loop(n *syntax.ForStmt, s *scope, result *shape) {
	elem := p.expr(n.X, s).inside()
	if elem != nil && len(elem) == 0 {
		return
	}
	before := maps.Clone(s.vars)
	for name := range assignedIn(n.Body) {
		s.set(name, nil)
	}
	p.bind(n.Vars, elem, nil, s)
	p.block(n.Body, s, result)
	s.vars = met(before, s.vars)
}

func (p *pass) assign(n *syntax.AssignStmt, s *scope) {
	x := p.expr(n.RHS, s)
	if n.Op == syntax.EQ {
		p.bind(n.LHS, x, n.RHS, s)
		return
	}
	was := p.expr(n.LHS, s)
	if len(was) == 1 && was[0].t.holds() && (n.Op == syntax.PIPE_EQ || n.Op == syntax.PLUS_EQ) {
		p.given(p.text(n.LHS), was, n.RHS, x, s)
	}
	s.set(nameOf(n.LHS), arithmetic(n.Op-syntax.PLUS_EQ+syntax.PLUS, was, x).loose())
}

// bind gives the left side of an assignment a shape; e is the right side, nil in a loop.
func (p *pass) bind(to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	switch to := unwrapped(to).(type) {
	case *syntax.Ident:
		p.see(to, x)
		s.set(to.Name, x.loose())
	case *syntax.DotExpr, *syntax.IndexExpr: // a field or an element, whose type may be declared
		part := p.expr(to, s)
		if of, is := to.(*syntax.DotExpr); e != nil && (!is || len(p.expr(of.X, s)) == 1) {
			p.given(p.text(to), part, e, x, s)
		}
	default:
		p.unpack(displayed(to), to, x, e, s)
	}
}

func (p *pass) unpack(list []syntax.Expr, to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	parts, values := make([]shape, len(list)), make([]syntax.Expr, len(list))
	if len(x) == 1 && len(x[0].parts) == len(list) {
		parts = x[0].parts
	}
	if tuple, is := unwrapped(e).(*syntax.TupleExpr); is {
		same := len(tuple.List) == len(list)
		p.judge(start(to), same, "%d values for %d variables", len(tuple.List), len(list))
		if same {
			values = tuple.List
		}
	}
	for i := range list {
		if text := p.text(list[i]); text != "_" && text != "it" {
			twice := slices.ContainsFunc(list[:i], func(e syntax.Expr) bool { return p.text(e) == text })
			p.judge(start(list[i]), !twice, "%s gets two values at once", text)
		}
		p.bind(list[i], parts[i], values[i], s)
	}
}

// expr returns the shape of an expression, and judges its parts.
func (p *pass) expr(e syntax.Expr, s *scope) shape {
	if p.left--; p.left < 0 {
		return nil
	}
	x := p.shapeAt(e, s)
	p.see(e, x)
	return x
}

// see keeps the shape of an expression, for editors.
func (p *pass) see(e syntax.Expr, x shape) {
	if p.seen != nil && x != nil {
		if was := p.seen[e]; was != nil {
			x = join(was, x)
		}
		p.seen[e] = x
	}
}

func (p *pass) shapeAt(e syntax.Expr, s *scope) shape {
	switch e := e.(type) {
	case *syntax.Literal:
		return literal(e)
	case *syntax.Ident:
		return p.lookup(s, e.Name, e.NamePos)
	case *syntax.ParenExpr:
		return p.expr(e.X, s)
	case *syntax.TupleExpr:
		return tuple(p.exprs(e.List, s)...)
	case *syntax.ListExpr:
		return holding("list", either(p.exprs(e.List, s)))
	case *syntax.DictExpr:
		return holding("dict", either(p.exprs(e.List, s)))
	case *syntax.DictEntry:
		p.expr(e.Value, s)
		return p.expr(e.Key, s)
	case *syntax.CondExpr:
		switch is, sure := p.expr(e.Cond, s).truth(); {
		case sure && is:
			return p.expr(e.True, s)
		case sure:
			return p.expr(e.False, s)
		}
		return join(p.expr(e.True, s), p.expr(e.False, s))
	case *syntax.UnaryExpr:
		switch is, sure := p.expr(e.X, s).truth(); {
		case e.Op != syntax.NOT:
			return ofKind("int")
		case sure:
			return known(starlark.Bool(!is), e.OpPos)
		}
		return ofKind("bool")
	case *syntax.BinaryExpr:
		return p.binary(e, s)
	case *syntax.DotExpr:
		return p.attribute(e, p.expr(e.X, s))
	case *syntax.IndexExpr:
		x, y := p.expr(e.X, s), p.expr(e.Y, s)
		return x.each(func(a alt) shape { return p.element(e, a, y) })
	case *syntax.SliceExpr:
		p.exprs([]syntax.Expr{e.Lo, e.Hi, e.Step}, s)
		if x := p.expr(e.X, s); len(x) == 1 && x.is("list") {
			return holding("list", x.inside())
		}
	case *syntax.CallExpr:
		return p.call(e, s)
	case *syntax.Comprehension:
		return p.comprehension(e, s)
	case *syntax.LambdaExpr:
		return function(closureAt(e, s))
	}
	return nil
}

func (p *pass) exprs(list []syntax.Expr, s *scope) []shape {
	all := make([]shape, len(list))
	for i, e := range list {
		all[i] = p.expr(e, s)
	}
	return all
}

func literal(e *syntax.Literal) shape {
	switch v := e.Value.(type) {
	case int64:
		return known(starlark.MakeInt64(v), e.TokenPos)
	case float64:
		return ofKind("float")
	case string:
		if e.Token == syntax.STRING {
			return known(starlark.String(v), e.TokenPos)
		}
		return ofKind("bytes")
	}
	return ofKind("int")
}

func (p *pass) binary(e *syntax.BinaryExpr, s *scope) shape {
	x := p.expr(e.X, s)
	if e.Op == syntax.AND || e.Op == syntax.OR {
		is, sure := x.truth()
		if sure && is == (e.Op == syntax.OR) {
			return x
		}
		y := p.expr(e.Y, s)
		if sure {
			return y
		}
		return join(x, y)
	}
	y := p.expr(e.Y, s)
	switch e.Op {
	case syntax.EQL, syntax.NEQ:
		p.distinct(e)
		if x.literal() && !y.literal() {
			p.comparable(e.OpPos, e.Y, e.X, y, x)
		} else {
			p.comparable(e.OpPos, e.X, e.Y, x, y)
		}
	case syntax.IN, syntax.NOT_IN:
		p.sought(e, x, y, s)
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		p.distinct(e)
		if x != nil && y != nil && (x.declared() || y.declared()) {
			p.judge(e.OpPos, ordered(x, y), "%s and %s have no order: %s; %s", p.text(e.X), p.text(e.Y), x, y)
		}
	default:
		return arithmetic(e.Op, x, y)
	}
	a, b := x.only(), y.only() // the result is known if both are
	var v starlark.Value
	err := errors.New("not known")
	switch in := e.Op == syntax.IN || e.Op == syntax.NOT_IN; {
	case !isScalar(a) || b == nil:
	case in && starlark.Len(b) <= 1000:
		v, err = starlark.Binary(e.Op, a, b)
	case !in && isScalar(b):
		var is bool
		is, err = starlark.Compare(e.Op, a, b)
		v = starlark.Bool(is)
	}
	if err != nil {
		return ofKind("bool")
	}
	return known(v, e.OpPos)
}

// arithmetic is the shape of the result of +, -, %, | and the other operators of this kind.
func arithmetic(op syntax.Token, x, y shape) shape {
	if op == syntax.PERCENT && x.is("string") && !x.is("int") {
		return ofKind("string")
	}
	return x.each(func(a alt) shape {
		return y.each(func(b alt) shape {
			x, y := shape{a}, shape{b}
			switch {
			case x.is("int") && y.is("int") && op != syntax.SLASH:
				return ofKind("int")
			case op == syntax.PLUS && x.is("list") && y.is("list"):
				return holding("list", join(x.inside(), y.inside()))
			case x.is("set") && y.is("set"):
				return holding("set", join(x.inside(), y.inside()))
			case x.is("NoneType") || y.is("NoneType"): // it fails, and there is no result
				return shape{}
			}
			return nil
		})
	})
}

// element is the shape of a[y].
func (p *pass) element(e *syntax.IndexExpr, a alt, y shape) shape {
	t := a.t
	if t.keyed() && y.is("string") { // numbers are judged while the model is executed
		p.comparable(e.Lbrack, e.X, e.Y, ofType(t.key), y)
	}
	i, certain := y.only().(starlark.Int)
	v, mapping := a.v.(starlark.Mapping)
	switch {
	case t.holds():
		return ofType(t.of)
	case t != nil:
		return nil
	case a.parts != nil && certain:
		if x, err := starlark.AsInt32(i); err == nil && 0 <= x && x < len(a.parts) {
			return a.parts[x]
		}
	case a.v == nil && a.kind == "list":
		return a.elem
	case mapping && y.only() != nil:
		if found, ok, err := v.Get(y.only()); ok && err == nil {
			return known(found, a.at)
		}
	}
	if _, is := a.v.(*array); is {
		return shape{a}.inside()
	}
	return nil
}

// comprehension is the shape of the list or the dictionary that a comprehension makes.
func (p *pass) comprehension(e *syntax.Comprehension, s *scope) shape {
	s = &scope{vars: map[string]shape{}, up: s}
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			elem := p.expr(c.X, s).inside()
			targets(c.Vars, func(name string) { s.vars[name] = nil })
			p.bind(c.Vars, elem, nil, s)
		case *syntax.IfClause:
			if is, sure := p.expr(c.Cond, s).truth(); sure && !is {
				return holding("list", shape{})
			}
		}
	}
	kind := "list"
	if e.Curly {
		kind = "dict" // there are no comprehensions of sets
	}
	return holding(kind, p.expr(e.Body, s))
}

// attribute is the shape of x.name.
func (p *pass) attribute(e *syntax.DotExpr, x shape) shape {
	if len(x) == 0 {
		return nil
	}
	all, has, name := shape{}, false, e.Name.Name
	var names []string
	for _, y := range x {
		some := p.attributes(y)
		if some == nil || slices.Contains(some, name) {
			has, all = true, join(all, p.field(y, name))
		}
		names = append(names, some...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	said := fmt.Sprintf("has no .%s%s; there are %s", name, usage.Nearest(name, names), check.OrNone(names))
	if declaredType(x.only()) != nil {
		said = "is a type, and has no ." + name
	}
	p.judge(e.Name.NamePos, has, "%s %s", p.text(e.X), said)
	return all
}
