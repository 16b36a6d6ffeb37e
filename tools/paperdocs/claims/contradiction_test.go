package claims

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
)

// TestClaimsAgreeWithTables fails where a verdict or statement is contradicted by its rows or by the tables,
// where no answer to a row is kept, and where a claim has no ruling.
func TestClaimsAgreeWithTables(t *testing.T) {
	for _, p := range all(t) {
		for _, row := range p.Instances {
			for property, why := range row.moot {
				if violated, _ := row.violates(property); violated {
					t.Errorf("%s %s violates %s, though %s", row.spec, row.Args, property, why)
				}
			}
		}
		for _, wrong := range p.contradictions() {
			t.Errorf("%s: %s", p.Name, wrong)
		}
		for _, c := range p.Claims {
			if c.Ruling == "" {
				t.Errorf("%s: %s has no ruling", p.Name, c.Name)
			}
			for _, row := range c.Rows {
				if row.Kept == nil {
					t.Errorf("%s: of %s, row %d, no finding is kept", p.Name, c.Name, row.Number)
				}
			}
		}
	}
}

// TestTraceNames: the kept counterexamples are files of a Go module, whose names may have letters,
// digits and few other characters, whatever the values of the parameters are.
func TestTraceNames(t *testing.T) {
	for _, p := range all(t) {
		for _, c := range p.Claims {
			for _, r := range c.Rows {
				if name := r.traceName(); strings.Trim(strings.ToLower(name),
					"abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
					t.Errorf("%s: %q is no name of a file", p.Name, name)
				}
			}
		}
	}
}

// TestContradictionsAreFound adds contradictions to a paper; each has to be found.
func TestContradictionsAreFound(t *testing.T) {
	cases := []struct {
		name  string
		claim Claim
		want  string
		found Finding // zero: it holds
	}{
		{
			name: "a claim that fails for another size",
			claim: Claim{Name: "wrong", Ruling: Stands, Rows: []*Row{
				{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "min-k"},
			}},
			want: "wrong, row 1: min-k is said: holds; but in the tables: ring-recovery n=4 f=3 " +
				"min-k=3: min-k is -8",
		},
		{
			name: "a repair that fails for another size",
			claim: Claim{Name: "wrong", Rows: []*Row{
				{Spec: "ring-recovery", Args: "n=3 f=1 repair=drop", Property: "one-token",
					Aside: Repaired},
			}},
			want: "wrong, row 1: one-token is said: holds; but in the tables: ring-recovery n=3 f=2 " +
				"repair=drop: one-token is -23",
		},
		{
			name: "a sentence about the tables",
			claim: Claim{Name: "wrong", Statements: []*Statement{{
				Says: "Scheme 1 was never unsafe.", Spec: "ring-recovery",
				Where:      "scheme=1 repair=none after-election=keep token-time=own",
				Properties: "mutual-exclusion", Verdict: Everywhere,
			}}},
			want: `wrong: "Scheme 1 was never unsafe." is refuted: ring-recovery scheme=1 n=2 f=2 rounds=2 repair=none: mutual-exclusion is -47`,
		},
		{
			name: "a sentence that no instance can violate",
			claim: Claim{Name: "wrong", Statements: []*Statement{{
				Says: "None is safe.", Spec: "ring-recovery", Where: "rounds=0",
				Properties: "mutual-exclusion", Verdict: Everywhere,
			}}},
			want: `wrong: "None is safe." is refuted: no algorithm violates mutual-exclusion in any of the instances`,
		},
		{
			name: "a verdict on a property that cannot fail",
			claim: Claim{Name: "wrong", Ruling: Stands, Rows: []*Row{
				{Spec: "ring-basic", Args: "n=2 rounds=1,0", Property: "mutual-exclusion"},
			}},
			want: `wrong: "holds", but no algorithm violates any of its rows`,
		},
		{
			name: "a sentence about instances outside the tables",
			claim: Claim{Name: "wrong", Statements: []*Statement{{
				Says: "Nine are safe.", Spec: "ring-recovery", Where: "n=9", Properties: "mutual-exclusion",
				Verdict: Everywhere,
			}}},
			want: `wrong: "Nine are safe." is refuted: no instance of the tables that was explored to the end is meant`,
		},
		{
			name: "a verdict on the same instance",
			claim: Claim{Name: "wrong", Rows: []*Row{
				{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 rounds=2", Property: "mutual-exclusion"},
			}},
			want: "wrong, row 1: mutual-exclusion is said: holds; but in the tables: ring-recovery " +
				"scheme=1 n=2 f=2 rounds=2 repair=none: mutual-exclusion is -47",
		},
		{
			name: "a ruling that the rows refute",
			claim: Claim{Name: "wrong", Ruling: False, Rows: []*Row{
				{Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion"},
			}},
			want: `wrong: "false", but no row of the claim is violated`,
		},
		{
			name: "a mistake of the model",
			claim: Claim{Name: "wrong", Rows: []*Row{
				{Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion"},
			}},
			found: Finding{Verdict: "model error", Detail: "an index is out of range"},
			want:  "wrong, row 1: the model itself is at fault: an index is out of range",
		},
	}
	p := open(t, "ring")
	own := p.Claims
	was := len(p.contradictions())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for i, row := range c.claim.Rows { // as an author would write it
				row.claim, row.Number = &c.claim, i+1
				if err := row.open(root); err != nil {
					t.Fatal(err)
				}
				row.Kept = &c.found
				if c.found == (Finding{}) {
					row.Kept = &Finding{Verdict: holds, Explored: complete}
				}
			}
			p.Claims = append(slices.Clip(own), &c.claim)
			found := p.contradictions()
			if !slices.Contains(found, c.want) {
				t.Errorf("found:\n%s\nwithout:\n%s", strings.Join(found, "\n"), c.want)
			}
			if len(found) <= was {
				t.Errorf("%d contradictions, as without it", len(found))
			}
		})
	}
}

