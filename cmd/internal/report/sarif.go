package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// object is an object in JSON.
type object = map[string]any

// SARIF writes the document in the Static Analysis Results Interchange Format, SARIF 2.1.0 of OASIS.
func (d *Doc) SARIF(w io.Writer) error {
	rules, files, results := []object{}, []object{}, []object{}
	for _, r := range d.Rules {
		rules = append(rules, object{"id": r.ID, "shortDescription": object{"text": r.Text}})
	}
	for _, file := range d.Files {
		files = append(files, object{"location": address(file)})
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		r := object{
			"ruleId":    f.Rule,
			"ruleIndex": slices.IndexFunc(d.Rules, func(r Rule) bool { return r.ID == f.Rule }),
			"level":     f.Level,
			"message":   object{"text": strings.Join(append([]string{f.Text}, f.Details...), "\n")},
		}
		if len(f.Places) > 0 {
			r["locations"] = locations(f.Places[:1])
		}
		if len(f.Places) > 1 {
			r["relatedLocations"] = locations(f.others())
		}
		if f.Run != nil {
			var steps []object
			for _, at := range locations(f.Run) {
				steps = append(steps, object{"location": at})
			}
			r["codeFlows"] = []object{{"threadFlows": []object{{"locations": steps}}}}
		}
		results = append(results, r)
	}
	return printable.EncodeJSON(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": d.Tool, "version": d.Version, "rules": rules}},
			"results":    results,
			"properties": object{"verdict": d.Verdict},
			"artifacts":  files,
			"columnKind": "unicodeCodePoints",
		}},
	}, "  ")
}

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

// locations puts places into their form.
func locations(places []place) []object {
	ls := []object{}
	for _, p := range places {
		physical := object{"artifactLocation": address(p.File)}
		if p.Line > 0 {
			physical["region"] = object{"startLine": p.Line}
		}
		l := object{"physicalLocation": physical}
		if p.Source != "" {
			l["logicalLocations"] = []object{{"name": p.Source, "fullyQualifiedName": p.FullSource}}
		}
		if p.Text != "" {
			l["message"] = object{"text": p.Text}
		}
		ls = append(ls, l)
	}
	return ls
}

// address is the address of a file: relative if its name is.
func address(name string) object {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return object{"uri": u.String()}
}
