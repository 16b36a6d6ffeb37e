package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Finding is one reason for a verdict, or something that a reader of the report should know.
type Finding struct {
	Kind     string // for programs, such as more-than-k
	Severity Severity
	Message  usage.Text
	Places   []logs.Place

	Overlap *logs.OverlapSet // the holdings it is about; nil: none
	Details []string         // further lines, for people
}

// A Severity says how bad a finding is.
type Severity string

// The severities, the worst first.
const (
	Error   Severity = "error" // the log is rejected
	Warning Severity = "warning"
	Note    Severity = "note"
)

var severities = []Severity{Error, Warning, Note}

// Findings lists the findings, the worst first.
func (r *Report) Findings() (fs []Finding) {
	for _, u := range r.Uses {
		fs = append(fs, r.overlaps(u)...)
		fs = append(fs, doubts(u)...)
		fs = append(fs, r.stale(u)...)
	}
	for _, field := range r.Log.Hints {
		fs = append(fs, Finding{Kind: "several-locks", Severity: Warning, Message: usage.Textf(
			"field %q of the events has several values: if they name different locks, %s=%s judges each for "+
				"itself; if not, %s=- takes all for one", field, resourceOption, field, resourceOption)})
	}
	if r.Explanation != nil {
		fs = append(fs, r.explained()...)
	}
	for i := range r.Log.Findings {
		fs = append(fs, ofLog(&r.Log.Findings[i]))
	}
	for _, text := range r.Caveats() {
		fs = append(fs, Finding{Kind: "proves-little", Severity: Note, Message: text})
	}
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
	return fs
}

// The options that messages name.
const (
	resourceOption = usage.Option("map resource")
	mappingOption  = usage.Option("mapping")
)

// ofLog is a finding about the log as such.
func ofLog(f *logs.Finding) Finding {
	severity, text := Warning, f.Text
	switch {
	case f.Contradiction():
		severity = Error
	case f.Kind == formats.TimeBack || f.Kind == formats.Nested || f.Kind == formats.Restart:
		severity = Note
	}
	if f.More > 0 {
		text += fmt.Sprintf("; and %d more like this", f.More)
	}
	return Finding{Kind: string(f.Kind), Severity: severity, Message: plain(text), Places: f.Places}
}

// plain is a message that names no options.
func plain(text string) usage.Text { return usage.Textf("%s", text) }

// About are the findings about the units and tokens of a resource.
func (r *Report) About(u *logs.Occupancy) []Finding { return append(r.overlaps(u), r.stale(u)...) }

