package traces

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Run is a trace together with the states and steps of the model that it
// stands for.
type Run struct {
	Trace  *Trace
	States []lts.State      // after each step of the trace
	Taken  []lts.Transition // Taken[i] leads from States[i] to States[i+1]
	File   string           // where it was written; "": nowhere

	claim claim
}

// Enabled returns the steps that are enabled in the state after step i, those
// that an assumption forbids left out.
func (r *Run) Enabled(i int) (ts []lts.Transition) {
	var e *model.Error // where a step fails, none is
	defer model.Catch(&e)
	return r.claim.enabled(r.States[i])
}

// FromRun puts down a run of a model, given by its initial state and its steps.
// Of the header it fills in the kind of the property and the verdict. It fails if
// the run does not show what the header says.
func FromRun(in model.Instance, h Header, initial lts.State, taken []lts.Transition) (*Run, error) {
	c, err := newClaim(in, &h)
	if err != nil {
		return nil, err
	}
	r, err := c.shown(h, initial, taken)
	if err != nil {
		return nil, err
	}
	return r.spelled(), nil
}

// shown returns a run that shows its claim, without the steps of its trace.
func (c *claim) shown(h Header, initial lts.State, taken []lts.Transition) (*Run, error) {
	r := c.run(h, initial, taken)
	if why := c.refuted(r.States, taken); why != "" && !h.Mistake.flaky() {
		return nil, fmt.Errorf("the run does not show its claim: %s", why)
	}
	return r, nil
}

// run returns a run without the steps of its trace.
func (c *claim) run(h Header, initial lts.State, taken []lts.Transition) *Run {
	r := &Run{Trace: &Trace{Header: h}, States: []lts.State{initial}, Taken: taken, claim: *c}
	for i := range taken {
		r.States = append(r.States, taken[i].Next)
	}
	return r
}

// FromPath is FromRun, for a run given by its states and, unless labels is nil, by the labels of its steps,
// with which it finds a step without listing all.
func FromPath(in model.Instance, h Header, states []lts.State, labels []model.Label) (*Run, error) {
	r, err := along(in, h, states, labels)
	if err != nil {
		return nil, err
	}
	return r.spelled(), nil
}

// Shortened returns what Minimise makes of FromPath. It does not spell out the run on the way, which may be
// of thousands of steps of many processes.
func Shortened(in model.Instance, h Header, states []lts.State, labels []model.Label) (*Run, error) {
	r, err := along(in, h, states, labels)
	if err != nil {
		return nil, err
	}
	if r = Minimise(r); r.Trace.Steps == nil {
		r = r.spelled()
	}
	return r, nil
}

// along returns the run by some states, without the steps of its trace; labels may be nil.
func along(in model.Instance, h Header, states []lts.State, labels []model.Label) (*Run, error) {
	c, err := newClaim(in, &h)
	if err != nil {
		return nil, err
	}
	if len(states) == 0 {
		return nil, fmt.Errorf("a run without states")
	}
	initial := leading(c.plain.Init(), states[0])
	if initial == nil {
		return nil, fmt.Errorf("the run begins in no initial state")
	}
	at, taken := initial.Next, []lts.Transition(nil)
	for n, want := range states[1:] {
		var ts []lts.Transition
		if labels == nil {
			ts = c.enabled(at)
		} else {
			ts = c.like(at, labels[n])
		}
		if c.info.Kind == model.StepInvariant && n == len(states)-2 { // it has to break the property
			ts = slices.DeleteFunc(ts, func(t lts.Transition) bool {
				return !c.plain.JudgeStep(at, t, c.property)
			})
		}
		t := leading(ts, want)
		if t == nil {
			return nil, fmt.Errorf("no step leads from state %d of the run to the next one", n)
		}
		taken, at = append(taken, *t), t.Next
	}
	return c.shown(h, initial.Next, taken)
}

// leading returns one of the steps that leads to a state; nil if no step does.
func leading(ts []lts.Transition, to lts.State) *lts.Transition {
	key := to.Key()
	i := slices.IndexFunc(ts, func(t lts.Transition) bool { return t.Next.Key() == key })
	if i < 0 {
		return nil
	}
	return &ts[i]
}

