package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
)

// TestCandidates: in the files of a level stand the same states, each with the same origin and tag, whether
// candidates are written once or several times, levels are split into partitions or not, and by however many
// workers. No tag has the bit with which the table marks cells that are taken.
func TestCandidates(t *testing.T) {
	states := 0
	for seed := range seeds(2, 60) {
		for name, fresh := range map[string]func(*rand.Rand) model.Instance{
			"system":      func(r *rand.Rand) model.Instance { return randomGraph(r, 2000) },
			"composition": randomComposition, "links": randomLinked,
			"senders": func(r *rand.Rand) model.Instance { return randomSenders(r, model.Channel(seed%2)) },
		} {
			in := fresh(rand.New(rand.NewPCG(seed, 37)))
			depth := 4 + int(seed%4)
			name := fmt.Sprintf("%s %d, level %d", name, seed, depth)
			want := level(t, name, in, depth, explore.Options{Workers: 1}, 0)
			for _, batch := range []int64{0, 1, 40} {
				sameStates(t, name, level(t, name, in, depth, explore.Options{Workers: 3}, batch), want)
			}
			small := explore.Options{Workers: 2, Memory: 1 << 20}
			sameStates(t, name, level(t, name, in, depth, small, 0), want)
			states += len(want)
		}
	}
	if states < 400 && !testing.Short() {
		t.Errorf("only %d states were compared", states)
	}
}

// A written is a state as it stands in a file of a level: its code, its origin and its tag.
type written struct {
	code        store.Code
	origin, tag uint32
}

// level returns the states of a level in the order in which they stand in its files, after a search on disk
// to that level of which batch have so many states.
func level(t *testing.T, name string, in model.Instance, depth int, opt explore.Options,
	batch int64) (states []written) {
	t.Helper()
	dir := t.TempDir()
	opt.KeepGoing, opt.MaxDepth, opt.Properties = true, depth, []int{0}
	opt.Store = explore.Store{Kind: explore.Disk, Dir: dir}
	ctx := explore.InBatches(explore.TwoShards(context.Background()), batch)
	if _, err := explore.Run(ctx, in, opt); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	at, err := store.Load(store.Dir(dir))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, run := range at.Frontier {
		r, err := store.Open(store.Dir(dir), run.Name, store.States, at.Model)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		err = r.Each(func() error {
			origins, tags := r.Columns[store.ColumnOrigin], r.Columns[store.ColumnTag]
			for i := range r.Rows {
				if tags[i]&uint32(kernel.TakenTag) != 0 {
					return fmt.Errorf("the tag %#x of a state marks a cell that is taken", tags[i])
				}
				states = append(states, written{r.Code(i), origins[i], tags[i]})
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_ = r.Close() // nothing was written
	}
	return states
}

// sameStates compares what files of a level have.
func sameStates(t *testing.T, name string, got, want []written) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: state %d is %v, want %v", name, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d states, want %d", name, len(got), len(want))
	}
}
