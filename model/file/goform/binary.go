package goform

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"
)

var goOps = map[syntax.Token]string{
	syntax.EQL: "==", syntax.NEQ: "!=", syntax.LT: "<", syntax.LE: "<=", syntax.GT: ">", syntax.GE: ">=",
	syntax.PLUS: "+", syntax.MINUS: "-", syntax.STAR: "*", syntax.SLASHSLASH: "/", syntax.PERCENT: "%",
	syntax.PIPE: "|", syntax.AMP: "&", syntax.CIRCUMFLEX: "^",
}

func (c *scope) binary(e *syntax.BinaryExpr, want *typ) (string, *typ) {
	switch e.Op {
	case syntax.AND, syntax.OR:
		return c.logical(e, want)
	case syntax.EQL, syntax.NEQ:
		return c.equal(e), boolean
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return c.compare(e), boolean
	case syntax.IN:
		return c.in(e), boolean
	case syntax.NOT_IN:
		return negated(c.in(e)), boolean
	case syntax.PERCENT:
		if format, ok := bare(e.X).(*syntax.Literal); ok && format.Token == syntax.STRING {
			return c.format(format, e.Y), str
		}
	case syntax.STAR:
		if code, t, ok := c.repeated(e, want); ok {
			return code, t
		}
	}
	return c.arithmetic(e, want)
}

// logical is `and` or `or`: of conditions, or the first value that decides.
func (c *scope) logical(e *syntax.BinaryExpr, want *typ) (string, *typ) {
	_, t := c.expr(e.X, nil)
	_, u := c.expr(e.Y, nil)
	if t.kind == kBool && u.kind == kBool || want != nil && want.kind == kBool {
		return c.condition(e), boolean
	}
	of := join(t, u)
	if of == nil {
		refuse(e, "%s or %s", describe(t), describe(u))
	}
	a, b := c.as(e.X, of), c.as(e.Y, of)
	test := c.truth(e.X, "x", of)
	if e.Op == syntax.AND {
		test = negated(test)
	}
	return fmt.Sprintf("func() %s {\nif x := %s; %s {\nreturn x\n}\nreturn %s\n}()", of, a, test, b), of
}

// both are the operands of a comparison, as values of one type.
func (c *scope) both(e *syntax.BinaryExpr) (x, y string, t *typ) {
	_, t = c.expr(e.X, nil)
	_, u := c.expr(e.Y, t)
	if t.kind == kStr && u.kind == kEnum || u.kind == kRounds { // a literal
		_, t = c.expr(e.X, u)
	}
	of := join(t, u)
	if of == nil || of.kind == kAny {
		refuse(e, "a comparison of %s with %s", describe(t), describe(u))
	}
	return c.as(e.X, of), c.as(e.Y, of), of
}

func (c *scope) equal(e *syntax.BinaryExpr) string {
	x, y := e.X, e.Y
	if id, ok := bare(x).(*syntax.Ident); ok && id.Name == "None" {
		x, y = y, x
	}
	if id, ok := bare(y).(*syntax.Ident); ok && id.Name == "None" {
		code, t := c.expr(x, nil)
		if t.kind != kOption {
			refuse(e, "a comparison of %s with None", describe(t))
		}
		if e.Op == syntax.EQL {
			return "!" + paren(code) + ".some"
		}
		return paren(code) + ".some"
	}
	a, b, t := c.both(e)
	if sequence(t) {
		code := "slices.Equal(" + a + ", " + b + ")"
		if e.Op == syntax.NEQ {
			code = "!" + code
		}
		return code
	}
	if t.kind == kSet && !t.numbers() || t.kind == kDict {
		refuse(e, "a comparison of %s", describe(t))
	}
	return paren(a) + " " + goOps[e.Op] + " " + paren(b)
}

func (c *scope) compare(e *syntax.BinaryExpr) string {
	x, ok := bare(e.X).(*syntax.TupleExpr)
	y, both := bare(e.Y).(*syntax.TupleExpr)
	if ok && both && len(x.List) == 2 && len(y.List) == 2 { // (a, b) < (c, d)
		strict := map[syntax.Token]syntax.Token{syntax.LE: syntax.LT, syntax.GE: syntax.GT}[e.Op]
		if strict == 0 {
			strict = e.Op
		}
		first := func(op syntax.Token, i int) string {
			return c.condition(&syntax.BinaryExpr{X: x.List[i], Op: op, OpPos: e.OpPos, Y: y.List[i]})
		}
		return first(strict, 0) + " || " + first(syntax.EQL, 0) + " && " + first(e.Op, 1)
	}
	a, b, t := c.both(e)
	if t.kind == kOption {
		a, b, t = paren(a)+".must()", paren(b)+".must()", t.of
	}
	switch t.kind {
	case kInt, kStr, kRounds:
		return paren(a) + " " + goOps[e.Op] + " " + paren(b)
	case kTuple:
		return a + ".compare(" + b + ") " + goOps[e.Op] + " 0"
	}
	refuse(e, "an order of %s", describe(t))
	return ""
}

