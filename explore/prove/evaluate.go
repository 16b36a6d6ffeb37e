package prove

import (
	"fmt"
	"slices"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// refuse ends the translation: a construct is outside the fragment. translate recovers it.
func refuse(at syntax.Position, format string, a ...any) {
	panic(&model.Error{Where: at.String(), What: fmt.Sprintf(format, a...)})
}

// A frame is one call of a function.
type frame struct {
	names map[string]any
	// running is the condition under which the function has not returned, within the branches around.
	running *term
	results []part // values returned, with their conditions
}

// An evaluation executes functions of a file symbolically. It does not split at branches: whatever a branch
// assigns is a choice between two values.
type evaluation struct {
	*theory
	now    state
	frame  *frame
	loops  []part  // loops around: their variables, with conditions
	bound  int     // depth of comprehensions and loops
	consts []*term // values that are open
	facts  []*term // conditions of the step, and facts about the values
	sends  []sent
	depth  int   // of calls
	effect bool  // the function may change the state
	me     *term // the process that takes the step

	// reads are fields that the loop reads regardless of its variable; writes are fields that it changes.
	reads, writes map[*field]bool
}

// A sent is a message that is sent if cond holds, for all values of variables.
type sent struct {
	f    *field
	vars []*term
	cond *term
	args []*term
	old  func([]*term) *term
}

// fresh is a new symbol.
func (e *evaluation) fresh(name string, s sort) *term {
	e.count++
	return symbol(fmt.Sprintf("%s.%d", name, e.count), s)
}

// constant is a value of which only the facts are known that are noted.
func (e *evaluation) constant(at syntax.Position, name string, s sort) *term {
	if e.bound > 0 {
		refuse(at, "a value that is open, or a later time, stands in a loop or a comprehension; "+
			"write it before the loop, as a variable")
	}
	c := e.fresh(name, s)
	e.consts = append(e.consts, c)
	return c
}

// position is the place of an expression or a statement.
func position(n syntax.Node) syntax.Position {
	at, _ := n.Span()
	return at
}

// truth is the value of an expression as a truth value.
func (e *evaluation) truth(x syntax.Expr) *term {
	v := e.eval(x)
	switch v := v.(type) {
	case *term:
		if v.sort == boolean {
			return v
		}
	case unknown:
		return e.constant(position(x), "open", boolean)
	case gathering, *group:
		return not(e.empty(e.group(x, v)))
	}
	refuse(position(x), "%s is not a truth value; write a comparison", called(v))
	return nil
}

// empty says that a group has no element.
func (e *evaluation) empty(g *group) *term {
	if g.sort == "" {
		return yes
	}
	x := e.fresh("x", g.sort)
	return forall([]*term{x}, not(g.has(x)))
}

// term is a value as a term.
func (e *evaluation) term(x syntax.Expr, v any, s sort) *term {
	if n, is := v.(number); is {
		return e.literal(position(x), n, s)
	}
	if m, is := v.(latest); is && s == instant {
		return e.greatest(m)
	}
	if t, is := v.(*term); is && t.sort == s {
		return t
	}
	if _, is := v.(unknown); is && s == boolean {
		return e.constant(position(x), "open", boolean)
	}
	refuse(position(x), "%s stands where %s is needed", called(v), called(symbol("", s)))
	return nil
}

// greatest is the maximum of times.
func (e *evaluation) greatest(of latest) *term {
	m := of[0]
	for _, t := range of[1:] {
		m = choose(less(m, t), t, m)
	}
	return m
}

// literal is a number as a time, or the number of the first process.
func (e *evaluation) literal(at syntax.Position, n number, s sort) *term {
	switch {
	case n.ofN == 0 && n.plus >= 0 && s == instant:
		if !slices.Contains(e.times, n.plus) {
			e.times = append(e.times, n.plus)
		}
		return symbol(fmt.Sprintf("time.%d", n.plus), instant)
	case s == node && n == e.first:
		return symbol("first", node)
	}
	refuse(at, "the number stands where %s is needed; allowed are times from 0, and the number of the first "+
		"process", called(symbol("", s)))
	return nil
}

// eval is the value of an expression. References are read.
func (e *evaluation) eval(x syntax.Expr) any {
	v := e.value(x)
	if r, is := v.(*reference); is {
		return e.read(r)
	}
	return v
}

// value is the value of an expression, or a reference to a variable. Only a call that is no part of another
// expression may change the state.
func (e *evaluation) value(x syntax.Expr) any {
	if call, is := x.(*syntax.CallExpr); is {
		return e.call(call)
	}
	effect := e.effect
	e.effect = false
	defer func() { e.effect = effect }()
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return e.value(x.X)
	case *syntax.Ident:
		return e.named(x)
	case *syntax.Literal:
		switch v := x.Value.(type) {
		case int64:
			return number{plus: int(v)}
		case string:
			return v
		}
	case *syntax.TupleExpr:
		return tuple(e.all(x.List))
	case *syntax.ListExpr:
		return e.finite(x, e.all(x.List))
	case *syntax.UnaryExpr:
		if x.Op == syntax.NOT {
			return not(e.truth(x.X))
		}
	case *syntax.BinaryExpr:
		return e.binary(x)
	case *syntax.CondExpr:
		return e.conditional(x)
	case *syntax.DotExpr:
		return e.dot(x)
	case *syntax.IndexExpr:
		return e.index(x)
	case *syntax.Comprehension:
		return e.comprehension(x)
	case *syntax.LambdaExpr:
		return &function{"lambda", x.Lambda, x.Params, nil, x.Body}
	}
	refuse(position(x), "this expression is outside the fragment; allowed are comparisons, and, or, not, "+
		"sets, comprehensions, max, len and calls of own functions")
	return nil
}

