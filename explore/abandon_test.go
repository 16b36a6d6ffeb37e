package explore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
)

// A trap is a place in a model at which a function does not return before the test ends.
type trap struct {
	met, release chan struct{}
	once, opened sync.Once
}

func newTrap(t *testing.T) *trap {
	x := &trap{met: make(chan struct{}), release: make(chan struct{})}
	t.Cleanup(x.open)
	return x
}

// open lets the function return.
func (x *trap) open() { x.opened.Do(func() { close(x.release) }) }

// awaitAbandoned waits until every search that was abandoned has ended: nothing is in its way any more.
func awaitAbandoned(t *testing.T) {
	stacks := make([]byte, 1<<20)
	for range 6000 {
		if !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("explore.(*supervisor).search(")) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("a search that was abandoned has not ended:\n%s", stacks)
}

func (x *trap) fall() {
	x.once.Do(func() { close(x.met) })
	<-x.release
}

// steps is the local state of a process that counts.
type steps struct{ N uint8 }

type counters = model.Composition[steps, model.None, model.None]

// counting are two processes that count up to nine, each by itself.
func counting() counters {
	return counters{
		N: 2, Init: func(model.Proc) steps { return steps{} },
		Local: []model.Handler[steps, model.None]{{Name: "count", Do: func(_ model.Proc, l *steps,
			_ *model.Outbox[model.None]) bool {
			l.N++
			return l.N < 10
		}}},
		Properties: []model.Property[model.Global[steps, model.None, model.None]]{
			{Name: "both", Kind: model.Invariant, Holds: func(g *model.Global[steps, model.None,
				model.None]) bool {
				return g.Count(func(l *steps) bool { return l.N > 1 }) < 2
			}},
			{Name: "small", Kind: model.Invariant, Holds: func(g *model.Global[steps, model.None,
				model.None]) bool {
				return g.Count(func(l *steps) bool { return l.N > 9 }) == 0
			}},
		},
	}
}

// trapped are models with a function that does not return.
var trapped = []struct {
	name  string
	build func(*trap) model.Instance
}{
	{"handler", func(x *trap) model.Instance {
		c := counting()
		do := c.Local[0].Do
		c.Local[0].Do = func(p model.Proc, l *steps, out *model.Outbox[model.None]) bool {
			if p == 1 && l.N == 6 {
				x.fall()
			}
			return do(p, l, out)
		}
		return model.Compose(c)
	}},
	{"property", func(x *trap) model.Instance {
		c := counting()
		holds := c.Properties[1].Holds
		c.Properties[1].Holds = func(g *model.Global[steps, model.None, model.None]) bool {
			if g.Local(0).N == 6 {
				x.fall()
			}
			return holds(g)
		}
		return model.Compose(c)
	}},
	{"action", func(x *trap) model.Instance {
		return model.NewSystem(model.System[steps]{
			Init: []steps{{}},
			Actions: []model.SystemAction[steps]{{Name: "count", Do: func(s *steps, _ int,
				_ *model.Choice) bool {
				if s.N == 6 {
					x.fall()
				}
				s.N++
				return true
			}}},
			Properties: []model.Property[steps]{
				{Name: "both", Kind: model.Invariant, Holds: func(s *steps) bool { return s.N < 2 }},
				{Name: "small", Kind: model.Invariant, Holds: func(s *steps) bool { return s.N < 10 }},
			},
		})
	}},
}

// TestAbandoned: a search that is to end does so with a report, though a function of the model does not
// return; what was met before is shown.
func TestAbandoned(t *testing.T) {
	for _, x := range trapped {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d workers", x.name, workers), func(t *testing.T) {
				for cause, why := range map[error]string{
					context.DeadlineExceeded: "stopped at the time limit", context.Canceled: "interrupted",
				} {
					fallen := newTrap(t)
					ctx, cancel := context.WithCancelCause(context.Background())
					go func() {
						<-fallen.met
						cancel(cause)
					}()
					opt := explore.Options{KeepGoing: true, Workers: workers}
					r, err := explore.Run(ctx, x.build(fallen), opt)
					if err != nil {
						t.Fatal(err)
					}
					left(t, r, why+": a function of the model has not returned")
				}
			})
		}
	}
}

// left judges the report of a search that was abandoned.
func left(t *testing.T, r *explore.Report, said string) {
	t.Helper()
	if r.Stopped != said {
		t.Errorf("stopped: %q, want %q", r.Stopped, said)
	}
	states := int64(0)
	for _, n := range r.Levels {
		states += n
	}
	if states != r.States || r.Depth != len(r.Levels) || r.Complete {
		t.Errorf("%d states, depth %d, levels %v", r.States, r.Depth, r.Levels)
	}
	both, small := &r.Properties[0], &r.Properties[1]
	if r.Verdict != explore.Violated || both.Verdict != explore.Violated || len(both.Path) != both.Length+1 ||
		both.Length < 2 {
		t.Errorf("%s; %s %s, %d steps, %q", r.Verdict, both.Name, both.Verdict, both.Length, both.Undecided)
	}
	if small.Verdict != explore.Unknown || small.Undecided != "" {
		t.Errorf("%s %s, %q", small.Name, small.Verdict, small.Undecided)
	}
}

// TestAbandonedWriting: one that writes itself down is abandoned, too, and its files stay as they were,
// also when the function returns after all.
func TestAbandonedWriting(t *testing.T) {
	dir := t.TempDir()
	fallen := newTrap(t)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-fallen.met
		cancel()
	}()
	opt := explore.Options{Workers: 1, Properties: []int{1},
		Store: explore.Store{Kind: explore.Disk, Dir: dir}}
	r, err := explore.Run(explore.Hasty(ctx), trapped[0].build(fallen), opt)
	if err != nil || r.Verdict != explore.Unknown || !strings.Contains(r.Stopped, "has not returned") {
		t.Fatalf("%v: %+v", err, r)
	}
	before := saved(t, dir)
	fallen.open()
	awaitAbandoned(t)
	if now := saved(t, dir); !maps.Equal(now, before) {
		t.Errorf("files before the function returned: %v; after: %v", before, now)
	}
}

// saved returns how a search was written down, and when each of its files was.
func saved(t *testing.T, dir string) map[string]time.Time {
	if _, err := explore.StatusOf(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	files := map[string]time.Time{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files[path] = info.ModTime()
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return files
}

// TestRunsAbandoned is TestAbandoned of random runs.
func TestRunsAbandoned(t *testing.T) {
	for _, workers := range []int{1, 3} {
		fallen := newTrap(t)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-fallen.met
			cancel()
		}()
		r, err := simulate.Run(ctx, trapped[0].build(fallen), simulate.Options{Runs: 1000, Steps: 100,
			Seed: 1, Scheduler: simulate.Steps, Workers: workers, Properties: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		said := "interrupted: a function of the model has not returned"
		if r.Stopped != said || r.Verdict != explore.Unknown {
			t.Errorf("%d workers: %s, %q", workers, r.Verdict, r.Stopped)
		}
	}
}
