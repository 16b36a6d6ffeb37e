package traces

import (
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// The verdicts on a property in a state, or at a step: a goal is reached, any other one is violated,
// or holds so far.
const (
	Violated = "violated"
	Reached  = "reached"
	Holds    = "holds"
)

// Verdicts judges a state by the properties of its model, in their order: Violated, Reached or
// Holds, or "" where there is nothing to judge, or where the model is at fault. The state is the one to which
// step t leads from another; of an initial state t is nil.
func Verdicts(in model.Instance, from lts.State, t *lts.Transition, at lts.State) []string {
	j := judged{in: in, from: from, by: t, at: at}
	verdicts := make([]string, len(in.Space.Properties()))
	for p := range verdicts {
		verdicts[p] = j.caught(p)
	}
	return verdicts
}

// Verdict judges a state by one property, as Verdicts does by all.
func Verdict(in model.Instance, from lts.State, t *lts.Transition, at lts.State, property int) string {
	j := judged{in: in, from: from, by: t, at: at}
	return j.caught(property)
}

// Verdicts judges the state after step i of a run.
func (r *Run) Verdicts(i int) []string {
	if i == 0 {
		return Verdicts(r.claim.in, nil, nil, r.States[0])
	}
	return Verdicts(r.claim.in, r.States[i-1], &r.Taken[i-1], r.States[i])
}

// verdictLine says which properties hold after step i of a run, and which do not.
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

// A judged state is one to which a step leads from another.
type judged struct {
	in       model.Instance
	from, at lts.State
	by       *lts.Transition
	steps    []lts.Transition // enabled in it, once they were asked for
	asked    bool
}

// enabled returns the steps that are enabled in the state.
func (j *judged) enabled() []lts.Transition {
	if !j.asked {
		j.steps, j.asked = j.in.Plain.Steps(j.at), true
	}
	return j.steps
}

// quiet reports whether the algorithm has nothing to do any more.
func (j *judged) quiet() bool {
	actions := j.in.Space.Actions()
	for _, t := range j.enabled() {
		if actions[t.Action].Kind == protocol.Ordinary {
			return false
		}
	}
	return true
}

// caught is verdict, and "" where the model is at fault.
func (j *judged) caught(p int) (verdict string) {
	var e *model.Error
	defer model.Catch(&e)
	return j.verdict(p)
}

// verdict judges property p; "" where it says nothing.
func (j *judged) verdict(p int) string {
	broken := false
	switch j.in.Space.Properties()[p].Kind {
	case model.Invariant:
		broken = j.in.Plain.Judge(j.at, p)
	case model.Reachable:
		if j.in.Plain.Judge(j.at, p) {
			return Reached
		}
		return ""
	case model.Quiet:
		if !j.quiet() {
			return ""
		}
		broken = j.in.Plain.Judge(j.at, p)
	case model.DeadlockFree:
		broken = len(j.enabled()) == 0
	case model.StepInvariant:
		if j.by == nil {
			return ""
		}
		broken = j.in.Plain.JudgeStep(j.from, *j.by, p)
	default:
		return ""
	}
	if broken {
		return Violated
	}
	return Holds
}
