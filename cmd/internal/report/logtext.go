//go:build !js

package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// Text writes the judgement for a person.
func (v *Log) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	if v.Subject != nil {
		heading(w, v.Subject)
	}
	line(w, "%s\n", v.summary())
	v.Doc().writeFindings(w)
	for _, text := range v.figures() {
		line(w, "%s", text)
	}
	if v.Explanation != nil {
		line(w, "%s", v.Coverage())
	}
	line(w, "%s", term.Verdict(v.Verdict(), string(v.Verdict())))
	return w.Flush()
}

// summary describes the input.
func (v *Log) summary() string {
	order := "each node in its own order"
	if by := v.Log.Order(); len(by) > 0 {
		order = "ordered by " + strings.Join(by, " and ")
	}
	s := fmt.Sprintf("%s, %s of %s; %s", printable.Plural(len(v.Log.Files), "file"),
		printable.Plural(v.Log.Events(), "event"), printable.Plural(len(v.Log.Nodes), "node"), order)
	if v.Log.Ignored > 0 {
		s += "; " + printable.Plural(v.Log.Ignored, "event") + " left out"
	}
	if v.Log.Skipped > 0 {
		s += "; " + printable.Plural(v.Log.Skipped, "line") + " left out"
	}
	return s
}

// maxFigures is the number of resources whose figures are shown.
const maxFigures = 20

// figures has a line for each resource: the units in use.
func (v *Log) figures() (lines []string) {
	for _, u := range v.Uses[:min(len(v.Uses), maxFigures)] {
		lines = append(lines, v.figure(u))
	}
	if more := len(v.Uses) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, none worse", printable.Plural(more, "resource")))
	}
	return lines
}

func (v *Log) figure(u *logs.Occupancy) string {
	what, of := "in use", ""
	switch u.K {
	case math.MaxInt:
	case logs.AnyNumber:
		what = "inside"
	default:
		of = " of " + printable.Plural(u.K, "unit")
	}
	s := fmt.Sprintf("%s%s at once: certainly %s, possibly %s%s; %s",
		strings.TrimPrefix(u.Resource+" ", " "), what, validate.InUse(u.K, u.Certainly),
		validate.InUse(u.K, u.Possibly), of,
		printable.Plural(u.Holdings, "holding"))
	if u.Open > 0 {
		s += fmt.Sprintf(", %d without a release", u.Open)
	}
	if u.Crashes > 0 {
		s += ", " + printable.Plural(u.Crashes, "crash")
	}
	if t := u.Tokens; t != nil {
		s += fmt.Sprintf("; %s handed out and %s used, %s of them stale",
			printable.Plural(t.Granted, "token"), printable.Number(t.Used), printable.Number(t.Count))
	}
	return s
}

// Holdings lists the holding intervals of an overlap set.
func Holdings(c *logs.OverlapSet) (lines []string) {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range c.Holdings {
		s := &c.Holdings[i]
		from, left := "from "+s.Enter.String(), "not released"
		switch {
		case s.Release != nil && *s.Release == s.Enter: // one line has the whole holding
			from, left = "at "+s.Enter.String(), ""
		case s.Release != nil:
			left = "to " + s.Release.String()
		}
		note := s.Note
		switch {
		case s.Mode != "":
			note = s.Mode + "s  " + note
		case s.Units > 1:
			note = printable.Plural(s.Units, "unit") + "  " + note
		}
		line(tw, "%s\t%s\t%s\t%s", s.Node, from, left, note)
	}
	_ = tw.Flush() // strings.Builder takes everything
	for text := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(text, " \n"))
	}
	return lines
}
