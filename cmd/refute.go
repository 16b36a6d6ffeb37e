//go:build !js

package cmd

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// refuting are the flags that ask for instances outside the tables, as given.
type refuting struct {
	tries  int // instances per sentence; 0: nothing is asked
	seed   uint64
	states int64 // after which an instance is given up
}

// A sentence says of all instances that it admits what a family of them showed.
type sentence struct {
	says, spec string
	family     []tabled // the instances that it was said of; columns are the properties meant
	violated   bool     // the properties are violated, else they hold
	admits     func(values map[string]string) (bool, error)
	readings   bool // all parameters but sizes are as in the family
}

// sentences are those of the chosen claims that an instance can refute: about the tables, and that a
// repair, or a claim that stands, holds.
func (j *review) sentences(chosen []*judged) (all []sentence) {
	for _, c := range chosen {
		for i := range c.Statements {
			s := &c.Statements[i]
			if s.Verdict == papers.Somewhere {
				continue
			}
			one := sentence{says: s.Says, spec: s.Spec, violated: s.Verdict == papers.Nowhere,
				admits: func(v map[string]string) (bool, error) { return meets(v, s.Where) }}
			for _, row := range j.tabled {
				if meant, _ := meets(row.values, s.Where); row.spec == s.Spec && meant {
					row.columns = s.Columns(row.columns)
					one.family = append(one.family, row)
				}
			}
			all = append(all, one)
		}
		for i := range c.rows {
			r := &c.rows[i]
			f := r.finding()
			if !r.Searches() || f == nil || f.Verdict != string(explore.Holds) ||
				r.Aside != papers.Repaired && (r.Aside != "" || c.Ruling != papers.Stands) {
				continue
			}
			row := tabled{spec: r.Spec, args: r.Args, values: r.values, columns: []string{r.Property}}
			all = append(all, sentence{
				says: fmt.Sprintf("%s, row %d: %s holds in %s %s", c.Name, r.number, r.Property, r.Spec,
					r.Args),
				spec: r.Spec, family: []tabled{row}, readings: true,
				admits: func(v map[string]string) (bool, error) {
					within, err := meets(v, c.Within)
					return within && j.sameReading(v, r.values), err
				},
			})
		}
	}
	return all
}

// refute tests each sentence against instances that are not in the tables, the same for the same seed, and
// prints which of them fall. The time limit of ctx ends the list.
func (a *app) refute(ctx context.Context, j *review, chosen []*judged, opt explore.Options,
	by refuting) error {
	known := map[string]bool{}
	for _, row := range j.tabled {
		known[instanceKey(row.spec, row.values)] = true
	}
	opt.MaxStates = by.states
	all := j.sentences(chosen)
	printable.Fprintf(a.out, "%s: %s, each against %s outside the tables, of at most %s\n",
		bold(j.paper.Name), plural(int64(len(all)), "sentence"), plural(int64(by.tries), "instance"),
		plural(by.states, "state"))
	fell := 0
	for k := range all {
		s := &all[k]
		tried, undecided, found, err := a.against(ctx, j, s, known, opt, by)
		switch {
		case ctx.Err() != nil:
			printable.Fprintf(a.out, "%s: stopped after %d of the sentences\n", j.paper.Name, k)
			return nil
		case err != nil:
			return err
		case found != "":
			fell++
			a.code = max(a.code, exitViolated)
			printable.Fprintf(a.out, "%s  %s\n          %s\n", bad("refuted"), s.says, found)
		case tried == 0:
			printable.Fprintf(a.out, "%s %s\n", faint("untested"), s.says)
		default:
			printable.Fprintf(a.out, "%s    %s (%d tried, %d of them undecided)\n", faint("stood"), s.says,
				tried, undecided)
		}
	}
	printable.Fprintf(a.out, "%s: %d of %d refuted\n", j.paper.Name, fell, len(all))
	return nil
}

// instanceKey identifies an instance by all its parameters.
func instanceKey(spec string, values map[string]string) string { return fmt.Sprint(spec, values) }

