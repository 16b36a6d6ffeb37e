package distributed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// Explore explores an instance on the cluster: it starts or joins a search, and waits for its end.
func (c *Cluster) Explore(ctx context.Context, q cmd.Question) (*explore.Report, error) {
	opt := q.Options
	if opt.Store.Kind != explore.Exact {
		return nil, usage.Errorf(
			"--store is of searches in one process; on a cluster states are in the files of --files")
	}
	switch err := c.connect(ctx); {
	case err != nil && ctx.Err() != nil && !late(ctx):
		return nil, errors.New("stopped before the search began")
	case err != nil:
		return nil, err
	}
	j := Job{
		Folder: c.flags.id, Program: c.program, Args: q.Args, About: opt.Store.About,
		Shards: c.flags.shards, Small: c.flags.small, Lost: c.flags.lost,
	}
	r, err := c.search(ctx, &q, &j)
	if err == nil && opt.Reduce.Movers {
		c.id, q.Options.Reduce.Movers = j.Folder, false
		err = r.AddRuns(q.Instance, q.Options, func(opt explore.Options) (*explore.Report, error) {
			q.Options, j.Folder = opt, runsOf(c.id, opt.Properties)
			return c.search(ctx, &q, &j)
		})
	}
	if err == nil && (late(ctx) || c.alone()) {
		c.notify("the same command with --id %s goes on", cmp.Or(c.id, j.Folder))
	}
	return r, err
}

// runsOf returns the name of the search for the shortest runs to what a search with movers found of
// properties.
func runsOf(id string, properties []int) string {
	name := id + "-runs"
	for _, i := range properties {
		name += fmt.Sprint("-", i)
	}
	return name
}

// search has the cluster do a search, and returns its report. It completes the job.
func (c *Cluster) search(ctx context.Context, q *cmd.Question, j *Job) (*explore.Report, error) {
	opt := q.Options
	e, err := explore.NewExpander(q.Instance, opt)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	j.Model, j.Properties, j.Reduce = e.Model(), opt.Properties, opt.Reduce
	j.Limits = store.Limits{KeepGoing: opt.KeepGoing, MaxStates: opt.MaxStates, MaxDepth: opt.MaxDepth,
		Finds: opt.Finds}
	c.name(q.Instance, j)
	if c.flags.dev > 0 && c.files.dir != "" { // nobody else can join it: the engine is of this process
		release, err := store.Dir(filepath.Join(c.files.dir, filepath.FromSlash(j.Folder))).Hold(false)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	err = write(c.files.In(ctx, j.Folder), placeFile, nil)
	if err = cmp.Or(err, c.sendText(ctx, j)); err != nil {
		return nil, err
	}
	run, err := c.engine.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ // or it joins the running one
		ID: j.Folder, TaskQueue: QueueOf(c.program),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
	}, Search, *j, (*store.Search)(nil))
	var end *End
	switch {
	case err == nil:
		c.notify("search %s", j.Folder)
		end, err = c.ended(ctx, run, j, opt.Progress)
	case late(ctx): // as the search for runs, after a search that took all the time
		end, err = c.saved(context.WithoutCancel(ctx), j, timeLimit)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("stopped while the search %s began: the same command with --id %[1]s goes on",
			j.Folder)
	default:
		return nil, fmt.Errorf("the engine does not take the search: %w", err)
	}
	if err != nil {
		return nil, err
	}
	return report(context.WithoutCancel(ctx), e, c.files, j, end) // a short time
}

// report returns the report of a search that ended. It does a failed expansion once more, in this process:
// the report of the expander then has the run to the mistake.
func report(ctx context.Context, e *explore.Expander, files *Files, j *Job, end *End) (
	*explore.Report, error,
) {
	in := files.In(ctx, j.Folder)
	if end.Failed != nil {
		if _, err := e.Expand(ctx, in, *end.Failed); !errors.As(err, new(*model.Error)) {
			return nil, fmt.Errorf("%w: a worker found the model at fault, and this process does not (%w)",
				explore.ErrInternal, err)
		}
	}
	return e.Report(ctx, in, end.Search, end.Stopped)
}

