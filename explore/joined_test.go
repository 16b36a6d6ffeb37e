package explore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
)

// halves is a model in which process 1 chooses whether it has m already. If not, process 0 sends r and then
// m, otherwise r only. To receive m at once is wrong, as r takes it back. That shows where m is sent and
// where r is received after m: in two states of the third level. In one process 0 waits, a violation.
func halves() model.Instance {
	type local struct{ At, Got, Units uint8 }
	type outbox = model.Outbox[byte]
	type global = model.Global[local, byte, model.None]
	script := []string{1: "r", 2: "m", 4: "r", 5: ""} // per At, which process 0 sends then
	own := func(p model.Proc, l *local, out *outbox) bool {
		switch {
		case p == 0 && int(l.At) < len(script) && script[l.At] != "":
			out.Send(1, script[l.At][0])
		case p == 1 && l.At == 0:
			l.Got = uint8(out.Pick(2))
			out.Send(0, "gh"[l.Got])
		case p == 1 && l.Units == 1 && l.Got == 1:
			l.Units = 2
		default:
			return false
		}
		l.At++
		return true
	}
	c := model.Composition[local, byte, model.None]{
		N: 2, Init: func(model.Proc) (l local) { return l },
		Local: []model.Handler[local, byte]{{Name: "act", Do: own}},
		Units: func(l *local) int { return int(l.Units) },
		Properties: []model.Property[global]{
			{Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used < 2 }},
			{Name: "waits", Kind: model.Invariant,
				OfLocal: func(g *global, p model.Proc) bool { return p == 1 || g.Local(p).At != 2 }},
		},
	}
	for m, do := range map[byte]func(l *local){
		'g': func(l *local) { l.At = 1 }, 'h': func(l *local) { l.At = 4 },
		'm': func(l *local) { l.Got = 1 }, 'r': func(l *local) { l.Got, l.Units = 0, 1 },
	} {
		c.Receive = append(c.Receive, model.Receiver[local, byte]{Name: "receive " + string(m),
			Accepts: func(is byte) bool { return is == m },
			Do: func(_, _ model.Proc, _ byte, l *local, _ *outbox) bool {
				do(l)
				return true
			}})
	}
	slices.SortFunc(c.Receive, func(a, b model.Receiver[local, byte]) int {
		return strings.Compare(a.Name, b.Name)
	})
	return model.Compose(c)
}

// forgetfulHalves is a model whose process 0 forgets Scrap where it is 1, and reads it when it receives x.
// Both are met in states of the fourth level, and nothing new after it.
func forgetfulHalves() model.Instance {
	type local struct{ At, Scrap uint8 }
	type outbox = model.Outbox[byte]
	next := []uint8{1: 4, 2: 3, 4: 5, 5: 3, 6: 0} // per At of process 0
	receives := func(m byte, do func(p model.Proc, l *local, out *outbox)) model.Receiver[local, byte] {
		return model.Receiver[local, byte]{Name: "receive " + string(m),
			Accepts: func(is byte) bool { return is == m },
			Do: func(p, _ model.Proc, _ byte, l *local, out *outbox) bool {
				do(p, l, out)
				return true
			}}
	}
	return model.Compose(model.Composition[local, byte, model.None]{
		N: 2, Init: func(model.Proc) (l local) { return l },
		Local: []model.Handler[local, byte]{{Name: "act",
			Do: func(p model.Proc, l *local, out *outbox) bool {
				switch {
				case p == 1 || l.At == 3 || l.At > 5:
					return false
				case l.At == 0:
					if l.At = 1 + uint8(out.Pick(2)); l.At == 2 {
						out.Send(1, 'y')
					}
				default:
					if l.At == 5 {
						l.Scrap = 1
					}
					l.At = next[l.At]
				}
				return true
			}}},
		Receive: []model.Receiver[local, byte]{
			receives('x', func(_ model.Proc, l *local, _ *outbox) { l.At += 4 * l.Scrap }),
			receives('y', func(_ model.Proc, _ *local, out *outbox) { out.Send(0, 'x') }),
		},
		Forget: func(_ model.Proc, l *local) { l.Scrap = 0 },
		Units:  func(l *local) int { return int(l.At / 7) },
		Properties: []model.Property[model.Global[local, byte, model.None]]{
			{Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used < 2 }},
		},
	})
}