// contradictions are the statements and verdicts that rows or tables refute: for the same instance, or for
// the same reading and property.
func (p *Paper) contradictions() (wrong []string) {
	add := func(place string, why ...string) {
		for _, w := range why {
			wrong = append(wrong, place+": "+w)
		}
	}
	for _, c := range p.Claims {
		add(c.Name, c.unruled()...)
		for _, row := range c.Rows {
			add(fmt.Sprintf("%s, row %d", c.Name, row.Number), p.refuted(row)...)
		}
		for _, s := range c.Statements {
			add(fmt.Sprintf("%s: %q is refuted", c.Name, s.Says), p.Tally(s).refuted...)
		}
		add(c.Name, overstated(c.Text, c.Because)...)
	}
	return wrong
}

// unruled are the reasons why the ruling of a claim does not fit its rows.
func (c *Claim) unruled() (wrong []string) {
	own := c.sum()
	needs := func(ok bool, why string) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%q, %s", c.Ruling, why))
		}
	}
	switch demanded[c.Ruling] {
	case violated:
		needs(own == violated, "but no row of the claim is violated")
	case "not violated":
		needs(own != violated, "but a row of the claim itself is violated")
	}
	switch c.Ruling {
	case "", False, Gap: // nothing more is needed
	case Stands:
		needs(own == holds, "but the rows of the claim say: "+own)
		needs(slices.ContainsFunc(c.Rows, func(r *Row) bool { return r.Aside == "" && r.vacuous() == "" }),
			"but no algorithm violates any of its rows")
	case FalseUnder:
		needs(len(c.Readings) > 0 || c.Because != "", "but no reading is named")
	case Misprint, Outside, Quoted, NotJudged:
		needs(c.Because != "", "but no reason is given")
	case Simulated:
		for _, r := range c.Rows {
			needs(r.Experiment != "", fmt.Sprintf("but row %d has no experiment", r.Number))
		}
		needs(len(c.Rows) > 0, "but there is no row")
	default:
		needs(false, "which is not a ruling")
	}
	for _, reading := range c.Readings {
		needs(c.fails(reading), "but no row with "+reading+" is violated")
	}
	return wrong
}

// fails reports whether a row of the claim itself in the reading is violated.
func (c *Claim) fails(reading string) bool {
	return slices.ContainsFunc(c.Rows, func(r *Row) bool {
		if !r.Searches() || r.Aside != "" || !r.is(violated) {
			return false
		}
		meant, err := cond.All(r.Values, reading)
		return meant && err == nil
	})
}

// refuted are the rows of the tables that contradict a row of a claim: of the same instance in any case;
// and of the same reading and property in other sizes within the claim's assumptions, if the row supports a
// claim that stands or a repair.
func (p *Paper) refuted(row *Row) (wrong []string) {
	f, c := row.finding(), row.claim
	if !row.Searches() || f == nil || f.Verdict == unknown {
		return nil
	}
	if f.Verdict == modelError {
		return []string{"the model itself is at fault: " + f.Detail}
	}
	general := f.Verdict == holds && (row.Aside == Repaired ||
		row.Aside == "" && (c.Ruling == Stands || c.Ruling == Outside))
	for _, t := range p.Instances {
		is, known := t.violates(row.Property)
		if t.spec != row.Spec || !known {
			continue
		}
		same := maps.Equal(t.values, row.Values)
		if !same && (!general || !p.sameReading(t.values, row.Values)) {
			continue
		}
		if within, err := cond.All(t.values, c.Within+" "+row.Within); err != nil {
			return []string{err.Error()}
		} else if !same && !within {
			continue
		}
		mark := t.Mark(row.Property)
		found := fmt.Sprintf("%s %s: %s is %s", t.spec, t.Args, row.Property, mark)
		switch {
		case is != row.is(violated):
			wrong = append(wrong,
				fmt.Sprintf("%s is said: %s; but in the tables: %s", row.Property, f.Verdict, found))
		case same && is && f.Length > 0 && mark != fmt.Sprintf("-%d", f.Length):
			wrong = append(wrong,
				fmt.Sprintf("a counterexample of %d steps; but in the tables: %s", f.Length, found))
		}
	}
	return wrong
}

// universal are words about all instances. Prose is not tested, so only statements may have them.
var universal = regexp.MustCompile(
	`(?i)explored to the end|not seen to fail|(in|at) (every|all) (instance|size)s?|` +
		`at (all|the) sizes|in the tables|every (property|instance)|all properties`,
)

// overstated are the sentences in prose that only a statement may say.
func overstated(prose ...string) (wrong []string) {
	for _, text := range prose {
		for _, words := range universal.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
			wrong = append(wrong,
				fmt.Sprintf("prose says %q, which only a statement may: that is tested", words))
		}
	}
	return wrong
}

// sameReading reports whether two instances differ in sizes only.
func (p *Paper) sameReading(a, b map[string]cond.Value) bool {
	for key, value := range a {
		if b[key] != value && !slices.Contains(p.Sizes, key) {
			return false
		}
	}
	return true
}
