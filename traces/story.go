package traces

import (
	"io"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

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
	write := func(style Style, text string) {
		for _, line := range Wrap(text, o.width()) {
			printable.Fprintf(w, "%s\n", o.paint(style, line))
		}
	}
	write(style, r.Sentence())
	if info := r.claim.info; info.Doc != "" && r.Trace.Mistake == nil {
		write(Plain, info.Name+": "+info.Doc)
	}
	write(Plain, r.Cause().Text)
}

// Story writes a run in short: a chart, and the last steps with their changes. For models without
// processes, or with many, which have no chart, it writes more steps.
func Story(w io.Writer, r *Run, o Options) {
	t := r.Trace
	n := len(t.Steps)
	chart := len(t.lanes()) > 1 && len(t.lanes()) <= (o.width()-20)/6 // else no room is left for words
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
		if line != "" && len([]rune(line))+1+len([]rune(word)) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		if line = word; strings.HasPrefix(word, "::") {
			line = `\` + word
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
