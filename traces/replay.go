package traces

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
)

// A Mismatch is the place and the reason why a trace is not a run of the model, or does not show its claim.
type Mismatch struct {
	Step int // 0: the header or the initial state
	Line int // of the file, if Write wrote it; from 1
	Msg  string
}

func (d *Mismatch) Error() string {
	if d.Line == 1 {
		return fmt.Sprintf("line 1, header: %s", d.Msg)
	}
	return fmt.Sprintf("line %d, step %d: %s", d.Line, d.Step, d.Msg)
}

func mismatch(step int, format string, a ...any) error {
	return &Mismatch{step, step + 2, fmt.Sprintf(format, a...)}
}

// Replay executes a trace again, from an initial state with the plain semantics of the model. Each step has
// to be enabled and to have the recorded result, and the run has to show the claim of its header. Otherwise
// the error is a Mismatch.
//
// The error is a *model.Error if the model fails on the way.
func Replay(in model.Instance, t *Trace) (r *Run, err error) {
	if e := check.Caught(func() { r, err = replay(in, t) }); e != nil {
		return nil, e
	}
	return r, err
}

func replay(in model.Instance, t *Trace) (*Run, error) {
	h := t.Header
	c, err := newClaim(in, &h)
	if err != nil {
		return nil, err
	}
	if len(t.Steps) == 0 {
		return nil, mismatch(0, "the trace has no initial state")
	}
	at, err := c.initialPoints(&t.Steps[0])
	if err != nil {
		return nil, err
	}
	var numbers messageNumbers
	for i := 1; i < len(t.Steps) && t.Steps[i].Failed == ""; i++ {
		if at, err = c.follow(at, &t.Steps[i]); err != nil {
			return nil, err
		}
		if why := numbers.misnumbered(&t.Steps[i]); why != "" {
			return nil, mismatch(i, "%s", why)
		}
	}
	why := ""
	for _, end := range at {
		r := end.run(c, h)
		if why = c.refuted(r.States, r.Taken); why == "" {
			return r.described(), nil
		}
	}
	return nil, mismatch(len(t.Steps)-1, "%s", why)
}

// A point is a state that fits the trace so far. There may be several: states with
// the same variables may differ in the order of messages in channels.
type point struct {
	state  lts.State
	by     lts.Transition
	before *point
}

func (p *point) run(c *claim, h Header) *Run {
	var taken []lts.Transition
	for ; p.before != nil; p = p.before {
		taken = append(taken, p.by)
	}
	slices.Reverse(taken)
	return c.run(h, p.state, taken)
}

// maxPoints is the most states that replay follows side by side.
const maxPoints = 64

// initialPoints returns the initial states with the recorded variables.
func (c *claim) initialPoints(want *Step) (ps []*point, err error) {
	var closest []string
	for i, t := range c.plain.Init() {
		s := c.begin(t.Next)
		d := differences(want, &s)
		if len(d) == 0 && len(ps) < maxPoints {
			ps = append(ps, &point{state: t.Next})
		}
		if i == 0 || len(d) < len(closest) {
			closest = d
		}
	}
	if len(ps) == 0 {
		return nil, mismatch(0, "the model has no such initial state: %s", strings.Join(closest, "; "))
	}
	return ps, nil
}

// follow takes a recorded step from each state that fits the trace so far.
func (c *claim) follow(at []*point, want *Step) ([]*point, error) {
	var next []*point
	var closest []string // the differences of the most similar step
	seen := map[string]bool{}
	for _, p := range at {
		before := c.variables(p.state)
		for _, t := range c.candidates(p.state, want.Node, want.Event) {
			if !c.matches(&t, want) {
				continue
			}
			s := c.describe(before, &t, nil)
			d := differences(want, &s)
			if closest == nil || len(d) < len(closest) {
				closest = d
			}
			if key := t.Next.Key() + "\x00" + s.Text; len(d) == 0 && !seen[key] && len(next) < maxPoints {
				seen[key] = true
				next = append(next, &point{t.Next, t, p})
			}
		}
	}
	if len(next) > 0 {
		// The text decides which comes first, and no more: its wording may change from version to version.
		if i := slices.IndexFunc(next, func(p *point) bool { return p.by.Text() == want.Text }); i > 0 {
			next = slices.Concat(next[i:i+1], next[:i], next[i+1:])
		}
		return next, nil
	}
	switch mistake := c.in.Blame(at[0].state); {
	case mistake != nil && mistake.Impure():
		return nil, mistake
	case closest != nil:
		return nil, mismatch(want.Index, "%s has another result: %s", want.eventName(),
			strings.Join(closest, "; "))
	}
	return nil, mismatch(want.Index, "%s is not enabled; %s", want.eventName(),
		c.alternatives(Enabled(c.in, at[0].state)))
}

// matches reports whether t has the event, process and message of the recorded step. It ignores the result.
func (c *claim) matches(t *lts.Transition, want *Step) bool {
	return t.Owner == want.Node && c.actions[t.Action].Name == want.Event && t.Noticed == want.Noticed &&
		t.Crashed == want.Crashed && (t.Received == nil) == (want.Received == nil) &&
		(t.Received == nil || want.Received.is(*t.Received))
}

// is reports whether two messages have the same sender, target and text. It ignores the ID.
func (m *Msg) is(other lts.Message) bool {
	return m.From == other.From && m.To == other.To && m.Text == other.Text
}

// eventName describes a recorded step in a few words, for errors.
func (s *Step) eventName() string {
	what := strings.TrimPrefix(s.Node+" "+s.Event, " ")
	if s.Received != nil {
		what += fmt.Sprintf(" (%s from %s)", s.Received.Text, s.Received.From)
	}
	if s.Noticed != "" {
		what += " of " + s.Noticed
	}
	return what
}

// differences lists the differences between the recorded result of a step and the actual one.
func differences(want, got *Step) (differences []string) {
	differ := func(what, recorded, actual string) {
		if recorded != actual {
			differences = append(differences, fmt.Sprintf("%s: the trace has %s, the model %s", what,
				recorded, actual))
		}
	}
	differ("sent", messages(want.Sent), messages(got.Sent))
	recorded, actual := values(want), values(got)
	missing := "no change"
	if want.Index == 0 {
		missing = "no such variable"
	}
	labels := slices.Concat(slices.Collect(maps.Keys(recorded)), slices.Collect(maps.Keys(actual)))
	slices.Sort(labels)
	for _, label := range slices.Compact(labels) {
		differ(label, cmp.Or(recorded[label], missing), cmp.Or(actual[label], missing))
	}
	differ("lost", messages(want.Lost), messages(got.Lost))
	differ("inside", uses(want.Inside), uses(got.Inside))
	return differences
}

func messages(ms []Msg) string {
	return cmp.Or(joined(ms, (*Msg).String), "nothing")
}

// values returns the new value of each variable that a step changed, quoted, by its label.
func values(s *Step) map[string]string {
	to := map[string]string{}
	for _, v := range s.Changed {
		to[v.Label()] = fmt.Sprintf("%q", v.Value)
	}
	for _, v := range s.Gone {
		to[v.Label()] = "no such variable"
	}
	return to
}

func uses(us []Use) string {
	text := joined(us, func(u *Use) string { return fmt.Sprint(u.Owner, " with ", u.Units) })
	return cmp.Or(text, "no process")
}