// against tests a sentence; found is what refutes it, with the command.
func (a *app) against(ctx context.Context, j *review, s *sentence, known map[string]bool, opt explore.Options,
	by refuting) (tried, undecided int, found string, err error) {
	spec, err := a.spec(s.spec)
	if err != nil || len(s.family) == 0 {
		return 0, 0, "", err
	}
	hash := fnv.New64a()
	hash.Write([]byte(s.says))
	m := mutator{rand.New(rand.NewPCG(by.seed, hash.Sum64())), s, j}
	asked := map[string]bool{}
	for range 100 * by.tries { // most that are drawn are no instances, or not admitted
		if tried == by.tries || ctx.Err() != nil {
			break
		}
		row := &s.family[m.IntN(len(s.family))]
		if near := &s.family[m.IntN(len(s.family))]; near.states < row.states {
			row = near // small ones are more often decided
		}
		line := m.mutated(spec, row)
		_, in, args, err := a.instance(s.spec, line)
		if err != nil || asked[in.Arguments] {
			continue
		}
		values := map[string]string{}
		for _, kv := range args.List() {
			values[kv[0]] = kv[1]
		}
		admitted, err := s.admits(values)
		if err != nil || !admitted || !assumed(j.paper, values) || known[instanceKey(s.spec, values)] {
			continue
		}
		asked[in.Arguments] = true
		opt.Properties = meant(in.Space.Properties(), row.columns, values, s)
		if opt.Properties == nil {
			continue
		}
		report, err := a.examine(ctx, append([]string{s.spec}, line...), true, in, opt)
		var misuse *usage.Error
		if errors.As(err, &misuse) { // it has more fairness conditions than can be judged, or the like
			continue
		}
		if tried++; err != nil {
			return tried, undecided, "", err
		}
		for i := range report.Properties {
			p := &report.Properties[i]
			if s.violated && p.Verdict == explore.Holds || !s.violated && p.Verdict == explore.Violated {
				length := ""
				if p.Length >= 0 {
					length = " after " + plural(int64(p.Length), "step")
				}
				return tried, undecided, fmt.Sprintf("%s%s: %s check %s %s --property %s", p.Verdict, length,
					a.Name, s.spec, strings.Join(line, " "), p.Name), nil
			}
		}
		undecided += one(slices.ContainsFunc(report.Properties, func(p explore.Result) bool {
			return p.Verdict == explore.Unknown
		}))
	}
	return tried, undecided, "", nil
}

// assumed reports whether an instance meets the conditions of the paper about parameters that it has.
func assumed(p *papers.Paper, values map[string]string) bool {
	for _, c := range strings.Fields(p.Assumes) {
		if met, err := meets(values, c); err == nil && !met {
			return false
		}
	}
	return true
}

// meant are the properties of those named that there is something to ask of: not what one instance can reach
// and another need not, nor how many messages are sent where some are lost by crashes; where properties are
// said to hold, without those that no algorithm violates.
func meant(all []model.PropertyInfo, names []string, values map[string]string, s *sentence) (which []int) {
	for i, p := range all {
		if s.readings && (p.Kind == model.Reachable || p.Kind == model.Costs && values["crashes"] > "0") {
			continue
		}
		if slices.Contains(names, p.Name) && p.Moot == "" && (s.violated || p.Trivial == "") {
			which = append(which, i)
		}
	}
	return which
}

// A mutator draws arguments near those of the family of a sentence.
type mutator struct {
	*rand.Rand
	s *sentence
	j *review
}

// mutated changes one to three arguments of an instance, sizes more often than readings. What is violated
// is to be violated in larger instances: numbers only rise there.
func (m *mutator) mutated(spec *model.Spec, row *tabled) []string {
	changed := map[string]string{}
	for range 1 + m.IntN(3) {
		p := &spec.Params[m.IntN(len(spec.Params))]
		if size := slices.Contains(m.j.paper.Sizes, p.Name); !size && (m.s.readings || m.IntN(2) == 0) {
			continue
		}
		changed[p.Name] = m.other(p, row)
	}
	var args []string
	for _, kv := range strings.Fields(row.args) {
		if key, _, _ := strings.Cut(kv, "="); changed[key] == "" {
			args = append(args, kv)
		}
	}
	for _, p := range spec.Params { // in this order, so that a seed draws the same
		if v := changed[p.Name]; v != "" {
			args = append(args, p.Name+"="+v)
		}
	}
	return args
}

// other draws another value of a parameter: a word, a neighbouring number, a list that differs in one
// element, one or two processes, or what another instance of the tables has.
func (m *mutator) other(p *param.Param, row *tabled) string {
	value := row.values[p.Name]
	numbers := strings.Split(value, ",")
	switch {
	case p.Type.Form == "word":
		return p.Type.Words[m.IntN(len(p.Type.Words))]
	case p.Type.Form == "numbers" && len(numbers) == 1: // one for all: an element for each
		n := len(strings.Split(row.values["h"], ","))
		if k, err := strconv.Atoi(row.values["n"]); err == nil {
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
		return m.j.tabled[m.IntN(len(m.j.tabled))].values[p.Name]
	}
	k := m.IntN(len(numbers))
	x, err := strconv.Atoi(numbers[k])
	if err != nil {
		return value
	}
	if x++; !m.s.violated && x > 1 && m.IntN(3) == 0 {
		x -= 2
	}
	numbers[k] = strconv.Itoa(x)
	return strings.Join(numbers, ",")
}
