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
	s := &junitSuite{Name: printable.Text(strings.Join(v.log.Files, " "))}
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
	if v.log.Contradictory() {
		log.Failure = result(rejected, "no run can have such a log",
			of(string(logs.Cycle), string(logs.Backwards), string(logs.DuplicateID), string(logs.SameName),
				string(logs.LamportLess)))
	}
	s.add(log)
	for _, u := range v.uses {
		s.add(v.resourceCase(u, s.Name))
	}
	if x := v.explanation; x != nil {
		c := junitCase{Name: "a run of " + v.spec.Name + " explains the log", Class: s.Name}
		text := of("line-missing", "not-explained", "property-violated", "assumption-broken")
		switch {
		case x.Verdict == explain.Rejected || v.broken():
			c.Failure = result(rejected, v.put(), text)
		case x.Verdict != explain.Accepted:
			c.Error = result(undecided, v.put(), x.Reason)
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
	for _, p := range append(v.overlaps(u), v.stale(u)...) {
		lines = append(append(lines, p.text), p.lines()...)
	}
	switch {
	case broken(u) && !v.mixed():
		c.Failure = result(rejected, v.figure(u), lines...)
	case badness(u) != 1 && v.explanation == nil:
		c.Error = result(undecided, v.figure(u), lines...)
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
