package traces

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// A chart is a space-time diagram made of characters: time goes down, each
// process has a lane, which is thick while the process uses the resource and
// ends where it crashes.
type chart struct {
	w       io.Writer
	lanes   []string
	at      map[string]int
	spacing int
	width   int
	dead    []bool
	inside  []bool
	paint   func(Style, string) printable.Raw
	silent  bool // the steps are left out
}

func asChart(w io.Writer, r *Run, o Options) error {
	t := r.Trace
	printable.Fprintf(w, "%s\n%s:\n", t.subject(), t.claims())
	t.Chart(w, o, 0, 0)
	return nil
}

// Chart draws a run without the steps from a first to before a last one: a legend, the names, and a line or
// two for each step.
func (t *Trace) Chart(w io.Writer, o Options, first, last int) {
	lanes := t.lanes()
	n := len(lanes)
	c := &chart{
		w: w, lanes: lanes, at: position(lanes), width: o.width(), dead: make([]bool, n),
		inside:  make([]bool, n),
		spacing: min(max((o.width()-36)/max(n, 1), 6), 12), paint: o.paint,
	}
	printable.Fprintln(w, "      │ alive  █ uses the resource  ● step  ✗ crash  ┄▷ send  ─▶ receive")
	var heads strings.Builder
	for _, name := range lanes {
		heads.WriteString(pad(name, c.spacing-1) + " ")
	}
	printable.Fprintln(w, strings.TrimRight("      "+heads.String(), " "))
	for i := range t.Steps {
		if c.silent = i >= first && i < last; i == first && c.silent {
			printable.Fprintf(w, "   ⋮  %s\n", o.paint(Muted, fmt.Sprintf("steps %d to %d", first, last-1)))
		}
		c.step(&t.Steps[i], t.excess(&t.Steps[i]))
	}
	if t.CycleAt != nil {
		printable.Fprintf(w, "      %s\n", t.continuation())
	}
}

// step draws a step: the message received and the messages sent on lines of their own.
func (c *chart) step(s *Step, excess string) {
	row := c.row()
	lane, acts := c.at[s.lane()]
	acts = acts && s.Index > 0
	note := "initial state"
	if acts {
		note = s.act()
		if s.Node != "" {
			note = s.Node + " " + note
		}
	}
	if m := s.Received; m != nil {
		c.arrow(row, c.at[m.From], lane, '─', '▶', '◀', m.ID)
		note += " " + m.ID
	}
	if s.Noticed != "" {
		note += " of " + s.Noticed
	}
	split := s.Received != nil && len(s.Sent) > 0
	if split {
		c.write(c.mark(row, lane, '●'), s.Index, oneLine(note))
		row, note = c.row(), ""
	}
	for _, m := range c.outward(s.Sent, lane) {
		c.arrow(row, lane, c.at[m.To], '┄', '▷', '◁', "")
	}
	note += sends(s.Sent)
	c.settle(s)
	switch {
	case s.Crashed:
		c.mark(row, lane, '✗')
	case acts:
		c.mark(row, lane, '●')
	default:
		row = c.row()
	}
	if excess != "" {
		note = "‼ " + excess + ": " + strings.TrimSpace(note)
	}
	index := s.Index
	if split {
		index = -1
	}
	c.write(row, index, oneLine(note))
}

// outward returns messages so that the farthest come first: the arrows to the
// nearer targets are drawn over theirs.
func (c *chart) outward(sent []Msg, lane int) []Msg {
	distance := func(m Msg) int { return max(c.at[m.To]-lane, lane-c.at[m.To]) }
	return slices.SortedStableFunc(slices.Values(sent),
		func(a, b Msg) int { return distance(b) - distance(a) })
}

// sends lists the messages sent.
func sends(sent []Msg) string {
	var parts []string
	for _, m := range sent {
		parts = append(parts, fmt.Sprintf("%s %s to %s", m.ID, m.Text, m.To))
	}
	if parts == nil {
		return ""
	}
	return " sends " + strings.Join(parts, ", ")
}

// settle notes which processes are dead and which use the resource after a step.
func (c *chart) settle(s *Step) {
	for i, name := range c.lanes {
		c.inside[i] = s.uses(name)
		c.dead[i] = !s.Alive(name, !c.dead[i])
	}
}

// row returns the lanes without anything that happens.
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

// arrow draws a line between two lanes, with its head beside the second one.
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

// write writes a line; the index is left out if it is negative.
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
	if strings.HasPrefix(note, "‼") || strings.ContainsRune(string(row), '✗') {
		style = Wrong
	}
	printable.Fprintf(c.w, "%s%s\n", c.lines(runes[:end]), c.paint(style, string(runes[end:])))
}

// lines colours a drawn line.
func (c *chart) lines(runes []rune) printable.Raw {
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

// styleOf returns the style of a sign.
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
