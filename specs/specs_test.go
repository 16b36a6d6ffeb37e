package specs_test

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// sweep is set for the larger sweep, which takes minutes:
// run ATMOSTK_SWEEP=1 go test ./specs.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// manyStates is from how many states on the ordinary run explores a reference only once.
const manyStates = 20_000

// TestReferences compares every spec with the figures that are known of it from
// elsewhere, with two workers, and the small ones with one worker too.
func TestReferences(t *testing.T) {
	for _, spec := range specs.All {
		if len(spec.References) == 0 {
			t.Errorf("%s has no reference figures", spec.Name)
		}
		for _, ref := range spec.References {
			t.Run(spec.Name+" "+ref.Args, func(t *testing.T) {
				if ref.Large && !sweep {
					t.Skip("part of the larger sweep")
				}
				two := search(t, spec, ref, 2)
				if sweep || ref.States < manyStates {
					one := search(t, spec, ref, 1)
					if !reflect.DeepEqual(summary(one), summary(two)) {
						t.Errorf("1 worker: %v\n2 workers: %v", summary(one), summary(two))
					}
				}
				if int(two.States) != ref.States || two.Depth != ref.Depth {
					t.Errorf("got %d states, depth %d; want %d, %d", two.States, two.Depth, ref.States, ref.Depth)
				}
				if ref.Generated != 0 && int(two.Generated) != ref.Generated {
					t.Errorf("got %d generated, want %d", two.Generated, ref.Generated)
				}
				for _, p := range two.Properties {
					steps, violated := ref.Violated[p.Name]
					if violated && (p.Verdict != explore.Violated || p.Length != steps) {
						t.Errorf("%s: %s after %d steps, want violated after %d", p.Name, p.Verdict, p.Length, steps)
					}
				}
			})
		}
	}
}

// search explores a reference instance to the end, with all its properties.
func search(t *testing.T, spec model.Spec, ref model.Reference, workers int) *explore.Report {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(ref.Args))
	if err != nil {
		t.Fatal(err)
	}
	opt := explore.Options{Workers: workers, KeepGoing: true}
	for i, p := range in.Space.Properties() {
		switch {
		case p.Kind == model.Costs: // they need not the search but its graph, several times
		case p.Kind == model.Liveness && in.Space.Reduced(): // refused
		default:
			opt.Properties = append(opt.Properties, i)
		}
	}
	r, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Stopped)
	}
	return r
}

// summary is all of a report that must not depend on the number of workers.
func summary(r *explore.Report) []any {
	s := []any{r.Verdict, r.States, r.Generated, r.Depth, r.Levels, r.Outside, r.Fired, r.Pruned, r.Stuck}
	for _, p := range r.Properties {
		s = append(s, p.Name, p.Verdict, p.Length, p.Count)
		for _, step := range p.Path {
			s = append(s, step.Text, step.State.Key())
		}
	}
	return s
}
