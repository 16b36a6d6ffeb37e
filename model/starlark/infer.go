package starfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/usage"
)

// The walk of the static pass through statements and expressions.

// A scope has all variables of a function, or of a comprehension; a nil shape: nothing is known of the variable.
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

// set gives a variable a shape. Global variables are as the execution of the file left them.
func (s *scope) set(name string, x shape) {
	if r := s.find(name); r != nil {
		r.vars[name] = x
	}
}

// lookup returns the shape of a name.
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

// branch visits an if.
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

// met are the variables where two ways meet.
func met(a, b map[string]shape) map[string]shape {
	all := map[string]shape{}
	for name := range a {
		all[name] = join(a[name], b[name])
	}
	return all
}

// loop visits the body of a loop. Nothing is known, at its begin, of variables that change in it.
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

// assign visits an assignment.
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

// bind gives the left side of an assignment a shape; the expression is the right side, if there is one.
func (p *pass) bind(to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	switch to := unwrapped(to).(type) {
	case *syntax.Ident:
		s.set(to.Name, x.loose())
	case *syntax.DotExpr, *syntax.IndexExpr: // its shape may be declared
		part := p.expr(to, s)
		if of, is := to.(*syntax.DotExpr); e != nil && (!is || len(p.expr(of.X, s)) == 1) {
			p.given(p.text(to), part, e, x, s)
		}
	default:
		p.unpack(displayed(to), to, x, e, s)
	}
}

// unpack gives several variables the parts of a value.
func (p *pass) unpack(list []syntax.Expr, to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	parts, values := x.parted(len(list)), make([]syntax.Expr, len(list))
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
		is, sure := p.expr(e.X, s).truth()
		switch {
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

// exprs returns the shapes of some expressions.
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
		p.compared(e, x, y)
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
	return fold(e, x.only(), y.only())
}

// fold is the result of a comparison: known if both values are.
func fold(e *syntax.BinaryExpr, a, b starlark.Value) shape {
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

// arithmetic is the shape of the result of +, -, %, | and the like.
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
			case x.is("NoneType") || y.is("NoneType"): // there is no result
				return shape{}
			}
			return nil
		})
	})
}

// element is the shape of an element of a, whose key is y.
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

// comprehension is the shape of a list or a dictionary that is made of others.
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
		kind = "dict" // sets have none
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
	said := fmt.Sprintf("has no .%s%s; there are %s", name, usage.Nearest(name, names), orNone(names))
	if declaredType(x.only()) != nil {
		said = "is a type, and has no ." + name
	}
	p.judge(e.Name.NamePos, has, "%s %s", p.text(e.X), said)
	return all
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return words(names)
}

// A closure is a function, as it stands in a file, with the variables around it.
type closure struct {
	*syntax.DefStmt // of a lambda, too
	up              *scope
}

// closureAt is the function that a node of the syntax tree makes; nil: it makes none.
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

// An argument is one of a call.
type argument struct {
	name string // "": it is given by its place; "*": it is *args or **kwargs
	e    syntax.Expr
	x    shape
}

// place is which of some parameters or fields argument i is for; -1: there is none.
func (a argument) place(i int, names []string) int {
	if a.name != "" {
		return slices.Index(names, a.name)
	}
	if i < len(names) {
		return i
	}
	return -1
}

// arguments visits the arguments of a call.
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

