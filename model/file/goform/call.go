package goform

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"
)

// call is the call of a function.
func (c *scope) call(e *syntax.CallExpr, want *typ) (string, *typ) {
	switch f := e.Fn.(type) {
	case *syntax.DotExpr:
		return c.method(e, f, true)
	case *syntax.Ident:
		if d, ok := c.t.functions[f.Name]; ok {
			return c.ofFile(e, f.Name, d, want)
		}
		if r := c.t.records[f.Name]; r != nil {
			return c.make(e, r)
		}
		if c.find(f.Name) == nil {
			if known, ok := library[f.Name]; ok {
				return known(c, e, want)
			}
			if code, t, ok := c.t.declared(c, e, f.Name); ok {
				return code, t
			}
		}
	}
	refuse(e, "this call")
	return "", nil
}

// make is the call of a type: a record or a message.
func (c *scope) make(e *syntax.CallExpr, r *record) (string, *typ) {
	given := map[string]string{}
	for i, x := range e.Args {
		name := ""
		if named, ok := x.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			name, x = named.X.(*syntax.Ident).Name, named.Y
		} else if i < len(r.fields) {
			name = r.fields[i].name
		}
		f := r.field(name)
		if f == nil {
			refuse(x, "this field of %s", r.name)
		}
		given[f.goName] = c.storeOf(x, f.t)
	}
	var all []string
	for _, f := range r.fields {
		if code := given[f.goName]; code != "" {
			all = append(all, f.goName+": "+code)
		} else if f.first != "" {
			all = append(all, f.goName+": "+f.first)
		}
	}
	code := r.name + "{" + strings.Join(all, ", ") + "}"
	if !r.message {
		return code, &typ{kind: kRecord, rec: r}
	}
	if len(r.fields) == 0 {
		return "message{kind: kind" + joined(r.name) + "}", &typ{kind: kMessage}
	}
	return "message{kind: kind" + joined(r.name) + ", " + r.name + ": " + code + "}", &typ{kind: kMessage}
}

// storeOf is what is stored of an expression: of another variable of the same type what it has.
func (c *scope) storeOf(e syntax.Expr, t *typ) string {
	if code, u, ok := c.place(e); ok && same(t, u) {
		return code
	}
	if t.kind == kSet && !t.numbers() || t.kind == kDict || t.kind == kList {
		if empty(e) {
			return t.stored() + "{}"
		}
	}
	if t.kind == kDict {
		refuse(e, "a dictionary that is assigned as a whole")
	}
	return t.save(c.as(e, t))
}

// empty reports whether an expression is an empty list or dictionary.
func empty(e syntax.Expr) bool {
	switch e := bare(e).(type) {
	case *syntax.ListExpr:
		return len(e.List) == 0
	case *syntax.DictExpr:
		return len(e.List) == 0
	}
	return false
}

// library are the functions of the language that steps and properties use.
var library map[string]func(*scope, *syntax.CallExpr, *typ) (string, *typ)

func init() {
	library = map[string]func(*scope, *syntax.CallExpr, *typ) (string, *typ){
		"len": length, "any": quantified, "all": quantified, "sum": summed, "min": extreme, "max": extreme,
		"list": listed, "tuple": listed, "sorted": ordered, "set": setOf, "range": span, "without": without,
		"majority": majority, "subsets": subsets, "pick": pick, "less": less, "str": text, "int": whole1,
		"bool": truth,
		"fail": fail,
	}
}

// argument is the i-th argument, of n.
func argument(e *syntax.CallExpr, i, n int) syntax.Expr {
	if len(e.Args) != n {
		refuse(e, "this call with %d arguments", len(e.Args))
	}
	return e.Args[i]
}

