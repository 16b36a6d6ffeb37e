package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// checkFlags are the flags of check, as given.
type checkFlags struct {
	set        *pflag.FlagSet
	properties []string
	keepGoing  bool
	outOfReach bool
	costs      bool
	witness    bool
	strict     bool
	raw        bool
	maxDepth   int
	maxStates  int64
	reduce     []string
	store      string
	memory     string
	workers    int
	timeout    time.Duration
	format     string
	trace      string
	checkpoint string
	every      time.Duration // between checkpoints
	resume     string        // directory of a search
	status     string        // likewise
	watch      bool
}

func (a *app) check() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use: "check",
		Args: func(c *cobra.Command, args []string) error {
			if f.resume != "" || f.status != "" {
				return cobra.NoArgs(c, args)
			}
			return unlessSchema(&f.format)(c, args)
		},
		ValidArgsFunction: a.completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			if f.format == schemaForm {
				_, err := io.WriteString(a.out, report.CheckSchema)
				return err
			}
			switch {
			case a.Remote != nil && f.resume+f.status != "":
				return usage.Errorf("--resume and --status are about searches in one process")
			case f.status != "":
				return a.showStatus(f.status, f.format)
			case f.resume != "":
				var err error
				if args, err = a.takeUp(&f); err != nil {
					return err
				}
			case f.format == "markdown" ||
				slices.ContainsFunc(args[1:], func(arg string) bool { return strings.Contains(arg, "/") }):
				return a.checkFamily(c, args, &f)
			case f.watch:
				return a.checkOnSaving(c.Context(), args, &f)
			}
			_, err := a.checkOnce(c.Context(), args, &f)
			return err
		},
	}
	f.declare(c.Flags())
	offer(c, "format", "text", "json", "sarif", "junit", "schema")
	if err := c.RegisterFlagCompletionFunc("property", a.completeProperties); err != nil {
		panic(err) // the flag is not there
	}
	return c
}

// declare declares the flags.
func (f *checkFlags) declare(flags *pflag.FlagSet) {
	f.set = flags
	flags.StringSliceVar(&f.properties, "property", nil, "")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "")
	flags.BoolVar(&f.outOfReach, "out-of-reach", false, "")
	flags.BoolVar(&f.costs, "costs", false, "")
	flags.BoolVar(&f.witness, "witness", false, "")
	flags.StringSliceVar(&f.reduce, "reduce", []string{"none"}, "")
	flags.IntVar(&f.workers, "workers", 0, "")
	flags.Int64Var(&f.maxStates, "max-states", 0, "")
	flags.IntVar(&f.maxDepth, "max-depth", 0, "")
	flags.DurationVar(&f.timeout, "timeout", 0, "")
	flags.StringVar(&f.memory, "memory", "", "")
	flags.StringVar(&f.store, "store", "exact", "")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "")
	flags.DurationVar(&f.every, "checkpoint-every", checkpointEvery, "")
	flags.StringVar(&f.resume, "resume", "", "")
	flags.StringVar(&f.status, "status", "", "")
	flags.StringVar(&f.trace, "trace", "", "")
	flags.BoolVar(&f.raw, "raw", false, "")
	flags.BoolVar(&f.strict, "strict", false, "")
	flags.BoolVar(&f.watch, "watch", false, "")
	flags.StringVar(&f.format, "format", "text", "")
}

// options turns flags into options of the search.
func (f *checkFlags) options(properties []model.PropertyInfo) (explore.Options, error) {
	opt := explore.Options{
		KeepGoing: f.keepGoing, OutOfReach: f.outOfReach, Workers: f.workers,
		MaxStates: f.maxStates, MaxDepth: f.maxDepth,
	}
	if err := within("workers", f.workers, 0, mostWorkers); err != nil {
		return opt, err
	}
	if f.maxStates < 0 || f.maxDepth < 0 || f.timeout < 0 {
		return opt, usage.Errorf("a limit below 0 makes no sense; 0 is no limit")
	}
	if err := allowed("format", f.format, "text", "json", "sarif", "junit", schemaForm); err != nil {
		return opt, err
	}
	var err error
	if opt.Reduce, err = reduction(f.reduce); err != nil {
		return opt, err
	}
	if opt.Memory, err = term.MemoryLimit(f.memory); err != nil {
		return opt, err
	}
	if opt.Properties, err = named(f.properties, properties); err != nil || !f.costs {
		return opt, err
	}
	for i, p := range properties {
		if p.Kind == model.Costs || f.properties == nil && !p.OnRequest && p.Moot == "" {
			opt.Properties = append(opt.Properties, i)
		}
	}
	return opt, nil
}

