//go:build !js

package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
)

// explainFlags are the flags of the second pass, as given.
type explainFlags struct {
	budget        int
	tail          int
	repair        int
	properties    []string
	given         bool // the properties
	ignoreUnknown bool
	partialSent   bool
	maxStates     int64
	memory        string
}

// options turns flags into options of the search. If a log ends in the middle of a
// line, one step of each node may be in what was lost.
func (f *explainFlags) options(torn bool) (opt explain.Options, err error) {
	if f.budget < 0 || f.repair < 0 || f.maxStates < 0 || f.tail < -1 {
		return opt, usage.Errorf("a limit below 0 makes no sense")
	}
	opt = explain.Options{Hidden: f.budget, Tail: max(f.tail, 0), Repair: f.repair,
		PartialSent: f.partialSent, States: f.maxStates}
	if f.tail < 0 && torn {
		opt.Tail = 1
	}
	if f.ignoreUnknown {
		opt.Ignore = []string{"*"}
	}
	opt.Memory, err = memoryLimit(f.memory)
	return opt, err
}

// explain makes the second pass: it looks for a run of the model that explains the log.
func (v *validation) explain(ctx context.Context) error {
	if v.spec == nil || v.flags.staysOnly || v.log.Contradictory() {
		return nil
	}
	if err := v.checkProperties(v.flags.explain.given); err != nil {
		return err
	}
	torn := slices.ContainsFunc(v.log.Findings, func(f logs.Finding) bool { return f.Kind == logs.Torn })
	opt, err := v.flags.explain.options(torn)
	if err != nil {
		return err
	}
	h := v.log.History()
	if h == nil || len(h.Events) == 0 {
		return nil
	}
	if err := v.strangers(); err != nil {
		return err
	}
	if v.flags.timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, v.flags.timeout)
		defer cancel()
		ctx = limited
	}
	r, err := explain.Run(ctx, v.in, h, opt)
	if err != nil {
		return inputError{fmt.Errorf("%s does not fit the log: %w", v.spec.Name, err)}
	}
	v.explanation, v.tail = r, opt.Tail
	return nil
}

// strangers looks for nodes that are no processes of the model.
func (v *validation) strangers() error {
	if v.in.Interp == nil {
		return nil
	}
	names := v.in.Interp.Names
	for _, node := range v.log.Nodes {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, node) }) {
			return unusable(v.log.Where(node), "%s has no process %q%s; it has %s (--mapping renames nodes)",
				v.spec.Name, node, usage.Nearest(node, names), strings.Join(names, ", "))
		}
	}
	return nil
}

// explained says what came of the second pass.
func (v *validation) explained() (ps []point) {
	r := v.explanation
	switch r.Verdict {
	case explain.Rejected:
		if p := v.repaired(); p != nil {
			ps = append(ps, *p)
		}
		ps = append(ps, v.stuck("error", fmt.Sprintf("no run of %s explains the log", v.spec.Name)))
	case explain.Undecided:
		ps = append(ps, v.stuck("warning", fmt.Sprintf("no run of %s was found that explains the log: %s",
			v.spec.Name, r.Reason)))
	}
	for i := range r.Properties {
		if p := &r.Properties[i]; violates(p) {
			ps = append(ps, v.violated(p))
		}
	}
	if len(r.Broken) > 0 {
		broken := point{rule: "assumption-broken", level: "warning",
			text: "the run that explains the log breaks an assumption of the model"}
		for i := range r.Broken {
			broken.details = append(broken.details, r.Broken[i].String())
			broken.places = append(broken.places, stepPlaces(&r.Broken[i])...)
		}
		ps = append(ps, broken)
	}
	return ps
}

// violates reports whether a run violates a property: reaching a goal does not.
func violates(p *explain.Property) bool {
	return p.Judged && p.Violated && p.Kind != model.Reachable
}

// violated tells of a property that does not hold of the run that was found.
func (v *validation) violated(p *explain.Property) point {
	x := point{rule: "property-violated", level: "note",
		text: fmt.Sprintf("%s is violated in the run that explains the log", p.Name)}
	switch {
	case v.explanation.Verdict != explain.Accepted:
		x.text = fmt.Sprintf("%s is violated in a run that explains part of the log", p.Name)
	case v.wanted(p.Name):
		x.level = "error"
	}
	if p.At != nil {
		x.details, x.places = []string{p.At.String()}, stepPlaces(p.At)
	}
	return x
}

// wanted reports whether the log is rejected if a property is violated.
func (v *validation) wanted(property string) bool {
	return slices.Contains(v.flags.explain.properties, property)
}