func length(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	x := uncopied(argument(e, 0, 1))
	if code, t, ok := c.place(x); ok {
		switch {
		case t.kind == kList:
			return code + ".Len()", integer
		case t.kind == kDict:
			return "size(" + code + "[:])", integer
		case t.kind == kArray:
			return "len(" + t.dom + ")", integer
		case t.kind == kSet && !t.numbers():
			return "bits.OnesCount64(" + code + ")", integer
		}
	}
	if loop, ok := bare(x).(*syntax.Comprehension); ok && !loop.Curly {
		code := c.loop(loop, func(in *scope) string {
			in.expr(loop.Body, nil) // what it is does not matter
			return "n++\n"
		})
		return "func() (n int) {\n" + code + "return n\n}()", integer
	}
	code, t := c.expr(x, nil)
	if t.kind == kOption {
		code, t = paren(code)+".must()", t.of
	}
	if t.numbers() {
		return paren(code) + ".len()", integer
	}
	return "len(" + code + ")", integer
}

// quantified is any or all.
func quantified(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	isAny := e.Fn.(*syntax.Ident).Name == "any"
	x := argument(e, 0, 1)
	test := func(condition string) string {
		if isAny {
			return fmt.Sprintf("if %s {\nreturn true\n}\n", condition)
		}
		return fmt.Sprintf("if %s {\nreturn false\n}\n", negated(condition))
	}
	var code string
	if loop, ok := bare(x).(*syntax.Comprehension); ok && !loop.Curly {
		code = c.loop(loop, func(in *scope) string { return test(in.condition(loop.Body)) })
	} else {
		list, t := c.expr(uncopied(x), nil)
		of := element(t)
		if of == nil {
			refuse(x, "%s of %s", e.Fn.(*syntax.Ident).Name, describe(t))
		}
		if t.numbers() {
			list += ".each()"
		}
		code = "for _, x := range " + list + " {\n" + test(c.truth(x, "x", of)) + "}\n"
	}
	return fmt.Sprintf("func() bool {\n%sreturn %t\n}()", code, !isAny), boolean
}

func summed(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	return "sum(" + c.as(argument(e, 0, 1), listOf(integer)) + ")", integer
}

// extreme is min or max.
func extreme(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	name := e.Fn.(*syntax.Ident).Name
	if len(e.Args) > 1 {
		var all []string
		for _, x := range e.Args {
			all = append(all, c.as(x, integer))
		}
		return name + "(" + strings.Join(all, ", ") + ")", integer
	}
	code, t := c.expr(uncopied(argument(e, 0, 1)), nil)
	of := element(t)
	if t.numbers() {
		code = paren(code) + ".each()"
	}
	switch {
	case of != nil && of.kind == kTuple:
		return "slices." + capital(name) + "Func(" + code + ", " + of.String() + ".compare)", of
	case of != nil && (of.kind == kInt || of.kind == kStr || of.kind == kRounds):
		return "slices." + capital(name) + "(" + code + ")", of
	}
	refuse(e, "%s of %s", name, describe(t))
	return "", nil
}

func listed(c *scope, e *syntax.CallExpr, want *typ) (string, *typ) {
	if len(e.Args) == 0 {
		return "nil", &typ{kind: kList}
	}
	code, t := c.expr(argument(e, 0, 1), want)
	of := element(t)
	switch {
	case of == nil:
		refuse(e, "a list of %s", describe(t))
	case t.numbers():
		return paren(code) + ".each()", listOf(of)
	case t.kind == kDict:
		return "keysOf(" + code + ")", listOf(of)
	case t.kind == kOption:
		refuse(e, "a list of what may be None")
	}
	return "slices.Clone(" + code + ")", listOf(of)
}

func ordered(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	code, t := c.expr(uncopied(argument(e, 0, 1)), nil)
	of := element(t)
	switch {
	case t.numbers():
		return paren(code) + ".each()", listOf(of)
	case t.kind == kDict:
		return "keysOf(" + code + ")", listOf(of)
	case of != nil && of.kind == kTuple:
		return "sortedBy(" + code + ", " + of.String() + ".compare)", listOf(of)
	case of != nil && (of.kind == kInt || of.kind == kStr):
		return "sorted(" + code + ")", listOf(of)
	}
	refuse(e, "sorted of %s", describe(t))
	return "", nil
}

