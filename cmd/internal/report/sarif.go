package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/atmostk/atmostk/traces/printable"
)

// The part of SARIF 2.1.0, the OASIS standard, that is used here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool       `json:"tool"`
		Results    []sarifResult   `json:"results"`
		Properties sarifSummary    `json:"properties"`
		Artifacts  []sarifArtifact `json:"artifacts,omitempty"`
		ColumnKind string          `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Flows     []sarifFlow     `json:"codeFlows,omitempty"`
	}
	sarifFlow struct {
		Threads []sarifThread `json:"threadFlows"`
	}
	sarifThread struct {
		Steps []sarifStep `json:"locations"`
	}
	sarifStep struct {
		Location sarifLocation `json:"location"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"` // lines of a paper
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
	}
	sarifPhysical struct {
		Artifact sarifFile    `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifArtifact struct {
		Location sarifFile `json:"location"`
	}
	sarifFile struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifSummary struct {
		Verdict string `json:"verdict"`
	}
)

// SARIF writes the document in the Static Analysis Results Interchange Format.
func (d *Doc) SARIF(w io.Writer) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: d.Tool, Version: d.Version}},
		Results:    []sarifResult{},
		Properties: sarifSummary{d.Verdict},
		ColumnKind: "unicodeCodePoints",
	}
	for _, r := range d.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Text}})
	}
	for _, file := range d.Files {
		run.Artifacts = append(run.Artifacts, sarifArtifact{sarifAddress(file)})
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		text := f.Text
		for _, line := range f.Details {
			text += "\n" + line
		}
		r := sarifResult{RuleID: f.Rule, Level: f.Level, Message: sarifText{text},
			RuleIndex: slices.IndexFunc(d.Rules, func(r Rule) bool { return r.ID == f.Rule })}
		for k, p := range f.Places {
			switch {
			case k == 0:
				r.Locations = append(r.Locations, p.sarif())
			case !slices.ContainsFunc(f.Places[:k], func(q place) bool { return q.at() == p.at() }):
				r.Related = append(r.Related, p.sarif())
			}
		}
		if f.Run != nil {
			steps := make([]sarifStep, len(f.Run))
			for k, p := range f.Run {
				steps[k].Location = p.sarif()
			}
			r.Flows = []sarifFlow{{[]sarifThread{{steps}}}}
		}
		run.Results = append(run.Results, r)
	}
	return printable.EncodeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0",
		[]sarifRun{run}}, "  ")
}

// at is the place without its text.
func (p place) at() place { return place{File: p.File, Line: p.Line} }

func (p place) sarif() (at sarifLocation) {
	at.Physical.Artifact = sarifAddress(p.File)
	if p.Line > 0 {
		at.Physical.Region = &sarifRegion{p.Line}
	}
	if p.Source != "" {
		at.Logical = []sarifLogical{{p.Source, p.FullSource}}
	}
	if p.Text != "" {
		at.Message = &sarifText{p.Text}
	}
	return at
}

// sarifAddress is the address of a file: relative if its name is.
func sarifAddress(name string) sarifFile {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return sarifFile{u.String()}
}
