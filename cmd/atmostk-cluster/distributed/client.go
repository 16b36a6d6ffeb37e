package distributed

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A Client has searches done.
type Client struct {
	Engine client.Client
	Files  *Files
	// Program is this one, as workers have to be.
	Program string
	Diag    io.Writer
	ID      string        // of the search; "": one is made from the model and at random
	Shards  int           // a power of two
	Small   int64         // see Job
	Lost    time.Duration // likewise
}

// Explore has an instance explored: level by level by all workers, or as one of a family by one.
func (c *Client) Explore(ctx context.Context, q cmd.Question) (*explore.Report, error) {
	if err := inProgram(q.Args); err != nil {
		return nil, err
	}
	switch {
	case q.Options.Store.Kind != explore.Exact:
		return nil, usage.Errorf(
			"--store is of searches in one process; on a cluster states are in the files of --files",
		)
	case q.Options.Store.Dir != "":
		return nil, usage.Errorf(
			"--checkpoint is of searches in one process; on a cluster every level that is finished is kept",
		)
	}
	j := Job{
		Program: c.Program, Args: q.Args, Properties: q.Options.Properties, Shards: c.Shards, Small: c.Small,
		Lost: c.Lost, About: q.About,
		Limits: store.Limits{
			KeepGoing: q.Options.KeepGoing,
			MaxStates: q.Options.MaxStates,
			MaxDepth:  q.Options.MaxDepth,
		},
	}
	if q.Family {
		return c.one(ctx, q, j)
	}
	return c.search(ctx, q, j)
}

// inProgram says that workers lack a model.
func inProgram(args []string) error {
	if !strings.HasSuffix(args[0], ".star") {
		return nil
	}
	return usage.Errorf("%s: workers have the models of their program only; a model in a file they have not",
		args[0])
}

// start starts a workflow, or joins the one of that name that is under way.
func (c *Client) start(
	ctx context.Context,
	id string,
	workflow any,
	args ...any,
) (client.WorkflowRun, error) {
	return c.startFor(ctx, 0, id, workflow, args...)
}

// startFor starts a workflow that the engine ends after some time, even if nobody waits for it any more;
// 0: it does not.
func (c *Client) startFor(
	ctx context.Context,
	most time.Duration,
	id string,
	workflow any,
	args ...any,
) (client.WorkflowRun, error) {
	run, err := c.Engine.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: id, TaskQueue: QueueOf(c.Program), WorkflowExecutionTimeout: most,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
	}, workflow, args...)
	if err != nil {
		return nil, fmt.Errorf("the engine does not take the search: %w", err)
	}
	return run, nil
}

// one has an instance explored by one worker.
func (c *Client) one(ctx context.Context, q cmd.Question, j Job) (*explore.Report, error) {
	j.Folder, j.About, j.Shards, j.Small = reports, nil, 0, 0
	j.Model = explore.Digest(q.Instance, q.Options)
	e := Exploration{Job: j, OutOfReach: q.Options.OutOfReach, Reduce: q.Options.Reduce}
	run, err := c.start(ctx, "instance-"+strings.TrimSuffix(e.name(), ".json"), One, e)
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
func (c *Client) search(ctx context.Context, q cmd.Question, j Job) (*explore.Report, error) {
	opt := q.Options
	if opt.Reduce != (model.Reduction{}) {
		return nil, usage.Errorf("files hold all states: on a cluster --reduce is none")
	}
	e, err := explore.NewExpander(q.Instance, opt)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	j.Model, j.Folder = e.Model(), c.ID
	if j.Folder == "" {
		j.Folder = j.Args[0] + "-" + strings.ToLower(rand.Text()[:6])
	}
	run, err := c.start(ctx, j.Folder, Search, j, (*store.Search)(nil))
	if err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintf(c.Diag, "search %s\n", j.Folder) // it is only said
	end, err := c.await(ctx, run, &j, opt.Progress)
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // the search is over, and the rest is short
	files := c.Files.In(ctx, j.Folder)
	if end.Failed != nil {
		if _, err := e.Expand(ctx, files, *end.Failed); !errors.As(err, new(*model.Error)) {
			return nil, fmt.Errorf(
				"%w: a worker found the model at fault, and this process does not (%v)",
				explore.ErrInternal,
				err,
			)
		}
	}
	return e.Report(ctx, files, end.Search, end.Stopped)
}

// pollEvery is how often a client asks how far a search is.
const pollEvery = 500 * time.Millisecond

// await waits for the end of a search, and tells how far it is.
func (c *Client) await(
	ctx context.Context,
	run client.WorkflowRun,
	j *Job,
	progress func(explore.Snapshot),
) (*End, error) {
	type ended struct {
		end *End
		err error
	}
	done := make(chan ended, 1)
	get := func(ctx context.Context) {
		var end End
		err := run.Get(ctx, &end)
		done <- ended{&end, err}
	}
	whole, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go get(whole)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	over, stopped := ctx.Done(), ""
	for {
		select {
		case d := <-done:
			if d.err != nil {
				return nil, explained(d.err)
			}
			if d.end.Search.Model != j.Model {
				return nil, otherSearch(j)
			}
			if d.end.Stopped == cancelled && stopped != "" {
				d.end.Stopped = stopped
			}
			return d.end, nil
		case <-over:
			if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				return nil, fmt.Errorf(
					"the search %s goes on without this process: the same command with --id %[1]s joins it, "+
						"and `cancel %[1]s` ends it",
					j.Folder,
				)
			}
			over, stopped = nil, "stopped at the time limit"
			if err := c.Engine.CancelWorkflow(whole, run.GetID(), ""); err != nil {
				return nil, fmt.Errorf("the search %s could not be cancelled: %w", j.Folder, err)
			}
		case <-tick.C:
			if progress == nil {
				continue
			}
			if s, err := c.Standing(whole, run.GetID()); err == nil {
				if s.Job.Model != j.Model {
					return nil, otherSearch(j)
				}
				progress(s.snapshot())
			}
		}
	}
}

func otherSearch(j *Job) error {
	return usage.Errorf(
		"the search %s is of another model, or asks for other properties: --id names another one",
		j.Folder,
	)
}

// Standing asks how far a search is.
func (c *Client) Standing(ctx context.Context, id string) (*Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	answer, err := c.Engine.QueryWorkflow(ctx, id, "", standingQuery)
	if err != nil {
		return nil, err
	}
	s := &Standing{}
	return s, answer.Get(s)
}

// snapshot is what progress tells of.
func (s *Standing) snapshot() explore.Snapshot {
	shot := explore.Snapshot{
		Generated: s.Counts.Generated, Level: len(s.Levels), Levels: s.Levels, Disk: s.Bytes,
		Elapsed: time.Duration(s.Seconds * float64(time.Second)),
	}
	for _, n := range s.Levels {
		shot.States += n
	}
	if n := len(s.Levels); n > 0 {
		shot.Frontier = int(s.Levels[n-1])
	}
	return shot
}
