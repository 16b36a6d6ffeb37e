package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A structure is a finite state: the values of all symbols. A process or a time is its place in the order; a
// truth value is 0 or 1.
type structure struct {
	size   size
	values map[string]int // of symbols with the values of their arguments
}

// key names a symbol with its arguments.
func key(op string, args []int) string { return op + fmt.Sprint(args) }

// domain is the number of elements of a sort.
func (m *structure) domain(s sort) int {
	return map[sort]int{boolean: 2, node: m.size.nodes, instant: m.size.times}[s]
}

// tuples calls f for all values of some sorts.
func (m *structure) tuples(sorts []sort, f func([]int)) {
	args := make([]int, len(sorts))
	var fill func(i int)
	fill = func(i int) {
		if i == len(sorts) {
			f(args)
			return
		}
		for v := range m.domain(sorts[i]) {
			args[i] = v
			fill(i + 1)
		}
	}
	fill(0)
}

// eval is the value of a term.
func (m *structure) eval(t *term, bound map[string]int) int {
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	at := func(i int) int { return m.eval(t.args[i], bound) }
	switch t.op {
	case "true", "false":
		return bit(t == yes)
	case "not":
		return 1 - at(0)
	case "and":
		return bit(!slices.ContainsFunc(t.args, func(a *term) bool { return m.eval(a, bound) == 0 }))
	case "or":
		return bit(slices.ContainsFunc(t.args, func(a *term) bool { return m.eval(a, bound) == 1 }))
	case "=":
		return bit(at(0) == at(1))
	case "ltNode", "ltTime":
		return bit(at(0) < at(1))
	case "ite":
		return at(2 - at(0))
	case "forall", "exists":
		var sorts []sort
		for _, v := range t.vars {
			sorts = append(sorts, v.sort)
		}
		met := [2]bool{}
		m.tuples(sorts, func(args []int) {
			if met[bit(t.op == "exists")] {
				return
			}
			for i, v := range t.vars {
				bound[v.op] = args[i]
			}
			met[m.eval(t.args[0], bound)] = true
		})
		if t.op == "forall" {
			return bit(!met[0])
		}
		return bit(met[1])
	}
	if v, is := bound[t.op]; is && len(t.args) == 0 {
		return v
	}
	args := make([]int, len(t.args))
	for i := range args {
		args[i] = at(i)
	}
	return m.values[key(t.op, args)]
}

// holds reports whether a formula holds.
func (m *structure) holds(t *term) bool { return m.eval(t, map[string]int{}) == 1 }

// then is the state after a step.
func (m *structure) then(t *theory, after state) *structure {
	next := &structure{m.size, map[string]int{}}
	for k, v := range m.values {
		next.values[k] = v
	}
	for _, f := range t.order {
		m.tuples(f.args, func(args []int) {
			var vars []*term
			bound := map[string]int{}
			for i, s := range f.args {
				vars = append(vars, symbol(fmt.Sprintf("at.%d", i), s))
				bound[vars[i].op] = args[i]
			}
			next.values[key(f.name, args)] = m.eval(after[f](vars), bound)
		})
	}
	return next
}

// asked are terms that ask for all values of a structure of some size, with the keys that they are about and
// the value of the key if the term is true.
func (t *theory) asked(g *goal, bound size) (terms []*term, keys []string, values []int) {
	m := &structure{size: bound}
	add := func(u *term, k string) {
		if u.sort == boolean {
			terms, keys, values = append(terms, u), append(keys, k), append(values, 1)
			return
		}
		for v := range m.domain(u.sort) {
			terms = append(terms, symbol("=", boolean, u, element(u.sort, v)))
			keys, values = append(keys, k), append(values, v)
		}
	}
	for _, f := range t.order {
		m.tuples(f.args, func(args []int) {
			var at []*term
			for i, s := range f.args {
				if s == boolean {
					at = append(at, truth(args[i] == 1))
				} else {
					at = append(at, element(s, args[i]))
				}
			}
			add(symbol(f.name, f.sort, at...), key(f.name, args))
		})
	}
	consts := append(slices.Clip(g.consts), symbol("first", node), symbol("time.0", instant))
	for _, x := range t.times {
		if x > 0 {
			consts = append(consts, symbol(fmt.Sprintf("time.%d", x), instant))
		}
	}
	for _, c := range consts {
		add(c, key(c.op, []int{}))
	}
	return terms, keys, values
}

// The largest structures that are searched for a counterexample: times are as many as a picture can show.
const mostNodes, mostTimes = 7, 9

// counterexample finds a smallest state in which a goal fails; nil: the solver finds none.
func (t *theory) counterexample(ctx context.Context, s *solver, g *goal, limit time.Duration) *structure {
	find := func(bound size) *structure {
		terms, keys, values := t.asked(g, bound)
		a := s.ask(ctx, t.text(g, bound, terms), limit)
		if a.verdict != sat {
			return nil
		}
		m := &structure{bound, map[string]int{}}
		pairs := pairsOf(a.values)
		if len(pairs) != len(terms) {
			return nil
		}
		for i, v := range pairs {
			if v == "true" {
				m.values[keys[i]] = values[i]
			}
		}
		return m
	}
	for nodes := 1; nodes <= mostNodes; nodes++ {
		if find(size{nodes, mostTimes}) == nil {
			continue
		}
		for times := 1; times <= mostTimes; times++ {
			if m := find(size{nodes, times}); m != nil && t.refutes(g, m) {
				return m
			}
		}
	}
	return nil
}

// pairsOf are the values in the answer to get-value, in their order.
func pairsOf(text string) (values []string) {
	depth, begin := 0, 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth == 2 { // the end of a pair: the value is its last word
				words := strings.Fields(text[begin:i])
				if len(words) == 0 {
					return nil
				}
				values = append(values, words[len(words)-1])
			}
			depth--
		}
		if r == '(' || r == ')' {
			begin = i + 1
		}
	}
	return values
}

// refutes checks a counterexample without the solver: the assumptions hold before the step, and the conjunct
// fails after it.
func (t *theory) refutes(g *goal, m *structure) bool {
	for _, h := range append(t.oneWord(), g.holds...) {
		if !m.holds(h) {
			return false
		}
	}
	return g.fails == nil || !m.holds(g.fails)
}
