package traces

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/printable"
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
	lenient  bool     // states in which the model fails to count the units are shown, too
}

// The kind and the verdict of a run whose header names no property.
const (
	anyRun      = "run"
	possibleRun = "possible"
)

// newClaim finds the property that a header names. It fills in the header's kind, verdict and
// capacity. The error is a Mismatch if the header contradicts the model.
func newClaim(in model.Instance, h *Header) (*claim, error) {
	c := &claim{plain: in.Plain, actions: in.Space.Actions(), infos: in.Space.Properties(), property: -1,
		in: in, cycleAt: h.CycleAt, mistake: h.Mistake, info: model.PropertyInfo{Name: h.Property}}
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
	return allowed(in.Plain.Steps(s))
}

// candidates returns the enabled steps of a process with an action, in a System all enabled ones. All would
// be many: a crash that cuts off a broadcast to 15 processes makes 32,768 steps of each event.
func (c *claim) candidates(s lts.State, owner, action string) (ts []lts.Transition) {
	x := c.in.Interp
	if x == nil || !slices.Contains(x.Names, owner) {
		return Enabled(c.in, s)
	}
	for i := range c.actions {
		if c.actions[i].Name == action {
			ts = append(ts, x.StepsOf(s, model.Proc(slices.Index(x.Names, owner)), i)...)
		}
	}
	return allowed(ts)
}

func allowed(ts []lts.Transition) []lts.Transition {
	return slices.DeleteFunc(ts, func(t lts.Transition) bool { return t.Pruned })
}

// refuted returns the reason why a run does not show its claim; "" if it does.
func (c *claim) refuted(states []lts.State, taken []lts.Transition) string {
	for i := range taken {
		if taken[i].Outside && i < len(taken)-1 {
			return fmt.Sprintf("step %d leaves the constraint", i+1)
		}
	}
	switch {
	case c.mistake != nil:
		return c.mistakeMissing(states)
	case c.property < 0:
		return ""
	case c.cycleAt != nil:
		return c.cycleMissing(states)
	case c.info.Kind == model.Liveness:
		return fmt.Sprintf("only a run without end can violate %s, and this one ends", c.info.Name)
	case c.evident(states, taken):
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
	switch {
	case at < 0 || at > last:
		return fmt.Sprintf("its cycle begins at step %d; allowed are 0 to %d", at, last)
	case states[at].Key() != states[last].Key():
		return fmt.Sprintf("its last state differs from the state after step %d, where its cycle begins", at)
	case c.info.Kind == model.Liveness:
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
		if ts := c.plain.Steps(last); !c.in.Quiet(ts) {
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
	texts := printable.Each(ts, func(t *lts.Transition) string { return t.Text() })
	switch n := len(texts); {
	case n == 0:
		return "nothing is enabled"
	case n > most:
		return fmt.Sprintf("enabled: %s | and %d more", strings.Join(texts[:most], " | "), n-most)
	}
	return "enabled: " + strings.Join(texts, " | ")
}
