package goform

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/syntax"
)

// as is an expression as a value of a type.
func (c *scope) as(e syntax.Expr, want *typ) string {
	code, t := c.expr(e, want)
	return c.convert(e, code, t, want)
}

// convert makes a value of a type one of another.
func (c *scope) convert(at syntax.Node, code string, from, to *typ) string {
	switch {
	case to != nil && to.kind == kAny && from.kind == kTuple:
		return "any(" + code + ")"
	case to == nil || to.kind == kVoid || to.kind == kAny || fits(from, to):
		return code
	case to.kind == kOption && from.kind == kNone:
		return "option[" + to.of.String() + "]{}"
	case to.kind == kOption && from.kind == kOption:
		return fmt.Sprintf("kept(%s, func(x %s) %s { return %s })", code, from.of, to.of,
			c.convert(at, "x", from.of, to.of))
	case to.kind == kOption:
		return "some[" + to.of.String() + "](" + c.convert(at, code, from, to.of) + ")"
	case from.kind == kOption:
		return c.convert(at, paren(code)+".must()", from.of, to)
	case from.kind == kStr && to.kind == kEnum:
		return fmt.Sprintf("%s(place(%[1]sWords, %[2]s))", to, code)
	case from.kind == kEnum && to.kind == kStr:
		return paren(code) + ".String()"
	case to.numbers() && sequence(from):
		return "setOf(" + c.convert(at, code, from, listOf(integer)) + "...)"
	case to.kind == kSet && sequence(from):
		return "unique(" + c.convert(at, code, from, listOf(to.of)) + ")"
	case sequence(to) && from.numbers() && to.of.kind == kInt:
		return paren(code) + ".each()"
	case sequence(to) && (sequence(from) || from.kind == kSet):
		return fmt.Sprintf("mapped(%s, func(x %s) %s { return %s })", code, from.of, to.of,
			c.convert(at, "x", from.of, to.of))
	}
	refuse(at, "%s in place of %s", describe(from), describe(to))
	return ""
}

func sequence(t *typ) bool { return t.kind == kList || t.kind == kArray }

// describe says what a type is to a person.
func describe(t *typ) string {
	switch t.kind {
	case kVoid, kNone:
		return "None"
	case kMade:
		return "a " + t.name
	case kMember:
		return "a process or state"
	}
	return "a value of Go's type " + t.String()
}

// expr is the Go of an expression, and its type; want is what is hoped for, or nil.
func (c *scope) expr(e syntax.Expr, want *typ) (string, *typ) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return c.expr(e.X, want)
	case *syntax.Literal:
		return c.literal(e, want)
	case *syntax.Ident:
		return c.ident(e, want)
	case *syntax.DotExpr, *syntax.IndexExpr:
		return c.part(e)
	case *syntax.TupleExpr:
		return c.tuple(e, want)
	case *syntax.ListExpr:
		return c.list(e, want)
	case *syntax.DictExpr:
		return c.dict(e, want)
	case *syntax.Comprehension:
		return c.comprehension(e, want)
	case *syntax.CondExpr:
		return c.choice(e, want)
	case *syntax.UnaryExpr:
		switch e.Op {
		case syntax.NOT:
			return c.condition(e), boolean
		case syntax.MINUS:
			return "-" + paren(c.as(e.X, integer)), integer
		}
	case *syntax.BinaryExpr:
		return c.binary(e, want)
	case *syntax.CallExpr:
		return c.call(e, want)
	case *syntax.LambdaExpr:
		return c.lambda(e, want)
	case *syntax.SliceExpr:
		return c.slice(e)
	}
	refuse(e, "this expression")
	return "", nil
}

func (c *scope) literal(e *syntax.Literal, want *typ) (string, *typ) {
	switch v := e.Value.(type) {
	case string:
		for want != nil && want.kind == kOption {
			want = want.of
		}
		if want != nil && want.kind == kRounds && v == "inf" {
			return "model.Forever", rounds
		}
		if want != nil && want.kind == kEnum {
			for i, w := range want.words {
				if w == v {
					return want.constant(want.words[i]), want
				}
			}
		}
		return strconv.Quote(v), str
	case int64:
		return strconv.FormatInt(v, 10), integer
	}
	refuse(e, "%s", e.Raw)
	return "", nil
}

