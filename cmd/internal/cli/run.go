//go:build !js

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/validate"
)

// runFlags are the flags of run, as given.
type runFlags struct {
	entries  int
	duration time.Duration
	seed     uint64
	kill     []string
	slow     []string
	inside   bool
	logs     string
	validate bool
	format   string
	means    []string // of the pace
}

func (a *app) run() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SPEC [key=value ...]",
		Short: "Execute a model by real processes and keep their logs",
		Long: `Executes an algorithm by operating-system processes, one for each process of the
model, and passes their messages. They run the same handlers that are explored. They ask for the
critical section at random and stay
in it for a random time, until it was entered often enough; each logs its steps.

A run ends early when nothing is left to do, because most models bound how often a process
requests; then another begins, with new processes and logs of its own. Each has the
crashes of --kill. A process dies of SIGKILL, and its unit is free.

Where the model has links that break (the rings), this command keeps what is in them and lets
the processes take their steps one after the other; who is dead may come up again there. A token
goes round for ever, so such runs end by --entries or --duration.

The logs are files of JSON lines: DIR/run1/p1.ndjson and so on. In the end those of each
run are validated. Exit codes: 0 all accepted, 1 some rejected, 2 some undecided, 64
wrong use, 65 the model itself is at fault, 70 internal error, 130 interrupted.`,
		Example: a.examples(`% run @raymond n=5 k=2 rounds=15 --entries 1000 --logs raymond
% run @timerfree n=5 k=3 f=2 rp=off --kill p2@50ms,p4@200ms --logs timerfree
% run @timerfree n=5 k=3 f=2 rp=off rounds=inf --slow p2@20ms --entries 300
% run @vcube-kmutex n=4 k=2 crashes=2 --kill 2 --crash-inside --logs vcube`),
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return a.runRun(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.IntVar(&f.entries, "entries", 100, "end after so many entries of the critical section")
	flags.DurationVar(&f.duration, "duration", time.Minute, "end after this time, such as 10s or 2m")
	flags.Uint64Var(&f.seed, "seed", 1,
		"seed of all that is random in the processes; operating system and network are not")
	flags.StringSliceVar(&f.kill, "kill", nil,
		"crashes: process@time since the start of the run, such as p2@500ms, or a number of crashes of "+
			"random processes at random moments; separated by commas")
	flags.StringSliceVar(&f.slow, "slow", nil, "messages of these processes wait longer at their "+
		"receivers, on average by so much: such as p2@20ms, separated by commas")
	flags.BoolVar(&f.inside, "crash-inside", false,
		"crash inside the sending of several messages, as crash-sends= says which")
	flags.StringVar(&f.logs, "logs", "",
		"directory for the logs; default: a temporary one, which stays only "+
			"if they are not accepted, or not validated")
	flags.BoolVar(&f.validate, "validate", true,
		"look for a run of the model that explains the logs, as the verb validate does")
	flags.StringSliceVar(&f.means, "pace", []string{"think=1ms", "stay=1ms", "delay=500us"}, "mean times, "+
		"separated by commas: before a step that a process takes by itself (think), in the critical section "+
		"(stay), of a message at its receiver (delay)")
	flags.StringVar(&f.format, "format", "text",
		"form of the report: text, json, or html: the page of the log of the worst run")
	return c
}

func (a *app) runRun(ctx context.Context, args []string, f *runFlags) error {
	of, err := a.Instance(args[0], args[1:])
	if err != nil {
		return err
	}
	opt, err := f.options(of)
	if err != nil {
		return err
	}
	if opt.Dir, err = a.logDir(f.logs); err != nil {
		return err
	}
	keep := f.logs != ""
	defer func() {
		if !keep {
			_ = os.RemoveAll(opt.Dir) // a temporary directory may stay
		}
	}()
	begun := time.Now()
	runs, err := cluster.Start(ctx, opt)
	if len(runs) > 0 {
		j := &report.Runs{Subject: of, Runs: runs, Dir: opt.Dir, Took: time.Since(begun)}
		if f.validate && err == nil && term.Interrupted(ctx) == 0 {
			if err := a.judgeRuns(ctx, j); err != nil {
				return err
			}
		}
		if term.Interrupted(ctx) != 0 {
			j.Judged = nil // not all of them may have been judged to the end
		}
		a.code, a.verdict = codeOf(j.Verdict()), string(j.Verdict())
		keep = keep || a.code != exitHolds || !f.validate && err == nil
		j.Removed = !keep
		if err := a.write(f.format, j); err != nil {
			return err
		}
	}
	a.code = cmp.Or(term.Interrupted(ctx), a.code)
	return runError(err)
}

// judgeRuns validates the logs of each run, as validate does with no flags but the model: every line has to be
// explained.
func (a *app) judgeRuns(ctx context.Context, j *report.Runs) error {
	begun := time.Now()
	memory, err := term.MemoryLimit("")
	if err != nil {
		return err
	}
	model := &validate.Model{Name: j.Spec.Name, Instance: j.Instance}
	opt := validate.Options{Options: logs.Options{Keep: true}, Timeout: time.Minute,
		Explain: explain.Options{Tail: -1, Repair: 2, Memory: memory},
		Model:   func(logs.Header) (*validate.Model, error) { return model, nil }}
	for i := range j.Runs {
		r, err := validate.Run(ctx, j.Runs[i].Logs, opt)
		if err != nil {
			return badInput(err)
		}
		j.Judged = append(j.Judged, &report.Log{Report: r, Program: &a.Set, Subject: j.Subject})
	}
	j.After = time.Since(begun)
	return nil
}

