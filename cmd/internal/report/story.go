package report

import (
	"io"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// ink colours a part of a story.
func ink(i traces.Style, text string) printable.Raw {
	return map[traces.Style]func(string) printable.Raw{
		traces.Wrong: term.Bad, traces.Goal: term.Good, traces.Inside: term.Inside,
		traces.Message: term.Message, traces.Muted: term.Faint,
	}[i](text)
}

// stories writes what is violated, the run that shows it, and what can be done with it. It returns false if
// nothing that a run shows is.
func (c *Check) stories(w io.Writer, o traces.Options) (any bool) {
	for i := range c.Report.Properties {
		if p := &c.Report.Properties[i]; p.Verdict != explore.Violated || p.Path == nil {
			continue
		}
		if any {
			line(w, "")
		}
		traces.Sentences(w, c.Runs[i].Run, o)
		if !any {
			c.aboutRun(w, c.Runs[i].Run, o)
		}
		any = true
		line(w, "")
		traces.Story(w, c.Runs[i].Run, o)
		writeFile(w, c.Runs[i])
	}
	if any {
		c.next(w)
	}
	return any
}

// aboutRun says of which model a run is, with the parameters that were set, and how it is found again.
func (c *Check) aboutRun(w io.Writer, r *traces.Run, o traces.Options) {
	a := c.Program.About(r.Trace)
	line(w, "%s%s", term.Bold(c.Spec.Name), strings.Join(append([]string{""}, a.Set...), " "))
	what := a.Title
	if a.Source != "" {
		what += ", " + a.Source
	}
	for _, part := range traces.Wrap(what, o.Width) {
		line(w, "%s", term.Faint(part))
	}
	c.unread(w)
	line(w, "%s %s", term.Faint("Again:"), a.Command)
}

// next says what can be done with what was found.
func (c *Check) next(w io.Writer) {
	name := c.Kept
	if first := c.Shown()[0]; c.Mistaken == nil && first.File != "" {
		name = first.File
	}
	if name == "" {
		return
	}
	line(w, "")
	for _, x := range [][4]string{
		{"replay", "all steps", "--as html > run.html", "as a page in a file"},
		{"explore", "in the browser; take another way", "--tty", "in the terminal"},
	} {
		line(w, "  %s %s %s  %s\n    %-20s  %s", c.Program.Name, x[0], name, term.Faint(x[1]), x[2],
			term.Faint(x[3]))
	}
}
