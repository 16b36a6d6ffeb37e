package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A closure is a function, as it stands in a file.
type closure struct {
	name   string
	at     syntax.Position
	params []syntax.Expr
	body   []syntax.Stmt
	value  syntax.Expr // of a lambda, in place of the body
	up     *scope
}

// arguments are those of a call.
type arguments struct {
	exprs  []syntax.Expr // of those without names
	shapes []shape
	names  []string // of those behind them
	by     []shape
	values []syntax.Expr // of those with names
	rest   bool          // there are *args or **kwargs
}

func (p *pass) arguments(e *syntax.CallExpr, s *scope) (a arguments) {
	for _, x := range e.Args {
		named, is := x.(*syntax.BinaryExpr)
		star, some := x.(*syntax.UnaryExpr)
		switch {
		case is && named.Op == syntax.EQ:
			a.names, a.values = append(a.names, named.X.(*syntax.Ident).Name), append(a.values, named.Y)
			a.by = append(a.by, p.expr(named.Y, s))
		case some && (star.Op == syntax.STAR || star.Op == syntax.STARSTAR):
			p.expr(star.X, s)
			a.rest = true
		default:
			a.exprs, a.shapes = append(a.exprs, x), append(a.shapes, p.expr(x, s))
		}
	}
	return a
}

// at is the shape of an argument; nil: there is none.
func (a *arguments) at(i int) shape {
	if i < len(a.shapes) {
		return a.shapes[i]
	}
	return nil
}

// call is the shape of what a call returns.
func (p *pass) call(e *syntax.CallExpr, s *scope) shape {
	if dot, is := e.Fn.(*syntax.DotExpr); is {
		x := p.expr(dot.X, s)
		p.attribute(dot, x)
		a := p.arguments(e, s)
		return p.method(dot, x, &a, s)
	}
	f := p.expr(e.Fn, s)
	a := p.arguments(e, s)
	if len(f) != 1 {
		return nil
	}
	if f[0].made != nil {
		return p.apply(f[0].made, &a, e.Lparen, "")
	}
	switch v := f[0].v.(type) {
	case *recordType:
		return p.construct(e, v, &a, s)
	case *starlark.Function:
		if c := p.closureOf(v); c != nil {
			return p.apply(c, &a, e.Lparen, "")
		}
	case *starlark.Builtin:
		return p.builtin(e, v.Name(), &a)
	}
	return nil
}

// closureOf is a function that was made when the file was executed, with what it took from where it stands.
func (p *pass) closureOf(f *starlark.Function) *closure {
	c := p.functions[f.Position().String()]
	if c == nil {
		return nil
	}
	up := &scope{vars: map[string]shape{}, file: f.Position().Filename()}
	for i := range f.NumFreeVars() {
		name, v := f.FreeVar(i)
		up.vars[name.Name] = known(v, name.Pos)
	}
	made := *c
	made.up = up
	return &made
}

// A parameter is one of a function.
type parameter struct {
	name      string
	otherwise syntax.Expr
	rest      bool // **kwargs
}

func parametersOf(c *closure) (all []parameter) {
	for _, x := range c.params {
		switch x := x.(type) {
		case *syntax.Ident:
			all = append(all, parameter{name: x.Name})
		case *syntax.BinaryExpr:
			all = append(all, parameter{name: x.X.(*syntax.Ident).Name, otherwise: x.Y})
		case *syntax.UnaryExpr:
			all = append(all, parameter{rest: true})
		}
	}
	return all
}

// apply is the shape of what a function returns. What it is given besides is said of those that the model
// calls.
func (p *pass) apply(c *closure, a *arguments, at syntax.Position, given string) shape {
	params := parametersOf(c)
	if a.rest || slices.ContainsFunc(params, func(q parameter) bool { return q.rest }) {
		return nil
	}
	vars, missing := map[string]shape{}, []string{}
	for i, q := range params {
		by := slices.Index(a.names, q.name)
		switch {
		case i < len(a.shapes):
			vars[q.name] = a.shapes[i].loose()
		case by >= 0:
			vars[q.name] = a.by[by].loose()
		case q.otherwise != nil:
			vars[q.name] = p.expr(q.otherwise, c.up)
		default:
			missing = append(missing, q.name)
		}
	}
	unknown := slices.ContainsFunc(a.names, func(name string) bool {
		return !slices.ContainsFunc(params, func(q parameter) bool { return q.name == name })
	})
	right := len(missing) == 0 && len(a.shapes) <= len(params) && !unknown
	var names []string
	for _, q := range params {
		names = append(names, q.name)
	}
	said := fmt.Sprintf(", and is called with %d arguments", len(a.shapes)+len(a.names))
	if given != "" {
		said = "; it is called with " + given
	}
	p.judgeHere(at, "arguments", right, "%s takes (%s)%s", c.name, words(names), said)
	if !right || p.active[c.at] || p.left < 0 {
		return nil
	}
	p.active[c.at] = true
	defer delete(p.active, c.at)
	s := &scope{vars: vars, up: c.up, file: c.at.Filename(), locals: map[string]bool{}}
	if c.value != nil {
		return p.expr(c.value, s)
	}
	assignedIn(c.body, s.locals)
	result := shape{}
	if !p.block(c.body, s, &result) {
		result = join(result, shape{{v: starlark.None, at: c.at}})
	}
	return result
}

