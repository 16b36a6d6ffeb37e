package prove

import (
	"slices"

	"go.starlark.net/syntax"
)

// binary is the value of an operator. The right side of "and" and "or" counts only if the left side does not
// decide, as in Starlark.
func (e *evaluation) binary(x *syntax.BinaryExpr) any {
	if x.Op == syntax.AND || x.Op == syntax.OR {
		of := func(y syntax.Expr) *term { return e.term(y, e.eval(y), boolean) } // a set would be the value
		left := of(x.X)
		if left == truth(x.Op == syntax.OR) {
			return left
		} else if x.Op == syntax.AND {
			return and(left, of(x.Y))
		}
		return or(left, of(x.Y))
	}
	return e.operate(x, e.eval(x.X), e.eval(x.Y))
}

func (e *evaluation) operate(x *syntax.BinaryExpr, a, b any) any {
	if a == (unknown{}) || b == (unknown{}) {
		return unknown{}
	}
	switch x.Op {
	case syntax.EQL:
		return e.equal(x, a, b)
	case syntax.NEQ:
		return not(e.equal(x, a, b))
	case syntax.LT:
		return e.less(x, a, b)
	case syntax.GE:
		return not(e.less(x, a, b))
	case syntax.GT:
		return e.less(x, b, a)
	case syntax.LE:
		return not(e.less(x, b, a))
	case syntax.IN:
		return e.in(x, a, b)
	case syntax.NOT_IN:
		return not(e.in(x, a, b))
	case syntax.PIPE:
		return merged(e.group(x, a), e.group(x, b), func(a, b *term) *term { return or(a, b) })
	case syntax.AMP:
		return merged(e.group(x, a), e.group(x, b), func(a, b *term) *term { return and(a, b) })
	case syntax.PLUS:
		return e.sum(x, a, b, 1)
	case syntax.MINUS:
		if g, is := a.(*group); is {
			return merged(g, e.group(x, b), func(a, b *term) *term { return and(a, not(b)) })
		}
		return e.sum(x, a, b, -1)
	}
	must(false, x, "the operator %s is outside the fragment", x.Op)
	return nil
}

// sum is a + b or a - b. A time plus a number is some later time.
func (e *evaluation) sum(x *syntax.BinaryExpr, a, b any, sign int) any {
	n, isNumber := b.(number)
	if m, is := a.(number); is && isNumber {
		return number{m.ofN + sign*n.ofN, m.plus + sign*n.plus}
	}
	of, is := timesOf(a)
	must(is && isNumber && n.ofN == 0 && n.plus*sign > 0, x, "%s %s %s: there is no arithmetic in the "+
		"fragment; allowed are a time plus a number above 0, and n minus a number; compare times by <",
		called(a), x.Op, called(b))
	return e.later(x, of)
}

// timesOf returns the times whose latest a value is.
func timesOf(v any) (of latest, is bool) {
	if t, isTime := v.(*term); isTime && t.sort == instant {
		return latest{t}, true
	}
	of, is = v.(latest)
	return of, is
}

// later is a time after some others.
func (e *evaluation) later(x syntax.Node, of latest) *term {
	t := e.constant(x, "later", instant)
	for _, u := range of {
		e.facts = append(e.facts, less(u, t))
	}
	e.allow("x + 1 for a time x is any later time: clocks may jump")
	return t
}

// equal says that two values are equal.
func (e *evaluation) equal(x *syntax.BinaryExpr, a, b any) *term {
	if _, is := a.(string); is {
		a, b = b, a
	}
	w, isWord := b.(string)
	switch a := a.(type) {
	case string:
		return truth(isWord && a == w)
	case *reference:
		must(isWord, x, "a variable of words is compared with a word")
		must(slices.Contains(a.typ.words, w), x.X, "%s is never %q", a.base, w)
		f := e.fields[a.base+"="+w]
		e.reading(f, a.args)
		return e.now[f](a.args)
	case count:
		return and(not(e.less(x, a, b)), not(e.less(x, b, a)))
	case tuple:
		all, o := yes, e.alike(x, a, b)
		for i := range a {
			all = and(all, e.equal(x, a[i], o[i]))
		}
		return all
	case number:
		if n, is := b.(number); is && n.ofN == a.ofN {
			return truth(a == n)
		}
	}
	s := e.sortOf(x, a, b)
	return equal(e.term(x.X, a, s), e.term(x.Y, b, s))
}