// spelled returns the run with all steps of its trace, and the failing one of a run to a mistake.
func (r *Run) spelled() *Run {
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
		s := c.describe(variables(states[i]), &taken[i], &numbers)
		s.Index = i + 1
		t.Steps = append(t.Steps, s)
	}
	t.Steps[len(t.Steps)-1].Failed = failed
	return &Run{Trace: t, States: states, Taken: taken, claim: r.claim}
}

// begin describes an initial state.
func (c *claim) begin(s lts.State) Step {
	changed, _ := diff(nil, variables(s))
	return Step{Text: "initial state", Changed: changed, Inside: c.inside(s)}
}

// describe describes a step from a state with the given variables.
func (c *claim) describe(before []lts.Var, t *lts.Transition, numbers *messageNumbers) Step {
	action := c.actions[t.Action]
	s := Step{
		Node: t.Owner, Event: action.Name, Source: action.Source, Text: t.Text(),
		Noticed: t.Noticed, Crashed: t.Crashed, Inside: c.inside(t.Next),
	}
	if t.Received != nil {
		m := numbers.collect(*t.Received)
		s.Received = &m
	}
	for _, m := range t.Lost {
		s.Lost = append(s.Lost, numbers.collect(m))
	}
	for _, m := range t.Sent {
		s.Sent = append(s.Sent, numbers.accept(m))
	}
	s.Changed, s.Gone = diff(before, variables(t.Next))
	return s
}

func (c *claim) inside(s lts.State) (uses []Use) {
	var e *model.Error // where units cannot be counted, none are
	defer model.Catch(&e)
	for _, u := range c.plain.InUse(s) {
		uses = append(uses, Use(u))
	}
	return uses
}

// initialMessage is the ID of messages that are in channels from the start.
const initialMessage = "m0"

// messageNumbers number messages in the order in which they are sent, and remember those under way.
type messageNumbers struct {
	sent    int
	pending []Msg // not yet received, in the order of sending
}

// accept numbers a message that is sent.
func (o *messageNumbers) accept(m lts.Message) Msg {
	o.sent++
	numbered := Msg{"m" + strconv.Itoa(o.sent), m.From, m.To, m.Text}
	o.pending = append(o.pending, numbered)
	return numbered
}

// collect returns the oldest pending message that is the same as m.
func (o *messageNumbers) collect(m lts.Message) Msg {
	i := slices.IndexFunc(o.pending, func(p Msg) bool { return p.is(m) })
	if i < 0 {
		return Msg{initialMessage, m.From, m.To, m.Text}
	}
	found := o.pending[i]
	o.pending = slices.Delete(o.pending, i, i+1)
	return found
}

// misnumbered says which message of a recorded step has not the number that it
// must have; "" if none.
func (o *messageNumbers) misnumbered(s *Step) string {
	collected := func(m *Msg, how string) string {
		if id := o.collect(lts.Message{From: m.From, To: m.To, Text: m.Text}).ID; id != m.ID {
			return fmt.Sprintf("the message %s is %s, not %s: of equal ones the oldest comes first", how, id,
				m.ID)
		}
		return ""
	}
	if s.Received != nil {
		if why := collected(s.Received, "received"); why != "" {
			return why
		}
	}
	for i := range s.Lost {
		if why := collected(&s.Lost[i], "lost"); why != "" {
			return why
		}
	}
	for _, m := range s.Sent {
		if id := o.accept(lts.Message{From: m.From, To: m.To, Text: m.Text}).ID; id != m.ID {
			return fmt.Sprintf("the message sent is number %s, not %s", id, m.ID)
		}
	}
	return ""
}

// diff returns the variables that are not in both lists with the same value:
// those with new values, and those that are no more.
func diff(before, after []lts.Var) (changed, gone []Var) {
	type name struct{ owner, name string }
	old := make(map[name]string, len(before))
	for _, v := range before {
		old[name{v.Owner, v.Name}] = v.Value
	}
	changed = []Var{} // written as an empty list, not as null
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
