package starfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/usage"
)

// The walk of the static pass through statements and expressions.

// A scope has the variables of a function, or of a comprehension.
type scope struct {
	vars   map[string]shape
	locals map[string]bool // names that are assigned to somewhere in the function
	up     *scope
	file   string // of the globals
	top    bool   // of the statements of a file, which have been executed: the globals are as they are
}

// set gives a variable a shape.
func (s *scope) set(name string, x shape) {
	for ; s != nil; s = s.up {
		if _, is := s.vars[name]; s.top || is || s.locals[name] {
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
	for _, names := range []starlark.StringDict{p.globals[s.file], p.library, starlark.Universe} {
		if v := names[name]; v != nil {
			if words := p.words[name]; words != nil && s.file == p.main {
				return shape{{t: words, v: v, at: at}}
			}
			return known(v, at)
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
			s.set(n.Name.Name, shape{{made: closureAt(n, s)}})
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

// loop visits the body of a loop. Nothing is known, at its begin, of variables that change in it.
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

// assign visits an assignment.
func (p *pass) assign(n *syntax.AssignStmt, s *scope) {
	x := p.expr(n.RHS, s)
	if n.Op == syntax.EQ {
		p.bind(n.LHS, x, n.RHS, s)
		return
	}
	was := p.expr(n.LHS, s)
	if len(was) == 1 && (n.Op == syntax.PIPE_EQ || n.Op == syntax.PLUS_EQ) {
		if was[0].t.holds() {
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

// bind gives the left side of an assignment a shape; the expression is the right side, if there is one.
func (p *pass) bind(to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	switch to := unwrapped(to).(type) {
	case *syntax.Ident:
		s.set(to.Name, x.loose())
	case *syntax.DotExpr:
		r := p.expr(to.X, s)
		p.bindPart(to, p.attribute(to, r), len(r) == 1, x, e, s)
	case *syntax.IndexExpr:
		p.bindPart(to, p.expr(to, s), true, x, e, s)
	case *syntax.TupleExpr:
		p.unpack(to.List, to, x, e, s)
	case *syntax.ListExpr:
		p.unpack(to.List, to, x, e, s)
	}
}

// bindPart judges an assignment to a field or an element, whose shape may be known.
func (p *pass) bindPart(to syntax.Expr, part shape, known bool, x shape, e syntax.Expr, s *scope) {
	if known && len(part) == 1 && e != nil {
		p.given(p.text(to), part[0].t, e, x, s)
	}
}

// unpack gives several variables the parts of a value.
func (p *pass) unpack(list []syntax.Expr, to syntax.Expr, x shape, e syntax.Expr, s *scope) {
	parts, values := x.parted(len(list)), make([]syntax.Expr, len(list))
	if e != nil {
		if tuple, is := unwrapped(e).(*syntax.TupleExpr); is {
			same := len(tuple.List) == len(list)
			p.judgeHere(start(to), "unpacked", same, "%d values for %d variables", len(tuple.List), len(list))
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
		return shape{{made: closureAt(e, s)}}
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
		return fold(e, x, y)
	case syntax.IN, syntax.NOT_IN:
		p.sought(e, x, y, s)
		return fold(e, x, y)
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if x != nil && y != nil && (x.declared() || y.declared()) {
			p.judgeHere(e.OpPos, "order", ordered(x, y), "%s and %s have no order: %s; %s", p.text(e.X),
				p.text(e.Y), x, y)
		}
		return fold(e, x, y)
	}
	return arithmetic(e, x, y)
}

// fold is the result of a comparison: known if both values are.
func fold(e *syntax.BinaryExpr, x, y shape) shape {
	a, b := x.only(), y.only()
	if !isScalar(a) || b == nil {
		return ofKind("bool")
	}
	if e.Op == syntax.IN || e.Op == syntax.NOT_IN {
		if n := starlark.Len(b); 0 <= n && n <= 1000 {
			if v, err := starlark.Binary(syntax.IN, a, b); err == nil {
				return known(starlark.Bool(bool(v.Truth()) == (e.Op == syntax.IN)), e.OpPos)
			}
		}
	} else if is, err := starlark.Compare(e.Op, a, b); isScalar(b) && err == nil {
		return known(starlark.Bool(is), e.OpPos)
	}
	return ofKind("bool")
}

// arithmetic is the shape of the result of +, -, %, | and the like.
func arithmetic(e *syntax.BinaryExpr, x, y shape) shape {
	switch {
	case e.Op == syntax.PERCENT && x.is("string") && !x.is("int"):
		return ofKind("string")
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
	all := shape{}
	for _, a := range x {
		all = join(all, p.elementOf(e, a, y))
	}
	return all
}

// elementOf is the shape of an element of a, whose key is y.
func (p *pass) elementOf(e *syntax.IndexExpr, a alt, y shape) shape {
	t := a.t
	if t.holds() && t.key != nil && y.is("string") { // numbers are judged while the model is executed
		p.comparable(e.Lbrack, e.X, e.Y, ofType(t.key), y)
	}
	switch i, certain := y.only().(starlark.Int); {
	case a.kind == stateKind:
		return ofType(p.local)
	case t.holds():
		return ofType(t.of)
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

// comprehension is the shape of a list or a dictionary that is made of others.
func (p *pass) comprehension(e *syntax.Comprehension, s *scope) shape {
	s = &scope{vars: map[string]shape{}, up: s, file: s.file}
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			elem, own := p.expr(c.X, s).inside(), map[string]bool{}
			targets(c.Vars, own)
			for name := range own {
				s.vars[name] = nil
			}
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
	all, has := shape{}, false
	var names []string
	for _, y := range x {
		of, some := p.attributesOf(y)
		found, is := of[e.Name.Name]
		if is || some == nil || slices.Contains(some, e.Name.Name) {
			has, all = true, join(all, found)
		}
		names = append(names, some...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	at := e.Name.NamePos
	if declaredType(x.only()) != nil {
		p.judgeHere(at, "field", has, "%s is a type, and has no .%s", p.text(e.X), e.Name.Name)
	} else if has {
		p.judgeHere(at, "field", true, "")
	} else {
		p.judgeHere(at, "field", false, "%s has no .%s%s; there are %s", p.text(e.X), e.Name.Name,
			usage.Nearest(e.Name.Name, names), orNone(names))
	}
	return all
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return words(names)
}

// A closure is a function, as it stands in a file.
type closure struct {
	name   string
	at     syntax.Position
	params []syntax.Expr
	body   []syntax.Stmt
	value  syntax.Expr // of a lambda, in place of the body
	up     *scope
}

// closureAt is the function that a node of the syntax tree makes; nil: it makes none.
func closureAt(n syntax.Node, up *scope) *closure {
	switch n := n.(type) {
	case *syntax.DefStmt:
		return &closure{name: n.Name.Name, at: n.Def, params: n.Params, body: n.Body, up: up}
	case *syntax.LambdaExpr:
		return &closure{name: "lambda", at: n.Lambda, params: n.Params, value: n.Body, up: up}
	}
	return nil
}

// arguments are the arguments of a call.
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

// at is the shape of argument i; nil without one.
func (a *arguments) at(i int) shape {
	if i < len(a.shapes) {
		return a.shapes[i]
	}
	return nil
}

// call is the shape of the result of a call.
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
		return p.construct(e, v.valueType, &a, s)
	case *starlark.Function:
		if c := p.closureOf(v); c != nil {
			return p.apply(c, &a, e.Lparen, "")
		}
	case *starlark.Builtin:
		return p.builtin(e, v.Name(), &a)
	}
	return nil
}

// closureOf is a function that was made when the file was executed, with the variables that it kept.
func (p *pass) closureOf(f *starlark.Function) *closure {
	c := p.functions[f.Position().String()]
	if c == nil {
		return nil
	}
	made := *c
	made.up = &scope{vars: map[string]shape{}, file: f.Position().Filename()}
	for i := range f.NumFreeVars() {
		name, v := f.FreeVar(i)
		made.up.vars[name.Name] = known(v, name.Pos)
	}
	for i := arity(f); i < f.NumParams(); i++ { // see rewriter
		if name, at := f.Param(i); f.ParamDefault(i) != nil {
			made.up.vars[name] = known(f.ParamDefault(i), at)
		}
	}
	return &made
}

// apply is the shape of the result of a function. Where the model calls it, given are its arguments in words.
func (p *pass) apply(c *closure, a *arguments, at syntax.Position, given string) shape {
	params := parametersOf(c.params)
	if a.rest || slices.ContainsFunc(params, func(q parameter) bool { return q.rest }) {
		return nil
	}
	vars, right := map[string]shape{}, len(a.shapes) <= len(params)
	var names []string
	for i, q := range params {
		by := slices.Index(a.names, q.name)
		switch {
		case i < len(a.shapes):
			vars[q.name] = a.shapes[i].loose()
		case by >= 0:
			vars[q.name] = a.by[by].loose()
		case q.fallback != nil:
			vars[q.name] = p.expr(q.fallback, c.up)
		default:
			right = false
		}
		names = append(names, q.name)
	}
	for _, name := range a.names {
		right = right && slices.Contains(names, name)
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
		result = join(result, known(starlark.None, c.at))
	}
	return result
}

// construct is the shape of a record or a message that is made.
func (p *pass) construct(e *syntax.CallExpr, t *valueType, a *arguments, s *scope) shape {
	p.judgeHere(e.Lparen, "fields", len(a.shapes) <= len(t.fields),
		"%s has %d fields, and %d values are given", p.text(e.Fn), len(t.fields), len(a.shapes))
	for i, x := range a.exprs {
		if i < len(t.fields) {
			p.given(t.fields[i], t.types[i], x, a.shapes[i], s)
		}
	}
	for i, name := range a.names {
		k, at := slices.Index(t.fields, name), start(a.values[i])
		p.judgeHere(at, "fields", k >= 0, "%s has no field %s; there are %s", p.text(e.Fn), name,
			orNone(t.fields))
		if k >= 0 {
			p.given(name, t.types[k], a.values[i], a.by[i], s)
		}
	}
	return ofType(t)
}

// given judges whether a value may be given to a variable of a type.
func (p *pass) given(to string, t *valueType, e syntax.Expr, x shape, s *scope) {
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
	if t.isA(records) && x[0].t.isA(records) && x[0].t != t && len(x) == 1 {
		said = fmt.Sprintf("%s cannot be %s, which is of another type: each record(...) and message(...) is "+
			"a type of its own, also with the same fields", to, p.text(e))
	}
	if r, is := x.only().(*recordType); is {
		said = fmt.Sprintf("%s is a type; %s(...) makes a value of it", p.text(e), r.tag)
	}
	p.judge(at, "given", here, false, "%s", said)
}

// takesElement are the methods that take an element of their container.
var takesElement = []string{"append", "add", "remove", "discard"}

// method is the shape of the result of a method.
func (p *pass) method(e *syntax.DotExpr, x shape, a *arguments, s *scope) shape {
	name := e.Name.Name
	if len(x) != 1 {
		return nil
	}
	t := x[0].t
	switch {
	case x[0].kind == stateKind && name == "inbox":
		return p.entries.state["messages"]
	case t.holds() && slices.Contains(takesElement, name) && len(a.exprs) == 1 && !x.is("dict"):
		p.given("an element of "+p.text(e.X), t.of, a.exprs[0], a.shapes[0], s)
		return known(starlark.None, e.Dot)
	case name == "pop" && t.holds():
		return ofType(t.of)
	case name == "keys" && t.keyed():
		return holding("list", ofType(t.key))
	case name == "values" && t.keyed():
		return holding("list", ofType(t.of))
	case name == "items" && t.keyed():
		return holding("list", shape{{kind: "tuple", parts: []shape{ofType(t.key), ofType(t.of)}}})
	case name == "union" && x.is("set"):
		return ofKind("set")
	case strings.HasPrefix(name, "is") && x.is("set", "string"):
		return ofKind("bool")
	}
	return nil
}

// builtin is the shape of the result of a function of the language.
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
		kind, elem := "list", shape{}
		if name == "set" {
			kind = "set"
		}
		if len(a.shapes) > 0 {
			elem = x.inside()
		}
		return holding(kind, elem)
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
		if m := a.at(1); len(m) > 0 && len(a.exprs) >= 2 {
			all := p.entries.messages
			right := slices.ContainsFunc(all.types, func(t *valueType) bool { return m.mayBe(t) })
			p.judgeHere(start(a.exprs[1]), "sent", right, "%s",
				all.unsendable(m.only(), m.String(), m.is("record")))
		}
	}
	return nil
}