// call is the shape of the result of a call.
func (p *pass) call(e *syntax.CallExpr, s *scope) shape {
	if dot, is := e.Fn.(*syntax.DotExpr); is {
		x := p.expr(dot.X, s)
		field, a := p.attribute(dot, x), p.arguments(e, s)
		if len(x) != 1 || x[0].record() != nil {
			return field // an inbox is a list
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

// apply is the shape of the result of a function that is called as is said.
func (p *pass) apply(c *closure, args []argument, at syntax.Position, said string) shape {
	params, fallbacks := parametersOf(c.Params)
	if slices.Contains(params, "*") || slices.ContainsFunc(args, func(a argument) bool { return a.name == "*" }) {
		return nil
	}
	vars, right := map[string]shape{}, true
	for name := range assignedIn(c.Body) {
		vars[name] = nil
	}
	given := make([]bool, len(params))
	for i, a := range args {
		k := a.place(i, params)
		if right = right && k >= 0; k >= 0 {
			vars[params[k]], given[k] = a.x.loose(), true
		}
	}
	for i, name := range params {
		switch {
		case given[i]:
		case fallbacks[i] != nil:
			vars[name] = p.expr(fallbacks[i], c.up)
		default:
			right = false
		}
	}
	p.judge(at, right, "%s takes (%s)%s", c.Name.Name, words(params), said)
	if !right || p.active[c.Def] || p.left < 0 {
		return nil
	}
	p.active[c.Def] = true
	defer delete(p.active, c.Def)
	result := shape{}
	if !p.block(c.Body, &scope{vars, c.up}, &result) {
		result = join(result, known(starlark.None, c.Def))
	}
	return result
}

// construct is the shape of a record or a message that is made.
func (p *pass) construct(e *syntax.CallExpr, t *valueType, args []argument, s *scope) shape {
	placed := 0
	for i, a := range args {
		k := a.place(i, t.fields)
		switch {
		case a.name == "":
			placed++
		case a.name != "*":
			p.judge(start(a.e), k >= 0, "%s has no field %s; there are %s", p.text(e.Fn), a.name,
				orNone(t.fields))
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
	if mine := x[0].t; mine.isA(records) && t[len(t)-1].t.isA(records) && len(x) == 1 {
		said = fmt.Sprintf("%s cannot be %s, which is of another type: each record(...) and message(...) is "+
			"a type of its own, also with the same fields", to, p.text(e))
	}
	if r, is := x.only().(*recordType); is {
		said = fmt.Sprintf("%s is a type; %s(...) makes a value of it", p.text(e), r.tag)
	}
	p.judgeFor(start(e), origin(e, x), x.mayBe(t), "%s", said)
}

// results are the kinds of the results of functions of the language and of methods: of a list or a set also
// its elements. These may be the elements of the first argument, or of the container (x), or its keys or
// values, where it is of a declared type.
var results = map[string]string{
	"sum": "int", "int": "int", "len": "int", "any": "bool", "all": "bool", "majority": "bool",
	"before": "bool", "bool": "bool", "str": "string", "type": "string",
	"range": "range int", "set": "set x", "list": "list x", "sorted": "list x", "reversed": "list x",
	"without": "list x", "joined": "list x", "subsets": "list set x", "quorums": "list set x", "pick": "x",
	".pop": "value", ".keys": "list key", ".values": "list value", ".items": "list item", ".union": "set",
	".issubset": "bool", ".issuperset": "bool", ".isalnum": "bool", ".isalpha": "bool", ".isdigit": "bool",
	".islower": "bool", ".isspace": "bool", ".istitle": "bool", ".isupper": "bool",
}

// resultOf is the shape that words of the table describe.
func resultOf(words string, x shape) shape {
	var t *valueType
	if len(x) == 1 && x[0].t.holds() {
		t = x[0].t
	}
	kind, elem, some := strings.Cut(words, " ")
	switch {
	case some:
		return holding(kind, resultOf(elem, x))
	case kind == "x":
		return x.inside()
	case kind == "" || (kind == "value" || kind == "key" || kind == "item") && t == nil:
		return nil
	case kind == "value":
		return ofType(t.of)
	case kind == "key":
		return ofType(t.key)
	case kind == "item":
		return tuple(ofType(t.key), ofType(t.of))
	}
	return ofKind(kind)
}

// builtin is the shape of the result of a function of the language, or of a method, whose name begins with a
// dot and whose first argument is the container.
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
		for _, y := range all {
			parts = append(parts, y.inside())
		}
		return holding("list", tuple(parts...))
	case "when":
		if len(all) == 1 {
			p.judgeFor(e.Lparen, start(args[0].e), first.is("bool"),
				"when(%s): it is no condition but %s; allowed: True and False", p.text(args[0].e), first)
		}
	case "send":
		if to := p.entries.messages; len(all) >= 2 && len(all[1]) > 0 {
			m := all[1]
			p.judge(start(args[1].e), m.mayBe(ofType(to)), "%s", to.unsendable(m.only(), m.String(), m.is("record")))
		}
	}
	return resultOf(results[name], first)
}
