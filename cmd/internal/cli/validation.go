//go:build !js

package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
)

// The verdicts on a log.
const (
	accepted  = "accepted"
	rejected  = "rejected"
	undecided = "undecided"
)

// validation is the judgement of a log.
type validation struct {
	program *Program // that judges
	flags   *validateFlags
	files   []string // that were read
	log     *logs.Log
	k       int // units that may be in use at once; 0: not known
	// uses says how much of each resource was in use, the worst first, and use is the first of
	// them; nil: the log contradicts itself.
	uses []*logs.Occupancy
	use  *logs.Occupancy

	// The model that the log is a run of; nil: none is known.
	spec   *model.Spec
	failed error // why there is none, though one is named
	in     model.Instance
	args   *model.Args

	explanation *explain.Report // of the second pass; nil: it was not made
	tail        int             // so many last lines of each node may be lost
}

// occupy makes the first pass, about stays in the critical section alone, for a log that was read.
func (v *validation) occupy() {
	if !v.log.Contradictory() {
		v.uses = v.log.Occupancies(v.bound, v.flags.reading())
	}
	v.rank()
}

// rank puts the worst resource first.
func (v *validation) rank() {
	switch {
	case v.log.Contradictory():
		return
	case v.unnamed():
		v.uses, v.use = nil, &logs.Occupancy{K: v.k, Exact: true}
		return
	}
	slices.SortStableFunc(v.uses, func(a, b *logs.Occupancy) int { return badness(b) - badness(a) })
	v.use = v.uses[0]
}

// unnamed reports whether stays cannot be told by the names of the model's actions. Then nothing
// is known of them but what the run of the model says.
func (v *validation) unnamed() bool {
	if v.spec == nil || v.flags.staysOnly {
		return false
	}
	var names []string
	for _, act := range v.in.Space.Actions() {
		if act.Kind != model.Spontaneous { // who only wishes to enter does not
			names = append(names, act.Name)
		}
	}
	return !logs.Staying(names)
}

// bound is the number of units of a resource that may be in use at once.
func (v *validation) bound(resource string) int {
	k, given := v.flags.bounds[resource]
	switch {
	case given:
		return k
	case v.k == 0:
		return math.MaxInt
	}
	return v.k
}

// broken reports whether a resource is not as it should be in every order of events.
func broken(u *logs.Occupancy) bool { return u.Count > 0 || u.Tokens != nil && u.Tokens.Count > 0 }

// badness is larger for what is worse.
func badness(u *logs.Occupancy) int {
	switch {
	case broken(u):
		return 3
	case u.Possible != nil || !u.Exact || u.ShortLeases > 0:
		return 2
	case u.Stays == 0:
		return 0
	}
	return 1
}

// whole refuses a log in which lines are missing, if it has to be whole.
func (v *validation) whole() error {
	for i := range v.log.Findings {
		if f := &v.log.Findings[i]; v.flags.strict && f.Missing() {
			return unusable(f.Places[0], "%s; --strict refuses that", f.Text)
		}
	}
	return nil
}

// unusable returns the error that a log cannot be used.
func unusable(at logs.Place, format string, a ...any) error {
	return inputError{&logs.InputError{Place: at, Why: usage.Textf(format, a...)}}
}

// mixed reports whether the log may be about several locks that are taken for one.
func (v *validation) mixed() bool { return len(v.log.Hints) > 0 }

// verdict sums it up.
func (v *validation) verdict() string {
	x := v.explanation
	switch {
	case v.use == nil || broken(v.use) && !v.mixed():
		return rejected
	case x != nil && (x.Verdict == explain.Rejected || x.Verdict == explain.Accepted && v.broken()):
		return rejected
	case x != nil && x.Verdict == explain.Accepted:
		return accepted
	case x != nil || badness(v.use) != 1:
		return undecided
	}
	return accepted
}

// broken reports whether the explanation violates a property that is to hold.
func (v *validation) broken() bool {
	return slices.ContainsFunc(v.explanation.Properties, func(p explain.Property) bool {
		return violates(&p) && v.wanted(p.Name)
	})
}

func (v *validation) code() int {
	return map[string]int{accepted: exitHolds, rejected: exitViolated, undecided: exitUnknown}[v.verdict()]
}

// A point is one thing that the judgement says, in all forms of the report.
type point struct {
	rule   string // its kind, for programs
	level  string // error, warning or note
	text   string
	places []logs.Place

	overlap *logs.OverlapSet // the stays it is about; nil: none
	details []string         // further lines, for people
}

