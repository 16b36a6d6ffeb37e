package traces

import (
	"fmt"
	"io"
	"slices"
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
	writeRow(w, "", lanes, make([]bool, len(lanes)), width)
	rule := strings.Repeat("─", width)
	writeRow(w, "", slices.Repeat([]string{rule}, len(lanes)), make([]bool, len(lanes)), width)
	inside := make([]bool, len(lanes))
	for i := range t.Steps {
		s := &t.Steps[i]
		cells := s.cells(lanes)
		for line := range height(cells) {
			number := ""
			if line == 0 {
				number = fmt.Sprint(i)
			}
			writeRow(w, number, across(cells, line), inside, width)
			for l, name := range lanes {
				inside[l] = s.uses(name)
			}
		}
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
		cells[l] = append(cells[l], s.act())
		cells[l] = append(cells[l], s.exchange()...)
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
			cells[l] = append(cells[l], "  "+strings.TrimPrefix(label+"="+v.Value, "="))
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

func height(cells [][]string) (n int) {
	for _, c := range cells {
		n = max(n, len(c))
	}
	return max(n, 1)
}

// across returns one line of all cells.
func across(cells [][]string, line int) []string {
	row := make([]string, len(cells))
	for i, c := range cells {
		if line < len(c) {
			row[i] = oneLine(c[line])
			if strings.HasPrefix(c[line], "  ") {
				row[i] = "  " + row[i]
			}
		}
	}
	return row
}

// writeRow writes a line of the table.
func writeRow(w io.Writer, number string, cells []string, inside []bool, width int) {
	var b strings.Builder
	printable.Fprintf(&b, "%4s ", number)
	for i, c := range cells {
		bar := "│ "
		if inside[i] {
			bar = "█ "
		}
		b.WriteString(bar + pad(c, width) + " ")
	}
	printable.Fprintln(w, strings.TrimRight(b.String(), " "))
}
