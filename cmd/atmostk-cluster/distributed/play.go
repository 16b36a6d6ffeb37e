package distributed

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
)

// simulations is the folder of the folders of simulations.
const simulations = "simulations"

// lingers is for how long a simulation with a time limit may go on after it, when who asked is gone.
const lingers = time.Minute

// Play has random runs of a model played by the workers: see simulate.Run, whose report it returns.
func (c *Client) Play(
	ctx context.Context,
	args []string,
	in model.Instance,
	opt simulate.Options,
) (*simulate.Report, error) {
	if err := inProgram(args); err != nil {
		return nil, err
	}
	begun := time.Now()
	t, err := simulate.NewTally(in, opt)
	if err != nil {
		return nil, err
	}
	name := "simulation-" + args[0] + "-" + strings.ToLower(rand.Text()[:6])
	s := Simulation{
		Job: Job{
			Folder: simulations + "/" + name, Program: c.Program, Model: simulated(in), Args: args,
			Lost: c.Lost,
		},
		Options: opt,
	}
	most := time.Duration(0)
	if deadline, ok := ctx.Deadline(); ok {
		most = time.Until(deadline) + lingers
	}
	run, err := c.startFor(ctx, most, name, Simulate, s)
	if err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintf(c.Diag, "%s\n", name) // it is only said
	if err := c.played(ctx, run, &s); err != nil {
		return nil, err
	}
	whole := context.WithoutCancel(ctx) // the runs are over, and the rest is short
	if err := s.tally(c.Files.In(whole, s.Job.Folder), t); err != nil {
		return nil, err
	}
	if err := c.Files.In(whole, simulations).Remove(name); err != nil {
		return nil, err
	}
	return t.Report(ctx, time.Since(begun)), nil
}

// played waits until the simulation is over. It is cancelled when the context is over.
func (c *Client) played(ctx context.Context, run client.WorkflowRun, s *Simulation) error {
	whole, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	failed := make(chan error, 1)
	defer context.AfterFunc(ctx, func() {
		if err := c.Engine.CancelWorkflow(whole, run.GetID(), ""); err != nil {
			failed <- fmt.Errorf("%s could not be cancelled: %w", run.GetID(), err)
			stop()
		}
	})()
	if err := run.Get(whole, s); err != nil {
		select {
		case err = <-failed:
		default:
		}
		return explained(err)
	}
	return nil
}

// tally puts the runs together.
func (s *Simulation) tally(files store.Files, t *simulate.Tally) error {
	for _, b := range s.Batches {
		runs, err := readRuns(files, b.Name)
		if err != nil {
			return err
		}
		for i := range runs {
			if !t.Add(&runs[i]) {
				return nil
			}
		}
	}
	return nil
}
