package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// TestEndlessLikeBounded compares rounds=inf with bounded rounds where both apply:
// what is violated with some number of rounds, or reached, is so without an end to them.
func TestEndlessLikeBounded(t *testing.T) {
	for _, row := range []struct {
		spec                      model.Spec
		args, rounds, bounds, not string
	}{
		{raymond.Spec, "n=2 k=1", "rounds=3", "", ""},
		{raymond.Spec, "n=2 k=2", "rounds=2", "max-in-flight=3 max-skew=3", ""},
		{raymond.Spec, "n=2 k=1 crashes=1", "rounds=2", "", ""},
		{timerfree.Spec, "n=2 k=1 f=0 variant=c", "rounds=2", "", ""},
		{timerfree.Spec, "n=2 k=1 f=0 variant=a channel=bag", "rounds=2", "", ""},
		{timerfree.Spec, "n=2 k=1 f=0 variant=c order=footnote", "rounds=2", "", ""},
	} {
		t.Run(row.spec.Name+" "+row.args, func(t *testing.T) {
			bounded := verdictsOf(t, row.spec, row.args+" "+row.rounds)
			bounds := row.bounds
			if bounds == "" {
				bounds = "max-in-flight=5 max-skew=5"
			}
			endless := verdictsOf(t, row.spec, row.args+" rounds=inf "+bounds)
			for name, p := range bounded {
				found := p.Path != nil
				e := endless[name]
				if p.Kind == model.Quiet || p.Kind == model.Liveness { // what is left to do is another thing
					continue
				}
				if found != (e.Path != nil) || found && e.Length != p.Length {
					t.Errorf("%s: %s after %d steps; rounds=inf: %s after %d", name, p.Verdict, p.Length,
						e.Verdict, e.Length)
				}
				if !found && e.Verdict == explore.Holds {
					t.Errorf("%s: holds, although states were cut off", name)
				}
			}
		})
	}
}

func verdictsOf(t *testing.T, spec model.Spec, args string) map[string]explore.Result {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]explore.Result{}
	for _, p := range r.Properties {
		results[p.Name] = p
	}
	return results
}
