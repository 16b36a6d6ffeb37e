package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

type checkFlags struct {
	set        *pflag.FlagSet
	Property   []string
	KeepGoing  bool
	OutOfReach bool
	Costs      bool
	Witness    bool
	Strict     bool
	MaxDepth   int
	MaxStates  int64
	Reduce     []string
	Store      string
	Memory     string
	Workers    int
	Timeout    time.Duration
	Format     string
	Trace      string
	Resume     string // directory of a search
	Status     string // directory of a search
	Watch      bool
}

func (a *app) check() *cobra.Command {
	f := checkFlags{Reduce: []string{"none"}, Store: "exact", Format: "text"}
	args := func(c *cobra.Command, args []string) error {
		if f.Resume != "" || f.Status != "" {
			return cobra.NoArgs(c, args)
		}
		return cobra.MinimumNArgs(1)(c, args)
	}
	c := verb(a, "check", &f, args, a.runCheck)
	f.set = c.Flags()
	return c
}

func (a *app) runCheck(c *cobra.Command, args []string, f *checkFlags) (err error) {
	switch {
	case a.Remote != nil && f.Resume+f.Status != "":
		return usage.Errorf("--resume and --status apply only to searches in one process")
	case f.Status != "":
		k, s, err := a.loadSearch(f.Status)
		if err == nil {
			report.WriteStatus(a.out, k.Args, s)
		}
		return err
	case f.Resume != "":
		if args, err = a.resumeFlags(f); err != nil {
			return err
		}
	case slices.ContainsFunc(args[1:], func(arg string) bool { return strings.Contains(arg, "/") }):
		return a.checkFamily(c, args, f)
	case f.Watch:
		return a.checkWhenSaved(c.Context(), args, f)
	}
	_, err = a.checkOnce(c.Context(), args, f)
	return err
}

// question returns the instance and the options of a search.
func (a *app) question(args []string, f *checkFlags) (of *models.Subject, opt explore.Options, err error) {
	if of, err = a.Instance(args[0], args[1:]); err == nil {
		opt, err = f.options(of.Space.Properties())
	}
	return of, opt, err
}

func (f *checkFlags) options(properties []model.PropertyInfo) (opt explore.Options, err error) {
	opt = explore.Options{KeepGoing: f.KeepGoing, OutOfReach: f.OutOfReach, Workers: f.Workers,
		MaxStates: f.MaxStates, MaxDepth: f.MaxDepth}
	if f.MaxStates < 0 || f.MaxDepth < 0 || f.Timeout < 0 {
		return opt, usage.Errorf("a limit is 0 or more; 0 is no limit")
	}
	var noSize error
	opt.Reduce, err = reduction(f.Reduce)
	opt.Memory, noSize = term.MemoryLimit(f.Memory)
	if err = cmp.Or(within("workers", f.Workers, 0, mostWorkers), err, noSize); err != nil {
		return opt, err
	}
	if opt.Properties, err = named(f.Property, properties); err != nil || !f.Costs {
		return opt, err
	}
	for i, p := range properties {
		if p.Kind == model.Costs || f.Property == nil && !p.OnRequest && p.Moot == "" {
			opt.Properties = append(opt.Properties, i)
		}
	}
	return opt, nil
}

// reduction reads the value of --reduce.
func reduction(words []string) (r model.Reduction, err error) {
	is := map[string]*bool{"dead": &r.Dead, "crashes": &r.Crashes, "movers": &r.Movers,
		"symmetry": &r.Symmetry}
	for _, word := range words {
		switch {
		case is[word] != nil:
			*is[word] = true
		case word != "none" || len(words) > 1:
			return r, usage.Errorf("--reduce=%s: allowed are none, or some of dead, crashes, "+
				"movers and symmetry, separated by commas", strings.Join(words, ","))
		}
	}
	return r, nil
}

func (a *app) checkOnce(ctx context.Context, args []string, f *checkFlags) (*explore.Report, error) {
	of, opt, err := a.question(args, f)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(a.keep(f, args, &opt), writable(f.Trace)); err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(ctx, cmp.Or(f.Timeout, endless))
	defer cancel()
	found, err := a.search(limit, of, args, opt)
	if err != nil {
		return nil, err
	}
	c := &report.Check{Subject: of, Named: args[0], Report: found, Witness: f.Witness, Width: a.out.Width()}
	a.code, a.verdict = codeOf(ctx, found.Verdict), c.Verdict()
	unknown := func(p explore.Result) bool { return p.LostUnknown != "" }
	unreached := slices.ContainsFunc(found.Properties, unknown)
	if unreached && a.code == exitHolds { // --out-of-reach was asked for
		a.code = exitUnknown
	}
	if code := term.Interrupted(ctx); code != 0 && (!found.Complete || unreached) {
		a.code = code
	}
	if f.Strict && a.code == exitHolds && slices.ContainsFunc(found.Properties, report.Unexcused) {
		a.code = exitViolated
	}
	if err := a.recordRuns(c); err != nil {
		return nil, err
	}
	unwritten := writeTraces(f.Trace, c.Shown())
	// The error of the trace comes first, and the report is written.
	return found, cmp.Or(unwritten, a.write(f.Format, c))
}

// search explores an instance, in this process or remotely, and shows the progress.
func (a *app) search(ctx context.Context, of *models.Subject, args []string,
	opt explore.Options) (found *explore.Report, err error) {
	progress := term.NewProgress(a.diag, a.delay)
	opt.Progress = progress.Show
	if a.Remote == nil {
		found, err = runSearch(ctx, of.Instance, opt)
	} else {
		found, err = a.Remote.Explore(ctx, Question{Args: args, Instance: of.Instance, Options: opt})
		err = remoteError(ctx, err)
	}
	progress.Done()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(append([]string{of.Spec.Name}, args[1:]...), " "), err)
	}
	return found, nil
}

