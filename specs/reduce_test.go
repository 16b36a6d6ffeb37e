package specs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// reducible is the number of states up to which the ordinary run compares reductions on references: each is
// explored up to four times.
const reducible = 4000

// TestReductionChangesNoVerdictAndNoLength: on the references, a reduction changes no verdict and no length
// of a shortest run.
func TestReductionChangesNoVerdictAndNoLength(t *testing.T) {
	for _, spec := range specs.All {
		for _, ref := range references(&spec) {
			if !sweep && ref.States > reducible {
				continue
			}
			in, _, err := spec.Instantiate(strings.Fields(ref.Args))
			if err != nil {
				t.Fatal(err)
			}
			var all map[string]explore.Result
			for _, less := range []model.Reduction{{Dead: true}, {Crashes: true},
				{Dead: true, Crashes: true}, {Dead: true, Movers: true}, {Movers: true}} {
				if less.Movers && !sweep && ref.States > reducible/20 { // they take a second search
					continue
				}
				asked := answerable(in, less)
				if asked == nil {
					continue
				}
				if all == nil {
					_, all = answers(t, in, explore.Options{})
				}
				states, answers := answers(t, in, explore.Options{Properties: asked, Reduce: less})
				for name, p := range answers {
					if q := all[name]; p.Verdict != q.Verdict || p.Length != q.Length {
						t.Errorf("%s %s, %v: %s: %s, %d steps; of all states %s, %d",
							spec.Name, ref.Args, less, name, p.Verdict, p.Length, q.Verdict, q.Length)
					}
				}
				if states > int64(ref.States) {
					t.Errorf("%s %s, %v: %d states; all are %d", spec.Name, ref.Args, less, states,
						ref.States)
				}
			}
		}
	}
}

// answerable returns the properties asked by default that can be asked where less is visited; nil for none.
func answerable(in model.Instance, less model.Reduction) (asked []int) {
	for i, p := range in.Space.Properties() {
		if p.OnRequest || p.Moot != "" {
			continue
		}
		if _, err := in.Reduce(less, 1<<i); err == nil {
			asked = append(asked, i)
		}
	}
	return asked
}

// answers searches to the end, and returns what was found, by the names of the properties.
func answers(t *testing.T, in model.Instance, opt explore.Options) (int64, map[string]explore.Result) {
	t.Helper()
	opt.KeepGoing = true
	r, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Mistake != nil || !r.Complete {
		t.Fatalf("%v: not complete: %s, %v", opt.Reduce, r.Stopped, r.Mistake)
	}
	found := map[string]explore.Result{}
	for _, p := range r.Properties {
		found[p.Name] = p
	}
	return r.States, found
}
