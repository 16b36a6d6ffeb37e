package explore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// levelByLevel searches on disk in as many runs of the program as there are levels.
func levelByLevel(t *testing.T, in model.Instance, opt explore.Options) (r *explore.Report, runs int) {
	t.Helper()
	opt.Store, opt.MaxStates = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}, 1
	for {
		r, err := explore.Run(explore.TwoShards(t.Context()), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		why := r.Stopped // or the reason of a search for the shortest run
		for _, p := range r.Properties {
			why += p.Undecided
		}
		if runs++; !strings.Contains(why, "stopped at the end of the level with the limit") {
			return r, runs
		}
		opt.Store.Resume, opt.MaxStates = true, max(r.States, opt.MaxStates)+1
	}
}

// lateLapse is a model in which a variable is forgotten in the first step, and read in the last one.
func lateLapse(last uint8) model.Instance {
	type local struct{ Steps, Scrap uint8 }
	return model.Compose(model.Composition[local, uint8, model.None]{
		N: 2, Init: func(model.Proc) (l local) { return l },
		Local: []model.Handler[local, uint8]{{Name: "step",
			Do: func(p model.Proc, l *local, out *model.Outbox[uint8]) bool {
				switch l.Steps++; {
				case p > 0 || l.Steps > last:
					return false
				case l.Steps == 1:
					l.Scrap = uint8(out.Pick(2))
				case l.Steps == last && l.Scrap == 1:
					l.Steps++
				}
				return true
			}}},
		Forget: func(_ model.Proc, l *local) { l.Scrap = 0 },
		Units:  func(l *local) int { return int(l.Steps / last) },
		Properties: []model.Property[model.Global[local, uint8, model.None]]{
			{Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used <= 2 }},
		},
	})
}

// TestResumedProof: what is forgotten in the first step shows in the last one only if the states that were
// merged before an interruption are compared after it.
func TestResumedProof(t *testing.T) {
	const last = uint8(4)
	in := lateLapse(last)
	opt := explore.Options{Workers: 2, Reduce: model.Reduction{Dead: true}}
	want, err := explore.Run(t.Context(), in, opt)
	if err != nil || want.Verdict != explore.ModelError {
		t.Fatalf("%+v, %v", want, err)
	}
	got, runs := levelByLevel(t, in, opt)
	if got.Verdict != explore.ModelError || got.Mistake.What != want.Mistake.What || got.Mistake.Path == nil {
		t.Errorf("after %d runs %s, %+v; in one %+v", runs, got.Verdict, got.Mistake, want.Mistake)
	}
	if runs <= int(last) {
		t.Errorf("%d runs", runs)
	}
}

// TestResumedEachLevel: searches with reductions that begin again from their files at each level report what
// one does without interruption, to the word, and what a search in memory does.
func TestResumedEachLevel(t *testing.T) {
	dead, both := model.Reduction{Dead: true}, model.Reduction{Dead: true, Movers: true}
	for _, row := range []struct {
		spec   *model.Spec
		args   string
		reduce model.Reduction
		large  bool
	}{
		{&timerfree.Spec, "n=2 k=1 f=1 crashes=1", dead, false},
		{&timerfree.Spec, "n=3 k=2 f=1 crashes=1 rounds=1,1,0", dead, true},
		{&raymond.Spec, "n=3 k=2", dead, true},
		{&raymond.Spec, "n=3 k=2", both, true},
		{&raymond.Spec, "n=3 k=2 rounds=1,1,0 crashes=1", both, true},
		{&raymond.Spec, "n=2 k=1 rounds=2,1", both, false},
	} {
		if row.large && !sweep {
			continue
		}
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		sameResumed(t, row.spec.Name+" "+row.args, in, explore.Options{Workers: 2, Reduce: row.reduce,
			Properties: []int{0, 1}})
	}
	for _, seed := range withRare(2, 60, 4, 52) {
		in := randomForgetful(rand.New(rand.NewPCG(seed, 18)), seed%2 == 0, rightly)
		sameResumed(t, fmt.Sprint("seed ", seed), in, explore.Options{Workers: 2, Reduce: dead,
			Properties: []int{0, 2, 3}})
		sameResumed(t, fmt.Sprint("movers, seed ", seed), randomMovers(rand.New(rand.NewPCG(seed, 20))),
			explore.Options{Workers: 2, Reduce: model.Reduction{Movers: true}, Properties: []int{0, 1, 2, 3}})
	}
}

