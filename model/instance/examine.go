package instance

import (
	"fmt"
	"maps"
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
	for i := range steps {
		for _, f := range in.Space.Fairness() {
			same("fairness condition "+f.Name+": Has", s,
				func() bool { return f.Forces(steps[i].Label(), in.Space.Actions()) })
		}
	}
	in.examine(s, which, in.Quiet(steps))
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

// Blame examines states, and those one step further, when a run is not what it was the time before; often,
// as a function may have one result twice by chance. nil: no mistake was found.
func (in Instance) Blame(states ...lts.State) *check.Error {
	all := slices.Clone(states)
	e := check.Caught(func() {
		for _, s := range states {
			for _, t := range in.Plain.Steps(s) {
				all = append(all, t.Next)
			}
		}
	})
	for i := 0; e == nil && i < 8*len(all); i++ {
		e, _ = in.Examine(all[i%len(all)], ^uint64(0))
	}
	return e
}

// Quiet reports whether all enabled steps are spontaneous or faults: the algorithm has nothing left to do.
func (in Instance) Quiet(enabled []lts.Transition) bool {
	actions := in.Space.Actions()
	return !slices.ContainsFunc(enabled, func(t lts.Transition) bool {
		return actions[t.Action].Kind == protocol.Ordinary
	})
}

// Whole returns the steps from a state that no crash breaks off. Without one of them there are no others.
func (in Instance) Whole(s lts.State) []lts.Transition {
	if in.Interp != nil {
		return in.Interp.Whole(s)
	}
	return in.Plain.Steps(s)
}

// Shows reports whether property i, which is about states, has to be reported at a state.
func (in Instance) Shows(s lts.State, i int) bool {
	switch in.Space.Properties()[i].Kind {
	case property.DeadlockFree:
		return len(in.Whole(s)) == 0
	case property.Quiet:
		return in.Quiet(in.Whole(s)) && in.Plain.Judge(s, i)
	}
	return in.Plain.Judge(s, i)
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
	longer := slices.Concat(first, second[min(len(first), len(second)):])
	for i, t := range longer {
		a, b := text(first, i), text(second, i)
		if a == b && first[i].Next.Key() == second[i].Next.Key() {
			continue
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

// Refutes returns the reason why a run without end does not violate Liveness property i; "": it does. Its
// last state must equal state cycleAt up to a shift of all times. It repeats the steps from there for ever;
// without a step in between it stutters. The caller ensures that its steps are steps of the model.
func (in Instance) Refutes(states []lts.State, cycleAt, i int) string {
	cycle := states[cycleAt:]
	if cycle[0].Key() != cycle[len(cycle)-1].Key() {
		return "its cycle does not close"
	}
	var round []stop // the last state is the first one
	for n := range max(1, len(cycle)-1) {
		here := cycle[n].Key()
		var s stop
		for _, t := range in.Plain.Steps(cycle[n]) {
			next := t.Next.Key()
			if next == here {
				continue
			}
			s.steps = append(s.steps, t)
			if !t.Pruned && n+1 < len(cycle) && next == cycle[n+1].Key() {
				s.taken = append(s.taken, t)
			}
		}
		round = append(round, s)
	}
	for _, f := range in.Space.Fairness() {
		if !in.keeps(round, f) {
			return fmt.Sprintf("its cycle is not fair: %s", f.Name)
		}
	}
	if why := in.delivers(round, shifts(cycle)); why != "" {
		return "its cycle is not fair: " + why
	}
	if len(cycle) == 1 {
		steps := in.Plain.Steps(cycle[0])
		if len(steps) > 0 && !slices.ContainsFunc(steps, func(t lts.Transition) bool { return !t.Pruned }) {
			return "it stays in a state where an assumption on runs forbids all enabled steps"
		}
	}
	why := ""
	for k := range in.Space.Properties()[i].Lassos {
		if why = in.fulfilled(states, cycleAt, i, k); why == "" {
			return ""
		}
	}
	return why
}

// Waiting returns the part of Liveness property i, see Each, that a run
// without end violates; "": it has no parts, or the run does not violate it.
func (in Instance) Waiting(states []lts.State, cycleAt, i int) string {
	for k, lasso := range in.Space.Properties()[i].Lassos {
		if in.fulfilled(states, cycleAt, i, k) == "" {
			return lasso.Part
		}
	}
	return ""
}

// A stop is a state of a cycle with the steps that are enabled there and those
// among them that lead to the next state of the cycle.
type stop struct{ steps, taken []lts.Transition }

// shifts reports whether times are greater after a cycle than before.
func shifts(cycle []lts.State) bool {
	type timed interface{ Times() protocol.Times }
	first, ok := cycle[0].(timed)
	return ok && first.Times().Least != cycle[len(cycle)-1].(timed).Times().Least
}

// keeps reports whether a cycle keeps a condition.
func (in Instance) keeps(round []stop, f property.Fairness) bool {
	actions := in.Space.Actions()
	forces := func(t lts.Transition) bool { return f.Forces(t.Label(), actions) }
	always, sometimes := true, false
	for _, s := range round {
		if slices.ContainsFunc(s.taken, forces) {
			return true // taken in each round
		}
		enabled := slices.ContainsFunc(s.steps, forces)
		always = always && enabled
		sometimes = sometimes || enabled
	}
	if f.Strong {
		return !sometimes
	}
	return !always
}

// delivers returns the reason why a cycle is not fair to messages: one waits for ever; "": it is fair. In a
// cycle that shifts times no message with a time waits for ever: its time would fall behind all others.
func (in Instance) delivers(round []stop, shifts bool) string {
	if in.Space.Delivery() == lts.AnyDelivery {
		return ""
	}
	enabled, received := map[string]int{}, map[string]bool{}
	for _, s := range round {
		here := map[string]bool{}
		for _, t := range s.steps {
			if t.Envelope != "" && (!shifts || !t.Timed) {
				here[t.Envelope] = true
			}
		}
		for envelope := range here {
			enabled[envelope]++
		}
		for _, t := range s.taken {
			received[t.Envelope] = true
		}
	}
	for _, envelope := range slices.Sorted(maps.Keys(enabled)) {
		if !received[envelope] &&
			(enabled[envelope] == len(round) || in.Space.Delivery() == lts.StrongDelivery) {
			return "a message waits for ever: " + envelope
		}
	}
	return ""
}

// fulfilled returns the reason why a run does not have the form of lasso k of property i; "": it has.
func (in Instance) fulfilled(states []lts.State, cycleAt, i, k int) string {
	info := in.Space.Properties()[i]
	lasso := info.Lassos[k]
	started, visited := false, lts.Marks(0)
	for n, s := range states {
		r := in.Plain.Marks(s, i, k)
		if r&lts.Fulfils != 0 {
			started = false
		} else if r&lts.Starts != 0 && n <= cycleAt && (n == 0 || !lasso.Initially) {
			started = true
		}
		if n < cycleAt {
			continue
		}
		visited |= r
		if !started {
			return fmt.Sprintf("%s is fulfilled at step %d", info.Name, n)
		}
	}
	if visited&lts.OffCycle != 0 {
		return fmt.Sprintf("%s is fulfilled again and again", info.Name)
	}
	for v := range lasso.Visits {
		if visited&(lts.FirstVisit<<v) == 0 {
			return fmt.Sprintf("%s is about other runs: its cycle does not meet condition %d", info.Name, v+1)
		}
	}
	return ""
}

// Spent counts the messages of a run, given by the steps taken and its last state, for the bound of
// property i of kind Costs. The run has to end with a step that closes or, for a bound on whole runs,
// in a quiet state. If it does not, or if the bound is not about the run, requests is 0.
func (in Instance) Spent(taken []lts.Transition, end lts.State, i int) (count, requests int) {
	b := in.Space.Properties()[i].Bound
	if b.Whole() {
		for _, t := range taken {
			count += t.Charges.All
		}
		if requests = in.Plain.Served(end, i); requests > 0 && !in.Quiet(in.Plain.Steps(end)) {
			return 0, 0
		}
		return count, requests
	}
	opens, closes := lts.Named(in.Space.Actions(), b.Opens), lts.Named(in.Space.Actions(), b.Closes)
	for n, t := range slices.Backward(taken) {
		last := &taken[len(taken)-1]
		count += int(t.Charges.To[last.Proc])
		switch atLast := n == len(taken)-1; {
		case t.Proc != last.Proc:
		case opens[t.Action] && !atLast:
			return count, 1
		case closes[t.Action] != atLast:
			return 0, 0
		}
	}
	return 0, 0
}
