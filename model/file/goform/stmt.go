package goform

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"
)

// useMember marks the variable of the process as read.
func (c *scope) useMember() {
	for s := c; s != nil; s = s.outer {
		for _, v := range s.vars {
			if v.name == c.member {
				v.used = true
				return
			}
		}
	}
}

// block is a list of statements.
func (c *scope) block(stmts []syntax.Stmt) string {
	var b strings.Builder
	for _, s := range stmts {
		b.WriteString(c.stmt(s))
	}
	return b.String()
}

// leave is what ends a function that returns nothing.
func (c *scope) leave() string {
	if c.fn != nil && c.fn.step {
		return "return true\n"
	}
	return "return\n"
}

func (c *scope) stmt(s syntax.Stmt) string {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return c.effect(s.X)
	case *syntax.AssignStmt:
		return c.assign(s)
	case *syntax.IfStmt:
		return c.branches(s)
	case *syntax.ForStmt:
		in := c.inner()
		head, inside := in.over(s.Vars, s.X)
		body := in.block(s.Body)
		return in.unused(head) + "\n" + inside + body + "}\n"
	case *syntax.ReturnStmt:
		return c.result(s)
	case *syntax.BranchStmt:
		switch s.Token {
		case syntax.BREAK:
			return "break\n"
		case syntax.CONTINUE:
			return "continue\n"
		}
		return ""
	}
	refuse(s, "this statement")
	return ""
}

func (c *scope) branches(s *syntax.IfStmt) string {
	code := "if " + c.condition(s.Cond) + " {\n" + c.inner().block(s.True) + "}"
	switch {
	case len(s.False) == 1:
		if again, ok := s.False[0].(*syntax.IfStmt); ok {
			return code + " else " + c.branches(again)
		}
		fallthrough
	case len(s.False) > 0:
		code += " else {\n" + c.inner().block(s.False) + "}"
	}
	return code + "\n"
}

func (c *scope) result(s *syntax.ReturnStmt) string {
	f := c.fn
	if f == nil {
		refuse(s, "return outside of a function")
	}
	if s.Result == nil {
		return c.leave()
	}
	if id, ok := bare(s.Result).(*syntax.Ident); ok && f.step {
		switch id.Name {
		case "False":
			return "return false\n"
		case "True", "None":
			return "return true\n"
		}
	}
	if f.step {
		code, t := c.expr(s.Result, nil)
		switch t.kind {
		case kBool:
			return "return " + c.condition(s.Result) + "\n"
		case kVoid:
			return code + "\nreturn true\n"
		}
		refuse(s, "a step that returns %s", describe(t))
	}
	if f.result != nil && f.result.kind == kBool {
		if _, t := c.expr(s.Result, boolean); t.kind == kBool {
			return "return " + c.condition(s.Result) + "\n"
		}
	}
	code, t := c.expr(s.Result, f.result)
	if f.result == nil {
		f.result = t
		if t.kind == kBool {
			code = c.condition(s.Result)
		}
	}
	return "return " + c.convert(s.Result, code, t, f.result) + "\n"
}

// effect is an expression for what it does.
func (c *scope) effect(e syntax.Expr) string {
	call, ok := bare(e).(*syntax.CallExpr)
	if !ok {
		if _, isText := e.(*syntax.Literal); isText {
			return ""
		}
		refuse(e, "an expression that does nothing")
	}
	if dot, ok := call.Fn.(*syntax.DotExpr); ok {
		code, _ := c.method(call, dot, false)
		return code + "\n"
	}
	if f, ok := call.Fn.(*syntax.Ident); ok && c.t.functions[f.Name].def == nil {
		switch f.Name {
		case "when":
			if c.fn == nil || !c.fn.step {
				refuse(e, "when in a function that returns a value")
			}
			return "if " + negatedAll(c.condition(argument(call, 0, 1))) + " {\nreturn false\n}\n"
		case "send":
			return c.send(call)
		case "note":
			return c.note(call)
		}
		if c.global {
			if code, ok := c.t.statement(c, call, f.Name); ok {
				return code
			}
		}
	}
	code, t := c.call(call, nil)
	if f, ok := call.Fn.(*syntax.Ident); ok && c.t.steps(f.Name) {
		return "if !" + code + " {\nreturn false\n}\n"
	}
	if t.kind != kVoid && !strings.Contains(code, ".Remove(") && !strings.HasPrefix(code, "popped(") {
		return "_ = " + code + "\n"
	}
	return code + "\n"
}

