//go:build !js

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// An answer is what a trial found when it was run.
type answer struct {
	papers.Finding
	run     *traces.Run // the counterexample; nil: none
	elapsed time.Duration
	memory  int64 // bytes; 0: not a search
}

// complete is what Finding.Explored says if every reachable state was visited.
const complete = "complete"

// question is what a user types after the verb check to get the same answer to a trial
// that is a search.
func question(t *papers.Trial) string {
	if t.Experiment != "" {
		return "experiment " + t.Experiment + ": " + t.Sentence
	}
	line := t.Spec
	if t.Args != "" {
		line += " " + t.Args
	}
	line += " --property " + t.Property
	if t.Lost {
		line += " --out-of-reach"
	}
	if t.Limit > 0 {
		line += fmt.Sprintf(" --max-states %d", t.Limit)
	}
	return line
}

// try answers a trial that is no experiment. The search stops at a violation: nothing else is asked.
func (a *app) try(ctx context.Context, t *papers.Trial, opt explore.Options) (answer, error) {
	begun := time.Now()
	var found answer
	var err error
	if t.Compute != nil {
		found.Finding = t.Compute()
		found.Explored = cmp.Or(found.Explored, complete)
	} else {
		found, err = a.search(ctx, t, opt)
	}
	found.elapsed = time.Since(begun)
	return found, err
}

func (a *app) search(ctx context.Context, t *papers.Trial, opt explore.Options) (answer, error) {
	spec, in, args, err := a.instance(t.Spec, strings.Fields(t.Args))
	if err != nil {
		return answer{}, err
	}
	i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == t.Property
	})
	if i < 0 {
		return answer{}, usage.Errorf("%s has no property %q", t.Spec, t.Property)
	}
	opt.Properties, opt.OutOfReach, opt.MaxStates = []int{i}, t.Lost, t.Limit
	report, err := a.examine(ctx, append([]string{t.Spec}, strings.Fields(t.Args)...), true, in, opt)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", question(t), err)
	}
	p := &report.Properties[0] // the only one that was asked for
	found := answer{
		Finding: papers.Finding{
			Verdict: string(p.Verdict), Explored: explored(report), States: report.States,
			Length: max(p.Length, 0),
			Pruned: report.Pruned, Stuck: report.Stuck, Detail: detail(p),
		},
		memory: report.Memory,
	}
	if m := report.Mistake; m != nil {
		found.Verdict, found.Detail = string(explore.ModelError), m.Error.Error()
		return found, nil
	}
	if p.Verdict == explore.Violated && p.Path != nil {
		if found.run, err = a.Record(in, spec, args, p, false); err == nil {
			found.run.Trace.Tool = "" // kept traces do not change with the version
		}
	}
	return found, err
}

// explored says how much of the state space a search has visited.
func explored(r *explore.Report) string {
	switch {
	case r.Complete && r.Outside > r.Beyond:
		return "complete within the constraint"
	case r.Complete:
		return complete
	}
	return r.Stopped
}

// detail says what there is to know of a result beyond verdict and length.
func detail(p *explore.Result) string {
	var parts []string
	if p.Path != nil && p.Kind == model.Liveness {
		parts = append(parts, cycle(p))
	}
	if p.Least != nil {
		parts = append(parts, counted(p))
	}
	for _, l := range p.Lost {
		parts = append(parts, lost(l))
	}
	if p.LostUnknown != "" {
		parts = append(parts, p.LostUnknown)
	}
	return strings.Join(parts, "; ")
}

// cycle says how the counterexample of a liveness property goes on for ever.
func cycle(p *explore.Result) string {
	if n := len(p.Path) - 1 - p.CycleAt; n > 0 {
		return "a cycle of " + plural(int64(n), "step")
	}
	return "stuttering"
}

// lost says from how many states of a class a goal is out of reach.
func lost(l explore.Lost) string {
	origin := l.Origin
	if origin == "" {
		origin = "all states"
	}
	return fmt.Sprintf("%s: out of reach from %s of %s", origin, number(l.Lost), number(l.States))
}

// counted says what was counted for a property of kind Costs.
func counted(p *explore.Result) string {
	if p.Least == nil {
		return ""
	}
	return fmt.Sprintf("least: %s; most: %s", spent(p.Least), spent(p.Most))
}

// spent says what an extreme costs.
func spent(e *explore.Extreme) string {
	switch {
	case e.Endless:
		return "no limit, a cycle can be repeated"
	case e.Requests == 1:
		return plural(int64(e.Count), "message")
	}
	return fmt.Sprintf("%s for %d requests, %.2f each", plural(int64(e.Count), "message"), e.Requests,
		float64(e.Count)/float64(e.Requests))
}
