// Package prove proves at-most-k for every number of processes and every run. It translates a model in a
// file to first-order logic, and asks solvers whether the invariants of the file, at-most-k among them, hold
// at the start, and whether each step keeps them. The logic is EPR, which is decidable: processes and times
// have orders, variables are relations and functions to times, and there is no arithmetic. See Padon and
// others, Paxos made EPR, 2017.
package prove

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
)

// Options select the solvers and limits of a proof.
type Options struct {
	Solvers []string      // some of Solvers
	Limit   time.Duration // of a query
	Workers int           // solvers at a time; 0: one
	Propose bool          // conjuncts that are missing
	Dir     string        // for the queries in SMT-LIB; "": they are not written
	// Progress, if not nil, is called after each query, by one goroutine at a time.
	Progress func(done, all int)
	without  string // the name of an invariant that is left out, in tests
}

// Verdict is the result of a proof.
type Verdict string

const (
	// Proved means that a solver has answered all queries, and that the search found no violation.
	Proved Verdict = "proved"
	// NotInductive means that a step leads from a state that fulfils all invariants to one that does not.
	NotInductive Verdict = "not inductive"
	// Violated means that the search has found a run to a state that violates an invariant.
	Violated Verdict = "violated"
	// ModelError means that the search has found a mistake of the model.
	ModelError Verdict = "model error"
	// Vacuous means that the invariants contradict each other, or that a step never happens.
	Vacuous Verdict = "vacuous"
	// Unknown means that no solver has answered all queries.
	Unknown Verdict = "unknown"
)

// A Report is the result of a proof.
type Report struct {
	Model      string            `json:"model"`
	Parameters map[string]string `json:"parameters"`
	Chosen     []string          `json:"-"` // of the file itself, but n; the proof uses few others
	Verdict    Verdict           `json:"verdict"`
	Invariants []string          `json:"invariants"`         // what was to be proved, and what helps to prove it
	Proposed   []string          `json:"proposed,omitempty"` // text of invariants that the file lacks
	Queries    int               `json:"queries"`
	Solvers    []Asked           `json:"solvers"`
	Searched   []Searched        `json:"searched"` // the last one has found the violation, if there is one
	Failed     []Failure         `json:"failed"`
	Open       []string          `json:"open"`   // the queries without an answer, with reasons; what was cut off
	Allows     []string          `json:"allows"` // what it allows more than the model, and omits
}

// Asked counts the answers of a solver.
type Asked struct {
	Name     string  `json:"name"`
	Version  string  `json:"version"`
	Answered int     `json:"answered"`
	Unsure   int     `json:"unsure"`
	Seconds  float64 `json:"seconds"` // sum over all queries
}

// Searched is a search of the model for a small number of processes.
type Searched struct {
	Args     []string        `json:"args"`
	States   int64           `json:"states"`
	Depth    int             `json:"depth"`
	Complete bool            `json:"complete"`
	Report   *explore.Report `json:"-"`
}

// A Failure is a query whose answer refutes the proof. Before is the counterexample to induction, a line for
// each process, and Changes is the step; nil: none is small enough to show, or another one is shown.
type Failure struct {
	Query    string   `json:"query"`
	Where    string   `json:"where,omitempty"`    // of the invariant or the step in the file
	Conjunct string   `json:"conjunct,omitempty"` // "": something is impossible
	Step     string   `json:"step,omitempty"`     // "": at the start
	Mover    string   `json:"mover,omitempty"`
	Before   []string `json:"before,omitempty"`
	Changes  []string `json:"changes,omitempty"`
	Reach    *Reach   `json:"reach,omitempty"` // nil: Before is nil, or a run violates an invariant anyway
}

// The bounds of the searches for small numbers of processes.
const searchedStates, searchTime = 20000, 20 * time.Second

// A proof is the state of one Run.
type proof struct {
	*Report
	ctx      context.Context
	opt      *Options
	spec     *model.Spec
	args     []string
	file     *syntax.File
	solvers  []*solver
	theory   *theory
	goals    []*goal
	proposed []*proposal
	counter  *structure // the state of the failure that is shown; nil: none is
	failing  *goal      // of it
}

