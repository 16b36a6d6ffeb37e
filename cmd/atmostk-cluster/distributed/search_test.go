package distributed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
)

const program = "atmostk-cluster test"

// quiet is the SDK's engine for tests, without its log.
func quiet() *testsuite.WorkflowTestSuite {
	suite := &testsuite.WorkflowTestSuite{}
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	return suite
}

// A trial is a search in the engine that the SDK has for tests.
type trial struct {
	*testing.T
	files   *Files
	workers []*Worker
	lock    sync.Mutex // of what follows, while tasks are done
	twice   *rand.Rand // not nil: tasks are done twice, by any of the workers
	tasks   int
}

func newTrial(t *testing.T, files *Files) *trial {
	r := &trial{T: t, files: files}
	for range 3 {
		w := &Worker{Program: program, Files: files, Workers: 2}
		t.Cleanup(w.Close)
		r.workers = append(r.workers, w)
	}
	return r
}

// inEngine returns a worker with files in a folder, and the engine of tests in which it works.
func (r *trial) inEngine(folder string) (*Worker, *testsuite.TestWorkflowEnvironment) {
	suite := quiet()
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute}) // the machine may be busy
	r.place(folder)
	r.workers[0].Register(env)
	return r.workers[0], env
}

// again has a task done twice, by different workers, one after the other or at the same time, and takes
// either result.
func again[A, R any](
	r *trial,
	do func(w *Worker, ctx context.Context, j Job, a A) (R, error),
) func(context.Context, Job, A) (R, error) {
	return func(ctx context.Context, j Job, a A) (R, error) {
		r.lock.Lock()
		r.tasks++
		task, p, waits, takesOther := r.tasks, []int(nil), false, false
		if r.twice != nil {
			p, waits, takesOther = r.twice.Perm(len(r.workers)), r.twice.IntN(2) == 0, r.twice.IntN(2) == 0
		}
		r.lock.Unlock()
		sent := func() (a2 A) { // each attempt is given a task of its own
			b, err := json.Marshal(a)
			if err == nil {
				err = json.Unmarshal(b, &a2)
			}
			if err != nil {
				panic(err)
			}
			return a2
		}
		if p == nil {
			return do(r.workers[task%len(r.workers)], ctx, j, a)
		}
		type result struct {
			value R
			err   error
		}
		late := make(chan result, 1)
		go func() {
			v, err := do(r.workers[p[0]], ctx, j, sent())
			late <- result{v, err}
		}()
		if waits {
			late <- <-late
		}
		v, err := do(r.workers[p[1]], ctx, j, sent())
		if l := <-late; takesOther || err != nil {
			return l.value, l.err
		}
		return v, err
	}
}

// place prepares the folder of a search, as check does.
func (r *trial) place(folder string) {
	if err := write(r.files.In(context.Background(), folder), placeFile, nil); err != nil {
		r.Fatal(err)
	}
}

// run runs a search to its end, however often it goes on as a new one.
func (r *trial) run(j Job) (*End, error) {
	var at *store.Search
	r.Helper()
	r.place(j.Folder)
	for {
		suite := quiet()
		env := suite.NewTestWorkflowEnvironment()
		env.SetTestTimeout(time.Minute)
		env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute}) // the machine may be busy
		env.RegisterWorkflow(Search)
		register := func(name string, do any) {
			env.RegisterActivityWithOptions(do,
				activity.RegisterOptions{Name: name})
		}
		register("Begin", r.workers[0].Begin)
		register("Save", r.workers[0].Save)
		register("Expand", again(r, (*Worker).Expand))
		register("Merge", again(r, (*Worker).Merge))
		register(
			"Alone",
			again(r, func(w *Worker, ctx context.Context, j Job, at *store.Search) (*End, error) {
				return w.Alone(ctx, j, at)
			}),
		)
		env.ExecuteWorkflow(Search, j, at)
		err := env.GetWorkflowError()
		var anew *workflow.ContinueAsNewError
		if errors.As(err, &anew) {
			if err := converter.GetDefaultDataConverter().FromPayloads(anew.Input, &j, &at); err != nil {
				r.Fatal(err)
			}
			continue
		}
		if err != nil {
			return nil, explained(err)
		}
		end := &End{}
		return end, env.GetWorkflowResult(end)
	}
}

// instance returns an instance of a built-in model, or of a model in a file.
func instance(args string) (model.Instance, error) {
	j := &Job{Args: strings.Fields(args)}
	if !strings.HasSuffix(j.Args[0], starfile.Extension) {
		return instantiate(nil, j)
	}
	spec, err := starfile.Load(j.Args[0])
	if err != nil {
		return model.Instance{}, err
	}
	in, _, err := spec.Instantiate(j.Args[1:])
	return in, err
}

// search searches an instance, and returns the report.
func (r *trial) search(args string, opt explore.Options, small int64) *explore.Report {
	r.Helper()
	in, err := instance(args)
	if err != nil {
		r.Fatal(err)
	}
	e, err := explore.NewExpander(in, opt)
	if err != nil {
		r.Fatal(err)
	}
	defer e.Free()
	j := Job{
		Folder: "search-" + fmt.Sprint(
			rand.Uint32(),
		), Program: program, Model: e.Model(), Args: strings.Fields(args),
		Properties: opt.Properties, Reduce: opt.Reduce, Shards: 4, Small: small,
		Limits: store.Limits{KeepGoing: opt.KeepGoing, MaxStates: opt.MaxStates, MaxDepth: opt.MaxDepth,
			Finds: opt.Finds},
	}
	ctx := context.Background()
	if strings.HasSuffix(j.Args[0], starfile.Extension) {
		j.Text = in.Text
		source, err := starfile.ReadSource(j.Args[0])
		if err != nil {
			r.Fatal(err)
		}
		if err := writeText(r.files.In(ctx, j.Folder), source); err != nil {
			r.Fatal(err)
		}
	}
	end, err := r.run(j)
	if err != nil {
		r.Fatalf("%s: %v", args, err)
	}
	if end.Failed != nil {
		if _, err := e.Expand(ctx, r.files.In(ctx, j.Folder), *end.Failed); !errors.As(
			err,
			new(*model.Error),
		) {
			r.Fatalf("%s: %v", args, err)
		}
	}
	report, err := e.Report(ctx, r.files.In(ctx, j.Folder), end.Search, end.Stopped)
	if err == nil && opt.Reduce.Movers {
		opt.Reduce.Movers = false
		err = report.AddRuns(in, opt, func(o explore.Options) (*explore.Report, error) {
			return r.search(args, o, small), nil
		})
	}
	if err != nil {
		r.Fatalf("%s: %v", args, err)
	}
	return report
}

// figures are all that has to be the same, runs included.
func figures(r *explore.Report) string {
	s := fmt.Sprintln(
		r.Verdict,
		r.Complete,
		r.Stopped,
		r.States,
		r.Generated,
		r.Levels,
		r.Outside,
		r.Beyond,
		r.Fired,
		r.Pruned,
		r.Stuck,
		r.StuckDepth,
		r.Quiet,
		r.Unchanged,
		r.Movers,
	)
	for _, p := range r.Properties {
		s += fmt.Sprintln(p.Name, p.Verdict, p.Length, p.Count, p.Vacuous)
		for _, step := range p.Path {
			s += fmt.Sprintln(step.Text, step.State.Key())
		}
	}
	return s
}

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