func (e *evaluation) all(xs []syntax.Expr) (vs []any) {
	effect := e.effect
	e.effect = false
	defer func() { e.effect = effect }()
	for _, x := range xs {
		vs = append(vs, e.eval(x))
	}
	return vs
}

// named is the value of a name.
func (e *evaluation) named(x *syntax.Ident) any {
	if e.frame != nil {
		if v, is := e.frame.names[x.Name]; is {
			return v
		}
	}
	if v, is := e.globals[x.Name]; is {
		if p, is := v.(postponed); is {
			panic(p.error)
		}
		return v
	}
	switch x.Name {
	case "True", "False":
		return truth(x.Name == "True")
	case "None":
		return nil
	}
	return builtin(x.Name)
}

// finite is a list as a group.
func (e *evaluation) finite(x syntax.Expr, elements []any) any {
	if len(elements) == 0 {
		return &group{}
	}
	if _, is := elements[0].(string); is {
		t := &dataType{kind: wordsOf}
		for _, v := range elements {
			w, _ := v.(string)
			t.words = append(t.words, w)
		}
		return t
	}
	if _, is := elements[0].(*term); !is {
		return tuple(elements)
	}
	s := elements[0].(*term).sort
	return &group{sort: s, has: func(t *term) *term {
		in := no
		for _, v := range elements {
			in = or(in, equal(t, e.term(x, v, s)))
		}
		return in
	}}
}

// conditional is the value of a if c else b.
func (e *evaluation) conditional(x *syntax.CondExpr) any {
	c := e.truth(x.Cond)
	switch c {
	case yes:
		return e.eval(x.True)
	case no:
		return e.eval(x.False)
	}
	return e.either(x, c, e.eval(x.True), e.eval(x.False))
}

// either is a if c holds, and b otherwise.
func (e *evaluation) either(x syntax.Expr, c *term, a, b any) any {
	for _, v := range []any{a, b} {
		if t, is := v.(*term); is {
			return choose(c, e.term(x, a, t.sort), e.term(x, b, t.sort))
		}
	}
	g, h := e.group(x, a), e.group(x, b)
	if g.sort == "" {
		g.sort = h.sort
	}
	return &group{sort: g.sort, has: func(t *term) *term { return choose(c, g.member(t), h.member(t)) }}
}

// member says that a term is in a group.
func (g *group) member(t *term) *term {
	if g.sort == "" {
		return no
	}
	return g.has(t)
}

// dot is the value of x.name.
func (e *evaluation) dot(x *syntax.DotExpr) any {
	switch v := e.value(x.X).(type) {
	case *local:
		if x.Name.Name == "id" {
			return v.id
		}
		if m := e.local.member(x.Name.Name); m != nil {
			return &reference{"me." + m.name, []*term{v.id}, m.typ}
		}
	case *message:
		for i, m := range v.typ.fields {
			if m.name == x.Name.Name {
				return v.fields[i]
			}
		}
	case *envelope:
		switch x.Name.Name {
		case "src":
			return v.src
		case "dst":
			return v.dst
		case "kind":
			return v.message.typ.name
		case "message":
			return v.message
		}
	case global:
		switch x.Name.Name {
		case "all", "live":
			return &group{sort: node, has: always, wrap: func(t *term) any { return &local{t} }}
		case "dead":
			return &group{}
		case "messages":
			return inFlight{}
		}
	}
	refuse(x.NamePos, "%s is outside the fragment here", x.Name.Name)
	return nil
}

func always(*term) *term { return yes }

func (t *dataType) member(name string) *member {
	for _, m := range t.fields {
		if m.name == name {
			return m
		}
	}
	return nil
}

