package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/atmostk/atmostk/cmd/internal/models"
	kept "github.com/atmostk/atmostk/docs/claims"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/specs"
)

// reviewed returns what is kept of a paper.
func reviewed(t *testing.T, p *papers.Paper) *review {
	t.Helper()
	a := &app{Program: Program{Set: models.Set{Specs: specs.All}}.complete()}
	j, err := a.review(p, kept.Files)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// pages are what is kept of all papers, read once: that builds an instance for each row of the tables.
var pages = sync.OnceValues(func() ([]*review, error) {
	a := &app{Program: Program{Set: models.Set{Specs: specs.All}}.complete()}
	var all []*review
	for _, p := range a.papers() {
		j, err := a.review(p, kept.Files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		all = append(all, j)
	}
	return all, nil
})

// paperOf returns the paper of the given name, with claims of its own that may be changed.
func paperOf(t *testing.T, name string) *papers.Paper {
	t.Helper()
	a := &app{Program: Program{Set: models.Set{Specs: specs.All}}.complete()}
	p, err := a.paper(name)
	if err != nil {
		t.Fatal(err)
	}
	mine := *p.Open()
	mine.Claims = slices.Clone(p.Claims)
	return &mine
}

// TestPagesAgreeWithTables fails where a page's verdict or sentence is contradicted by its
// rows or by the tables, where nothing is kept of a row, and where a claim has no ruling.
func TestPagesAgreeWithTables(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range all {
		p := j.paper
		for _, row := range j.tabled {
			for property, why := range row.trivial {
				if violated, _ := row.violates(property); violated {
					t.Errorf("%s %s violates %s, though %s", row.spec, row.args, property, why)
				}
			}
		}
		for _, wrong := range j.contradictions() {
			t.Errorf("%s: %s", p.Name, wrong)
		}
		for i := range j.claims {
			c := &j.claims[i]
			if c.Ruling == "" {
				t.Errorf("%s: %s has no ruling", p.Name, c.Name)
			}
			for k := range c.rows {
				if c.rows[k].finding() == nil {
					t.Errorf("%s: of %s, row %d, no finding is kept", p.Name, c.Name, c.rows[k].number)
				}
			}
		}
	}
}

// TestTraceNames: the kept counterexamples are files of a Go module, whose names may have letters,
// digits and few other characters, whatever the values of the parameters are.
func TestTraceNames(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range all {
		for i := range j.claims {
			for _, r := range j.claims[i].rows {
				if name := r.trace(); strings.Trim(strings.ToLower(name),
					"abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
					t.Errorf("%s: %q is no name of a file", j.paper.Name, name)
				}
			}
		}
	}
}

// TestContradictionsAreCaught puts contradictions into a page, each of which has to be found.
func TestContradictionsAreCaught(t *testing.T) {
	cases := []struct {
		name  string
		claim papers.Claim
		want  string
		found papers.Finding // zero: it holds
	}{
		{
			name: "a claim that fails for another size",
			claim: papers.Claim{Name: "wrong", Ruling: papers.Stands, Trials: []papers.Trial{
				{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "min-k"},
			}},
			want: "wrong, row 1: min-k is said: holds; but in the tables: ring-recovery n=4 f=3 " +
				"min-k=3: min-k is -8",
		},
		{
			name: "a repair that fails for another size",
			claim: papers.Claim{Name: "wrong", Trials: []papers.Trial{
				{Spec: "ring-recovery", Args: "n=3 f=1 repair=drop", Property: "one-token",
					Aside: papers.Repaired},
			}},
			want: "wrong, row 1: one-token is said: holds; but in the tables: ring-recovery n=3 f=2 " +
				"repair=drop: one-token is -23",
		},
		{
			name: "a sentence about the tables",
			claim: papers.Claim{Name: "wrong", Statements: []papers.Statement{{
				Says: "Scheme 1 was never unsafe.", Spec: "ring-recovery",
				Where:      "scheme=1 repair=none after-election=keep token-time=own",
				Properties: "mutual-exclusion", Verdict: papers.Everywhere,
			}}},
			want: `wrong: "Scheme 1 was never unsafe." is refuted: ring-recovery scheme=1 n=2 f=2 rounds=2 repair=none: mutual-exclusion is -47`,
		},
		{
			name: "a sentence of which no instance can fail",
			claim: papers.Claim{Name: "wrong", Statements: []papers.Statement{{
				Says: "None is safe.", Spec: "ring-recovery", Where: "rounds=0",
				Properties: "mutual-exclusion", Verdict: papers.Everywhere,
			}}},
			want: `wrong: "None is safe." is refuted: no algorithm violates mutual-exclusion in any of the instances`,
		},
		{
			name: "a verdict on what cannot fail",
			claim: papers.Claim{Name: "wrong", Ruling: papers.Stands, Trials: []papers.Trial{
				{Spec: "ring-basic", Args: "n=2 rounds=1,0", Property: "mutual-exclusion"},
			}},
			want: `wrong: "holds", but no algorithm violates any of its rows`,
		},
		{
			name: "a sentence about what is not in the tables",
			claim: papers.Claim{Name: "wrong", Statements: []papers.Statement{{
				Says: "Nine are safe.", Spec: "ring-recovery", Where: "n=9", Properties: "mutual-exclusion",
				Verdict: papers.Everywhere,
			}}},
			want: `wrong: "Nine are safe." is refuted: no instance of the tables that was explored to the end is meant`,
		},
		{
			name: "a verdict on the same instance",
			claim: papers.Claim{Name: "wrong", Trials: []papers.Trial{
				{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 rounds=2", Property: "mutual-exclusion"},
			}},
			want: "wrong, row 1: mutual-exclusion is said: holds; but in the tables: ring-recovery " +
				"scheme=1 n=2 f=2 rounds=2 repair=none: mutual-exclusion is -47",
		},
		{
			name: "a ruling that the rows refute",
			claim: papers.Claim{Name: "wrong", Ruling: papers.Erroneous, Trials: []papers.Trial{
				{Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion"},
			}},
			want: `wrong: "error", but no row of the claim is violated`,
		},
		{
			name:  "prose",
			claim: papers.Claim{Name: "wrong", Account: "Every instance was explored\nto the end."},
			want:  `wrong: prose says "explored to the end", which only a statement may: that is tested`,
		},
		{
			name: "a mistake of the model",
			claim: papers.Claim{Name: "wrong", Trials: []papers.Trial{
				{Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion"},
			}},
			found: papers.Finding{Verdict: "model error", Detail: "an index is out of range"},
			want:  "wrong, row 1: the model itself is at fault: an index is out of range",
		},
	}
	p := paperOf(t, "ring")
	own := len(p.Claims)
	for _, c := range cases {
		p.Claims = append(p.Claims, c.claim)
	}
	all := reviewed(t, p)
	page := *all
	page.claims = all.claims[:own:own]
	was := len(page.contradictions())
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wrong := all.claims[own+i]
			for k := range wrong.rows { // as somebody would have written it
				holds := papers.Finding{Verdict: "holds", Explored: complete}
				wrong.rows[k].kept = &keptRow{Finding: cmp.Or(c.found, holds)}
			}
			page.claims = append(slices.Clip(all.claims[:own]), wrong)
			found := page.contradictions()
			if !slices.Contains(found, c.want) {
				t.Errorf("found:\n%s\nwithout:\n%s", strings.Join(found, "\n"), c.want)
			}
			if len(found) <= was {
				t.Errorf("%d contradictions, as without it", len(found))
			}
		})
	}
}

// TestConditions checks the little language of Statement.Where.
func TestConditions(t *testing.T) {
	values := map[string]string{"n": "4", "f": "2", "min-k": "2", "list": "auto"}
	for where, want := range map[string]bool{
		"": true, "n=4": true, "n=3": false, "n=3/4": true, "list!=auto/literal": false, "f<n": true,
		"f<=n-min-k": true, "f<n-min-k": false, "n>=min-k+f list=auto": true, "n>4": false,
	} {
		if got, err := meets(values, where); err != nil || got != want {
			t.Errorf("%q: %v, %v", where, got, err)
		}
	}
	for _, where := range []string{"n", "m=3", "f<m", "f<n*2", "f<n-", "list<3", "f<"} {
		if _, err := meets(values, where); err == nil {
			t.Errorf("%q is accepted", where)
		}
	}
}
