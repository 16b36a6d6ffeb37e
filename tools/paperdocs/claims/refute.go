package claims

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
)

// Refuting bounds the search for instances outside the tables that refute a sentence.
type Refuting struct {
	Tries  int // instances per sentence
	Seed   uint64
	States int64 // after which the search of an instance stops
}

// A sentence is a statement that an instance can refute, with the instances of the tables that it covers.
type sentence struct {
	*Statement
	family   []*Instance
	readings bool // it is of one row: all parameters but sizes are as there
}

// sentences are the refutable parts of some claims: statements about the tables, rows of repairs that hold,
// and rows of claims that stand.
func (p *Paper) sentences(claims []*Claim) (all []sentence) {
	for _, c := range claims {
		for _, s := range c.Statements {
			if rows, err := p.covered(s); s.Verdict != Somewhere && err == nil {
				all = append(all, sentence{s, rows, false})
			}
		}
		for _, row := range c.Rows {
			if !row.Searches() || !row.is(holds) ||
				row.Aside != Repaired && (row.Aside != "" || c.Ruling != Stands) {
				continue
			}
			s := &Statement{Spec: row.Spec, Properties: row.Property, Verdict: Everywhere,
				Where: c.Within + " " + row.Within,
				Says: fmt.Sprintf("%s, row %d: %s holds in %s %s", c.Name, row.Number, row.Property, row.Spec,
					row.Args)}
			for key, value := range row.Values {
				if !slices.Contains(p.Sizes, key) {
					s.Where += " " + key + "=" + value.Text
				}
			}
			one := &Instance{spec: row.Spec, Args: row.Args, values: row.Values}
			all = append(all, sentence{s, []*Instance{one}, true})
		}
	}
	return all
}

// Refute tests each sentence of some claims against instances outside the tables, the same for the same seed,
// and prints the refuted ones; it returns their number. The end of ctx ends the list.
func (p *Paper) Refute(ctx context.Context, out io.Writer, claims []*Claim, by Refuting) (
	fell int, err error) {
	known := map[string]bool{}
	for _, i := range p.Instances {
		known[fmt.Sprint(i.spec, i.values)] = true
	}
	all := p.sentences(claims)
	say := func(format string, args ...any) {
		_, _ = fmt.Fprintf(out, format+"\n", args...) // a progress report
	}
	say("%s: %s, each against %s outside the tables, of at most %s", p.Name,
		plural(int64(len(all)), "sentence"), plural(int64(by.Tries), "instance"), plural(by.States, "state"))
	for k := range all {
		s := &all[k]
		tried, undecided, found, err := p.against(ctx, s, known, by)
		switch {
		case ctx.Err() != nil:
			say("%s: stopped after %d of the sentences", p.Name, k)
			return fell, nil
		case err != nil:
			return fell, err
		case found != "":
			fell++
			say("refuted  %s\n          %s", s.Says, found)
		case tried == 0:
			say("untested %s", s.Says)
		default:
			say("stood    %s (%d tried, %d of them undecided)", s.Says, tried, undecided)
		}
	}
	say("%s: %d of %d refuted", p.Name, fell, len(all))
	return fell, nil
}

// against tests a sentence; found is the instance that refutes it, with the command.
func (p *Paper) against(ctx context.Context, s *sentence, known map[string]bool, by Refuting) (
	tried, undecided int, found string, err error) {
	spec, err := Spec(s.Spec)
	if err != nil || len(s.family) == 0 {
		return 0, 0, "", err
	}
	hash := fnv.New64a()
	hash.Write([]byte(s.Says))
	m := mutator{rand.New(rand.NewPCG(by.Seed, hash.Sum64())), s, p, spec}
	asked := map[string]bool{}
	for range 100 * by.Tries { // most lines that are drawn are no instances, or not admitted
		if tried == by.Tries || ctx.Err() != nil {
			break
		}
		line, instance, properties := m.draw()
		if properties == nil || asked[instance] || known[instance] {
			continue
		}
		asked[instance] = true
		words := append([]string{s.Spec}, line...)
		r, err := check(ctx, append(words, "--property", strings.Join(properties, ","), "--max-states",
			fmt.Sprint(by.States))...)
		if errors.As(err, new(*usage.Error)) { // it has more fairness conditions than a search takes, say
			continue
		}
		if err != nil {
			return tried, undecided, "", err
		}
		tried++
		if slices.ContainsFunc(r.Properties, func(p property) bool { return p.Verdict == unknown }) {
			undecided++
		}
		for _, p := range r.Properties {
			if p.Verdict == holds && s.Verdict == Nowhere || p.Verdict == violated && s.Verdict != Nowhere {
				length := ""
				if p.Length != nil {
					length = " after " + plural(int64(*p.Length), "step")
				}
				return tried, undecided, fmt.Sprintf("%s%s: atmostk check %s --property %s", p.Verdict,
					length, strings.Join(words, " "), p.Name), nil
			}
		}
	}
	return tried, undecided, "", nil
}

