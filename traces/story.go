package traces

import (
	"io"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// How much of a run a story shows.
const (
	lastSteps   = 3  // with what they change
	wholeStory  = 8  // steps of a run that is shown whole
	chartBegins = 6  // steps of a long run that its chart begins with
	chartEnds   = 40 // and that it ends with
)

// Sentences writes the sentence of a run, and the demand of the property.
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
}

// Story writes a run as a person wants to see it at once: as a chart, and its last steps with what they
// change. Of models without processes, which have no chart, it shows more steps.
func Story(w io.Writer, r *Run, o Options) {
	t := r.Trace
	n := len(t.Steps)
	chart := len(t.lanes()) > 1
	if chart {
		first, last := n, n
		if n > chartBegins+chartEnds+1 {
			first, last = chartBegins, n-chartEnds
		}
		t.Chart(w, o, first, last)
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
		r.continues(w)
	}
}

// Wrap divides a text into lines of at most width columns, at blanks where there are some.
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

// continues says how a run without end goes on.
func (r *Run) continues(w io.Writer) {
	t := r.Trace
	switch {
	case t.CycleAt == nil:
	case *t.CycleAt == len(t.Steps)-1:
		printable.Fprintln(w, "      and so on for ever: nothing more happens (stuttering)")
	default:
		printable.Fprintf(w,
			"      and so on for ever from step %d: the state is that after step %d again%s\n",
			*t.CycleAt+1, *t.CycleAt, r.shifted())
	}
}
