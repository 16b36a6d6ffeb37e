package page

import (
	_ "embed" // for the front end
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// lanes returns the processes of a run, and the processes that have an inbox or could act in one of the rows.
func lanes(steps []traces.Step, rows []Step) []string {
	var further []string
	for _, v := range steps[0].Changed {
		if v.Name == "inbox" || v.Name == "out" {
			further = append(further, v.Owner)
		}
	}
	for i := range rows {
		for k := range rows[i].Choices {
			further = append(further, rows[i].Choices[k].Node)
		}
	}
	return traces.Lanes(steps, further...)
}

// causesOf lists the direct causes of each step. The cause of a step of no process is the step before.
func causesOf(steps []traces.Step) [][]int {
	causes := traces.Causes(steps)
	for i := range steps {
		if i > 0 && steps[i].Node == "" {
			causes[i] = []int{i - 1}
		}
	}
	return causes
}

// roots returns the steps that cause a finding: the last step of the run, and the steps in which the
// culprits began to use units.
func roots(steps []traces.Step, culprits []string) []int {
	n := len(steps) - 1
	at := []int{n}
	for _, u := range steps[n].Inside {
		if !slices.Contains(culprits, u.Owner) {
			continue
		}
		since := n
		for since > 0 && steps[since-1].Uses(u.Owner) {
			since--
		}
		if !slices.Contains(at, since) {
			at = append(at, since)
		}
	}
	slices.Sort(at)
	return at
}

// cycle returns the cycle of a run, with the reasons why it satisfies each fairness condition.
func cycle(r *traces.Run) *Cycle {
	at := *r.Trace.CycleAt
	in := r.Instance()
	return &Cycle{At: at, Fairness: printable.Each(in.Space.Fairness(), func(f *model.Fairness) Condition {
		return keeps(r, in, *f, at)
	})}
}

// keeps returns the reason why the cycle from step at satisfies a fairness condition.
func keeps(r *traces.Run, in model.Instance, f model.Fairness, at int) Condition {
	actions := in.Space.Actions()
	for i := at; i < len(r.Taken); i++ {
		if f.Forces(r.Taken[i].Label(), actions) && r.States[i].Key() != r.States[i+1].Key() {
			return Condition{f.Name, i + 1, fmt.Sprintf("step %d is one", i+1)}
		}
	}
	never, where := true, at
	for i := at; i < max(at+1, len(r.States)-1); i++ {
		key := r.States[i].Key()
		enabled := slices.ContainsFunc(r.Enabled(i), func(t lts.Transition) bool {
			return f.Forces(t.Label(), actions) && t.Next.Key() != key
		})
		if never = never && !enabled; !enabled {
			where = i
		}
	}
	if never {
		return Condition{f.Name, where, "never enabled in the cycle"}
	}
	return Condition{f.Name, where, fmt.Sprintf("not enabled after step %d", where)}
}
