// Package report writes the reports of the verbs in text, JSON, SARIF, JUnit and HTML.
package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Doc is a report in a form that does not depend on the verb: rules, findings, and cases of tests.
type Doc struct {
	Tool, Version string // of the program
	Verdict       string
	Rules         []Rule
	Findings      []Finding
	Files         []string // that have findings
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
	Places   []place // the first one has the finding, others are related
	Run      []place // the steps of its run
}

// mostPlaces is the largest number of places that are listed for a person.
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
	words := printable.Each(f.Places[:min(len(f.Places), mostPlaces)], (*place).String)
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

// A place is a line of a file, with an event.
type place struct {
	File string
	Line int // from 1; 0: the whole file
	Text string
	// A place in a paper, short and with the name of the paper; "": none.
	Source, FullSource string
}

// String is the place in the form of compilers.
func (p *place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

func line(w io.Writer, format string, a ...any) { printable.Fprintf(w, format+"\n", a...) }

// lineEach writes texts in lines of one form.
func lineEach(w io.Writer, format string, texts []string) {
	for _, text := range texts {
		line(w, format, text)
	}
}

// columns is the width of text whose reader's width is not known.
const columns = 80

// heading writes the instance of a report.
func heading(w io.Writer, s *models.Subject, width int) {
	lines := traces.Wrap(s.String(), cmp.Or(width, columns)-2)
	line(w, "%s%s", term.Bold(s.Spec.Name), strings.TrimPrefix(lines[0], s.Spec.Name))
	lineEach(w, "  %s", lines[1:])
}

// A row is the verdict on one property.
type row struct {
	Verdict printable.Raw // nine columns wide
	Name    string
	Text    printable.Raw
	Lines   []printable.Raw // below the text
}

// verdictOf is a verdict in colour, nine columns wide.
func verdictOf[V ~string](verdict V) printable.Raw {
	return term.Verdict(verdict, fmt.Sprintf("%-8s", verdict)) + " "
}

func notAsked(name, because string) row {
	return row{term.Faint("not asked"), name + ":", printable.Raw(printable.Text(because)), nil}
}

// writeRows writes the verdicts on properties as a table of the given width.
func writeRows(w io.Writer, rows []row, width int) {
	names := 0
	for _, r := range rows {
		names = max(names, len(strings.TrimSuffix(r.Name, ":")))
	}
	const verdicts = 14 // columns of a verdict and the blanks
	room := max(cmp.Or(width, columns)-verdicts-names, columns/3)
	for _, r := range rows {
		texts := traces.Wrap(string(r.Text), room)
		for _, below := range r.Lines {
			texts = append(texts, traces.Wrap(string(below), room)...)
		}
		line(w, "  %s %-*s  %s", r.Verdict, names, r.Name, printable.Raw(texts[0]))
		for _, text := range texts[1:] {
			line(w, "  %-8s  %-*s  %s", "", names, "", printable.Raw(text))
		}
	}
}

// fired lists the actions, with the number of times that each happened.
func fired(actions []lts.Action, times []int64) (all []object) {
	for i, a := range actions {
		all = append(all, object{{"name", a.Name}, {"fired", times[i]}})
	}
	return all
}

// writeFired writes the number of times that each action happened and, behind words, the actions that never
// happened.
func writeFired(w io.Writer, r *explore.Report, words string) {
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	for i, a := range r.Actions {
		printable.Fprintf(tw, "  %s\t  %s\t\n", printable.Number(r.Fired[i]), a.Name)
	}
	if flushed, never := tw.Flush(), r.Never(); flushed == nil && len(never) > 0 {
		line(w, "%s", term.Maybe(words+": "+strings.Join(never, ", ")))
	}
}

// writeRun writes a run, and the name of its file.
func writeRun(w io.Writer, r *traces.Run) error {
	err := traces.Render(w, "text", r, traces.Options{})
	writeFile(w, r)
	return err
}

// writeFile writes the name of the file that a run was written to, if there is one.
func writeFile(w io.Writer, r *traces.Run) {
	if r.File != "" {
		line(w, "written to %s", r.File)
	}
}

func writeError(w io.Writer, e *model.Error) {
	line(w, "\n%s\n  %s", term.Bad("model error: "+e.Subject()), e.What)
	if e.Where != "" {
		line(w, "  at:      %s", e.Where)
	}
	ErrorDetails(w, e)
}

// ErrorDetails writes the input of the part of a model that is at fault, and results that differ.
func ErrorDetails(w io.Writer, e *model.Error) {
	for _, x := range [][2]string{{"state", e.State}, {"message", e.Message}, {"once", e.First},
		{"again", e.Second}} {
		if x[1] != "" {
			line(w, "  %-8s %s", x[0]+":", x[1])
		}
	}
}

// Flagged returns an option as a flag.
func Flagged(o usage.Option) string { return "--" + string(o) }

// An object is an object in JSON, with its fields in order. The forms of the reports are in the schemas
// beside this file.
type object []field

// A field is a name with a value. If the name ends with a question mark, a zero or empty value is left out.
type field struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for _, f := range o {
		name, optional := strings.CutSuffix(f.name, "?")
		if v := reflect.ValueOf(f.value); optional &&
			(!v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", name)
		if err := e.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// list returns a copy of a list. If the list is empty, JSON writes the copy as [].
func list[T any](xs []T) []T { return append([]T{}, xs...) }

// A Suite is a set of test cases as JUnit reports them, in the order that its readers want.
type Suite struct {
	Name string `xml:"name,attr"`
	counts
	Seconds string     `xml:"time,attr,omitempty"` // "": unknown
	Cases   []testCase `xml:"testcase"`
	Output  string     `xml:"system-out,omitempty"`
}

// counts has the numbers of cases: all of them, and by each result except passed.
type counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

// A testCase is one case of a suite; Result is nil if it passed.
type testCase struct {
	Name   string `xml:"name,attr"`
	Class  string `xml:"classname,attr"`
	Result *testResult
	Output string `xml:"system-out,omitempty"`
}

// A testResult is the element for an outcome other than passed.
type testResult struct {
	XMLName xml.Name
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Outcomes of a test case, as elements of JUnit. An undecided case is an error, so that it does not count as
// passed.
const (
	passed  = ""
	failed  = "failure"
	errored = "error"
	skipped = "skipped"
)

// add adds a case; kind is the mistake's kind. Empty details are left out, invisible characters spelled.
func (s *Suite) add(name, class, outcome, kind, message string, details ...string) {
	details = slices.DeleteFunc(details, func(text string) bool { return text == "" })
	c := testCase{Name: printable.Text(name), Class: printable.Text(class)}
	s.Tests++
	if outcome == passed {
		c.Output = printable.Text(message)
	} else {
		*map[string]*int{failed: &s.Failures, errored: &s.Errors, skipped: &s.Skipped}[outcome]++
		c.Result = &testResult{xml.Name{Local: outcome}, printable.Text(message), kind,
			string(printable.Lines(strings.Join(details, "\n")))}
	}
	s.Cases = append(s.Cases, c)
}

// written is the file of a run; "": it was not written, or there is no run.
func written(r *traces.Run) string {
	if r == nil {
		return ""
	}
	return r.File
}
