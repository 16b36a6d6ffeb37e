package distributed

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// Explore has an instance explored: level by level by all workers, or as one of a family by one.
func (c *Cluster) Explore(ctx context.Context, q cmd.Question) (*explore.Report, error) {
	if err := c.takes(ctx, q.Args); err != nil {
		return nil, err
	}
	opt := q.Options
	if opt.Store.Kind != explore.Exact {
		return nil, usage.Errorf(
			"--store is of searches in one process; on a cluster states are in the files of --files")
	}
	j := Job{
		Program: c.program, Args: q.Args, Properties: opt.Properties, Shards: c.flags.shards,
		Small: c.flags.small, Lost: c.flags.lost, About: q.About,
		Limits: store.Limits{KeepGoing: opt.KeepGoing, MaxStates: opt.MaxStates, MaxDepth: opt.MaxDepth},
	}
	if q.Family {
		return c.one(ctx, q, j)
	}
	return c.search(ctx, q, j)
}

// takes connects to the cluster, unless workers lack the model.
func (c *Cluster) takes(ctx context.Context, args []string) error {
	if strings.HasSuffix(args[0], ".star") {
		return usage.Errorf("%s: workers have the models of their program only, and none in files", args[0])
	}
	return c.connect(ctx)
}

// start starts a workflow, or joins the running one of that name. The engine ends it after some time, even if
// nobody waits for it any more; 0: it does not.
func (c *Cluster) start(ctx context.Context, most time.Duration, id string, workflow any, args ...any) (
	client.WorkflowRun, error,
) {
	run, err := c.engine.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: id, TaskQueue: QueueOf(c.program), WorkflowExecutionTimeout: most,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
	}, workflow, args...)
	if err != nil {
		return nil, fmt.Errorf("the engine does not take the search: %w", err)
	}
	return run, nil
}

// one has an instance explored by one worker.
func (c *Cluster) one(ctx context.Context, q cmd.Question, j Job) (*explore.Report, error) {
	j.Folder, j.About, j.Shards, j.Small = reports, nil, 0, 0
	j.Model = explore.Digest(q.Instance, q.Options)
	j.OutOfReach, j.Reduce = q.Options.OutOfReach, q.Options.Reduce
	run, err := c.start(ctx, 0, "instance-"+j.report(), One, j)
	if err != nil {
		return nil, err
	}
	var f Findings
	if err := run.Get(ctx, &f); err != nil {
		return nil, explained(err)
	}
	return f.unpack(q.Instance)
}

// search has an instance explored by all workers.
func (c *Cluster) search(ctx context.Context, q cmd.Question, j Job) (*explore.Report, error) {
	opt := q.Options
	if opt.Reduce != (model.Reduction{}) {
		return nil, usage.Errorf("files hold all states: on a cluster allowed is --reduce none")
	}
	e, err := explore.NewExpander(q.Instance, opt)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	j.Model, j.Folder = e.Model(), c.flags.id
	if j.Folder == "" {
		j.Folder = j.Args[0] + "-" + strings.ToLower(rand.Text()[:6])
	}
	run, err := c.start(ctx, 0, j.Folder, Search, j, (*store.Search)(nil))
	if err != nil {
		return nil, err
	}
	c.notify("search %s", j.Folder)
	end, err := c.ended(ctx, run, &j, opt.Progress)
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // the search is over, and the rest is short
	files := c.files.In(ctx, j.Folder)
	if end.Failed != nil {
		if _, err := e.Expand(ctx, files, *end.Failed); !errors.As(err, new(*model.Error)) {
			return nil, fmt.Errorf("%w: a worker found the model at fault, and this process does not (%w)",
				explore.ErrInternal, err)
		}
	}
	return e.Report(ctx, files, end.Search, end.Stopped)
}

// pollEvery is how often a client asks how far a search is.
const pollEvery = 500 * time.Millisecond

// ended waits for the end of a search, and reports how far it is.
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
	over, stopped := ctx.Done(), ""
	for {
		select {
		case err := <-done:
			switch {
			case err != nil:
				return nil, explained(err)
			case end.Search.Model != j.Model:
				return nil, otherSearch(j)
			case end.Stopped == cancelled && stopped != "":
				end.Stopped = stopped
			}
			return end, nil
		case <-over:
			if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				return nil, fmt.Errorf("the search %s goes on without this process: the same command with "+
					"--id %[1]s joins it, and `cancel %[1]s` ends it", j.Folder)
			}
			over, stopped = nil, "stopped at the time limit"
			if err := c.engine.CancelWorkflow(whole, run.GetID(), ""); err != nil {
				return nil, fmt.Errorf("the search %s could not be cancelled: %w", j.Folder, err)
			}
		case <-tick.C:
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

func otherSearch(j *Job) error {
	return usage.Errorf("the search %s is of another model, or asks for other properties: change --id",
		j.Folder)
}

// standing asks the engine how far a search is.
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

// simulations is the folder of the folders of simulations.
const simulations = "simulations"

// lingers is how long a simulation with a time limit may go on after it, if its client is gone.
const lingers = time.Minute

// Play has the workers play random runs of a model: see simulate.Run, whose report it returns.
func (c *Cluster) Play(ctx context.Context, args []string, in model.Instance, opt simulate.Options) (
	*simulate.Report, error,
) {
	if err := c.takes(ctx, args); err != nil {
		return nil, err
	}
	begun := time.Now()
	t, err := simulate.NewTally(in, opt)
	if err != nil {
		return nil, err
	}
	name := "simulation-" + args[0] + "-" + strings.ToLower(rand.Text()[:6])
	s := Simulation{Options: opt, Job: Job{
		Folder: simulations + "/" + name, Program: c.program, Model: simulated(in), Args: args,
		Lost: c.flags.lost,
	}}
	most := time.Duration(0)
	if deadline, ok := ctx.Deadline(); ok {
		most = time.Until(deadline) + lingers
	}
	run, err := c.start(ctx, most, name, Simulate, s)
	if err != nil {
		return nil, err
	}
	c.notify("%s", name)
	whole, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var uncancelled error
	defer context.AfterFunc(ctx, func() {
		if err := c.engine.CancelWorkflow(whole, run.GetID(), ""); err != nil {
			uncancelled = fmt.Errorf("%s could not be cancelled: %w", run.GetID(), err)
			stop()
		}
	})()
	if err := run.Get(whole, &s); err != nil {
		if whole.Err() != nil { // nothing but a cancellation that failed ends it
			return nil, uncancelled
		}
		return nil, explained(err)
	}
	if err := s.tally(c.files.In(whole, s.Job.Folder), t); err != nil {
		return nil, err
	}
	if err := c.files.In(whole, simulations).Remove(name); err != nil {
		return nil, err
	}
	return t.Report(ctx, time.Since(begun)), nil
}
