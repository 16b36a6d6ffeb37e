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
		Use:   "simulate SPEC [key=value ...]",
		Short: "Play random runs of a model and judge every step",
		Long: `Plays random runs of a model, one after the other, and judges every state and every
step of them. It is for instances that are too large to be explored, and for finding
a violation sooner. What is violated is shown by the run that was met, made shorter, put in
order, and executed once more before it is printed.

Runs that violate nothing do not show that a property holds: the verdict is then "unknown".
Of a can-... property a run that gets there is a proof. The report says how much of the
model was seen, and estimates what was not.

Schedulers: steps draws each step among all that are enabled; processes draws the process
first; pct follows priorities of threads that change --depth minus one times, and prints what that
guarantees; swarm gives each action a weight for the whole run; crashes lets processes crash
in the middle of their sends. Runs are the same for the same --seed, whatever the number
of workers; --run plays one of them once more.

Exit codes: 1 some property is violated, 2 none was in these runs, 64 wrong use, 65 the model
itself is at fault, 70 internal error, 74 something could not be written, 130 ended by
SIGINT, 143 by SIGTERM or SIGHUP. It is never 0: no number of runs is all of them.`,
		Example: a.examples(`% simulate @raymond n=8 k=3 rounds=2 --runs 10000
% simulate @timerfree n=6 k=2 f=1 rounds=2 --scheduler pct --depth 3 --timeout 1m
% simulate @vcube-stack n=8 crashes=2 --scheduler crashes --trace found.ndjson
% simulate @raymond n=4 rounds=inf --property requests-served --within 500 --format json`),
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return a.runSimulate(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.properties, "property", nil, "judge only these properties, separated by commas")
	flags.StringVar(&f.scheduler, "scheduler", string(simulate.Steps),
		"how the next step is drawn: steps, processes, pct, swarm or crashes")
	flags.IntVar(&f.Depth, "depth", 3, "with --scheduler pct: how many steps have to come in a certain "+
		"order for the bugs that are looked for")
	flags.Uint64Var(&f.Seed, "seed", 1, "the same seed gives the same runs")
	flags.Int64Var(&f.Runs, "runs", 1000, "stop after so many runs; 0: no limit")
	flags.Int64Var(&f.First, "run", 0, "the number of the first run; with --runs 1, play that one only")
	flags.IntVar(&f.Steps, "steps", 10_000, "a run has at most so many steps")
	flags.IntVar(&f.Within, "within", 0, "judge liveness: a property is violated if it is not fulfilled "+
		"for so many steps in a row; 0: do not")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop after this time, such as 90s or 10m; 0: no limit")
	flags.BoolVar(&f.KeepGoing, "keep-going", false,
		"go on with other runs after a violation, and count the runs that have one")
	flags.BoolVar(&f.coverage, "coverage", true,
		"count the states that were seen, and estimate how many were not; without, runs are faster")
	flags.IntVar(&f.Workers, "workers", 0,
		"number of workers; 0: one for each processor. The results are the same for any")
	flags.StringVar(&f.trace, "trace", "",
		"write the run that shows a violation to this file, those of further properties beside it")
	flags.BoolVar(&f.raw, "raw", false, "show runs as they were met, neither made shorter nor put in order")
	flags.StringVar(&f.format, "format", "text",
		"form of the report: text, json, or schema, what json writes")
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
