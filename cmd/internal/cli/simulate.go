//go:build !js

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

type simulateFlags struct {
	Property  []string
	Scheduler string
	Depth     int
	Seed      uint64
	Runs, Run int64
	Steps     int
	Within    int
	Timeout   time.Duration
	KeepGoing bool
	Coverage  bool
	Workers   int
	Trace     string
	Format    string
}

func (a *app) simulate() *cobra.Command {
	return verb(a, "simulate", &simulateFlags{Scheduler: string(simulate.Steps), Depth: 3, Seed: 1,
		Runs: 1000, Steps: 10_000, Coverage: true, Format: "text"}, cobra.MinimumNArgs(1), a.runSimulate)
}

func (f *simulateFlags) options(in model.Instance) (opt simulate.Options, err error) {
	if f.Runs < 0 || f.Run < 0 || f.Within < 0 || f.Timeout < 0 {
		return opt, usage.Errorf("a limit or a number is 0 or more; a limit of 0 is no limit")
	}
	if f.Runs == 0 && f.Timeout == 0 {
		return opt, usage.Errorf("--runs=0 without --timeout ends only after a violation: set one of them")
	}
	if err := cmp.Or(allowed("scheduler", f.Scheduler, machineChoices["simulate scheduler"]...),
		within("depth", f.Depth, 1, 1000), within("steps", f.Steps, 1, 1<<30),
		within("workers", f.Workers, 0, mostWorkers), writable(f.Trace)); err != nil {
		return opt, err
	}
	opt = simulate.Options{Scheduler: simulate.Scheduler(f.Scheduler), Depth: f.Depth, Seed: f.Seed,
		Workers: f.Workers, Runs: f.Runs, First: f.Run, Steps: f.Steps, Within: f.Within,
		KeepGoing:  f.KeepGoing,
		NoCoverage: !f.Coverage || !in.Searched()} // states with too many processes have no hash
	properties := in.Space.Properties()
	if opt.Properties, err = named(f.Property, properties); err != nil || f.Property != nil {
		return opt, err
	}
	for i, p := range properties {
		if !p.OnRequest && p.Moot == "" || p.Kind == model.Liveness && f.Within > 0 {
			opt.Properties = append(opt.Properties, i)
		}
	}
	return opt, nil
}

func (a *app) runSimulate(c *cobra.Command, args []string, f *simulateFlags) error {
	ctx := c.Context()
	of, err := a.Followed(args[0], args[1:])
	if err != nil {
		return err
	}
	opt, err := f.options(of.Instance)
	if err != nil {
		return err
	}
	a.status.Store("simulating " + strings.Join(args, " "))
	limit, cancel := context.WithTimeout(ctx, cmp.Or(f.Timeout, endless))
	defer cancel()
	played, err := simulate.Run(limit, of.Instance, opt)
	if err != nil {
		return err
	}
	a.verdict = of.String() + ": " + string(played.Verdict)
	a.code = codeOf(ctx, played.Verdict)
	s := &report.Simulation{Subject: of, Report: played, Options: opt, Width: a.out.Width()}
	if err := a.recordSimulated(ctx, s, cmp.Or(f.Timeout, endless)); err != nil {
		return err
	}
	shown := slices.DeleteFunc(slices.Clone(s.Shown), func(r *traces.Run) bool { return r == nil })
	if len(shown) > 0 {
		s.Kept = a.keepLast(shown[0])
	}
	return cmp.Or(writeTraces(f.Trace, shown), a.write(f.Format, s))
}

// recordSimulated executes the runs that violate a property again, and minimises them, for so long.
func (a *app) recordSimulated(ctx context.Context, s *report.Simulation, long time.Duration) error {
	a.mustFinish.Store(true)
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	s.Shown = make([]*traces.Run, len(s.Properties))
	for i := range s.Properties {
		p := &s.Properties[i]
		if p.Verdict != explore.Violated || p.Late {
			continue
		}
		states, labels := simulate.Path(s.Instance, s.Options, p.Run, p.Length)
		run, err := traces.Shortened(ctx, s.Instance, s.Header(p.Name), states, labels)
		if err != nil {
			if e := s.Blame(states...); e != nil {
				return e
			}
			asked := explore.Options{MaxStates: 100_000, Properties: s.Options.Properties}
			if r, _ := explore.Run(ctx, s.Instance, asked); r != nil && r.Mistake != nil {
				return r.Mistake.Error
			}
			return fmt.Errorf("%w: %w", explore.ErrInternal, err)
		}
		s.Shown[i] = traces.Tidy(run)
	}
	return nil
}
