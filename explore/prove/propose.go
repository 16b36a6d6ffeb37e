package prove

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/lts"
)

// A proposal is a conjunct that excludes a counterexample to induction: for all values of the variables of a
// template, one of some atoms has another truth value than in v. Atoms are bits.
type proposal struct {
	of       *template
	v, atoms uint64
}

// Bounds: the atoms of a proposal, and the states of an instance that proposals have to fulfil.
const mostAtoms, mostFiltered = 4, 8000

// propose adds conjuncts until all queries have the answer that the proof needs, or until no form of conjunct
// excludes a counterexample. Then it leaves out what is not needed.
func (p *proof) propose() error {
	ctx, cancel := context.WithTimeout(p.ctx, 20*p.opt.Limit)
	defer cancel()
	forms := p.theory.templates()
	if err := refused(func() { p.theory.bind(forms) }); err != nil {
		return err
	}
	for n := fewest; n <= mostSearched; n++ {
		for i, in := range p.instances(n) {
			left := mostFiltered
			if n == mostSearched && i > 0 {
				break // four processes with two requests each are too many
			}
			explored(ctx, in.Plain, func(s lts.State) bool {
				m := p.theory.read(s.Vars(), n)
				for _, c := range forms {
					m.vectors(c, func(v uint64) { c.met[v] = true })
				}
				left--
				return left > 0
			})
		}
	}
	p.theory.repeated = map[string]bool{} // until a counterexample shows that two equal messages exist
	done := map[string]bool{}
	g, err := p.unproved(ctx, done)
	for g != nil && err == nil && p.strengthen(ctx, g, forms, done) {
		g, err = p.unproved(ctx, done)
	}
	for i := 0; g == nil && err == nil && i < len(p.proposed); {
		all := p.proposed
		p.proposed = slices.Delete(slices.Clone(all), i, i+1)
		if needed, _ := p.unproved(ctx, map[string]bool{}); needed != nil {
			p.proposed, i = all, i+1
		}
	}
	if ctx.Err() != nil {
		p.Open = append(p.Open, "proposals: cut off, so that some may be missing, and some not needed")
	}
	if err == nil {
		err = p.translate(p.theory.repeated)
	}
	return err
}

// unproved asks the queries that are not done, and returns one that lacks the answer that the proof needs;
// nil: all have it. Queries about equal messages come last.
func (p *proof) unproved(ctx context.Context, done map[string]bool) (*goal, error) {
	if err := p.translate(p.theory.repeated); err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(p.goals), func(g *goal) bool { return g.possible || done[g.name] })
	slices.SortStableFunc(open, func(a, b *goal) int { return bit(a.copies != nil) - bit(b.copies != nil) })
	for some := range slices.Chunk(open, max(1, p.opt.Workers)) {
		for i, a := range p.answers(ctx, p.solvers[:1], some, func() {}) {
			if a[0].verdict != unsat {
				return some[i], nil
			}
			done[some[i].name] = true
		}
		if p.opt.Progress != nil {
			p.opt.Progress(len(done), len(p.goals))
		}
	}
	return nil, nil
}

// strengthen excludes a counterexample to a query by one more conjunct. If it finds none, it weakens a
// proposed conjunct that the counterexample violates, or lets two equal messages be on their way.
func (p *proof) strengthen(ctx context.Context, g *goal, forms []*template, done map[string]bool) bool {
	m := p.theory.counterexample(ctx, p.solvers[0], g, p.opt.Limit)
	if m == nil {
		return false
	}
	var best *proposal
	for _, c := range forms {
		m.vectors(c, func(v uint64) {
			atoms, is := c.separate(v)
			if is && (best == nil || bits.OnesCount64(atoms) < bits.OnesCount64(best.atoms)) {
				best = &proposal{c, v, atoms}
			}
		})
	}
	if best != nil {
		p.proposed = append(p.proposed, best)
		return true
	}
	clear(done)
	if g.copies != nil && !p.theory.unique[g.copies.name] {
		p.theory.repeated[g.copies.name] = true
		return true
	}
	next := m.then(p.theory.start, nil)
	if g.step != nil {
		next = m.then(g.step.after, g.step.changed)
	}
	i := slices.IndexFunc(p.theory.wanted, func(c *conjunct) bool {
		return !next.holds(c.holds(p.theory, p.theory.before()))
	}) - len(p.theory.wanted) + len(p.proposed)
	if i < 0 {
		return false
	}
	weak := p.proposed[i]
	next.vectors(weak.of, func(v uint64) { weak.of.met[v] = true })
	p.proposed = slices.Delete(p.proposed, i, i+1)
	if atoms, is := weak.of.separate(weak.v); is {
		p.proposed = slices.Insert(p.proposed, i, &proposal{weak.of, weak.v, atoms})
	}
	return true
}

// text is a proposal as text for the file, without its name. With no atoms it says that no values exist.
func (c *proposal) text() string {
	var words []string
	for i, a := range c.of.atoms {
		negated := strings.NewReplacer(" == ", " != ", " in ", " not in ").Replace(a)
		switch {
		case c.atoms>>i&1 == 0:
		case c.v>>i&1 == 0:
			words = append(words, a)
		case negated != a:
			words = append(words, negated)
		default:
			words = append(words, "not "+a)
		}
	}
	return "lambda g: all([" + cmp.Or(strings.Join(words, " or "), "False") + " " + c.of.loops + "])"
}

func (c *proposal) conjunct(name string) *conjunct {
	x := expression(c.text())
	return &conjunct{name, position(x), func(t *theory, now state) *term {
		e := t.evaluation(now)
		return e.ask(e.eval(x).(*function), global{})
	}}
}

// expression parses a text that this program has made.
func expression(text string) syntax.Expr {
	x, err := (&syntax.FileOptions{}).ParseExpr("proposed", text, 0)
	if err != nil {
		panic(err)
	}
	return x
}