// sameResumed compares a search in memory, one on disk and one that is resumed at each level.
func sameResumed(t *testing.T, name string, in model.Instance, opt explore.Options) {
	t.Helper()
	if opt.KeepGoing, opt.MaxStates = true, 200; sweep {
		opt.MaxStates = 20_000
	}
	memory, err := explore.Run(t.Context(), in, opt)
	if opt.MaxStates = 0; err == nil && !memory.Complete {
		return
	}
	if err == nil {
		memory, err = explore.Run(t.Context(), in, opt)
	}
	if err != nil {
		t.Fatal(err)
	}
	again, runs := levelByLevel(t, in, opt)
	opt.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
	disk, err := explore.Run(explore.TwoShards(t.Context()), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	any, stops := resumed(t, in, opt, rand.New(rand.NewPCG(uint64(disk.States), 5)))
	for _, r := range []*explore.Report{disk, again, any} {
		r.StateBytes = 0 // files of memos are in the order in which they were filled
		if g, w := whole(r), whole(disk); g != w {
			t.Errorf("%s, in %d runs or with %d stops:\n%s\nwant\n%s", name, runs, stops, g, w)
		}
	}
	if g, w := counted(disk), counted(memory); g != w {
		t.Errorf("%s, on disk:\n%s\nwant\n%s", name, g, w)
	}
	t.Logf("%s: %d states, %v, in %d runs", name, disk.States, disk.Movers, runs)
}

// counted is what a report says of a search, but for the runs, on which stores may differ.
func counted(r *explore.Report) string {
	s := fmt.Sprintln(r.Verdict, r.Complete, r.States, r.Generated, r.Levels, r.Fired, r.Quiet, r.Stuck,
		r.Unchanged, r.Movers)
	for _, p := range r.Properties {
		s += fmt.Sprintln(p.Name, p.Verdict, p.Length, p.Count, p.Vacuous)
	}
	return s
}

// TestDamagedMemos: a file of what was asked of the model that is cut off, or missing, is an error with its
// name.
func TestDamagedMemos(t *testing.T) {
	in, _, err := raymond.Spec.Instantiate(strings.Fields("n=2 k=1"))
	if err != nil {
		t.Fatal(err)
	}
	dir := store.Dir(t.TempDir())
	opt := explore.Options{Properties: []int{0}, MaxStates: 20, Reduce: model.Reduction{Dead: true},
		Store: explore.Store{Kind: explore.Disk, Dir: string(dir)}}
	if _, err = explore.Run(explore.TwoShards(t.Context()), in, opt); err != nil {
		t.Fatal(err)
	}
	at, err := store.Load(dir)
	if err != nil || len(at.Memos) < 3 {
		t.Fatalf("%+v, %v", at, err)
	}
	opt.MaxStates, opt.Store.Resume = 0, true
	name := at.Memos[1].Name
	path := filepath.Join(string(dir), name)
	for _, damage := range []func() error{
		func() error { return os.Truncate(path, 100) },
		func() error { return os.Remove(path) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if _, err := explore.Run(t.Context(), in, opt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v", err)
		}
	}
}

// TestMoversInTasks: searches with movers by tasks of several processes, some of which are done twice and
// some by a process that begins fresh, report what one in memory does.
func TestMoversInTasks(t *testing.T) {
	compared, began := 0, 0
	for _, seed := range withRare(3, 500, 29, 153) {
		in, opt := randomMovers(rand.New(rand.NewPCG(seed, 20))), explore.Options{Workers: 1 + int(seed%2),
			Reduce: model.Reduction{Movers: true, Crashes: seed%4 == 1}, Properties: []int{0, 1, 2, 3},
			KeepGoing: true, MaxStates: 300}
		if sweep {
			opt.MaxStates = 2000
		}
		memory, err := explore.Run(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if opt.MaxStates = 0; !memory.Complete {
			continue
		}
		tasks := inTasks(t, in, opt, rand.New(rand.NewPCG(seed, 21)))
		opt.Reduce.Movers = false
		err = tasks.AddRuns(in, opt, func(o explore.Options) (*explore.Report, error) {
			return explore.Run(t.Context(), in, o)
		})
		if g, w := counted(tasks), counted(memory); g != w || err != nil {
			t.Errorf("seed %d, %v, in tasks:\n%s\nwant\n%s", seed, err, g, w)
		}
		again := func(m explore.Mover) bool {
			return m.Obstacle != "" && !strings.HasPrefix(m.Obstacle, "none was met")
		}
		if compared++; slices.ContainsFunc(tasks.Movers, again) {
			began++
		}
	}
	if t.Logf("%d models, %d searches began again", compared, began); 4*began < compared {
		t.Error("few searches begin again")
	}
}

// TestProofOfManyProcesses: each level is expanded by a process that knows nothing but files. No level has
// both where a variable is forgotten and where it is read, so the mistake shows when the files are joined.
func TestProofOfManyProcesses(t *testing.T) {
	in, files, at := lateLapse(4), store.Dir(t.TempDir()), (*store.Search)(nil)
	for {
		e, err := explore.NewExpander(in, explore.Options{Workers: 1, Reduce: model.Reduction{Dead: true}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Free()
		if at == nil {
			at = store.NewSearch(e.Model(), 2)
		}
		if err = nextLevel(e, files, at); err == nil && !at.Exhausted() {
			continue
		}
		if r, err := e.Report(t.Context(), files, at, e.Stopped()); at.Level() != 4 || err != nil ||
			r.Verdict != explore.ModelError || r.Mistake.Part != "Forget" {
			t.Errorf("level %d: %+v, %v", at.Level(), r, err)
		}
		return
	}
}