// uncopied is what list(x) and sorted(x) are about, where only what it holds counts.
func uncopied(e syntax.Expr) syntax.Expr {
	if t, ok := bare(e).(*syntax.TupleExpr); ok { // as good as a list
		return &syntax.ListExpr{Lbrack: t.Lparen, List: t.List, Rbrack: t.Rparen}
	}
	if call, ok := bare(e).(*syntax.CallExpr); ok && len(call.Args) == 1 {
		if f, ok := call.Fn.(*syntax.Ident); ok && (f.Name == "list" || f.Name == "tuple") {
			return uncopied(call.Args[0])
		}
	}
	return e
}

// in is x in y.
func (c *scope) in(e *syntax.BinaryExpr) string {
	all := uncopied(e.Y)
	if p, t, ok := c.place(all); ok && (t.kind == kSet && !t.numbers() || t.kind == kDict) {
		if t.kind == kDict {
			return p + "[" + c.index(e.X, t) + "].some"
		}
		return "holds(" + t.dom + ", " + p + ", " + c.as(e.X, t.of) + ")"
	}
	code, t := c.expr(all, nil)
	if t.kind == kOption {
		code, t = paren(code)+".must()", t.of
	}
	of := element(t)
	if of == nil {
		refuse(e.Y, "`in` of %s", describe(t))
	}
	_, u := c.expr(e.X, of)
	if of.kind == kEnum && u.kind == kStr { // a word that is not known before
		code, t = c.convert(e.Y, code, t, listOf(str)), listOf(str)
		of = str
	}
	x := c.as(e.X, of)
	switch {
	case t.numbers():
		return paren(code) + ".has(" + x + ")"
	case t.kind == kDict:
		return "slices.Contains(keysOf(" + code + "), " + x + ")"
	}
	return "slices.Contains(" + code + ", " + x + ")"
}

// format is a string made by %.
func (c *scope) format(format *syntax.Literal, y syntax.Expr) string {
	args := []syntax.Expr{y}
	if t, ok := bare(y).(*syntax.TupleExpr); ok {
		args = t.List
	}
	text := strings.NewReplacer("%s", "%v", "%d", "%v", "%r", "%v").Replace(format.Value.(string))
	all := []string{fmt.Sprintf("%q", text)}
	for _, x := range args {
		code, t := c.expr(x, nil)
		if t.kind != kInt && t.kind != kStr {
			code = "show(" + code + ")"
		}
		all = append(all, code)
	}
	return "fmt.Sprintf(" + strings.Join(all, ", ") + ")"
}

// repeated is [x] * n.
func (c *scope) repeated(e *syntax.BinaryExpr, want *typ) (string, *typ, bool) {
	x, n := e.X, e.Y
	if _, isList := bare(n).(*syntax.ListExpr); isList {
		x, n = n, x
	}
	if _, isList := bare(x).(*syntax.ListExpr); !isList {
		return "", nil, false
	}
	code, t := c.expr(x, want)
	return "repeat(" + code + ", " + c.as(n, integer) + ")", t, true
}

func (c *scope) arithmetic(e *syntax.BinaryExpr, want *typ) (string, *typ) {
	x, t := c.expr(e.X, want)
	y, u := c.expr(e.Y, want)
	op := goOps[e.Op]
	if op == "" {
		refuse(e, "the operator %s", e.Op)
	}
	if t.kind == kOption {
		x, t = paren(x)+".must()", t.of
	}
	if u.kind == kOption {
		y, u = paren(y)+".must()", u.of
	}
	switch {
	case (t.kind == kInt || t.kind == kRounds) && (u.kind == kInt || u.kind == kRounds):
		if e.Op == syntax.PERCENT || e.Op == syntax.SLASHSLASH { // which round down, as Go's do not
			return fmt.Sprintf("%s(%s, %s)", map[string]string{"%": "mod", "/": "div"}[op], x, y), integer
		}
		return operand(x, op) + " " + op + " " + paren(y), integer
	case t.kind == kStr && u.kind == kStr && e.Op == syntax.PLUS:
		return paren(x) + " + " + paren(y), str
	case t.kind == kSet:
		return c.sets(e, x, t, c.convert(e.Y, y, u, t)), t
	case e.Op == syntax.PLUS && sequence(t) && sequence(u):
		of := join(t, u)
		if of == nil || of.of == nil {
			refuse(e, "a list of values of different kinds")
		}
		return "slices.Concat(" + c.as(e.X, of) + ", " + c.as(e.Y, of) + ")", listOf(of.of)
	}
	refuse(e, "%s of %s and %s", e.Op, describe(t), describe(u))
	return "", nil
}

// operand leaves out brackets around sums in sums.
func operand(code, op string) string {
	if op == "+" && !strings.ContainsAny(code, "|&<>=%^{\n") {
		return code
	}
	return paren(code)
}

func (c *scope) sets(e *syntax.BinaryExpr, x string, t *typ, y string) string {
	if t.numbers() {
		op := goOps[e.Op]
		if e.Op == syntax.MINUS {
			op = "&^"
		}
		switch op {
		case "+", "*", "/", "%":
			refuse(e, "%s of sets", e.Op)
		}
		return paren(x) + " " + op + " " + paren(y)
	}
	switch e.Op {
	case syntax.PIPE:
		return "unique(slices.Concat(" + x + ", " + y + "))"
	case syntax.MINUS:
		return "minus(" + x + ", " + y + ")"
	case syntax.AMP:
		return "meet(" + x + ", " + y + ")"
	}
	refuse(e, "%s of sets", e.Op)
	return ""
}
