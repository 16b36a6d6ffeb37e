package cmd

import (
	"bufio"
	"io"
	"strings"

	"github.com/atmostk/atmostk/explore"
)

// modelErrorRule is the rule of what is wrong with the model itself.
const modelErrorRule = "model-error"

// sarif writes the report in the Static Analysis Results Interchange Format: a rule for each
// property, and a result for each that does not hold or was not decided, at the trace
// that shows it, if one is written.
func (c *checked) sarif(out io.Writer) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: c.program.Name, Version: toolVersion()}},
		Results:    []sarifResult{},
		Properties: sarifSummary{string(c.report.Verdict)},
		ColumnKind: "unicodeCodePoints",
	}
	add := func(rule, level, text, file string) {
		last := len(run.Tool.Driver.Rules) - 1
		r := sarifResult{RuleID: rule, RuleIndex: last, Level: level, Message: sarifText{text}}
		if file != "" {
			uri := sarifArtifactLocation{fileURI(file)}
			r.Locations = []sarifLocation{{Physical: sarifPhysical{Artifact: uri, Region: &sarifRegion{1}}}}
			run.Artifacts = append(run.Artifacts, sarifArtifact{uri})
		}
		run.Results = append(run.Results, r)
	}
	for i := range c.report.Properties {
		p := &c.report.Properties[i]
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{p.Name, sarifText{p.Doc}})
		file := ""
		if c.files != nil {
			file = c.files[i]
		}
		text := string(p.Verdict) + " by " + c.spec.Name + settings(c.args) + ": " + p.Doc
		if found := c.found(p); found != "" {
			text += "\n" + found
		}
		switch {
		case p.Verdict == explore.Violated:
			add(p.Name, "error", text, file)
		case p.Verdict == explore.Unknown:
			add(p.Name, "warning", strings.Replace(text, "unknown by", "undecided for", 1), file)
		case unexcused(*p):
			add(p.Name, "warning", "vacuous: "+strings.Join(p.Vacuous, "; ")+"\n"+text, file)
		}
	}
	run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
		sarifRule{modelErrorRule, sarifText{"The model itself is at fault."}})
	if m := c.report.Mistake; m != nil {
		text := c.spec.Name + settings(c.args) + ": " + m.What
		if m.Where != "" {
			text += "\nat " + m.Where
		}
		add(modelErrorRule, "error", text, c.mistakeFile)
	}
	w := bufio.NewWriter(out)
	if err := encodeSARIF(w, &run); err != nil {
		return err
	}
	return w.Flush()
}
