package prove

import (
	"fmt"
	"slices"
	"strings"
)

// A goal is a question to a solver: can all of holds be true, and fails be false? The proof needs the answer
// unsat, or sat if the goal asks whether something is possible.
type goal struct {
	name     string
	step     *step     // nil: about the start, or about the invariants
	conjunct *conjunct // nil: about the step, or about the invariants
	possible bool
	consts   []*term
	holds    []*term
	fails    *term
	copies   *field // the messages of which no two equal ones must be on their way; nil: none are asked
}

// goals are all questions, in their order.
func (t *theory) goals() (all []*goal) {
	var invariant []*term
	for _, c := range t.wanted {
		invariant = append(invariant, c.holds(t, t.before()))
		t.mustBeDecidable(c, &goal{name: c.name, holds: invariant[len(invariant)-1:]})
	}
	all = append(all, &goal{name: "the invariants are possible", possible: true, holds: invariant})
	for _, c := range t.wanted {
		all = append(all, &goal{name: c.name + " holds at the start", conjunct: c, holds: t.facts,
			fails: c.holds(t, t.start)})
	}
	for _, s := range t.steps {
		holds := append(slices.Clip(invariant), s.facts...)
		add := func(name string, c *conjunct, fails *term, copies *field) {
			all = append(all, &goal{name, s, c, fails == nil, s.consts, holds, fails, copies})
		}
		add(s.name+" is possible", nil, nil, nil)
		for _, c := range t.wanted {
			add(s.name+" keeps "+c.name, c, c.holds(t, s.after), nil)
			t.mustBeDecidable(c, all[len(all)-1])
		}
		for _, m := range s.sends {
			if !t.repeated[m.f.name] {
				add(s.name+" sends no second equal "+strings.TrimPrefix(m.f.name, "msg."), nil,
					forall(m.vars, implies(m.cond, not(m.old(m.args)))), m.f)
			}
		}
	}
	return all
}

// mustBeDecidable refuses a goal outside the fragment.
func (t *theory) mustBeDecidable(c *conjunct, g *goal) {
	all := g.holds
	if g.fails != nil {
		all = append([]*term{not(g.fails)}, all...)
	}
	if some, each := symbol("and", boolean, all...).alternates(true, nil); some != "" {
		refuse(c.at, "%s asks for some %s for each %s, which makes the question undecidable; write "+
			"any([...]) only where no all([...]) stands around it, and name the processes in question by a "+
			"set that is a variable", g.name, sortNames[some], sortNames[each])
	}
}

// A size bounds the elements of sorts; 0: there is no bound.
type size map[sort]int

// text is a goal in SMT-LIB. After it the solver is asked for the values of terms.
func (t *theory) text(g *goal, bound size, values []*term) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	assert := func(ts ...*term) {
		for _, u := range ts {
			line("(assert %s)", u)
		}
	}
	line("; %s\n(set-logic UF)", strings.ReplaceAll(g.name, "\n", " "))
	for _, s := range []sort{node, instant} {
		line("(declare-sort %s 0)\n(declare-fun lt%[1]s (%[1]s %[1]s) Bool)", s)
		all := elements(s, bound[s])
		for _, c := range append(t.named(s), all...) {
			line("(declare-fun %s () %s)", c, s)
		}
		assert(t.ordered(s)...)
		x, among := symbol("x", s), no
		for i, c := range all {
			if i > 0 {
				assert(not(less(c, all[i-1])))
			}
			among = or(among, equal(x, c))
		}
		if bound[s] > 0 {
			assert(forall([]*term{x}, among))
		}
	}
	for _, f := range t.order {
		line("(declare-fun %s (%s) %s)", quoted(f.name), strings.Trim(fmt.Sprint(f.args), "[]"), f.sort)
	}
	for _, c := range g.consts {
		line("(declare-fun %s () %s)", quoted(c.op), c.sort)
	}
	assert(t.oneWord()...)
	assert(g.holds...)
	if g.step != nil && g.conjunct != nil {
		assert(not(g.conjunct.holds(t, t.defined(line, g.step))))
	} else if g.fails != nil {
		assert(not(g.fails))
	}
	line("(check-sat)")
	if values != nil {
		line("(get-value (%s))", strings.Trim(fmt.Sprint(values), "[]"))
	}
	return b.String()
}

// elements are the constants of a bounded sort.
func elements(s sort, n int) []*term {
	return symbols(string(s)+".element.%d", slices.Repeat([]sort{s}, n)...)
}

// named are the constants of a sort, in their order; the first one is the least element.
func (t *theory) named(s sort) []*term {
	if s == node {
		return []*term{symbol("first", node)}
	}
	return mapped(slices.Compact(slices.Sorted(slices.Values(append([]int{0}, t.times...)))), moment)
}

// ordered says that a sort has a total order, which orders its constants.
func (t *theory) ordered(s sort) []*term {
	x, y, z := symbol("x", s), symbol("y", s), symbol("z", s)
	named := t.named(s)
	all := []*term{forall([]*term{x}, not(less(x, x))),
		forall([]*term{x, y, z}, implies(and(less(x, y), less(y, z)), less(x, z))),
		forall([]*term{x, y}, or(less(x, y), equal(x, y), less(y, x))),
		forall([]*term{x}, not(less(x, named[0])))}
	for i := range named[1:] {
		all = append(all, less(named[i], named[i+1]))
	}
	return all
}

// oneWord says that each variable of words has exactly one value.
func (t *theory) oneWord() (all []*term) {
	for _, f := range t.order {
		base, word, _ := strings.Cut(f.name, "=")
		if f.typ.kind != "word" || word != f.typ.words[0] {
			continue
		}
		vars, one, several := symbols("x%d", f.args...), no, no
		for _, w := range f.typ.words {
			is := symbol(base+"="+w, boolean, vars...)
			one, several = or(one, is), or(several, and(one, is))
		}
		all = append(all, forall(vars, and(one, not(several))))
	}
	return all
}

// defined defines the fields that a step changes, and returns the state after it.
func (t *theory) defined(line func(string, ...any), s *step) state {
	after := t.before()
	for _, f := range t.order {
		if !s.changed[f] {
			continue
		}
		vars, name := symbols("a%d", f.args...), f.name+"'"
		line("(define-fun %s (%s) %s %s)", quoted(name), parameters(vars), f.sort, s.after[f](vars))
		after[f] = func(args []*term) *term { return symbol(name, f.sort, args...) }
	}
	return after
}
