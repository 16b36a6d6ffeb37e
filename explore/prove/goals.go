package prove

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A goal is a question to a solver. The proof needs the answer unsat, or sat if it asks whether something is
// possible.
type goal struct {
	name     string
	step     *step // nil: about the start, or about the assumptions
	conjunct *conjunct
	possible bool
	// The state before the step: terms that hold, and one that must fail after it.
	consts []*term
	holds  []*term
	fails  *term // over the state after the step, or at the start
	after  state // nil: the state before
	// copies is the kind of the messages that a step sends, if the goal is that no equal one is on its way.
	copies *field
}

var plain = regexp.MustCompile(`^[A-Za-z_~!@$%^&*+=<>.?/-][A-Za-z0-9_~!@$%^&*+=<>.?/-]*$`)

// quoted is a symbol as SMT-LIB writes it.
func quoted(name string) string {
	if plain.MatchString(name) {
		return name
	}
	return "|" + strings.NewReplacer("|", "_", "\\", "_").Replace(name) + "|"
}

// invariant is the conjunction of all conjuncts but one; nil: of all.
func (t *theory) invariant(but *conjunct) (all []*term) {
	for _, c := range t.wanted {
		if c != but {
			all = append(all, c.holds(t, t.symbols()))
		}
	}
	return all
}

// goalsOrRefusal are all questions, or the error that one of them is outside the fragment.
func (t *theory) goalsOrRefusal() (all []*goal, err error) {
	err = refused(func() { all = t.goals() })
	return all, err
}

// goals are all questions, in their order.
func (t *theory) goals() (all []*goal) {
	all = append(all, &goal{name: "the invariant is possible", possible: true, holds: t.invariant(nil)})
	for _, c := range t.wanted {
		all = append(all, &goal{name: c.name + " holds at the start", conjunct: c, holds: t.facts,
			fails: c.holds(t, t.start), after: t.start})
	}
	for _, s := range t.steps {
		holds := append(t.invariant(nil), s.facts...)
		all = append(all, &goal{name: s.name + " is possible", step: s, possible: true, consts: s.consts,
			holds: holds})
		for _, c := range t.wanted {
			g := &goal{name: s.name + " keeps " + c.name, step: s, conjunct: c, consts: s.consts,
				holds: holds, fails: c.holds(t, s.after), after: s.after}
			t.mustBeDecidable(g)
			all = append(all, g)
		}
		for _, m := range s.sends {
			name := strings.TrimPrefix(m.f.name, "msg.")
			if t.repeated[m.f.name] {
				continue
			}
			all = append(all, &goal{name: s.name + " sends no second equal " + name, step: s, copies: m.f,
				consts: s.consts, holds: holds, after: s.after,
				fails: forall(m.vars, implies(m.cond, not(m.old(m.args))))})
		}
	}
	return all
}

// mustBeDecidable refuses a goal outside the fragment.
func (t *theory) mustBeDecidable(g *goal) {
	a := g.fails.alternates(false, nil)
	for _, h := range g.holds {
		if a == nil {
			a = h.alternates(true, nil)
		}
	}
	if a != nil {
		refuse(g.step.at, "%s: this asks for some %s for each %s, which makes the question undecidable; keep "+
			"the condition in a variable", g.name, called(symbol("", a.to))[2:],
			called(symbol("", a.from))[2:])
	}
}

// A size bounds the elements of the sorts; the zero value: there is no bound.
type size struct{ nodes, times int }

// element is a constant of a bounded sort.
func element(s sort, i int) *term { return symbol(fmt.Sprintf("%s.element.%d", s, i), s) }

// text is a goal in SMT-LIB. After it the solver is asked for the values of terms.
func (t *theory) text(g *goal, bound size, values []*term) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("; %s", strings.ReplaceAll(g.name, "\n", " "))
	line("(set-logic UF)")
	t.declareSort(line, node, bound.nodes)
	t.declareSort(line, instant, bound.times)
	for _, f := range t.order {
		line("(declare-fun %s (%s) %s)", quoted(f.name), sorts(f.args), f.sort)
	}
	for _, a := range t.oneWord() {
		line("(assert %s)", a)
	}
	for _, c := range g.consts {
		line("(declare-fun %s () %s)", quoted(c.op), c.sort)
	}
	for _, h := range g.holds {
		line("(assert %s)", h)
	}
	if g.fails != nil {
		fails := g.fails
		if g.conjunct != nil && g.step != nil {
			fails = g.conjunct.holds(t, t.defined(line, g.step))
		}
		line("(assert %s)", not(fails))
	}
	line("(check-sat)")
	if values != nil {
		var all []string
		for _, v := range values {
			all = append(all, v.String())
		}
		line("(get-value (%s))", strings.Join(all, " "))
	}
	return b.String()
}

