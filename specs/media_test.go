package specs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// TestMediaAgreeWithNaiveExplorer moves algorithms of message passing from one medium to the next by
// parameters alone. In each medium the search, with one worker and with three, agrees with the naive
// explorer, which goes by the plain semantics: in all figures, and in the verdict, the length and the
// number of states to report of each property. No two media of an algorithm have the same figures, so none
// of them is another by mistake.
func TestMediaAgreeWithNaiveExplorer(t *testing.T) {
	for _, algorithm := range []struct {
		spec *model.Spec
		args string
	}{
		{&raymond.Spec, "n=3 k=1 rounds=1,1,0"},
		{&raymond.BAS, "n=2 k=1 rounds=2,1"},
		{&timerfree.Spec, "n=2 k=1 f=0 rounds=1,1"},
	} {
		figures := map[string]string{}
		for _, medium := range []string{
			"channel=bag", "channel=fifo",
			"channel=bag losses=1", "channel=fifo losses=1", "channel=fifo copies=1",
			"channel=bag partition=1", "channel=fifo partition=1",
			"channel=bag partition=1 heals=yes", "channel=fifo partition=2 heals=yes losses=1 links=1:2",
		} {
			name := algorithm.spec.Name + " " + algorithm.args + " " + medium
			got := sameInBoth(t, name, algorithm.spec, algorithm.args+" "+medium)
			if other, is := figures[got]; is {
				t.Errorf("%s: has the figures of %s: %s", name, other, got)
			}
			figures[got] = medium
			t.Logf("%s: %s", name, got)
		}
	}
}

// sameInBoth compares searches with one and with three workers with the naive explorer and returns the
// figures.
func sameInBoth(t *testing.T, name string, spec *model.Spec, args string) string {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	var asked []int
	for i, p := range in.Space.Properties() {
		if p.Kind != model.Liveness && p.Kind != model.Costs {
			asked = append(asked, i)
		}
	}
	want, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 20_000)
	if !ok {
		t.Fatalf("%s: too many states", name)
	}
	for _, workers := range []int{1, 3} {
		r, err := explore.Run(context.Background(), in,
			explore.Options{KeepGoing: true, Workers: workers, Properties: asked})
		if err != nil || !r.Complete {
			t.Fatalf("%s: not complete: %v", name, err)
		}
		if how := want.Differs(r); how != "" {
			t.Errorf("%s, %d workers: %s", name, workers, how)
		}
		for k, i := range asked {
			p, length := r.Properties[k], -1
			if steps, found := want.Found[i]; found {
				length = steps
			}
			if p.Length != length || p.Count != want.Count[i] {
				t.Errorf("%s, %d workers: %s: found %d times, first after %d steps; naively %d, after %d",
					name, workers, p.Name, p.Count, p.Length, want.Count[i], length)
			}
		}
	}
	return fmt.Sprint(want.States, want.Generated, want.Depth, want.Fired)
}
