package specs_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// waiting are instances of all models in which a process waits for something, with the
// property that none waits for ever.
var waiting = map[string]struct {
	property, args string
	weak           explore.Verdict // under weak fairness
}{
	"raymond":        {"requests-served", "n=2 k=1 rounds=inf last=forgotten", explore.Holds},
	"timerfree":      {"requests-served", "n=2 k=1 f=0 variant=c rounds=2", explore.Holds},
	"cohorts":        {"all-served", "cohorts=1,2 h=1 mode=gather relinquish=all", explore.Holds},
	"raynal":         {"requests-served", "n=3 m=2 h=1,1,2", explore.Holds},
	"arbiter":        {"all-served", "sets=1+2,2+3,1+3 k=1 h=1,1,1 policy=inquire", explore.Holds},
	"jiang2002":      {"all-served", "h=1", explore.Holds},
	"vcube-kmutex":   {"requests-served", "n=2 k=1 rounds=2 crashes=1", explore.Holds},
	"vcube-stack":    {"requests-served", "n=4 k=1 rounds=1,1,0,0", explore.Holds},
	"bas":            {"requests-served", "n=2 k=1 rounds=1 crashes=1", explore.Holds},
	"ring-election":  {"quiescence", "n=3", explore.Holds},
	"ring-basic":     {"requests-served", "n=2", explore.Holds},
	"ring-recovery":  {"requests-served", "scheme=0 n=2", explore.Holds},
	"2pc":            {"decided", "n=3", explore.Holds},
	"lamport-mutex":  {"requests-served", "n=2 max-clock=6", explore.Holds},
	"bounded-buffer": {"woken", "producers=2 consumers=1 capacity=1", explore.Violated},
	"chang-roberts":  {"election", "n=3", explore.Holds},
	"ewd840":         {"detection", "n=3", explore.Holds},
}

// idle are the models without waiting.
var idle = []string{"die-hard", "vcube-tree", "vcube-broadcast", "vcube-rounds"}

// TestUnfairSchedulerStarvesAndFairOneDoesNot wants the run in which a scheduler that is not fair lets
// a process wait for ever, for each model with waiting, and none under
// fairness where the algorithm is right.
func TestUnfairSchedulerStarvesAndFairOneDoesNot(t *testing.T) {
	for _, spec := range specs.All {
		row, waits := waiting[spec.Name]
		if !waits {
			if !slices.Contains(idle, spec.Name) {
				t.Errorf("%s is missing", spec.Name)
			}
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			for _, fairness := range []string{"none", ""} {
				args := row.args
				want := row.weak
				if fairness != "" {
					args += " fairness=" + fairness
					want = explore.Violated
				}
				p := live(t, spec, args, row.property, want)
				if p.Verdict != want {
					t.Errorf("%s: %s %s %s, want %s", args, p.Name, p.Verdict, p.Undecided, want)
				}
			}
		})
	}
}

// live judges one liveness property, with two workers. Where it is to be violated, one worker has to find the
// same run.
func live(t *testing.T, spec model.Spec, args, property string, want explore.Verdict) explore.Result {
	t.Helper()
	var first explore.Result
	for _, workers := range []int{1, 2} {
		if workers == 1 && want != explore.Violated {
			continue
		}
		in, _, err := spec.Instantiate(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
			return p.Name == property
		})
		r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i},
			Workers: workers, KeepGoing: true})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Properties[0]
		if workers == 2 && want == explore.Violated && (p.Verdict != first.Verdict ||
			p.CycleAt != first.CycleAt ||
			!slices.EqualFunc(p.Path, first.Path, func(a, b explore.Step) bool {
				return a.Text == b.Text && a.State.Key() == b.State.Key()
			})) {
			t.Error("the number of workers makes a difference")
		}
		first = p
	}
	return first
}
