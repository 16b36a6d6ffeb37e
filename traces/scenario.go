package traces

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Scenario is a run with gaps, given by its events, and the verdict that is expected of it. A file of one
// is text:
//
//	# a comment
//	model raymond n=3 k=2
//	expect violated at-most-k
//	p1 request
//	...
//	p2 receives REPLY(1) from p3
//
// A line is a step as reports describe it, with or without its source and its sends; three
// dots stand for any steps, or none. Expected may be: possible and impossible, violated and
// reached with a property, of some run that is like that; holds with a property, of all of them.
type Scenario struct {
	Spec     string
	Args     []string
	Expect   string // possible, impossible, violated, reached or holds
	Property string // of the last three
	Lines    []string
}

// anySteps is the line of a scenario that stands for any steps.
const anySteps = "..."

// maxScenario is the number of lines that a scenario has at most.
const maxScenario = 10_000

// ReadScenario reads a scenario. Its errors name the line.
func ReadScenario(r io.Reader) (*Scenario, error) {
	s := &Scenario{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.add(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if s.Expect == "" {
		return nil, fmt.Errorf("it needs two lines at first: model NAME [key=value ...], and expect " +
			"VERDICT [PROPERTY]")
	}
	return s, nil
}

// add adds a line that is not empty.
func (s *Scenario) add(line string) error {
	words := strings.Fields(line)
	switch {
	case s.Spec == "":
		if words[0] != "model" || len(words) < 2 {
			return fmt.Errorf("the first line is %q; it has to be: model NAME [key=value ...]",
				clip(line, 60))
		}
		s.Spec, s.Args = words[1], words[2:]
	case s.Expect == "":
		of := len(words) == 3 && slices.Contains([]string{Violated, Reached, Holds}, words[1])
		alone := len(words) == 2 && slices.Contains([]string{possibleRun, "impossible"}, words[1])
		if words[0] != "expect" || !of && !alone {
			return fmt.Errorf("the second line is %q; it has to be: expect possible, expect impossible, "+
				"expect violated PROPERTY, expect reached PROPERTY, or expect holds PROPERTY", clip(line, 60))
		}
		if s.Expect = words[1]; of {
			s.Property = words[2]
		}
	case len(s.Lines) == maxScenario:
		return fmt.Errorf("a scenario has at most %d lines", maxScenario)
	default:
		s.Lines = append(s.Lines, line)
	}
	return nil
}

// line is a step as a scenario has it: without its source and its sends, but with the sends amid which the
// process crashes.
func line(t *lts.Transition, actions []lts.Action) string {
	text := oneLine(t.Text())
	for _, a := range actions {
		if a.Source != "" {
			text = strings.Replace(text, " ("+a.Source+")", "", 1)
		}
	}
	if !t.Crashed {
		text, _, _ = strings.Cut(text, ", sends ")
	}
	return text
}

// WriteScenario returns a run as the text of a scenario that expects what the run shows.
func WriteScenario(r *Run) string {
	t := r.Trace
	var b strings.Builder
	fmt.Fprintf(&b, "model %s", t.Spec)
	for _, key := range sortedKeys(t.Parameters) {
		if value := t.Parameters[key]; value != "" {
			fmt.Fprintf(&b, " %s=%s", key, value)
		}
	}
	expect := possibleRun
	if t.Verdict == Violated && t.CycleAt == nil || t.Verdict == Reached {
		expect = t.Verdict + " " + t.Property
	}
	fmt.Fprintf(&b, "\nexpect %s\n", expect)
	for i := range r.Taken {
		b.WriteString(line(&r.Taken[i], r.claim.actions) + "\n")
	}
	return b.String()
}

// A Trial is what came of a scenario.
type Trial struct {
	Decided  bool   // the question was answered
	Expected bool   // and the answer is the one that was expected
	Why      string // in words
	Run      *Run   // a shortest run that is like that; nil: none was found
}

// A place is where a run can be in a scenario.
type place struct {
	at     lts.Transition
	line   int // the next one
	before int // the place that it came from; -1: none
}

// Try looks for a shortest run that is like a scenario, breadth-first through the plain semantics, in
// at most limit places. It is an error if the scenario does not fit the model.
func (s *Scenario) Try(ctx context.Context, in model.Instance, h Header, limit int) (Trial, error) {
	property := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == s.Property
	})
	if s.Property != "" {
		if property < 0 {
			return Trial{}, fmt.Errorf("the model has no property %q", s.Property)
		}
		if k := in.Space.Properties()[property].Kind; k == model.Liveness || k == model.Costs {
			return Trial{}, fmt.Errorf("%s is of kind %s: no single state or step shows it", s.Property, k)
		}
	}
	c, err := newClaim(in, &h)
	if err != nil {
		return Trial{}, err
	}
	t := &scenarioSearch{Scenario: s, claim: c, property: property, seen: map[placeKey]bool{}, found: -1}
	run, complete := t.search(ctx, h, limit)
	return s.conclude(run, complete, t.furthest), nil
}

