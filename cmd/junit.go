package cmd

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
)

// What of JUnit's reports is used here, in the order that its readers want. A case that fails was violated or
// rejected, one with an error was not decided, so that nobody takes it for passed, and one that is skipped was not asked, or
// not decided because another one has failed.
type (
	junitReport struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Seconds string      `xml:"time,attr,omitempty"`
		Cases   []junitCase `xml:"testcase"`
		Output  string      `xml:"system-out,omitempty"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		Skipped *junitResult `xml:"skipped"`
		Error   *junitResult `xml:"error"`
		Failure *junitResult `xml:"failure"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// add puts a case into the suite.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	s.Failures += one(c.Failure != nil)
	s.Errors += one(c.Error != nil)
	s.Skipped += one(c.Skipped != nil)
}

// one is the number of a yes or no.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// writeJUnit writes a report of some suites.
func writeJUnit(out io.Writer, name string, suites ...*junitSuite) error {
	r := junitReport{Name: name, Suites: suites}
	for _, s := range suites {
		r.Tests, r.Failures = r.Tests+s.Tests, r.Failures+s.Failures
		r.Errors, r.Skipped = r.Errors+s.Errors, r.Skipped+s.Skipped
	}
	text, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	// A line end in a text may stand as it is, and those of attributes are spelled.
	_, err = io.WriteString(out, xml.Header+strings.ReplaceAll(string(text), "&#xA;", "\n")+"\n")
	return err
}

// result is what a case says that is not passed. What cannot be seen in the texts is spelled.
func result(kind, message string, more ...string) *junitResult {
	more = slices.DeleteFunc(more, func(text string) bool { return text == "" })
	return &junitResult{printable.Text(message), kind, string(printable.Lines(strings.Join(more, "\n")))}
}

// junit writes the report of a search: a suite for the instance, and a case for each property.
func (c *checked) junit(out io.Writer) error {
	s := instanceSuite(c.spec.Name, settings(c.args), c.report, func(i int) string {
		p := &c.report.Properties[i]
		text := c.found(p)
		if c.runs[i] == nil || p.Path == nil {
			return text
		}
		var b strings.Builder
		if err := traces.Render(&b, "text", c.runs[i], traces.Options{}); err != nil {
			return text
		}
		return text + "\n" + b.String()
	})
	return writeJUnit(out, c.program.Name, s)
}

// instanceSuite has a case for each property of an instance, and one for the model if it is at fault; more
// is what else there is to say of a property.
func instanceSuite(spec, args string, r *explore.Report, more func(property int) string) *junitSuite {
	s := &junitSuite{Name: printable.Text(spec + args), Seconds: fmt.Sprintf("%.3f", r.Elapsed.Seconds())}
	for i := range r.Properties {
		p := &r.Properties[i]
		c := junitCase{Name: p.Name, Class: spec}
		switch p.Verdict {
		case explore.Violated:
			c.Failure = result("violated", p.Doc, more(i))
		case explore.Unknown:
			c.Error = result("undecided", p.Doc, more(i), r.Stopped)
			if r.Verdict == explore.Violated { // the search has ended with that
				c.Error, c.Skipped = nil, result("", "undecided, as "+spec+" violates another property: "+p.Doc)
			}
		case explore.ModelError:
			c.Error = result("model error", p.Doc)
		}
		s.add(c)
	}
	for _, p := range r.NotAsked {
		s.add(junitCase{Name: p.Name, Class: spec, Skipped: result("", p.Moot)})
	}
	if m := r.Mistake; m != nil {
		s.add(junitCase{Name: "the model itself", Class: spec, Error: result("model error", m.What, m.Where)})
	}
	return s
}

// junit writes the judgement of a log: a case for the log itself, one for each resource, and one for the run of the
// model.
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
			of(string(logs.Cycle), string(logs.Backwards), string(logs.DuplicateID), string(logs.SameName), string(logs.LamportLess)))
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
	for _, p := range append(v.crowds(u), v.stale(u)...) {
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
	case p.crowd != nil:
		return stayLines(p.crowd)
	case p.details != nil:
		return p.details
	case len(p.places) > 0:
		return []string{placeList(p.places)}
	}
	return nil
}
