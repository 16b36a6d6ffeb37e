package traces

import (
	"fmt"
	"io"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// asColumns writes a run with a column for each process, in which its steps
// stand with the variables of its own that they change. A process that uses the
// resource has a bar beside it.
func asColumns(w io.Writer, r *Run, o Options) error {
	t := r.Trace
	lanes := t.lanes()
	width := min(max((o.width()-5)/max(len(lanes), 1)-3, 12), 48)
	printable.Fprintf(w, "%s\n%s:\n", t.subject(), t.claims())
	var heads [][]string
	for _, name := range lanes {
		heads = append(heads, []string{name, strings.Repeat("─", width)})
	}
	inside := make([]bool, len(lanes))
	writeRows(w, "", heads, inside, inside, width)
	for i := range t.Steps {
		s := &t.Steps[i]
		after := make([]bool, len(lanes))
		for l, name := range lanes {
			after[l] = s.uses(name)
		}
		writeRows(w, fmt.Sprint(i), s.cells(lanes), inside, after, width)
		inside = after
		if over := t.excess(s); over != "" {
			printable.Fprintf(w, "     too many: %s\n", over)
		}
	}
	if t.CycleAt != nil {
		printable.Fprintf(w, "     %s\n", t.continuation())
	}
	return nil
}

// cells returns for each lane the lines that belong to a step.
func (s *Step) cells(lanes []string) [][]string {
	cells := make([][]string, len(lanes))
	at := position(lanes)
	if l, ok := at[s.lane()]; ok && s.Index > 0 {
		for _, line := range append([]string{s.act()}, s.exchange()...) {
			cells[l] = append(cells[l], oneLine(line))
		}
	}
	for _, v := range s.Changed {
		l, ok := at[v.Owner]
		label := v.Name
		if !ok { // of no process with a column
			if l, ok = at[s.lane()]; !ok {
				l = 0
			}
			label = v.label()
		}
		if v.Name != "inbox" || s.Index == 0 { // messages are shown as such
			cells[l] = append(cells[l], "  "+oneLine(strings.TrimPrefix(label+"="+v.Value, "=")))
		}
	}
	return cells
}

// act is the action of a step, or the whole text where no process acts.
func (s *Step) act() string {
	if s.Node == "" && s.Text != "" {
		return s.Text
	}
	return s.Event
}

// writeRows writes the lines of a row of the table: the first one with the bars of the state before.
func writeRows(w io.Writer, number string, cells [][]string, inside, after []bool, width int) {
	lines := 1
	for _, c := range cells {
		lines = max(lines, len(c))
	}
	for line := range lines {
		var b strings.Builder
		printable.Fprintf(&b, "%4s ", number)
		for l, c := range cells {
			bar, text := "│ ", ""
			if inside[l] {
				bar = "█ "
			}
			if line < len(c) {
				text = c[line]
			}
			b.WriteString(bar + pad(text, width) + " ")
		}
		printable.Fprintln(w, strings.TrimRight(b.String(), " "))
		number, inside = "", after
	}
}