// conclude holds what was found against what was expected.
func (s *Scenario) conclude(run *Run, complete bool, furthest int) Trial {
	t := Trial{Run: run, Decided: run != nil || complete}
	wanted := run != nil // that a run was found answers: yes
	if s.Expect == "impossible" || s.Expect == Holds {
		wanted = run == nil
	}
	t.Expected = t.Decided && wanted
	what := "like that"
	if s.Property != "" {
		verdict := s.Expect
		if verdict == Holds {
			verdict = Violated
		}
		what += fmt.Sprintf(", at the end of which %s is %s", s.Property, verdict)
	}
	switch {
	case run != nil:
		t.Why = fmt.Sprintf("there is a run %s; a shortest has %s", what,
			printable.Plural(len(run.Taken), "step"))
	case complete:
		t.Why = "there is no run " + what
	default:
		t.Why = "no run was found " + what + ", and there are more than were looked at"
	}
	if run == nil && furthest < len(s.Lines) {
		t.Why += fmt.Sprintf("; no run gets beyond %q", s.Lines[furthest])
	}
	return t
}

// A placeKey is a state at a line.
type placeKey struct {
	code protocol.Code
	line int
}

// scenarioSearch is a scenario being tried.
type scenarioSearch struct {
	*Scenario
	claim    *claim
	property int
	seen     map[placeKey]bool
	places   []place
	furthest int // the line that was reached
	found    int // the place at which a run ends that is looked for; -1: none yet
}

// search returns a shortest run that is like the scenario, nil if it found none; complete: it looked at all.
func (t *scenarioSearch) search(ctx context.Context, h Header, limit int) (run *Run, complete bool) {
	for _, init := range t.claim.plain.Init() {
		t.arrive(place{at: init, before: -1})
	}
	for i := 0; i < len(t.places) && t.found < 0; i++ {
		if len(t.places) > limit || ctx.Err() != nil {
			return nil, false
		}
		t.expand(i)
	}
	if t.found < 0 {
		return nil, true
	}
	return t.record(h, t.found), true
}

// arrive notes a place, and those that are reached from it by passing over dots.
func (t *scenarioSearch) arrive(p place) {
	for ; ; p.line++ {
		// also by another step to a state that was seen
		end := p.line == len(t.Lines) && t.found < 0 && t.shows(&p)
		if key := (placeKey{p.at.Next.Code(), p.line}); !t.seen[key] || end {
			t.seen[key] = true
			t.furthest = max(t.furthest, p.line)
			t.places = append(t.places, p)
		}
		if end {
			t.found = len(t.places) - 1
		}
		if p.line == len(t.Lines) || t.Lines[p.line] != anySteps {
			return
		}
	}
}

// expand takes from a place every step that the next line allows.
func (t *scenarioSearch) expand(i int) {
	p := t.places[i]
	if p.line == len(t.Lines) || p.at.Outside {
		return
	}
	want := t.Lines[p.line]
	for _, tr := range t.claim.enabled(p.at.Next) {
		switch {
		case want == anySteps:
			t.arrive(place{at: tr, line: p.line, before: i})
		case line(&tr, t.claim.actions) == want || oneLine(tr.Text()) == want:
			t.arrive(place{at: tr, line: p.line + 1, before: i})
		}
	}
}

// shows reports whether a run that ends at a place is one that is looked for.
func (t *scenarioSearch) shows(p *place) bool {
	if t.property < 0 {
		return true
	}
	var from lts.State
	by := (*lts.Transition)(nil)
	if p.before >= 0 {
		from, by = t.places[p.before].at.Next, &p.at
	}
	verdict := Verdicts(t.claim.in, from, by, p.at.Next)[t.property]
	if t.Expect == Reached {
		return verdict == Reached
	}
	return verdict == Violated
}

// record returns the run that ends at a place.
func (t *scenarioSearch) record(h Header, i int) *Run {
	var taken []lts.Transition
	for ; t.places[i].before >= 0; i = t.places[i].before {
		taken = append(taken, t.places[i].at)
	}
	slices.Reverse(taken)
	return t.claim.run(h, t.places[i].at.Next, taken).spelled()
}
