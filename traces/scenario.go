package traces

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Scenario is a run with gaps, given by its events, and the expected verdict. A file is text:
//
//	# a comment
//	model raymond n=3 k=2
//	expect violated at-most-k
//	p1 request
//	...
//	p2 receives REPLY(1) from p3
//
// A line is a step as reports describe it, with or without its source and its sends. Three
// dots stand for zero or more steps. The verdict is one of: possible; impossible; violated
// PROPERTY or reached PROPERTY by some run of this form; holds PROPERTY in all runs of this form.
type Scenario struct {
	Spec     string
	Args     []string
	Expect   string // possible, impossible, violated, reached or holds
	Property string // for violated, reached and holds
	Lines    []string
}

// anySteps is the line of a scenario that stands for zero or more steps.
const anySteps = "..."

// maxScenario is the most lines of a scenario, without the first two, comments and empty lines.
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
		return nil, fmt.Errorf("a scenario begins with two lines: model NAME [key=value ...], and expect " +
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

// line is a step as a line of a scenario: without its source, and without its sends unless the process
// crashes while it sends.
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

// WriteScenario returns a run as the text of a scenario that expects the verdict of the run.
func WriteScenario(r *Run) string {
	t := r.Trace
	var b strings.Builder
	expect := possibleRun
	if t.Verdict == Violated && t.CycleAt == nil || t.Verdict == Reached {
		expect = t.Verdict + " " + t.Property
	}
	fmt.Fprintf(&b, "model %s\nexpect %s\n", t.subject(), expect)
	for i := range r.Taken {
		b.WriteString(line(&r.Taken[i], r.claim.actions) + "\n")
	}
	return b.String()
}

// A Trial is the answer to a scenario.
type Trial struct {
	Decided  bool   // a run was found, or the search was complete
	Expected bool   // the answer is decided and the expected one
	Why      string // the answer, for people
	Run      *Run   // a shortest run of this form; nil: none was found
}

// Try looks for a shortest run that fits a scenario: a breadth-first search with the plain semantics, of
// at most limit places. It is an error if the scenario does not fit the model.
func (s *Scenario) Try(ctx context.Context, in model.Instance, h Header, limit int) (Trial, error) {
	c, err := newClaim(in, &h)
	if err != nil {
		return Trial{}, err
	}
	property := slices.IndexFunc(c.infos, func(p model.PropertyInfo) bool { return p.Name == s.Property })
	if s.Property != "" {
		if property < 0 {
			return Trial{}, fmt.Errorf("the model has no property %q", s.Property)
		}
		if k := c.infos[property].Kind; k == model.Liveness || k == model.Costs ||
			(k == model.Reachable) != (s.Expect == Reached) {
			return Trial{}, fmt.Errorf("%s is of kind %s: no single state or step shows \"expect %s\"; a "+
				"goal is reached, an invariant is violated or holds", s.Property, k, s.Expect)
		}
	}
	t := &scenarioSearch{Scenario: s, claim: c, property: property, seen: map[placeKey]bool{}}
	for i, line := range s.Lines {
		if Timed(in, line) {
			t.timed = i + 1
		}
	}
	for _, init := range c.plain.Init() {
		t.arrive(&point{state: init.Next, by: lts.Transition{Outside: init.Outside}}, 0)
	}
	next := 0
	for ; next < len(t.places) && t.end == nil && len(t.places) <= limit && ctx.Err() == nil; next++ {
		t.expand(t.places[next])
	}
	trial := Trial{Decided: t.end != nil || next == len(t.places) && !t.cut}
	if t.end != nil {
		trial.Run = t.end.run(c, h).described()
	}
	trial.Expected = trial.Decided && (trial.Run == nil) == (s.Expect == "impossible" || s.Expect == Holds)
	trial.Why = s.why(&trial)
	if trial.Run == nil && t.furthest < len(s.Lines) {
		trial.Why += fmt.Sprintf("; no run that was tried gets beyond %q", s.Lines[t.furthest])
	}
	return trial, nil
}

func (s *Scenario) why(t *Trial) string {
	form := "of this form"
	if s.Property != "" { // if it is expected to hold, the search is for a violation
		form += " that ends with " + s.Property + " " + strings.ReplaceAll(s.Expect, Holds, Violated)
	}
	switch {
	case t.Run != nil:
		return fmt.Sprintf("there is a run %s; a shortest has %s", form,
			printable.Plural(len(t.Run.Taken), "step"))
	case t.Decided:
		return "there is no run " + form
	}
	return "no run was found " + form + ", and the search is not complete"
}

// Timed reports whether a text may name a time that grows without bound: if so, states that differ by a shift
// of all times are not the same to it. It has a number then that is no part of the name of a process.
func Timed(in model.Instance, text string) bool {
	if in.Interp == nil || !in.Interp.Medium.Clocks {
		return false
	}
	words := regexp.MustCompile(`[\pL\pN_-]*\d[\pL\pN_-]*`).FindAllString(text, -1)
	return slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(in.Interp.Names, w) })
}

// A place is a point of a run with the index of the next line of the scenario.
type place struct {
	*point
	line int
}

type placeKey struct {
	code protocol.Code
	line int
}

type scenarioSearch struct {
	*Scenario
	claim    *claim
	property int
	seen     map[placeKey]bool
	places   []place
	furthest int    // the greatest line that was reached
	timed    int    // lines up to the last one that may name a time
	cut      bool   // runs go on beyond the bounds of the model
	end      *point // of the run that was found; nil: none yet
}

// arrive adds a place, and the places that it leads to if dots stand for no step.
func (t *scenarioSearch) arrive(p *point, line int) {
	for ; ; line++ {
		last := line == len(t.Lines)
		if last && t.end == nil && t.shows(p) { // also in a known state: another step leads there
			t.end = p
		}
		key := placeKey{p.state.Code(), line}
		if line < t.timed {
			key.code = p.state.(*interp.State).Exact()
		}
		if !t.seen[key] {
			t.seen[key] = true
			t.furthest = max(t.furthest, line)
			t.places = append(t.places, place{p, line})
		}
		if last || t.Lines[line] != anySteps {
			return
		}
	}
}

// expand takes every step from a place that the next line allows.
func (t *scenarioSearch) expand(p place) {
	if p.line == len(t.Lines) || p.by.Outside {
		t.cut = t.cut || p.line < len(t.Lines) && t.claim.in.Space.Bounds() != ""
		return
	}
	want := t.Lines[p.line]
	for _, tr := range Enabled(t.claim.in, p.state) {
		switch {
		case want == anySteps:
			t.arrive(&point{tr.Next, tr, p.point}, p.line)
		case line(&tr, t.claim.actions) == want || oneLine(tr.Text()) == want:
			t.arrive(&point{tr.Next, tr, p.point}, p.line+1)
		}
	}
}

// shows reports whether the run to a point ends with the wanted verdict.
func (t *scenarioSearch) shows(p *point) bool {
	if t.property < 0 {
		return true
	}
	var from lts.State
	var by *lts.Transition
	if p.before != nil {
		from, by = p.before.state, &p.by
	}
	v := Verdict(t.claim.in, from, by, p.state, t.property)
	return v == Violated || v == Reached
}
