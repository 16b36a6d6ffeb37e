package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/check"
)

// The walk of the static pass through calls: of functions of the file, of types, of built-in functions.

// A closure is a function as it stands in a file, with the variables around it.
type closure struct {
	*syntax.DefStmt // a lambda is one, too: its body returns a value
	up              *scope
}

// closureAt is the function that a node of the syntax tree makes; nil for other nodes.
func closureAt(n syntax.Node, up *scope) *closure {
	switch n := n.(type) {
	case *syntax.DefStmt:
		return &closure{n, up}
	case *syntax.LambdaExpr:
		body := []syntax.Stmt{&syntax.ReturnStmt{Return: start(n.Body), Result: n.Body}}
		name := &syntax.Ident{NamePos: n.Lambda, Name: "lambda"}
		return &closure{&syntax.DefStmt{Def: n.Lambda, Name: name, Params: n.Params, Body: body}, up}
	}
	return nil
}

type argument struct {
	name string // "" for a positional argument; "*" for *args and **kwargs
	e    syntax.Expr
	x    shape
}

// place is the index of the parameter or field that takes the argument with index i; -1 if none does.
func (a argument) place(i int, names []string) int {
	if a.name != "" {
		return slices.Index(names, a.name)
	}
	if i < len(names) {
		return i
	}
	return -1
}

func (p *pass) arguments(e *syntax.CallExpr, s *scope) (all []argument) {
	for _, x := range e.Args {
		a := argument{e: x}
		switch x := x.(type) {
		case *syntax.BinaryExpr:
			if x.Op == syntax.EQ {
				a = argument{name: x.X.(*syntax.Ident).Name, e: x.Y}
			}
		case *syntax.UnaryExpr:
			if x.Op == syntax.STAR || x.Op == syntax.STARSTAR {
				a = argument{name: "*", e: x.X}
			}
		}
		a.x = p.expr(a.e, s)
		all = append(all, a)
	}
	return all
}

func (p *pass) call(e *syntax.CallExpr, s *scope) shape {
	if dot, is := e.Fn.(*syntax.DotExpr); is {
		x := p.expr(dot.X, s)
		field, a := p.attribute(dot, x), p.arguments(e, s)
		if len(x) != 1 || x[0].record() != nil {
			return field // s.inbox(i) has the shape that the field inbox declares
		}
		return p.builtin(e, "."+dot.Name.Name, append([]argument{{e: dot.X, x: x}}, a...), s)
	}
	f := p.expr(e.Fn, s)
	a := p.arguments(e, s)
	if len(f) != 1 {
		return nil
	}
	c := f[0].made
	switch v := f[0].v.(type) {
	case *recordType:
		return p.construct(e, v.valueType, a, s)
	case *starlark.Function:
		c = p.closureOf(v)
	case *starlark.Builtin:
		return p.builtin(e, v.Name(), a, s)
	}
	if c == nil {
		return nil
	}
	return p.apply(c, a, e.Lparen, fmt.Sprintf(", and is called with %d arguments", len(a)))
}

// closureOf is a function that was made when the file was executed, with the variables that it kept.
func (p *pass) closureOf(f *starlark.Function) *closure {
	c := p.functions[f.Position().String()]
	if c == nil {
		return nil
	}
	vars := map[string]shape{}
	for i := range f.NumFreeVars() {
		name, v := f.FreeVar(i)
		vars[name.Name] = known(v, name.Pos)
	}
	for i := arity(f); i < f.NumParams(); i++ { // see rewrite
		if name, at := f.Param(i); f.ParamDefault(i) != nil {
			vars[name] = known(f.ParamDefault(i), at)
		}
	}
	return &closure{c.DefStmt, &scope{vars: vars}}
}

// apply is the shape of the result of a function. Where a call has the wrong number of arguments, or wrong
// names, the error ends with said.
func (p *pass) apply(c *closure, args []argument, at syntax.Position, said string) shape {
	params, defaults := parametersOf(c.Params)
	starred := func(a argument) bool { return a.name == "*" }
	if slices.Contains(params, "*") || slices.ContainsFunc(args, starred) {
		return nil
	}
	vars, right := map[string]shape{}, true
	for i, a := range args {
		k := a.place(i, params)
		if right = right && k >= 0; k >= 0 {
			vars[params[k]] = a.x.loose()
		}
	}
	for i, name := range params {
		if _, given := vars[name]; !given {
			vars[name] = p.expr(defaults[i], c.up)
			right = right && defaults[i] != nil
		}
	}
	for name := range assignedIn(c.Body) {
		if _, given := vars[name]; !given {
			vars[name] = nil
		}
	}
	p.judge(at, right, "%s takes (%s)%s", c.Name.Name, words(params), said)
	p.judge(at, !p.active[c.Def], "%s calls itself; write a for loop over a range", c.Name.Name)
	if !right || p.active[c.Def] || p.left < 0 {
		return nil
	}
	for i, x := range c.Params {
		if defaulted, is := x.(*syntax.BinaryExpr); is {
			x = defaulted.X
		}
		p.see(x, vars[params[i]])
	}
	p.active[c.Def] = true
	defer delete(p.active, c.Def)
	result := shape{}
	if !p.block(c.Body, &scope{vars, c.up}, &result) {
		result = join(result, known(starlark.None, c.Def))
	}
	s := p.signed[c.Def]
	if s == nil {
		s = &signature{name: c.Name.Name, params: params, with: slices.Repeat([]shape{{}}, len(params)),
			result: shape{}}
		p.signed[c.Def] = s
	}
	s.result = join(s.result, result)
	for i, name := range params {
		s.with[i] = join(s.with[i], vars[name])
	}
	return result
}

