// Package prove proves at-most-k for every number of processes and every run. It translates a model in a
// file to first-order logic, and asks solvers whether the invariants of the file, at-most-k among them, hold
// at the start, and whether each step keeps them. The logic is EPR, which is decidable: processes and times
// have orders, variables are relations and functions to times, and there is no arithmetic. See Padon and
// others, Paxos made EPR, 2017.
package prove

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// Options select the solvers and limits of a proof.
type Options struct {
	Solvers []string      // from SolverNames
	Limit   time.Duration // of a query
	Workers int           // 0: as many as processors
	Dir     string        // for the queries in SMT-LIB; "": they are not written
	File    *syntax.File  // the model's text
	// Progress, if not nil, is called after each query, by one goroutine at a time.
	Progress func(done, all int)
	// without is the name of an invariant that is left out, in tests.
	without string
	states  int64 // bound of each search; 0: searchedStates
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
	// Vacuous means that the invariants contradict each other, or that a step never happens.
	Vacuous Verdict = "vacuous"
	// Unknown means that no solver has answered all queries.
	Unknown Verdict = "unknown"
)

// A Report is the result of a proof.
type Report struct {
	Verdict    Verdict
	Parameters map[string]string
	Safety     []string // what was to be proved
	Conjuncts  []string // the invariants, with Safety
	Queries    int
	Solvers    []SolverReport
	// Allows are sentences that say what the proof allows more than the model.
	Allows   []string
	Searched []Searched
	Failed   []Failure
	// Open are the queries without an answer, with reasons.
	Open []string
}

// A SolverReport counts the answers of a solver.
type SolverReport struct {
	Name, Version    string
	Answered, Unsure int
	Elapsed          time.Duration // sum over all queries
}

// A Searched is a search of the model for a small number of processes.
type Searched struct {
	Args   []string
	Report *explore.Report
}

// A Failure is a query whose answer refutes the proof.
type Failure struct {
	Query    string
	Conjunct string // "": a step or the invariant is impossible
	Step     string // "": at the start
	Where    string // of the conjunct or the step in the file
	Mover    string // the process that takes the step, with the message that it receives
	// Before is the counterexample to induction, a line for each process, and Changes is the step. Nil: no
	// counterexample was found that is small enough to show.
	Before, Changes []string
}

// The bounds of the searches for small numbers of processes.
const (
	searchedStates = 20000
	searchTime     = 20 * time.Second
	mostSearched   = 4 // processes
)

// Run proves the invariants of a model in a file. args set its parameters other than the number of processes.
func Run(ctx context.Context, spec *model.Spec, args []string, opt Options) (*Report, error) {
	p := &proof{ctx: ctx, spec: spec, args: args, opt: opt, report: &Report{}}
	for _, name := range opt.Solvers {
		s, err := findSolver(ctx, name)
		if err != nil {
			return nil, err
		}
		p.solvers = append(p.solvers, s)
	}
	if err := p.translate(nil); err != nil {
		return nil, err
	}
	if err := p.search(); err != nil || p.report.Verdict == Violated {
		return p.report, err
	}
	if err := p.copies(); err != nil {
		return nil, err
	}
	p.ask()
	return p.report, p.export()
}

// A proof is the state of one Run.
type proof struct {
	ctx     context.Context
	spec    *model.Spec
	args    []string
	opt     Options
	solvers []*solver
	theory  *theory
	goals   []*goal
	size    string   // the parameter that is the number of processes
	small   []string // arguments of a small instance
	report  *Report
}

// translate makes the theory and its queries.
func (p *proof) translate(repeated map[string]bool) (err error) {
	if p.size == "" {
		if p.size, err = sizeOf(p.opt.File); err != nil {
			return err
		}
	}
	for _, a := range p.args {
		if strings.HasPrefix(a, p.size+"=") {
			return usage.Errorf("%s: the proof is for every %s; leave this parameter out", a, p.size)
		}
	}
	values, err := p.parameters()
	if err != nil {
		return err
	}
	if p.theory, err = translate(p.opt.File, values, repeated, p.opt.without); err != nil {
		return err
	}
	delete(values, p.size)
	p.report.Parameters = values
	p.goals, err = p.theory.goalsOrRefusal()
	return err
}

// parameters are the values of the parameters of a small instance that the model accepts.
func (p *proof) parameters() (map[string]string, error) {
	var first error
	for n := 2; n <= 16; n++ {
		p.small = append(append([]string{}, p.args...), fmt.Sprintf("%s=%d", p.size, n))
		_, args, err := p.spec.Instantiate(p.small)
		if err != nil {
			first = err
			continue
		}
		values := map[string]string{}
		for _, kv := range args.List() {
			values[kv[0]] = kv[1]
		}
		return values, nil
	}
	return nil, first
}

