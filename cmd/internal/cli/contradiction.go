//go:build !js

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/papers"
)

// contradictions are the sentences and verdicts of a page that its rows, or the tables,
// refute: for the same instance, or for the same reading and property. None is good.
func (j *review) contradictions() (wrong []string) {
	for i := range j.claims {
		c := &j.claims[i]
		for _, why := range c.unruled() {
			wrong = append(wrong, c.Name+": "+why)
		}
		for k := range c.rows {
			for _, why := range j.refuted(c, &c.rows[k]) {
				wrong = append(wrong, fmt.Sprintf("%s, row %d: %s", c.Name, c.rows[k].number, why))
			}
		}
		for k := range c.Statements {
			for _, why := range j.tally(&c.Statements[k]).refuted {
				wrong = append(wrong, fmt.Sprintf("%s: %q is refuted: %s", c.Name, c.Statements[k].Says, why))
			}
		}
		for _, why := range overstated(c.Text, c.Account, c.Repair, c.Because) {
			wrong = append(wrong, c.Name+": "+why)
		}
	}
	for _, why := range overstated(j.paper.Intro) {
		wrong = append(wrong, "introduction: "+why)
	}
	return wrong
}

// unruled are the reasons why the ruling of a claim does not go with its rows.
func (c *judged) unruled() (wrong []string) {
	own := c.verdict()
	needs := func(ok bool, why string) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%q, %s", c.Ruling, why))
		}
	}
	switch c.Ruling {
	case "":
		return nil // not ruled on yet
	case papers.Stands:
		needs(own == string(explore.Holds), "but the rows of the claim say: "+own)
		evidence := func(r claimRow) bool { return r.Aside == "" && r.vacuous() == "" }
		needs(slices.ContainsFunc(c.rows, evidence),
			"but no algorithm violates any of its rows")
	case papers.Erroneous, papers.ErroneousUnder:
		needs(own == string(explore.Violated), "but no row of the claim is violated")
		needs(c.Ruling == papers.Erroneous || len(c.Readings) > 0, "but no reading is named")
		for _, reading := range c.Readings {
			needs(c.fails(reading), "but no row with "+reading+" is violated")
		}
	case papers.Slip:
		needs(own == string(explore.Violated), "but no row of the claim is violated")
		needs(c.Because != "", "but it is not said where the text says otherwise")
	case papers.Outside:
		needs(own != string(explore.Violated), "but a row of the claim itself is violated")
		needs(c.Because != "", "but no assumption is named")
	case papers.Quoted:
		needs(c.Because != "", "but the other paper is not named")
	case papers.Simulated:
		for i := range c.rows {
			needs(c.rows[i].Experiment != "", fmt.Sprintf("but row %d is none of an experiment",
				c.rows[i].number))
		}
		needs(len(c.rows) > 0, "but there is no row")
	case papers.NotJudged:
		needs(own != string(explore.Violated), "but a row of the claim is violated")
		needs(c.Because != "", "but no reason is given")
	default:
		needs(false, "which is none of the words")
	}
	return wrong
}

// fails reports whether a row of the claim itself in the reading is violated.
func (c *judged) fails(reading string) bool {
	return slices.ContainsFunc(c.rows, func(r claimRow) bool {
		if !r.Searches() || r.Aside != "" || !r.violated() {
			return false
		}
		meant, err := meets(r.values, reading)
		return meant && err == nil
	})
}

// refuted are the rows of the tables that say otherwise than a row of a claim: of the
// same instance, whatever it says; and of the same reading and property in other sizes
// within the claim's assumptions, if the row is why a claim is said to stand, or is of a
// repair that makes it hold.
func (j *review) refuted(c *judged, r *claimRow) (wrong []string) {
	f := r.finding()
	if !r.Searches() || f == nil || f.Verdict == string(explore.Unknown) {
		return nil
	}
	if f.Verdict == string(explore.ModelError) {
		return []string{"the model itself is at fault: " + f.Detail}
	}
	general := f.Verdict == string(explore.Holds) && (r.Aside == papers.Repaired ||
		r.Aside == "" && (c.Ruling == papers.Stands || c.Ruling == papers.Outside))
	for i := range j.tabled {
		t := &j.tabled[i]
		violated, known := t.violates(r.Property)
		if t.spec != r.Spec || !known {
			continue
		}
		same := maps.Equal(t.values, r.values)
		if !same && (!general || !j.sameReading(t.values, r.values)) {
			continue
		}
		if within, err := meets(t.values, c.Within); err != nil {
			return []string{err.Error()}
		} else if !same && !within {
			continue
		}
		found := fmt.Sprintf("%s %s: %s is %s", t.spec, t.args, r.Property, t.marks[r.Property])
		switch {
		case violated != r.violated():
			wrong = append(wrong, fmt.Sprintf("%s is said: %s; but in the tables: %s", r.Property, f.Verdict,
				found))
		case same && violated && f.Length > 0 && t.marks[r.Property] != fmt.Sprintf("-%d", f.Length):
			wrong = append(wrong, fmt.Sprintf("a counterexample of %d steps; but in the tables: %s", f.Length,
				found))
		}
	}
	return wrong
}

// sameReading reports whether two instances differ in sizes only.
func (j *review) sameReading(a, b map[string]string) bool {
	for key, value := range a {
		if b[key] != value && !slices.Contains(j.paper.Sizes, key) {
			return false
		}
	}
	return true
}

// universal are words that say something of all instances. Prose is not tested, so it may
// not have them; statements may.
var universal = expression(`(?i)explored to the end|not seen to fail|(in|at) (every|all) (instance|size)s?|` +
	`at (all|the) sizes|in the tables|every (property|instance)|all properties`)

// overstated are the sentences in prose that only a statement may say.
func overstated(prose ...string) (wrong []string) {
	for _, text := range prose {
		for _, words := range universal().FindAllString(strings.Join(strings.Fields(text), " "), -1) {
			why := fmt.Sprintf("prose says %q, which only a statement may: that is tested", words)
			wrong = append(wrong, why)
		}
	}
	return wrong
}