func (p *pass) construct(e *syntax.CallExpr, t *valueType, args []argument, s *scope) shape {
	placed := 0
	for i, a := range args {
		k := a.place(i, t.fields)
		switch {
		case a.name == "":
			placed++
		case a.name != "*":
			p.judge(start(a.e), k >= 0, "%s has no field %s; there are %s", p.text(e.Fn), a.name,
				check.OrNone(t.fields))
		}
		if k >= 0 {
			p.given(t.fields[k], ofType(t.types[k]), a.e, a.x, s)
		}
	}
	p.judge(e.Lparen, placed <= len(t.fields), "%s has %d fields, and %d values are given", p.text(e.Fn),
		len(t.fields), placed)
	return ofType(t)
}

// given judges whether a value may be given to a variable.
func (p *pass) given(to string, t shape, e syntax.Expr, x shape, s *scope) {
	p.wanted[start(e)] = t
	if either, is := unwrapped(e).(*syntax.CondExpr); is {
		if _, sure := p.expr(either.Cond, s).truth(); !sure {
			p.given(to, t, either.True, p.expr(either.True, s), s)
			p.given(to, t, either.False, p.expr(either.False, s), s)
			return
		}
	}
	if len(x) == 0 || len(t) == 0 || !slices.ContainsFunc(t, func(a alt) bool { return a.t != nil }) {
		return
	}
	said := fmt.Sprintf("%s cannot be %s; allowed: %s%s", to, p.named(e, x), t, nearest(x, t))
	if r, is := x.only().(*recordType); is {
		said = fmt.Sprintf("%s is a type; %s(...) makes a value of it", p.text(e), r.tag)
	}
	p.judgeFor(start(e), origin(e, x), x.mayBe(t), "%s", said)
}

// results are the kinds of the results of functions of the language, and of methods, whose names begin with a
// dot. Behind the kind of a container stand its elements. x stands for the elements of the first argument;
// key, value and item stand for parts of the container of a method, if its type is declared.
var results = map[string]string{
	"sum": "int", "int": "int", "len": "int", "any": "bool", "all": "bool", "majority": "bool",
	"ahead": "bool", "before": "bool", "bool": "bool", "is_a": "bool", "expired": "bool", "str": "string",
	"type": "string", "later": "int", "passed": "int",
	"range": "range int", "set": "set x", "list": "list x", "sorted": "list x", "reversed": "list x",
	"without": "list x", "joined": "list x", "subsets": "list set x", "quorums": "list set x", "pick": "x",
	".pop": "value", ".keys": "list key", ".values": "list value", ".items": "list item", ".union": "set",
	".issubset": "bool", ".issuperset": "bool", ".isalnum": "bool", ".isalpha": "bool", ".isdigit": "bool",
	".islower": "bool", ".isspace": "bool", ".istitle": "bool", ".isupper": "bool",
}

// resultOf is the shape that an entry of the table describes; x is the first argument, or the container.
func resultOf(words string, x shape) shape {
	t := &valueType{}
	if len(x) == 1 && x[0].t.holds() {
		t = x[0].t
	}
	switch kind, elem, some := strings.Cut(words, " "); {
	case some:
		return holding(kind, resultOf(elem, x))
	case kind == "x":
		return x.inside()
	case kind == "":
		return nil
	case kind == "value":
		return ofType(t.of)
	case kind == "key":
		return ofType(t.key)
	case kind == "item":
		return tuple(ofType(t.key), ofType(t.of))
	}
	return ofKind(words)
}

// builtin is the shape of the result of a function of the language, or of a method: then the name begins with
// a dot, and the first argument is the container.
func (p *pass) builtin(e *syntax.CallExpr, name string, args []argument, s *scope) shape {
	var all []shape
	for _, a := range args {
		if a.name == "" {
			all = append(all, a.x)
		}
	}
	first := shape{}
	if len(all) > 0 {
		first = all[0]
	}
	switch v := first.only(); name {
	case ".append", ".add", ".remove", ".discard":
		if t := first[0].t; t.holds() && !t.keyed() && len(all) == 2 {
			p.given("an element of "+p.text(args[0].e), ofType(t.of), args[1].e, args[1].x, s)
			return known(starlark.None, e.Lparen)
		}
	case "len":
		if v != nil && first[0].t == nil && starlark.Len(v) >= 0 {
			return known(starlark.MakeInt(starlark.Len(v)), e.Lparen)
		}
	case "without":
		if len(all) == 2 {
			p.comparable(e.Lparen, args[0].e, args[1].e, first.inside(), all[1])
		}
	case "min", "max":
		if len(all) == 1 {
			return first.inside()
		}
		return either(all)
	case "enumerate", "zip":
		var parts []shape
		if name == "enumerate" {
			parts = append(parts, ofKind("int"))
		}
		return holding("list", tuple(append(parts, mapped(all, shape.inside)...)...))
	case "when":
		if len(all) == 1 {
			p.judgeFor(e.Lparen, start(args[0].e), first.is("bool"),
				"when(%s): it is no condition but %s; allowed: True and False", p.text(args[0].e), first)
		}
	case "send":
		sends := len(p.entries.vars) == 0 || len(p.entries.locals) > 0
		p.judge(e.Lparen, sends, "send is for steps of processes; a system has none")
		if to := p.entries.messages; sends && to != nil && len(all) >= 2 && len(all[1]) > 0 {
			m := all[1]
			p.judge(start(args[1].e), m.mayBe(ofType(to)), "%s",
				to.unsendable(m.only(), m.String(), m.is("record")))
		}
	}
	return resultOf(results[name], first)
}
