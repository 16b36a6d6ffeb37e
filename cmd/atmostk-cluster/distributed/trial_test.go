package distributed

// The searches of tests, in the engine that the SDK has for tests.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
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
