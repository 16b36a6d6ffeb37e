package prove

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
)

// A Reach answers whether runs of the model lead to a counterexample to induction: to a state with the same
// values of all that the invariants read, and the same order of its times.
type Reach struct {
	Verdict  string   `json:"verdict"` // reached, not reached, unknown
	Args     []string `json:"args,omitempty"`
	States   int      `json:"states"`
	Complete bool     `json:"complete"`      // all states were visited
	Run      []string `json:"run,omitempty"` // the steps to the state, if it is reached
}

// Verdicts of a Reach.
const reached, notReached, notKnown = "reached", "not reached", "unknown"

// The numbers of processes for which reachable states are asked.
const fewest, mostSearched = 2, 4

// reach asks whether a counterexample to induction is reachable. If it is, and the model's step from there
// violates an invariant, a search finds that run again: then the verdict is Violated.
func (p *proof) reach(m *structure) (*Reach, error) {
	n := m.size[node]
	r := &Reach{Verdict: notKnown}
	if n < fewest || n > mostSearched {
		return r, nil
	}
	read := map[string]bool{}
	for _, c := range p.theory.wanted {
		p.theory.mentions(c.holds(p.theory, p.theory.before()), read)
	}
	for _, args := range p.instances(n) {
		if !slices.ContainsFunc(p.Searched, func(s Searched) bool { return slices.Equal(s.Args, args) }) {
			err := p.searchFor(args, explore.Options{MaxStates: searchedStates})
			if err != nil || p.Verdict == Violated {
				return r, err
			}
		}
		next, err := p.visits(m, read, args)
		if err != nil || p.Verdict == Violated {
			return r, err
		}
		if r.Verdict == notKnown || next.Verdict == reached || next.Complete {
			r = next
		}
	}
	return r, nil
}

// instances are the arguments of instances with n processes: with as many requests as the model makes by
// itself, and with two of each process.
func (p *proof) instances(n int) [][]string {
	given := func(a string) bool { return strings.HasPrefix(a, "rounds=") }
	if p.Parameters["rounds"] == "" || slices.ContainsFunc(p.args, given) {
		return [][]string{p.sized(n)}
	}
	return [][]string{p.sized(n), append(p.sized(n), "rounds=2")}
}

// visits asks whether an instance reaches a state that agrees with m on the fields that are read.
func (p *proof) visits(m *structure, read map[string]bool, args []string) (*Reach, error) {
	r := &Reach{Verdict: notKnown}
	in, _, err := p.spec.Instantiate(args)
	if err != nil {
		return r, nil // the model has no such instance
	}
	wanted, n := m.shape(read), m.size[node]
	path, states, complete := explored(p.ctx, in.Plain, func(s lts.State) bool {
		return p.theory.read(s.Vars(), n).shape(read) != wanted
	})
	r.Args, r.States, r.Complete = args, states, complete
	switch {
	case path != nil && p.theory.fifo: // the texts of states leave out the order of sending
		return r, p.searchFor(args, explore.Options{MaxDepth: len(path) + 1})
	case path != nil:
		r.Verdict, r.Run = reached, []string{}
		for _, t := range path[1:] { // the first one leads to the initial state
			r.Run = append(r.Run, t.Text())
		}
		return r, p.searchFor(args, explore.Options{MaxDepth: len(path) + 1})
	case r.Complete:
		r.Verdict = notReached
	}
	return r, nil
}

// explored visits the reachable states in the order of their distance, by the interpreter, within the bounds
// of a search, until visit returns false. It returns the path to the state for which it does, if there is
// one, the number of states, and whether these are all.
func explored(ctx context.Context, plain lts.Plain, visit func(lts.State) bool) (path []lts.Transition, n int,
	complete bool) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	met, all, from := map[string]bool{}, []lts.Transition{}, []int{}
	add := func(ts []lts.Transition, at int) {
		for _, t := range ts {
			if key := t.Next.Key(); !met[key] && !t.Pruned && !t.Outside {
				met[key], all, from = true, append(all, t), append(from, at)
			}
		}
	}
	mistake := check.Caught(func() {
		for add(plain.Init(), -1); n < len(all) && n < searchedStates && ctx.Err() == nil; n++ {
			if !visit(all[n].Next) {
				for i := n; i >= 0; i = from[i] {
					path = append(path, all[i])
				}
				slices.Reverse(path)
				return
			}
			add(plain.Steps(all[n].Next), n)
		}
	})
	return path, n, n == len(all) && mistake == nil
}

