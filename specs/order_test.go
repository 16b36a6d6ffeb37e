package specs_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// instanceOf is an instance of a model in Go or in a file of this folder.
func instanceOf(t *testing.T, spec *model.Spec, file, args string) model.Instance {
	t.Helper()
	if spec == nil {
		var err error
		if spec, err = starfile.Load("files/" + file); err != nil {
			t.Fatal(err)
		}
	}
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestRunsWithNumbersAreRunsByOrder goes through random runs with numbers: where times count by their order
// only there is a run with the same steps, the same states but for clocks and the spaces between stamps, and
// the same judgements.
func TestRunsWithNumbersAreRunsByOrder(t *testing.T) {
	for i, c := range []struct {
		spec       *model.Spec
		file, args string
	}{
		{&raymond.Spec, "", "n=3 k=1"},
		{&raymond.Spec, "", "n=3 k=2 variant=0 max-owed=3 crashes=1"},
		{&lamport.Spec, "", "n=3"},
		{&timerfree.Spec, "", "n=3 k=2 f=1 variant=a max-in-flight=5"},
		{&timerfree.Spec, "", "n=3 k=1 f=1 variant=c max-in-flight=5 crashes=1"},
		{nil, "ricart-agrawala.star", "n=3"},
		{nil, "lamport-mutex.star", "n=2"},
	} {
		in := instanceOf(t, c.spec, c.file, c.args+" rounds=any")
		numbers, props := in.Numbers(0), in.Space.Properties()
		r := rand.New(rand.NewPCG(uint64(i), 42))
		walks := 1
		if sweep {
			walks = 100
		}
		for range walks {
			at, beside := numbers.Plain.Init()[0].Next, []lts.State{in.Plain.Init()[0].Next}
			for n := range 40 {
				ts := numbers.Plain.Steps(at)
				if len(ts) == 0 {
					break
				}
				step := ts[r.IntN(len(ts))]
				if step.Outside || step.Pruned {
					continue
				}
				beside = likewise(in, numbers.Alike, beside, step)
				if len(beside) == 0 {
					t.Fatalf("%s%s: step %d with numbers has none beside it: %s", c.file, c.args, n+1,
						step.Text())
				}
				at = step.Next
				for k, p := range props {
					if p.Kind == model.Invariant && !p.OnRequest &&
						numbers.Plain.Judge(at, k) != in.Plain.Judge(beside[0], k) {
						t.Fatalf("%s%s: %s is judged in two ways after step %d", c.file, c.args, p.Name, n+1)
					}
				}
			}
		}
	}
}

// likewise returns the states, where times count by their order only, to which the same step leads.
func likewise(in model.Instance, alike func(lts.State) string, from []lts.State, step lts.Transition) (
	all []lts.State,
) {
	want, met := alike(step.Next), map[string]bool{}
	for _, s := range from {
		for _, t := range in.Plain.Steps(s) {
			if key := t.Next.Key(); t.Label() == step.Label() && alike(t.Next) == want && !met[key] {
				met[key] = true
				all = append(all, t.Next)
			}
		}
	}
	return all
}

// TestAnyRoundsHaveKnownVerdicts checks instances with requests without end whose state space is finite where
// times count by their order only.
func TestAnyRoundsHaveKnownVerdicts(t *testing.T) {
	const (
		served, detected         = "requests-served", "detected-at-last"
		holds, violated, unknown = explore.Holds, explore.Violated, explore.Unknown
	)
	timer := &timerfree.Spec
	for _, row := range []struct {
		spec             *model.Spec
		file, args, name string
		want             explore.Verdict
		states           int64
		large            bool
	}{
		{&lamport.Spec, "", "n=2", served, holds, 104, false},
		{&lamport.Spec, "", "n=3", served, holds, 91_817, true},
		{nil, "lamport-mutex.star", "n=2", served, holds, 104, false},
		{nil, "lamport-mutex.star", "n=3", served, holds, 91_817, true},
		{&raymond.Spec, "", "n=4 k=1 last=forgotten", served, holds, 4_312_583, true},
		// The same algorithm, with the times of requests that are over.
		{&raymond.Spec, "", "n=3 k=1", served, holds, 4752, true},
		{nil, "raymond.star", "n=3 k=1", served, holds, 4752, true},
		{nil, "ricart-agrawala.star", "n=3", served, holds, 4752, true},
		{nil, "ricart-agrawala.star", "n=2", served, holds, 50, false},
		{nil, "ricart-agrawala.star", "n=2 order=time", "at-most-k", violated, 0, false},
		{&raymond.Spec, "", "n=3 k=1 crashes=1 last=forgotten", served, violated, 20_170, true},
		{&raymond.Spec, "", "n=2 k=2 max-owed=2 last=forgotten", "at-most-k", unknown, 0, false},

		// Theorem 1, with a process that is dead from the start. With k=2 and f=1 a process enters only with
		// the answer of the other live one to this request, so it learns what that lacks.
		{timer, "", "n=3 k=2 f=1 variant=d dead=3 channel=fifo", detected, holds, 579, false},
		{timer, "", "n=3 k=2 f=1 variant=c dead=3 max-in-flight=3", detected, unknown, 58_326, true},
		{timer, "", "n=3 k=2 f=2 variant=c dead=3 max-in-flight=3", detected, violated, 66_503, true},
		{timer, "", "n=3 k=2 f=2 variant=a last=forgotten dead=3 max-in-flight=3", detected,
			violated, 165_281, true},
		{timer, "", "n=3 k=3 f=1 variant=c dead=3 max-in-flight=2", detected, violated, 28_939, true},
		{timer, "", "n=2 k=2 f=1 variant=d dead=2 channel=fifo", detected, violated, 4, false},
		{timer, "", "n=2 k=2 f=1 variant=repaired dead=2 channel=fifo", detected, holds, 8, false},
	} {
		if row.large && !sweep {
			continue
		}
		in := instanceOf(t, row.spec, row.file, row.args+" rounds=any")
		for i, p := range in.Space.Properties() {
			if p.Name != row.name {
				continue
			}
			r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}})
			if err != nil || r.Mistake != nil {
				t.Fatalf("%s%s: %v %v", row.file, row.args, err, r.Mistake)
			}
			if got := r.Properties[0]; got.Verdict != row.want || row.states > 0 && r.States != row.states {
				t.Errorf("%s%s: %s %s %s, %d states", row.file, row.args, p.Name, got.Verdict, got.Undecided,
					r.States)
			}
		}
	}
}
