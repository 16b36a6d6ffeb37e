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
		Use:   "check SPEC [key=value/value ...]",
		Short: "Explore a model and check its properties",
		Long: `Explores all reachable states of a model, breadth-first, and checks its properties
on them. What does not hold is shown by a shortest counterexample, which is
executed once more, independently of the search, before it is printed.

A search with files goes on by --resume DIR, with the model and the options that it was begun
with: one of --store disk=DIR from the last level that was finished, one of --checkpoint DIR from
where it was last written down. The report is that of a search that was never stopped. A model or a
program that changed since is refused. --status DIR only reports how far it is, also while it runs.

Values that are separated by slashes make a family of instances. Each is explored to the end whatever
is violated, and has a row in a table: states, depth, and for each property whether it holds (+), is
violated (- and the length of the shortest counterexample), undecided (?), or not known because the
model is at fault (error); for a can-... property the length of the shortest run to the goal; a dot
where there is nothing to ask in that instance, unless it is asked by name.

A verdict is "holds" only after a complete exploration. What holds of nothing, as no
state or step came up that it is about, is marked vacuous. A property whose answer
follows from the parameters alone is not asked, unless it is named. Exit codes: 0 all hold,
1 some property is violated, 2 undecided because a limit was reached or nothing asked, 64 wrong
use, 65 the model itself is at fault, 70 internal error, 74 something could not be
written, 130 ended by SIGINT, 143 by SIGTERM or SIGHUP.`,
		Example: a.examples(`% check @raymond n=3 k=2
% check @raymond n=3 k=2 crashes=1 --property at-most-k,no-starvation
% check @raymond n=4 k=2 --keep-going --out-of-reach --format json
% check @die-hard --trace jugs.ndjson
% check @2pc n=9 --memory 64M --timeout 1m
% check @2pc n=11 --store disk=/var/tmp/2pc --memory 1G
% check --resume /var/tmp/2pc
% check @raymond n=2/3 k=1/2 crashes=0/1`),
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
	flags.StringSliceVar(&f.properties, "property", nil, "check only these properties, separated by commas")
	flags.BoolVar(&f.keepGoing, "keep-going", false,
		"explore to the end whatever is violated, and report the shortest counterexample of each property")
	flags.BoolVar(&f.outOfReach, "out-of-reach", false,
		"for each can-... property, count the states from which the goal cannot be reached any more")
	flags.BoolVar(&f.costs, "costs", false, "count messages, too: all properties of the kind costs")
	flags.BoolVar(&f.witness, "witness", false,
		"print the shortest run to each can-... goal as well, and the runs that cost least and most")
	flags.StringSliceVar(&f.reduce, "reduce", []string{"none"},
		"visit fewer states: dead, crashes, both with a comma, or none. Verdicts stay what they are")
	flags.IntVar(&f.workers, "workers", 0,
		"number of workers; 0: one for each processor. The results are the same for any")
	flags.Int64Var(&f.maxStates, "max-states", 0, "stop at so many states; 0: no limit")
	flags.IntVar(&f.maxDepth, "max-depth", 0, "do not expand the states of this level; 0: no limit")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop after this time, such as 90s or 10m; 0: no limit")
	flags.StringVar(&f.memory, "memory", "",
		"stop before taking more memory, such as 64M or 8G; default: four fifths of what is available")
	flags.StringVar(&f.store, "store", "exact", storeUsage)
	flags.StringVar(&f.checkpoint, "checkpoint", "", "write a search in memory down in this directory now "+
		"and then, and when it is interrupted, for --resume")
	flags.DurationVar(&f.every, "checkpoint-every", checkpointEvery,
		"how often, besides when it is interrupted")
	flags.StringVar(&f.resume, "resume", "",
		"go on with the search in this directory; of its options --memory may change")
	flags.StringVar(&f.status, "status", "", "report levels, states, rate, bytes and an estimate of how "+
		"much is left of the search in this directory, and search nothing")
	flags.StringVar(&f.trace, "trace", "", "write the counterexample to this file, for replay and other "+
		"tools; those of further properties beside it")
	flags.BoolVar(&f.raw, "raw", false, "show runs as the search found them, not put in order")
	flags.BoolVar(&f.strict, "strict", false,
		"exit code 1 also if a property holds vacuously and the model does not say why")
	flags.BoolVar(&f.watch, "watch", false,
		"check a model in a file again whenever it is saved, and tell what changed")
	flags.StringVar(&f.format, "format", "text",
		"form of the report: text, json, sarif, junit; of a family text, json, junit, markdown; or schema, "+
			"the JSON Schema of json")
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
