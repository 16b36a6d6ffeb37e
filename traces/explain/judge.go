package explain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/logs"
)

// judge executes the explanation that ends with a step again, with the plain semantics, and judges the
// properties and the coverage.
func (r *Report) judge(s *matcher, end *pathStep) error {
	for _, p := range s.in.Space.Properties() {
		judged := p.Kind == model.Invariant || p.Kind == model.Reachable || p.Kind == model.StepInvariant
		r.Properties = append(r.Properties, Property{Name: p.Name, Kind: p.Kind, Judged: judged})
	}
	r.Initial = s.in.Plain.Init()[0].Next
	j := judge{matcher: s, r: r, state: r.Initial}
	j.judgeState(nil, nil, nil)
	path := end.path()
	r.Steps = s.steps(path)
	occurred := make([]bool, len(s.actions))
	for i, t := range path {
		if t.skip {
			continue
		}
		occurred[t.step.Action] = true
		if err := j.step(t, &r.Steps[i]); err != nil {
			return err
		}
	}
	for a, action := range s.actions {
		if !occurred[a] && s.track.Class(a) <= interp.CrashNotice {
			r.Vacuity.Never = append(r.Vacuity.Never, action.Name)
		}
	}
	return nil
}

// A judge walks along an explanation in the plain semantics.
type judge struct {
	*matcher
	r     *Report
	state lts.State // the present state
	units int       // in use in that state
}

func (j *judge) step(t *pathStep, step *Step) error {
	tr, err := j.plainStep(j.state, t.proc, t.step.Action, t.point)
	if err != nil {
		return fmt.Errorf("%w: %s", err, step)
	}
	step.Text = tr.Text()
	j.r.Taken = append(j.r.Taken, *tr)
	if tr.Pruned {
		j.r.Broken = append(j.r.Broken, *step)
	}
	from := j.state
	j.state = tr.Next
	j.judgeState(step, from, tr)
	return nil
}

// plainStep returns the step of the plain semantics from a state that leads to a point.
func (s *matcher) plainStep(from lts.State, p model.Proc, action int, to point) (*lts.Transition, error) {
	ts := s.track.StepsOf(from, p, action)
	i := slices.IndexFunc(ts, func(tr lts.Transition) bool { return s.track.hasState(to, tr.Next) })
	if i < 0 {
		return nil, errors.New("internal error: the plain semantics does not have the step")
	}
	return &ts[i], nil
}

