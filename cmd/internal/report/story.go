package report

import (
	"cmp"
	"io"
	"slices"
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
			printable.Fprintln(w)
		}
		traces.Sentences(w, c.Runs[i], o)
		if !any {
			c.aboutRun(w, c.Runs[i], o)
		}
		any = true
		printable.Fprintln(w)
		traces.Story(w, c.Runs[i], o)
		c.written(w, i)
	}
	if any {
		c.next(w)
	}
	return any
}

// aboutRun says of which model a run is, with the parameters that were set, and how it is found again.
func (c *Check) aboutRun(w io.Writer, r *traces.Run, o traces.Options) {
	a := c.Program.About(r.Trace)
	set := strings.Join(append([]string{""}, a.Set...), " ")
	printable.Fprintf(w, "%s%s\n", term.Bold(c.Spec.Name), set)
	what := a.Title
	if a.Source != "" {
		what += ", " + a.Source
	}
	for _, line := range traces.Wrap(what, o.Width) {
		printable.Fprintf(w, "%s\n", term.Faint(line))
	}
	c.unread(w)
	printable.Fprintf(w, "%s %s\n", term.Faint("Again:"), a.Command)
}

// next says what can be done with what was found.
func (c *Check) next(w io.Writer) {
	file := ""
	if c.Files != nil {
		for i := range slices.Backward(c.Files) {
			if c.Files[i] != "" && c.Runs[i] != nil && c.Report.Properties[i].Verdict == explore.Violated {
				file = " " + c.Files[i]
			}
		}
	}
	if file == "" && c.Kept == "" {
		return
	}
	printable.Fprintln(w)
	name := cmp.Or(file, " "+c.Kept)
	for _, x := range [][4]string{
		{"replay", "all steps", "--as html > run.html", "as a page in a file"},
		{"explore", "in the browser; take another way", "--tty", "in the terminal"},
	} {
		printable.Fprintf(w, "  %s %s%s  %s\n    %-20s  %s\n", c.Program.Name, x[0], name, term.Faint(x[1]),
			x[2],
			term.Faint(x[3]))
	}
}

// mistake writes what is wrong with the model itself, with the run that leads there.
func (c *Check) mistake(w io.Writer) error {
	m := c.Report.Mistake
	if m == nil {
		return nil
	}
	WriteError(w, m.Error)
	if c.Mistaken == nil {
		return nil
	}
	printable.Fprintf(w, "  %s\n\n", term.Faint("the shortest run that leads there has "+
		printable.Plural(m.Length, "step")))
	if err := traces.Render(w, "text", c.Mistaken, traces.Options{}); err != nil {
		return err
	}
	if c.MistakeFile != "" {
		printable.Fprintf(w, "written to %s\n", c.MistakeFile)
	}
	return nil
}
