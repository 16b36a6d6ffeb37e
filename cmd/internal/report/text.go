package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// Settings lists the parameters, each after a blank; empty ones are left out.
func Settings(a *model.Args) string {
	var b strings.Builder
	for _, kv := range a.List() {
		if kv[1] != "" {
			printable.Fprintf(&b, " %s=%s", kv[0], kv[1])
		}
	}
	return b.String()
}

// Parameters returns all parameters by their names.
func parameters(a *model.Args) map[string]string {
	all := map[string]string{}
	for _, kv := range a.List() {
		all[kv[0]] = kv[1]
	}
	return all
}

// A Row is the verdict on one property.
type Row struct {
	Verdict, Name string
	Text          printable.Raw
	Lines         []printable.Raw // below the text
}

// A NotAsked is a property that was not asked, and the reason.
type NotAsked struct {
	Name    string `json:"name"`
	Because string `json:"because"`
}

// writeRows writes the verdicts on properties as a table.
func writeRows(w io.Writer, rows []Row, not []NotAsked) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r.Name))
	}
	for _, p := range not {
		width = max(width, len(p.Name))
	}
	for _, r := range rows {
		verdict := term.Verdict(r.Verdict, fmt.Sprintf("%-8s", r.Verdict))
		printable.Fprintf(w, "  %s  %-*s  %s\n", verdict, width, r.Name, r.Text)
		for _, line := range r.Lines {
			printable.Fprintf(w, "  %-8s  %-*s  %s\n", "", width, "", line)
		}
	}
	for _, p := range not {
		printable.Fprintf(w, "  %s %-*s  %s\n", term.Faint("not asked"), width, p.Name+":", p.Because)
	}
}

// writeFired writes how often each action happened.
func writeFired(w io.Writer, actions []lts.Action, fired []int64) error {
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	for i, a := range actions {
		printable.Fprintf(tw, "  %s\t  %s\t\n", printable.Number(fired[i]), a.Name)
	}
	return tw.Flush()
}

// WriteError writes the mistake of a model and where it was met.
func WriteError(w io.Writer, e *model.Error) {
	printable.Fprintf(w, "\n%s\n  %s\n", term.Bad("model error: "+e.Subject()), e.What)
	for _, line := range [][2]string{
		{"at", e.Where}, {"state", e.State}, {"message", e.Message}, {"once", e.First}, {"again", e.Second},
	} {
		if line[1] != "" {
			printable.Fprintf(w, "  %-8s %s\n", line[0]+":", line[1])
		}
	}
}

// Flagged writes an option as the command line has it.
func Flagged(o usage.Option) string { return "--" + string(o) }