// overlaps are the findings about too many units of a resource in use at once.
func (r *Report) overlaps(u *logs.Occupancy) (fs []Finding) {
	severity, depends := r.serious()
	for i := range u.Definite {
		c := &u.Definite[i]
		text := excess(u.Resource, u.K, c.Units) + depends + ", " + inEveryOrder(c)
		switch {
		case c.Passing:
			text = "at least " + text + ": whenever the last of these holdings was, others were inside"
		case c.Shifting:
			text = "at least " + text +
				": there is none for these holdings in which that is not so at some moment"
		}
		if more := u.Count - len(u.Definite); more > 0 && i == len(u.Definite)-1 {
			text += fmt.Sprintf("; and %s more such moments", printable.Number(more))
		}
		fs = append(fs, Finding{Kind: "more-than-k", Severity: severity, Message: plain(text),
			Places: entries(c), Overlap: c})
	}
	if c := u.Possible; c != nil {
		text := excess(u.Resource, u.K, c.Units) + depends + ", in some order of events that fits the log; "
		text += map[bool]string{true: "in another one there are never so many",
			false: "not shown to be so in every order"}[u.Avoidable]
		fs = append(fs, Finding{Kind: "possibly-more-than-k", Severity: Warning, Message: plain(text),
			Places: entries(c), Overlap: c})
	}
	return fs
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

// serious is the severity of a violation in every order, and its condition.
func (r *Report) serious() (severity Severity, depends string) {
	if r.Ambiguous() {
		return Warning, " if all events are about one lock"
	}
	return Error, ""
}

// excess says that too much of a resource is in use.
func excess(resource string, k, units int) string {
	if k == logs.AnyNumber {
		return fmt.Sprintf("%s%s inside at once, where a writer has to be alone", InUse(k, units),
			of(resource))
	}
	return fmt.Sprintf("%d units%s in use at once, where %d may be", units, of(resource), k)
}

// of is the resource in a sentence, if it has a name.
func of(resource string) string {
	if resource == "" {
		return ""
	}
	return " of " + resource
}

// InUse describes the units in use: of a lock of readers and writers these are readers and writers.
func InUse(k, units int) string {
	if k != logs.AnyNumber {
		return strconv.Itoa(units)
	}
	readers, writers := printable.Plural(units%k, "reader"), printable.Plural(units/k, "writer")
	switch {
	case units < k:
		return readers
	case units%k == 0:
		return writers
	}
	return writers + " and " + readers
}

// stale are the findings about fencing tokens.
func (r *Report) stale(u *logs.Occupancy) (fs []Finding) {
	if u.Tokens == nil {
		return nil
	}
	severity, depends := r.serious()
	for i := range u.Tokens.Stale {
		s := &u.Tokens.Stale[i]
		text := staleText(u.Resource, s) + depends + ", in every order of events that fits the log"
		if more := u.Tokens.Count - len(u.Tokens.Stale); more > 0 && i == len(u.Tokens.Stale)-1 {
			text += fmt.Sprintf("; and %s more such tokens", printable.Number(more))
		}
		fs = append(fs, Finding{Kind: "stale-token", Severity: severity, Message: plain(text),
			Places: []logs.Place{s.Before.At, s.At}})
	}
	return fs
}

// staleText says why a token is not as it should be.
func staleText(resource string, s *logs.Stale) string {
	token := fmt.Sprintf("fencing token %d%s is ", s.Token.Token, of(resource))
	switch {
	case s.Used:
		return token + fmt.Sprintf("used by %s after %s has used %d, so that it should have been refused",
			s.Node, s.Before.Node, s.Before.Token)
	case s.Token.Token == s.Before.Token:
		return token + fmt.Sprintf("handed out to %s and to %s, where each has to be greater than those "+
			"before", s.Before.Node, s.Node)
	}
	return token + fmt.Sprintf("handed out to %s after %d to %s, where each has to be greater than those "+
		"before", s.Node, s.Before.Token, s.Before.Node)
}

// minHandovers is how many overlaps make a pattern.
const minHandovers = 3

// doubts are the findings about overlaps that come from where the lines stand rather than from the lock, and
// about leases that seem to be in another unit.
func doubts(u *logs.Occupancy) (fs []Finding) {
	if s := u.Handovers; s != nil && s.Count >= minHandovers {
		fs = append(fs, Finding{Kind: "seams", Severity: Warning, Message: usage.Textf(
			"all %s overlaps%s last at most %s, where one holding is handed over to the next, and holdings "+
				"last at least %s: so does the log of a correct lock look if a release is logged after the "+
				"lock is given back, or an acquisition before it is held",
			printable.Number(s.Count), of(u.Resource), time.Duration(s.Longest), time.Duration(s.Shortest)),
			Details: []string{"log inside the lock: after it is held, before it is given back " +
				"(docs/logs.md)"},
		})
	}
	if n := u.ShortLeases; n > 0 {
		fs = append(fs, Finding{Kind: "short-leases", Severity: Warning, Message: usage.Textf(
			"all %s of released units are over after less than a tenth of the holding: their lengths seem "+
				"to be in another unit (lease_unit in the mapping says in which), so that nothing is "+
				"accepted by them", printable.Plural(n, "lease"))})
	}
	return fs
}

// Violation says what a watch has found.
func Violation(v *logs.Violation) string {
	text := excess(v.Resource, v.K, v.Units)
	if v.Stale != nil {
		text = staleText(v.Resource, v.Stale)
	}
	return text + ", " + inEveryOrder(&v.OverlapSet)
}

// entries are the lines at which the holdings of an overlap set begin.
func entries(c *logs.OverlapSet) (places []logs.Place) {
	for i := range c.Holdings {
		places = append(places, c.Holdings[i].Enter)
	}
	return places
}

// Caveats say what the log does not show.
func (r *Report) Caveats() (caveats []usage.Text) {
	add := func(format string, a ...any) { caveats = append(caveats, usage.Textf(format, a...)) }
	u := r.Use
	switch {
	case u == nil:
		add("the log contradicts itself, so nothing else was asked")
		return caveats
	case u.Holdings == 0 && r.Explanation == nil:
		add("nobody enters the critical section (events enter or acquire, and release; %s says how they are "+
			"called): the log proves nothing", mappingOption)
		return caveats
	}
	if slices.ContainsFunc(r.Log.Findings, func(f logs.Finding) bool { return f.Kind == formats.Twice }) {
		add("if several threads log as one node, %s adds up what they acquire; better, give each thread a "+
			"node of its own", nestedOption)
	}
	if r.Explanation != nil {
		if r.unnamed() {
			add("%s does not call its actions enter (or acquire) and release (or exit), so only the run of "+
				"the model says how many units are in use", r.Model.Name)
		}
		r.uncovered(add)
		return caveats
	}
	if !u.Exact {
		add("the search was given up: there may be more units in use at once than were found")
	}
	if n := r.Log.Waits; n > 0 && u.Possible != nil {
		add("%s may have to wait, and hold the lock for certain only when the next line of their node is "+
			"written; if a line is always written inside the lock, %s that one instead (docs/logs.md)",
			printable.Plural(n, "acquisition"), usage.Option("acquire"))
	}
	const unordered = "nothing says which events of different nodes came first: no vector clocks, no " +
		"message ids, no intervals"
	switch {
	case u.Related || len(r.Log.Nodes) < 2:
	case r.opt.Skew == nil:
		add(unordered+"; %s takes time stamps for an order, %s lines the lines of one file",
			usage.Option("skew"), usage.Option("order"))
	default:
		add(unordered)
	}
	r.untested(add)
	return caveats
}

// nestedOption is the option by which acquisitions add up.
const nestedOption = usage.Option("assume nested")

// untested adds how far the log does not put the bound to the test.
func (r *Report) untested(add func(format string, a ...any)) {
	u := r.Use
	switch {
	case r.K == 0:
		add("%s has no k, so that nothing was asked about units; %s says how many there are", r.Model.Name,
			usage.Option("k"))
	case len(r.Uses) > 1:
	case u.K == logs.AnyNumber && u.Possibly < u.K:
		add("nobody writes: the log does not put the lock to the test")
	case u.K == logs.AnyNumber:
	case u.Possibly < u.K && u.Exact:
		add("no more than %d of %s can have been in use at once: the log hardly puts the bound to the test",
			u.Possibly, printable.Plural(u.K, "unit"))
	case u.Certainly < u.K:
		add("only %d of %s are certain to have been in use at once: the log may not put the bound to the "+
			"test", u.Certainly, printable.Plural(u.K, "unit"))
	}
}
