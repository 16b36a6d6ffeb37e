package claims

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
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
// and prints the results; it returns how many are refuted. The end of ctx ends the list.
func (p *Paper) Refute(ctx context.Context, out io.Writer, claims []*Claim, by Refuting) (
	fell int, err error) {
	known := map[string]bool{}
	for _, i := range p.Instances {
		known[fmt.Sprint(i.spec, i.values)] = true
	}
	all := p.sentences(claims)
	for k := range all {
		s := &all[k]
		tried, found, err := p.against(ctx, s, maps.Clone(known), by)
		if ctx.Err() != nil {
			_, _ = fmt.Fprintf(out, "stopped after %d of %d\n", k, len(all)) // a progress report
			return fell, nil
		}
		if err != nil {
			return fell, err
		}
		text := fmt.Sprintf("stood    %s (%s)", s.Says, plural(int64(tried), "instance"))
		if found != "" {
			fell++
			text = fmt.Sprintf("refuted  %s\n          %s", s.Says, found)
		}
		_, _ = fmt.Fprintln(out, text)
	}
	_, _ = fmt.Fprintf(out, "%s: %d of %d refuted\n", p.Name, fell, len(all))
	return fell, nil
}

// against tests a sentence by instances that are not known; found is what refutes it, with the command.
func (p *Paper) against(ctx context.Context, s *sentence, known map[string]bool, by Refuting) (
	tried int, found string, err error) {
	spec, err := Spec(s.Spec)
	if err != nil || len(s.family) == 0 {
		return 0, "", err
	}
	hash := fnv.New64a()
	hash.Write([]byte(s.Says))
	r := rand.New(rand.NewPCG(by.Seed, hash.Sum64()))
	for range 100 * by.Tries { // most lines that are drawn are no instances, or not admitted
		if tried == by.Tries || ctx.Err() != nil {
			break
		}
		row := s.family[r.IntN(len(s.family))]
		line := p.mutated(r, s, spec, row)
		in, args, err := spec.Instantiate(line)
		if err != nil {
			continue
		}
		values := cond.Words(args.List())
		key, properties := fmt.Sprint(s.Spec, values), s.meant(in.Space.Properties(), row, values)
		covers, err := cond.All(values, s.Where)
		if err != nil || !covers || known[key] || properties == nil || !p.assumed(values) {
			continue
		}
		known[key] = true
		words := append([]string{s.Spec}, line...)
		report, err := check(ctx, append(words, "--property", strings.Join(properties, ","), "--max-states",
			fmt.Sprint(by.States))...)
		if errors.As(err, new(*usage.Error)) { // it has more fairness conditions than a search takes, say
			continue
		}
		if err != nil {
			return tried, "", err
		}
		tried++
		for _, q := range report.Properties {
			if q.Verdict == holds && s.Verdict == Nowhere || q.Verdict == violated && s.Verdict != Nowhere {
				return tried, fmt.Sprintf("%s: atmostk check %s --property %s", q.Verdict,
					strings.Join(words, " "), q.Name), nil
			}
		}
	}
	return tried, "", nil
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
func (s *sentence) meant(all []model.PropertyInfo, row *Instance, values map[string]cond.Value) (
	which []string) {
	names, crashes := s.columns(row.columns), values["crashes"].Text > "0"
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

// mutated changes one to three arguments of an instance, sizes more often than readings.
func (p *Paper) mutated(r *rand.Rand, s *sentence, spec *model.Spec, row *Instance) (args []string) {
	changed := map[string]string{}
	for range 1 + r.IntN(3) {
		q := &spec.Params[r.IntN(len(spec.Params))]
		if slices.Contains(p.Sizes, q.Name) || !s.readings && r.IntN(2) > 0 {
			changed[q.Name] = p.other(r, s, q, row)
		}
	}
	for kv := range strings.FieldsSeq(row.Args) {
		if key, _, _ := strings.Cut(kv, "="); changed[key] == "" {
			args = append(args, kv)
		}
	}
	for _, q := range spec.Params { // in this order, so that a seed draws the same
		if v := changed[q.Name]; v != "" {
			args = append(args, q.Name+"="+v)
		}
	}
	return args
}

// other draws another value of a parameter: a word, the value of another instance of the tables, or a list
// of numbers or processes that differs in one element. A violation should remain in larger instances:
// numbers only rise there.
func (p *Paper) other(r *rand.Rand, s *sentence, q *param.Param, row *Instance) string {
	form, numbers := q.Type.Form, param.List(row.values[q.Name].Text)
	switch form {
	case "word":
		return q.Type.Words[r.IntN(len(q.Type.Words))]
	case "number", "numbers", "processes":
	default:
		return p.Instances[r.IntN(len(p.Instances))].values[q.Name].Text
	}
	if n, err := strconv.Atoi(row.values["n"].Text); err == nil && form == "numbers" && len(numbers) == 1 {
		numbers = slices.Repeat(numbers, n) // one for all: an element for each
	}
	if form == "processes" && (numbers == nil || r.IntN(2) == 0) {
		numbers = append(numbers, "0")
	}
	k := r.IntN(max(1, len(numbers)))
	if numbers == nil || numbers[k] == "inf" {
		return "" // it stays as it is
	}
	x, _ := strconv.Atoi(numbers[k]) // checked by the type
	if x++; s.Verdict != Nowhere && x > 1 && r.IntN(3) == 0 {
		x -= 2
	}
	numbers[k] = strconv.Itoa(x)
	return strings.Join(numbers, ",")
}
