package cmd

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// ink colours a part of a story.
func ink(i traces.Style, text string) printable.Raw {
	return map[traces.Style]func(string) printable.Raw{
		traces.Wrong: bad, traces.Goal: good, traces.Inside: inside, traces.Message: message,
		traces.Muted: faint,
	}[i](text)
}

// stories writes what is violated, the run that shows it, and what can be done with it. It returns false if
// nothing that a run shows is.
func (c *checked) stories(w io.Writer, o traces.Options) (any bool) {
	for i := range c.report.Properties {
		if p := &c.report.Properties[i]; p.Verdict != explore.Violated || p.Path == nil {
			continue
		}
		if any {
			printable.Fprintln(w)
		}
		traces.Sentences(w, c.runs[i], o)
		if !any {
			c.about(w, c.runs[i], o)
		}
		any = true
		printable.Fprintln(w)
		traces.Story(w, c.runs[i], o)
		c.written(w, i)
	}
	if any {
		c.next(w)
	}
	return any
}

// about says of which model a run is, with the parameters that were set, and how it is found again.
func (c *checked) about(w io.Writer, r *traces.Run, o traces.Options) {
	a := c.program.about(r.Trace)
	set := strings.Join(append([]string{""}, a.Set...), " ")
	printable.Fprintf(w, "%s%s\n", bold(c.spec.Name), set)
	what := a.Title
	if a.Source != "" {
		what += ", " + a.Source
	}
	for _, line := range traces.Wrap(what, o.Width) {
		printable.Fprintf(w, "%s\n", faint(line))
	}
	c.unread(w)
	printable.Fprintf(w, "%s %s\n", faint("Again:"), a.Command)
}

// next says what can be done with what was found.
func (c *checked) next(w io.Writer) {
	file := ""
	if c.files != nil {
		for i := range slices.Backward(c.files) {
			if c.files[i] != "" && c.runs[i] != nil && c.report.Properties[i].Verdict == explore.Violated {
				file = " " + c.files[i]
			}
		}
	}
	if file == "" && c.kept == "" {
		return
	}
	name := c.program.Name + " replay" + cmp.Or(file, " "+c.kept)
	printable.Fprintf(w, "\n  %s  %s\n", name, faint("all steps"))
	for _, x := range [][2]string{
		{"--explore", "in the browser; take another way"},
		{"--tty", "in the terminal"},
		{"--as html > run.html", "as a page in a file"},
	} {
		printable.Fprintf(w, "    %-20s  %s\n", x[0], faint(x[1]))
	}
}

// A jsonHead is what a report in JSON begins with: what the first run that violates something shows, and of
// which model.
type jsonHead struct {
	Sentence string   `json:"sentence,omitempty"`
	Says     string   `json:"says,omitempty"` // what the property demands
	Culprits []string `json:"culprits,omitempty"`
	Title    string   `json:"title"`
	Source   string   `json:"source"`
	Set      []string `json:"set"`               // parameters that are not as by default
	Command  string   `json:"command,omitempty"` // finds it again
}

// head returns the beginning of a report in JSON.
func (c *checked) head() jsonHead {
	r := c.counterexample()
	if r == nil {
		a := c.program.about(&traces.Trace{Header: c.program.header(c.spec, c.args, "")})
		return jsonHead{Title: a.Title, Source: a.Source, Set: a.Set}
	}
	a := c.program.about(r.Trace)
	h := jsonHead{Sentence: r.Sentence(), Culprits: r.Culprits(), Title: a.Title, Source: a.Source,
		Set: a.Set, Command: a.Command}
	for _, p := range r.Instance().Space.Properties() {
		if p.Name == r.Trace.Property {
			h.Says = p.Doc
		}
	}
	return h
}
