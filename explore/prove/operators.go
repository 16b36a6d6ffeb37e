package prove

import (
	"slices"

	"go.starlark.net/syntax"
)

// binary is the value of an operator between two expressions. The right side of "and" and "or" counts only if
// the left side does not decide, as in Starlark.
func (e *evaluation) binary(x *syntax.BinaryExpr) any {
	switch x.Op {
	case syntax.AND, syntax.OR:
		left := e.truth(x.X)
		if left == truth(x.Op == syntax.OR) {
			return left
		}
		if x.Op == syntax.AND {
			return and(left, e.truth(x.Y))
		}
		return or(left, e.truth(x.Y))
	}
	a, b := e.eval(x.X), e.eval(x.Y)
	for _, v := range []any{a, b} {
		if (v == unknown{}) {
			return v
		}
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
	case syntax.PLUS, syntax.MINUS:
		return e.sum(x, a, b)
	case syntax.PIPE, syntax.AMP:
		return e.union(x, x.Op, a, b)
	}
	refuse(x.OpPos, "the operator %s is outside the fragment", x.Op)
	return nil
}

// union joins two groups by |, & or -.
func (e *evaluation) union(x syntax.Expr, op syntax.Token, a, b any) any {
	g, h := e.group(x, a), e.group(x, b)
	s := g.sort
	if s == "" {
		s = h.sort
	}
	return &group{sort: s, has: func(t *term) *term {
		switch op {
		case syntax.PIPE:
			return or(g.member(t), h.member(t))
		case syntax.AMP:
			return and(g.member(t), h.member(t))
		}
		return and(g.member(t), not(h.member(t)))
	}}
}

// sum is a + b or a - b. A time plus a number is some later time.
func (e *evaluation) sum(x *syntax.BinaryExpr, a, b any) any {
	sign := 1
	if x.Op == syntax.MINUS {
		sign = -1
	}
	n, isNumber := b.(number)
	if m, is := a.(number); is && isNumber {
		return number{m.ofN + sign*n.ofN, m.plus + sign*n.plus}
	}
	if _, is := a.(*group); is && sign < 0 {
		return e.union(x, x.Op, a, b)
	}
	of, is := a.(latest)
	if t, isTime := a.(*term); isTime && t.sort == instant {
		of, is = latest{t}, true
	}
	if !is || !isNumber || n.ofN != 0 || n.plus*sign < 1 {
		refuse(x.OpPos, "%s %s %s: there is no arithmetic in the fragment; allowed are a time plus a number "+
			"above 0, and n minus a number", called(a), x.Op, called(b))
	}
	t := e.constant(position(x), "later", instant)
	for _, u := range of {
		e.facts = append(e.facts, less(u, t))
	}
	e.note("x + 1 for a time x is any later time: clocks may jump")
	return t
}

// equal says that two values are equal.
func (e *evaluation) equal(x *syntax.BinaryExpr, a, b any) *term {
	if w, is := a.(string); is {
		a, b = b, w
	}
	switch a := a.(type) {
	case string:
		return truth(a == b)
	case tuple:
		if o, is := b.(tuple); is && len(o) == len(a) {
			all := yes
			for i := range a {
				all = and(all, e.equal(x, a[i], o[i]))
			}
			return all
		}
	case *reference:
		if w, is := b.(string); is && a.typ.kind == wordsOf {
			return e.is(x.X, a, w)
		}
		if o, is := b.(*reference); is && a.typ.kind == wordsOf && o.typ.kind == wordsOf {
			same := no
			for _, w := range a.typ.words {
				if slices.Contains(o.typ.words, w) {
					same = or(same, and(e.is(x.X, a, w), e.is(x.Y, o, w)))
				}
			}
			return same
		}
	case count:
		return and(not(e.less(x, a, b)), not(e.less(x, b, a)))
	case *group, gathering:
		g, h := e.group(x.X, a), e.group(x.Y, b)
		s := g.sort
		if s == "" {
			s = h.sort
		}
		if s == "" {
			return yes
		}
		v := e.fresh("x", s)
		return forall([]*term{v}, equal(g.member(v), h.member(v)))
	case *local:
		return equal(a.id, b.(*local).id)
	}
	if m, is := a.(number); is {
		if n, is := b.(number); is && m.ofN == n.ofN {
			return truth(m.plus == n.plus)
		}
	}
	s := e.sortOf(x, a, b)
	return equal(e.term(x.X, a, s), e.term(x.Y, b, s))
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
	refuse(x.OpPos, "%s and %s are not compared in the fragment", called(a), called(b))
	return ""
}

