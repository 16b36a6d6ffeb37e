//go:build !js

package cmd

import (
	"bufio"
	"strings"

	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
)

// junit writes the judgement of a log: a case for the log itself, one for each resource, and one for the run
// of the model.
func (v *validation) junit(out *bufio.Writer) error {
	s := &junitSuite{Name: printable.Text(strings.Join(v.Log.Files, " "))}
	var told strings.Builder
	of := func(rules ...string) (text string) {
		for _, p := range v.points() {
			for _, rule := range rules {
				if p.rule == rule {
					text += p.text + "\n" + strings.Join(p.lines(), "\n") + "\n"
				}
			}
		}
		return text
	}
	for _, p := range v.points() {
		printable.Fprintf(&told, "%s: %s\n", p.level, p.text)
	}
	s.Output = told.String()
	log := junitCase{Name: "the log does not contradict itself", Class: s.Name}
	if v.Log.Contradictory() {
		log.Failure = result(string(explain.Rejected), "no run can have such a log",
			of(string(logs.Cycle), string(logs.Backwards), string(logs.DuplicateID), string(logs.SameName),
				string(logs.LamportLess)))
	}
	s.add(log)
	for _, u := range v.Uses {
		s.add(v.resourceCase(u, s.Name))
	}
	if x := v.Explanation; x != nil {
		c := junitCase{Name: "a run of " + v.spec.Name + " explains the log", Class: s.Name}
		text := of("line-missing", "not-explained", "property-violated", "assumption-broken")
		switch {
		case x.Verdict == explain.Rejected || v.Violates():
			c.Failure = result(string(explain.Rejected), v.Coverage(), text)
		case x.Verdict != explain.Accepted:
			c.Error = result(string(explain.Undecided), v.Coverage(), x.Reason)
		}
		s.add(c)
	}
	return writeJUnit(out, v.program.Name, s)
}

// resourceCase is the case about the units of a resource.
func (v *validation) resourceCase(u *logs.Occupancy, class string) junitCase {
	name := "at most k units in use"
	if u.Resource != "" {
		name += " of " + u.Resource
	}
	c := junitCase{Name: printable.Text(name), Class: class}
	var lines []string
	for _, p := range pointsOf(v.About(u)) {
		lines = append(append(lines, p.text), p.lines()...)
	}
	switch {
	case v.Of(u) == explain.Rejected:
		c.Failure = result(string(explain.Rejected), v.figure(u), lines...)
	case v.Of(u) == explain.Undecided:
		c.Error = result(string(explain.Undecided), v.figure(u), lines...)
	}
	return c
}

// lines are what a point says beside its text, for people.
func (p *point) lines() []string {
	switch {
	case p.overlap != nil:
		return stayLines(p.overlap)
	case p.details != nil:
		return p.details
	case len(p.places) > 0:
		return []string{placeList(p.places)}
	}
	return nil
}