// points lists what there is to say, the worst first.
func (v *validation) points() (ps []point) {
	for i := range v.log.Findings {
		if f := &v.log.Findings[i]; f.Contradiction() {
			ps = append(ps, v.finding(f, "error"))
		}
	}
	for _, u := range v.uses {
		ps = append(ps, v.overlaps(u)...)
		ps = append(ps, seams(u)...)
		ps = append(ps, shortLeases(u)...)
		ps = append(ps, v.stale(u)...)
	}
	for _, field := range v.log.Hints {
		text := fmt.Sprintf("field %q of the events has several values: if they name different locks, "+
			"--resource %s judges each for itself; if not, --resource - takes all for one", field, field)
		ps = append(ps, point{rule: "several-locks", level: "warning", text: text})
	}
	if v.explanation != nil {
		ps = append(ps, v.explained()...)
	}
	for i := range v.log.Findings {
		if f := &v.log.Findings[i]; !f.Contradiction() {
			level := "warning"
			if f.Kind == logs.TimeBack || f.Kind == logs.Nested || f.Kind == logs.Restart {
				level = "note"
			}
			ps = append(ps, v.finding(f, level))
		}
	}
	for _, text := range v.emptiness() {
		ps = append(ps, point{rule: "proves-little", level: "note", text: text})
	}
	slices.SortStableFunc(ps, func(a, b point) int {
		return slices.Index(levels, a.level) - slices.Index(
			levels, b.level)
	})
	return ps
}

// levels are those of points, the worst first.
var levels = []string{"error", "warning", "note"}

func (v *validation) finding(f *logs.Finding, level string) point {
	text := f.Text
	if f.More > 0 {
		text += fmt.Sprintf("; and %d more like this", f.More)
	}
	return point{rule: string(f.Kind), level: level, text: text, places: f.Places}
}

// overlaps are the points about too many units of a resource in use at once.
func (v *validation) overlaps(u *logs.Occupancy) (ps []point) {
	level, of := v.serious()
	for i := range u.Definite {
		c := &u.Definite[i]
		text := excess(u.Resource, u.K, c.Units) + of + ", " + inEveryOrder(c)
		switch {
		case c.Passing:
			text = "at least " + text + ": whenever the last of these stays was, others were inside"
		case c.Shifting:
			text = "at least " + text +
				": there is none for these stays in which that is not so at some moment"
		}
		if more := u.Count - len(u.Definite); more > 0 && i == len(u.Definite)-1 {
			text += fmt.Sprintf("; and %s more such moments", number(int64(more)))
		}
		ps = append(ps, point{rule: "more-than-k", level: level, text: text, places: entries(c), overlap: c})
	}
	if c := u.Possible; c != nil {
		text := excess(u.Resource, u.K, c.Units) + of + ", in some order of events that fits the log; "
		if u.Avoidable {
			text += "in another one there are never so many"
		} else {
			text += "not shown to be so in every order"
		}
		ps = append(ps, point{rule: "possibly-more-than-k", level: "warning", text: text, places: entries(c),
			overlap: c})
	}
	return ps
}

// inEveryOrder says when an overlap set is one.
func inEveryOrder(c *logs.OverlapSet) string {
	text := "in every order of events that fits the log"
	if len(c.Unlost) > 0 {
		text += ", if no release by " + strings.Join(c.Unlost, " and ") + " is lost, which " +
			"no counts (seq) would show"
	}
	return text
}

// serious is the level of what is wrong in every order, and what it depends on.
func (v *validation) serious() (level, depends string) {
	if v.mixed() {
		return "warning", " if all events are about one lock"
	}
	return "error", ""
}

// excess says that too much of a resource is in use.
func excess(resource string, k, units int) string {
	of := ""
	if resource != "" {
		of = " of " + resource
	}
	if k == logs.AnyNumber {
		return fmt.Sprintf("%s%s inside at once, where a writer has to be alone", inUse(k, units), of)
	}
	return fmt.Sprintf("%d units%s in use at once, where %d may be", units, of, k)
}

// inUse says who uses so many units: those of a lock of readers and writers have no number.
func inUse(k, units int) string {
	if k != logs.AnyNumber {
		return strconv.Itoa(units)
	}
	readers, writers := plural(int64(units%k), "reader"), plural(int64(units/k), "writer")
	switch {
	case units < k:
		return readers
	case units%k == 0:
		return writers
	}
	return writers + " and " + readers
}

// stale are the points about fencing tokens.
func (v *validation) stale(u *logs.Occupancy) (ps []point) {
	if u.Tokens == nil {
		return nil
	}
	level, of := v.serious()
	for i := range u.Tokens.Stale {
		s := &u.Tokens.Stale[i]
		text := staleText(u.Resource, s) + of + ", in every order of events that fits the log"
		if more := u.Tokens.Count - len(u.Tokens.Stale); more > 0 && i == len(u.Tokens.Stale)-1 {
			text += fmt.Sprintf("; and %s more such tokens", number(int64(more)))
		}
		ps = append(ps, point{rule: "stale-token", level: level, text: text, places: []logs.Place{s.Before.At,
			s.At}})
	}
	return ps
}

