package claims

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/tools/paperdocs/experiment"
	"github.com/atmostk/atmostk/traces/printable"
)

var plural = printable.Plural[int64]

// Verdict spells out the ruling of a claim, with its readings or bounds.
func (c *Claim) Verdict() string {
	text := string(c.Ruling)
	switch c.Ruling {
	case Stands:
		text += c.bounds()
	case FalseUnder:
		text += " " + cmp.Or(strings.Join(c.Readings, " or "), c.Because)
	case Quoted:
		text += ": " + strings.Replace(c.sum(), violated, string(False), 1)
	case Simulated:
		text = c.simulated()
	}
	return text
}

// bounds counts the instances, with their largest size, in which a claim that stands could have failed; "":
// none was searched.
func (c *Claim) bounds() string {
	instances, n := map[string]bool{}, 0
	for _, r := range c.Rows {
		if r.Searches() && r.is(holds) && r.vacuous() == "" {
			instances[r.Spec+" "+r.Args] = true
			size, _ := strconv.Atoi(r.Values["n"].Text) // 0: the model has no such parameter
			n = max(n, size)
		}
	}
	switch {
	case len(instances) == 0:
		return ""
	case n == 0:
		return ": not violated in " + plural(int64(len(instances)), "instance")
	}
	return fmt.Sprintf(": not violated in %s, n<=%d", plural(int64(len(instances)), "instance"), n)
}

// sum sums up the rows of the claim itself.
func (c *Claim) sum() string {
	v := "not asked"
	for _, r := range c.Rows {
		switch f := r.finding(); {
		case r.Aside != "" || f == nil:
		case f.Verdict == violated || f.Verdict == modelError:
			return f.Verdict
		case f.Verdict == unknown:
			v = "undecided"
		case v == "not asked":
			v = f.Verdict
		}
	}
	return v
}

// simulated counts the verdicts on the sentences of a claim that is judged by simulation.
func (c *Claim) simulated() string {
	var parts []string
	for _, word := range experiment.Verdicts {
		n := 0
		for _, r := range c.Rows {
			if r.is(word) {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return "of " + plural(int64(len(c.Rows)), "sentence") + " " + strings.Join(parts, ", ")
}
