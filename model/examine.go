package model

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Examine executes all of the model that has to do with a state: the steps from it, and what
// judges it and them by the properties among which, bit i for property i. It returns the
// first mistake that shows, and the step behind which it does; nil, where it is in the state.
func (in Instance) Examine(s State, which uint64) (mistake *Error, by *lts.Transition) {
	defer Catch(&mistake)
	in.show(s)
	steps := in.Plain.Steps(s)
	if mistake = contradict(steps, in.Plain.Steps(s)); mistake != nil {
		mistake.Action = in.Space.Actions()[mistake.action].Name
		mistake.Part, mistake.State = "handler "+mistake.Action, described(s)
		return mistake, nil
	}
	quiet := true
	for _, t := range steps {
		quiet = quiet && in.Space.Actions()[t.Action].Kind != protocol.Ordinary
	}
	in.examine(s, which, quiet)
	for i := range steps {
		by = &steps[i]
		by.Text()
		in.show(by.Next)
		for p, info := range in.Space.Properties() {
			if which>>p&1 == 1 && info.Kind == StepInvariant && !by.Pruned {
				in.Plain.JudgeStep(s, *by, p)
			}
		}
		if by.Outside && !by.Pruned {
			in.examine(by.Next, which, false)
		}
	}
	return nil, nil
}

// contradict returns the mistake that the steps from a state are others than they were before.
func contradict(first, second []lts.Transition) *Error {
	text := func(ts []lts.Transition, i int) string {
		if i >= len(ts) {
			return "no such step"
		}
		return ts[i].Text() + ", to " + described(ts[i].Next)
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
		return &Error{What: impure, Process: t.Owner, First: a, Second: b, action: t.Action, proc: t.Proc}
	}
	return nil
}

// show calls what shows a state, and finds out what it stands for.
func (in Instance) show(s State) {
	s.Vars()
	in.Plain.InUse(s)
	in.Plain.Stands(s, s)
}

// examine judges a state.
func (in Instance) examine(s State, which uint64, quiet bool) {
	for i, info := range in.Space.Properties() {
		switch {
		case which>>i&1 == 0:
		case info.Kind == Invariant, info.Kind == Reachable, info.Kind == Quiet && quiet:
			if first, second := in.Plain.Judge(s, i), in.Plain.Judge(s, i); first != second {
				panic(NoFunction("property "+info.Name, s, first, second))
			}
		case info.Kind == Liveness:
			for k := range info.Lassos {
				in.Plain.Marks(s, i, k)
			}
		}
	}
}
