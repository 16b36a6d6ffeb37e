package prove

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// block executes statements.
func (e *evaluation) block(body []syntax.Stmt) {
	for _, s := range body {
		if e.frame.running == no {
			return
		}
		e.statement(s)
	}
}

func (e *evaluation) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		if text, is := s.X.(*syntax.Literal); !is || text.Token != syntax.STRING {
			e.value(s.X)
		}
		return
	case *syntax.AssignStmt:
		e.assignment(s)
		return
	case *syntax.IfStmt:
		e.branch(s)
		return
	case *syntax.ForStmt:
		e.loop(s)
		return
	case *syntax.ReturnStmt:
		var v any
		if s.Result != nil {
			v = e.eval(s.Result)
		}
		if len(e.loops) > 0 && e.bound > 0 {
			refuse(s.Return, "return in a loop is outside the fragment")
		}
		e.frame.results = append(e.frame.results, part{nil, e.frame.running, v})
		e.frame.running = no
		return
	case *syntax.BranchStmt:
		if s.Token == syntax.PASS {
			return
		}
	}
	refuse(position(s), "this statement is outside the fragment; allowed are assignments, if, for, return, "+
		"when and send")
}

// branch executes an if.
func (e *evaluation) branch(s *syntax.IfStmt) {
	c := e.truth(s.Cond)
	if c.isQuantified() && e.bound == 0 { // a name for its value keeps quantifiers outside
		b := e.constant(s.If, "branch", boolean)
		e.facts = append(e.facts, equal(b, c))
		c = b
	}
	before := e.frame.running
	e.frame.running = and(before, c)
	e.block(s.True)
	first := e.frame.running
	e.frame.running = and(before, not(c))
	e.block(s.False)
	second := e.frame.running
	if first.is(and(before, c)) && second.is(and(before, not(c))) {
		e.frame.running = before
	} else {
		e.frame.running = or(first, second)
	}
}

// loop executes a for: all rounds at once, since each changes only what belongs to its own value.
func (e *evaluation) loop(s *syntax.ForStmt) {
	name, is := s.Vars.(*syntax.Ident)
	if !is {
		refuse(position(s.Vars), "a loop has one variable")
	}
	for _, p := range e.elements(s.X) {
		outside := maps.Clone(e.frame.names)
		e.frame.names[name.Name] = p.value
		e.rounds(s.For, p, func() { e.block(s.Body) })
		e.frame.names = outside
	}
}

// rounds executes f once for all values of a loop's variable. No round may read what another one changes.
func (e *evaluation) rounds(at syntax.Position, p part, f func()) {
	outerReads, outerWrites := e.reads, e.writes
	e.reads, e.writes = map[*field]bool{}, map[*field]bool{}
	e.loops = append(e.loops, p)
	e.bound++
	f()
	e.bound--
	e.loops = e.loops[:len(e.loops)-1]
	for f := range e.reads {
		if e.writes[f] {
			refuse(at, "a round of this loop reads the variable %s of another round, which changes it",
				f.name)
		}
		outerReads[f] = true
	}
	maps.Copy(outerWrites, e.writes)
	e.reads, e.writes = outerReads, outerWrites
}

// get is the value of a field.
func (e *evaluation) get(f *field, read func([]*term) *term, args []*term) *term {
	for _, l := range e.loops {
		if !slices.ContainsFunc(args, l.vars[0].is) {
			e.reads[f] = true
		}
	}
	return read(args)
}

// here is the condition under which a statement is executed, with the variables of the loops around.
func (e *evaluation) here() (vars []*term, cond *term) {
	cond = e.frame.running
	for _, l := range e.loops {
		vars, cond = append(vars, l.vars...), and(l.cond, cond)
	}
	return vars, cond
}

// require adds a condition of the step.
func (e *evaluation) require(at syntax.Expr, c *term) {
	if !e.effect {
		refuse(position(at), "when stands in a function that is no step")
	}
	vars, cond := e.here()
	e.facts = append(e.facts, forall(vars, implies(cond, c)))
}

// assignment executes x = v, and x += v and its like.
func (e *evaluation) assignment(s *syntax.AssignStmt) {
	if to, is := s.LHS.(*syntax.TupleExpr); is && s.Op == syntax.EQ {
		from, is := e.eval(s.RHS).(tuple)
		if !is || len(from) != len(to.List) {
			refuse(s.OpPos, "the sides of this assignment differ in their number")
		}
		for i, x := range to.List {
			e.assign(x, from[i])
		}
		return
	}
	var v any
	if s.Op == syntax.EQ {
		v = e.eval(s.RHS)
	} else {
		ops := map[syntax.Token]syntax.Token{syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS,
			syntax.PIPE_EQ: syntax.PIPE, syntax.AMP_EQ: syntax.AMP}
		v = e.binary(&syntax.BinaryExpr{X: s.LHS, OpPos: s.OpPos, Op: ops[s.Op], Y: s.RHS})
	}
	e.assign(s.LHS, v)
}

