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
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/validate"
)

type runFlags struct {
	Entries     int
	Duration    time.Duration
	Seed        uint64
	Kill        []string
	Slow        []string
	CrashInside bool
	Logs        string
	Validate    bool
	Format      string
	Pace        []string // NAME=mean time
}

func (a *app) runRun(c *cobra.Command, args []string, f *runFlags) error {
	ctx := c.Context()
	of, err := a.Played(args[0], args[1:])
	if err != nil {
		return err
	}
	opt, err := f.options(of)
	if err != nil {
		return err
	}
	if opt.Dir = f.Logs; f.Logs != "" {
		err = os.MkdirAll(f.Logs, 0o777)
	} else {
		opt.Dir, err = os.MkdirTemp("", a.Name+"-run-")
	}
	if err != nil {
		return badOutput(fmt.Errorf("no directory for the logs: %w", err))
	}
	keep := f.Logs != ""
	defer func() {
		if !keep {
			_ = os.RemoveAll(opt.Dir) // if this fails, a temporary directory remains
		}
	}()
	begun := time.Now()
	runs, err := cluster.Start(ctx, opt)
	if len(runs) > 0 {
		j := &report.Runs{Subject: of, Runs: runs, Dir: opt.Dir, Took: time.Since(begun)}
		if f.Validate && err == nil && term.Interrupted(ctx) == 0 {
			if e := check.Apart(nil, func() { err = a.judgeRuns(ctx, j) }); e != nil {
				err = e
			}
		}
		if term.Interrupted(ctx) != 0 {
			j.Judged, err = nil, nil // the last judgement may be incomplete
		}
		a.code, a.verdict = codeOf(ctx, j.Verdict()), string(j.Verdict())
		keep = keep || err != nil || a.code != exitHolds || !f.Validate
		j.Removed = !keep
		if err := a.write(f.Format, j); err != nil {
			return err
		}
	}
	a.code = cmp.Or(term.Interrupted(ctx), a.code)
	var path *fs.PathError
	switch {
	case err == nil || errors.As(err, new(*usage.Error)) || exitCode(err) != exitUsage:
		return err
	case errors.As(err, &path) && path.Op != "read" && !errors.Is(err, fs.ErrExist):
		return badOutput(err)
	case errors.As(err, &path):
		return badInput(err)
	}
	return fmt.Errorf("%w: %w", explore.ErrInternal, err)
}

// judgeRuns validates the logs of each run as the verb validate does with the model and no flags: a run of
// the model has to explain every line.
func (a *app) judgeRuns(ctx context.Context, j *report.Runs) error {
	begun := time.Now()
	opt, err := validateDefaults().options()
	if err != nil {
		return err
	}
	model := &validate.Model{Name: j.Spec.Name, Instance: j.Instance}
	opt.Keep, opt.Modelled = true, true
	opt.Model = func(formats.Header) (*validate.Model, error) { return model, nil }
	var judged []*report.Log
	for i := range j.Runs {
		r, err := validate.Run(ctx, j.Runs[i].Logs, opt)
		if err != nil {
			return unread(ctx, err)
		}
		judged = append(judged, &report.Log{Report: r, Program: &a.Set, Subject: j.Subject})
	}
	j.Judged, j.After = judged, time.Since(begun)
	return nil
}

// nodesOf returns the interpreter of an instance for package cluster; an error if run cannot execute it.
func nodesOf(of *models.Subject) (*interp.Interp, error) {
	why := "guards of its steps read what no process knows"
	switch {
	case of.Interp.Runnable():
		return of.Interp, nil
	case of.Interp == nil:
		why = "it does not consist of processes with channels between them"
	case of.Interp.Medium.Faults.Some():
		why = "its channels have faults"
	}
	return nil, usage.Errorf("real processes cannot run %s: %s", of, why)
}

func (f *runFlags) options(of *models.Subject) (opt cluster.Options, err error) {
	nodes, err := nodesOf(of)
	if err != nil {
		return opt, err
	}
	if f.Entries < 1 || f.Duration <= 0 {
		return opt, usage.Errorf("--entries=%d --duration=%s: both must be above 0", f.Entries, f.Duration)
	}
	exe, err := os.Executable()
	if err != nil {
		return opt, err
	}
	words := strings.Fields(of.String())
	opt = cluster.Options{
		Nodes: nodes, Spec: of.Spec.Name, Args: strings.Join(words[1:], " "), Entries: f.Entries,
		Duration: f.Duration, Seed: f.Seed, CrashInside: f.CrashInside,
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
	for _, text := range f.Kill {
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
	for _, text := range f.Pace {
		name, value, _ := strings.Cut(text, "=")
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 || means[name] == nil {
			return p, usage.Errorf("--pace=%s: allowed are think=, stay= and delay= with a time such as "+
				"500us", text)
		}
		*means[name] = d
	}
	for _, text := range f.Slow {
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
		return 0, 0, usage.Errorf("--%s=%s: %q is not a time such as 500ms or 2s; allowed is process@time",
			flag, text, rest)
	}
	return model.Proc(p), d, nil
}

// process executes one process of run, which controls it through standard input and output.
func (a *app) process(args []string) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // run ends the process
	of, err := a.Played(args[0], args[1:])
	if err != nil {
		return err
	}
	nodes, err := nodesOf(of)
	if err != nil {
		return err
	}
	return cluster.Process(nodes, a.in, a.out)
}
