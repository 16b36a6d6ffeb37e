package prove

import (
	"maps"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// block executes statements.
func (e *evaluation) block(body []syntax.Stmt) {
	for _, s := range body {
		e.statement(s)
	}
}

func (e *evaluation) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		e.value(s.X)
	case *syntax.AssignStmt:
		e.assignment(s)
	case *syntax.IfStmt:
		c := e.truth(s.Cond)
		if e.bound == 0 && (c.mentions("forall") || c.mentions("exists")) { // a name keeps these outside
			b := e.constant(s.Cond, "branch", boolean)
			e.facts = append(e.facts, equal(b, c))
			c = b
		}
		before := e.active
		var after []*term
		for _, branch := range []struct {
			cond *term
			body []syntax.Stmt
		}{{c, s.True}, {not(c), s.False}} {
			e.active = and(before, branch.cond)
			outside := maps.Clone(e.names)
			if e.active != no {
				e.block(branch.body)
			}
			if len(e.loops) > 0 {
				e.forget(s, outside, "")
			}
			after = append(after, e.active)
		}
		if e.active = or(after...); after[0].is(and(before, c)) && after[1].is(and(before, not(c))) {
			e.active = before
		}
	case *syntax.ForStmt: // all rounds at once, since each changes only variables of its own value
		name, is := s.Vars.(*syntax.Ident)
		must(is, s.Vars, "a loop has one variable")
		_, lost := e.names[name.Name].(postponed)
		must(lost || e.bound == 0 || e.names[name.Name] == nil, s.Vars, "in a loop, a name is assigned once")
		for _, p := range e.elements(s.X) {
			outside := maps.Clone(e.names)
			e.names[name.Name] = p.value
			e.rounds(s, p, func() { e.block(s.Body) })
			e.forget(s, outside, name.Name)
		}
	case *syntax.ReturnStmt:
		must(len(e.loops) == 0, s, "return in a loop is outside the fragment")
		var v any
		if s.Result != nil {
			v = e.eval(s.Result)
		}
		*e.values, e.active = append(*e.values, part{nil, e.active, v}), no
	default:
		b, is := s.(*syntax.BranchStmt)
		must(is && b.Token == syntax.PASS, s, "this statement is outside the fragment; allowed are "+
			"assignments, if, for, return, when and send")
	}
}

// forget ends a part of a loop, in which names are assigned, and perhaps its own variable. After it they have
// the values of the last round, or of an earlier one: using them is an error.
func (e *evaluation) forget(at syntax.Node, outside map[string]any, own string) {
	for name, v := range e.names {
		_, had := outside[name]
		if _, lost := v.(postponed); !had || lost || name == own {
			outside[name] = postponed{&Outside{Where: position(at).String(),
				What: name + " is assigned in this loop, and used behind it; take another name there"}}
		}
	}
	e.names = outside
}

// rounds executes f once for all values of a loop's variable. No round may read what another one changes.
func (e *evaluation) rounds(at syntax.Node, p part, f func()) {
	reads, writes := e.reads, e.writes
	e.reads, e.writes = map[*field]bool{}, map[*field]bool{}
	e.loops = append(e.loops, p)
	e.bound++
	f()
	e.bound--
	e.loops = e.loops[:len(e.loops)-1]
	for f, regardless := range e.reads {
		must(!regardless || !e.writes[f], at, "a round of this loop reads %s, and another one changes it",
			f.name)
		reads[f] = reads[f] || regardless
	}
	maps.Copy(writes, e.writes)
	e.reads, e.writes = reads, writes
}

// here is the condition under which a statement is executed, with the variables of the loops around.
func (e *evaluation) here() (vars []*term, cond *term) {
	cond = e.active
	for _, l := range e.loops {
		vars, cond = append(vars, l.vars...), and(l.cond, cond)
	}
	return vars, cond
}

// augmented are the operators of x += v and its like.
var augmented = map[syntax.Token]syntax.Token{syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS,
	syntax.PIPE_EQ: syntax.PIPE, syntax.AMP_EQ: syntax.AMP}

// assignment executes x = v, and x += v and its like.
func (e *evaluation) assignment(s *syntax.AssignStmt) {
	var v any
	if s.Op == syntax.EQ {
		v = e.eval(s.RHS)
	} else { // the left side is read first
		v = quietly(e, func() any { return e.eval(s.RHS) })
		x := &syntax.BinaryExpr{X: s.LHS, OpPos: s.OpPos, Op: augmented[s.Op], Y: s.RHS}
		v = e.operate(x, e.eval(s.LHS), v)
	}
	if to, is := s.LHS.(*syntax.TupleExpr); is {
		for i, v := range e.alike(s.RHS, make(tuple, len(to.List)), v) {
			e.assign(to.List[i], v)
		}
		return
	}
	e.assign(s.LHS, v)
}

