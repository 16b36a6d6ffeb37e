package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// TestStoresAgree compares each store with the exact one: on random models, with 1 and 3 workers, to the end
// and to the first violation; and on references.
func TestStoresAgree(t *testing.T) {
	for seed := range seeds(2, 150) {
		for name, fresh := range map[string]func(*rand.Rand) model.Instance{
			"system": randomSystem, "composition": randomComposition, "links": randomLinked,
			"clocks":  func(r *rand.Rand) model.Instance { return model.Compose(randomClocked(r)) },
			"senders": func(r *rand.Rand) model.Instance { return randomSenders(r, model.Channel(seed%2)) },
		} {
			in := fresh(rand.New(rand.NewPCG(seed, 17)))
			for _, keepGoing := range []bool{true, false} {
				opt := explore.Options{KeepGoing: keepGoing, MaxStates: 5000, Workers: 1 + 2*int(seed%2)}
				sameInStores(t, explore.TwoShards(t.Context()), fmt.Sprintf("%s %d", name, seed), in, opt,
					stores(t)...)
			}
		}
	}
	for _, spec := range specs.All {
		for _, ref := range storeReferences(&spec) {
			in, _, err := spec.Instantiate(strings.Fields(ref.Args))
			if err != nil {
				t.Fatal(err)
			}
			stops := []bool{true, false}
			if !sweep && ref.Violated == nil {
				stops = stops[:1] // mostly nothing is violated, and both are the same search
			}
			for _, keepGoing := range stops {
				opt := explore.Options{KeepGoing: keepGoing}
				sameInStores(t, explore.TwoShards(t.Context()), spec.Name+" "+ref.Args, in, opt, stores(t)...)
			}
		}
	}
}

// storeReferences are the references of a spec in which stores are compared: the smallest without a violation
// and the smallest with one, or in the sweep all that are not too large.
func storeReferences(spec *model.Spec) (refs []model.Reference) {
	most, chosen := 1_000, map[bool]bool{}
	if sweep {
		most = 3_000_000
	}
	byStates := func(a, b model.Reference) int { return a.States - b.States }
	for _, ref := range slices.SortedFunc(slices.Values(spec.Loaded().References), byStates) {
		if violated := ref.Violated != nil; ref.States <= most && (sweep || !chosen[violated]) {
			chosen[violated] = true
			refs = append(refs, ref)
		}
	}
	return refs
}

// stores are those other than the exact one.
func stores(t *testing.T) []explore.Store {
	return []explore.Store{{Kind: explore.Disk, Dir: t.TempDir()}, {Kind: explore.Compact}}
}

// TestPartitions: searches on disk whose levels are split into partitions, are equal to the exact one.
func TestPartitions(t *testing.T) {
	for seed := range seeds(3, 150) {
		for name, fresh := range map[string]func(*rand.Rand) model.Instance{
			"system": randomSystem, "composition": randomComposition,
		} {
			in := fresh(rand.New(rand.NewPCG(seed, 31)))
			for i := range 2 {
				ctx := explore.InBatches(explore.TwoShards(t.Context()), int64(seed)<<i)
				opt := explore.Options{KeepGoing: seed%2 == 0, MaxStates: 5000, Workers: 1 + int(seed%3)}
				sameInStores(t, ctx, fmt.Sprintf("%s %d", name, seed), in, opt,
					explore.Store{Kind: explore.Disk, Dir: t.TempDir()})
			}
		}
	}
}

// sameInStores compares the reports of some stores with that of the exact one.
func sameInStores(t *testing.T, ctx context.Context, name string, in model.Instance, opt explore.Options,
	stores ...explore.Store) {
	t.Helper()
	for i, p := range in.Space.Properties() {
		if p.Kind != model.Liveness && p.Kind != model.Costs && !p.OnRequest && p.Moot == "" {
			opt.Properties = append(opt.Properties, i)
		}
	}
	want, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !want.Complete && opt.MaxStates > 0 && want.States >= opt.MaxStates {
		return
	}
	for _, store := range stores {
		opt.Store = store
		got, err := explore.Run(ctx, in, opt)
		if err != nil {
			t.Fatalf("%s, %v: %v", name, store.Kind, err)
		}
		if store.Kind == explore.Compact && want.Complete {
			unproved(t, name, got)
			want := *want
			want.Properties = slices.Clone(want.Properties)
			want.Unchanged, got.Stopped, got.Complete, got.Verdict = nil, "", true, want.Verdict
			for i := range got.Properties {
				if g := &got.Properties[i]; g.Verdict == explore.Unknown {
					g.Verdict = want.Properties[i].Verdict
				}
				want.Properties[i].Vacuous = nil
			}
			sameReport(t, fmt.Sprintf("%s, %v, keep going %v", name, store.Kind, opt.KeepGoing), got, &want)
			continue
		}
		sameReport(t, fmt.Sprintf("%s, %v, keep going %v", name, store.Kind, opt.KeepGoing), got, want)
	}
}

// unproved wants a report of a store that proves nothing to claim nothing but what it can show.
func unproved(t *testing.T, name string, r *explore.Report) {
	t.Helper()
	n := float64(r.States + 1) // of n states n*(n-1)/2 pairs may share one of 2^64 codes
	if r.Complete || r.Omission <= 0 || r.Omission > n*n/0x1p65 || r.Verdict == explore.Holds {
		t.Fatalf("%s: complete %v, %s, omission %g", name, r.Complete, r.Verdict, r.Omission)
	}
	for _, p := range r.Properties {
		if p.Path == nil && p.Verdict != explore.Unknown {
			t.Fatalf("%s: %s is %s without a run to show", name, p.Name, p.Verdict)
		}
	}
}