func (c *scope) ident(e *syntax.Ident, want *typ) (string, *typ) {
	if v := c.find(e.Name); v != nil {
		v.used = true
		if v.code != "" {
			return v.code, v.t
		}
		return v.name, v.t
	}
	switch e.Name {
	case "True", "False":
		return strings.ToLower(e.Name), boolean
	case "None":
		if want != nil && want.kind == kOption {
			return "option[" + want.of.String() + "]{}", want
		}
		return "nil", none
	}
	if t := c.t.globals[e.Name]; t != nil {
		return "m." + goName(e.Name), t
	}
	if f, ok := c.t.functions[e.Name]; ok && want != nil {
		return c.asFunction(e, f, want)
	}
	refuse(e, "%s here", e.Name)
	return "", nil
}

// tupleOf is the type of tuples.
func tupleOf(at syntax.Node, items []*typ) *typ {
	if len(items) < 2 || len(items) > 4 {
		refuse(at, "a tuple of %d values", len(items))
	}
	return &typ{kind: kTuple, items: items}
}

func (c *scope) tuple(e *syntax.TupleExpr, want *typ) (string, *typ) {
	var all []string
	var ts []*typ
	for i, x := range e.List {
		var hoped *typ
		if want != nil && want.kind == kTuple && len(want.items) == len(e.List) {
			hoped = want.items[i]
		}
		code, t := c.expr(x, hoped)
		if hoped != nil {
			code, t = c.convert(x, code, t, hoped), hoped
		}
		if t.kind == kEnum {
			code, t = code+".String()", str
		}
		all, ts = append(all, code), append(ts, t)
	}
	t := tupleOf(e, ts)
	return t.String() + "{" + strings.Join(all, ", ") + "}", t
}

// join is the type that has the values of two.
func join(a, b *typ) *typ {
	switch {
	case a == nil || a.kind == kList && a.of == nil:
		return b
	case b == nil || b.kind == kList && b.of == nil || fits(b, a):
		return a
	case a.kind == kNone:
		return join(b, a)
	case a.kind == kOption && b.kind == kNone:
		return a
	case b.kind == kNone:
		return &typ{kind: kOption, of: a}
	case a.kind == kOption && fits(a.of, b):
		return a
	case b.kind == kOption && fits(b.of, a):
		return b
	case sequence(a) && sequence(b):
		if of := join(a.of, b.of); of != nil {
			return listOf(of)
		}
		return nil
	case a.kind == kEnum && b.kind == kStr || a.kind == kStr && b.kind == kEnum:
		return str
	case scalar(a) && scalar(b):
		return anyOf
	}
	return nil
}

func scalar(t *typ) bool {
	return t.kind == kInt || t.kind == kStr || t.kind == kBool || t.kind == kTuple || t.kind == kAny
}

// element is the type of what a list, a set or the like has; nil if it is none.
func element(t *typ) *typ {
	switch t.kind {
	case kList, kArray, kSet:
		return t.of
	case kDict:
		return t.key
	case kOption:
		return element(t.of)
	}
	return nil
}

func (c *scope) list(e *syntax.ListExpr, want *typ) (string, *typ) {
	var of *typ
	if want != nil && element(want) != nil {
		of = element(want)
	} else {
		for _, x := range e.List {
			_, t := c.expr(x, of)
			of = join(of, t)
			if of == nil {
				refuse(x, "a list of values of different kinds")
			}
		}
	}
	if of == nil {
		return "nil", &typ{kind: kList}
	}
	var all []string
	for _, x := range e.List {
		all = append(all, c.as(x, of))
	}
	return "[]" + of.String() + "{" + strings.Join(all, ", ") + "}", listOf(of)
}

func (c *scope) dict(e *syntax.DictExpr, want *typ) (string, *typ) {
	t := &typ{kind: kDict}
	if want != nil && want.kind == kDict {
		t.key, t.of = want.key, want.of
	}
	for _, x := range e.List {
		entry := x.(*syntax.DictEntry)
		_, k := c.expr(entry.Key, t.key)
		_, v := c.expr(entry.Value, t.of)
		t.key, t.of = join(t.key, k), join(t.of, v)
	}
	if t.key == nil || t.of == nil {
		refuse(e, "a dictionary of values of different kinds, or an empty one")
	}
	var all []string
	for _, x := range e.List {
		entry := x.(*syntax.DictEntry)
		all = append(all, c.as(entry.Key, t.key)+": "+c.as(entry.Value, t.of))
	}
	return t.String() + "{" + strings.Join(all, ", ") + "}", t
}