// A mutator draws arguments near the family of a sentence.
type mutator struct {
	*rand.Rand
	s    *sentence
	p    *Paper
	spec *model.Spec
}

// draw returns the arguments of an instance that the sentence admits, the instance by all its values, and the
// properties to ask for; nil: there are none, or the arguments make no such instance.
func (m *mutator) draw() (line []string, instance string, properties []string) {
	row := m.s.family[m.IntN(len(m.s.family))]
	if near := m.s.family[m.IntN(len(m.s.family))]; near.States < row.States {
		row = near // small ones are more often decided
	}
	line = m.mutated(row)
	in, args, err := m.spec.Instantiate(line)
	if err != nil {
		return nil, "", nil
	}
	values := cond.Words(args.List())
	if covers, err := cond.All(values, m.s.Where); err != nil || !covers || !m.p.assumed(values) {
		return nil, "", nil
	}
	properties = m.s.meant(in.Space.Properties(), m.s.columns(row.columns), values)
	return line, fmt.Sprint(m.s.Spec, values), properties
}

// assumed reports whether an instance meets the conditions of the paper about parameters that it has.
func (p *Paper) assumed(values map[string]cond.Value) bool {
	for c := range strings.FieldsSeq(p.Assumes) {
		if met, err := cond.All(values, c); err == nil && !met {
			return false
		}
	}
	return true
}

// meant returns the named properties that a mutated instance has to share. It leaves out goals, which
// another instance need not reach; costs where crashes lose messages; and, where a sentence says that
// properties hold, those that no algorithm violates.
func (s *sentence) meant(
	all []model.PropertyInfo, names []string, values map[string]cond.Value,
) (which []string) {
	crashes := values["crashes"].Text > "0"
	for _, p := range all {
		if s.readings && (p.Kind == model.Reachable || p.Kind == model.Costs && crashes) {
			continue
		}
		if slices.Contains(names, p.Name) && p.Moot == "" && (s.Verdict == Nowhere || p.Trivial == "") {
			which = append(which, p.Name)
		}
	}
	return which
}

// mutated changes one to three arguments of an instance, sizes more often than readings. A violation should
// remain in larger instances: numbers only rise there.
func (m *mutator) mutated(row *Instance) []string {
	changed := map[string]string{}
	for range 1 + m.IntN(3) {
		p := &m.spec.Params[m.IntN(len(m.spec.Params))]
		if size := slices.Contains(m.p.Sizes, p.Name); !size && (m.s.readings || m.IntN(2) == 0) {
			continue
		}
		changed[p.Name] = m.other(p, row)
	}
	var args []string
	for kv := range strings.FieldsSeq(row.Args) {
		if key, _, _ := strings.Cut(kv, "="); changed[key] == "" {
			args = append(args, kv)
		}
	}
	for _, p := range m.spec.Params { // in this order, so that a seed draws the same
		if v := changed[p.Name]; v != "" {
			args = append(args, p.Name+"="+v)
		}
	}
	return args
}

// other draws another value of a parameter: a word, a neighbouring number, a list that differs in one
// element, one or two processes, or the value of another instance of the tables.
func (m *mutator) other(p *param.Param, row *Instance) string {
	value := row.values[p.Name].Text
	numbers := strings.Split(value, ",")
	switch {
	case p.Type.Form == "word":
		return p.Type.Words[m.IntN(len(p.Type.Words))]
	case p.Type.Form == "numbers" && len(numbers) == 1: // one for all: an element for each
		n := len(strings.Split(row.values["h"].Text, ","))
		if k, err := strconv.Atoi(row.values["n"].Text); err == nil {
			n = k
		}
		numbers = slices.Repeat(numbers, n)
	case p.Type.Form == "processes":
		var some []string
		for range 1 + m.IntN(2) {
			some = append(some, strconv.Itoa(m.IntN(6)))
		}
		slices.Sort(some)
		return strings.Join(slices.Compact(some), ",")
	case p.Type.Form != "number" && p.Type.Form != "numbers":
		return m.p.Instances[m.IntN(len(m.p.Instances))].values[p.Name].Text
	}
	k := m.IntN(len(numbers))
	x, err := strconv.Atoi(numbers[k])
	if err != nil {
		return value
	}
	if x++; m.s.Verdict != Nowhere && x > 1 && m.IntN(3) == 0 {
		x -= 2
	}
	numbers[k] = strconv.Itoa(x)
	return strings.Join(numbers, ",")
}
