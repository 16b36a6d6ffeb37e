package traces

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Run is a trace with the states and transitions of the model.
type Run struct {
	Trace  *Trace
	States []lts.State      // after each step of the trace
	Taken  []lts.Transition // Taken[i] leads from States[i] to States[i+1]
	File   string           // name of the file with the trace; "": none was written

	claim claim
	cause func() Cause // searched once
}

// Enabled returns the steps that are enabled in the state after step i, without the steps
// that an assumption forbids. If the model fails there, it returns nil.
func (r *Run) Enabled(i int) (ts []lts.Transition) {
	defer model.Catch(new(*model.Error)) // if a step fails, none is enabled
	return Enabled(r.claim.in, r.States[i])
}

// FromRun makes a run from an initial state and the transitions taken. It fills in the header's kind, verdict
// and capacity. It is an error if the run does not show the claim of the header.
func FromRun(in model.Instance, h Header, initial lts.State, taken []lts.Transition) (*Run, error) {
	c, err := newClaim(in, &h)
	if err != nil {
		return nil, err
	}
	c.lenient = true
	r, err := c.shown(h, initial, taken)
	if err != nil {
		return nil, err
	}
	return r.described(), nil
}

// shown returns a run whose trace has no steps yet. It is an error if the run does not show its claim.
func (c *claim) shown(h Header, initial lts.State, taken []lts.Transition) (*Run, error) {
	r := c.run(h, initial, taken)
	if why := c.refuted(r.States, taken); why != "" && !c.elusive() {
		return nil, fmt.Errorf("the run does not show its claim: %s", why)
	}
	return r, nil
}

// run returns a run whose trace has no steps yet.
func (c *claim) run(h Header, initial lts.State, taken []lts.Transition) *Run {
	r := &Run{Trace: &Trace{Header: h}, States: []lts.State{initial}, Taken: taken, claim: *c}
	r.States = append(r.States, printable.Each(taken, func(t *lts.Transition) lts.State { return t.Next })...)
	return r
}

// FromPath is FromRun for a run given by its states and, where several steps lead from one to the next, by
// the texts of its steps; "": any step.
func FromPath(in model.Instance, h Header, states []lts.State, texts []string) (*Run, error) {
	r, err := runThrough(in, h, states, texts, nil)
	if err != nil {
		return nil, err
	}
	return r.described(), nil
}

// Shortened returns the same run as Minimise after FromPath. It is faster for thousands of steps of many
// processes: with labels it finds steps without listing all enabled ones, and it describes only those left.
func Shortened(ctx context.Context, in model.Instance, h Header, states []lts.State,
	labels []model.Label) (*Run, error) {
	r, err := runThrough(in, h, states, make([]string, len(states)), labels)
	if err != nil {
		return nil, err
	}
	if r = Minimise(ctx, r); r.Trace.Steps == nil { // nothing could be left out
		r = r.described()
	}
	return r, nil
}

// runThrough returns the run through the given states. Its trace has no steps yet. labels may be nil.
func runThrough(in model.Instance, h Header, states []lts.State, texts []string,
	labels []model.Label) (*Run, error) {
	c, err := newClaim(in, &h)
	if err != nil {
		return nil, err
	}
	if len(states) == 0 {
		return nil, fmt.Errorf("a run without states")
	}
	initial := stepTo(c.plain.Init(), states[0], "")
	if initial == nil {
		return nil, fmt.Errorf("the run does not begin in an initial state")
	}
	at, taken := initial.Next, []lts.Transition(nil)
	for n, want := range states[1:] {
		var ts []lts.Transition
		if labels == nil {
			ts = Enabled(c.in, at)
		} else {
			ts = allowed(c.plain.Like(at, labels[n]))
		}
		if c.info.Kind == model.StepInvariant && n == len(states)-2 { // the last step violates the property
			ts = slices.DeleteFunc(ts, func(t lts.Transition) bool {
				return !c.plain.JudgeStep(at, t, c.property)
			})
		}
		t := stepTo(ts, want, texts[n+1])
		if t == nil {
			return nil, fmt.Errorf("no step leads from state %d of the run to the next one", n)
		}
		taken, at = append(taken, *t), t.Next
	}
	return c.shown(h, initial.Next, taken)
}

// stepTo returns a step that leads to a state, the one with the text if there is one; nil if no step does.
func stepTo(ts []lts.Transition, to lts.State, text string) *lts.Transition {
	key := to.Key()
	ts = slices.DeleteFunc(ts, func(t lts.Transition) bool { return t.Next.Key() != key })
	if len(ts) == 0 {
		return nil
	}
	alike := func(t lts.Transition) bool { return text != "" && t.Text() == text }
	return &ts[max(0, slices.IndexFunc(ts, alike))]
}

