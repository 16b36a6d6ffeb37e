package traces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// A Form is an output format of a run.
type Form struct {
	Name  string
	Doc   string // a few words
	Write func(io.Writer, *Run, Options) error
}

// Options of the forms for a terminal.
type Options struct {
	Width int // columns of the terminal; 0: 100
	// Paint colours a part of the output; nil: no colours.
	Paint func(Style, string) printable.Raw
}

// A Style is the meaning of a part of the output; Options.Paint gives it a colour.
type Style int

// The styles.
const (
	Plain   Style = iota
	Wrong         // violations, crashes, too many units
	Goal          // goals that are reached
	Inside        // users of the resource
	Message       // lines of messages
	Muted         // details
)

// paint escapes the invisible characters of a text and colours it.
func (o Options) paint(style Style, text string) printable.Raw {
	if o.Paint == nil || style == Plain {
		return printable.Raw(printable.Text(text))
	}
	return o.Paint(style, text)
}

// width is the number of columns to use, at least 40.
func (o Options) width() int {
	if o.Width <= 0 {
		return 100
	}
	return max(o.Width, 40)
}

// Forms are the output formats of Render. Package page has the one for a browser.
var Forms = []Form{
	{"text", "step by step: the event, its changes, the verdicts of the properties", asText},
	{"chart", "a space-time diagram in the terminal", asChart},
	{"svg", "the space-time diagram as a picture", asSVG},
	{"shiviz", "a log with vector clocks, for ShiViz", asShiViz},
	{"json", "the trace as one JSON document", asJSON},
}

// Render writes a run in the named form, one of Forms or of further. An unknown name is an error.
func Render(w io.Writer, form string, r *Run, o Options, further ...Form) error {
	forms := append(slices.Clip(Forms), further...)
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == form })
	if i < 0 {
		return fmt.Errorf("there is no form %q of a trace; allowed are %s", form,
			joined(forms, func(f *Form) string { return f.Name }))
	}
	var b bytes.Buffer
	if err := forms[i].Write(&b, r, o); err != nil {
		return err
	}
	_, err := io.WriteString(w, printable.Document(b.String()))
	return err
}

func asText(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	printable.Fprintf(w, "%s\n%s:\n", t.subject(), t.claims())
	for i := range t.Steps {
		writeStep(w, r, i)
	}
	r.writeCycle(w)
	return nil
}

// shifted reports, as the end of a sentence, a shift of all times between the ends of a cycle; "": none.
func (r *Run) shifted() string {
	first, last := r.States[*r.Trace.CycleAt], r.States[len(r.States)-1]
	if first.Key() == last.Key() && !slices.Equal(first.Vars(), last.Vars()) {
		return ", with all times shifted by one amount"
	}
	return ""
}

// writeStep writes step i of a run: its sentence, its changes, and the verdicts on the properties.
func writeStep(w io.Writer, r *Run, i int) {
	s := &r.Trace.Steps[i]
	printable.Fprintf(w, "%4d  %s\n", i, s.sentence())
	if i == 0 {
		writeState(w, s.Changed)
	} else {
		values := map[string]string{}
		for _, v := range r.claim.variables(r.States[i-1]) {
			values[Var(v).Label()] = v.Value
		}
		for _, line := range s.Changes(values) {
			printable.Fprintf(w, "        %s\n", line)
		}
	}
	if s.Failed != "" {
		printable.Fprintf(w, "        %s\n", oneLine(s.Failed))
		return
	}
	if over := r.Trace.excess(s); over != "" {
		printable.Fprintf(w, "        too many: %s\n", over)
	}
	printable.Fprintf(w, "        [%s]\n", r.verdictLine(i))
}

// writeState writes variables, one line for each owner.
func writeState(w io.Writer, vars []Var) {
	for len(vars) > 0 {
		owner := vars[0].Owner
		var parts []string
		for len(vars) > 0 && vars[0].Owner == owner {
			parts = append(parts, strings.TrimPrefix(vars[0].Name+"="+vars[0].Value, "="))
			vars = vars[1:]
		}
		line := strings.Join(parts, " ")
		if owner != "" {
			line = owner + ": " + line
		}
		printable.Fprintf(w, "        %s\n", oneLine(line))
	}
}

