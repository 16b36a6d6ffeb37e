package traces

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A claim is what the header of a run says that the run shows.
type claim struct {
	plain    lts.Plain
	actions  []lts.Action
	infos    []model.PropertyInfo
	property int
	info     model.PropertyInfo
	cycleAt  *int
	in       model.Instance
	mistake  *Mistake // the run shows this model error instead of a property; nil: it shows a property
}

// The kind and the verdict of a run whose header names no property.
const (
	anyRun      = "run"
	possibleRun = "possible"
)

// newClaim finds the property that a header names. It fills in the header's kind, verdict and
// capacity. The error is a Mismatch if the header contradicts the model.
func newClaim(in model.Instance, h *Header) (*claim, error) {
	c := &claim{
		plain: in.Plain, actions: in.Space.Actions(), infos: in.Space.Properties(), property: -1, in: in,
		cycleAt: h.CycleAt, mistake: h.Mistake, info: model.PropertyInfo{Name: h.Property},
	}
	wrong := func(format string, a ...any) (*claim, error) {
		return nil, &Mismatch{Line: 1, Msg: fmt.Sprintf(format, a...)}
	}
	of, kind, verdict := "a run to a model error", modelError, modelError
	switch {
	case h.Mistake != nil:
	case h.Property == "" && h.CycleAt != nil:
		return wrong("a run without a property ends; field \"cycle-at\" belongs to liveness")
	case h.Property == "":
		of, kind, verdict = "a run without a property", anyRun, possibleRun
	default:
		c.property = slices.IndexFunc(c.infos,
			func(p model.PropertyInfo) bool { return p.Name == h.Property })
		if c.property < 0 {
			return wrong("the model has no property %q; it has %s", h.Property,
				joined(c.infos, func(p *model.PropertyInfo) string { return p.Name }))
		}
		c.info = c.infos[c.property]
		of, kind, verdict = h.Property, c.info.Kind.String(), Violated
		if c.info.Kind == model.Reachable {
			verdict = Reached
		}
	}
	if h.Kind != "" && h.Kind != kind {
		return wrong("%s is of kind %q, not %q", of, kind, h.Kind)
	}
	if h.Verdict != "" && h.Verdict != verdict {
		return wrong("a run of kind %q has the verdict %s, not %s", kind, verdict, h.Verdict)
	}
	h.Kind, h.Verdict, h.Capacity = kind, verdict, in.Capacity
	return c, nil
}

// Enabled returns the steps that are enabled in a state, without steps that an assumption prunes.
func Enabled(in model.Instance, s lts.State) []lts.Transition {
	return slices.DeleteFunc(in.Plain.Steps(s), func(t lts.Transition) bool { return t.Pruned })
}

// labelled returns the steps that are enabled in a state and have the given label.
func (c *claim) labelled(s lts.State, l model.Label) []lts.Transition {
	return slices.DeleteFunc(c.plain.Like(s, l), func(t lts.Transition) bool { return t.Pruned })
}

// refuted returns the reason why a run does not show its claim; "" if it does.
func (c *claim) refuted(states []lts.State, taken []lts.Transition) string {
	for i := range taken {
		if taken[i].Outside && i < len(taken)-1 {
			return fmt.Sprintf("step %d leaves the constraint", i+1)
		}
	}
	if c.mistake != nil {
		return c.mistakeMissing(states)
	}
	if c.property < 0 {
		return ""
	}
	if c.cycleAt != nil {
		return c.cycleMissing(states)
	}
	if c.info.Kind == model.Liveness {
		return fmt.Sprintf("only a run without end can violate %s, and this one ends", c.info.Name)
	}
	if c.evident(states, taken) {
		return ""
	}
	return c.missing(states[len(states)-1])
}

// evident reports whether the end of a run violates the property, or reaches it if it is a goal.
func (c *claim) evident(states []lts.State, taken []lts.Transition) bool {
	n := len(taken)
	if c.info.Kind == model.Costs {
		count, requests := c.in.Spent(taken, states[n], c.property)
		return requests > 0 && !c.info.Bound.Allows(count, requests)
	}
	var from lts.State
	var by *lts.Transition
	if n > 0 {
		from, by = states[n-1], &taken[n-1]
	}
	v := judging(c.in, from, by, states[n])(c.property)
	return v == Violated || v == Reached
}

// cycleMissing returns the reason why a run has no cycle that violates the property; "" if it has one.
func (c *claim) cycleMissing(states []lts.State) string {
	at, last := *c.cycleAt, len(states)-1
	if at < 0 || at > last {
		return fmt.Sprintf("its cycle begins at step %d; allowed are 0 to %d", at, last)
	}
	if states[at].Key() != states[last].Key() {
		return fmt.Sprintf("its last state differs from the state after step %d, where its cycle begins", at)
	}
	if c.info.Kind == model.Liveness {
		return c.in.Refutes(states, at, c.property)
	}
	return fmt.Sprintf("a run without end shows nothing about a property of kind %q", c.info.Kind)
}

