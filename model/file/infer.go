package file

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

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
		x := alt{kind: "tuple", parts: []shape{}}
		for _, y := range e.List {
			x.parts = append(x.parts, p.expr(y, s))
		}
		return shape{x}
	case *syntax.ListExpr:
		elem := shape{}
		for _, y := range e.List {
			elem = join(elem, p.expr(y, s))
		}
		return shape{{kind: "list", elem: elem}}
	case *syntax.DictExpr:
		keys := shape{}
		for _, y := range e.List {
			entry := y.(*syntax.DictEntry)
			keys = join(keys, p.expr(entry.Key, s))
			p.expr(entry.Value, s)
		}
		return shape{{kind: "dict", elem: keys}}
	case *syntax.CondExpr:
		switch is, sure := truth(p.expr(e.Cond, s)); {
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
		return p.slice(e, s)
	case *syntax.CallExpr:
		return p.call(e, s)
	case *syntax.Comprehension:
		return p.comprehension(e, s)
	case *syntax.LambdaExpr:
		return shape{{made: &closure{params: e.Params, value: e.Body, at: e.Lambda, up: s, name: "lambda"}}}
	}
	return nil
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

// truth returns whether a value is true, where that is known.
func truth(s shape) (is, sure bool) {
	v := s.only()
	if !isScalar(v) {
		return false, false
	}
	return bool(v.Truth()), true
}

func (p *pass) unary(e *syntax.UnaryExpr, s *scope) shape {
	if e.X == nil {
		return nil
	}
	x := p.expr(e.X, s)
	switch is, sure := truth(x); {
	case e.Op == syntax.NOT && sure:
		return known(starlark.Bool(!is), e.OpPos)
	case e.Op == syntax.NOT:
		return ofKind("bool")
	}
	return ofKind("int")
}

func (p *pass) binary(e *syntax.BinaryExpr, s *scope) shape {
	x := p.expr(e.X, s)
	if e.Op == syntax.AND || e.Op == syntax.OR {
		is, sure := truth(x)
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
			p.judge(e.OpPos, "order", e.OpPos, kindsMeet(x, y), func() string {
				return p.text(e.X) + " and " + p.text(e.Y) + " have no order: " + x.String() + "; " +
					y.String()
			})
		}
		return fold(e, x, y, "bool")
	}
	return arithmetic(e, x, y)
}

// distinct judges a comparison whose sides are one variable, or one part of it: the answer is always the
// same.
func (p *pass) distinct(e *syntax.BinaryExpr) {
	switch e.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
	default:
		return
	}
	text := p.text(e.X)
	if isPlace(e.X) && text != "it" && text == p.text(e.Y) {
		p.judge(e.OpPos, "itself", e.OpPos, false, func() string { return text + " is compared with itself" })
	}
}

// isPlace reports whether an expression is a variable, or a field or an element of one.
func isPlace(e syntax.Expr) bool {
	switch e := unwrapped(e).(type) {
	case *syntax.Ident:
		return true
	case *syntax.DotExpr:
		return isPlace(e.X)
	case *syntax.IndexExpr:
		_, literal := unwrapped(e.Y).(*syntax.Literal)
		return isPlace(e.X) && (literal || isPlace(e.Y))
	}
	return false
}

// kindsMeet reports whether two values may be put in order: they are of one kind, and so are the parts of
// tuples.
func kindsMeet(x, y shape) bool {
	return x == nil || y == nil || slices.ContainsFunc(x, func(a alt) bool {
		return slices.ContainsFunc(y, func(b alt) bool {
			if a.parts != nil && b.parts != nil {
				return len(a.parts) != len(b.parts) || slices.EqualFunc(a.parts, b.parts, kindsMeet)
			}
			return meetKinds(a.kindsOf(), b.kindsOf())
		})
	})
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
	case x.is("int") && y.is("int") && len(x) == 1 && len(y) == 1 && e.Op != syntax.SLASH:
		return ofKind("int")
	case e.Op == syntax.PLUS && len(x) == 1 && len(y) == 1 && x.is("list") && y.is("list"):
		return shape{{kind: "list", elem: join(insideOf(x), insideOf(y))}}
	case len(x) == 1 && len(y) == 1 && x.is("set") && y.is("set"):
		return shape{{kind: "set", elem: join(insideOf(x), insideOf(y))}}
	}
	return nil
}

// judge notes that something at a place is right, or wrong: it is reported if it never is right. The key says
// what of the place, together with another place that matters.
func (p *pass) judge(at syntax.Position, what string, other syntax.Position, right bool, say func() string) {
	key := at.String() + " " + what + " " + other.String()
	switch {
	case right:
		p.right[key] = true
	case p.wrong[key] == nil:
		p.wrong[key] = &located{at.String(), say()}
		p.places[key] = at
	}
}