// runError sorts the errors of runs.
func runError(err error) error {
	var misuse *usage.Error
	var path *fs.PathError
	var mistake *model.Error
	switch {
	case err == nil || errors.As(err, &misuse) || errors.As(err, &mistake):
		return err
	case errors.As(err, &path) && path.Op != "read" && !errors.Is(err, fs.ErrExist):
		return badOutput(err)
	case errors.As(err, &path):
		return badInput(err)
	}
	return fmt.Errorf("%w: %w", explore.ErrInternal, err)
}

// nodesOf returns the processes of an instance that run executes.
func nodesOf(of *models.Subject) (*interp.Interp, error) {
	if nodes := cluster.Nodes(of.Instance); nodes != nil {
		return nodes, nil
	}
	return nil, usage.Errorf("real processes cannot run %s: it is not made of processes with channels between "+
		"them, it has channels that fail by themselves, or steps whose guards no process can know", of)
}

// options turns flags into options of the runs.
func (f *runFlags) options(of *models.Subject) (opt cluster.Options, err error) {
	nodes, err := nodesOf(of)
	if err != nil {
		return opt, err
	}
	if f.entries < 1 || f.duration <= 0 {
		return opt, usage.Errorf("--entries=%d --duration=%s: both have to be above 0", f.entries, f.duration)
	}
	if err := allowed("format", f.format, "text", "json", "html"); err != nil {
		return opt, err
	}
	if f.format == "html" && !f.validate {
		return opt, usage.Errorf("--format=html shows how the log is explained: not with --validate=false")
	}
	exe, err := os.Executable()
	if err != nil {
		return opt, err
	}
	words := strings.Fields(of.String())
	opt = cluster.Options{
		Nodes: nodes, Spec: of.Spec.Name, Args: strings.Join(words[1:], " "), Entries: f.entries,
		Duration: f.duration, Seed: f.seed, CrashInside: f.inside,
		Command: func(ctx context.Context) *exec.Cmd {
			c := exec.CommandContext(ctx, exe)
			c.Args = append([]string{os.Args[0]}, words...)
			c.Env = append(os.Environ(), runVariable+"=process")
			c.Stderr = os.Stderr
			return c
		},
	}
	if opt.Pace, err = f.pace(nodes.Names); err != nil {
		return opt, err
	}
	for _, text := range f.kill {
		if n, err := strconv.Atoi(text); err == nil && n >= 0 {
			opt.RandomKills += n
			continue
		}
		p, after, err := processTime("kill", text, nodes.Names)
		if err != nil {
			return opt, err
		}
		opt.Kills = append(opt.Kills, cluster.Kill{Process: p, After: after})
	}
	slices.SortStableFunc(opt.Kills, func(a, b cluster.Kill) int { return cmp.Compare(a.After, b.After) })
	return opt, nil
}

// pace reads --pace and --slow.
func (f *runFlags) pace(names []string) (p cluster.Pace, err error) {
	p = cluster.Pace{Think: time.Millisecond, Stay: time.Millisecond, Delay: 500 * time.Microsecond,
		Slow: map[model.Proc]time.Duration{}}
	means := map[string]*time.Duration{"think": &p.Think, "stay": &p.Stay, "delay": &p.Delay}
	for _, text := range f.means {
		name, value, _ := strings.Cut(text, "=")
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 || means[name] == nil {
			return p, usage.Errorf("--pace=%s: allowed are think=, stay= and delay= with a time such as 500us",
				text)
		}
		*means[name] = d
	}
	for _, text := range f.slow {
		process, by, err := processTime("slow", text, names)
		if err != nil {
			return p, err
		}
		p.Slow[process] = by
	}
	return p, nil
}

// processTime reads an element of a flag such as --kill: p2@500ms.
func processTime(flag, text string, names []string) (model.Proc, time.Duration, error) {
	name, rest, _ := strings.Cut(text, "@")
	p := slices.Index(names, name)
	if p < 0 {
		return 0, 0, usage.Errorf("--%s=%s: there is no process %q%s; the processes are %s", flag, text, name,
			usage.Nearest(name, names), strings.Join(names, ", "))
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return 0, 0, usage.Errorf("--%s=%s: %q is no time such as 500ms or 2s; allowed is process@time", flag,
			text, rest)
	}
	return model.Proc(p), d, nil
}

// logDir makes the directory for the logs: the one of --logs, or a temporary one.
func (a *app) logDir(name string) (dir string, err error) {
	if name != "" {
		err = os.MkdirAll(name, 0o777)
	} else {
		name, err = os.MkdirTemp("", a.Name+"-run-")
	}
	if err != nil {
		return "", badOutput(fmt.Errorf("no directory for the logs: %w", err))
	}
	return name, nil
}

// runVariable is a variable of the environment: the value process makes the program one process of a run.
const runVariable = "ATMOSTK_RUN"

// forRun returns what run has started the program for; nil: it was not started by run.
func (a *app) forRun() func(ctx context.Context, args []string) error {
	if os.Getenv(runVariable) == "" {
		return nil
	}
	return a.process
}

// process is one process of run, which controls it by standard input and output.
func (a *app) process(_ context.Context, args []string) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // the process ends when run does
	of, err := a.Instance(args[0], args[1:])
	if err != nil {
		return err
	}
	nodes, err := nodesOf(of)
	if err != nil {
		return err
	}
	return cluster.Process(nodes, a.in, a.out)
}