// less says that a < b.
func (e *evaluation) less(x *syntax.BinaryExpr, a, b any) *term {
	if s, is := a.(tuple); is {
		if t, is := b.(tuple); is && len(s) == len(t) {
			smaller := no
			for i := len(s) - 1; i >= 0; i-- {
				smaller = or(e.less(x, s[i], t[i]), and(e.equal(x, s[i], t[i]), smaller))
			}
			return smaller
		}
	}
	if c, is := a.(count); is {
		if n, is := b.(number); is {
			return not(e.atLeast(x, c.group, n))
		}
	}
	if c, is := b.(count); is {
		if n, is := a.(number); is {
			return e.atLeast(x, c.group, number{n.ofN, n.plus + 1})
		}
	}
	if m, is := a.(number); is {
		if n, is := b.(number); is && m.ofN == n.ofN {
			return truth(m.plus < n.plus)
		}
	}
	s := e.sortOf(x, a, b)
	if s == boolean {
		refuse(x.OpPos, "truth values have no order")
	}
	return less(e.term(x.X, a, s), e.term(x.Y, b, s))
}

// mostCounted is the most that is counted: each one needs a variable.
const mostCounted = 8

// atLeast says that a group has at least n processes. With n-k, at most k are outside: of any k+1 different
// processes, one is inside. If one process is known to be outside, that is: of any k others.
func (e *evaluation) atLeast(x *syntax.BinaryExpr, g *group, n number) *term {
	of := n.plus
	if n.ofN == 1 {
		if of = 1 - n.plus; g.out != nil {
			of--
		}
	}
	if n.ofN < 0 || n.ofN > 1 || of > mostCounted || g.sort != node {
		refuse(x.OpPos, "a size is compared with n-k or k here, for a fixed k from 0 to %d", mostCounted-1)
	}
	if n.ofN == 1 && of < 1 {
		return no
	}
	var vars []*term
	differ, inside, all := yes, no, yes
	for range max(0, of) {
		v := e.fresh("q", node)
		for _, u := range vars {
			differ = and(differ, not(equal(u, v)))
		}
		if vars = append(vars, v); n.ofN == 1 && g.out != nil {
			differ = and(differ, not(equal(g.out, v)))
		}
		inside, all = or(inside, g.has(v)), and(all, g.has(v))
	}
	if n.ofN == 1 {
		return forall(vars, implies(differ, inside))
	}
	return exists(vars, and(differ, all))
}

// in says that a is in b.
func (e *evaluation) in(x *syntax.BinaryExpr, a, b any) *term {
	if words, is := b.(*dataType); is && words.kind == wordsOf {
		found := no
		for _, w := range words.words {
			found = or(found, e.equal(x, a, w))
		}
		return found
	}
	if t, is := b.(tuple); is {
		found := no
		for _, v := range t {
			found = or(found, e.equal(x, a, v))
		}
		return found
	}
	g := e.group(x.Y, b)
	if g.sort == "" {
		return no
	}
	if l, is := a.(*local); is {
		a = l.id
	}
	return g.has(e.term(x.X, a, g.sort))
}

// call is the value of a call.
func (e *evaluation) call(x *syntax.CallExpr) any {
	if dot, is := x.Fn.(*syntax.DotExpr); is {
		return e.method(x, dot)
	}
	switch f := e.value(x.Fn).(type) {
	case *function:
		return e.invoke(x, f, e.all(x.Args))
	case *dataType:
		if f.kind == messages {
			return e.message(x, f)
		}
	case builtin:
		return e.builtin(x, string(f))
	}
	refuse(position(x), "only functions of the file, messages and a few functions of the language are called")
	return nil
}

