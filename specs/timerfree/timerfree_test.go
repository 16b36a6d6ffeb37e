package timerfree

import (
	"context"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// TestParametersOfLaterVariantsHaveNoEffectBefore compares instances in variants where a parameter has no
// effect.
func TestParametersOfLaterVariantsHaveNoEffectBefore(t *testing.T) {
	for _, args := range [][2]string{
		{"rounds=2,1,0 f=0 variant=a", "pending=last"}, // pending holds no times
		{"rounds=2,1,0 f=0 variant=c", "nodup=on"},     // one permission for each request
		{"rounds=2,1,0 f=0 variant=d", "nodup=on"},
		{"rounds=2,1,0 f=0 variant=c", "rp=off"}, // line 37 waits for all answers, so A stays full
	} {
		one, two := check(t, args[0]), check(t, args[0]+" "+args[1])
		if !reflect.DeepEqual(verdicts(one), verdicts(two)) {
			t.Errorf("%s: %v\nwith %s: %v", args[0], verdicts(one), args[1], verdicts(two))
		}
	}
}

// TestForgettingChangesNoVerdictAndNoLength: variables that no step reads can be forgotten. No verdict and
// no length changes.
func TestForgettingChangesNoVerdictAndNoLength(t *testing.T) {
	for _, args := range []string{
		"rounds=2,1,0 f=0", "rounds=2,1,0 channel=fifo rp=off", "rounds=2,2,0 dead=3",
		"n=2 k=1 f=0 rounds=3 channel=fifo",
	} {
		kept, forgotten := check(t, args), check(t, args+" last=forgotten")
		if forgotten.States >= kept.States {
			t.Errorf("%s: %d states, forgotten %d", args, kept.States, forgotten.States)
		}
		for i, p := range kept.Properties {
			if q := forgotten.Properties[i]; p.Verdict != q.Verdict || p.Length != q.Length {
				t.Errorf("%s: %s: %s (%d), forgotten %s (%d)", args, p.Name, p.Verdict, p.Length, q.Verdict,
					q.Length)
			}
		}
	}
}

// TestImpossibleCombinationsAreRejected looks at combinations that make no sense, and at some that do.
func TestImpossibleCombinationsAreRejected(t *testing.T) {
	for args, fits := range map[string]bool{
		"n=2 k=3": false, "n=2 k=2 f=3": false, "n=3 rounds=1,1": false,
		"n=3 f=3": false, "n=3 f=3 rp=off": true, // RP asks for f+1 of n processes
		"variant=b last=forgotten": false, "variant=a last=forgotten": true,
		"n=3 k=1 f=2": true, "n=3 k=3 f=0 dead=3": true,
	} {
		if _, _, err := Spec.Instantiate(strings.Fields(args)); (err == nil) != fits {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// check explores an instance to the end.
func check(t *testing.T, args string) *explore.Report {
	t.Helper()
	in, _, err := Spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return explored(t, in)
}

func explored(t *testing.T, in model.Instance) *explore.Report {
	t.Helper()
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Stopped)
	}
	return r
}

// verdicts is what must not depend on the number of workers.
func verdicts(r *explore.Report) []any {
	all := []any{r.States, r.Generated, r.Depth, r.Levels, r.Fired, r.Pruned, r.Stuck, r.StuckDepth}
	for _, p := range r.Properties {
		all = append(all, p.Name, p.Verdict, p.Length, p.Count)
	}
	return all
}
