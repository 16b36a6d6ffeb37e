package report

import (
	"encoding/xml"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// SARIF writes the document in the Static Analysis Results Interchange Format, SARIF 2.1.0 of OASIS.
func (d *Doc) SARIF(w io.Writer) error {
	rules := each(d.Rules, func(r *Rule) object {
		return object{{"id", r.ID}, {"shortDescription", sarifText(r.Text)}}
	})
	results := each(d.Findings, func(f *Finding) object {
		var first, others, flows []object
		if len(f.Places) > 0 {
			first, others = locations(f.Places[:1]), locations(f.others())
		}
		if f.Run != nil {
			steps := each(locations(f.Run), func(at *object) object { return object{{"location", at}} })
			flows = []object{{{"threadFlows", []object{{{"locations", steps}}}}}}
		}
		return object{
			{"ruleId", f.Rule},
			{"ruleIndex", slices.IndexFunc(d.Rules, func(r Rule) bool { return r.ID == f.Rule })},
			{"level", f.Level},
			{"message", sarifText(strings.Join(append([]string{f.Text}, f.Details...), "\n"))},
			{"locations?", first}, {"relatedLocations?", others}, {"codeFlows?", flows},
		}
	})
	driver := object{{"name", d.Tool}, {"version", d.Version}, {"rules", rules}}
	return printable.EncodeJSON(w, object{
		{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"},
		{"runs", []object{{
			{"tool", object{{"driver", driver}}}, {"results", results},
			{"properties", object{{"verdict", d.Verdict}}},
			{"artifacts?", each(d.Files, func(name *string) object {
				return object{{"location",
					address(*name)}}
			})},
			{"columnKind", "unicodeCodePoints"},
		}}},
	}, "  ")
}

func sarifText(text string) object { return object{{"text", text}} }

// others are the places of a finding after the first, each line once.
func (f *Finding) others() (others []place) {
	for i, p := range f.Places[1:] {
		same := func(q place) bool { return q.File == p.File && q.Line == p.Line }
		if !slices.ContainsFunc(f.Places[:i+1], same) {
			others = append(others, p)
		}
	}
	return others
}

// locations puts places into their form; a place in a paper is a logical location.
func locations(places []place) []object {
	return each(places, func(p *place) object {
		var region, message object
		var logical []object
		if p.Line > 0 {
			region = object{{"startLine", p.Line}}
		}
		if p.Source != "" {
			logical = []object{{{"name", p.Source}, {"fullyQualifiedName", p.FullSource}}}
		}
		if p.Text != "" {
			message = sarifText(p.Text)
		}
		physical := object{{"artifactLocation", address(p.File)}, {"region?", region}}
		return object{{"physicalLocation", physical}, {"logicalLocations?", logical}, {"message?", message}}
	})
}

// address is the address of a file: relative if its name is.
func address(name string) object {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return object{{"uri", u.String()}}
}

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
func (s *junitSuite) count(c *testCase) junitCase {
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
