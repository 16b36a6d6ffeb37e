//go:build !js

package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

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
	lines := v.figures()
	if v.Statistics {
		lines = append(lines, v.statistics()...)
	}
	for _, text := range lines {
		line(w, "%s", text)
	}
	if v.Explanation != nil {
		line(w, "%s", v.Coverage())
	}
	line(w, "%s", term.Verdict(v.Verdict(), string(v.Verdict())))
	return w.Flush()
}

// summary says what was read.
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

// figures says how many units of each resource were in use.
func (v *Log) figures() (lines []string) {
	for _, u := range v.Uses[:min(len(v.Uses), maxFigures)] {
		lines = append(lines, v.figure(u))
	}
	if more := len(v.Uses) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, none worse", printable.Plural(more, "resource")))
	}
	return lines
}

// before is the name of a resource before a sentence about it; "" if the log names none.
func before(u *logs.Occupancy) string { return strings.TrimPrefix(u.Resource+" ", " ") }

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
		before(u), what, validate.InUse(u.K, u.Certainly), validate.InUse(u.K, u.Possibly), of,
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

// statistics says how long units were held, and how many were in use over time.
func (v *Log) statistics() (lines []string) {
	for _, u := range v.Uses[:min(len(v.Uses), maxFigures)] {
		add := func(format string, a ...any) { lines = append(lines, before(u)+fmt.Sprintf(format, a...)) }
		if h := u.Held; h != nil {
			add("held for %s", spread(h))
		}
		if w := u.Waited; w != nil && w.Holdings > 0 {
			add("waited for %s", spread(&w.Spread))
		}
		if w := u.Waited; w != nil && w.Waiting > 0 {
			add("%s waited and got nothing; longest %s, for %s from %s", printable.Plural(w.Waiting, "node"),
				w.LongestWaiting.Node, short(w.LongestWaiting.Waited), w.LongestWaiting.Since)
		}
		if b := u.Busy; b != nil {
			add("in use on average: %.3g of %s; all of them for %.3g%% of %s", b.Mean,
				printable.Plural(u.K, "unit"), 100*b.Full, short(b.Span))
			add("in use over time: %s each %s", bars(b.Series, float64(u.K)), short(b.Step))
		}
	}
	if len(lines) == 0 {
		return []string{"no statistics: the log has no times that are an order (--skew)"}
	}
	return lines
}

// spread says how long something took.
func spread(h *logs.Spread) string {
	text := fmt.Sprintf("%s at the median, %s in 90%% and %s in 99%% of %s, at most %s", short(h.Median),
		short(h.P90), short(h.P99), printable.Plural(h.Holdings, "holding"), short(h.Max))
	if h.Longest != nil {
		text += fmt.Sprintf(" by %s from %s", h.Longest.Node, h.Longest.Enter)
	}
	return text
}

// bars draws shares of a whole, in eighths; what is more than nothing has at least one.
func bars(values []float64, whole float64) string {
	eighths := []rune(" ▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range values {
		i := int(math.Round(8 * v / whole))
		if v > 0 {
			i = max(i, 1)
		}
		b.WriteRune(eighths[min(i, 8)])
	}
	return b.String()
}

// short is a time with three digits.
func short(ns int64) string {
	d := time.Duration(ns)
	for unit := time.Duration(1); unit < time.Hour; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit).String()
		}
	}
	return d.Round(time.Minute).String()
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