// negatedAll negates a condition, the parts of it where that reads better.
func negatedAll(code string) string {
	for _, op := range [][2]string{{" == ", " != "}, {" != ", " == "}} {
		if a, b, ok := strings.Cut(code, op[0]); ok && simple().MatchString(a) && simple().MatchString(b) {
			return a + op[1] + b
		}
	}
	return negated(code)
}

func (c *scope) send(e *syntax.CallExpr) string {
	if c.member == "" || c.t.system {
		refuse(e, "send in a function that is not given the process")
	}
	c.useMember()
	message := c.as(argument(e, 1, 2), &typ{kind: kMessage})
	to, t := c.expr(uncopied(e.Args[0]), nil)
	if t.kind == kOption {
		to, t = paren(to)+".must()", t.of
	}
	switch {
	case t.kind == kInt:
		return c.member + ".send(" + message + ", " + to + ")\n"
	case t.numbers():
		to = paren(to) + ".each()"
	case !sequence(t):
		refuse(e, "send to %s", describe(t))
	}
	return c.member + ".send(" + message + ", " + to + "...)\n"
}

func (c *scope) note(e *syntax.CallExpr) string {
	if c.member == "" || c.t.system || len(e.Args) < 1 || len(e.Args) > 2 {
		refuse(e, "note in a function that is not given the process")
	}
	c.useMember()
	about := "0"
	if len(e.Args) == 2 {
		about = c.as(e.Args[1], ints)
	}
	return c.member + ".note(" + c.as(e.Args[0], integer) + ", " + about + ")\n"
}

// assign is an assignment.
func (c *scope) assign(s *syntax.AssignStmt) string {
	if s.Op != syntax.EQ {
		op, ok := assigned[s.Op]
		if !ok {
			refuse(s, "%s", s.Op)
		}
		if code, t, isPlace := c.place(s.LHS); isPlace && t.kind == kInt && t.lo == "" && t.store == "int" {
			if x, ok := bare(s.RHS).(*syntax.Literal); ok && x.Value == int64(1) &&
				(op == syntax.PLUS || op == syntax.MINUS) {
				return code + goOps[op] + goOps[op] + "\n"
			}
		}
		return c.assign(&syntax.AssignStmt{
			Op: syntax.EQ, OpPos: s.OpPos, LHS: s.LHS, RHS: &syntax.BinaryExpr{X: s.LHS, Op: op,
				OpPos: s.OpPos, Y: s.RHS},
		})
	}
	if to, ok := bare(s.LHS).(*syntax.TupleExpr); ok {
		return c.assignAll(s, to.List)
	}
	return c.assignOne(s.LHS, s.RHS)
}

var assigned = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR,
	syntax.PIPE_EQ: syntax.PIPE,
	syntax.AMP_EQ:  syntax.AMP, syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.PERCENT_EQ: syntax.PERCENT,
}

// assignAll is a, b = c, d. What is stored is stored one after the other, so nothing assigned may be read
// behind.
func (c *scope) assignAll(s *syntax.AssignStmt, to []syntax.Expr) string {
	var code string
	if from, ok := bare(s.RHS).(*syntax.TupleExpr); ok && len(from.List) == len(to) {
		for i := range to {
			for _, later := range from.List[i+1:] {
				if mentions(later, to[i]) {
					return c.swapped(s, to, from.List)
				}
			}
		}
		for i := range to {
			code += c.assignOne(to[i], from.List[i])
		}
		return code
	}
	value, t := c.expr(s.RHS, nil)
	if t.kind != kTuple || len(t.items) != len(to) {
		refuse(s, "%d variables for %s", len(to), describe(t))
	}
	code = "parts := " + value + "\n"
	for i, x := range to {
		code += c.assignValue(x, fmt.Sprintf("parts.%c", 'a'+i), t.items[i])
	}
	return "{\n" + code + "}\n"
}

// swapped is an assignment of several values, read before any is stored.
func (c *scope) swapped(s syntax.Node, to, from []syntax.Expr) string {
	var names, values []string
	var ts []*typ
	for i, x := range from {
		value, t := c.expr(x, nil)
		names, values, ts = append(names, fmt.Sprintf("x%d", i)), append(values, value), append(ts, t)
	}
	code := strings.Join(names, ", ") + " := " + strings.Join(values, ", ") + "\n"
	for i, x := range to {
		if _, _, ok := c.place(x); !ok {
			refuse(s, "this exchange of values")
		}
		code += c.assignValue(x, names[i], ts[i])
	}
	return "{\n" + code + "}\n"
}