// alike is b as a tuple of the length of a.
func (e *evaluation) alike(x syntax.Expr, a tuple, b any) tuple {
	o, is := b.(tuple)
	must(is && len(o) == len(a), x, "a tuple is compared with a tuple of the same length")
	return o
}

// sortOf is the sort of two values that are compared.
func (e *evaluation) sortOf(x *syntax.BinaryExpr, a, b any) sort {
	for _, v := range []any{a, b} {
		switch v := v.(type) {
		case *term:
			return v.sort
		case latest:
			return instant
		}
	}
	must(false, x, "%s and %s are not compared in the fragment", called(a), called(b))
	return ""
}

// less says that a < b.
func (e *evaluation) less(x *syntax.BinaryExpr, a, b any) *term {
	n, isNumber := b.(number)
	switch a := a.(type) {
	case tuple:
		smaller, o := no, e.alike(x, a, b)
		for i, v := range slices.Backward(a) {
			smaller = or(e.less(x, v, o[i]), and(e.equal(x, v, o[i]), smaller))
		}
		return smaller
	case count:
		must(isNumber, x, "a size is compared with a number")
		return not(e.atLeast(x, a.group, n))
	case number:
		if c, is := b.(count); is {
			return e.atLeast(x, c.group, number{a.ofN, a.plus + 1})
		} else if isNumber && n.ofN == a.ofN {
			return truth(a.plus < n.plus)
		}
	}
	s := e.sortOf(x, a, b)
	must(s != boolean, x, "truth values have no order")
	return less(e.term(x.X, a, s), e.term(x.Y, b, s))
}

// mostCounted is the most that is counted: each one needs a variable.
const mostCounted = 8

// atLeast says that a group has at least n processes. With n-k, at most k are outside: of any k+1 different
// processes, one is inside. If one process is known to be outside, that is: of any k others.
func (e *evaluation) atLeast(x syntax.Expr, g *group, n number) *term {
	of := n.plus
	if n.ofN == 1 {
		of = 1 - n.plus
	}
	var vars []*term
	differ, inside, all := yes, no, yes
	if g.out != nil && n.ofN == 1 {
		of--
	}
	must(n.ofN >= 0 && n.ofN <= 1 && of <= mostCounted && (g.sort == node || g.sort == ""), x,
		"the size of a set of processes is compared with n-k or k, for a fixed k below %d", mostCounted)
	for range of {
		v := e.fresh("q", node)
		for _, u := range vars {
			differ = and(differ, not(equal(u, v)))
		}
		if g.out != nil {
			differ = and(differ, not(equal(g.out, v)))
		}
		vars, inside, all = append(vars, v), or(inside, g.member(v)), and(all, g.member(v))
	}
	if n.ofN == 1 {
		return forall(vars, implies(differ, inside))
	}
	return exists(vars, and(differ, all))
}

// in says that a is in b.
func (e *evaluation) in(x *syntax.BinaryExpr, a, b any) *term {
	found := no
	switch b := b.(type) {
	case *dataType:
		must(b.kind == "word", x.Y, "a range is no list here; compare by <")
		for _, w := range b.words {
			found = or(found, e.equal(x, a, w))
		}
	case tuple:
		for _, v := range b {
			found = or(found, e.equal(x, a, v))
		}
	default:
		if g := e.group(x.Y, b); g.sort != "" {
			must(g.wrap == nil, x, "local states are compared by their values; compare p.id")
			return g.has(e.term(x.X, a, g.sort))
		}
	}
	return found
}

func (e *evaluation) call(x *syntax.CallExpr) any {
	if dot, is := x.Fn.(*syntax.DotExpr); is {
		return e.method(x, dot)
	}
	switch f := e.value(x.Fn).(type) {
	case *function:
		results := e.invoke(x, f, e.all(x.Args))
		if len(results) == 0 {
			return nil
		}
		v := results[len(results)-1].value
		for _, p := range slices.Backward(results[:len(results)-1]) {
			if v != nil || p.value != nil {
				v = e.either(x, p.cond, p.value, v)
			}
		}
		return v
	case *dataType:
		args := e.all(x.Args)
		must(f.kind == "message" && len(args) == len(f.fields)+len(f.sets), x,
			"a message takes its fields by place")
		m := &message{typ: f}
		for i, v := range args {
			if i < len(f.fields) {
				m.fields = append(m.fields, e.term(x.Args[i], v, sortFor(x, f.fields[i].typ)))
			} else {
				m.sets = append(m.sets, e.group(x.Args[i], v))
			}
		}
		return m
	case builtin:
		return e.builtin(x, string(f))
	}
	must(false, x, "this is not called in the fragment")
	return nil
}

