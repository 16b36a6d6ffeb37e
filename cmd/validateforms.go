//go:build !js

package cmd

import (
	"bufio"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// text writes the judgement for a person.
func (v *validation) text(w *bufio.Writer) error {
	if v.spec != nil {
		printable.Fprintf(w, "%s%s\n", bold(v.spec.Name), settings(v.args))
	}
	printable.Fprintf(w, "%s\n\n", v.summary())
	points := v.points()
	for _, p := range points {
		paint := map[string]func(string) printable.Raw{"error": bad, "warning": maybe, "note": faint}[p.level]
		printable.Fprintf(w, "  %s  %s\n", paint(fmt.Sprintf("%-7s", p.level)), p.text)
		switch {
		case p.overlap != nil:
			for _, line := range stayLines(p.overlap) {
				printable.Fprintf(w, "           %s\n", line)
			}
		case p.details != nil:
			for _, d := range p.details {
				printable.Fprintf(w, "           %s\n", d)
			}
		case len(p.places) > 0:
			printable.Fprintf(w, "           %s\n", faint(placeList(p.places)))
		}
	}
	if len(points) > 0 {
		printable.Fprintln(w)
	}
	for _, line := range v.figures() {
		printable.Fprintln(w, line)
	}
	if v.flags.stats {
		for _, line := range v.statistics() {
			printable.Fprintln(w, line)
		}
	}
	if v.Explanation != nil {
		printable.Fprintln(w, v.Coverage())
	}
	printable.Fprintln(w, colourVerdict(v.Verdict()))
	return nil
}

// summary says what was read.
func (v *validation) summary() string {
	s := fmt.Sprintf("%s, %s of %s; %s", plural(int64(len(v.Log.Files)), "file"),
		plural(int64(v.Log.Events()), "event"),
		plural(int64(len(v.Log.Nodes)), "node"), orderOf(v.Log))
	if v.Log.Ignored > 0 {
		s += fmt.Sprintf("; %s left out", plural(int64(v.Log.Ignored), "event"))
	}
	if v.Log.Skipped > 0 {
		s += fmt.Sprintf("; %s left out", plural(int64(v.Log.Skipped), "line"))
	}
	return s
}

// maxFigures is the number of resources whose figures are shown.
const maxFigures = 20

// figures says how many units of each resource were in use.
func (v *validation) figures() (lines []string) {
	for _, u := range v.Uses[:min(len(v.Uses), maxFigures)] {
		lines = append(lines, v.figure(u))
	}
	if more := len(v.Uses) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, none worse", plural(int64(more), "resource")))
	}
	return lines
}

func (v *validation) figure(u *logs.Occupancy) string {
	name := ""
	if u.Resource != "" {
		name = u.Resource + " "
	}
	of := ""
	if u.K != math.MaxInt {
		of = " of " + plural(int64(u.K), "unit")
	}
	what := "in use"
	if u.K == logs.AnyNumber {
		what, of = "inside", ""
	}
	s := fmt.Sprintf("%s%s at once: certainly %s, possibly %s%s; %s",
		name, what, validate.InUse(u.K, u.Certainly), validate.InUse(u.K, u.Possibly), of,
		plural(int64(u.Holdings), "holding"))
	if u.Open > 0 {
		s += fmt.Sprintf(", %d without a release", u.Open)
	}
	if u.Crashes > 0 {
		s += ", " + validate.Crashes(u.Crashes)
	}
	if t := u.Tokens; t != nil {
		s += fmt.Sprintf("; %s handed out and %s used, %s of them stale", plural(int64(t.Granted), "token"),
			number(int64(t.Used)),
			number(int64(t.Count)))
	}
	return s
}