// recordRuns turns the paths of a report into runs, and keeps the counterexample.
func (a *app) recordRuns(c *report.Check) (err error) {
	if m := c.Report.Mistake; m != nil {
		h := c.Header(m.Part)
		h.Mistake = traces.NewMistake(m.Error)
		if c.Mistaken, err = c.Recorded(h, m.Path); err != nil {
			return err
		}
	}
	of := c.Numbered()
	c.Runs = make([]*traces.Run, len(c.Report.Properties))
	for i := range c.Runs {
		p := &c.Report.Properties[i]
		h := of.Header(p.Name)
		if p.Kind == model.Liveness {
			h.CycleAt = &p.CycleAt
		}
		run, err := of.Recorded(h, p.Path)
		if err != nil {
			return err
		}
		if run != nil {
			c.Runs[i] = traces.Tidy(run)
		}
	}
	c.Kept = a.keepLast(c.Counterexample())
	return nil
}

// pollEvery is the interval between two looks at the files of a model.
const pollEvery = 25 * time.Millisecond

// checkWhenSaved checks a model in a file whenever the file, or a file that it may load, is saved, and
// reports the changes of the results. It ends when it is interrupted.
func (a *app) checkWhenSaved(ctx context.Context, args []string, f *checkFlags) error {
	if !strings.HasSuffix(args[0], starfile.Extension) {
		return usage.Errorf("--watch needs a model in a file, NAME%s; %s is built into this program",
			starfile.Extension, args[0])
	}
	if f.Format != "text" {
		return usage.Errorf("--format=%s: with --watch only text is allowed", f.Format)
	}
	var before map[string]string
	for {
		saved := stampOf(args[0])
		found, err := a.checkOnce(ctx, args, f)
		if err != nil {
			a.explain(err)
		} else {
			now := map[string]string{
				"states": printable.Number(found.States), "depth": fmt.Sprint(found.Depth)}
			for i := range found.Properties {
				now[found.Properties[i].Name] = string(found.Properties[i].Verdict)
			}
			if before != nil {
				a.reportChanges(before, now)
			}
			before = now
		}
		printable.Fprintf(a.diag, "watching %s\n", args[0])
		for stampOf(args[0]) == saved {
			select {
			case <-ctx.Done():
				a.code = term.Interrupted(ctx)
				return nil
			case <-time.After(pollEvery):
			}
		}
		printable.Fprintf(a.out, "\n%s\n", term.Faint("--- saved, checked again"))
	}
}

// stampOf returns the sizes and times of all model files in the folder of a model and in its subfolders.
func stampOf(path string) (times string) {
	for _, pattern := range []string{"*", filepath.Join("*", "*")} {
		files := filepath.Join(filepath.Dir(path), pattern+starfile.Extension)
		names, _ := filepath.Glob(files) // the pattern is well-formed
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				times += fmt.Sprintln(name, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return times
}

// reportChanges writes the differences between the results of two checks.
func (a *app) reportChanges(before, now map[string]string) {
	if maps.Equal(before, now) {
		printable.Fprintln(a.out, "nothing changed: the same states, the same verdicts")
	}
	names := maps.Clone(before)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != now[name] {
			printable.Fprintf(a.out, "changed: %s: %s -> %s\n", name, cmp.Or(before[name], "not there"),
				cmp.Or(now[name], "not there"))
		}
	}
}

// heapGrowth is the growth of the heap between two garbage collections during a search, in percent. States
// are outside the heap, and little on the heap becomes garbage: with Go's default of 100, short searches take
// 10% more time, and long ones up to 7% less memory. Other verbs keep 100: with 400, reading logs takes 50%
// more memory and as much time.
const heapGrowth = 400

// diskGrowth is the heapGrowth of a search on disk, which has a budget and much garbage.
const diskGrowth = 50

// heapTenths is the memory limit of the garbage collector in a search on disk, in tenths of the budget: the
// table of candidates is outside the heap. Without the limit 2pc n=11 took 1.6 GB with a budget of 1 GiB.
const heapTenths = 7

// runSearch explores an instance. The environment variables GOGC and GOMEMLIMIT override the constants above.
func runSearch(ctx context.Context, in model.Instance, opt explore.Options) (*explore.Report, error) {
	growth := heapGrowth
	if opt.Store.Kind == explore.Disk {
		growth = diskGrowth
	}
	budgeted := opt.Store.Kind == explore.Disk && opt.Memory > 0
	if budgeted && os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(opt.Memory / 10 * heapTenths))
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(growth))
	}
	report, err := explore.Run(ctx, in, opt)
	_, ofFile := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, explore.ErrRemoved):
		err = badOutput(err)
	case errors.As(err, new(*store.DamagedError)),
		ofFile && opt.Store.Resume && errors.Is(err, fs.ErrNotExist):
		err = badInput(err)
	case ofFile:
		err = badOutput(err)
	}
	return report, err
}

// remoteError adds the exit code to an error of a remote search.
func remoteError(ctx context.Context, err error) error {
	switch code := term.Interrupted(ctx); {
	case err == nil || errors.As(err, new(*usage.Error)) || errors.Is(err, explore.ErrInternal):
		return err
	case code != 0:
		return failure{err, code}
	case errors.As(err, new(*store.DamagedError)):
		return badInput(err)
	}
	return badOutput(err) // no worker answers, or the files cannot be reached
}
