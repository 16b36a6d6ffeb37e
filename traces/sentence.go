package traces

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/printable"
)

// Culprits names the processes that the verdict of a run is about: the users of units if the property is
// about use or they exceed the capacity, the process for which a property of each process is violated, the
// processes that the property blames, or the process that took the last step. It is empty for a run without
// a property.
func (r *Run) Culprits() (names []string) {
	last := &r.Trace.Steps[len(r.Trace.Steps)-1]
	blamed, _ := r.blamed()
	switch part := r.Part(); {
	case r.Trace.Property == "":
		return nil
	case r.Trace.Mistake != nil:
		names = []string{r.Trace.Mistake.Process}
	case r.claim.info.OfUse && last.Inside != nil, r.Trace.excess(last) != "" && r.Trace.Verdict == Violated:
		names = printable.Each(last.Inside, func(u *Use) string { return u.Owner })
	case slices.Contains(r.Trace.lanes(), part):
		names = []string{part}
	case blamed != nil:
		names = blamed
	case r.Trace.CycleAt == nil:
		names = []string{last.Node}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// Part names the part of its property that a run violates; "" if the property does not consist
// of parts, or the model fails.
func (r *Run) Part() (part string) {
	defer model.Catch(new(*model.Error))
	c, last := &r.claim, len(r.States)-1
	switch {
	case c.property < 0 || c.mistake != nil:
		return ""
	case c.cycleAt != nil:
		return c.in.Waiting(r.States, *c.cycleAt, c.property)
	case c.info.Kind == model.StepInvariant && last > 0:
		return c.plain.Part(r.States[last-1], &r.Taken[last-1], c.property)
	case c.info.Kind == model.Invariant || c.info.Kind == model.Quiet:
		return c.plain.Part(r.States[last], nil, c.property)
	}
	return ""
}

// blamed returns the processes that a violation at the end of a run is about, and the offence as a clause.
// Either may be empty.
func (r *Run) blamed() (names []string, offence string) {
	defer model.Catch(new(*model.Error))
	c, last := &r.claim, len(r.States)-1
	switch {
	case c.property < 0 || c.mistake != nil || c.cycleAt != nil:
	case c.info.Kind == model.Costs:
		return nil, c.spent(r)
	case c.info.Kind == model.StepInvariant && last > 0:
		return c.plain.Blame(r.States[last-1], &r.Taken[last-1], c.property)
	case c.info.Kind == model.Invariant || c.info.Kind == model.Quiet:
		return c.plain.Blame(r.States[last], nil, c.property)
	}
	return nil, ""
}

// spent is the offence of a run with too many or too few messages.
func (c *claim) spent(r *Run) string {
	b := c.info.Bound
	count, requests := c.in.Spent(r.Taken, r.States[len(r.States)-1], c.property)
	text := printable.Plural(count, "message")
	if requests > 1 {
		text += fmt.Sprintf(" for %d requests", requests)
	}
	if count < b.Least*requests {
		return text + fmt.Sprintf("; at least %d are needed for each", b.Least)
	}
	return text + fmt.Sprintf("; at most %d are allowed for each", b.Most)
}

// Sentence is the first sentence of a report about a run: the verdict, the processes, and the offence or, if
// the property names none, the last step.
func (r *Run) Sentence() string {
	t := r.Trace
	n := len(t.Steps) - 1
	if t.Property == "" || t.Mistake != nil {
		return t.claims()
	}
	s, after := t.Property+" is "+t.Verdict, fmt.Sprintf("after step %d", n)
	if n == 0 {
		after = "in the initial state"
	}
	who, offence := r.blamed()
	last := &t.Steps[n]
	if r.claim.info.OfUse && offence != "" && last.Inside != nil {
		use := fmt.Sprintf("%d inside", last.units())
		if last.units() > len(last.Inside) {
			use = fmt.Sprintf("%d units in use", last.units())
		}
		return s + fmt.Sprintf(" by %s: %s %s; %s%s", and(r.Culprits()), use, after, offence, r.crashed())
	}
	if part := r.Part(); part != "" {
		who = []string{part}
	}
	if who != nil {
		s += " for " + and(who)
	}
	if t.CycleAt != nil {
		return s + ": " + t.cycleText()
	}
	switch s += " " + after; {
	case offence != "":
		return s + ": " + offence + r.crashed()
	case r.claim.info.Kind == model.DeadlockFree:
		return s + ": nothing is enabled" + r.crashed()
	case r.claim.info.Kind == model.Quiet:
		return s + ": nothing is left to do" + r.crashed()
	case n == 0:
		return s
	}
	return s + ": " + t.Steps[n].short() + r.crashed()
}

func (r *Run) crashed() string {
	dead := slices.DeleteFunc(r.Trace.lanes(), func(name string) bool {
		alive := true
		for i := range r.Trace.Steps {
			alive = r.Trace.Steps[i].Alive(name, alive)
		}
		return alive
	})
	if len(dead) > 0 {
		return "; crashed: " + and(dead)
	}
	return ""
}

func (t *Trace) cycleText() string {
	switch at, n := *t.CycleAt, len(t.Steps)-1; {
	case n == 0:
		return "nothing ever happens"
	case at == n:
		return printable.Plural(n, "step") + ", and nothing more for ever"
	case at+1 == n:
		return fmt.Sprintf("step %d repeats itself for ever", n)
	default:
		return fmt.Sprintf("steps %d to %d repeat themselves for ever", at+1, n)
	}
}

// short describes a step without its sends.
func (s *Step) short() string {
	text, _, _ := strings.Cut(s.sentence(), ", sends ")
	return text
}

// and joins names: "p1, p2 and p3".
func and(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// Choices describes steps that are enabled after step i of a run, in order. Their messages have no IDs.
func (r *Run) Choices(i int, enabled []lts.Transition) []Step {
	before := r.claim.variables(r.States[i])
	steps := make([]Step, len(enabled))
	for k := range enabled {
		steps[k] = r.claim.describe(before, &enabled[k], nil)
		steps[k].Index = i + 1
	}
	return steps
}

// Instance returns the model of a run.
func (r *Run) Instance() model.Instance { return r.claim.in }
