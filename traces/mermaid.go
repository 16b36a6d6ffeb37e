package traces

import (
	"io"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// asMermaid writes a run as a sequence diagram. Mermaid's arrows are level, so a
// message is drawn where it is received, and its send is a note.
func asMermaid(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	lanes := t.lanes()
	at := position(lanes)
	printable.Fprintf(w, "%%%% %s\n%%%% %s\nsequenceDiagram\n", oneLine(t.subject()), oneLine(t.claims()))
	for i, name := range lanes {
		printable.Fprintf(w, "  participant L%d as %s\n", i, plainText(name))
	}
	inside := make([]bool, len(lanes))
	for i := range t.Steps {
		s := &t.Steps[i]
		if i > 0 {
			drawEvent(w, s, at)
		}
		for l, name := range lanes {
			if now := s.uses(name); now != inside[l] {
				inside[l] = now
				printable.Fprintf(w, "  %s L%d\n", map[bool]string{true: "activate",
					false: "deactivate"}[now], l)
			}
		}
		if over := t.excess(s); over != "" {
			printable.Fprintf(w, "  Note over L0,L%d: %d: too many: %s\n", len(lanes)-1, i, over)
		}
		if t.CycleAt != nil && *t.CycleAt == i {
			printable.Fprintln(w, "  loop for ever")
			if i == len(t.Steps)-1 {
				printable.Fprintf(w, "  Note over L0: %s\n", t.again())
			}
		}
	}
	if t.CycleAt != nil {
		printable.Fprintln(w, "  end")
	}
	var staying []string // Mermaid draws no stay that does not end, and none without height
	for l, name := range lanes {
		if inside[l] {
			staying = append(staying, name)
		}
	}
	if staying != nil {
		printable.Fprintf(w, "  Note over L0,L%d: the run ends here, inside: %s\n", len(lanes)-1,
			plainText(and(staying)))
	}
	for l := range lanes {
		if inside[l] {
			printable.Fprintf(w, "  deactivate L%d\n", l)
		}
	}
	return nil
}

// drawEvent draws what happened in a step.
func drawEvent(w io.Writer, s *Step, at map[string]int) {
	lane := at[s.lane()]
	if m := s.Received; m != nil {
		printable.Fprintf(w, "  L%d-)L%d: %d: %s\n", at[m.From], lane, s.Index, plainText(m.ID+" "+m.Text))
		if len(s.Sent) == 0 && !s.Crashed {
			return
		}
	}
	note := s.act() + sends(s.Sent)
	if s.Noticed != "" {
		note += " of " + s.Noticed
	}
	if s.Crashed {
		note += " ✗"
	}
	printable.Fprintf(w, "  Note over L%d: %d: %s\n", lane, s.Index, plainText(note))
}

// plainText spells the characters that mean something to Mermaid.
func plainText(s string) string {
	return strings.NewReplacer("#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;").Replace(oneLine(s))
}
