package prove

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// An evaluation executes functions of a file symbolically. It does not split at branches: a variable that a
// branch assigns is a choice between two values.
type evaluation struct {
	*theory
	now    state
	names  map[string]any   // local names of the function
	outer  []map[string]any // the local names of its callers
	active *term            // the function has not returned, and the branches around are taken
	values *[]part          // returned by the function, with conditions
	loops  []part           // around
	bound  int              // depth of loops and comprehensions
	depth  int              // of calls
	consts []*term          // values that are open
	facts  []*term          // conditions of the step, and facts about open values
	sends  []sent
	effect bool  // the function may change the state
	me     *term // the process that takes the step
	// reads are fields that a loop reads whatever its variable is; writes are fields that it changes.
	reads, writes map[*field]bool
}

// A sent is a message that a step sends if cond holds, for all values of vars.
type sent struct {
	f    *field
	vars []*term
	cond *term
	args []*term
	old  func([]*term) *term
}

// evaluation evaluates functions in a state.
func (t *theory) evaluation(now state) *evaluation {
	return &evaluation{theory: t, now: now, names: map[string]any{}, active: yes, values: &[]part{},
		reads: map[*field]bool{}, writes: map[*field]bool{}}
}

// fresh is a new symbol.
func (t *theory) fresh(name string, s sort) *term {
	t.symbols++
	return symbol(fmt.Sprintf("%s.%d", name, t.symbols), s)
}

// constant is a value of which only facts are known.
func (e *evaluation) constant(at syntax.Node, name string, s sort) *term {
	must(e.bound == 0, at, "an open value or a later time stands in a loop or comprehension; name it before")
	e.consts = append(e.consts, e.fresh(name, s))
	return e.consts[len(e.consts)-1]
}

// truth is the value of an expression as a truth value. A set or list is true if it has an element.
func (e *evaluation) truth(x syntax.Expr) *term {
	switch v := e.eval(x).(type) {
	case gathering, *group:
		g := e.group(x, v)
		i := e.fresh("x", g.sort)
		return exists([]*term{i}, g.member(i))
	default:
		return e.term(x, v, boolean)
	}
}

// term is a value as a term of a sort.
func (e *evaluation) term(x syntax.Expr, v any, s sort) *term {
	switch v := v.(type) {
	case number:
		if s == instant && v.ofN == 0 && v.plus >= 0 {
			if !slices.Contains(e.times, v.plus) {
				e.times = append(e.times, v.plus)
			}
			return moment(v.plus)
		} else if s == node && v == (number{plus: 1}) {
			return symbol("first", node)
		}
	case latest:
		m := v[0]
		for _, t := range v[1:] {
			m = choose(less(m, t), t, m)
		}
		return e.term(x, m, s)
	case unknown:
		if s == boolean {
			return e.constant(x, "open", boolean)
		}
	case *local:
		return e.term(x, v.id, s)
	case *term:
		if v.sort == s {
			return v
		}
	}
	must(false, x, "%s stands where a %s is needed; numbers are times from 0, or process 1", called(v),
		sortNames[s])
	return nil
}

// moment is the constant of a number as a time.
func moment(n int) *term { return symbol(fmt.Sprintf("time.%d", n), instant) }

// eval is the value of an expression. References are read.
func (e *evaluation) eval(x syntax.Expr) any {
	v := e.value(x)
	r, is := v.(*reference)
	if !is || r.typ.kind == "word" || r.typ.kind == "array" {
		return v
	} else if r.typ.kind == "open" {
		return unknown{}
	}
	f := e.fields[r.base]
	e.reading(f, r.args)
	if r.typ.kind == "set" {
		return e.set(f, r.args)
	}
	return e.now[f](r.args)
}

// reading notes that a loop reads a field whatever its variable is.
func (e *evaluation) reading(f *field, args []*term) {
	for _, l := range e.loops {
		e.reads[f] = e.reads[f] || !slices.ContainsFunc(args, l.vars[0].is)
	}
}

// quietly evaluates without changes of the state.
func quietly[T any](e *evaluation, f func() T) T {
	effect := e.effect
	e.effect = false
	defer func() { e.effect = effect }()
	return f()
}

func (e *evaluation) all(xs []syntax.Expr) []any {
	return quietly(e, func() []any { return mapped(xs, e.eval) })
}

