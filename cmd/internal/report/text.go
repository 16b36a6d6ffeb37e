package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// line writes a line.
func line(w io.Writer, format string, a ...any) { printable.Fprintf(w, format+"\n", a...) }

// heading writes which instance a report is about.
func heading(w io.Writer, s *models.Subject) {
	line(w, "%s%s", term.Bold(s.Spec.Name), strings.TrimPrefix(s.String(), s.Spec.Name))
}

// A row is the verdict on one property.
type row struct {
	Verdict, Name string
	Text          printable.Raw
	Lines         []printable.Raw // below the text
}

// A notAsked is a property that was not asked, and the reason.
type notAsked struct {
	Name    string `json:"name"`
	Because string `json:"because"`
}

// writeRows writes the verdicts on properties as a table.
func writeRows(w io.Writer, rows []row, not []notAsked) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r.Name))
	}
	for _, p := range not {
		width = max(width, len(p.Name))
	}
	for _, r := range rows {
		line(w, "  %s  %-*s  %s", term.Verdict(r.Verdict, fmt.Sprintf("%-8s", r.Verdict)), width, r.Name, r.Text)
		for _, below := range r.Lines {
			line(w, "  %-8s  %-*s  %s", "", width, "", below)
		}
	}
	for _, p := range not {
		line(w, "  %s %-*s  %s", term.Faint("not asked"), width, p.Name+":", p.Because)
	}
}

// An action is how often one happened.
type action struct {
	Name  string `json:"name"`
	Fired int64  `json:"fired"`
}

// fired returns how often each action happened.
func fired(actions []lts.Action, times []int64) (all []action) {
	for i, a := range actions {
		all = append(all, action{a.Name, times[i]})
	}
	return all
}

// writeFired writes how often each action happened, and the names of those that never happened.
func writeFired(w io.Writer, actions []action, words string, never []string) {
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	for _, a := range actions {
		printable.Fprintf(tw, "  %s\t  %s\t\n", printable.Number(a.Fired), a.Name)
	}
	if flushed := tw.Flush(); flushed == nil && len(never) > 0 {
		line(w, "%s", term.Maybe(words+": "+strings.Join(never, ", ")))
	}
}

// writeRun writes a run, and the file in which it is.
func writeRun(w io.Writer, r *Shown) error {
	err := traces.Render(w, "text", r.Run, traces.Options{})
	writeFile(w, r)
	return err
}

func writeFile(w io.Writer, r *Shown) {
	if r.File != "" {
		line(w, "written to %s", r.File)
	}
}

// writeError writes the mistake of a model and where it was met.
func writeError(w io.Writer, e *model.Error) {
	line(w, "\n%s\n  %s", term.Bad("model error: "+e.Subject()), e.What)
	for _, x := range [][2]string{
		{"at", e.Where}, {"state", e.State}, {"message", e.Message}, {"once", e.First}, {"again", e.Second},
	} {
		if x[1] != "" {
			line(w, "  %-8s %s", x[0]+":", x[1])
		}
	}
}

// Flagged writes an option as the command line has it.
func Flagged(o usage.Option) string { return "--" + string(o) }
