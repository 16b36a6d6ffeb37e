package prove

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A structure is a finite state. A process or a time is its place in the order; a truth value is 0 or 1.
type structure struct {
	*theory
	size   size
	values map[string]int // of symbols with the values of their arguments
}

// key names a symbol with the values of its arguments.
func key(op string, args ...int) string {
	b := append(make([]byte, 0, 32), op...)
	for _, v := range args {
		b = append(b, ' ', byte('0'+v))
	}
	return string(b)
}

// tuples calls f for all values of some sorts.
func (m *structure) tuples(sorts []sort, args []int, f func([]int)) {
	if len(sorts) == 0 {
		f(args)
		return
	}
	for v := range m.size[sorts[0]] {
		m.tuples(sorts[1:], append(slices.Clip(args), v), f)
	}
}

func bit(b bool) int { return map[bool]int{true: 1}[b] }

// eval is the value of a term.
func (m *structure) eval(t *term, bound map[string]int) int {
	at := func(i int) int { return m.eval(t.args[i], bound) }
	fails := func(a *term) bool { return m.eval(a, bound) == 0 }
	holds := func(a *term) bool { return m.eval(a, bound) == 1 }
	switch t.op {
	case "true", "false":
		return bit(t == yes)
	case "not":
		return 1 - at(0)
	case "and":
		return bit(!slices.ContainsFunc(t.args, fails))
	case "or":
		return bit(slices.ContainsFunc(t.args, holds))
	case "=":
		return bit(at(0) == at(1))
	case "ltNode", "ltTime":
		return bit(at(0) < at(1))
	case "ite":
		return at(2 - at(0))
	case "forall", "exists":
		wanted, met := bit(t.op == "exists"), false
		m.bind(t.vars, nil, bound, func() { met = met || at(0) == wanted })
		return bit(met == (wanted == 1))
	}
	if v, is := bound[t.op]; is {
		return v
	}
	args := mapped(t.args, func(a *term) int { return m.eval(a, bound) })
	return m.values[key(t.op, args...)]
}

// holds reports whether a formula holds.
func (m *structure) holds(t *term) bool { return m.eval(t, map[string]int{}) == 1 }

// then is the state in which some fields have other values; nil: all may have.
func (m *structure) then(after state, changed map[*field]bool) *structure {
	next := &structure{m.theory, m.size, maps.Clone(m.values)}
	for _, f := range m.order {
		if changed != nil && !changed[f] {
			continue
		}
		vars, bound := symbols("at.%d", f.args...), map[string]int{}
		value := after[f](vars)
		m.tuples(f.args, nil, func(args []int) {
			for i, v := range vars {
				bound[v.op] = args[i]
			}
			next.values[key(f.name, args...)] = m.eval(value, bound)
		})
	}
	return next
}

// The most times of a structure that is searched for a counterexample.
const mostTimes = 9

// counted are the numbers of processes of counterexamples, in the order in which they are tried: most models
// have no instance of one process.
var counted = []int{2, 1, 3, 4, 5, 6, 7}

// counterexample finds a small state in which a goal fails; nil: the solver finds none.
func (t *theory) counterexample(ctx context.Context, s *solver, g *goal, limit time.Duration) *structure {
	all := append(append(t.oneWord(), g.holds...), not(g.fails)) // checked without the solver, too
	for _, nodes := range counted {
		bound := size{boolean: 2, node: nodes, instant: mostTimes}
		if s.ask(ctx, t.text(g, bound, nil), limit).verdict != sat {
			continue
		}
		for bound[instant] = 1; bound[instant] <= mostTimes; bound[instant]++ {
			if m := t.valuation(ctx, s, g, bound, limit); m != nil &&
				!slices.ContainsFunc(all, func(h *term) bool { return !m.holds(h) }) {
				return m
			}
		}
	}
	return nil
}

// pair is the end of a pair in the answer to get-value, which is ((term true) (term false)).
var pair = regexp.MustCompile(`\s(true|false)\)\s*(?:\(|\)\s*$)`)