// Run proves the invariants of a model in a file. args set its parameters other than the number of processes.
func Run(ctx context.Context, spec *model.Spec, f *syntax.File, args []string, opt Options) (*Report, error) {
	known := func(string) bool { return true }
	_ = resolve.File(f, known, known) // the model was executed
	p := &proof{Report: &Report{Model: spec.Name}, ctx: ctx, opt: &opt, spec: spec, args: args, file: f}
	if err := p.translate(map[string]bool{}); err != nil {
		return nil, err
	}
	for _, name := range opt.Solvers {
		s, err := findSolver(ctx, name)
		if err != nil {
			return nil, err
		}
		p.solvers = append(p.solvers, s)
	}
	err := p.search()
	if err == nil && p.opt.Propose && p.Verdict == "" {
		err = p.propose()
	}
	if err == nil {
		err = p.copies()
	}
	if err != nil {
		return nil, err
	}
	p.ask()
	if p.counter != nil && p.Verdict == NotInductive {
		r, err := p.reach(p.counter, p.failing)
		if err != nil {
			return nil, err
		} else if p.Verdict != Violated { // otherwise the run says more
			p.Failed[slices.IndexFunc(p.Failed, func(f Failure) bool { return f.Before != nil })].Reach = r
		}
	}
	return p.Report, p.export()
}

// sized are the arguments of an instance with n processes.
func (p *proof) sized(n int) []string { return append(slices.Clip(p.args), fmt.Sprintf("n=%d", n)) }

// translate makes the theory and its queries, with the parameters of the smallest instance.
func (p *proof) translate(repeated map[string]bool) error {
	if slices.ContainsFunc(p.args, func(a string) bool { return strings.HasPrefix(a, "n=") }) {
		return usage.Errorf("the proof is for every n: leave this parameter out")
	}
	if !slices.ContainsFunc(p.spec.Loaded().Params, func(q param.Param) bool { return q.Name == "n" }) {
		return &Outside{p.file.Path, `the number of processes is missing: n = param("n", ...)`}
	}
	_, values, err := p.spec.Instantiate(p.sized(2))
	for n := 3; n <= mostCounted+1 && err != nil; n++ {
		if _, more, e := p.spec.Instantiate(p.sized(n)); e == nil {
			values, err = more, nil
		} else if strings.HasPrefix(err.Error(), "n=") {
			err = e
		}
	}
	if err != nil {
		return err
	}
	p.Parameters = map[string]string{}
	for _, kv := range values.List() {
		p.Parameters[kv[0]] = kv[1]
	}
	delete(p.Parameters, "n")
	if c := p.Parameters["copies"]; c != "" && c != "0" {
		return usage.Errorf("copies=%s: the proof does not cover messages that the network copies; leave it "+
			"out", c)
	}
	if p.theory, err = translate(p.file, p.Parameters, repeated, p.opt.without); err != nil {
		return err
	}
	if c := p.Parameters["crashes"]; c != "" && c != "0" && p.theory.fields["dead"] == nil {
		return usage.Errorf("crashes=%s: without notice = ... the proof covers no crashes; leave it out", c)
	}
	for i, number := 0, 1; i < len(p.proposed); number++ {
		name := fmt.Sprintf("proposed-%d", number)
		if !slices.ContainsFunc(p.theory.wanted, func(c *conjunct) bool { return c.name == name }) {
			p.theory.wanted = append(p.theory.wanted, p.proposed[i].conjunct(name))
			i++
		}
	}
	return refused(func() { p.goals = p.theory.goals() })
}