// arity are the functions of the language with the numbers of their arguments; -1: any.
var arity = map[string]int{"when": 1, "len": 1, "list": 1, "sorted": 1, "all": 1, "any": 1, "set": 1,
	"send": 2, "without": 2, "max": -1, "note": -1, "less": 1, "ahead": 2, "later": 1, "passed": 1}

// builtin is the value of a call of a function of the language.
func (e *evaluation) builtin(x *syntax.CallExpr, name string) any {
	n, is := arity[name]
	switch {
	case !is:
		return e.declaration(x, name)
	case name == "set" && len(x.Args) == 0:
		return &group{}
	}
	must(n < 0 && len(x.Args) > 0 || n == len(x.Args), x, "%s takes another number of arguments", name)
	args := e.all(x.Args)
	v := args[0]
	switch name {
	case "note":
		return nil
	case "when":
		vars, cond := e.here()
		must(e.effect, x, "when stands in a function that is no step")
		c := quietly(e, func() *term { return e.term(x, v, boolean) })
		e.facts = append(e.facts, forall(vars, implies(cond, c)))
		return nil
	case "send":
		e.send(x, v, args[1])
		return nil
	case "less":
		return unknown{}
	case "later", "passed":
		of, is := timesOf(v)
		must(is, x, "%s takes a time", name)
		return e.later(x, of)
	case "len":
		return count{e.group(x, v)}
	case "all", "any":
		return e.every(x, name == "all", v)
	case "without":
		g, out := e.group(x, v), e.term(x, args[1], node)
		must(g.wrap == nil, x,
			"local states are compared by their values; write [q for q in g.live if q.id != ...]")
		return &group{sort: node, out: out, wrap: g.wrap,
			has: func(t *term) *term { return and(g.member(t), not(equal(t, out))) }}
	case "ahead":
		return e.ahead(x, v, args[1])
	case "max":
		var of latest
		for i, v := range args {
			of = append(of, e.term(x.Args[i], v, instant))
		}
		return of
	}
	return e.group(x, v) // list, set and sorted
}

// every is the value of all(v) or any(v).
func (e *evaluation) every(x syntax.Expr, all bool, v any) *term {
	parts, is := v.(gathering)
	must(is, x, "all and any take a comprehension: all([... for i in PROCS])")
	result := truth(all)
	for _, p := range parts {
		holds := e.term(x, p.value, boolean)
		if all {
			result = and(result, forall(p.vars, implies(p.cond, holds)))
		} else {
			result = or(result, exists(p.vars, and(p.cond, holds)))
		}
	}
	return result
}

// invoke executes a function of the file, and returns its values with their conditions.
func (e *evaluation) invoke(x syntax.Node, f *function, args []any) []part {
	must(len(args) == len(f.params), x, "%s takes %d arguments", f.name, len(f.params))
	must(e.depth < 50, x, "functions call each other too deeply")
	caller := *e
	defer func() {
		e.names, e.outer, e.active = caller.names, caller.outer, caller.active
		e.values, e.depth = caller.values, caller.depth
	}()
	e.outer, e.names = append(slices.Clip(e.outer), e.names), map[string]any{}
	e.values, e.depth = &[]part{}, e.depth+1
	for i, p := range f.params {
		name, is := p.(*syntax.Ident)
		must(is, p, "parameters of functions have no defaults in the fragment")
		must(!e.effect || !late(args[i], true), x, "a variable of words is no argument of a step's function")
		e.names[name.Name] = args[i]
	}
	if f.expr != nil {
		return []part{{nil, yes, e.eval(f.expr)}}
	}
	e.block(f.body)
	if e.active != no && len(*e.values) > 0 { // it may end without return
		*e.values = append(*e.values, part{nil, e.active, nil})
	}
	return *e.values
}