// compared judges what is compared with == or !=, or looked for: some value has to be of both kinds.
func (p *pass) compared(e *syntax.BinaryExpr, x, y shape) {
	a, b := e.X, e.Y
	if literalAlone(x) && !literalAlone(y) {
		x, y, a, b = y, x, b, a
	}
	p.comparable(e.OpPos, a, b, x, y)
}

// comparable judges whether b may have a value that a has.
func (p *pass) comparable(op syntax.Position, a, b syntax.Expr, x, y shape) {
	if len(x) == 0 || len(y) == 0 || !x.declared() && !y.declared() && (len(x) < 2 || !literalAlone(y)) {
		return
	}
	at, _ := b.Span()
	if y[0].at.IsValid() {
		at = y[0].at
	}
	p.judge(at, "compared", op, meet(x, y), func() string {
		return fmt.Sprintf("%s is never %s; it is one of: %s%s", p.text(a), p.named(b, y), x, nearest(y, x))
	})
}

// literalAlone reports whether all alternatives are values that stand in the file.
func literalAlone(s shape) bool {
	return !slices.ContainsFunc(s, func(x alt) bool { return x.t != nil || x.v == nil || !isScalar(x.v) })
}

// sought judges what is looked for in something.
func (p *pass) sought(e *syntax.BinaryExpr, x, y shape, s *scope) {
	var listed []syntax.Expr
	switch among := unwrapped(e.Y).(type) {
	case *syntax.ListExpr:
		listed = among.List
	case *syntax.TupleExpr:
		listed = among.List
	}
	for _, b := range listed {
		p.comparable(e.OpPos, e.X, b, x, p.expr(b, s))
	}
	if listed == nil && !y.is("string") {
		elem := insideOf(y)
		if literalAlone(x) {
			p.comparable(e.OpPos, &syntax.ParenExpr{Lparen: p.start(e.Y), X: e.Y}, e.X, elem, x)
		} else {
			p.comparable(e.OpPos, e.X, e.Y, x, elem)
		}
	}
}

func unwrapped(e syntax.Expr) syntax.Expr {
	if paren, is := e.(*syntax.ParenExpr); is {
		return unwrapped(paren.X)
	}
	return e
}

// insideOf is the shape of what is in something: of a dictionary the keys.
func insideOf(s shape) (all shape) {
	if s == nil {
		return nil
	}
	all = shape{}
	for _, x := range s {
		switch keys, of := keysAndValues(x.t); {
		case x.t == nil && x.v != nil:
			all = join(all, valuesIn(x))
		case x.t == nil && x.parts != nil:
			for _, part := range x.parts {
				all = join(all, part)
			}
		case x.t == nil:
			all = join(all, x.elem)
		case of == nil:
			return nil
		case kindOf(x.t) == "dict":
			all = join(all, ofType(keys))
		default:
			all = join(all, ofType(of))
		}
	}
	return all
}

// valuesIn is the shape of what is in a value that is known.
func valuesIn(x alt) (all shape) {
	if r, is := x.v.(*array); is {
		return ofType(r.t.of)
	}
	if x.v.Type() == "range" {
		return ofKind("int")
	}
	n := starlark.Len(x.v)
	it := starlark.Iterate(x.v)
	if it == nil || n > maxAlts {
		return nil
	}
	defer it.Done()
	all = shape{}
	var v starlark.Value
	for it.Next(&v) {
		all = join(all, known(v, x.at))
	}
	return all
}

// named is an expression as it stands, with its value where that is another text.
func (p *pass) named(e syntax.Expr, s shape) string {
	text, value := p.text(e), s.String()
	if text == value {
		return text
	}
	if literalAlone(s) {
		return value
	}
	return text + " (" + value + ")"
}

// text is an expression as it stands in the file.
func (p *pass) text(e syntax.Expr) string {
	if of, is := e.(*syntax.ParenExpr); is && !of.Rparen.IsValid() {
		return "an element of " + p.text(of.X)
	}
	start, _ := e.Span()
	return textOf(e, p.lines[start.Filename()])
}

// textOf is an expression as it stands in some lines.
func textOf(e syntax.Expr, lines []string) string {
	start, end := e.Span()
	if start.Line != end.Line || int(start.Line) > len(lines) {
		return "it"
	}
	line := []rune(lines[start.Line-1])
	from, to := int(start.Col)-1, min(int(end.Col)-1, len(line))
	switch e.(type) {
	case *syntax.IndexExpr, *syntax.SliceExpr: // their end is before the bracket
		to = min(to+1, len(line))
	}
	if from < 0 || from > to {
		return "it"
	}
	return strings.TrimSpace(string(line[from:to]))
}