// search searches instances of 2 to max(3, k+1) processes for violations of the invariants, and more until
// there is an instance.
func (p *proof) search() error {
	k, _ := p.theory.model.arg("capacity", -1).(number)
	least := max(3, k.plus+1)
	for n := 2; p.Verdict == "" && (n <= least || len(p.Searched) == 0 && n <= mostCounted+1); n++ {
		if all := p.instances(n); len(all) > 0 {
			if err := p.searchFor(all[0], explore.Options{MaxStates: searchedStates}); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchFor searches an instance for violations of the invariants.
func (p *proof) searchFor(in instance, opt explore.Options) error {
	opt.Workers = p.opt.Workers
	for i, info := range in.Space.Properties() {
		if slices.ContainsFunc(p.theory.wanted, func(c *conjunct) bool { return c.name == info.Name }) {
			opt.Properties = append(opt.Properties, i)
		}
	}
	ctx, cancel := context.WithTimeout(p.ctx, searchTime)
	defer cancel()
	r, err := explore.Run(ctx, in.Instance, opt)
	if err != nil {
		return err
	}
	if r.Verdict == explore.Violated || r.Verdict == explore.ModelError {
		p.Verdict = Verdict(r.Verdict)
	} else if opt.MaxStates == 0 {
		return nil // a shallower search of a larger one in the report
	}
	p.Searched = append(p.Searched, Searched{in.args, r.States, r.Depth, r.Complete, r})
	return nil
}

// copies finds the messages of which two equal ones may be on their way. These may be received again and
// again in the proof; all others are received once.
func (p *proof) copies() error {
	for p.ctx.Err() == nil {
		repeated := maps.Clone(p.theory.repeated)
		open := slices.DeleteFunc(slices.Clone(p.goals), func(g *goal) bool {
			return g.copies == nil || p.theory.unique[g.copies.name]
		})
		p.Queries += len(open)
		for i, a := range p.answers(p.ctx, p.solvers[:1], open, func() {}) {
			if a[0].verdict != unsat {
				repeated[open[i].copies.name] = true
			}
		}
		if len(repeated) == len(p.theory.repeated) {
			return nil
		}
		if err := p.translate(repeated); err != nil {
			return err
		}
	}
	return nil
}

// ask asks all queries, and decides.
func (p *proof) ask() {
	p.Allows, p.Chosen = p.theory.allows, p.theory.chosen
	for i, c := range p.theory.wanted {
		p.Invariants = append(p.Invariants, c.name)
		if k := i + len(p.proposed) - len(p.theory.wanted); k >= 0 {
			p.Proposed = append(p.Proposed, fmt.Sprintf("invariant(%q, %s),", c.name, p.proposed[k].text()))
		}
	}
	p.Queries += len(p.goals)
	done := 0
	answers := p.answers(p.ctx, p.solvers, p.goals, func() {
		if done++; p.opt.Progress != nil {
			p.opt.Progress(done, len(p.goals)*len(p.solvers))
		}
	})
	verdict := Unknown
	for k, s := range p.solvers {
		asked := Asked{Name: s.name, Version: s.version}
		for i, g := range p.goals {
			a := answers[i][k]
			if asked.Seconds += a.elapsed.Seconds(); a.verdict == unsure {
				asked.Unsure++
				p.Open = append(p.Open, fmt.Sprintf("%s: %s: %s", s.name, g.name, a.reason))
			}
		}
		asked.Answered = len(p.goals) - asked.Unsure
		if p.Solvers = append(p.Solvers, asked); asked.Unsure == 0 {
			verdict = Proved
		}
	}
	for i, g := range p.goals {
		k := slices.IndexFunc(answers[i], func(a answer) bool {
			return a.verdict != unsure && (a.verdict == sat) != g.possible
		})
		if k < 0 {
			continue
		}
		p.Failed = append(p.Failed, p.failure(g, p.solvers[k]))
		if verdict != Vacuous {
			verdict = map[bool]Verdict{true: Vacuous, false: NotInductive}[g.possible]
		}
	}
	p.Verdict = cmp.Or(p.Verdict, verdict)
}

// failure describes a query that refutes the proof. The first one that is not too large has a counterexample.
func (p *proof) failure(g *goal, s *solver) Failure {
	f := Failure{Query: g.name}
	if g.step != nil {
		f.Step, f.Where = g.step.name, g.step.at.String()
	}
	if g.conjunct != nil {
		f.Conjunct, f.Where = g.conjunct.name, g.conjunct.at.String()
	}
	if g.copies != nil {
		f.Conjunct = "each " + strings.TrimPrefix(g.copies.name, "msg.") + " once"
	}
	if g.fails == nil || len(p.Failed) > 2 || p.counter != nil {
		return f
	}
	m := p.theory.counterexample(p.ctx, s, g, p.opt.Limit)
	switch {
	case m == nil:
		return f
	case g.step == nil:
		m = m.then(p.theory.start, nil)
	default:
		f.Changes, f.Mover = m.changes(m.then(g.step.after, g.step.changed)), m.mover(g.step)
	}
	f.Before, p.counter, p.failing = m.lines(), m, g
	return f
}

// mover is the process that takes a step, with the message that it receives.
func (m *structure) mover(s *step) string {
	who := process(m.values[key(s.who.op)])
	if s.from == nil {
		return who + " " + s.name
	}
	from := m.values[key(s.from.op)]
	if s.message == nil {
		return who + " " + s.name + " of " + process(from)
	}
	value := func(t *term) int { return m.values[key(t.op)] }
	args := mapped(append([]*term{s.from, s.who}, s.fields...), value)
	verb := map[bool]string{true: " loses ", false: " receives "}[strings.HasPrefix(s.name, "loss of ")]
	return who + verb + m.messageText(s.message, args) + " from " + process(from)
}

// export writes the queries, and removes further ones of an earlier proof.
func (p *proof) export() error {
	if p.opt.Dir == "" {
		return nil
	}
	file := func(i int) string { return filepath.Join(p.opt.Dir, fmt.Sprintf("%03d.smt2", i+1)) }
	err := os.MkdirAll(p.opt.Dir, 0o755)
	for i, g := range p.goals {
		want := map[bool]string{true: sat, false: unsat}[g.possible]
		text := "; the proof needs: " + want + "\n" + p.theory.text(g, nil, nil)
		if err == nil {
			err = os.WriteFile(file(i), []byte(text), 0o644)
		}
	}
	for i := len(p.goals); err == nil; i++ {
		if err = os.Remove(file(i)); os.IsNotExist(err) {
			return nil
		}
	}
	return err
}