// mentions reports whether an expression reads what is assigned.
func mentions(e syntax.Expr, assigned syntax.Expr) (yes bool) {
	name := func(e syntax.Expr) string {
		switch e := bare(e).(type) {
		case *syntax.Ident:
			return e.Name
		case *syntax.DotExpr:
			return "." + e.Name.Name
		case *syntax.IndexExpr:
			if dot, ok := bare(e.X).(*syntax.DotExpr); ok {
				return "." + dot.Name.Name
			}
		}
		return ""
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		if x, ok := n.(syntax.Expr); ok && name(x) != "" && name(x) == name(assigned) {
			yes = true
		}
		return !yes
	})
	return yes
}

func (c *scope) assignOne(to, from syntax.Expr) string {
	if code, t, ok := c.place(to); ok {
		return c.store(code, t, c.storeOf(from, t), from)
	}
	if index, ok := bare(to).(*syntax.IndexExpr); ok {
		return c.assignIndexed(index, from)
	}
	var want *typ
	id, ok := bare(to).(*syntax.Ident)
	if !ok {
		refuse(to, "an assignment to this")
	}
	if c.global {
		if code, known := c.t.define(c, id.Name, from); known {
			return code
		}
		want = c.t.globals[id.Name]
	} else if v := c.find(id.Name); v != nil {
		want = v.t
	}
	if _, t, isPlace := c.place(from); isPlace && (t.kind == kList || t.kind == kSet || t.kind == kDict ||
		t.kind == kArray) && c.fn != nil && c.fn.step {
		refuse(from, "a second name for a list, a set, a dictionary or an array, which may change: "+
			"list(...), set(...)")
	}
	code, t := c.expr(from, want)
	return c.assignValue(to, c.convert(from, code, t, want), orElse(want, t))
}

func orElse(t, u *typ) *typ {
	if t != nil {
		return t
	}
	return u
}

// store writes what is stored into a place.
func (c *scope) store(place string, t *typ, value string, from syntax.Expr) string {
	if t.kind == kArray && t.of.stored() == t.of.String() && !strings.HasPrefix(value, "m.") {
		if _, u, ok := c.place(from); !ok || !same(t, u) {
			return "fill(" + place + "[:len(" + t.dom + ")], " + c.as(from, t) + ")\n"
		}
	}
	return place + " = " + value + "\n"
}

// assignIndexed is x[i] = y of a list or a dictionary.
func (c *scope) assignIndexed(to *syntax.IndexExpr, from syntax.Expr) string {
	if code, t, ok := c.place(to.X); ok {
		switch t.kind {
		case kDict:
			return code + "[" + c.index(to.Y, t) + "] = some[" + t.of.stored() + "](" + c.storeOf(from,
				t.of) + ")\n"
		case kList:
			return code + ".Set(" + c.position(to.Y, code+".Len()") + ", " + c.storeOf(from, t.of) + ")\n"
		}
	}
	code, t := c.expr(to.X, nil)
	switch t.kind {
	case kDict:
		return code + "[" + c.as(to.Y, t.key) + "] = " + c.as(from, t.of) + "\n"
	case kList:
		return code + "[" + c.position(to.Y, "len("+code+")") + "] = " + c.as(from, t.of) + "\n"
	}
	refuse(to, "an assignment to this")
	return ""
}

// assignValue assigns a value that is there.
func (c *scope) assignValue(to syntax.Expr, value string, t *typ) string {
	if code, of, ok := c.place(to); ok {
		return code + " = " + of.save(c.convert(to, value, t, of)) + "\n"
	}
	id, ok := bare(to).(*syntax.Ident)
	if !ok {
		refuse(to, "an assignment to this")
	}
	if t.kind == kNone || t.kind == kVoid || t.kind == kList && t.of == nil {
		refuse(to, "%s, of which no kind of value is known when it begins,", id.Name)
	}
	if c.global {
		c.t.globals[id.Name] = t
		return "m." + goName(id.Name) + " = " + value + "\n"
	}
	if v := c.find(id.Name); v != nil {
		if v.t.kind == kMember {
			refuse(to, "an assignment to the process or the state itself")
		}
		return v.name + " = " + value + "\n"
	}
	root := c
	for root.outer != nil && root.outer.fn == c.fn && !root.outer.global {
		root = root.outer
	}
	v := root.declare(id.Name, t)
	c.fn.locals = append(c.fn.locals, v)
	return v.name + " = " + value + "\n"
}
