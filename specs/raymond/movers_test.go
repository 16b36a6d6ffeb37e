package raymond

import (
	"context"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestMoversFindOnePermissionTooFew: with the reductions by dead variables and movers a planted mistake is
// found, in as many steps as among all states, with and without a crash, in memory and on disk. The numbers
// of states of the algorithm itself come from another program.
func TestMoversFindOnePermissionTooFew(t *testing.T) {
	for crashes, want := range []int64{3_444, 9_008} {
		network := model.Network{Crashes: crashes, Crashable: model.All(3), CrashSends: model.Subset}
		var where explore.Store
		search := func(few bool, less model.Reduction) (int64, explore.Result) {
			alg := algorithm{n: 3, k: 2, advanceH: true, rounds: []int{1, 1, 1}}
			c := alg.composition(network)
			if few {
				c.Local[1].Do = func(p model.Proc, l *local, out *outbox) bool {
					l.PermCount = l.PermCount.Plus(1)
					return alg.enter(p, l, out)
				}
			}
			in := model.Compose(c)
			at := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
				return p.Name == "at-most-k"
			})
			opt := explore.Options{Properties: []int{at}, Reduce: less, Store: where}
			r, err := explore.Run(context.Background(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			return r.States, r.Properties[0]
		}
		less := model.Reduction{Dead: true, Movers: true}
		_, all := search(true, model.Reduction{})
		if crashes == 0 {
			where = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
		}
		if states, p := search(false, less); states != want || p.Verdict != explore.Holds {
			t.Errorf("crashes=%d: %s in %d states, want %d", crashes, p.Verdict, states, want)
		}
		if crashes == 0 {
			where.Dir = t.TempDir()
		}
		_, p := search(true, less)
		if p.Verdict != explore.Violated || p.Length != all.Length || len(p.Path) != p.Length+1 {
			t.Errorf("crashes=%d: %s in %d steps; among all states %s in %d", crashes, p.Verdict, p.Length,
				all.Verdict, all.Length)
		}
	}
}
