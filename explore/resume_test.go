package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/ring"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// TestResume interrupts searches on disk at random places, again and again, and goes on with them: the report
// is that of one that was not interrupted, to the word.
func TestResume(t *testing.T) {
	for _, row := range []struct {
		spec  *model.Spec
		args  string
		large bool
	}{
		{&twoPhase, "n=4", false},
		{&lamport.Spec, "n=2 max-clock=4", false},
		{&raymond.Spec, "n=3 k=2 rounds=1,1,0 crashes=1", true},
		{&raymond.Spec, "n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1", false},
		{&ring.Recovery, "scheme=2 n=3 f=1 list=auto", false},
	} {
		if row.large && !sweep {
			continue
		}
		name := fmt.Sprintf("%s %s", row.spec.Name, row.args)
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.Options{KeepGoing: true, Workers: 2,
			Store: explore.Store{Kind: explore.Disk, Dir: t.TempDir()}}
		want, err := explore.Run(explore.TwoShards(t.Context()), in, opt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, stops := resumed(t, in, opt, rand.New(rand.NewPCG(7, 2)))
		if g, w := whole(got), whole(want); g != w {
			t.Fatalf("%s:\n%s\nwant\n%s", name, g, w)
		}
		t.Logf("%s: interrupted %d times", name, stops)
	}
}

// TestResumedAtItsEnd: a search that stopped at a limit of levels, or at a violation, and is resumed with the
// same limits reports the same: the states of its last level count once.
func TestResumedAtItsEnd(t *testing.T) {
	for _, row := range []struct {
		spec *model.Spec
		args string
		opt  explore.Options
	}{
		{&raymond.Spec, "n=3 k=2", explore.Options{MaxDepth: 9, KeepGoing: true, Properties: []int{0, 5}}},
		{&raymond.Spec, "n=3 k=2", explore.Options{MaxDepth: 7, Properties: []int{0, 5},
			Reduce: model.Reduction{Dead: true, Movers: true}}},
		{&timerfree.Spec, "n=2 k=1 f=0 rounds=1 variant=a order=footnote rp=off", explore.Options{}},
		{&timerfree.Spec, "n=2 k=1 f=0 rounds=1 variant=a order=footnote rp=off", explore.Options{
			Properties: []int{0}, Reduce: model.Reduction{Movers: true}}},
	} {
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		row.opt.Workers, row.opt.Store = 1, explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
		for range 3 {
			r, err := explore.Run(explore.TwoShards(t.Context()), in, row.opt)
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Properties; r.Stopped == "" || p[0].Count+p[len(p)-1].Count == 0 {
				t.Fatalf("%s: %+v", row.args, r)
			}
			if row.opt.Store.Resume = true; first == "" {
				first = whole(r)
			}
			if got := whole(r); got != first {
				t.Errorf("%s:\n%s\nwant\n%s", row.args, got, first)
			}
		}
	}
}

// TestRunAfterStop: a process that knows nothing but the files shows the run to a find of a search that
// stopped. Its vectors have to grow for that.
func TestRunAfterStop(t *testing.T) {
	in, _, err := raymond.Spec.Instantiate(strings.Fields("n=4 k=1"))
	if err != nil {
		t.Fatal(err)
	}
	reach := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == "can-reach-k"
	})
	opt := explore.Options{
		Workers: 1, MaxDepth: 9, KeepGoing: true, Properties: []int{reach},
		Store: explore.Store{Kind: explore.Disk, Dir: t.TempDir()},
	}
	want, err := explore.Run(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	at, err := store.Load(store.Dir(opt.Store.Dir))
	if err != nil {
		t.Fatal(err)
	}
	e, err := explore.NewExpander(in, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Free()
	r, err := e.Report(t.Context(), store.Dir(opt.Store.Dir), at, want.Stopped)
	if err != nil || want.Stopped == "" || r.Properties[0].Length != 8 || want.Properties[0].Length != 8 {
		t.Fatalf("%v, %+v, want %+v", err, r, want)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	_, err = at.Ancestry(ctx, store.Dir(opt.Store.Dir), 9, at.Finds[0].State)
	if !errors.Is(err, errEnough) {
		t.Errorf("an interrupted search for the run ends with %v", err)
	}
}

// TestNoMemoryForRuns: where there is no memory to search once more for the runs that a search with the
// Compact store shows, each of them is undecided, and nothing fails.
func TestNoMemoryForRuns(t *testing.T) {
	in, _, err := raymond.Spec.Instantiate(strings.Fields("n=3 k=2 rounds=1,1,0 crashes=1"))
	if err != nil {
		t.Fatal(err)
	}
	opt := explore.Options{KeepGoing: true, Workers: 1, Store: explore.Store{Kind: explore.Compact}}
	without := 0 // pieces in which states were searched, and runs were not
	for first, asked := 1, 0; asked >= first-1; first++ {
		asked = 0
		r, err := explore.Run(explore.StopAt(t.Context(), func(at string) string {
			if at == explore.AtMemory {
				asked++
			}
			if asked < first {
				return ""
			}
			return "no memory"
		}), in, opt)
		if err != nil {
			t.Fatalf("no memory from request %d on: %v", first, err)
		}
		if strings.HasPrefix(r.Stopped, "no state is left") && r.Verdict == explore.Unknown {
			without++
		}
	}
	if without == 0 {
		t.Error("no search had all states and no runs")
	}
}

// TestCompactKeepsItsFinds: wherever a search with the Compact store is interrupted, what it had met has its
// run and its verdict: to search once more for the runs takes a short time, even after the time limit.
func TestCompactKeepsItsFinds(t *testing.T) {
	in, _, err := raymond.Spec.Instantiate(strings.Fields("n=3 k=2 rounds=1,1,0"))
	if err != nil {
		t.Fatal(err)
	}
	opt := explore.Options{KeepGoing: true, Workers: 1, Store: explore.Store{Kind: explore.Compact}}
	met := 0
	for first, stopped := 1, true; stopped; first++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		left := first
		r, err := explore.Run(explore.StopAt(ctx, func(string) string {
			if left--; left == 0 {
				cancel(errEnough)
			}
			return ""
		}), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		stopped = ctx.Err() != nil
		for _, p := range r.Properties {
			if p.Count > 0 && (p.Path == nil || p.Verdict != explore.Holds) {
				t.Errorf("interrupted at %d: %s is %s: %s", first, p.Name, p.Verdict, p.Undecided)
			} else if p.Count > 0 && r.Stopped == "interrupted" {
				met++
			}
		}
		cancel(nil)
	}
	if met == 0 {
		t.Error("nothing was met before an interruption")
	}
}

// whole is all that a report says, but for what differs from run to run.
func whole(r *explore.Report) string {
	x := *r
	x.Elapsed, x.Memory, x.Disk, x.Properties = 0, 0, 0, nil
	said := fmt.Sprintf("%+v\n", x)
	for _, p := range r.Properties {
		said += fmt.Sprintln(p.Name, p.Verdict, p.Length, p.Part, p.Vacuous, p.Count, p.CycleAt, p.Undecided)
		for _, step := range p.Path {
			said += fmt.Sprintln(" ", step.Text, step.State.Key())
		}
	}
	return said
}

var errEnough = errors.New("enough")

// resumed searches in pieces.
func resumed(t *testing.T, in model.Instance, opt explore.Options, r *rand.Rand) (report *explore.Report,
	stops int) {
	t.Helper()
	opt.Store.Dir = t.TempDir()
	read := int64(0)
	opt.Progress = func(s explore.Snapshot) { read = max(read, s.Read) }
	for {
		ctx, cancel := context.WithCancelCause(context.Background())
		left := 1 + r.IntN(12)
		piece := explore.StopAt(explore.TwoShards(ctx), func(string) string {
			if left--; left == 0 && stops < 12 {
				cancel(errEnough)
			}
			return ""
		})
		report, err := explore.Run(piece, in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if ctx.Err() == nil { // nor was a search for the shortest run interrupted
			if stops > 1 && read == 0 && report.States > 10 { // the first stop may be before a level is saved
				t.Error("no progress was shown while files were read to resume the search")
			}
			return report, stops
		}
		stops++
		opt.Store.Resume = true
	}
}

// TestOneProcess wants a search refused whose directory another process holds, begun or gone on with, and
// nothing changed there; and let in once the other has ended.
func TestOneProcess(t *testing.T) {
	in, _, err := twoPhase.Instantiate([]string{"n=3"})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	for _, resume := range []bool{false, true} {
		opt := explore.Options{Workers: 1, MaxDepth: 3, Store: explore.Store{Kind: explore.Disk, Dir: dir,
			Resume: resume}}
		release, err := store.Dir(dir).Hold(false)
		if err != nil {
			t.Fatal(err)
		}
		_, err = explore.Run(context.Background(), in, opt)
		var usage *usage.Error
		if said := "another process has its search in " + dir; !errors.As(err, &usage) ||
			!strings.Contains(err.Error(), said) {
			t.Errorf("resume %t: %v", resume, err)
		}
		release()
		if r, err := explore.Run(context.Background(), in, opt); err != nil || r.States == 0 {
			t.Errorf("resume %t, once it is free: %v", resume, err)
		}
	}
}
