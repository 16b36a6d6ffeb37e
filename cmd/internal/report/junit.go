package report

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// The part of JUnit's reports that is used here, in the order that its readers want.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		junitSuite
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Seconds  string      `xml:"time,attr,omitempty"`
		Cases    []junitCase `xml:"testcase"`
		Output   string      `xml:"system-out,omitempty"`
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

// JUnit writes the suites of the document as JUnit does. Invisible characters in texts are spelled.
func (d *Doc) JUnit(w io.Writer) error {
	all := junitSuites{junitSuite: junitSuite{Name: d.Tool}}
	for i := range d.Suites {
		s := &d.Suites[i]
		x := junitSuite{Name: printable.Text(s.Name), Seconds: s.Seconds, Output: s.Output}
		for k := range s.Cases {
			c := x.count(&s.Cases[k])
			all.count(&s.Cases[k])
			x.Cases = append(x.Cases, c)
		}
		all.Suites = append(all.Suites, x)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	// A line end in a text may stand as it is, and those of attributes are spelled.
	_, err = io.WriteString(w, xml.Header+strings.ReplaceAll(string(text), "&#xA;", "\n")+"\n")
	return err
}

// count counts a case and returns its form.
func (s *junitSuite) count(c *Case) junitCase {
	x := junitCase{Name: printable.Text(c.Name), Class: printable.Text(c.Class),
		Output: printable.Text(c.Output)}
	details := slices.DeleteFunc(slices.Clone(c.Details), func(text string) bool { return text == "" })
	result := &junitResult{printable.Text(c.Message), c.Kind,
		string(printable.Lines(strings.Join(details, "\n")))}
	s.Tests++
	switch c.Outcome {
	case failed:
		s.Failures, x.Failure = s.Failures+1, result
	case errored:
		s.Errors, x.Error = s.Errors+1, result
	case skipped:
		s.Skipped, x.Skipped = s.Skipped+1, result
	}
	return x
}