// search searches small instances for violations of the invariants.
func (p *proof) search() error {
	wanted := map[string]bool{}
	for _, c := range p.theory.wanted {
		wanted[c.name] = true
	}
	most := p.opt.states
	if most == 0 {
		most = searchedStates
	}
	for n := 2; n <= mostSearched; n++ {
		args := append(append([]string{}, p.args...), fmt.Sprintf("%s=%d", p.size, n))
		in, _, err := p.spec.Instantiate(args)
		if err != nil {
			continue // the parameters do not fit so few processes
		}
		var asked []int
		for i, info := range in.Space.Properties() {
			if wanted[info.Name] {
				asked = append(asked, i)
			}
		}
		ctx, cancel := context.WithTimeout(p.ctx, searchTime)
		r, err := explore.Run(ctx, in,
			explore.Options{Properties: asked, MaxStates: most, Workers: p.opt.Workers})
		cancel()
		if err != nil {
			return err
		}
		p.report.Searched = append(p.report.Searched, Searched{args, r})
		if r.Verdict == explore.Violated || r.Verdict == explore.ModelError {
			p.report.Verdict = Violated
			return nil
		}
	}
	return nil
}

// copies finds the messages of which more than one equal may be on its way. These may be received again and
// again in the proof; all others are received once.
func (p *proof) copies() error {
	for p.ctx.Err() == nil {
		var texts []string
		var kinds []*field
		for _, g := range p.goals {
			if g.copies != nil {
				texts, kinds = append(texts, p.theory.text(g, size{}, nil)), append(kinds, g.copies)
			}
		}
		repeated := map[string]bool{}
		for name := range p.theory.repeated {
			repeated[name] = true
		}
		p.report.Queries += len(texts)
		answers := askAll(p.ctx, p.solvers[:1], texts, p.opt.Limit, p.opt.Workers, func(int) {})
		for i, f := range kinds {
			if answers[i][0].verdict != unsat {
				repeated[f.name] = true
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
	r, t := p.report, p.theory
	r.Allows = t.notes
	for _, c := range t.wanted {
		if r.Conjuncts = append(r.Conjuncts, c.name); c.safety {
			r.Safety = append(r.Safety, c.name)
		}
	}
	var texts []string
	for _, g := range p.goals {
		texts = append(texts, t.text(g, size{}, nil))
	}
	r.Queries += len(texts)
	done := 0
	answers := askAll(p.ctx, p.solvers, texts, p.opt.Limit, p.opt.Workers, func(int) {
		if done++; p.opt.Progress != nil {
			p.opt.Progress(done, len(texts)*len(p.solvers))
		}
	})
	proved := false
	for k, s := range p.solvers {
		sr := SolverReport{Name: s.name, Version: s.version}
		for i, g := range p.goals {
			a := answers[i][k]
			if sr.Elapsed += a.elapsed; a.verdict == unsure {
				sr.Unsure++
				r.Open = append(r.Open, fmt.Sprintf("%s: %s: %s", s.name, g.name, a.reason))
			} else {
				sr.Answered++
			}
		}
		proved = proved || sr.Unsure == 0
		r.Solvers = append(r.Solvers, sr)
	}
	r.Verdict = Unknown
	if proved {
		r.Verdict = Proved
	}
	p.decide(answers)
}

// decide finds the queries that refute the proof, and the first one's counterexample.
func (p *proof) decide(answers [][]answer) {
	r := p.report
	for i, g := range p.goals {
		for k, a := range answers[i] {
			if a.verdict == unsure || (a.verdict == sat) == g.possible {
				continue
			}
			if g.possible {
				r.Verdict = Vacuous
			} else if r.Verdict != Vacuous {
				r.Verdict = NotInductive
			}
			r.Failed = append(r.Failed, p.failure(g, p.solvers[k], len(r.Failed) == 0))
			break
		}
	}
}

// failure describes a query that refutes the proof, with a counterexample if it is to be shown.
func (p *proof) failure(g *goal, s *solver, shown bool) Failure {
	f := Failure{Query: g.name}
	if g.conjunct != nil {
		f.Conjunct, f.Where = g.conjunct.name, g.conjunct.at.String()
	}
	if g.step != nil {
		f.Step = g.step.name
		if g.conjunct == nil {
			f.Where = g.step.at.String()
		}
	}
	if g.possible || !shown || p.ctx.Err() != nil {
		return f
	}
	m := p.theory.counterexample(p.ctx, s, g, p.opt.Limit)
	if m == nil {
		return f
	}
	if g.step == nil {
		f.Before = m.then(p.theory, g.after).lines(p.theory)
		return f
	}
	f.Before = m.lines(p.theory)
	f.Changes = m.changes(p.theory, m.then(p.theory, g.after))
	f.Mover = p.mover(g.step, m)
	return f
}

// mover is the process that takes a step, with the message that it receives.
func (p *proof) mover(s *step, m *structure) string {
	value := func(t *term) int { return m.values[key(t.op, []int{})] }
	who := p.theory.process(value(s.who))
	if s.message == nil {
		return who + " " + s.name
	}
	var args []int
	for _, t := range s.fields {
		args = append(args, value(t))
	}
	verb := " receives "
	if strings.HasPrefix(s.name, "loss of ") {
		verb = " loses "
	}
	name := strings.TrimPrefix(s.message.name, "msg.")
	return who + verb + p.theory.messageText(name, s.message.args[2:], args) + " from " +
		p.theory.process(value(s.from))
}

// export writes the queries.
func (p *proof) export() error {
	if p.opt.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(p.opt.Dir, 0o755); err != nil {
		return err
	}
	for i, g := range p.goals {
		want := unsat
		if g.possible {
			want = sat
		}
		text := "; the proof needs: " + want + "\n" + p.theory.text(g, size{}, nil)
		name := filepath.Join(p.opt.Dir, fmt.Sprintf("%03d.smt2", i+1))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