func setOf(c *scope, e *syntax.CallExpr, want *typ) (string, *typ) {
	if len(e.Args) == 0 {
		if want != nil && want.kind == kSet {
			if want.numbers() {
				return "set(0)", ints
			}
			return "[]" + want.of.String() + "{}", &typ{kind: kSet, of: want.of}
		}
		return "set(0)", ints
	}
	x := argument(e, 0, 1)
	if list, ok := bare(x).(*syntax.ListExpr); ok && len(list.List) > 0 {
		if _, t := c.expr(list.List[0], nil); t.kind == kInt {
			var all []string
			for _, x := range list.List {
				all = append(all, c.as(x, integer))
			}
			return "setOf(" + strings.Join(all, ", ") + ")", ints
		}
	}
	code, t := c.expr(x, want)
	of := element(t)
	if of == nil {
		refuse(e, "a set of %s", describe(t))
	}
	to := &typ{kind: kSet, of: of}
	if of.kind == kRounds {
		to = ints
	}
	return c.convert(e, code, t, to), to
}

func span(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	lo, hi := "0", ""
	switch len(e.Args) {
	case 1:
		hi = c.as(e.Args[0], integer)
	case 2:
		lo, hi = c.as(e.Args[0], integer), c.as(e.Args[1], integer)
	default:
		refuse(e, "a range with steps")
	}
	return "span(" + lo + ", " + hi + ")", listOf(integer)
}

func without(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	code, t := c.expr(uncopied(argument(e, 0, 2)), nil)
	of := element(t)
	if of == nil {
		refuse(e, "without of %s", describe(t))
	}
	if t.numbers() {
		code = paren(code) + ".each()"
	}
	return "without(" + code + ", " + c.as(e.Args[1], of) + ")", listOf(of)
}

func majority(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	some, _ := length(c, &syntax.CallExpr{Fn: e.Fn, Args: []syntax.Expr{argument(e, 0, 2)}}, nil)
	all, _ := length(c, &syntax.CallExpr{Fn: e.Fn, Args: e.Args[1:]}, nil)
	return "2*" + paren(some) + " > " + all, boolean
}

func subsets(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	code, t := c.expr(uncopied(argument(e, 0, 1)), nil)
	of := element(t)
	switch {
	case of == nil:
		refuse(e, "subsets of %s", describe(t))
	case t.numbers():
		return "subsets(" + paren(code) + ".each())", listOf(ints)
	case of.kind == kInt:
		return "subsets(" + code + ")", listOf(ints)
	}
	return "choices(" + code + ")", listOf(&typ{kind: kSet, of: of})
}

func pick(c *scope, e *syntax.CallExpr, want *typ) (string, *typ) {
	if c.member == "" {
		refuse(e, "pick in a function that is not given the process or the state")
	}
	if want != nil && want.kind != kVoid {
		want = listOf(want)
	}
	code, t := c.expr(uncopied(argument(e, 0, 1)), want)
	of := element(t)
	if of == nil {
		refuse(e, "pick from %s", describe(t))
	}
	if t.numbers() {
		code = paren(code) + ".each()"
	}
	c.useMember()
	return "pickFrom(" + c.member + ".pick, " + code + ")", of
}

func less(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	return "less(" + c.as(argument(e, 0, 1), rounds) + ")", rounds
}

func text(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	code, _ := c.expr(argument(e, 0, 1), nil)
	return "show(" + code + ")", str
}

func whole1(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	code, t := c.expr(argument(e, 0, 1), nil)
	switch t.kind {
	case kInt:
		return code, integer
	case kBool:
		return "units(" + code + ")", integer
	}
	refuse(e, "int of %s", describe(t))
	return "", nil
}

func truth(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	return c.condition(argument(e, 0, 1)), boolean
}

func fail(c *scope, e *syntax.CallExpr, _ *typ) (string, *typ) {
	code, _ := c.expr(argument(e, 0, 1), nil)
	return "panic(" + code + ")", void
}
