package cmd

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// What of JUnit's reports is used here, in the order that its readers want. A case that fails was violated or
// rejected, one with an error was not decided, so that nobody takes it for passed, and one that is skipped
// was not asked, or not decided because another one has failed.
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
		Output  string       `xml:"system-out,omitempty"`
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
				c.Error, c.Skipped = nil,
					result("", "undecided, as "+spec+" violates another property: "+p.Doc)
			}
		case explore.ModelError:
			c.Error = result("model error", p.Doc)
		default:
			c.Output = printable.Text(vacuity(p))
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