// assign gives a name or a variable a value.
func (e *evaluation) assign(x syntax.Expr, v any) {
	if name, is := x.(*syntax.Ident); is {
		if old, had := e.frame.names[name.Name]; had {
			if e.bound > 0 {
				refuse(position(x), "in a loop, a name is assigned once")
			}
			v = e.either(x, e.frame.running, v, old)
		}
		if _, is := v.(*reference); is {
			refuse(position(x), "a variable of words is read where it is needed, and has no second name")
		}
		e.frame.names[name.Name] = v
		return
	}
	r, is := e.value(x).(*reference)
	if !is || !e.effect {
		refuse(position(x), "only variables of the process are assigned, in steps")
	}
	e.store(x, r, v)
}

// store gives a variable a value.
func (e *evaluation) store(x syntax.Expr, r *reference, v any) {
	switch r.typ.kind {
	case open:
		return
	case wordsOf:
		for _, w := range r.typ.words {
			var is *term
			switch v := v.(type) {
			case string:
				is = truth(v == w)
			case *reference:
				is = e.is(x, v, w)
			default:
				refuse(position(x), "%s stands where a word is needed", called(v))
			}
			e.update(x, e.fields[r.base+"="+w], r.args, func([]*term) *term { return is })
		}
	case sets:
		g := e.group(x, v)
		e.update(x, e.fields[r.base], r.args, func(rest []*term) *term { return g.member(rest[0]) })
	case bools, times:
		f := e.fields[r.base]
		t := e.term(x, v, f.sort)
		e.update(x, f, r.args, func([]*term) *term { return t })
	default:
		refuse(position(x), "whole arrays are not assigned; write a loop: for j in PROCS: %s[j] = ...",
			r.base)
	}
}

// update changes a field where its first arguments are args. value gives the new value for the arguments that
// are left. In a loop the arguments have all variables of the loops, so that no two rounds change the same.
func (e *evaluation) update(x syntax.Expr, f *field, args []*term, value func(rest []*term) *term) {
	vars, cond := e.here()
	old := e.now[f]
	e.writes[f] = true
	at := make([]int, len(vars)) // the argument that is the variable
	for i, v := range vars {
		if at[i] = slices.IndexFunc(args, v.is); at[i] < 0 {
			refuse(position(x), "in a loop, each round may only change a variable of its own value: %s is "+
				"none", f.name)
		}
	}
	e.now[f] = func(all []*term) *term {
		put, match := map[string]*term{}, yes
		for i, v := range vars {
			put[v.op] = all[at[i]]
		}
		for i, a := range args {
			match = and(match, equal(all[i], a.with(put)))
		}
		if match = and(match, cond.with(put)); match == no {
			return old(all)
		}
		return choose(match, value(all[len(args):]).with(put), old(all))
	}
}

// send puts a message on its way to a process, or to each process of a group.
func (e *evaluation) send(x *syntax.CallExpr, to, what any) {
	m, is := what.(*message)
	if !is || !e.effect {
		refuse(position(x), "send takes a process or a list of processes, and a message, in a step")
	}
	me := e.me
	one := func(dst *term) {
		f := e.fields["msg."+m.typ.name]
		args := append([]*term{me, dst}, m.fields...)
		vars, cond := e.here()
		e.sends = append(e.sends, sent{f, vars, cond, args, e.now[f]})
		e.update(x, f, args, func([]*term) *term { return yes })
	}
	if t, is := to.(*term); is && t.sort == node {
		one(t)
		return
	}
	if n, is := to.(number); is {
		one(e.literal(position(x), n, node))
		return
	}
	g := e.group(x.Args[0], to)
	if g.sort == "" {
		return
	}
	i := e.fresh("i", node)
	e.rounds(position(x), part{[]*term{i}, g.has(i), nil}, func() { one(i) })
}

// method is the value of a call such as s.add(x).
func (e *evaluation) method(x *syntax.CallExpr, dot *syntax.DotExpr) any {
	r, is := e.value(dot.X).(*reference)
	if !is || r.typ.kind != sets || !e.effect || len(x.Args) != 1 ||
		!slices.Contains([]string{"add", "discard", "remove"}, dot.Name.Name) {
		refuse(dot.NamePos, "allowed are add, discard and remove, of sets that are variables, in steps")
	}
	f := e.fields[r.base]
	v := e.term(x.Args[0], e.eval(x.Args[0]), f.args[len(f.args)-1])
	added := truth(dot.Name.Name == "add")
	e.update(x, f, append(slices.Clip(r.args), v), func([]*term) *term { return added })
	return nil
}