// inHalves searches by processes that expand a state each, and one that ends levels. ended is called after
// its tasks.
func inHalves(t *testing.T, in model.Instance, opt explore.Options,
	ended func(task *store.Expansion, x store.Expanded, err error)) *explore.Report {
	t.Helper()
	var all []*explore.Expander
	var last *explore.Expander // that did a task
	for range 4 {
		e, err := explore.NewExpander(in, opt)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Free()
		all = append(all, e)
	}
	files, at, stopped, err := store.Dir(t.TempDir()), store.NewSearch(all[0].Model(), 64), "", error(nil)
	for stopped == "" && !at.Exhausted() && err == nil {
		stopped, _, err = store.Limits{KeepGoing: opt.KeepGoing}.Next(at, 3, store.Tasks{
			Expand: func(tasks []store.Expansion) (done []store.Expanded, stopped string, err error) {
				for i := range tasks {
					e := all[i]
					if tasks[i].Ends != nil {
						e = all[3]
					}
					x, err := e.Expand(t.Context(), files, tasks[i])
					if tasks[i].Ends != nil {
						ended(&tasks[i], x, err)
					}
					if last = e; err != nil {
						return nil, e.Stopped(), err
					}
					done = append(done, x)
				}
				return done, "", nil
			},
			Merge: func(tasks []store.Merging) ([]store.Merged, error) {
				return merged(files, tasks, func() int { return 1 })
			},
		})
	}
	if err != nil && !errors.As(err, new(*model.Error)) {
		t.Fatal(err)
	}
	r, err := last.Report(t.Context(), files, at, stopped)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestHalvesOfProof: what two processes met in a level shows only together that a receipt does not commute.
// The search begins again then, and a violation that one of them met in the level does not count.
func TestHalvesOfProof(t *testing.T) {
	for i := range 2 {
		opt := explore.Options{Workers: 1, Reduce: model.Reduction{Movers: true}, KeepGoing: i == 1}
		onDisk, joined := opt, 0
		onDisk.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
		disk, err := explore.Run(t.Context(), halves(), onDisk)
		if err != nil {
			t.Fatal(err)
		}
		tasks := inHalves(t, halves(), opt, func(task *store.Expansion, x store.Expanded, _ error) {
			if x.Again != nil && task.Level == 3 && len(task.Ends) == 2 {
				joined++
			}
		})
		opt.Reduce.Movers = false
		err = tasks.AddRuns(halves(), opt, func(o explore.Options) (*explore.Report, error) {
			return explore.Run(t.Context(), halves(), o)
		})
		if g, w := counted(tasks), counted(disk); g != w || err != nil || joined != 2 {
			t.Errorf("%d joined, %v, in tasks:\n%s\nwant\n%s", joined, err, g, w)
		}
	}
}

// TestHalvesOfForget: what two processes met in a level shows only together that a variable is forgotten and
// read. That is so where receipts are taken at once, too.
func TestHalvesOfForget(t *testing.T) {
	for _, reduce := range []model.Reduction{{Dead: true}, {Dead: true, Movers: true}} {
		opt, joined := explore.Options{Workers: 1, Reduce: reduce, KeepGoing: true}, 0
		r := inHalves(t, forgetfulHalves(), opt, func(task *store.Expansion, x store.Expanded, err error) {
			if len(task.Ends) > 1 && (x.Again != nil || err != nil) {
				joined++
			}
		})
		if r.Verdict != explore.ModelError || r.Mistake.Part != "Forget" || joined == 0 {
			t.Errorf("%v: %d joined, %s, %+v", reduce, joined, r.Verdict, r.Mistake)
		}
		opt.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()} // where one process meets both
		disk, err := explore.Run(t.Context(), forgetfulHalves(), opt)
		if err != nil || disk.Verdict != explore.ModelError || disk.Mistake.Path == nil {
			t.Errorf("%v on disk: %v, %+v", reduce, err, disk)
		}
	}
}
