package traces

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A claim is what a run is said to show of a model.
type claim struct {
	plain    lts.Plain
	actions  []lts.Action
	infos    []model.PropertyInfo
	property int
	info     model.PropertyInfo
	cycleAt  *int
	in       model.Instance
	mistake  *Mistake // that the run shows, in place of a property; nil: none
}

// The kind and the verdict of a run that is shown for no property: it is possible.
const (
	anyRun      = "run"
	possibleRun = "possible"
)

// newClaim finds the property that a header names. It fills in what the header
// leaves open, and fails if it says something wrong.
func newClaim(in model.Instance, h *Header) (*claim, error) {
	c := &claim{
		plain: in.Plain, actions: in.Space.Actions(), infos: in.Space.Properties(), property: -1, in: in,
		cycleAt: h.CycleAt, mistake: h.Mistake, info: model.PropertyInfo{Name: h.Property},
	}
	wrong := func(format string, a ...any) (*claim, error) {
		return nil, &Mismatch{Line: 1, Msg: fmt.Sprintf(format, a...)}
	}
	of, kind, verdict := "a run of a mistake", modelError, modelError
	switch {
	case h.Mistake != nil:
	case h.Property == "" && h.CycleAt != nil:
		return wrong("a run that is shown for no property ends; field \"cycle-at\" belongs to liveness")
	case h.Property == "":
		of, kind, verdict = "a run that is shown for no property", anyRun, possibleRun
	default:
		c.property = slices.IndexFunc(c.infos,
			func(p model.PropertyInfo) bool { return p.Name == h.Property })
		if c.property < 0 {
			var names []string
			for _, p := range c.infos {
				names = append(names, p.Name)
			}
			return wrong("the model has no property %q; it has %s", h.Property, strings.Join(names, ", "))
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
		return wrong("a run shows of a property of kind %q that it is %s, not %s", kind, verdict, h.Verdict)
	}
	h.Kind, h.Verdict, h.Capacity = kind, verdict, in.Capacity
	return c, nil
}

// enabled returns the steps that can be taken in a state.
func (c *claim) enabled(s lts.State) []lts.Transition {
	return slices.DeleteFunc(c.plain.Steps(s), func(t lts.Transition) bool { return t.Pruned })
}

// like returns the steps that can be taken in a state and have a label.
func (c *claim) like(s lts.State, l model.Label) []lts.Transition {
	return slices.DeleteFunc(c.plain.Like(s, l), func(t lts.Transition) bool { return t.Pruned })
}

// refuted says why a run does not show its claim; "" if it does.
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
		return fmt.Sprintf("%s is violated by runs without end only, and this one ends", c.info.Name)
	}
	if c.evident(states, taken) {
		return ""
	}
	return c.missing(states[len(states)-1])
}

// evident reports whether the end of a run is what the property is reported for.
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

// cycleMissing says why a run does not return to the step from which its cycle begins.
func (c *claim) cycleMissing(states []lts.State) string {
	at, last := *c.cycleAt, len(states)-1
	if at < 0 || at > last {
		return fmt.Sprintf("its cycle begins at step %d; allowed are 0 to %d", at, last)
	}
	if states[at].Key() != states[last].Key() {
		return fmt.Sprintf("its last state is not that of step %d, where its cycle begins", at)
	}
	if c.info.Kind == model.Liveness {
		return c.in.Refutes(states, at, c.property)
	}
	return fmt.Sprintf("a run without end does not show anything of a property of kind %q", c.info.Kind)
}

// missing says why a run that ends in a state shows nothing.
func (c *claim) missing(last lts.State) string {
	name := c.info.Name
	switch c.info.Kind {
	case model.StepInvariant:
		return "the last step does not break " + name
	case model.DeadlockFree:
		return "the last state is no deadlock; " + c.alternatives(c.plain.Steps(last))
	case model.Quiet:
		if ts := c.plain.Steps(last); !quiet(c.in, ts) {
			return "the last state is not quiet; " + c.alternatives(ts)
		}
	case model.Costs:
		return "the messages of this run are not against " + name
	case model.Reachable:
		return name + " is not reached in the last state"
	}
	return name + " holds in the last state"
}

// alternatives lists steps that are enabled, some of them if there are many.
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
