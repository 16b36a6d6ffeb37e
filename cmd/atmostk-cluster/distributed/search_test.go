package distributed

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/mock"
	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// TestSearchFindsTheSameAsDisk: by tasks of several workers, in a directory and in a bucket, with each task
// done twice, all at once or level by level, the report is the one of --store disk.
func TestSearchFindsTheSameAsDisk(t *testing.T) {
	bucket := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = bucket.Close() }()
	dir, err := OpenFiles(context.Background(), "file://"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args string
		opt  explore.Options
	}{
		{"2pc n=3", explore.Options{KeepGoing: true}},
		{"raymond n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1", explore.Options{KeepGoing: true}},
		{"die-hard", explore.Options{}},
		{"raymond n=3 k=2", explore.Options{MaxDepth: 9, KeepGoing: true}},
		{"raymond n=3 k=2", explore.Options{MaxStates: 200}},
		{"../../../specs/files/token-lock.star n=3", explore.Options{KeepGoing: true,
			Reduce: model.Reduction{Symmetry: true}}},
		{"../../../specs/files/2pc.star n=3", explore.Options{KeepGoing: true}},
		{"../../../specs/files/allocator.star", explore.Options{KeepGoing: true}}, // liveness is unknown
		{"raymond n=3 k=2 rounds=1,1,0", explore.Options{KeepGoing: true, Properties: []int{0, 1},
			Reduce: model.Reduction{Dead: true}}},
		{"raymond n=3 k=2 rounds=1,1,0", explore.Options{KeepGoing: true, Properties: []int{0, 5},
			Reduce: model.Reduction{Dead: true, Movers: true}}},
		{"timerfree n=2 k=1 f=0 rounds=1 variant=a order=footnote rp=off", explore.Options{
			Properties: []int{0}, Reduce: model.Reduction{Movers: true}}},
	} {
		want := onDisk(t, row.args, row.opt)
		for i, files := range []*Files{dir, bucket} {
			for small := range int64(2) {
				r := newTrial(t, files)
				if i == 1 {
					r.twice = rand.New(rand.NewPCG(7, uint64(small)))
				}
				if got := figures(r.search(row.args, row.opt, small*1000)); got != want {
					t.Errorf("%s, files %d, small %d:\n%s, want\n%s", row.args, i, small, got, want)
				}
				if tasks := r.tasks; row.opt.Reduce.Dead { // the same workers, with other files
					if got := figures(r.search(row.args, row.opt, small*1000)); got != want {
						t.Errorf("%s, again:\n%s, want\n%s", row.args, got, want)
					}
					r.tasks = tasks
				}
				if small == 0 && r.tasks < 10 || small > 0 && r.tasks > 30 {
					t.Errorf("%s: %d tasks, small %d", row.args, r.tasks, small)
				}
			}
		}
	}
}

// onDisk has one process search, and returns the figures.
func onDisk(t *testing.T, args string, opt explore.Options) string {
	t.Helper()
	in, err := instance(args)
	if err != nil {
		t.Fatal(err)
	}
	opt.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
	report, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return figures(report)
}

