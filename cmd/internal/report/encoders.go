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
	rules := printable.Each(d.Rules, func(r *Rule) object {
		return object{{"id", r.ID}, {"shortDescription", sarifText(r.Text)}}
	})
	results := printable.Each(d.Findings, func(f *Finding) object {
		var flows []object
		lines := map[string]bool{}
		places := locations(slices.DeleteFunc(slices.Clone(f.Places), func(p place) bool {
			again := lines[p.String()]
			lines[p.String()] = true
			return again
		}))
		first := min(1, len(places))
		if f.Run != nil {
			steps := printable.Each(locations(f.Run),
				func(at *object) object { return object{{"location", at}} })
			flows = []object{{{"threadFlows", []object{{{"locations", steps}}}}}}
		}
		return object{
			{"ruleId", f.Rule},
			{"ruleIndex", slices.IndexFunc(d.Rules, func(r Rule) bool { return r.ID == f.Rule })},
			{"level", f.Level},
			{"message", sarifText(strings.Join(append([]string{f.Text}, f.Details...), "\n"))},
			{"locations?", places[:first]}, {"relatedLocations?", places[first:]}, {"codeFlows?", flows},
		}
	})
	driver := object{{"name", d.Tool}, {"version", d.Version}, {"rules", rules}}
	return printable.EncodeJSON(w, object{
		{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"},
		{"runs", []object{{
			{"tool", object{{"driver", driver}}}, {"results", results},
			{"properties", object{{"verdict", d.Verdict}}},
			{"artifacts?", printable.Each(d.Files, func(name *string) object {
				return object{{"location", address(*name)}}
			})}, {"columnKind", "unicodeCodePoints"},
		}}},
	}, "  ")
}

func sarifText(text string) object { return object{{"text", text}} }

// locations returns places as locations of SARIF; a place in a paper is a logical location.
func locations(places []place) []object {
	return printable.Each(places, func(p *place) object {
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

// JUnit writes the suites of the document in the XML of JUnit.
func (d *Doc) JUnit(w io.Writer) error {
	all := struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite
		Suites []Suite `xml:"testsuite"`
	}{Suite: Suite{Name: d.Tool}, Suites: d.Suites}
	for i := range d.Suites {
		s := &d.Suites[i]
		s.Name = printable.Text(s.Name)
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Errors, all.Skipped = all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	text, err := marshalXML(all, "", "  ")
	if err != nil {
		return err
	}
	// Line ends in texts need no escape; those in attributes were spelled before.
	_, err = io.WriteString(w, xml.Header+strings.ReplaceAll(string(text), "&#xA;", "\n")+"\n")
	return err
}
