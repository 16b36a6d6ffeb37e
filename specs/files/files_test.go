package files

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/modeltest"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// The heap of these tests may grow as the command lets it for searches.
var _ = debug.SetGCPercent(1000)

// sweep is set for the larger sweep: CONTRIBUTING.md.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// ordinary is the number of states up to which the ordinary run explores references; the sweep explores all.
const ordinary = 3_000

// ordinaryOf returns the references of the ordinary run: the smallest of the model, and all up to ordinary
// states. One that symmetry reduces is as large as the same instance without, which the comparison with the
// plain semantics explores.
func ordinaryOf(refs []model.Reference) (some []model.Reference) {
	unreduced := map[string]int{}
	for _, r := range refs {
		unreduced[r.Args] = r.States
	}
	size := func(r model.Reference) int {
		return max(r.States, unreduced[strings.TrimSuffix(r.Args, " symmetry=on")])
	}
	for i, r := range slices.SortedStableFunc(slices.Values(refs), func(a, b model.Reference) int {
		return size(a) - size(b)
	}) {
		if i == 0 || size(r) <= ordinary {
			some = append(some, r)
		}
	}
	return some
}

// TestLayoutGrowsForRuns: the search for the runs that the Compact store shows expands states that the first
// search did not, as it stopped at a violation, in small steps because of its limit. Here they need a larger
// layout.
func TestLayoutGrowsForRuns(t *testing.T) {
	spec, err := starfile.Load("timerfree.star")
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(strings.Fields("n=3 k=3 f=1 rounds=2,1,1 channel=fifo crashes=0 losses=1"))
	if err != nil {
		t.Fatal(err)
	}
	var exact, compact []explore.Step
	for kind, path := range map[explore.StoreKind]*[]explore.Step{
		explore.Exact: &exact, explore.Compact: &compact,
	} {
		r, err := explore.Run(t.Context(), in, explore.Options{
			Workers: 1, MaxStates: 30_000, Store: explore.Store{Kind: kind},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Properties {
			if p.Verdict == explore.Violated {
				*path = p.Path
			}
		}
	}
	if len(exact) == 0 || len(compact) != len(exact) {
		t.Errorf("%d states with exact, %d with compact", len(exact), len(compact))
	}
}

// TestModels tests every model as modellers test theirs: references, the plain semantics, vacuity.
func TestModels(t *testing.T) {
	names, err := filepath.Glob("*" + starfile.Extension)
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no models")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, starfile.Extension), func(t *testing.T) {
			spec, err := starfile.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(spec.References) == 0 {
				t.Error("it has no references")
			}
			some := *spec
			some.References = ordinaryOf(spec.References)
			modeltest.Check(t, some)
			if !sweep {
				return
			}
			found, err := lint.Spec(context.Background(), spec, lint.Options{Large: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if !f.Note {
					t.Errorf("%s: %s", f.Args, f.What)
				}
			}
		})
	}
}

// TestRicartAgrawalaTakesTwoMessagesForEachOther: section 5, each entry takes 2(n-1) messages.
func TestRicartAgrawalaTakesTwoMessagesForEachOther(t *testing.T) {
	spec, err := starfile.Load("ricart-agrawala" + starfile.Extension)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"n=2", "n=3"} {
		in, _, err := spec.Instantiate([]string{n})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
			return p.Name == "messages-total"
		})
		r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}})
		if err != nil || r.Verdict != explore.Holds {
			t.Errorf("%s: %+v, %v", n, r, err)
		}
	}
}
