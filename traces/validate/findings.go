package validate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/products"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Finding is a reason for a verdict, or a warning or note about it.
type Finding struct {
	Kind     string // for programs, such as more-than-k
	Severity Severity
	Message  usage.Text
	Places   []formats.Place

	Overlap *occupancy.OverlapSet // nil: it is not about an overlap
	Details []string              // further lines of text
}

// A Severity is how bad a finding is.
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
		fs = slices.Concat(fs, r.overlaps(u), artifacts(u), r.stale(u), r.breaches(u))
	}
	for _, c := range r.opt.contracts {
		fs = append(fs, Finding{Kind: "contract", Severity: Note, Message: plain(c.String())})
	}
	for _, field := range r.Log.Hints {
		fs = append(fs, Finding{Kind: "several-locks", Severity: Warning, Message: usage.Textf(
			"field %q of the events has several values: if they name different locks, %s=%s judges each "+
				"lock; if not, %s=- puts all into one", field, resourceOption, field, resourceOption)})
	}
	if r.Explanation != nil {
		fs = append(fs, r.explained()...)
	}
	for i := range r.Log.Findings {
		fs = append(fs, ofLog(&r.Log.Findings[i], r.Log.Skewed))
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

// ofLog returns a finding of the reader, with its severity. timed: time stamps are an order.
func ofLog(f *formats.Finding, timed bool) Finding {
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
	message := plain(text)
	if f.Kind == formats.TimeBack || f.Kind == formats.Backwards && timed {
		message = usage.Textf("%s. If the lines are shuffled and one clock stamped them, %s sorts them", text,
			usage.Option("sort-by time"))
	}
	return Finding{Kind: string(f.Kind), Severity: severity, Message: message, Places: f.Places}
}

func plain(text string) usage.Text { return usage.Textf("%s", text) }

// About returns the findings about the units and tokens of a resource.
func (r *Report) About(u *occupancy.Occupancy) []Finding {
	return slices.Concat(r.overlaps(u), r.stale(u), r.breaches(u))
}

// breaches returns the findings about the contracts of a resource.
func (r *Report) breaches(u *occupancy.Occupancy) (fs []Finding) {
	severity, depends := r.certainSeverity()
	for i := range u.Breaches {
		f := ofLog(&u.Breaches[i], false)
		if u.Breaches[i].Breach() {
			f.Severity, f.Message = severity, plain(f.Message.String()+depends)
		}
		fs = append(fs, f)
	}
	return fs
}

func (r *Report) overlaps(u *occupancy.Occupancy) (fs []Finding) {
	severity, depends := r.certainSeverity()
	for i := range u.Definite {
		c := &u.Definite[i]
		text := excess(u.Resource, u.K, c.Units) + depends + ", " + inEveryOrder(c)
		switch {
		case c.Passing:
			text = "at least " + text + ": at every possible moment of the last of these holdings"
		case c.Shifting:
			text = "at least " + text + ": however these holdings are ordered, that happens at some moment"
		}
		if more := u.Count - len(u.Definite); more > 0 && i == len(u.Definite)-1 {
			text += fmt.Sprintf("; and %s more such moments", printable.Number(more))
		}
		fs = append(fs, Finding{Kind: "more-than-k", Severity: severity, Message: plain(text),
			Places: entries(c), Overlap: c})
	}
	if c := u.Possible; c != nil {
		text := excess(u.Resource, u.K, c.Units) + depends + ", in some order of events that fits the log; "
		text += map[bool]string{true: "another order stays within the bound",
			false: "not shown for every order"}[u.Avoidable]
		fs = append(fs, Finding{Kind: "possibly-more-than-k", Severity: Warning, Message: plain(text),
			Places: entries(c), Overlap: c})
	}
	return fs
}

// inEveryOrder states that an overlap is certain, and under which assumption.
func inEveryOrder(c *occupancy.OverlapSet) string {
	text := "in every order of events that fits the log"
	if len(c.Unlost) > 0 {
		text += ", unless a release by " + strings.Join(c.Unlost, " and ") + " is lost (without counts, " +
			"seq, the log cannot show that)"
	}
	return text
}

// certainSeverity returns the severity of a certain violation, and the assumption on which it depends.
func (r *Report) certainSeverity() (severity Severity, depends string) {
	if r.Ambiguous() {
		return Warning, " if all events are about one lock"
	}
	return Error, ""
}

func excess(resource string, k, units int) string {
	if k == occupancy.AnyNumber {
		return fmt.Sprintf("%s%s inside at once, where a writer has to be alone", InUse(k, units),
			of(resource))
	}
	return fmt.Sprintf("%d units%s in use at once, where %d may be", units, of(resource), k)
}

func of(resource string) string {
	if resource == "" {
		return ""
	}
	return " of " + resource
}

// InUse describes the units in use; for a lock of readers and writers these are readers and writers.
func InUse(k, units int) string {
	if k != occupancy.AnyNumber {
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

func (r *Report) stale(u *occupancy.Occupancy) (fs []Finding) {
	if u.Tokens == nil {
		return nil
	}
	severity, depends := r.certainSeverity()
	for i := range u.Tokens.Stale {
		s := &u.Tokens.Stale[i]
		text := staleText(u.Resource, s) + depends + ", in every order of events that fits the log"
		if more := u.Tokens.Count - len(u.Tokens.Stale); more > 0 && i == len(u.Tokens.Stale)-1 {
			text += fmt.Sprintf("; and %s more such tokens", printable.Number(more))
		}
		fs = append(fs, Finding{Kind: "stale-token", Severity: severity, Message: plain(text),
			Places: []formats.Place{s.Before.At, s.At}})
	}
	return fs
}

// staleText describes a token that is not greater than an earlier one.
func staleText(resource string, s *occupancy.Stale) string {
	token := fmt.Sprintf("fencing token %d%s is ", s.Token.Token, of(resource))
	switch {
	case s.Elected:
		return token + fmt.Sprintf("used by %s after %s was elected with %d", s.Node, s.Before.Node,
			s.Before.Token)
	case s.Used:
		return token + fmt.Sprintf("used by %s after %s has used %d, so that it should have been refused",
			s.Node, s.Before.Node, s.Before.Token)
	case s.Token.Token == s.Before.Token:
		return token + fmt.Sprintf("handed out to %s and to %s, but each token must be greater than the "+
			"ones before", s.Before.Node, s.Node)
	}
	return token + fmt.Sprintf("handed out to %s after %d to %s, but each token must be greater than the "+
		"ones before", s.Node, s.Before.Token, s.Before.Node)
}

// minHandovers is the least number of handover overlaps for which artifacts reports them.
const minHandovers = 3

// artifacts returns the findings about overlaps that the place of the log lines may cause, rather than the
// lock, and about leases that seem to have another unit.
func artifacts(u *occupancy.Occupancy) (fs []Finding) {
	if s := u.Handovers; s != nil && s.Count >= minHandovers {
		fs = append(fs, Finding{Kind: "seams", Severity: Warning, Message: usage.Textf(
			"all %s overlaps%s last at most %s, where one holding is handed over to the next, and holdings "+
				"last at least %s: the log of a correct lock looks like this if a release is logged after "+
				"the lock is given back, or an acquisition before it is held",
			printable.Number(s.Count), of(u.Resource), time.Duration(s.Longest), time.Duration(s.Shortest)),
			Details: []string{"log inside the lock: after it is held, before it is given back " +
				"(docs/logs.md)"},
		})
	}
	if n := u.ShortLeases; n > 0 {
		fs = append(fs, Finding{Kind: "short-leases", Severity: Warning, Message: usage.Textf(
			"all %s of released units ended within a tenth of the holding: their lengths seem to have "+
				"another unit (lease_unit in the mapping sets it), so that nothing is accepted because of "+
				"them",
			printable.Plural(n, "lease"))})
	}
	return fs
}

// Violation describes a violation that a watch has found.
func Violation(v *occupancy.Violation) string {
	text := excess(v.Resource, v.K, v.Units)
	if v.Stale != nil {
		text = staleText(v.Resource, v.Stale)
	}
	return text + ", " + inEveryOrder(&v.OverlapSet)
}

func entries(c *occupancy.OverlapSet) []formats.Place {
	return printable.Each(c.Holdings, func(h *occupancy.Holding) formats.Place { return h.Enter })
}

// Caveats returns what restricts the verdict.
func (r *Report) Caveats() (caveats []usage.Text) {
	add := func(format string, a ...any) { caveats = append(caveats, usage.Textf(format, a...)) }
	r.reading(add)
	u := r.Use
	switch {
	case u == nil:
		add("the log contradicts itself, so nothing else was checked")
		return caveats
	case u.Holdings == 0 && r.Explanation == nil:
		add("no node enters the critical section (events enter or acquire, and release; %s maps other "+
			"names): the log proves nothing", mappingOption)
		return caveats
	}
	if r.opt.Leases && r.opt.Lines {
		add("%s ignores times, so no lease ends by its length", usage.Option("order lines"))
	}
	if r.has(formats.Twice) {
		add("if several threads log as one node, %s adds up their units; better, give each thread a "+
			"node of its own", nestedOption)
	}
	if r.Explanation != nil {
		if r.unnamed() {
			add("%s has no actions named enter (or acquire) and release (or exit), so only the run of the "+
				"model shows how many units are in use", r.Model.Name)
		}
		v := &r.Explanation.Vacuity
		if len(v.Never) > 0 {
			add("actions of the model that never happened: %s", strings.Join(v.Never, ", "))
		}
		if r.Explanation.Verdict == explain.Accepted && v.Entries == 0 {
			add("in the run that explains the log no process uses the resource: the log proves nothing")
		}
		return caveats
	}
	if !u.Exact {
		add("the search gave up: more units may be in use at once than it found")
	}
	if n := r.Log.Waits; n > 0 && u.Possible != nil {
		add("%s may have to wait, and hold the lock for certain only when the next line of their node is "+
			"written; if a line is always written inside the lock, %s that one instead (docs/logs.md)",
			printable.Plural(n, "acquisition"), usage.Option("acquire"))
	}
	const unordered = "nothing orders events of different nodes: no vector clocks, no message ids, no " +
		"intervals"
	switch {
	case u.Related || len(r.Log.Nodes) < 2:
	case r.opt.Skew == nil:
		add(unordered+"; %s orders them by time stamps, %s lines by the lines of one file",
			usage.Option("skew"), usage.Option("order"))
	default:
		add(unordered)
	}
	r.untested(add)
	return caveats
}

func (r *Report) untested(add func(format string, a ...any)) {
	u := r.Use
	switch {
	case r.K == 0:
		add("%s has no k, so that units were not checked; %s sets their number", r.Model.Name,
			usage.Option("k"))
	case len(r.Uses) > 1:
	case u.K == occupancy.AnyNumber && u.Possibly < u.K:
		add("no node writes: the log does not put the lock to the test")
	case u.K == occupancy.AnyNumber:
	case u.Possibly < u.K && u.Exact:
		add("no more than %d of %s can have been in use at once: the log hardly puts the bound to the test",
			u.Possibly, printable.Plural(u.K, "unit"))
	case u.Certainly < u.K:
		add("only %d of %s are certain to have been in use at once: the log may not put the bound to the "+
			"test", u.Certainly, printable.Plural(u.K, "unit"))
	}
}

// nestedOption adds up acquisitions of a holder.
const nestedOption = usage.Option("assume nested")

// nodeOption names the node of a line.
const nodeOption = usage.Option("node")

// reading adds how the lines of a recognised product were read, and the lines that were left out.
func (r *Report) reading(add func(format string, a ...any)) {
	p := r.Log.Product
	if p == nil {
		return
	}
	node := "the node is the session, process or thread in the line"
	switch {
	case r.opt.Node == "" && r.Log.Guessed:
		node = "the node is the file"
	case r.opt.Node != "":
		node = "the node is " + r.opt.Node + map[bool]string{true: ", else the file"}[r.Log.Guessed]
	}
	order := map[bool]string{true: "; the order is the one of the lines, which one server wrote"}[r.Log.Lined]
	add("read as %s: %s; %s%s. The verdict rests on this reading; %s says another", p.Name, p.Calls, node,
		order, mappingOption)
	if left := r.leftOut(); left != "" {
		add("left out: %s", left)
	}
	switch r.guessed() {
	case "node":
		add("all lines are of one node, because they do not name one: is it %s, or a field or expression "+
			"for %s? Until that is said, nothing is accepted", usage.Option("node file"), nodeOption)
	case "words":
		add("these are words of many programs: does each such line mean that, and which node wrote it? %s "+
			"names the node and confirms the reading; until then nothing is accepted", nodeOption)
	case "product":
		add("the logs have lines of %s, too: %s names the lines of one of them. Until that is said, "+
			"nothing is accepted", strings.Join(p.Also, " and "), usage.Option("map only"))
	}
}

// guessed is the part of the reading of a product that nobody has confirmed and that may hide a violation:
// node, words or product; "": none.
func (r *Report) guessed() string {
	switch p := r.Log.Product; {
	case p == nil:
		return ""
	case len(p.Also) > 0:
		return "product"
	case p.Words && (r.opt.Node == "" || r.Log.Guessed):
		return "words"
	case r.Log.Guessed && len(r.Log.Nodes) < 2:
		return "node"
	case r.has(formats.Unreadable):
		return "line"
	}
	return ""
}

// maxKinds is the number of kinds of lines left out that are shown.
const maxKinds = 5

// leftOut lists the kinds of lines that were left out, the important ones first, and then the most frequent.
func (r *Report) leftOut() string {
	left := r.Log.LeftOut
	kinds := slices.SortedFunc(maps.Keys(left), func(a, b string) int {
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Or(rank[products.Important(a)]-rank[products.Important(b)], left[b]-left[a],
			cmp.Compare(a, b))
	})
	var parts []string
	rest := r.Log.Skipped
	for _, kind := range kinds[:min(len(kinds), maxKinds)] {
		if kind != "" {
			parts = append(parts, fmt.Sprintf("%s of %q", printable.Plural(left[kind], "line"), kind))
			rest -= left[kind]
		}
	}
	if rest > 0 && len(parts) > 0 {
		parts = append(parts, printable.Plural(rest, "other line"))
	}
	return strings.Join(parts, ", ")
}