// builtin is the value of a call of a function of the language.
func (e *evaluation) builtin(x *syntax.CallExpr, name string) any {
	switch name {
	case "note":
		return nil
	case "less":
		return unknown{}
	case "when", "len", "list", "sorted", "all", "any":
		if len(x.Args) != 1 {
			refuse(position(x), "%s takes one argument here", name)
		}
	case "set":
		if len(x.Args) == 0 {
			return &group{}
		}
	case "send", "without":
		if len(x.Args) != 2 {
			refuse(position(x), "%s takes two arguments here", name)
		}
	case "max":
	default:
		return e.declaration(x, name)
	}
	switch name {
	case "when":
		e.require(x, e.truth(x.Args[0]))
		return nil
	case "send":
		e.send(x, e.eval(x.Args[0]), e.eval(x.Args[1]))
		return nil
	}
	v := e.eval(x.Args[0])
	switch name {
	case "len":
		return count{e.group(x, v)}
	case "all", "any":
		return e.every(x, name == "all", v)
	case "without":
		g, out := e.group(x, v), e.term(x.Args[1], e.eval(x.Args[1]), node)
		return &group{node, func(t *term) *term { return and(g.member(t), not(equal(t, out))) }, out, g.wrap}
	case "max":
		var of latest
		for _, a := range x.Args {
			of = append(of, e.term(a, e.eval(a), instant))
		}
		return of
	}
	return e.group(x, v) // list, set and sorted
}

// every is the value of all(v) or any(v).
func (e *evaluation) every(x syntax.Expr, all bool, v any) *term {
	parts, is := v.(gathering)
	if !is {
		refuse(position(x), "all and any take a comprehension: all([... for i in PROCS])")
	}
	result := truth(all)
	for _, p := range parts {
		holds, is := p.value.(*term)
		if !is || holds.sort != boolean {
			refuse(position(x), "all and any take a comprehension of truth values")
		}
		if all {
			result = and(result, forall(p.vars, implies(p.cond, holds)))
		} else {
			result = or(result, exists(p.vars, and(p.cond, holds)))
		}
	}
	return result
}

// message makes a message.
func (e *evaluation) message(x *syntax.CallExpr, t *dataType) any {
	m := &message{t, make([]*term, len(t.fields))}
	for i, a := range x.Args {
		name, given := "", a
		if b, is := a.(*syntax.BinaryExpr); is && b.Op == syntax.EQ {
			name, given = b.X.(*syntax.Ident).Name, b.Y
		}
		k := slices.IndexFunc(t.fields, func(f *member) bool { return f.name == name })
		if name == "" {
			k = i
		}
		if k < 0 || k >= len(t.fields) {
			refuse(position(a), "%s has no such field", t.name)
		}
		m.fields[k] = e.term(given, e.eval(given), sortFor(position(a), t.fields[k].typ))
	}
	for i, f := range m.fields {
		if f == nil {
			refuse(position(x), "%s: field %s is missing", t.name, t.fields[i].name)
		}
	}
	return m
}

// invoke is the value of a call of a function of the file.
func (e *evaluation) invoke(x syntax.Expr, f *function, args []any) any {
	results := e.run(x, f, args)
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
}

// run executes a function of the file, and returns its values with their conditions.
func (e *evaluation) run(x syntax.Expr, f *function, args []any) []part {
	if len(args) != len(f.params) {
		refuse(position(x), "%s takes %d arguments", f.name, len(f.params))
	}
	if e.depth++; e.depth > 50 {
		refuse(position(x), "functions call each other too deeply")
	}
	outer := e.frame
	fr := &frame{names: map[string]any{}, running: yes}
	if outer != nil {
		fr.running = outer.running
	}
	for i, p := range f.params {
		name, is := p.(*syntax.Ident)
		if !is {
			refuse(position(p), "parameters of functions have no defaults in the fragment")
		}
		fr.names[name.Name] = args[i]
	}
	e.frame = fr
	defer func() { e.frame, e.depth = outer, e.depth-1 }()
	if f.expr != nil {
		return []part{{nil, yes, e.eval(f.expr)}}
	}
	e.block(f.body)
	return fr.results
}
