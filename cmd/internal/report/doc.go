// Package report is what the verbs print: documents of findings in text, JSON, SARIF, JUnit and HTML.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Doc is what was found, in a form that programs for any kind of findings read.
type Doc struct {
	Tool, Version string // of the program
	Verdict       string
	Rules         []Rule
	Findings      []Finding
	Files         []string // that findings stand in
	Suites        []Suite
}

// A Rule describes one kind of findings.
type Rule struct{ ID, Text string }

// Levels of findings, the worst first.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// A Finding is one sentence about a model or a log.
type Finding struct {
	Rule    string // its kind, for programs
	Level   string
	Text    string
	Details []string // further lines
	// Holdings are lines for people about holding intervals, which programs find in Places.
	Holdings []string
	Places   []place // the first is that of the finding, others are related
	Run      []place // the steps of the run that shows it
}

// mostPlaces is how many places are listed for a person.
const mostPlaces = 8

// Lines returns the lines below the text, for people.
func (f *Finding) Lines() []string {
	switch {
	case f.Holdings != nil:
		return f.Holdings
	case f.Details != nil:
		return f.Details
	case f.Places == nil:
		return nil
	}
	var words []string
	for _, p := range f.Places[:min(len(f.Places), mostPlaces)] {
		words = append(words, p.String())
	}
	if len(f.Places) > mostPlaces {
		words = append(words, "...")
	}
	return []string{strings.Join(words, ", ")}
}

// writeFindings writes the findings for a person, with an empty line behind them.
func (d *Doc) writeFindings(w io.Writer) {
	paints := map[string]func(string) printable.Raw{levelError: term.Bad, levelWarning: term.Maybe,
		levelNote: term.Faint}
	for i := range d.Findings {
		f := &d.Findings[i]
		line(w, "  %s  %s", paints[f.Level](fmt.Sprintf("%-7s", f.Level)), f.Text)
		for _, text := range f.Lines() {
			shown := printable.Raw(printable.Text(text))
			if f.Holdings == nil && f.Details == nil {
				shown = term.Faint(text)
			}
			line(w, "           %s", shown)
		}
	}
	if len(d.Findings) > 0 {
		line(w, "")
	}
}

// A place is a line of a file, with what happens there.
type place struct {
	File string
	Line int // from 1; 0: the whole file
	Text string
	// A place in a paper, short and with the name of the paper; "": none.
	Source, FullSource string
}

// String is the place as compilers write it.
func (p place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Suite is a set of cases, each of which passes or fails.
type Suite struct {
	Name    string
	Seconds string // that it took; "": unknown
	Cases   []Case
	Output  string
}

// A Case is one question and its answer.
type Case struct {
	Name, Class string
	Outcome     outcome
	Kind        string // of what is wrong; "": nothing is, or the case is skipped
	Message     string
	Details     []string // empty ones are left out
	Output      string
}

// An outcome is that of a case.
type outcome int

// Outcomes. An undecided case is an error in JUnit's terms, so that it does not pass for passed.
const (
	passed outcome = iota
	failed
	errored
	skipped
)