// sameReport compares what reports say, but for what differs between stores: a search that stops early may do
// so later, and the runs that it shows are others of the same length.
func sameReport(t *testing.T, name string, got, want *explore.Report) {
	t.Helper()
	figures := func(r *explore.Report) string {
		if !r.Complete && r.Verdict == explore.Violated {
			return fmt.Sprint(r.Verdict)
		}
		return fmt.Sprint(r.Verdict, r.Complete, r.Stopped, r.States, r.Generated, r.Depth, r.Levels,
			r.Outside, r.Beyond,
			r.Fired, r.Pruned, r.Stuck, r.StuckDepth, r.Quiet, r.Unchanged)
	}
	if g, w := figures(got), figures(want); g != w {
		t.Fatalf("%s:\n%s, want\n%s", name, g, w)
	}
	if (got.Mistake == nil) != (want.Mistake == nil) || got.Mistake != nil &&
		got.Mistake.Length != want.Mistake.Length {
		t.Fatalf("%s: mistake %+v, want %+v", name, got.Mistake, want.Mistake)
	}
	for i := range want.Properties {
		g, w := got.Properties[i], want.Properties[i]
		if !want.Complete && want.Verdict == explore.Violated {
			if g.Verdict == explore.Violated && w.Verdict == explore.Violated && g.Length != w.Length {
				t.Fatalf("%s: %s: length %d, want %d", name, g.Name, g.Length, w.Length)
			}
			continue
		}
		if g.Verdict != w.Verdict || g.Length != w.Length || g.Count != w.Count ||
			!reflect.DeepEqual(g.Vacuous, w.Vacuous) {
			t.Fatalf("%s: %s: %v after %d, %d times, %q; want %v after %d, %d times, %q", name, g.Name,
				g.Verdict, g.Length, g.Count, g.Vacuous, w.Verdict, w.Length, w.Count, w.Vacuous)
		}
	}
}

// manyWords is a state of more words than a byte counts.
type manyWords struct{ Cells [300]uint32 }

// TestManyWords: a token goes from the first to each other word, and each of the states, which have the same
// sum of words, is visited in all stores.
func TestManyWords(t *testing.T) {
	first := manyWords{}
	first.Cells[0] = 1
	in := model.NewSystem(model.System[manyWords]{
		Init: []manyWords{first},
		Actions: []model.SystemAction[manyWords]{{
			Name: "go", Instances: len(first.Cells) - 1,
			Do: func(s *manyWords, i int, _ *model.Choice) bool {
				if s.Cells[0] == 0 {
					return false
				}
				s.Cells[0], s.Cells[i+1] = 0, 1
				return true
			},
		}},
	})
	for _, store := range append(stores(t), explore.Store{}) {
		report, err := explore.Run(t.Context(), in, explore.Options{Store: store})
		if err != nil || report.States != 300 {
			t.Errorf("%v: %d states, %v; want 300", store.Kind, report.States, err)
		}
	}
}

// TestRemovedFilesEndASearch removes the directory of a search on disk at each of its first levels: the error
// says so, whatever the search misses first.
func TestRemovedFilesEndASearch(t *testing.T) {
	in, _, err := twoPhase.Instantiate([]string{"n=3"})
	if err != nil {
		t.Fatal(err)
	}
	for at := range 12 {
		dir, calls := filepath.Join(t.TempDir(), "search"), 0
		ctx := explore.StopAt(t.Context(), func(string) string {
			if calls++; calls == at+4 { // some level is there
				_ = os.RemoveAll(dir)
			}
			return ""
		})
		opt := explore.Options{Store: explore.Store{Kind: explore.Disk, Dir: dir}}
		if _, err := explore.Run(ctx, in, opt); !errors.Is(err, explore.ErrRemoved) {
			t.Errorf("removed at point %d: %v", at, err)
		}
	}
}

// TestCountsAtTheFirstViolation: a search that ends at a violation, of a state or a step, or at a limit of
// levels has the same counts on disk as in memory, also resumed.
func TestCountsAtTheFirstViolation(t *testing.T) {
	ended := 0
	for seed := range seeds(10, 200) {
		in := randomSystem(rand.New(rand.NewPCG(seed, 37)))
		for i := range 15 { // one of the properties, without a limit and with two
			opt := explore.Options{Properties: []int{i % 5}, MaxDepth: i / 5 * 3, Workers: 1}
			want, err := explore.Run(t.Context(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			opt.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
			for range 2 {
				got, err := explore.Run(explore.TwoShards(t.Context()), in, opt)
				if err != nil {
					t.Fatal(err)
				}
				opt.Store.Resume = true
				if g, w := counted(got), counted(want); g != w || got.Stopped != want.Stopped {
					t.Errorf("%d, property %d: %s\n%s, want %s\n%s", seed, i, got.Stopped, g, want.Stopped, w)
				}
			}
			if want.Stopped == "stopped at the first violation" {
				ended++
			}
		}
	}
	if !testing.Short() && ended < 10 {
		t.Errorf("%d searches ended at a violation", ended)
	}
}
