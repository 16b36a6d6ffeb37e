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

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// searchFlags are the flags of check that are kept with a search, for --resume.
type searchFlags struct {
	Properties []string `json:"properties,omitempty"`
	KeepGoing  bool     `json:"keep-going,omitempty"`
	OutOfReach bool     `json:"out-of-reach,omitempty"`
	Costs      bool     `json:"costs,omitempty"`
	Witness    bool     `json:"witness,omitempty"`
	Strict     bool     `json:"strict,omitempty"`
	Raw        bool     `json:"raw,omitempty"`
	MaxDepth   int      `json:"max-depth,omitempty"`
	MaxStates  int64    `json:"max-states,omitempty"`
	Reduce     []string `json:"reduce,omitempty"`
	Store      string   `json:"store"`
	Memory     string   `json:"memory,omitempty"`
}

// checkFlags are the flags of check, as given.
type checkFlags struct {
	searchFlags
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
				if args, err = a.takeUp(c, &f); err != nil {
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
	flags.StringSliceVar(&f.Properties, "property", nil, "check only these properties, separated by commas")
	flags.BoolVar(&f.KeepGoing, "keep-going", false,
		"explore to the end whatever is violated, and report the shortest counterexample of each property")
	flags.BoolVar(&f.OutOfReach, "out-of-reach", false,
		"for each can-... property, count the states from which the goal cannot be reached any more")
	flags.BoolVar(&f.Costs, "costs", false, "count messages, too: all properties of the kind costs")
	flags.BoolVar(&f.Witness, "witness", false,
		"print the shortest run to each can-... goal as well, and the runs that cost least and most")
	flags.StringSliceVar(&f.Reduce, "reduce", []string{"none"},
		"visit fewer states: dead, crashes, both with a comma, or none. Verdicts stay what they are")
	flags.IntVar(&f.workers, "workers", 0,
		"number of workers; 0: one for each processor. The results are the same for any")
	flags.Int64Var(&f.MaxStates, "max-states", 0, "stop at so many states; 0: no limit")
	flags.IntVar(&f.MaxDepth, "max-depth", 0, "do not expand the states of this level; 0: no limit")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop after this time, such as 90s or 10m; 0: no limit")
	flags.StringVar(&f.Memory, "memory", "",
		"stop before taking more memory, such as 64M or 8G; default: four fifths of what is available")
	flags.StringVar(&f.Store, "store", "exact", storeUsage)
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
	flags.BoolVar(&f.Raw, "raw", false, "show runs as the search found them, not put in order")
	flags.BoolVar(&f.Strict, "strict", false,
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
		KeepGoing: f.KeepGoing, OutOfReach: f.OutOfReach, Workers: f.workers,
		MaxStates: f.MaxStates, MaxDepth: f.MaxDepth,
	}
	if f.workers < 0 || f.workers > 256 {
		return opt, usage.Errorf("--workers=%d: allowed are 0 to 256", f.workers)
	}
	if f.MaxStates < 0 || f.MaxDepth < 0 || f.timeout < 0 {
		return opt, usage.Errorf("a limit below 0 makes no sense; 0 is no limit")
	}
	if !slices.Contains([]string{"text", "json", "sarif", "junit"}, f.format) {
		return opt, usage.Errorf("--format=%s: allowed are text, json, sarif, junit and schema", f.format)
	}
	var err error
	if opt.Reduce, err = reduction(f.Reduce); err != nil {
		return opt, err
	}
	if opt.Memory, err = term.MemoryLimit(f.Memory); err != nil {
		return opt, err
	}
	if opt.Properties, err = named(f.Properties, properties); err != nil || !f.Costs {
		return opt, err
	}
	for i, p := range properties {
		if p.Kind == model.Costs || f.Properties == nil && !p.OnRequest && p.Moot == "" {
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

// named returns the indices of the properties of these names; nil for none.
func named(wanted []string, properties []model.PropertyInfo) (indices []int, err error) {
	var names []string
	for _, p := range properties {
		names = append(names, p.Name)
	}
	for _, name := range wanted {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, noProperty(name, names)
		}
		indices = append(indices, i)
	}
	return indices, nil
}

// noProperty is the error for a property that the model does not have.
func noProperty(name string, names []string) error {
	return usage.Errorf("there is no property %q%s; the model has %s", name, usage.Nearest(name, names),
		strings.Join(names, ", "))
}

// checkOnce checks a model, and writes what came of it.
func (a *app) checkOnce(ctx context.Context, args []string, f *checkFlags) (*explore.Report, error) {
	spec, in, values, err := a.Instance(args[0], args[1:])
	if err != nil {
		return nil, err
	}
	opt, err := f.options(in.Space.Properties())
	if err != nil {
		return nil, err
	}
	if err := a.keep(f, args, &opt); err != nil {
		return nil, err
	}
	if f.trace != "" {
		if err := writable(f.trace); err != nil {
			return nil, err
		}
	}
	progress := term.NewProgress(a.diag, a.delay)
	opt.Progress = progress.Show
	if f.timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, f.timeout)
		defer cancel()
		ctx = limited
	}
	found, err := a.examine(ctx, args, false, in, opt)
	progress.Done()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(append([]string{spec.Name}, args[1:]...), " "), err)
	}
	c := checked{Check: report.Check{Program: &a.Set, Spec: spec, Named: args[0], Args: values,
		Report: found, Witness: f.Witness, Width: a.out.Width()}}
	a.code, a.verdict = checkCode(ctx, found), c.Verdict()
	if f.Strict && a.code == exitHolds && slices.ContainsFunc(found.Properties, report.Unexcused) {
		a.code = exitViolated
	}
	if err := c.recordRuns(in, f.Raw); err != nil {
		return nil, err
	}
	a.keepLast(&c)
	var unwritten error
	if f.trace != "" {
		unwritten = c.writeTraces(f.trace)
	}
	if found.Unsaved != "" {
		unwritten = cmp.Or(unwritten, error(writeError{errors.New(found.Unsaved)}))
	}
	switch f.format {
	case "text":
		err = c.Text(a.out)
	case "json":
		err = c.JSON(a.out)
	case "sarif":
		err = c.Doc().SARIF(a.out)
	case "junit":
		err = c.Doc().JUnit(a.out)
	}
	return found, cmp.Or(unwritten, err) // the report is more than the trace
}

// checkCode returns the exit code for a report.
func checkCode(ctx context.Context, r *explore.Report) int {
	switch code := term.Interrupted(ctx); {
	case code != 0 && (!r.Complete || r.Verdict == explore.Unknown):
		return code
	case r.Verdict == explore.ModelError:
		return exitModel
	case r.Verdict == explore.Violated:
		return exitViolated
	case r.Verdict == explore.Unknown:
		return exitUnknown
	}
	return exitHolds
}