// statistics says how long units were held, and how many were in use over time.
func (v *validation) statistics() (lines []string) {
	for _, u := range v.Uses[:min(len(v.Uses), maxFigures)] {
		of := ""
		if u.Resource != "" {
			of = u.Resource + " "
		}
		if h := u.Held; h != nil {
			lines = append(lines, of+"held for "+spread(h))
		}
		if w := u.Waited; w != nil && w.Holdings > 0 {
			lines = append(lines, of+"waited for "+spread(&w.Spread))
		}
		if w := u.Waited; w != nil && w.Waiting > 0 {
			lines = append(lines, fmt.Sprintf("%s%s waited and got nothing; longest %s, for %s from %s", of,
				plural(int64(w.Waiting), "node"),
				w.LongestWaiting.Node, short(w.LongestWaiting.Waited), w.LongestWaiting.Since))
		}
		if b := u.Busy; b != nil {
			lines = append(lines, fmt.Sprintf("%sin use on average: %.3g of %s; all of them for %.3g%% of %s",
				of, b.Mean,
				plural(int64(u.K), "unit"), 100*b.Full, short(b.Span)))
			lines = append(lines, fmt.Sprintf("%sin use over time: %s each %s", of,
				bars(b.Series, float64(u.K)), short(b.Step)))
		}
	}
	if len(lines) == 0 {
		return []string{"no statistics: the log has no times that are an order (--skew)"}
	}
	return lines
}