// checkProperties refuses names of properties that the model does not have; the
// default need not be one of them.
func (v *validation) checkProperties(given bool) error {
	if !given || v.spec == nil {
		return nil
	}
	var names []string
	for _, p := range v.in.Space.Properties() {
		names = append(names, p.Name)
	}
	for _, name := range v.flags.explain.properties {
		if !slices.Contains(names, name) {
			return noProperty(name, names)
		}
	}
	return nil
}

// stuck describes the furthest that explanations get.
func (v *validation) stuck(level, text string) point {
	r := v.explanation
	p := point{rule: "not-explained", level: level, text: fmt.Sprintf(
		"%s; at most %s of %s lines are explained", text, number(int64(r.Explained)), number(int64(r.Lines)))}
	for i := range r.Furthest {
		f := &r.Furthest[i]
		if len(r.Furthest) > 1 {
			p.details = append(p.details, fmt.Sprintf("way %d of %d:", i+1, len(r.Furthest)))
		}
		if f.Last != nil {
			p.details = append(p.details, fmt.Sprintf("the last line explained is %s", explain.Where(f.Last)))
		}
		for k := range f.Blocked {
			p.block(&f.Blocked[k])
		}
	}
	p.details = append(p.details, v.repair()...)
	return p
}

// block adds a node that gets no further.
func (p *point) block(b *explain.Blocked) {
	p.details = append(p.details, fmt.Sprintf("%s: %s %q: %s", explain.Where(b.Event), b.Node, b.Event.Name,
		b.Why))
	if !b.Waits {
		p.places = append(p.places, eventPlace(b.Event))
		can := "nothing"
		if len(b.Enabled) > 0 {
			can = strings.Join(b.Enabled, "; ")
		}
		p.details = append(p.details, "    what it could do instead: "+can)
	}
}

// repaired is the finding that lines are missing; nil if no few of them would help.
func (v *validation) repaired() *point {
	r := v.explanation.Repair
	if r == nil || !r.Found {
		return nil
	}
	p := &point{rule: "line-missing", level: "error",
		text: fmt.Sprintf("%s missing: with these steps a run of %s explains the log",
			isAre(len(r.Missing), "line is", "lines are"), v.spec.Name)}
	for i := range r.Missing {
		p.details = append(p.details, r.Missing[i].String())
		p.places = append(p.places, stepPlaces(&r.Missing[i])...)
	}
	return p
}

func isAre(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// repair says that missing lines are not what is wrong with the log, or that it is not known.
func (v *validation) repair() (details []string) {
	r := v.explanation.Repair
	switch {
	case r == nil || r.Found || r.Tried == 0:
		return nil
	case r.Exhausted:
		return []string{fmt.Sprintf("up to %s would not explain it: the implementation did something else",
			plural(int64(r.Tried), "missing line"))}
	}
	return []string{fmt.Sprintf("whether up to %s would explain it was not decided", plural(int64(r.Tried),
		"missing line"))}
}

func eventPlace(e *logs.Event) logs.Place { return logs.Place{File: e.File, Line: e.Line} }

// stepPlaces is where a step stands in the log, or would stand.
func stepPlaces(s *explain.Step) (places []logs.Place) {
	for _, e := range []*logs.Event{s.Event, s.After, s.Before} {
		if e != nil {
			places = append(places, eventPlace(e))
		}
	}
	return places
}

// put says what the explanation puts to the test.
func (v *validation) put() string {
	r := v.explanation
	s := fmt.Sprintf("a run of %s explains %s of %s: the resource is used %s, at most %s at once, "+
		"%s, %s received",
		v.spec.Name, number(int64(r.Explained)), plural(int64(r.Lines), "line"), times(r.Vacuity.Entries),
		plural(int64(r.Vacuity.Inside), "unit"),
		strings.TrimSuffix(plural(int64(r.Vacuity.Crashes), "crashe"), "e"), plural(int64(r.Vacuity.Switches),
			"message"))
	if r.Vacuity.Hidden > 0 {
		s += fmt.Sprintf("; %s without a line", plural(int64(r.Vacuity.Hidden), "step"))
	}
	return s + fmt.Sprintf(" (%s searched)", plural(r.States, "state"))
}

func times(n int) string { return plural(int64(n), "time") }

// emptyRun says what the explanation does not show.
func (v *validation) emptyRun() (notes []string) {
	if never := v.explanation.Vacuity.Never; len(never) > 0 {
		notes = append(notes, "actions of the model that never happened: "+strings.Join(never, ", "))
	}
	if v.explanation.Verdict == explain.Accepted && v.explanation.Vacuity.Entries == 0 {
		notes = append(notes,
			"in the run that explains the log nobody uses the resource: the log proves nothing")
	}
	return notes
}