// construct is the shape of a record or a message that is made.
func (p *pass) construct(e *syntax.CallExpr, t *recordType, a *arguments, s *scope) shape {
	p.judgeHere(e.Lparen, "fields", len(a.shapes) <= len(t.fields),
		"%s has %d fields, and %d values are given",
		p.text(e.Fn), len(t.fields), len(a.shapes))
	for i, x := range a.exprs {
		if i < len(t.fields) {
			p.given(t.fields[i], t.types[i], x, a.shapes[i], s)
		}
	}
	for i, name := range a.names {
		k, at := slices.Index(t.fields, name), start(a.values[i])
		p.judgeHere(at, "fields", k >= 0, "%s has no field %s; there are %s", p.text(e.Fn), name,
			orNothing(t.fields))
		if k >= 0 {
			p.given(name, t.types[k], a.values[i], a.by[i], s)
		}
	}
	return shape{{t: t}}
}

// given judges whether a value may be given to a variable of a type.
func (p *pass) given(to string, t valueType, e syntax.Expr, x shape, s *scope) {
	if either, is := unwrapped(e).(*syntax.CondExpr); is {
		if _, sure := p.expr(either.Cond, s).truth(); !sure {
			p.given(to, t, either.True, p.expr(either.True, s), s)
			p.given(to, t, either.False, p.expr(either.False, s), s)
			return
		}
	}
	if len(x) == 0 || t == nil {
		return
	}
	at, here := start(e), start(e)
	if x[0].at.IsValid() {
		at = x[0].at
	}
	if x.mayBe(t) {
		p.judge(at, "given", here, true, "")
		return
	}
	said := fmt.Sprintf("%s cannot be %s; allowed: %s%s", to, p.named(e, x), t, nearest(x, ofType(t)))
	_, wants := t.(*recordType)
	if z, is := x[0].t.(*recordType); is && wants && z != t && len(x) == 1 {
		said = fmt.Sprintf("%s cannot be %s, which is of another type: "+
			"each record(...) and message(...) is a "+
			"type of its own, also with the same fields", to, p.text(e))
	}
	if r, is := x.only().(*recordType); is {
		said = fmt.Sprintf("%s is a type; %s(...) makes a value of it", p.text(e), r.tag)
	}
	p.judge(at, "given", here, false, "%s", said)
}

// takesElement are the methods that take an element of what they belong to.
var takesElement = []string{"append", "add", "remove", "discard"}

// method is the shape of what a method returns.
func (p *pass) method(e *syntax.DotExpr, x shape, a *arguments, s *scope) shape {
	name := e.Name.Name
	if len(x) != 1 {
		return nil
	}
	if x[0].kind == stateKind && name == "inbox" {
		return holding("list", ofKind(envelopeKind))
	}
	keys, of := keysAndValues(x[0].t)
	switch {
	case of != nil && slices.Contains(takesElement, name) && len(a.exprs) == 1 && !x.is("dict"):
		p.given("an element of "+p.text(e.X), of, a.exprs[0], a.shapes[0], s)
		return known(starlark.None, e.Dot)
	case name == "pop" && of != nil:
		return ofType(of)
	case name == "keys" && keys != nil:
		return holding("list", ofType(keys))
	case name == "values" && keys != nil:
		return holding("list", ofType(of))
	case name == "items" && keys != nil:
		pair := alt{kind: "tuple", parts: []shape{ofType(keys), ofType(of)}}
		return holding("list", shape{pair})
	case name == "union" && x.is("set"):
		return ofKind("set")
	case strings.HasPrefix(name, "is") && x.is("set", "string"):
		return ofKind("bool")
	}
	return nil
}

// builtin is the shape of what a function of the language returns.
func (p *pass) builtin(e *syntax.CallExpr, name string, a *arguments) shape {
	x := a.at(0)
	switch name {
	case "len", "sum", "int":
		if v := x.only(); v != nil && name == "len" && x[0].t == nil && starlark.Len(v) >= 0 {
			return known(starlark.MakeInt(starlark.Len(v)), e.Lparen)
		}
		return ofKind("int")
	case "any", "all", "majority", "before", "bool":
		return ofKind("bool")
	case "str", "type":
		return ofKind("string")
	case "range":
		return holding("range", ofKind("int"))
	case "set", "list", "sorted", "reversed", "without", "joined":
		if name == "without" && len(a.exprs) == 2 {
			p.comparable(e.Lparen, e.Args[0], e.Args[1], x.inside(), a.at(1))
		}
		kind := "list"
		if name == "set" {
			kind = "set"
		}
		if len(a.shapes) == 0 {
			return holding(kind, shape{})
		}
		return holding(kind, x.inside())
	case "subsets", "quorums":
		return holding("list", holding("set", x.inside()))
	case "pick":
		return x.inside()
	case "min", "max":
		if len(a.shapes) == 1 {
			return x.inside()
		}
		return either(a.shapes)
	case "enumerate", "zip":
		pair := alt{kind: "tuple", parts: []shape{}}
		if name == "enumerate" {
			pair.parts = append(pair.parts, ofKind("int"))
		}
		for _, y := range a.shapes {
			pair.parts = append(pair.parts, y.inside())
		}
		return holding("list", shape{pair})
	case "when":
		if len(a.exprs) == 1 {
			p.judge(start(a.exprs[0]), "when", e.Lparen, x.is("bool"),
				"when(%s): it is no condition but %s; allowed: True and False", p.text(a.exprs[0]), x)
		}
	case "send":
		p.sent(a)
	}
	return nil
}

// sent judges what is sent.
func (p *pass) sent(a *arguments) {
	x := a.at(1)
	if len(x) == 0 || len(a.exprs) < 2 {
		return
	}
	right := slices.ContainsFunc(p.entries.messages, func(t *recordType) bool { return x.mayBe(t) })
	p.judgeHere(start(a.exprs[1]), "sent", right, "%s",
		p.entries.messages.unsendable(x.only(), x.String(), x.is("record")))
}