// value is the value of an expression, or a reference. Only a call that is no part of another expression may
// change the state.
func (e *evaluation) value(x syntax.Expr) any {
	if call, is := x.(*syntax.CallExpr); is {
		return e.call(call)
	}
	return quietly(e, func() any { return e.valueOf(x) })
}

func (e *evaluation) valueOf(x syntax.Expr) any {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return e.value(x.X)
	case *syntax.Ident:
		return e.named(x)
	case *syntax.Literal:
		if n, is := x.Value.(int64); is {
			return number{plus: int(n)}
		}
		return x.Value
	case *syntax.TupleExpr:
		return tuple(e.all(x.List))
	case *syntax.ListExpr:
		return e.list(x, e.all(x.List))
	case *syntax.UnaryExpr:
		must(x.Op == syntax.NOT, x, "the operator %s is outside the fragment", x.Op)
		return not(e.truth(x.X))
	case *syntax.BinaryExpr:
		return e.binary(x)
	case *syntax.CondExpr:
		switch c := e.truth(x.Cond); c {
		case yes:
			return e.eval(x.True)
		case no:
			return e.eval(x.False)
		default:
			return e.either(x, c, e.eval(x.True), e.eval(x.False))
		}
	case *syntax.DotExpr:
		return e.dot(x)
	case *syntax.IndexExpr:
		return e.index(x)
	case *syntax.Comprehension:
		var all gathering
		names := maps.Clone(e.names)
		e.bound++
		e.clauses(x, x.Clauses, part{cond: yes}, &all)
		e.bound--
		e.names = names
		return all
	case *syntax.LambdaExpr:
		must(len(e.names) == 0 && e.depth == 0, x,
			"a lambda in a function is outside the fragment; define it outside")
		return &function{"lambda", x.Lambda, x.Params, nil, x.Body}
	}
	must(false, x, "this expression is outside the fragment; allowed are comparisons, and, or, not, sets, "+
		"comprehensions, max, len, and calls of own functions")
	return nil
}

// named is the value of a name.
func (e *evaluation) named(x *syntax.Ident) any {
	_, has := e.names[x.Name]
	b, is := x.Binding.(*resolve.Binding)
	must(has || !is || b.Scope > resolve.Free, x, "%s has no value yet, or that of another round", x.Name)
	for _, names := range []map[string]any{e.names, e.globals, {"True": yes, "False": no, "None": nil}} {
		if v, is := names[x.Name]; is {
			return inside(v)
		}
	}
	return builtin(x.Name)
}

// list is a list: of words, a type; of terms, a group.
func (e *evaluation) list(x syntax.Expr, elements []any) any {
	if len(elements) == 0 {
		return &group{}
	}
	switch first := elements[0].(type) {
	case string:
		t := &dataType{kind: "word"}
		for _, v := range elements {
			w, is := v.(string)
			must(is, x, "the words of a type are words")
			t.words = append(t.words, w)
		}
		return t
	case *term:
		must(len(elements) == 1, x, "a list of several values may hold one twice; write set([a]) | set([b])")
		return &group{sort: first.sort, has: func(t *term) *term { return equal(t, first) }}
	}
	return tuple(elements)
}

// either is a if c holds, and b otherwise.
func (e *evaluation) either(x syntax.Expr, c *term, a, b any) any {
	for _, v := range []any{a, b} {
		if t, is := v.(*term); is {
			return choose(c, e.term(x, a, t.sort), e.term(x, b, t.sort))
		}
	}
	g, h := e.group(x, a), e.group(x, b)
	m := merged(g, h, func(a, b *term) *term { return choose(c, a, b) })
	m.of = slices.Concat(g.of, h.of)
	return m
}

