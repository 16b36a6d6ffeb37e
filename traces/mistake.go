package traces

import (
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
)

// A Mistake is a model error that a run shows.
type Mistake struct {
	What    string `json:"what"`
	Where   string `json:"where,omitempty"`   // file and line of the model
	Process string `json:"process,omitempty"` // the process whose step fails
	Action  string `json:"action,omitempty"`
	State   string `json:"state,omitempty"`   // argument of the function that failed
	Message string `json:"message,omitempty"` // received in the step, with its sender
	First   string `json:"first,omitempty"`   // two results of the function for the same arguments
	Second  string `json:"second,omitempty"`
}

// NewMistake returns the fields of a model error that a header keeps.
func NewMistake(e *model.Error) *Mistake {
	return &Mistake{e.What, e.Where, e.Process, e.Action, e.State, e.Message, e.First, e.Second}
}

// modelError is the verdict and the kind of a run that shows a model error.
const modelError = "model error"

// findMistake returns the model error that occurs in the last state of a run or the step to it; nil: none.
func (c *claim) findMistake(states []lts.State) *model.Error {
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

// mistakeMissing returns the reason why a run does not show the model error of its header; "" if it does.
func (c *claim) mistakeMissing(states []lts.State) string {
	e := c.findMistake(states)
	switch {
	case e == nil && c.elusive():
		return "the model does not fail in the last state; such an error shows in some runs only, as " +
			"results vary, or in searches only, which compare results"
	case e == nil:
		return "the model does not fail in the last state"
	case e.Part != c.info.Name || e.Process != c.mistake.Process || e.Action != c.mistake.Action:
		return "the model fails in another way: " + e.Error()
	}
	return ""
}

// elusive reports whether a run need not show its mistake: results of a function differed, or only a search
// meets it.
func (c *claim) elusive() bool {
	m := c.mistake
	return m != nil && (m.First != "" || m.Second != "" || check.OfSearch(c.info.Name))
}

// failing returns the step that fails in the last state of a run. If the failure does not occur this time, it
// makes up such a step from the mistake's process and action; nil if the mistake belongs to no action.
func (c *claim) failing(states []lts.State) *lts.Transition {
	at := states[len(states)-1]
	if again := c.findMistake(states); again != nil && again.Action == c.mistake.Action {
		return again.Step(at)
	}
	i := slices.IndexFunc(c.actions, func(a lts.Action) bool { return a.Name == c.mistake.Action })
	if i < 0 {
		return nil
	}
	what := strings.TrimSpace(c.mistake.Process + " " + c.mistake.Action)
	return &lts.Transition{Action: i, Owner: c.mistake.Process, Next: at,
		Text: func() string { return what + ", which fails" }}
}

// variables returns the variables of a state, with those beside it, or its key if the model fails at them.
func (c *claim) variables(s lts.State) (vars []lts.Var) {
	e := check.Caught(func() {
		if vars = s.Vars(); c.property >= 0 {
			vars = append(vars, c.plain.Beside(s, c.property)...)
		}
	})
	if e != nil {
		return []lts.Var{{Name: "state", Value: s.Key()}}
	}
	return vars
}