// described returns the run with a trace of all steps. For a model error it adds the failing step.
func (r *Run) described() *Run {
	c := &r.claim
	states, taken, failed := r.States, r.Taken, ""
	if c.mistake != nil {
		if t := c.failing(states); t != nil {
			taken = append(slices.Clip(taken), *t)
			states = append(slices.Clip(states), states[len(states)-1])
			if failed = c.mistake.What; c.mistake.Where != "" {
				failed += " (" + c.mistake.Where + ")"
			}
		}
	}
	t := &Trace{Header: r.Trace.Header, Steps: []Step{c.begin(states[0])}}
	var numbers messageNumbers
	for i := range taken {
		s := c.describe(c.variables(states[i]), &taken[i], &numbers)
		s.Index = i + 1
		t.Steps = append(t.Steps, s)
	}
	t.Steps[len(t.Steps)-1].Failed = failed
	return &Run{Trace: t, States: states, Taken: taken, claim: r.claim}
}

func (c *claim) begin(s lts.State) Step {
	changed, _ := diff(nil, c.variables(s))
	return Step{Text: "initial state", Changed: changed, Inside: c.inside(s)}
}

func (c *claim) describe(before []lts.Var, t *lts.Transition, numbers *messageNumbers) Step {
	action := c.actions[t.Action]
	s := Step{Node: t.Owner, Event: action.Name, Source: action.Source, Text: t.Text(), Noticed: t.Noticed,
		Crashed: t.Crashed, Inside: c.inside(t.Next)}
	if t.Received != nil {
		s.Received = new(numbers.collect(*t.Received))
	}
	for _, m := range t.Lost {
		s.Lost = append(s.Lost, numbers.collect(m))
	}
	for _, m := range t.Sent {
		s.Sent = append(s.Sent, numbers.accept(m))
	}
	s.Changed, s.Gone = diff(before, c.variables(t.Next))
	return s
}

// inside returns the uses of units in a state. If the model fails to count them, only a run to a mistake, and
// the page, show the state without them.
func (c *claim) inside(s lts.State) (uses []Use) {
	e := check.Caught(func() {
		for _, u := range c.plain.InUse(s) {
			uses = append(uses, Use(u))
		}
	})
	if e != nil && !c.lenient && c.mistake == nil {
		panic(e)
	}
	return uses
}

// initialMessage is the ID of all messages that are in channels in the initial state.
const initialMessage = "m0"

// messageNumbers numbers messages in the order of sending, and records the messages on their way. Nil leaves
// messages without numbers.
type messageNumbers struct {
	sent    int
	pending []Msg // not yet received, in the order of sending
}

func (o *messageNumbers) accept(m lts.Message) Msg {
	if o == nil {
		return Msg{"", m.From, m.To, m.Text}
	}
	o.sent++
	numbered := Msg{"m" + strconv.Itoa(o.sent), m.From, m.To, m.Text}
	o.pending = append(o.pending, numbered)
	return numbered
}

// collect removes the oldest pending message that equals m, and returns it with its number.
func (o *messageNumbers) collect(m lts.Message) Msg {
	if o == nil {
		return Msg{"", m.From, m.To, m.Text}
	}
	i := slices.IndexFunc(o.pending, func(p Msg) bool { return p.is(m) })
	if i < 0 {
		return Msg{initialMessage, m.From, m.To, m.Text}
	}
	found := o.pending[i]
	o.pending = slices.Delete(o.pending, i, i+1)
	return found
}

// misnumbered describes the first message of a recorded step with a wrong number; "" if all are right.
func (o *messageNumbers) misnumbered(s *Step) string {
	for _, m := range s.collected() {
		if id := o.collect(lts.Message{From: m.From, To: m.To, Text: m.Text}).ID; id != m.ID {
			return fmt.Sprintf("the message %s is %s, not %s: of equal messages the oldest comes first",
				s.how(m), id, m.ID)
		}
	}
	for _, m := range s.Sent {
		if id := o.accept(lts.Message{From: m.From, To: m.To, Text: m.Text}).ID; id != m.ID {
			return fmt.Sprintf("the message sent is number %s, not %s", id, m.ID)
		}
	}
	return ""
}

// diff compares the variables of two states. It returns the new ones and those with new values,
// and the variables that no longer exist.
func diff(before, after []lts.Var) (changed, gone []Var) {
	type name struct{ owner, name string }
	old := make(map[name]string, len(before))
	for _, v := range before {
		old[name{v.Owner, v.Name}] = v.Value
	}
	changed = []Var{} // an empty list in JSON, not null
	now := make(map[name]bool, len(after))
	for _, v := range after {
		key := name{v.Owner, v.Name}
		now[key] = true
		if was, known := old[key]; !known || was != v.Value {
			changed = append(changed, Var(v))
		}
	}
	for _, v := range before {
		if !now[name{v.Owner, v.Name}] {
			gone = append(gone, Var(v))
		}
	}
	return changed, gone
}