// judgeState judges the present state; step and tr lead to it from another state; nil: it is the initial one.
func (j *judge) judgeState(step *Step, from lts.State, tr *lts.Transition) {
	for p := range j.r.Properties {
		x := &j.r.Properties[p]
		if !x.Judged || x.Violated {
			continue
		}
		if x.Kind == model.StepInvariant {
			x.Violated = tr != nil && j.in.Plain.JudgeStep(from, *tr, p)
		} else {
			x.Violated = j.in.Plain.Judge(j.state, p)
		}
		if x.Violated {
			x.At = step
		}
	}
	units := 0
	for _, u := range j.in.Plain.InUse(j.state) {
		units += u.Units
	}
	v := &j.r.Vacuity
	if tr != nil {
		v.Entries += one(units > j.units)
		v.Crashes += one(tr.Crashed)
		v.Switches += one(tr.Received != nil)
		v.Hidden += one(step.Event == nil)
	}
	if units > v.Inside {
		v.Inside, v.At = units, step
	}
	j.units = units
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// steps describes the steps of a path, without their texts.
func (s *matcher) steps(path []*pathStep) (list []Step) {
	cut := make([]int, len(s.names))
	for _, t := range path {
		step := Step{Node: s.names[t.proc], Action: s.actions[t.step.Action].Name}
		if t.skip {
			step.Action = ""
		}
		if t.line >= 0 {
			step.Event = s.event(t.proc, int(t.line))
			cut[t.proc]++
		} else {
			step.After, step.Before = s.event(t.proc, cut[t.proc]-1), s.event(t.proc, cut[t.proc])
		}
		list = append(list, step)
	}
	return list
}

// A Verdict says whether a run of the model explains a log.
type Verdict string

// The verdicts.
const (
	Accepted  Verdict = "accepted"
	Rejected  Verdict = "rejected"  // no run explains it, within the missing lines that Options allow
	Undecided Verdict = "undecided" // a limit was reached
)

// A Report is the result of Run.
type Report struct {
	Verdict   Verdict
	Reason    string // why it is undecided
	Lines     int    // number of lines that the model has to explain
	Explained int    // number of lines explained
	States    int64  // number of states searched, in all passes

	// The explanation, or a longest part of one, as steps in the log and as a run of the model, with what it
	// shows.
	Steps      []Step
	Initial    lts.State
	Taken      []lts.Transition
	Properties []Property
	Broken     []Step // steps that a constraint or a history of the model excludes
	Vacuity    Vacuity
	Cover      *Cover // nil: not asked, or no run explains the log

	Furthest []FurthestCut // where the search got stuck; nil if accepted
	Repair   *Repair       // nil: not tried
}

// A Step is one step of an explanation.
type Step struct {
	Node   string // the process
	Action string // "" for an event that did not happen
	Text   string // in words
	Event  *logs.Event
	// A step without an event is hidden. It happened after event After of the same node, and before event
	// Before; nil: there is no such event.
	After, Before *logs.Event
}

// String returns the step in words, with its place.
func (s *Step) String() string {
	switch {
	case s.Event != nil && s.Action == "":
		return fmt.Sprintf("%s: did not happen", s.Event.Place)
	case s.Event != nil:
		return fmt.Sprintf("%s: %s", s.Event.Place, s.Text)
	case s.After != nil && s.Before != nil:
		return fmt.Sprintf("between %s and %s: %s", s.After.Place, s.Before.Place, s.Text)
	case s.After != nil:
		return fmt.Sprintf("after %s: %s", s.After.Place, s.Text)
	case s.Before != nil:
		return fmt.Sprintf("before %s: %s", s.Before.Place, s.Text)
	}
	return fmt.Sprintf("%s without any lines: %s", s.Node, s.Text)
}

// A Property is the judgement of a property of the model along an explanation, which is one run of many: it
// can show a violation, and proves nothing.
type Property struct {
	Name     string
	Kind     model.PropertyKind
	Judged   bool // false for kinds that a finite run cannot decide
	Violated bool // for a goal: reached
	At       *Step
}

// Vacuity has the coverage of the model by an explanation.
type Vacuity struct {
	Inside   int      // the largest number of units in use at once
	At       *Step    // when it was first reached; nil: in the initial state
	Crashes  int      // crashes, without processes that are dead from the start
	Never    []string // actions of the model that did not occur, without crashes
	Entries  int      // steps after which a process uses more units than before
	Hidden   int      // hidden steps
	Switches int      // receipts of messages
}

// A FurthestCut is a cut of the log beyond which no explanation leads; no other such cut has more lines.
type FurthestCut struct {
	Blocked []Blocked // the nodes with lines left; nodes that wait for others come last
	State   []lts.Var
	Last    *logs.Event // the last line explained; nil: none
}

// Blocked is a node with the next line that could not be explained.
type Blocked struct {
	Node    string
	Event   *logs.Event
	After   *logs.Event // the last line of the node that was explained; nil: none
	Why     string
	Waits   bool     // it only waits for lines of other nodes
	Enabled []string // steps that the model could take there, without crashes
}

// A Repair is the result of the search for missing lines.
type Repair struct {
	Found     bool
	Missing   []Step // the steps without a line, including Options.Hidden ones
	Tried     int    // the largest number of additional lines
	Exhausted bool   // if not found: that number is certainly not enough
}

// maxFurthest is the number of furthest cuts that are kept, maxEnabled the number of steps listed for a node.
const (
	maxFurthest = 4
	maxEnabled  = 8
)

// furthest keeps the cuts that have explained the most lines.
type furthest struct {
	most int
	list []cut
}

// add keeps a cut that leads no further, if no other has more lines.
func (x *furthest) add(c *cut) {
	used := c.used()
	if used < x.most || len(c.pending) > 0 {
		return
	}
	if used > x.most {
		x.most, x.list = used, x.list[:0]
	}
	same := func(d cut) bool { return slices.Equal(d.explained, c.explained) }
	if len(x.list) < maxFurthest && !slices.ContainsFunc(x.list, same) {
		x.list = append(x.list, *c)
	}
}

func (s *matcher) furthestCut(c *cut) FurthestCut {
	state := c.point.State
	f := FurthestCut{State: state.Vars()}
	for t := c.via; t != nil && f.Last == nil; t = t.before {
		if t.line >= 0 {
			f.Last = s.event(t.proc, int(t.line))
		}
	}
	for p := range model.Proc(len(s.names)) {
		i := int(c.explained[p])
		if i == len(s.lines[p]) {
			continue
		}
		b := Blocked{Node: s.names[p], Event: s.event(p, i), After: s.event(p, i-1), Enabled: s.enabled(state,
			p)}
		b.Why, b.Waits = s.why(c, p)
		f.Blocked = append(f.Blocked, b)
	}
	slices.SortStableFunc(f.Blocked, func(a, b Blocked) int {
		switch {
		case a.Waits == b.Waits:
			return 0
		case b.Waits:
			return -1
		}
		return 1
	})
	return f
}

// event returns the event of line i of p; nil: no such line.
func (s *matcher) event(p model.Proc, i int) *logs.Event {
	if i < 0 || i >= len(s.lines[p]) {
		return nil
	}
	return &s.h.Events[s.lines[p][i].event]
}

// enabled lists in words the steps that p could take in a state, without crashes.
func (s *matcher) enabled(state lts.State, p model.Proc) (texts []string) {
	for a := range s.actions {
		if s.track.Class(a) > interp.CrashNotice {
			continue
		}
		for _, t := range s.track.StepsOf(state, p, a) {
			if !t.Crashed {
				texts = append(texts, t.Text())
			}
		}
	}
	if n := len(texts); n > maxEnabled {
		texts = append(texts[:maxEnabled], fmt.Sprintf("and %d more", n-maxEnabled))
	}
	return texts
}

// why describes the first mismatch of the next line of p, and whether p only waits for other processes.
func (s *matcher) why(c *cut, p model.Proc) (why string, waits bool) {
	l := &s.lines[p][c.explained[p]]
	e := s.event(p, int(c.explained[p]))
	for _, x := range l.after {
		if c.explained[x.proc] < x.lines {
			return fmt.Sprintf("it comes after %s, which could not be explained",
				s.event(x.proc, int(x.lines)-1).Place), true
		}
	}
	if c.point.IsDead(p) {
		return fmt.Sprintf("%s is dead", s.names[p]), false
	}
	var list mismatches
	if len(s.matches(c.point, p, l, &list)) > 0 {
		return "it can be explained, but nothing that follows from it leads further", false
	}
	deepest := 0
	for _, m := range list {
		deepest = max(deepest, m.depth)
	}
	if deepest > 1 {
		return strings.Join(texts(list, deepest), "; or "), false
	}
	if l.class == interp.Receipt {
		return s.whyNotReceived(c, p, l, e, list)
	}
	if len(list) > 0 {
		return fmt.Sprintf("%s is not enabled: %s", e.Name, strings.Join(texts(list, deepest), "; ")), false
	}
	return fmt.Sprintf("%s is not enabled", e.Name), false
}

func (s *matcher) whyNotReceived(c *cut, p model.Proc, l *line, e *logs.Event, list mismatches) (why string,
	waits bool) {
	what := "a message"
	if e.Message != "" {
		what = e.Message
	}
	if l.from >= 0 {
		what += " from " + s.names[l.from]
	}
	inbox := c.point.inboxes[p]
	for i := range inbox {
		if s.receivable(&inbox[i], l) == "" { // in the channel, but not deliverable
			return fmt.Sprintf("%s cannot be received now", what), false
		}
	}
	waits = l.from >= 0 && int(c.explained[l.from]) < len(s.lines[l.from])
	why = what + " is not in the channel"
	if len(list) > 0 {
		why += ": " + strings.Join(texts(list, 1), "; ")
	}
	return why, waits
}

// texts returns the distinct mismatches of one depth.
func texts(list mismatches, depth int) (texts []string) {
	for _, m := range list {
		if m.depth == depth && !slices.Contains(texts, m.why) {
			texts = append(texts, m.why)
		}
	}
	return texts
}
