package instance

import (
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// Examine executes all parts of the model that concern a state twice: the steps from it, and the properties
// in which (bit i: property i) of the state and of the steps. It returns the
// first mistake, and the step after which it shows; nil: it shows in the state itself.
func (in Instance) Examine(s lts.State, which uint64) (mistake *check.Error, by *lts.Transition) {
	defer check.Catch(&mistake)
	in.show(s)
	steps := in.Plain.Steps(s)
	if mistake = contradict(steps, in.Plain.Steps(s)); mistake != nil {
		mistake.Action = in.Space.Actions()[mistake.Label.Action].Name
		mistake.Part, mistake.State = "handler "+mistake.Action, check.Described(s)
		return mistake, nil
	}
	actions, quiet := in.Space.Actions(), true
	for i := range steps {
		quiet = quiet && actions[steps[i].Action].Kind != protocol.Ordinary
		for _, f := range in.Space.Fairness() {
			same("fairness condition "+f.Name+": Has", s,
				func() bool { return f.Forces(steps[i].Label(), actions) })
		}
	}
	in.examine(s, which, quiet)
	for i := range steps {
		by = &steps[i]
		by.Text()
		in.show(by.Next)
		for p, info := range in.Space.Properties() {
			if which>>p&1 == 1 && info.Kind == property.StepInvariant && !by.Pruned {
				same("property "+info.Name, s, func() bool { return !in.Plain.JudgeStep(s, *by, p) })
			}
		}
		if by.Outside && !by.Pruned {
			in.examine(by.Next, which, false)
		}
	}
	return nil, nil
}

// same evaluates a part of the model twice in a state, and panics with the mistake if the results differ.
func same[T comparable](part string, s lts.State, result func() T) {
	if first, second := result(), result(); first != second {
		panic(check.NoFunction(part, s, first, second))
	}
}

// contradict returns the mistake that two lists of the steps from a state differ.
func contradict(first, second []lts.Transition) *check.Error {
	text := func(ts []lts.Transition, i int) string {
		if i >= len(ts) {
			return "no such step"
		}
		return ts[i].Text() + ", to " + check.Described(ts[i].Next)
	}
	for i := range max(len(first), len(second)) {
		a, b := text(first, i), text(second, i)
		if a == b && first[i].Next.Key() == second[i].Next.Key() {
			continue
		}
		t := append(slices.Clone(first), second...)[min(i, len(first)+len(second)-1)]
		if i >= len(first) {
			t = second[i]
		}
		return &check.Error{What: check.Nondeterministic, Process: t.Owner, First: a, Second: b,
			Label: protocol.Label{Action: uint16(t.Action), Proc: uint8(t.Proc)}}
	}
	return nil
}

// show calls the functions of the model that show a state and find its representative.
func (in Instance) show(s lts.State) {
	s.Vars()
	in.Plain.InUse(s)
	in.Plain.Stands(s, s)
}

func (in Instance) examine(s lts.State, which uint64, quiet bool) {
	for i, info := range in.Space.Properties() {
		part := "property " + info.Name
		switch {
		case which>>i&1 == 0:
		case info.Kind == property.Invariant, info.Kind == property.Reachable,
			info.Kind == property.Quiet && quiet:
			same(part, s, func() bool { return in.Plain.Judge(s, i) })
		case info.Kind == property.Liveness:
			for k := range info.Lassos {
				same(part, s, func() lts.Marks { return in.Plain.Marks(s, i, k) })
			}
		case info.Kind == property.Costs && quiet && info.Bound.Whole():
			same(part+": Cost.Served", s, func() int { return in.Plain.Served(s, i) })
		}
	}
}