// Changes lists the changes of a step, a line for each variable. values are the values before the step, by
// label; Changes updates them.
func (s *Step) Changes(values map[string]string) (lines []string) {
	for _, v := range s.Changed {
		if was, known := values[v.Label()]; known {
			lines = append(lines, oneLine(fmt.Sprintf("%s: %s -> %s", v.Label(), was, v.Value)))
		} else {
			lines = append(lines, oneLine(fmt.Sprintf("%s: %s", v.Label(), v.Value)))
		}
		values[v.Label()] = v.Value
	}
	for _, v := range s.Gone {
		lines = append(lines, oneLine(fmt.Sprintf("%s: %s -> nothing", v.Label(), v.Value)))
		delete(values, v.Label())
	}
	return lines
}

// asShiViz writes a run as a log with vector clocks, two lines per step: the host with its clock, and the
// sentence of the step. The clock of a receipt includes the send, the clock of a notice the crash.
func asShiViz(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	printable.Fprintf(w, "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n")
	causes, now := Causes(t.Steps), map[string]map[string]int{}
	at := make([]map[string]int, len(t.Steps)) // the clock after each step
	for i := 1; i < len(t.Steps); i++ {
		// the log's regular expression allows no space
		host := strings.Join(strings.Fields(t.Steps[i].lane()), "_")
		clock := maps.Clone(now[host])
		if clock == nil {
			clock = map[string]int{}
		}
		for _, j := range causes[i] {
			for other, n := range at[j] {
				clock[other] = max(clock[other], n)
			}
		}
		clock[host]++
		now[host], at[i] = clock, clock
		b, err := json.Marshal(clock)
		if err != nil {
			return err
		}
		printable.Fprintf(w, "%s %s\n%s\n", host, b, t.Steps[i].sentence())
	}
	return nil
}

// The parts of a run that a story shows, in steps.
const (
	lastSteps   = 3  // last steps that it lists with their changes
	wholeStory  = 8  // a run of fewer steps is listed as a whole
	chartBegins = 6  // first steps in the chart of a long run
	chartEnds   = 40 // last steps in the chart of a long run
)

// Sentences writes the sentence of a run, the sentence of its property, and the cause.
func Sentences(w io.Writer, r *Run, o Options) {
	style := Wrong
	if r.Trace.Verdict == Reached {
		style = Goal
	}
	for _, line := range Wrap(r.Sentence(), o.width()) {
		printable.Fprintf(w, "%s\n", o.paint(style, line))
	}
	if info := r.claim.info; info.Doc != "" && r.Trace.Mistake == nil {
		for _, line := range Wrap(info.Name+": "+info.Doc, o.width()) {
			printable.Fprintf(w, "%s\n", line)
		}
	}
	for _, line := range Wrap(r.Cause().Text, o.width()) {
		printable.Fprintf(w, "%s\n", line)
	}
}

// Story writes a run in short: a chart, and the last steps with their changes. For models without
// processes, which have no chart, it writes more steps.
func Story(w io.Writer, r *Run, o Options) {
	t := r.Trace
	n := len(t.Steps)
	chart := len(t.lanes()) > 1
	if chart {
		first, last := n, n
		if n > chartBegins+chartEnds+1 {
			first, last = chartBegins, n-chartEnds
		}
		t.Chart(w, o, first, last, r.Cause().Steps)
		printable.Fprintln(w)
	}
	from := max(0, n-lastSteps)
	if n <= wholeStory || !chart && n <= chartEnds {
		from = 0
	}
	if from > 0 {
		printable.Fprintf(w, "The last %d of %d steps:\n", n-from, n-1)
	}
	for i := from; i < n; i++ {
		writeStep(w, r, i)
	}
	if !chart {
		r.writeCycle(w)
	}
}

// Wrap divides a text at blanks into lines of at most width columns. A longer word is a line by itself.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// writeCycle writes how a run without end goes on.
func (r *Run) writeCycle(w io.Writer) {
	t := r.Trace
	switch {
	case t.CycleAt == nil:
	case *t.CycleAt == len(t.Steps)-1:
		printable.Fprintln(w, "      and so on for ever: nothing more happens (stuttering)")
	default:
		printable.Fprintf(w,
			"      and so on for ever from step %d: the state is the same as after step %d%s\n",
			*t.CycleAt+1, *t.CycleAt, r.shifted())
	}
}
