//go:build !js

package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// simulateFlags are the flags of simulate, as given.
type simulateFlags struct {
	simulate.Options
	scheduler  string
	properties []string
	timeout    time.Duration
	coverage   bool
	trace      string
	raw        bool
	format     string
}

func (a *app) simulate() *cobra.Command {
	var f simulateFlags
	c := &cobra.Command{
		Use:               "simulate",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return a.runSimulate(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.properties, "property", nil, "")
	flags.StringVar(&f.scheduler, "scheduler", string(simulate.Steps), "")
	flags.IntVar(&f.Depth, "depth", 3, "")
	flags.Uint64Var(&f.Seed, "seed", 1, "")
	flags.Int64Var(&f.Runs, "runs", 1000, "")
	flags.Int64Var(&f.First, "run", 0, "")
	flags.IntVar(&f.Steps, "steps", 10_000, "")
	flags.IntVar(&f.Within, "within", 0, "")
	flags.DurationVar(&f.timeout, "timeout", 0, "")
	flags.BoolVar(&f.KeepGoing, "keep-going", false, "")
	flags.BoolVar(&f.coverage, "coverage", true, "")
	flags.IntVar(&f.Workers, "workers", 0, "")
	flags.StringVar(&f.trace, "trace", "", "")
	flags.BoolVar(&f.raw, "raw", false, "")
	flags.StringVar(&f.format, "format", "text", "")
	return c
}

// check says what is wrong with the flags, and completes the options.
func (f *simulateFlags) check(properties []model.PropertyInfo) error {
	f.Scheduler = simulate.Scheduler(f.scheduler)
	if f.Runs < 0 || f.First < 0 || f.Within < 0 || f.timeout < 0 {
		return usage.Errorf("a limit or a number below 0 makes no sense; 0 is no limit")
	}
	if f.Runs == 0 && f.timeout == 0 {
		return usage.Errorf("--runs=0 without --timeout would only end with a violation: give one of them")
	}
	if err := cmp.Or(
		allowed("scheduler", f.scheduler, "steps", "processes", "pct", "swarm", "crashes"),
		within("depth", f.Depth, 1, 1000),
		within("steps", f.Steps, 1, 1<<30),
		within("workers", f.Workers, 0, mostWorkers),
		allowed("format", f.format, "text", "json", schemaForm),
	); err != nil {
		return err
	}
	var err error
	if f.Properties, err = named(f.properties, properties); err != nil || f.properties != nil {
		return err
	}
	for i, p := range properties {
		if !p.OnRequest && p.Moot == "" || p.Kind == model.Liveness && f.Within > 0 {
			f.Properties = append(f.Properties, i)
		}
	}
	return nil
}

func (a *app) runSimulate(ctx context.Context, args []string, f *simulateFlags) error {
	if f.format == schemaForm {
		_, err := io.WriteString(a.out, report.SimulationSchema)
		return err
	}
	of, err := a.Followed(args[0], args[1:])
	if err != nil {
		return err
	}
	if err := cmp.Or(f.check(of.Space.Properties()), writable(f.trace)); err != nil {
		return err
	}
	f.NoCoverage = !f.coverage || !of.Searched() // states of too many processes have no hash
	a.status.Store("playing runs of " + strings.Join(args, " "))
	limit, cancel := limited(ctx, f.timeout)
	defer cancel()
	played, err := a.play(limit, args, of.Instance, f.Options)
	if err != nil {
		return err
	}
	a.verdict = of.String() + ": " + string(played.Verdict)
	if a.code = exitCodes[played.Verdict]; a.code == exitUnknown {
		a.code = cmp.Or(term.Interrupted(ctx), exitUnknown)
	}
	s := &report.Simulation{Subject: of, Report: played, Options: f.Options}
	if err := f.recordRuns(s); err != nil {
		return err
	}
	shown := slices.DeleteFunc(slices.Clone(s.Shown), func(r *report.Shown) bool { return r == nil })
	unwritten := writeTraces(f.trace, shown)
	return cmp.Or(unwritten, a.write(f.format, s))
}

// A Player is a RemoteSearcher that has random runs played by other processes, too.
type Player interface {
	// Play is simulate.Run, of the model and the parameters in args, which is the instance in.
	Play(
		ctx context.Context, args []string, in model.Instance, opt simulate.Options,
	) (*simulate.Report, error)
}

// play plays random runs, here or elsewhere.
func (a *app) play(
	ctx context.Context, args []string, in model.Instance, opt simulate.Options,
) (*simulate.Report, error) {
	if there, ok := a.Remote.(Player); ok {
		report, err := there.Play(ctx, args, in, opt)
		return report, remoteError(ctx, err)
	}
	return simulate.Run(ctx, in, opt)
}

// recordRuns plays the runs that violate a property once more, and makes them shorter.
func (f *simulateFlags) recordRuns(s *report.Simulation) error {
	s.Shown = make([]*report.Shown, len(s.Properties))
	for i := range s.Properties {
		p := &s.Properties[i]
		if p.Verdict != explore.Violated || p.Late {
			continue
		}
		states, labels := simulate.Path(s.Instance, f.Options, p.Run, p.Length)
		record := traces.Shortened
		if f.raw {
			record = traces.FromPath
		}
		run, err := record(s.Instance, s.Header(p.Name), states, labels)
		if err != nil {
			return fmt.Errorf("%w: %w", explore.ErrInternal, err)
		}
		if !f.raw {
			run = traces.Tidy(run)
		}
		s.Shown[i] = &report.Shown{Run: run}
	}
	return nil
}