// spread says how long something took.
func spread(h *logs.Spread) string {
	line := fmt.Sprintf("%s at the median, %s in 90%% and %s in 99%% of %s, at most %s", short(h.Median),
		short(h.P90),
		short(h.P99), plural(h.Holdings, "holding"), short(h.Max))
	if h.Longest != nil {
		line += fmt.Sprintf(" by %s from %s", h.Longest.Node, h.Longest.Enter)
	}
	return line
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

// stayLines lists the stays of an overlap set.
func stayLines(c *logs.OverlapSet) (lines []string) {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range c.Holdings {
		s := &c.Holdings[i]
		from, left := "from "+s.Enter.String(), "not released"
		switch {
		case s.Release != nil && *s.Release == s.Enter: // its line tells all of it
			from, left = "at "+s.Enter.String(), ""
		case s.Release != nil:
			left = "to " + s.Release.String()
		}
		units := ""
		switch {
		case s.Mode != "":
			units = s.Mode + "s"
		case s.Units > 1:
			units = plural(int64(s.Units), "unit")
		}
		printable.Fprintf(tw, "%s\t%s\t%s\t%s\n", s.Node, from, left, strings.TrimLeft(units+"  "+s.Note,
			" "))
	}
	_ = tw.Flush() // strings.Builder takes everything
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}

// placeList lists some places.
func placeList(places []logs.Place) string {
	const room = 8
	var words []string
	for _, p := range places[:min(len(places), room)] {
		words = append(words, p.String())
	}
	if len(places) > room {
		words = append(words, "...")
	}
	return strings.Join(words, ", ")
}

// validateReport is the judgement in JSON. Fields may be added; these stay.
type validateReport struct {
	Verdict    string            `json:"verdict"`
	Spec       string            `json:"spec,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
	K          int               `json:"k,omitempty"`
	Files      []string          `json:"files"`
	Formats    []string          `json:"formats"`
	Nodes      []string          `json:"nodes"`
	Events     int               `json:"events"`
	Ignored    int               `json:"ignored"`
	Skipped    int               `json:"skipped"`
	Order      []string          `json:"order"`
	Findings   []logs.Finding    `json:"findings"`
	// Occupancy is that of the worst resource; Resources are all, if there are several.
	Occupancy *logs.Occupancy   `json:"occupancy,omitempty"`
	Resources []*logs.Occupancy `json:"resources,omitempty"`
	Explained *explainReport    `json:"explanation,omitempty"`
	Notes     []string          `json:"notes"`
}

// json writes the judgement for a program.
func (v *validation) json(w *bufio.Writer) error {
	r := validateReport{
		Verdict: string(v.Verdict()), K: v.K, Files: list(v.Log.Files), Formats: list(v.Log.Formats),
		Nodes:  list(v.Log.Nodes),
		Events: v.Log.Events(), Ignored: v.Log.Ignored, Skipped: v.Log.Skipped, Order: list(v.Log.Order()),
		Findings:  list(v.Log.Findings),
		Occupancy: v.Use, Explained: v.explainJSON(), Notes: list(v.caveats()),
	}
	if v.spec != nil {
		r.Spec, r.Parameters = v.spec.Name, map[string]string{}
		for _, kv := range v.args.List() {
			r.Parameters[kv[0]] = kv[1]
		}
	}
	for _, u := range v.Uses {
		u.Definite = list(u.Definite)
	}
	if len(v.Uses) > 1 {
		r.Resources = v.Uses
	}
	return printable.EncodeJSON(w, r, "")
}

// explainReport is what came of the second pass.
type explainReport struct {
	Verdict    explain.Verdict   `json:"verdict"`
	Reason     string            `json:"reason,omitempty"`
	Lines      int               `json:"lines"`
	Explained  int               `json:"explained"`
	States     int64             `json:"states"`
	Budget     int               `json:"budget"`
	Tail       int               `json:"tail"`
	Inside     int               `json:"inside"`
	Entries    int               `json:"entries"`
	Crashes    int               `json:"crashes"`
	Hidden     int               `json:"hidden"`
	Received   int               `json:"received"`
	Never      []string          `json:"never"`
	Violated   []string          `json:"violated"`
	Reached    []string          `json:"reached"`
	Frontiers  []explainFrontier `json:"frontiers"`
	Repairable *bool             `json:"repairable,omitempty"`
	Missing    []explainStep     `json:"missing,omitempty"`
}

type explainFrontier struct {
	Last    *logs.Place      `json:"last,omitempty"`
	Blocked []explainBlocked `json:"blocked"`
	State   []traces.Var     `json:"state"`
}

type explainBlocked struct {
	Node    string     `json:"node"`
	Event   string     `json:"event"`
	At      logs.Place `json:"at"`
	Why     string     `json:"why"`
	Waits   bool       `json:"waits"`
	Enabled []string   `json:"enabled"`
}

type explainStep struct {
	Node   string       `json:"node"`
	Text   string       `json:"text"`
	Places []logs.Place `json:"places"`
}

// explainJSON puts the second pass into its form for programs.
func (v *validation) explainJSON() *explainReport {
	r := v.Explanation
	if r == nil {
		return nil
	}
	e := &explainReport{
		Verdict: r.Verdict, Reason: r.Reason, Lines: r.Lines, Explained: r.Explained, States: r.States,
		Budget: v.flags.explain.budget, Tail: v.Tail, Inside: r.Vacuity.Inside, Entries: r.Vacuity.Entries,
		Crashes: r.Vacuity.Crashes,
		Hidden:  r.Vacuity.Hidden, Received: r.Vacuity.Switches, Never: list(r.Vacuity.Never),
		Violated: []string{}, Reached: []string{}, Frontiers: []explainFrontier{},
	}
	for _, p := range r.Properties {
		switch {
		case p.Violated && p.Kind == model.Reachable:
			e.Reached = append(e.Reached, p.Name)
		case p.Violated && p.Judged:
			e.Violated = append(e.Violated, p.Name)
		}
	}
	for i := range r.Furthest {
		e.Frontiers = append(e.Frontiers, frontierJSON(&r.Furthest[i]))
	}
	if r.Repair != nil && (r.Repair.Found || r.Repair.Exhausted) {
		e.Repairable = &r.Repair.Found
	}
	if r.Repair != nil {
		for i := range r.Repair.Missing {
			s := &r.Repair.Missing[i]
			e.Missing = append(e.Missing, explainStep{s.Node, s.Text, list(validate.StepPlaces(s))})
		}
	}
	return e
}

func frontierJSON(f *explain.FurthestCut) explainFrontier {
	x := explainFrontier{Blocked: []explainBlocked{}, State: []traces.Var{}}
	if f.Last != nil {
		at := validate.EventPlace(f.Last)
		x.Last = &at
	}
	for _, b := range f.Blocked {
		x.Blocked = append(x.Blocked, explainBlocked{b.Node, b.Event.Name, validate.EventPlace(b.Event),
			b.Why,
			b.Waits, list(b.Enabled)})
	}
	for _, s := range f.State {
		x.State = append(x.State, traces.Var{Owner: s.Owner, Name: s.Name, Value: s.Value})
	}
	return x
}

// list is a list that is written as one, even if it is empty.
func list[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

// orderOf says what the events of different nodes are ordered by.
func orderOf(l *logs.Log) string {
	if by := l.Order(); len(by) > 0 {
		return "ordered by " + strings.Join(by, " and ")
	}
	return "each node in its own order"
}