// reduction reads the value of --reduce.
func reduction(words []string) (r model.Reduction, err error) {
	for _, word := range words {
		switch {
		case word == "dead":
			r.Dead = true
		case word == "crashes":
			r.Crashes = true
		case word != "none" || len(words) > 1:
			return r, usage.Errorf("--reduce=%s: allowed are none, or dead and crashes, separated by a comma",
				strings.Join(words, ","))
		}
	}
	return r, nil
}

// checkOnce checks a model, and writes the report.
func (a *app) checkOnce(ctx context.Context, args []string, f *checkFlags) (*explore.Report, error) {
	of, err := a.Instance(args[0], args[1:])
	if err != nil {
		return nil, err
	}
	opt, err := f.options(of.Space.Properties())
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(a.keep(f, args, &opt), writable(f.trace)); err != nil {
		return nil, err
	}
	limit, cancel := limited(ctx, f.timeout)
	defer cancel()
	found, err := a.search(limit, of, args, false, opt)
	if err != nil {
		return nil, err
	}
	c := &report.Check{Subject: of, Named: args[0], Report: found, Witness: f.witness, Width: a.out.Width()}
	a.code, a.verdict = checkCode(ctx, found), c.Verdict()
	if f.strict && a.code == exitHolds && slices.ContainsFunc(found.Properties, report.Unexcused) {
		a.code = exitViolated
	}
	if err := recordRuns(c, f.raw); err != nil {
		return nil, err
	}
	a.keepLast(c)
	unwritten := writeTraces(f.trace, c.Shown())
	if found.Unsaved != "" {
		unwritten = cmp.Or(unwritten, badOutput(errors.New(found.Unsaved)))
	}
	return found, cmp.Or(unwritten, a.write(f.format, c)) // the report is more than the trace
}

// search explores an instance, here or elsewhere, and shows its progress.
func (a *app) search(ctx context.Context, of *models.Subject, args []string, family bool,
	opt explore.Options) (*explore.Report, error) {
	progress := term.NewProgress(a.diag, a.delay)
	opt.Progress = progress.Show
	found, err := a.examine(ctx, args, family, of.Instance, opt)
	progress.Done()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(append([]string{of.Spec.Name}, args[1:]...), " "), err)
	}
	return found, nil
}

// recordRuns turns the paths of a report into runs.
func recordRuns(c *report.Check, raw bool) error {
	if m := c.Report.Mistake; m != nil && m.Path != nil {
		h := c.Header(m.Part)
		h.Mistake = traces.NewMistake(m.Error)
		run, err := c.Recorded(h, m.Path)
		if err != nil {
			return err
		}
		c.Mistaken = &report.Shown{Run: run}
	}
	c.Runs = make([]*report.Shown, len(c.Report.Properties))
	for i := range c.Report.Properties {
		if p := &c.Report.Properties[i]; p.Path != nil {
			run, err := c.Record(p, raw)
			if err != nil {
				return err
			}
			c.Runs[i] = &report.Shown{Run: run}
		}
	}
	return nil
}

// checkCode returns the exit code for a report.
func checkCode(ctx context.Context, r *explore.Report) int {
	if code := term.Interrupted(ctx); code != 0 && (!r.Complete || r.Verdict == explore.Unknown) {
		return code
	}
	return exitCodes[r.Verdict]
}

// exitCodes are the exit codes of the verdicts on a model.
var exitCodes = map[explore.Verdict]int{explore.Holds: exitHolds, explore.Violated: exitViolated,
	explore.Unknown: exitUnknown, explore.ModelError: exitModel}