func sorts(all []sort) string {
	var words []string
	for _, s := range all {
		words = append(words, string(s))
	}
	return strings.Join(words, " ")
}

// declareSort declares a sort with a total order and its constants. It has at most n elements; 0: no bound.
func (t *theory) declareSort(line func(string, ...any), s sort, n int) {
	line("(declare-sort %s 0)", s)
	line("(declare-fun lt%s (%[1]s %[1]s) Bool)", s)
	line("(assert (forall ((x %[1]s)) (not (lt%[1]s x x))))", s)
	line("(assert (forall ((x %[1]s) (y %[1]s) (z %[1]s)) "+
		"(=> (and (lt%[1]s x y) (lt%[1]s y z)) (lt%[1]s x z))))", s)
	line("(assert (forall ((x %[1]s) (y %[1]s)) (or (lt%[1]s x y) (= x y) (lt%[1]s y x))))", s)
	named := []*term{symbol("first", node)}
	if s == instant {
		named = nil
		for _, x := range slices.Sorted(slices.Values(append([]int{0}, t.times...))) {
			if c := symbol(fmt.Sprintf("time.%d", x), instant); !slices.ContainsFunc(named, c.is) {
				named = append(named, c)
			}
		}
	}
	for i, c := range named {
		line("(declare-fun %s () %s)", c, s)
		if i == 0 {
			line("(assert (forall ((x %s)) (not (lt%[1]s x %s))))", s, c)
		} else {
			line("(assert (lt%s %s %s))", s, named[i-1], c)
		}
	}
	var among []string
	for i := range n {
		line("(declare-fun %s () %s)", element(s, i), s)
		among = append(among, fmt.Sprintf("(= x %s)", element(s, i)))
		if i > 0 {
			line("(assert (or (= %[2]s %[3]s) (lt%[1]s %[2]s %[3]s)))", s, element(s, i-1), element(s, i))
		}
	}
	if n > 0 {
		line("(assert (forall ((x %s)) (or false %s)))", s, strings.Join(among, " "))
	}
}

// oneWord says that each variable of words has exactly one value.
func (t *theory) oneWord() (all []*term) {
	groups := map[string][]*field{}
	for _, f := range t.order {
		if f.typ.kind != messages && f.typ.kind == wordsOf {
			base, _, _ := strings.Cut(f.name, "=")
			groups[base] = append(groups[base], f)
		}
	}
	for _, f := range t.order {
		base, _, is := strings.Cut(f.name, "=")
		fs := groups[base]
		if !is || fs == nil || fs[0] != f {
			continue
		}
		var vars []*term
		for i, s := range f.args {
			vars = append(vars, symbol(fmt.Sprintf("x%d", i), s))
		}
		one, several := no, no
		for i, f := range fs {
			a := symbol(f.name, boolean, vars...)
			one = or(one, a)
			for _, g := range fs[:i] {
				several = or(several, and(a, symbol(g.name, boolean, vars...)))
			}
		}
		all = append(all, forall(vars, and(one, not(several))))
	}
	return all
}

// defined defines the fields that a step changes, and returns the state after it.
func (t *theory) defined(line func(string, ...any), s *step) state {
	after := t.symbols()
	for _, f := range t.order {
		if !s.changed[f] {
			continue
		}
		var vars []*term
		for i, a := range f.args {
			vars = append(vars, symbol(fmt.Sprintf("a%d", i), a))
		}
		name := f.name + "'"
		line("(define-fun %s (%s) %s %s)", quoted(name), parameters(vars), f.sort, s.after[f](vars))
		after[f] = func(args []*term) *term { return symbol(name, f.sort, args...) }
	}
	return after
}