// index is the value of x[i].
func (e *evaluation) index(x *syntax.IndexExpr) any {
	switch v := e.value(x.X).(type) {
	case global:
		return &local{e.term(x.Y, e.eval(x.Y), node)}
	case unknown:
		return v
	case *reference:
		if v.typ.kind == arrays {
			i := e.term(x.Y, e.eval(x.Y), node)
			return &reference{v.base, append(slices.Clip(v.args), i), v.typ.of}
		}
	}
	refuse(position(x), "only g[i] and arrays over the processes have elements")
	return nil
}

// read is the value of a variable.
func (e *evaluation) read(r *reference) any {
	switch r.typ.kind {
	case open:
		return unknown{}
	case sets:
		f := e.fields[r.base]
		read := e.now[f]
		e.get(f, func([]*term) *term { return nil }, r.args)
		return &group{sort: f.args[len(f.args)-1], has: func(t *term) *term {
			return e.get(f, read, append(slices.Clip(r.args), t))
		}}
	case wordsOf, arrays:
		return r
	}
	f := e.fields[r.base]
	return e.get(f, e.now[f], r.args)
}

// is says that a variable of words has a value.
func (e *evaluation) is(x syntax.Expr, r *reference, w string) *term {
	if !slices.Contains(r.typ.words, w) {
		refuse(position(x), "%s is never %q", r.base, w)
	}
	f := e.fields[r.base+"="+w]
	return e.get(f, e.now[f], r.args)
}

// group is a value as a group.
func (e *evaluation) group(x syntax.Expr, v any) *group {
	switch v := v.(type) {
	case *group:
		return v
	case gathering:
		if len(v) == 1 && len(v[0].vars) == 1 {
			p := v[0]
			if got, is := p.value.(*local); is && got.id.is(p.vars[0]) ||
				func() bool { t, is := p.value.(*term); return is && t.is(p.vars[0]) }() {
				g := &group{sort: p.vars[0].sort, has: func(t *term) *term {
					return p.cond.with(map[string]*term{p.vars[0].op: t})
				}}
				if is {
					g.wrap = func(t *term) any { return &local{t} }
				}
				return g.without(p.cond, p.vars[0])
			}
		}
		refuse(position(x), "a list as a set is written [i for i in PROCS if ...], with one variable")
	}
	refuse(position(x), "%s stands where a set or list is needed", called(v))
	return nil
}

// without finds in the condition of a group the process that is left out.
func (g *group) without(cond, v *term) *group {
	parts := []*term{cond}
	if cond.op == "and" {
		parts = cond.args
	}
	for _, p := range parts {
		if p.op == "not" && p.args[0].op == "=" && v.sort == node {
			for i, a := range p.args[0].args {
				if a.is(v) {
					g.out = p.args[0].args[1-i]
				}
			}
		}
	}
	return g
}

// comprehension is the value of [v for x in xs if c].
func (e *evaluation) comprehension(x *syntax.Comprehension) any {
	e.bound++
	defer func() { e.bound-- }()
	var all gathering
	e.clauses(x, x.Clauses, part{cond: yes}, &all)
	return all
}

func (e *evaluation) clauses(x *syntax.Comprehension, clauses []syntax.Node, p part, all *gathering) {
	if p.cond == no {
		return
	}
	if len(clauses) == 0 {
		p.value = e.eval(x.Body)
		*all = append(*all, p)
		return
	}
	switch c := clauses[0].(type) {
	case *syntax.IfClause:
		p.cond = and(p.cond, e.truth(c.Cond))
		e.clauses(x, clauses[1:], p, all)
	case *syntax.ForClause:
		name, is := c.Vars.(*syntax.Ident)
		if !is {
			refuse(position(c.Vars), "a comprehension has one variable in each for")
		}
		for _, q := range e.elements(c.X) {
			before, had := e.frame.names[name.Name]
			e.frame.names[name.Name] = q.value
			within := part{append(slices.Clip(p.vars), q.vars...), and(p.cond, q.cond), nil}
			e.clauses(x, clauses[1:], within, all)
			if delete(e.frame.names, name.Name); had {
				e.frame.names[name.Name] = before
			}
		}
	}
}

// elements are the elements of a group, or of all messages.
func (e *evaluation) elements(x syntax.Expr) (all gathering) {
	v := e.eval(x)
	if _, is := v.(inFlight); is {
		return e.flying()
	}
	g := e.group(x, v)
	if g.sort == "" {
		return nil
	}
	i := e.fresh("i", g.sort)
	p := part{[]*term{i}, g.has(i), i}
	if g.wrap != nil {
		p.value = g.wrap(i)
	}
	return gathering{p}
}

// flying are the messages on their way, a part for each kind.
func (e *evaluation) flying() (all gathering) {
	for _, t := range e.kinds {
		f := e.fields["msg."+t.name]
		var args []*term
		for _, s := range f.args {
			args = append(args, e.fresh("m", s))
		}
		all = append(all, part{args, e.now[f](args), &envelope{args[0], args[1], &message{t, args[2:]}}})
	}
	return all
}