// mentions adds the names of the fields that a term reads.
func (t *theory) mentions(u *term, all map[string]bool) {
	if f := t.fields[u.op]; f != nil && f.typ.kind != "order" {
		all[u.op] = true
	}
	for _, a := range u.args {
		t.mentions(a, all)
	}
}

// shape is a state as far as some fields tell it apart, with places in the order in place of times.
func (m *structure) shape(read map[string]bool) string {
	type fact struct {
		name   string
		sorts  []sort
		values []int
	}
	var facts []fact
	var times []int
	for _, c := range m.named(instant) {
		times = append(times, m.values[key(c.op)])
	}
	for _, f := range m.order {
		m.tuples(f.args, nil, func(args []int) {
			v := m.values[key(f.name, args...)]
			if !read[f.name] || v == 0 && f.sort != instant {
				return
			}
			x := fact{f.name, append(slices.Clip(f.args), f.sort), append(slices.Clip(args), v)}
			for i, s := range x.sorts {
				if s == instant {
					times = append(times, x.values[i])
				}
			}
			facts = append(facts, x)
		})
	}
	slices.Sort(times)
	times = slices.Compact(times)
	var b strings.Builder
	for _, x := range facts {
		for i, s := range x.sorts {
			if s == instant {
				x.values[i], _ = slices.BinarySearch(times, x.values[i])
			}
		}
		fmt.Fprintln(&b, x.name, x.values)
	}
	return b.String()
}

// read is a state of the interpreter as a structure.
func (t *theory) read(vars []lts.Var, n int) *structure {
	m := &structure{t, size{boolean: 2, node: n, instant: 1}, map[string]int{}}
	for _, c := range t.named(instant) {
		at, _ := strconv.Atoi(strings.TrimPrefix(c.op, "time."))
		m.values[key(c.op)] = at
		m.size[instant] = max(m.size[instant], at+1)
	}
	for _, v := range vars {
		p := m.value(node, v.Owner)
		if v.Name == "inbox" {
			for _, e := range envelope.FindAllStringSubmatch(v.Value, -1) {
				f, args := t.fields["msg."+e[1]], []int{m.value(node, e[3]), p}
				for i, word := range strings.FieldsFunc(e[2], func(r rune) bool { return r == ',' }) {
					args = append(args, m.value(f.args[2+i], word))
				}
				m.values[key(f.name, args...)] = 1
			}
		}
		for _, f := range t.local.fields {
			if f.name == v.Name {
				m.put("me."+v.Name, f.typ, v.Value, p)
			}
		}
	}
	return m
}

// put sets a variable, or an element of it, to the value of a text.
func (m *structure) put(name string, typ *dataType, text string, args ...int) {
	f := m.fields[name]
	switch typ.kind {
	case "open":
	case "array":
		for q, part := range parts(text) {
			m.put(name, typ.of, part, append(slices.Clip(args), q)...)
		}
	case "set":
		for _, part := range parts(text) {
			m.values[key(name, append(slices.Clip(args), m.value(f.args[len(args)], part))...)] = 1
		}
	case "word":
		m.values[key(name+"="+text, args...)] = 1
	default:
		m.values[key(name, args...)] = m.value(f.sort, text)
	}
}

// value is a text as a process, a time or a truth value.
func (m *structure) value(s sort, text string) int {
	v, _ := strconv.Atoi(strings.TrimPrefix(text, "p"))
	if s == instant {
		m.size[instant] = max(m.size[instant], v+1)
	}
	return max(bit(s == boolean && text == "True"), v-bit(s == node))
}

// Elements of a list or set, and messages in an inbox, as reports write them: REQUEST(1,True) from p2.
var (
	partOf   = regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]|[^,{}\[\]]+`)
	envelope = regexp.MustCompile(`([^ ,(\[]+)(?:\(([^)]*)\))? from (p\d+)`)
)

func parts(text string) []string { return partOf.FindAllString(text[1:len(text)-1], -1) }
