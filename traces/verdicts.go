package traces

import (
	"cmp"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
)

// The verdicts on a property in a state or step: a goal is reached; another is violated, or holds so far; or
// the model fails at it.
const (
	Violated = "violated"
	Reached  = "reached"
	Holds    = "holds"
	fails    = "fails"
)

// Verdicts judges state at, to which step t leads from state from, by each property of the model, in their
// order: Violated, Reached, Holds, fails, or "" if the property does not apply. For an initial state from and
// t are nil.
func Verdicts(in model.Instance, from lts.State, t *lts.Transition, at lts.State) []string {
	judge := judging(in, from, t, at)
	verdicts := make([]string, len(in.Space.Properties()))
	for p := range verdicts {
		if check.Caught(func() { verdicts[p] = judge(p) }) != nil {
			verdicts[p] = fails
		}
	}
	return verdicts
}

// Verdict is the verdict of Verdicts on one property. It panics if the model fails.
func Verdict(in model.Instance, from lts.State, t *lts.Transition, at lts.State, property int) string {
	return judging(in, from, t, at)(property)
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
		groups[verdict] = append(groups[verdict], r.claim.infos[p].Name)
	}
	var parts []string
	for _, verdict := range []string{Violated, fails, Reached, Holds} {
		if names := groups[verdict]; names != nil {
			parts = append(parts, verdict+": "+strings.Join(names, ", "))
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "no property to judge here")
}

// judging returns the function that judges state at, to which step by leads from state from, by property p.
// The verdict is "" if the property does not apply to such a state or step.
func judging(in model.Instance, from lts.State, by *lts.Transition, at lts.State) func(p int) string {
	enabled := sync.OnceValue(func() []lts.Transition { return in.Whole(at) })
	violated := map[bool]string{true: Violated, false: Holds}
	return func(p int) string {
		switch in.Space.Properties()[p].Kind {
		case model.Invariant:
			return violated[in.Plain.Judge(at, p)]
		case model.Reachable:
			if in.Plain.Judge(at, p) {
				return Reached
			}
		case model.Quiet:
			if in.Quiet(enabled()) {
				return violated[in.Plain.Judge(at, p)]
			}
		case model.DeadlockFree:
			return violated[len(enabled()) == 0]
		case model.StepInvariant:
			if by != nil {
				return violated[in.Plain.JudgeStep(from, *by, p)]
			}
		}
		return ""
	}
}
