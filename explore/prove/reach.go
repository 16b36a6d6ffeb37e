package prove

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
)

// A Reach answers whether runs of the model lead to a counterexample to induction: to a state with the same
// values of all that the invariants and the conditions of the step read, and the same order of its times.
type Reach struct {
	Verdict  string   `json:"verdict"` // reached, not reached, unknown
	Args     []string `json:"args,omitempty"`
	States   int      `json:"states"`
	Complete bool     `json:"complete"` // all states were visited
}

// Verdicts of a Reach.
const reached, notReached, notKnown = "reached", "not reached", "unknown"

// The numbers of processes for which reachable states are asked.
const fewest, mostSearched = 2, 4

// An instance is an instance of a model with its arguments.
type instance struct {
	args []string
	model.Instance
}

// instances are the instances with n processes: with as many requests as the model makes by itself, and with
// two of each process. A model may have none.
func (p *proof) instances(n int) (all []instance) {
	for _, more := range [][]string{nil, {"rounds=2"}} {
		args := append(p.sized(n), more...)
		_, twice := p.Parameters["rounds"]
		twice = twice && !strings.Contains(strings.Join(p.args, " "), "rounds=")
		if in, _, err := p.spec.Instantiate(args); err == nil && (more == nil || twice) {
			all = append(all, instance{args, in})
		}
	}
	return all
}

// reach asks whether a counterexample to induction is reachable. If it is, and the model's step from there
// violates an invariant, a search finds that run again: then the verdict is Violated.
func (p *proof) reach(m *structure, of *goal) (*Reach, error) {
	n, read, r := m.size[node], map[string]bool{}, &Reach{Verdict: notKnown}
	terms := mapped(p.theory.wanted, func(c *conjunct) *term { return c.holds(p.theory, p.theory.before()) })
	if of.step != nil {
		terms = append(terms, of.step.facts...)
	}
	for _, f := range p.theory.order {
		reads := func(t *term) bool { return t.mentions(f.name) }
		read[f.name] = f.typ.kind != "order" && (f == of.copies || slices.ContainsFunc(terms, reads))
	}
	wanted := m.shape(read)
	for _, in := range p.instances(n) {
		if n < fewest || n > mostSearched || r.Verdict == reached {
			break
		}
		if !slices.ContainsFunc(p.Searched, func(s Searched) bool { return slices.Equal(s.Args, in.args) }) {
			err := p.searchFor(in, explore.Options{MaxStates: searchedStates})
			if err != nil || p.Verdict == Violated {
				return nil, err
			}
		}
		depth, states, complete := explored(p.ctx, in.Plain, func(s lts.State) bool {
			return p.theory.read(s.Vars(), n).shape(read) != wanted
		})
		if depth < 0 && !complete && r.Verdict != notKnown {
			break
		}
		r = &Reach{map[bool]string{true: notReached, false: notKnown}[complete], in.args, states, complete}
		if depth < 0 {
			continue
		}
		if err := p.searchFor(in, explore.Options{MaxDepth: depth + 2}); err != nil || p.theory.fifo {
			return r, err // the texts of states leave out the order of sending
		}
		r.Verdict = reached
	}
	return r, nil
}

// explored visits the reachable states in the order of their distance, by the interpreter, within the bounds
// of a search, until visit returns false. It returns the distance of the state for which it does, or -1, the
// number of states, and whether these are all: none is outside the constraint.
func explored(ctx context.Context, plain lts.Plain, visit func(lts.State) bool) (at, n int, complete bool) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	met, all, depths := map[string]bool{}, []lts.State{}, []int{}
	inside := true
	add := func(ts []lts.Transition, depth int) {
		for _, t := range ts {
			inside = inside && !t.Outside
			if key := t.Next.Key(); !met[key] && !t.Pruned && !t.Outside {
				met[key], all, depths = true, append(all, t.Next), append(depths, depth)
			}
		}
	}
	at = -1
	mistake := check.Caught(func() {
		for add(plain.Init(), 0); n < len(all) && n < searchedStates && ctx.Err() == nil; n++ {
			if !visit(all[n]) {
				at, n = depths[n], n+1
				return
			}
			add(plain.Steps(all[n]), depths[n]+1)
		}
	})
	return at, n, at < 0 && n == len(all) && inside && mistake == nil
}

// shape is a state as far as some fields tell it apart, with places in the order in place of times.
func (m *structure) shape(read map[string]bool) string {
	var names []string
	var facts [][]int // the arguments and values of names
	var places []*int // the times in facts
	times := mapped(m.named(instant), func(c *term) int { return m.values[key(c.op)] })
	for _, f := range m.order {
		m.tuples(f.args, nil, func(args []int) {
			v := m.values[key(f.name, args...)]
			if !read[f.name] || v == 0 && f.sort != instant || m.meaningless(f, args) {
				return
			}
			x := append(slices.Clip(args), v)
			for i, s := range append(slices.Clip(f.args), f.sort) {
				if s == instant {
					times, places = append(times, x[i]), append(places, &x[i])
				}
			}
			names, facts = append(names, f.name), append(facts, x)
		})
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for _, at := range places {
		*at, _ = slices.BinarySearch(times, *at)
	}
	return fmt.Sprint(names, facts)
}

// meaningless says that a field has no meaning for some arguments: a variable of a dead process, a message to
// it, or a set in a message that is not on its way.
func (m *structure) meaningless(f *field, args []int) bool {
	if !strings.HasPrefix(f.name, "msg.") {
		return f.name != "dead" && m.dead(args[0])
	}
	of := f.name[:strings.LastIndex(f.name, ".")]
	return m.dead(args[1]) || f.typ.kind == "set" && m.values[key(of, args[:len(args)-1]...)] == 0
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
				for i, word := range partOf.FindAllString(e[2], -1) {
					if k := i + 2 - len(f.args); k < 0 {
						args = append(args, m.value(f.args[2+i], word))
					} else {
						m.put(f.name+"."+f.typ.sets[k].name, f.typ.sets[k].typ, word, args...)
					}
				}
				m.values[key(f.name, args...)] = 1
			}
		}
		if v.Name == "crashed" && t.fields["dead"] != nil && v.Value == "true" {
			m.values[key("dead", p)] = 1
			continue
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
	envelope = regexp.MustCompile(`(?:^\[|, )([^,(\[]+)(?:\(([^)]*)\))? from (p\d+)`)
)

func parts(text string) []string { return partOf.FindAllString(text[1:len(text)-1], -1) }
