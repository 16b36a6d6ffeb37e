package prove

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	starfile "github.com/atmostk/atmostk/model/starlark"
)

// TestSeparateFindsSmallestSet compares with all sets of at most four of eight atoms.
func TestSeparateFindsSmallestSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		c := &template{met: map[uint64]bool{}}
		for range 1 + random.IntN(40) {
			c.met[uint64(random.IntN(256))] = true
		}
		v := uint64(random.IntN(256))
		least := 9
		for set := range uint64(256) {
			apart := true
			for met := range c.met {
				apart = apart && (met^v)&set != 0
			}
			if n := bits.OnesCount64(set); apart && n <= mostAtoms {
				least = min(least, n)
			}
		}
		set, is := c.separate(v)
		if is != (least < 9) || is && bits.OnesCount64(set) != least {
			t.Fatalf("%v of %08b: %08b, %v, want %d atoms", c.met, v, set, is, least)
		}
	}
}

// theoryOf is the theory of a text.
func theoryOf(t *testing.T, text string, args map[string]string) *theory {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.star")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	parsed, err := starfile.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	th, err := translate(parsed, args, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// TestProposalsMeanWhatTheyExclude: in random states the text of a proposal, translated, holds if and only if
// no values of the variables give its atoms the truth values that it excludes. Some have no atoms.
func TestProposalsMeanWhatTheyExclude(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"raymond-sets", "ricart-agrawala", "token-lock"} {
		args := map[string]string{"n": "3", "k": "1", "order": "total", "mistake": "no"}
		th := theoryOf(t, specText(t, name), args)
		forms := th.templates()
		th.bind(forms)
		holds := 0
		for range 60 {
			values := map[string]int{"first": 0, "time.0": 0}
			m := &structure{th, size{boolean: 2, node: 2, instant: 3}, values}
			for _, f := range th.order {
				m.tuples(f.args, nil, func(args []int) {
					if v := random.IntN(m.size[f.sort]); f.sort == instant || random.IntN(2) == 0 {
						m.values[key(f.name, args...)] = v
					}
				})
			}
			c := forms[random.IntN(len(forms))]
			first, second := random.IntN(len(c.atoms)), random.IntN(len(c.atoms))
			p := &proposal{c, random.Uint64(), (1<<first | 1<<second) * uint64(min(1, random.IntN(8)))}
			want := true
			m.vectors(c, func(v uint64) { want = want && (v^p.v)&p.atoms != 0 })
			if m.holds(p.conjunct("x").holds(th, th.before())) != want {
				t.Errorf("%s: %s in\n%s", name, p.text(), strings.Join(m.lines(), "\n"))
			}
			holds += bit(want)
		}
		if holds == 0 || holds == 60 {
			t.Errorf("%s: %d of 60 hold", name, holds)
		}
	}
}

// TestInterruptedProposal: what has been found so far is reported, and nothing is proved.
func TestInterruptedProposal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fake(t, "echo unsat")
	p := prepared(t, ctx, tokenModel, "")
	opt := Options{Solvers: []string{"z3"}, Limit: time.Minute, Propose: true}
	r, err := Run(ctx, p.spec, p.file, nil, opt)
	if err != nil || r.Verdict != Unknown || r.Proposed != nil ||
		!strings.HasPrefix(r.Open[0], "proposals: cut off") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestProposalsHaveNewNames: a file may hold some lines of an earlier proposal.
func TestProposalsHaveNewNames(t *testing.T) {
	p := prepared(t, t.Context(), changed(t, tokenModel, `"no-other"`, `"proposed-2"`), "")
	form := p.theory.templates()[0]
	p.proposed = []*proposal{{form, 0, 1}, {form, 0, 2}, {form, 0, 4}}
	if err := p.translate(nil); err != nil {
		t.Fatal(err)
	}
	names := mapped(p.theory.wanted[5:], func(c *conjunct) string { return c.name })
	if strings.Join(names, " ") != "proposed-1 proposed-3 proposed-4" {
		t.Error(names)
	}
}

// withoutConjuncts is a model of specs/files without its invariants.
func withoutConjuncts(t *testing.T, name, from string) string {
	t.Helper()
	text := regexp.MustCompile("(?m)^        invariant.*\n").ReplaceAllString(specText(t, name), "")
	begin, end := strings.Index(text, from), strings.Index(text, "\nprocesses(")
	return text[:begin] + text[end:]
}

// TestProposedLinesProve: with the proposed lines in the file, the lock with a token is proved.
func TestProposedLinesProve(t *testing.T) {
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		t.Skip("ATMOSTK_SWEEP is not set")
	}
	text, opt := withoutConjuncts(t, "token-lock", "def one_holder"), z3(t)
	opt.Propose = true
	r, err := proofOf(t, text, nil, opt)
	if err != nil || r.Verdict != Proved || len(r.Proposed) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	lines := "at_most(1),\n" + strings.Join(r.Proposed, "\n")
	r, err = proofOf(t, changed(t, text, "at_most(1),", lines), nil, z3(t))
	if err != nil || r.Verdict != Proved {
		t.Errorf("%+v, %v", r, err)
	}
}