// staleText says what is wrong with a token.
func staleText(resource string, s *logs.Stale) string {
	of := ""
	if resource != "" {
		of = " of " + resource
	}
	switch {
	case s.Used:
		return fmt.Sprintf("fencing token %d%s is used by %s after %s has used %d, so that it should "+
			"have been refused",
			s.Token.Token, of, s.Node, s.Before.Node, s.Before.Token)
	case s.Token.Token == s.Before.Token:
		return fmt.Sprintf("fencing token %d%s is handed out to %s and to %s, where each has to be greater "+
			"than those before",
			s.Token.Token, of, s.Before.Node, s.Node)
	}
	return fmt.Sprintf("fencing token %d%s is handed out to %s after %d to %s, where each has to be "+
		"greater than those before",
		s.Token.Token, of, s.Node, s.Before.Token, s.Before.Node)
}

// minSeams is how many overlaps make a pattern.
const minSeams = 3

// seams is the point about overlaps that come from where the lines stand rather than from the lock.
func seams(u *logs.Occupancy) []point {
	s := u.Seams
	if s == nil || s.Count < minSeams {
		return nil
	}
	of := ""
	if u.Resource != "" {
		of = " of " + u.Resource
	}
	text := fmt.Sprintf("all %s overlaps%s last at most %s, at the seams of stays that last at least %s: "+
		"so does the log of a correct lock look if a release is logged after the lock is given back, "+
		"or an acquisition before it is held", number(int64(s.Count)), of, time.Duration(s.Longest),
		time.Duration(s.Shortest))
	return []point{{rule: "seams", level: "warning", text: text,
		details: []string{"log inside the lock: after it is held, before it is given back (docs/logs.md)"}}}
}

// shortLeases is the point about leases that seem to be in another unit.
func shortLeases(u *logs.Occupancy) []point {
	if u.ShortLeases == 0 {
		return nil
	}
	return []point{{rule: "short-leases", level: "warning", text: fmt.Sprintf("all %s of released units are "+
		"over after less than a tenth of the stay: their lengths seem to be in another unit (lease_unit in "+
		"the mapping says in which), so that nothing is accepted by them",
		plural(int64(u.ShortLeases), "lease"))}}
}

// entries are the lines at which the stays of an overlap set begin.
func entries(c *logs.OverlapSet) (places []logs.Place) {
	for i := range c.Stays {
		places = append(places, c.Stays[i].Enter)
	}
	return places
}

// emptiness says what the log does not show.
func (v *validation) emptiness() (notes []string) {
	u := v.use
	switch {
	case u == nil:
		return []string{"the log contradicts itself, so nothing else was asked"}
	case u.Stays == 0 && v.explanation == nil:
		return []string{"nobody enters the critical section (events enter or acquire, and release; " +
			"--mapping says how they are called): the log proves nothing"}
	}
	if slices.ContainsFunc(v.log.Findings, func(f logs.Finding) bool { return f.Kind == logs.Twice }) {
		notes = append(notes, "if several threads log as one node, --nested adds up what they acquire; "+
			"better, give each thread a node of its own")
	}
	if v.explanation != nil {
		if v.unnamed() {
			notes = append(notes,
				fmt.Sprintf("%s does not call its actions enter (or acquire) and release (or exit), "+
					"so only the run of the model says how many units are in use", v.spec.Name))
		}
		return append(notes, v.emptyRun()...)
	}
	if !u.Exact {
		notes = append(notes,
			"the search was given up: there may be more units in use at once than were found")
	}
	if n := v.log.Waits; n > 0 && u.Possible != nil {
		notes = append(notes, plural(int64(n), "acquisition")+" may have to wait, and hold the lock for "+
			"certain only when the next line of their node is written; if a line is always written inside "+
			"the lock, --acquire that one instead (docs/real-logs.md)")
	}
	if !u.Related && len(v.log.Nodes) > 1 {
		note := "nothing says which events of different nodes came first: no vector clocks, no message " +
			"ids, no intervals"
		if !v.flags.skewSet {
			note += "; --skew takes time stamps for an order, --order lines the lines of one file"
		}
		notes = append(notes, note)
	}
	switch {
	case v.k == 0:
		notes = append(notes, fmt.Sprintf("%s has no k, so that nothing was asked about units; --k says "+
			"how many there are", v.spec.Name))
	case len(v.uses) > 1:
	case u.K == logs.AnyNumber && u.Possibly < u.K:
		notes = append(notes, "nobody writes: the log does not put the lock to the test")
	case u.K == logs.AnyNumber:
	case u.Possibly < u.K && u.Exact:
		notes = append(notes, fmt.Sprintf("no more than %d of %s can have been in use at once: "+
			"the log hardly puts the bound to the test", u.Possibly, plural(int64(u.K), "unit")))
	case u.Surely < u.K:
		notes = append(notes, fmt.Sprintf("only %d of %s are certain to have been in use at once: "+
			"the log may not put the bound to the test", u.Surely, plural(int64(u.K), "unit")))
	}
	return notes
}

// order says what the events of different nodes are ordered by.
func (v *validation) order() string {
	if by := v.log.Order(); len(by) > 0 {
		return "ordered by " + strings.Join(by, " and ")
	}
	return "each node in its own order"
}