// merged combines two groups.
func merged(g, h *group, f func(a, b *term) *term) *group {
	has := func(t *term) *term { return f(g.member(t), h.member(t)) }
	return &group{sort: cmp.Or(g.sort, h.sort), has: has}
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
	name := x.Name.Name
	switch v := e.value(x.X).(type) {
	case *local:
		if name == "id" {
			return v.id
		}
		for _, m := range e.local.fields {
			if m.name == name {
				return &reference{"me." + name, []*term{v.id}, m.typ}
			}
		}
	case *message:
		parts := map[string]any{"src": v.src, "dst": v.dst, "kind": v.typ.name,
			"message": &message{v.typ, nil, nil, v.fields, v.sets}}
		if v.src == nil {
			clear(parts)
			for i, m := range v.typ.fields {
				parts[m.name] = v.fields[i]
			}
			for i, m := range v.typ.sets {
				parts[m.name] = v.sets[i]
			}
		}
		if p := parts[name]; p != nil {
			return p
		}
	case global:
		alive := func(p *term) *term { return not(e.dead(p)) }
		live := &group{sort: node, has: alive, wrap: func(t *term) any { return &local{t} }}
		dead := &group{sort: node, has: e.dead}
		parts := map[string]any{"all": live, "live": live, "dead": dead, "messages": inFlight{}}
		must(name != "all" || e.fields["dead"] == nil, x.Name, "with notice = ..., take g.live or g.dead")
		if p := parts[name]; p != nil {
			return p
		}
	}
	must(false, x.Name, "%s is outside the fragment here", name)
	return nil
}

// index is the value of x[i].
func (e *evaluation) index(x *syntax.IndexExpr) any {
	switch v := e.value(x.X).(type) {
	case global:
		must(e.fields["dead"] == nil, x, "with notice = ..., take p for p in g.live")
		return &local{e.term(x.Y, e.eval(x.Y), node)}
	case unknown:
		return v
	case *reference:
		if v.typ.kind == "array" {
			return &reference{v.base, append(slices.Clip(v.args), e.term(x.Y, e.eval(x.Y), node)), v.typ.of}
		}
	}
	must(false, x, "only g[i] and arrays over the processes have elements")
	return nil
}

// group is a value as a group.
func (e *evaluation) group(x syntax.Expr, v any) *group {
	if g, is := v.(*group); is {
		return g
	}
	parts, is := v.(gathering)
	must(is, x, "%s stands where a set or list is needed", called(v))
	const form = "a list of processes is written [i for i in PROCS if ...]"
	must(len(parts) == 1 && len(parts[0].vars) == 1, x, form)
	p := parts[0]
	i := p.vars[0]
	g := &group{sort: i.sort, has: func(t *term) *term { return p.cond.with(map[string]*term{i.op: t}) }}
	v = p.value
	if l, is := v.(*local); is {
		g.wrap, v = func(t *term) any { return &local{t} }, l.id
	}
	t, is := v.(*term)
	must(is && t.is(i), x, form)
	for _, c := range p.cond.conjuncts() { // is a process left out?
		if c.op == "not" && c.args[0].op == "=" && i.sort == node {
			if k := slices.IndexFunc(c.args[0].args, i.is); k >= 0 && !c.args[0].args[1-k].mentions(i.op) {
				g.out = c.args[0].args[1-k]
			}
		}
	}
	return g
}

// clauses evaluates the rest of a comprehension.
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
		must(is && (len(clauses) == len(x.Clauses) || e.names[name.Name] == nil), c.Vars,
			"a comprehension has one variable in each for; behind the first for its name is new")
		for _, q := range e.elements(c.X) {
			e.names[name.Name] = q.value
			within := part{append(slices.Clip(p.vars), q.vars...), and(p.cond, q.cond), nil}
			e.clauses(x, clauses[1:], within, all)
		}
		delete(e.names, name.Name)
	}
}

// elements are the elements of a group, or of all messages.
func (e *evaluation) elements(x syntax.Expr) gathering {
	v := e.eval(x)
	if v == (inFlight{}) {
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
		args := mapped(f.args, func(s sort) *term { return e.fresh("m", s) })
		m := &message{t, args[0], args[1], args[2:], e.sets(t, args)}
		all = append(all, part{args, e.now[f](args), m})
	}
	return all
}

// sets are the sets in a message on its way.
func (e *evaluation) sets(t *dataType, args []*term) []*group {
	return mapped(t.sets, func(m *member) *group { return e.set(e.fields["msg."+t.name+"."+m.name], args) })
}

// set is a set that is a variable, or a part of it or of a message: its elements are the last argument.
func (e *evaluation) set(f *field, args []*term) *group {
	read := e.now[f]
	has := func(v *term) *term { return read(append(slices.Clip(args), v)) }
	return &group{sort: f.args[len(args)], has: has, of: []*field{f}}
}

// dead says that a process has crashed. Without notice = ... nobody crashes: see allows.
func (e *evaluation) dead(p *term) *term {
	if f := e.fields["dead"]; f != nil {
		return e.now[f]([]*term{p})
	}
	return no
}