// assign gives a name or a variable a value.
func (e *evaluation) assign(x syntax.Expr, v any) {
	if name, is := x.(*syntax.Ident); is {
		if old, had := e.names[name.Name]; had {
			must(e.bound == 0, x, "in a loop, a name is assigned once")
			v = e.either(x, e.active, v, inside(old))
		}
		must(!late(v, false), x, "a variable of words is read where it is needed, and has no second name")
		e.names[name.Name] = v
		return
	}
	r, is := e.value(x).(*reference)
	must(is && e.effect, x, "only variables of the process are assigned, in steps")
	f := e.fields[r.base]
	switch r.typ.kind {
	case "open":
	case "word":
		w, is := v.(string)
		must(is && slices.Contains(r.typ.words, w), x, "a variable of words is assigned one of its words")
		for _, o := range r.typ.words {
			e.update(x, e.fields[r.base+"="+o], r.args, func([]*term) *term { return truth(o == w) })
		}
	case "set":
		g := e.group(x, v)
		e.update(x, f, r.args, func(rest []*term) *term { return g.member(rest[0]) })
	case "array":
		must(false, x, "whole arrays are not assigned; write a loop: for j in PROCS: %s[j] = ...", r.base)
	default:
		t := e.term(x, v, f.sort)
		e.update(x, f, r.args, func([]*term) *term { return t })
	}
}

// late reports whether a value, or a part of it, is a variable, read where it is used; words: one of words.
func late(v any, words bool) bool {
	r, is := v.(*reference)
	t, _ := v.(tuple)
	return is && (!words || r.typ.kind == "word") ||
		slices.ContainsFunc(t, func(v any) bool { return late(v, words) })
}

// anything stands for all values of an argument.
var anything = symbol("_", "")

// update changes a field where its first arguments are args. value gives the new value for the arguments that
// are left. In a loop the arguments have all variables of the loops, so that no two rounds change the same.
func (e *evaluation) update(x syntax.Expr, f *field, args []*term, value func(rest []*term) *term) {
	vars, cond := e.here()
	old := e.now[f]
	e.writes[f] = true
	places := args
	if len(f.args) == 3 && strings.HasPrefix(f.name, "me.") { // an array of sets: rounds differ by its keys
		places = args[:2]
	}
	at := make([]int, len(vars)) // the argument that is the variable
	for i, v := range vars {
		at[i] = slices.IndexFunc(places, v.is)
		must(at[i] >= 0, x, "in a loop, each round may only change variables of its own, not %s", f.name)
	}
	e.now[f] = func(all []*term) *term {
		put, match := map[string]*term{}, yes
		for i, v := range vars {
			put[v.op] = all[at[i]]
		}
		for i, a := range args {
			if a != anything {
				match = and(match, equal(all[i], a.with(put)))
			}
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
	must(is && e.effect, x, "send takes a process or a list of processes, and a message, in a step")
	one := func(dst *term) {
		f := e.fields["msg."+m.typ.name]
		args := append([]*term{e.me, dst}, m.fields...)
		vars, cond := e.here()
		e.sends = append(e.sends, sent{f, vars, cond, args, e.now[f]})
		e.update(x, f, args, func([]*term) *term { return yes })
		for i, s := range m.typ.sets {
			has := func(rest []*term) *term { return m.sets[i].member(rest[0]) }
			e.update(x, e.fields[f.name+"."+s.name], args, has)
		}
		e.last(x, f, args)
	}
	switch to.(type) {
	case *term, number:
		one(e.term(x, to, node))
	default:
		if g := e.group(x, to); g.sort != "" {
			i := e.fresh("i", node)
			e.rounds(x, part{[]*term{i}, g.has(i), nil}, func() { one(i) })
		}
	}
}

// method is the value of a call such as s.add(x).
func (e *evaluation) method(x *syntax.CallExpr, dot *syntax.DotExpr) any {
	r, is := e.value(dot.X).(*reference)
	must(is && r.typ.kind == "set" && e.effect && len(x.Args) == 1 &&
		slices.Contains([]string{"add", "discard", "remove"}, dot.Name.Name), x,
		"allowed are add, discard and remove, of sets that are variables, in steps")
	f, added := e.fields[r.base], truth(dot.Name.Name == "add")
	for _, names := range append(slices.Clip(e.outer), e.names) {
		for name, v := range names {
			must(!f.within(v), x, "the set also has the name %s, whose value changes with it; write the "+
				"variable itself, or do this before", name)
		}
	}
	v := e.term(x.Args[0], e.all(x.Args)[0], f.args[len(f.args)-1])
	e.update(x, f, append(slices.Clip(r.args), v), func([]*term) *term { return added })
	return nil
}

// within reports whether a value is the set that is a variable, or holds it.
func (f *field) within(v any) bool {
	g, is := v.(*group)
	t, _ := v.(tuple)
	return is && slices.Contains(g.of, f) || slices.ContainsFunc(t, f.within)
}
