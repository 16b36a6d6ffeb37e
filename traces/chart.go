package traces

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// A chart is a space-time diagram made of characters. Time runs downwards. Each process has a lane, which is
// thick while the process uses the resource and ends where the process crashes.
type chart struct {
	w       io.Writer
	lanes   []string
	at      map[string]int
	spacing int
	width   int
	dead    []bool
	inside  []bool
	paint   func(Style, string) printable.Raw
	silent  bool // draw nothing: the current step is left out
	causes  []int
	grey    bool // the current step is not among the causes
}

func asChart(w io.Writer, r *Run, o Options) error {
	t := r.Trace
	printable.Fprintf(w, "%s\n%s:\n", t.subject(), t.claims())
	t.Chart(w, o, 0, 0, r.Cause().Steps)
	return nil
}

// Chart draws a legend, the names of the lanes, and one or two lines for each step. It leaves out the
// steps first to last-1. Causes are the steps of the cause, as indices: they have a mark of their own,
// and the others are muted.
func (t *Trace) Chart(w io.Writer, o Options, first, last int, causes []int) {
	lanes := t.lanes()
	n := len(lanes)
	c := &chart{w: w, lanes: lanes, at: position(lanes), width: o.width(), dead: make([]bool, n),
		inside: make([]bool, n), spacing: min(max((o.width()-36)/max(n, 1), 6), 12), paint: o.paint,
		causes: causes}
	legend := "      │ alive  █ inside  ● step  ✗ crash  ┄▷ send  ─▶ receive"
	if len(c.causes) > 0 {
		legend += "  ◆ cause"
	}
	printable.Fprintln(w, legend)
	var heads strings.Builder
	for _, name := range lanes {
		fmt.Fprintf(&heads, "%-*s ", c.spacing-1, clip(name, c.spacing-1))
	}
	printable.Fprintln(w, strings.TrimRight("      "+heads.String(), " "))
	for i := range t.Steps {
		if c.silent = i >= first && i < last; i == first && c.silent {
			printable.Fprintf(w, "   ⋮  %s\n", o.paint(Muted, fmt.Sprintf("steps %d to %d", first, last-1)))
		}
		c.grey = len(c.causes) > 0 && !slices.Contains(c.causes, i)
		c.step(&t.Steps[i], t.wrong(&t.Steps[i]))
	}
	if t.CycleAt != nil {
		next := "and nothing more for ever"
		if *t.CycleAt < len(t.Steps)-1 {
			next = fmt.Sprintf("and again from step %d", *t.CycleAt)
		}
		printable.Fprintf(w, "      %s\n", next)
	}
}

// step draws a step on one line, or on two if the step both receives and sends messages.
func (c *chart) step(s *Step, wrong string) {
	row := c.row()
	lane, acts := c.at[s.lane()]
	acts = acts && s.Index > 0
	note := "initial state"
	if acts {
		note = strings.TrimPrefix(s.Node+" "+s.act(), " ")
	}
	if m := s.Received; m != nil {
		c.arrow(row, c.at[m.From], lane, '─', '▶', '◀', m.ID)
		note += " " + m.ID
	}
	if s.Noticed != "" {
		note += " of " + s.Noticed
	}
	index := s.Index
	if s.Received != nil && len(s.Sent) > 0 {
		c.write(c.mark(row, lane, c.dot()), index, oneLine(note))
		row, note, index = c.row(), "", -1
	}
	distance := func(m Msg) int { return max(c.at[m.To]-lane, lane-c.at[m.To]) }
	farthestFirst := func(a, b Msg) int { return distance(b) - distance(a) } // nearer are drawn over them
	for _, m := range slices.SortedStableFunc(slices.Values(s.Sent), farthestFirst) {
		c.arrow(row, lane, c.at[m.To], '┄', '▷', '◁', "")
	}
	if len(s.Sent) > 0 {
		note += " sends " + joined(s.Sent, func(m *Msg) string { return m.ID + " " + m.Text + " to " + m.To })
	}
	for i, name := range c.lanes {
		c.inside[i], c.dead[i] = s.Uses(name), !s.Alive(name, !c.dead[i])
	}
	switch {
	case s.Crashed:
		c.mark(row, lane, '✗')
	case acts:
		c.mark(row, lane, c.dot())
	default:
		row = c.row()
	}
	if wrong != "" {
		note = "‼ " + wrong + ": " + strings.TrimSpace(note)
	}
	c.write(row, index, oneLine(note))
}

// dot is the mark of the current step.
func (c *chart) dot() rune {
	if len(c.causes) > 0 && !c.grey {
		return '◆'
	}
	return '●'
}

// row returns the lanes of one line, without marks and arrows.
func (c *chart) row() []rune {
	row := []rune(strings.Repeat(" ", len(c.lanes)*c.spacing))
	for i := range c.lanes {
		switch {
		case c.inside[i]:
			row[i*c.spacing] = '█'
		case !c.dead[i]:
			row[i*c.spacing] = '│'
		}
	}
	return row
}

func (c *chart) mark(row []rune, lane int, r rune) []rune {
	row[lane*c.spacing] = r
	return row
}

// arrow draws an arrow between two lanes, with its head beside the lane to.
func (c *chart) arrow(row []rune, from, to int, line, right, left rune, label string) {
	if from == to {
		return
	}
	a, b, step := from*c.spacing, to*c.spacing, 1
	head := right
	if to < from {
		step, head = -1, left
	}
	for x := a + step; x != b; x += step {
		if x%c.spacing != 0 {
			row[x] = line
		}
	}
	row[b-step] = head
	if runes := []rune(label); len(runes) <= c.spacing-4 { // beside the sender
		copy(row[min(a, a+step*c.spacing)+2:], runes)
	}
}

// write writes a line: the index of the step (left out if negative), the lanes and the note.
func (c *chart) write(row []rune, index int, note string) {
	if c.silent {
		return
	}
	number := "    "
	if index >= 0 {
		number = fmt.Sprintf("%4d", index)
	}
	line := strings.TrimRight(clip(number+"  "+string(row)+printable.Text(note), c.width), " ")
	runes := []rune(line)
	end := min(len(runes), len(number)+2+len(row))
	style := Plain
	if c.grey {
		style = Muted
	}
	if strings.HasPrefix(note, "‼") || strings.ContainsRune(string(row), '✗') {
		style = Wrong
	}
	printable.Fprintf(c.w, "%s%s\n", c.colour(runes[:end]), c.paint(style, string(runes[end:])))
}

func (c *chart) colour(runes []rune) printable.Raw {
	var b strings.Builder
	for i := 0; i < len(runes); {
		style, j := styleOf(runes[i]), i
		for j < len(runes) && styleOf(runes[j]) == style {
			j++
		}
		b.WriteString(string(c.paint(style, string(runes[i:j]))))
		i = j
	}
	return printable.Raw(b.String())
}

func styleOf(r rune) Style {
	switch r {
	case '█':
		return Inside
	case '✗':
		return Wrong
	case '─', '▶', '◀', '┄', '▷', '◁':
		return Message
	}
	return Plain
}
