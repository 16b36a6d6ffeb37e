package traces

import (
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Mistake is an error in the model itself that a run shows.
type Mistake struct {
	What    string `json:"what"`
	Where   string `json:"where,omitempty"`   // file and line of the model
	Process string `json:"process,omitempty"` // whose step it is
	Action  string `json:"action,omitempty"`
	State   string `json:"state,omitempty"`   // what the function at fault was given
	Message string `json:"message,omitempty"` // received in the step, with its sender
	First   string `json:"first,omitempty"`   // two results of the function for the same arguments
	Second  string `json:"second,omitempty"`
}

// NewMistake returns what a header says of a mistake.
func NewMistake(e *model.Error) *Mistake {
	return &Mistake{e.What, e.Where, e.Process, e.Action, e.State, e.Message, e.First, e.Second}
}

// modelError is the verdict of a run that shows a mistake, and its kind.
const modelError = "model error"

// fault returns the mistake that shows at the end of a run; nil: none.
func (c *claim) fault(states []lts.State) *model.Error {
	which := uint64(0)
	for i, p := range c.infos {
		if c.info.Name == "property "+p.Name {
			which |= 1 << i
		}
	}
	last := len(states) - 1
	if e, by := c.in.Examine(states[last], which); e != nil && by == nil {
		return e
	}
	if last == 0 {
		return nil
	}
	e, by := c.in.Examine(states[last-1], which)
	if e == nil || by == nil || by.Next.Key() != states[last].Key() {
		return nil
	}
	return e
}

// atFault says why a run does not show the mistake that it is said to; "" if it does.
func (c *claim) atFault(states []lts.State) string {
	e := c.fault(states)
	switch {
	case e == nil && c.mistake.unsteady():
		return "the model does not fail in the last state; it is not a function, so it need not each time"
	case e == nil:
		return "the model does not fail in the last state"
	case e.Part != c.info.Name || e.Process != c.mistake.Process || e.Action != c.mistake.Action:
		return "the model fails in another way: " + e.Error()
	}
	return ""
}

// unsteady reports whether a mistake need not show each time.
func (m *Mistake) unsteady() bool { return m != nil && (m.First != "" || m.Second != "") }

// failing appends the step in which the mistake shows to a run that leads there, if it
// shows in a step: it may be met again there, or not.
func (r *Run) failing() {
	c, at := &r.claim, r.States[len(r.States)-1]
	i := slices.IndexFunc(c.actions, func(a lts.Action) bool { return a.Name == c.mistake.Action })
	var t *lts.Transition
	if again := c.fault(r.States); again != nil && again.Action == c.mistake.Action {
		t = again.Step(at)
	} else if i >= 0 {
		what := strings.TrimSpace(c.mistake.Process + " " + c.mistake.Action)
		t = &lts.Transition{
			Action: i, Owner: c.mistake.Process, Next: at,
			Text: func() string { return what + ", which fails" },
		}
	}
	if t == nil {
		return
	}
	var numbers messageNumbers
	for i := range r.Trace.Steps {
		numbers.misnumbered(&r.Trace.Steps[i]) // they are not: this keeps account of the messages under way
	}
	s := c.describe(variables(at), t, &numbers)
	s.Index, s.Failed = len(r.Trace.Steps), c.mistake.What
	if where := c.mistake.Where; where != "" {
		s.Failed += " (" + where + ")"
	}
	r.Trace.Steps = append(r.Trace.Steps, s)
	r.States, r.Taken = append(r.States, at), append(r.Taken, *t)
}

// variables returns the variables of a state, or its key where the functions for them are at fault.
func variables(s lts.State) (vars []lts.Var) {
	var e *model.Error
	defer func() {
		if e != nil {
			vars = []lts.Var{{Name: "state", Value: s.Key()}}
		}
	}()
	defer model.Catch(&e)
	return s.Vars()
}