// choice is a if c else b.
func (c *scope) choice(e *syntax.CondExpr, want *typ) (string, *typ) {
	_, t := c.expr(e.True, want)
	_, u := c.expr(e.False, want)
	of := join(t, u)
	if want != nil && want.kind != kVoid && (of == nil || want.kind == kOption || want.kind == kEnum ||
		want.kind == kRounds) {
		of = want
	}
	if of == nil {
		refuse(e, "a choice between %s and %s", describe(t), describe(u))
	}
	if of.kind == kNone || of.kind == kList && of.of == nil {
		refuse(e, "this choice")
	}
	a, b := c.as(e.True, of), c.as(e.False, of)
	condition := c.condition(e.Cond)
	if simple().MatchString(a) && simple().MatchString(b) {
		return fmt.Sprintf("either[%s](%s, %s, %s)", of, condition, a, b), of
	}
	return fmt.Sprintf("func() %s {\nif %s {\nreturn %s\n}\nreturn %s\n}()", of, condition, a, b), of
}

// condition is an expression as what if and when ask.
func (c *scope) condition(e syntax.Expr) string {
	switch x := bare(e).(type) {
	case *syntax.UnaryExpr:
		if x.Op == syntax.NOT {
			return negated(c.condition(x.X))
		}
	case *syntax.BinaryExpr:
		switch x.Op {
		case syntax.AND:
			return c.operand(x.X, "||") + " && " + c.operand(x.Y, "||")
		case syntax.OR:
			return c.condition(x.X) + " || " + c.condition(x.Y)
		}
	case *syntax.ListExpr:
		return strconv.FormatBool(len(x.List) > 0)
	}
	if code, ok := c.placeTruth(e); ok {
		return code
	}
	code, t := c.expr(e, nil)
	return c.truth(e, code, t)
}

// operand is a condition, in brackets if it has an operator that binds less.
func (c *scope) operand(e syntax.Expr, less string) string {
	code := c.condition(e)
	if x, ok := bare(e).(*syntax.BinaryExpr); ok && x.Op == syntax.OR || strings.Contains(code, less) {
		return paren(code)
	}
	return code
}

func negated(code string) string {
	if rest, ok := strings.CutPrefix(code, "!"); ok && whole(rest) {
		return rest
	}
	return "!" + paren(code)
}

// truth is a value as a condition.
func (c *scope) truth(at syntax.Node, code string, t *typ) string {
	switch t.kind {
	case kBool:
		return code
	case kInt, kRounds:
		return paren(code) + " != 0"
	case kStr:
		return paren(code) + ` != ""`
	case kList, kArray, kDict:
		return "len(" + code + ") > 0"
	case kSet:
		if t.numbers() {
			return paren(code) + " != 0"
		}
		return "len(" + code + ") > 0"
	}
	refuse(at, "%s as a condition", describe(t))
	return ""
}

// lambda is a function without a name.
func (c *scope) lambda(e *syntax.LambdaExpr, want *typ) (string, *typ) {
	if want == nil || want.kind != kFunc || len(want.items) != len(e.Params) {
		refuse(e, "a lambda here")
	}
	in := c.inner()
	in.global = false
	var params []string
	for i, p := range e.Params {
		id, ok := p.(*syntax.Ident)
		if !ok {
			refuse(p, "a parameter with a default")
		}
		v := in.declare(id.Name, want.items[i])
		params = append(params, v.name+" "+v.t.String())
		if v.t.kind == kMember {
			in.member = v.name
		}
	}
	var body string
	if want.of.kind == kBool {
		if _, t := in.expr(e.Body, boolean); t.kind == kBool {
			body = in.condition(e.Body)
		}
	}
	if body == "" {
		body = in.as(e.Body, want.of)
	}
	for i, p := range e.Params {
		if v := in.vars[p.(*syntax.Ident).Name]; !v.used {
			params[i] = "_ " + v.t.String()
		}
	}
	return fmt.Sprintf("func(%s) %s { return %s }", strings.Join(params, ", "), want.of, body), want
}