// timeLimit is the reason of a search that stopped at its time limit.
const timeLimit = "stopped at the time limit"

// late reports whether the time limit of a context has passed.
func late(ctx context.Context) bool { return errors.Is(context.Cause(ctx), context.DeadlineExceeded) }

// pollEvery is the time between two queries of a client for the progress of a search.
const pollEvery = 500 * time.Millisecond

// ended waits for the end of a search, and reports its progress.
func (c *Cluster) ended(
	ctx context.Context, run client.WorkflowRun, j *Job, progress func(explore.Snapshot),
) (*End, error) {
	whole, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	end := &End{}
	done := make(chan error, 1)
	go func() { done <- run.Get(whole, end) }()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	watch := &watcher{Cluster: c, id: run.GetID(), said: map[string]bool{}}
	looked := time.Now()
	over, stopped := ctx.Done(), ""
	var silent <-chan time.Time
	for {
		select {
		case <-silent:
			return c.saved(whole, j, stopped+", and no worker answers")
		case <-c.gone:
			if ctx.Err() != nil && !late(ctx) {
				return nil, c.left(j)
			}
			return c.saved(whole, j, cmp.Or(stopped, "all workers of this process have ended"))
		case err := <-done:
			switch {
			case temporal.IsCanceledError(err): // no worker had begun it
				return c.saved(whole, j, cmp.Or(stopped, cancelled))
			case err != nil:
				return nil, explained(err)
			case end.Search.Model != j.Model:
				return nil, otherSearch(j)
			case end.Stopped == cancelled && stopped != "":
				end.Stopped = stopped
			}
			return end, nil
		case <-over:
			if !late(ctx) {
				return nil, c.left(j)
			}
			over, stopped, silent = nil, timeLimit, time.After(j.lost())
			if err := c.engine.CancelWorkflow(whole, run.GetID(), ""); err != nil {
				return nil, fmt.Errorf("the search %s could not be cancelled: %w", j.Folder, err)
			}
		case <-tick.C:
			if time.Since(looked) >= watchEvery {
				watch.look(whole)
				looked = time.Now()
			}
			if progress == nil {
				continue
			}
			if s, err := standing(whole, c.engine, run.GetID()); err == nil {
				if s.Job.Model != j.Model {
					return nil, otherSearch(j)
				}
				progress(s.Snapshot)
			}
		}
	}
}

// left returns the error of a process that leaves a search: with --dev the search ends with it.
func (c *Cluster) left(j *Job) error {
	if c.flags.dev > 0 {
		return fmt.Errorf("the search %s stopped with this process: the same command with --id %s goes on",
			j.Folder, cmp.Or(c.id, j.Folder))
	}
	return fmt.Errorf("the search %s goes on without this process: the same command with --id %s joins it, "+
		"and `cancel %[1]s` ends it", j.Folder, cmp.Or(c.id, j.Folder))
}

// saved returns the end of a search that no worker reports: what is saved of it.
func (c *Cluster) saved(ctx context.Context, j *Job, stopped string) (*End, error) {
	at, err := store.Load(c.files.In(ctx, j.Folder))
	switch {
	case store.Missing(err):
		at, err = store.NewSearch(j.Model, j.Shards), nil
	case err == nil && at.Model != j.Model:
		err = otherSearch(j)
	}
	return &End{Search: at, Stopped: stopped}, err
}

func otherSearch(j *Job) error {
	return usage.Errorf("the search %s is of another model, or asks for other properties: change --id",
		j.Folder)
}

// standing asks the engine for the progress of a search.
func standing(ctx context.Context, engine client.Client, id string) (*Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	answer, err := engine.QueryWorkflow(ctx, id, "", standingQuery)
	if err != nil {
		return nil, err
	}
	s := &Standing{}
	return s, answer.Get(s)
}