// valuation asks a solver for a state of some size in which a goal fails; nil: it finds no such state.
func (t *theory) valuation(ctx context.Context, s *solver, g *goal, bound size,
	limit time.Duration) *structure {
	m := &structure{t, maps.Clone(bound), map[string]int{}}
	of := map[sort][]*term{boolean: {no, yes}, node: elements(node, bound[node]),
		instant: elements(instant, bound[instant])}
	var terms []*term // the values of these truth values are asked; each one sets a key to a value
	var keys []string
	var values []int
	add := func(u *term, k string) {
		if u.sort == boolean {
			terms, keys, values = append(terms, u), append(keys, k), append(values, 1)
			return
		}
		for i, e := range of[u.sort] {
			terms = append(terms, symbol("=", boolean, u, e))
			keys, values = append(keys, k), append(values, i)
		}
	}
	for _, f := range t.order {
		m.tuples(f.args, nil, func(args []int) {
			var at []*term
			for i, s := range f.args {
				at = append(at, of[s][args[i]])
			}
			add(symbol(f.name, f.sort, at...), key(f.name, args...))
		})
	}
	for _, c := range slices.Concat(g.consts, t.named(node), t.named(instant)) {
		add(c, key(c.op))
	}
	a := s.ask(ctx, t.text(g, bound, terms), limit)
	// The answer is a list of pairs, ((term true) (term false)).
	pairs := pair.FindAllStringSubmatch(a.values, -1)
	if a.verdict != sat || len(pairs) != len(terms) {
		return nil
	}
	for i, p := range pairs {
		if p[1] == "true" {
			m.values[keys[i]] = values[i]
		}
	}
	return m
}

// variables are the variables of a process with their values, as reports of searches show them. The last one
// is the inbox.
func (m *structure) variables(p int) (all [][2]string) {
	for _, f := range m.local.fields {
		if f.typ.kind != "open" {
			all = append(all, [2]string{f.name, m.show("me."+f.name, f.typ, p)})
		}
	}
	var inbox []waiting
	for _, k := range m.kinds {
		f := m.fields["msg."+k.name]
		m.tuples(f.args, nil, func(args []int) {
			if args[1] == p && m.values[key(f.name, args...)] == 1 {
				inbox = append(inbox, waiting{m, f, args})
			}
		})
	}
	slices.SortStableFunc(inbox, m.queue)
	texts := strings.Join(mapped(inbox, waiting.String), ", ")
	return append(all, [2]string{"inbox", "[" + texts + "]"})
}

// dead says that a process has crashed; its variables mean nothing then.
func (m *structure) dead(p int) bool { return m.values[key("dead", p)] == 1 }

func process(p int) string { return fmt.Sprintf("p%d", p+1) }

// messageText is a message on its way, with its sender, its receiver and its fields.
func (m *structure) messageText(f *field, args []int) string {
	var words []string
	for i, v := range args[2:] {
		words = append(words, valueText(f.args[2+i], v))
	}
	for _, s := range f.typ.sets {
		words = append(words, m.show(f.name+"."+s.name, s.typ, args...))
	}
	return strings.TrimPrefix(f.name, "msg.") + strings.Replace("("+strings.Join(words, ",")+")", "()", "", 1)
}

// valueText is a value as reports of searches show it.
func valueText(s sort, v int) string {
	if s == boolean {
		return []string{"False", "True"}[v]
	}
	return fmt.Sprint(v + bit(s == node))
}

// show is a variable, or an element of it.
func (m *structure) show(name string, typ *dataType, args ...int) string {
	var all []string
	f := m.fields[name]
	switch typ.kind {
	case "array":
		for q := range m.size[node] {
			all = append(all, m.show(name, typ.of, append(slices.Clip(args), q)...))
		}
		return "[" + strings.Join(all, ",") + "]"
	case "set":
		s := f.args[len(args)]
		for v := range m.size[s] {
			if m.values[key(name, append(slices.Clip(args), v)...)] == 1 {
				all = append(all, valueText(s, v))
			}
		}
		return "{" + strings.Join(all, ",") + "}"
	case "word":
		not := func(w string) bool { return m.values[key(name+"="+w, args...)] == 0 }
		return strings.Join(slices.DeleteFunc(slices.Clone(typ.words), not), "|") // one word, or a mistake
	}
	return valueText(f.sort, m.values[key(name, args...)])
}

// lines shows a state, a line for each process.
func (m *structure) lines() (all []string) {
	for p := range m.size[node] {
		line := process(p) + map[bool]string{true: " (crashed)"}[m.dead(p)] + ":"
		for _, v := range m.variables(p) {
			line += " " + v[0] + "=" + v[1]
		}
		all = append(all, line)
	}
	return all
}

// changes shows the differences between two states.
func (m *structure) changes(next *structure) (all []string) {
	for p := range m.size[node] {
		after := next.variables(p)
		for i, v := range m.variables(p) {
			if v != after[i] {
				all = append(all, fmt.Sprintf("%s.%s: %s -> %s", process(p), v[0], v[1], after[i][1]))
			}
		}
	}
	return all
}