// missing returns the reason why a run that ends in the state last does not show its property.
func (c *claim) missing(last lts.State) string {
	name := c.info.Name
	switch c.info.Kind {
	case model.StepInvariant:
		return "the last step does not violate " + name
	case model.DeadlockFree:
		return "the last state is not a deadlock; " + c.alternatives(c.plain.Steps(last))
	case model.Quiet:
		if ts := c.plain.Steps(last); !Quiet(c.in, ts) {
			return "the last state is not quiet; " + c.alternatives(ts)
		}
	case model.Costs:
		return "the messages of this run do not violate " + name
	case model.Reachable:
		return name + " is not reached in the last state"
	}
	return name + " holds in the last state"
}

// alternatives lists enabled steps, at most eight.
func (c *claim) alternatives(ts []lts.Transition) string {
	const most = 8
	var texts []string
	for i := range ts {
		texts = append(texts, ts[i].Text())
	}
	switch n := len(texts); {
	case n == 0:
		return "nothing is enabled"
	case n > most:
		return fmt.Sprintf("enabled: %s | and %d more", strings.Join(texts[:most], " | "), n-most)
	}
	return "enabled: " + strings.Join(texts, " | ")
}

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
	case e == nil && c.mistake.flaky():
		return "the model does not fail in the last state this time; the error says that its results vary"
	case e == nil:
		return "the model does not fail in the last state"
	case e.Part != c.info.Name || e.Process != c.mistake.Process || e.Action != c.mistake.Action:
		return "the model fails in another way: " + e.Error()
	}
	return ""
}

// flaky reports whether a mistake is that a function returned two results for the same arguments. Such
// a mistake may not occur each time.
func (m *Mistake) flaky() bool { return m != nil && (m.First != "" || m.Second != "") }

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
	return &lts.Transition{
		Action: i, Owner: c.mistake.Process, Next: at, Text: func() string { return what + ", which fails" },
	}
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

// The verdicts on a property in a state or step: a goal is reached; another is violated, or holds so far.
const (
	Violated = "violated"
	Reached  = "reached"
	Holds    = "holds"
)

// Verdicts judges state at, to which step t leads from state from, by each property of the model, in their
// order: Violated, Reached, Holds, or "" if the property does not apply or the model fails. For an initial
// state from and t are nil.
func Verdicts(in model.Instance, from lts.State, t *lts.Transition, at lts.State) []string {
	judge := judging(in, from, t, at)
	verdicts := make([]string, len(in.Space.Properties()))
	for p := range verdicts {
		verdicts[p] = caught(judge, p)
	}
	return verdicts
}

// Verdict is the verdict of Verdicts on one property.
func Verdict(in model.Instance, from lts.State, t *lts.Transition, at lts.State, property int) string {
	return caught(judging(in, from, t, at), property)
}

// caught is the verdict on property p; "" if the model fails.
func caught(judge func(p int) string, p int) (verdict string) {
	var e *model.Error
	defer model.Catch(&e)
	return judge(p)
}

// Verdicts judges the state after step i of a run.
func (r *Run) Verdicts(i int) []string {
	if i == 0 {
		return Verdicts(r.claim.in, nil, nil, r.States[0])
	}
	return Verdicts(r.claim.in, r.States[i-1], &r.Taken[i-1], r.States[i])
}

// verdictLine lists the properties by their verdicts after step i of a run.
func (r *Run) verdictLine(i int) string {
	groups := map[string][]string{}
	for p, verdict := range r.Verdicts(i) {
		if verdict != "" {
			groups[verdict] = append(groups[verdict], r.claim.infos[p].Name)
		}
	}
	var parts []string
	for _, verdict := range []string{Violated, Reached, Holds} {
		if names := groups[verdict]; names != nil {
			parts = append(parts, verdict+": "+strings.Join(names, ", "))
		}
	}
	if parts == nil {
		return "no property to judge here"
	}
	return strings.Join(parts, "; ")
}

// judging returns the function that judges state at, to which step by leads from state from, by property p.
// The verdict is "" if the property does not apply to such a state or step.
func judging(in model.Instance, from lts.State, by *lts.Transition, at lts.State) func(p int) string {
	enabled := sync.OnceValue(func() []lts.Transition { return in.Plain.Steps(at) })
	violated := func(is bool) string {
		if is {
			return Violated
		}
		return Holds
	}
	return func(p int) string {
		switch in.Space.Properties()[p].Kind {
		case model.Invariant:
			return violated(in.Plain.Judge(at, p))
		case model.Reachable:
			if in.Plain.Judge(at, p) {
				return Reached
			}
		case model.Quiet:
			if Quiet(in, enabled()) {
				return violated(in.Plain.Judge(at, p))
			}
		case model.DeadlockFree:
			return violated(len(enabled()) == 0)
		case model.StepInvariant:
			if by != nil {
				return violated(in.Plain.JudgeStep(from, *by, p))
			}
		}
		return ""
	}
}

// Quiet reports whether all enabled steps are requests and faults: the algorithm has nothing left to do.
func Quiet(in model.Instance, enabled []lts.Transition) bool {
	actions := in.Space.Actions()
	return !slices.ContainsFunc(enabled, func(t lts.Transition) bool {
		return actions[t.Action].Kind == protocol.Ordinary
	})
}
