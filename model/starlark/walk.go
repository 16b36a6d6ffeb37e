package starfile

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// One walk through the functions of a file, with the shapes of variables.

// A scope has the variables of a function, or of a comprehension.
type scope struct {
	vars   map[string]shape
	locals map[string]bool // names that are assigned to somewhere in the function
	up     *scope
	file   string // of the globals
	top    bool   // of the statements of a file, which have been executed: the globals are as they are
}

func (s *scope) inner() *scope { return &scope{vars: map[string]shape{}, up: s, file: s.file} }

// set gives a variable a shape.
func (s *scope) set(name string, x shape) {
	for ; s != nil; s = s.up {
		_, is := s.vars[name]
		if s.top || is || s.locals[name] {
			break
		}
	}
	if s != nil && !s.top {
		s.vars[name] = x
	}
}

// lookup returns the shape of a name.
func (p *pass) lookup(s *scope, name string, at syntax.Position) shape {
	for r := s; r != nil; r = r.up {
		if x, is := r.vars[name]; is {
			return x
		}
		if r.locals[name] {
			return nil
		}
	}
	v := p.globals[s.file][name]
	if v == nil {
		v = p.library[name]
	}
	if v == nil {
		v = starlark.Universe[name]
	}
	if v == nil {
		return nil
	}
	if words := p.words[name]; words != nil && s.file == p.main {
		return shape{{t: words, v: v, at: at}}
	}
	return known(v, at)
}

// expr returns the shape of an expression, and judges what is in it.
func (p *pass) expr(e syntax.Expr, s *scope) shape {
	if p.left--; p.left < 0 {
		return nil
	}
	switch e := e.(type) {
	case *syntax.Literal:
		return literal(e)
	case *syntax.Ident:
		return p.lookup(s, e.Name, e.NamePos)
	case *syntax.ParenExpr:
		return p.expr(e.X, s)
	case *syntax.TupleExpr:
		return shape{{kind: "tuple", parts: p.exprs(e.List, s)}}
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
		return p.unary(e, s)
	case *syntax.BinaryExpr:
		return p.binary(e, s)
	case *syntax.DotExpr:
		return p.attribute(e, p.expr(e.X, s))
	case *syntax.IndexExpr:
		return p.index(e, s)
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
		return shape{{made: &closure{params: e.Params, value: e.Body, at: e.Lambda, up: s, name: "lambda"}}}
	}
	return nil
}

// exprs returns the shapes of some expressions.
func (p *pass) exprs(list []syntax.Expr, s *scope) []shape {
	all := make([]shape, len(list))
	for i, e := range list {
		all[i] = p.expr(e, s)
	}
	return all
}

// either is the shape of what may be any of some.
func either(some []shape) shape {
	all := shape{}
	for _, x := range some {
		all = join(all, x)
	}
	return all
}

func (p *pass) unary(e *syntax.UnaryExpr, s *scope) shape {
	x := p.expr(e.X, s)
	if e.Op != syntax.NOT {
		return ofKind("int")
	}
	if is, sure := x.truth(); sure {
		return known(starlark.Bool(!is), e.OpPos)
	}
	return ofKind("bool")
}

func literal(e *syntax.Literal) shape {
	switch v := e.Value.(type) {
	case string:
		if e.Token == syntax.STRING {
			return known(starlark.String(v), e.TokenPos)
		}
	case int64:
		return known(starlark.MakeInt64(v), e.TokenPos)
	case float64:
		return ofKind("float")
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
	p.distinct(e)
	switch e.Op {
	case syntax.EQL, syntax.NEQ:
		p.compared(e, x, y)
		return fold(e, x, y, "bool")
	case syntax.IN, syntax.NOT_IN:
		p.sought(e, x, y, s)
		return fold(e, x, y, "bool")
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if x != nil && y != nil && (x.declared() || y.declared()) {
			p.judge(e.OpPos, "order", e.OpPos, ordered(x, y), "%s and %s have no order: %s; %s", p.text(e.X),
				p.text(e.Y), x, y)
		}
		return fold(e, x, y, "bool")
	}
	return arithmetic(e, x, y)
}

// fold is the value of an operator on values that are known, or something of a kind.
func fold(e *syntax.BinaryExpr, x, y shape, kind string) shape {
	a, b := x.only(), y.only()
	if !isScalar(a) || b == nil {
		return ofKind(kind)
	}
	if e.Op == syntax.IN || e.Op == syntax.NOT_IN {
		if n := starlark.Len(b); n < 0 || n > 1000 {
			return ofKind(kind)
		}
		if v, err := starlark.Binary(syntax.IN, a, b); err == nil {
			return known(starlark.Bool(bool(v.Truth()) == (e.Op == syntax.IN)), e.OpPos)
		}
		return ofKind(kind)
	}
	if is, err := starlark.Compare(e.Op, a, b); isScalar(b) && err == nil {
		return known(starlark.Bool(is), e.OpPos)
	}
	return ofKind(kind)
}

// arithmetic is the shape of a sum, a difference and so on.
func arithmetic(e *syntax.BinaryExpr, x, y shape) shape {
	switch {
	case e.Op == syntax.PERCENT && x.is("string") && !x.is("int"):
		return ofKind("string")
	case x == nil || y == nil:
		return nil
	case len(x) != 1 || len(y) != 1:
	case x.is("int") && y.is("int") && e.Op != syntax.SLASH:
		return ofKind("int")
	case e.Op == syntax.PLUS && x.is("list") && y.is("list"):
		return holding("list", join(x.inside(), y.inside()))
	case x.is("set") && y.is("set"):
		return holding("set", join(x.inside(), y.inside()))
	}
	return nil
}

// index is the shape of x[y].
func (p *pass) index(e *syntax.IndexExpr, s *scope) shape {
	x, y := p.expr(e.X, s), p.expr(e.Y, s)
	if x == nil {
		return nil
	}
	all := make([]shape, len(x))
	for i, a := range x {
		all[i] = p.elementOf(e, a, y)
	}
	return either(all)
}

// elementOf is the shape of an element of a, whose key is y.
func (p *pass) elementOf(e *syntax.IndexExpr, a alt, y shape) shape {
	keys, of := keysAndValues(a.t)
	if keys != nil && y.is("string") { // which of the numbers there are, is known when they come up
		p.comparable(e.Lbrack, e.X, e.Y, ofType(keys), y)
	}
	switch i, certain := y.only().(starlark.Int); {
	case a.kind == stateKind:
		return p.me()
	case of != nil:
		return ofType(of)
	case a.t != nil:
		return nil
	case a.parts != nil && certain:
		if x, err := starlark.AsInt32(i); err == nil && 0 <= x && x < len(a.parts) {
			return a.parts[x]
		}
	case a.kind == "list":
		return a.elem
	}
	if v, is := a.v.(starlark.Mapping); is && y.only() != nil {
		if found, ok, err := v.Get(y.only()); ok && err == nil {
			return known(found, a.at)
		}
	}
	if r, is := a.v.(*array); is {
		return ofType(r.t.of)
	}
	return nil
}

// comprehension is the shape of a list, a set or a dictionary that is made of others.
func (p *pass) comprehension(e *syntax.Comprehension, s *scope) shape {
	s = s.inner()
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			p.bindFresh(c.Vars, p.expr(c.X, s).inside(), s)
		case *syntax.IfClause:
			if is, sure := p.expr(c.Cond, s).truth(); sure && !is {
				return holding("list", shape{})
			}
		}
	}
	kind := "list"
	if e.Curly {
		kind = "dict" // sets have none
	}
	return holding(kind, p.expr(e.Body, s))
}
