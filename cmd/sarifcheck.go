package cmd

import (
	"bufio"
	"io"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/file"
	"github.com/atmostk/atmostk/traces"
)

// modelErrorRule is the rule of what is wrong with the model itself.
const modelErrorRule = "model-error"

// sarif writes the report in the Static Analysis Results Interchange Format: a rule for each
// property, and a result for each that does not hold or was not decided. A violation stands at the model's
// file, or at its last step in the trace for models that are no files; the run to it is a code flow through
// the trace, each step with the paper's lines.
func (c *checked) sarif(out io.Writer) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: c.program.Name, Version: toolVersion()}},
		Results:    []sarifResult{},
		Properties: sarifSummary{string(c.report.Verdict)},
		ColumnKind: "unicodeCodePoints",
	}
	add := func(rule, level, text string, shown *traces.Run, trace string) {
		last := len(run.Tool.Driver.Rules) - 1
		r := sarifResult{RuleID: rule, RuleIndex: last, Level: level, Message: sarifText{text}}
		if trace != "" && shown != nil {
			r.follow(shown.Trace, trace, c.spec.Source)
			run.Artifacts = append(run.Artifacts, sarifArtifact{sarifArtifactLocation{fileURI(trace)}})
		}
		if strings.HasSuffix(c.named, file.Extension) {
			at := sarifArtifactLocation{fileURI(c.named)}
			r.Related = r.Locations
			r.Locations = []sarifLocation{{Physical: sarifPhysical{Artifact: at, Region: &sarifRegion{1}}}}
		}
		run.Results = append(run.Results, r)
	}
	for i := range c.report.Properties {
		p := &c.report.Properties[i]
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{p.Name, sarifText{p.Doc}})
		trace := ""
		if c.files != nil {
			trace = c.files[i]
		}
		text := string(p.Verdict) + " by " + c.spec.Name + settings(c.args) + ": " + p.Doc
		if found := c.found(p); found != "" {
			text += "\n" + found
		}
		switch {
		case p.Verdict == explore.Violated:
			if last := c.lastStep(i); last != "" {
				text += "\nits last step: " + last
			}
			add(p.Name, "error", text, c.runs[i], trace)
		case p.Verdict == explore.Unknown:
			add(p.Name, "warning", strings.Replace(text, "unknown by", "undecided for", 1), nil, "")
		case unexcused(*p):
			add(p.Name, "warning", vacuity(p)+"\n"+text, c.runs[i], trace)
		case len(p.Vacuous) > 0:
			add(p.Name, "note", vacuity(p)+"\n"+text, nil, "")
		}
	}
	run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
		sarifRule{modelErrorRule, sarifText{"The model itself is at fault."}})
	if m := c.report.Mistake; m != nil {
		text := c.spec.Name + settings(c.args) + ": " + m.What
		if m.Where != "" {
			text += "\nat " + m.Where
		}
		add(modelErrorRule, "error", text, c.mistaken, c.mistakeFile)
	}
	w := bufio.NewWriter(out)
	if err := encodeSARIF(w, &run); err != nil {
		return err
	}
	return w.Flush()
}

// lastStep says what happens in the last step of the run that was found of a property, with the paper's
// lines; "": there is none.
func (c *checked) lastStep(property int) string {
	if c.runs[property] == nil {
		return ""
	}
	steps := c.runs[property].Trace.Steps
	return steps[len(steps)-1].Text
}

// follow places a result at the end of a run, and has the run as its code flow. In the file of the trace a
// header comes first, and then a line for each step; paper is where the model was published.
func (r *sarifResult) follow(t *traces.Trace, written, paper string) {
	steps := make([]sarifStep, len(t.Steps))
	for i := range t.Steps {
		s := &t.Steps[i]
		at := &steps[i].Location
		at.Physical = sarifPhysical{Artifact: sarifArtifactLocation{fileURI(written)},
			Region: &sarifRegion{i + 2}}
		at.Message = &sarifText{s.Text}
		if s.Source != "" {
			at.Logical = []sarifLogical{{s.Source, strings.TrimPrefix(paper+": "+s.Source, ": ")}}
		}
	}
	end := steps[len(steps)-1].Location
	end.Message = nil
	r.Locations = []sarifLocation{end}
	r.Flows = []sarifFlow{{[]sarifThread{{steps}}}}
}