// TestSearchResumes: a search that is started again continues from the saved levels; another program, model
// or question is refused.
func TestSearchResumes(t *testing.T) {
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	in, err := instance("2pc n=3")
	if err != nil {
		t.Fatal(err)
	}
	opt := explore.Options{KeepGoing: true}
	j := Job{
		Folder: "one", Program: program, Model: explore.Digest(in, opt), Args: []string{"2pc", "n=3"},
		Shards: 2,
		Limits: store.Limits{KeepGoing: true, MaxStates: 100}, About: []byte(`{"program":"` + program + `"}`),
	}
	r := newTrial(t, files)
	end, err := r.run(j)
	if err != nil || end.Stopped == "" || end.Search.States() < 100 {
		t.Fatalf("%v: %+v", err, end)
	}
	early, level, tasks := end.Search, end.Search.Level(), r.tasks
	j.Limits.MaxStates = 0
	r.tasks = 0
	if end, err = r.run(j); err != nil || !end.Search.Exhausted() || end.Search.Level() <= level ||
		r.tasks == 0 ||
		tasks == 0 {
		t.Fatalf("%v: %+v after %d and %d tasks", err, end, tasks, r.tasks)
	}
	if states := end.Search.States(); states != onDiskStates(t, in) {
		t.Errorf("%d states", states)
	}
	last := *end.Search
	last.Frontier = early.Frontier
	for _, late := range []*store.Search{early, &last} { // a worker that was paused saves them now
		err := late.Save(files.In(context.Background(), j.Folder))
		if again, failed := r.run(j); err != nil || failed != nil || !again.Search.Exhausted() {
			t.Fatalf("after a late save: %v, %v", err, failed)
		}
	}
	for name, change := range map[string]func(*Job){
		"another program of the workers": func(j *Job) { j.Program = "atmostk 0.1" },
		"a changed model":                func(j *Job) { j.Model = "0123" },
		"another program of the search":  func(j *Job) { j.About = []byte(`{"program":"atmostk 0.1"}`) },
	} {
		other := j
		change(&other)
		if _, err := r.run(other); !errors.As(err, new(*usage.Error)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := j
	other.Folder, other.Model = "two", "0123"
	if _, err := r.run(other); !errors.As(err, new(*usage.Error)) {
		t.Errorf("a model that the worker has not: %v", err)
	}
}

func onDiskStates(t *testing.T, in model.Instance) int64 {
	t.Helper()
	report, err := explore.Run(context.Background(), in, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.States
}

// TestCancelKeepsFinishedLevels: a search that is cancelled inside a level ends with the levels before.
func TestCancelKeepsFinishedLevels(t *testing.T) {
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	in, err := instance("2pc n=3")
	if err != nil {
		t.Fatal(err)
	}
	j := Job{
		Folder:  "one",
		Program: program,
		Model:   explore.Digest(in, explore.Options{}),
		Args:    []string{"2pc", "n=3"},
		Shards:  2,
	}
	r := newTrial(t, files)
	w, env := r.inEngine(j.Folder)
	n := 0
	env.OnActivity("Expand", mock.Anything, mock.Anything, mock.Anything).Return(
		func(ctx context.Context, j Job, x store.Expansion) (Outcome, error) {
			if n++; n == 6 {
				env.CancelWorkflow()
				return Outcome{}, errors.New("the disk is full")
			}
			return w.Expand(ctx, j, x)
		})
	env.ExecuteWorkflow(Search, j, (*store.Search)(nil))
	var end End
	if err := env.GetWorkflowResult(&end); err != nil || end.Stopped != cancelled || end.Search.Level() < 2 {
		t.Errorf("%v: %+v", err, end)
	}
	answer, err := env.QueryWorkflow(standingQuery)
	var s Standing
	if err == nil {
		err = answer.Get(&s)
	}
	if err != nil || !reflect.DeepEqual(s.Snapshot.Levels, end.Search.Levels) ||
		s.Snapshot.States != end.Search.States() {
		t.Errorf("%v: %+v", err, s)
	}
}

// TestDamagedFileIsNamed: a damaged or missing file ends a search with its name.
func TestDamagedFileIsNamed(t *testing.T) {
	ctx := context.Background()
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	in, err := instance("2pc n=3")
	if err != nil {
		t.Fatal(err)
	}
	j := Job{
		Folder:  "one",
		Program: program,
		Model:   explore.Digest(in, explore.Options{}),
		Args:    []string{"2pc", "n=3"},
		Shards:  2,
	}
	j.Limits.MaxStates = 100
	r := newTrial(t, files)
	end, err := r.run(j)
	if err != nil {
		t.Fatal(err)
	}
	j.Limits.MaxStates = 0
	name := end.Search.Frontier[0].Name
	whole, err := files.bucket.ReadAll(ctx, "one/"+name)
	if err != nil {
		t.Fatal(err)
	}
	wrong := append([]byte(nil), whole...)
	wrong[len(wrong)/2] ^= 4
	for _, content := range [][]byte{wrong, whole[:len(whole)-9], nil} {
		if content == nil {
			err = files.bucket.Delete(ctx, "one/"+name)
		} else {
			err = files.bucket.WriteAll(ctx, "one/"+name, content, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.run(j); !errors.As(err, new(*store.DamagedError)) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%d bytes: %v", len(content), err)
		}
	}
	if err := files.bucket.WriteAll(ctx, "one/"+name, whole, nil); err != nil {
		t.Fatal(err)
	}
	if whole, err = files.bucket.ReadAll(ctx, "one/"+store.SearchFile); err != nil {
		t.Fatal(err)
	}
	old := bytes.Replace(whole, []byte(`"format": `), []byte(`"format": 1`), 1)
	save := func(content []byte) {
		if err := files.bucket.WriteAll(ctx, "one/"+store.SearchFile, content, nil); err != nil {
			t.Fatal(err)
		}
	}
	save(old)
	if _, err := r.run(j); !errors.As(err, new(*usage.Error)) {
		t.Errorf("another format: %v", err)
	}
	save(whole[1:])
	j.Owner = "another engine" // its files are not the first one's yet
	if _, err := r.run(j); !errors.As(err, new(*store.DamagedError)) {
		t.Errorf("%s: %v", store.SearchFile, err)
	}
	save(whole)
	if end, err := r.run(j); err != nil || !end.Search.Exhausted() {
		t.Errorf("%v: %+v", err, end)
	}
}
