package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// Run executes the command and returns the exit code. When ctx ends, the verb has a grace period to
// report its results. Then Run abandons it, unless it has to write a search to files.
func (p Program) Run(ctx context.Context, args []string, in io.Reader, out, diag io.Writer) int {
	a := p.app(in, out, diag)
	a.status.Store("starting")
	ended := make(chan error, 1)
	go func() { ended <- a.execute(ctx, args) }()
	select {
	case err := <-ended:
		return a.conclude(err, nil)
	case <-a.late:
		err := failure{fmt.Errorf("gave up while %s (--timeout); undecided", a.status.Load()), exitUnknown}
		return a.conclude(err, time.After(errorGrace))
	case <-ctx.Done():
	}
	if a.mustFinish.Load() { // a second signal ends the program at once
		return a.conclude(<-ended, nil)
	}
	var err error
	select {
	case err = <-ended:
	case <-time.After(grace):
		err = a.interrupt(ctx, "")
	}
	return a.conclude(err, time.After(errorGrace))
}

// Command returns the command with all its verbs.
func (p Program) Command() *cobra.Command {
	a := p.app(strings.NewReader(""), io.Discard, io.Discard)
	root := a.root()
	root.InitDefaultCompletionCmd() // cobra adds this verb when it runs
	return root
}

// app returns the state of one run of the command.
func (p Program) app(in io.Reader, out, diag io.Writer) *app {
	p.Name = cmp.Or(p.Name, strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"))
	return &app{Program: p, in: in, out: &term.Output{W: out}, diag: &term.Output{W: diag}, texts: helpTexts,
		late: make(chan struct{})}
}

// execute executes the verb that the arguments name. It returns the error also after a panic, or if a
// function of the model ends the goroutine.
func (a *app) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = failure{fmt.Errorf("%w: %v", explore.ErrInternal, x), exitInternal}
		}
	}()
	if e := check.Apart(nil, func() { err = a.executeVerb(ctx, args) }); e != nil {
		return e
	}
	return err
}

// runVariable is an environment variable. If it is set, the program is a process of the verb run.
const runVariable = "ATMOSTK_RUN"

// executeVerb executes the verb that the arguments name. It may panic.
func (a *app) executeVerb(ctx context.Context, args []string) error {
	if err := a.Check(); err != nil {
		return err
	}
	if os.Getenv(runVariable) != "" {
		return a.process(args)
	}
	root := a.root()
	if err := a.verbMeant(root, args); err != nil {
		return err
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return a.flagMeant(c, args, err) })
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.diag)
	return root.ExecuteContext(ctx)
}

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use: a.Name, Args: cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				printable.Fprintf(a.out, "%s\n", a.Tool())
				return nil
			}
			printable.Fprintf(a.out,
				"%s: %s\n\nTry:\n%s\n\n`%[1]s help` lists all verbs, `%[1]s help VERB` explains one.\n",
				a.Name, c.Short, printable.Lines(a.examples(c.Example)))
			return nil
		},
	}
	// Cobra's own flag would link text/template, half a megabyte of the packed browser program.
	root.Flags().BoolVarP(&version, "version", "v", false, "")
	root.PersistentFlags().StringVar(&a.colour, "color", "auto", "")
	root.PersistentFlags().DurationVar(&a.delay, "progress", time.Second, "")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.status.Store("executing " + c.CommandPath())
		if a.delay < 0 {
			return usage.Errorf("--progress=%v: allowed are times of 0 or more; 0 is never", a.delay)
		}
		return term.SetColour(a.colour, a.out)
	}
	root.SetUsageFunc(a.usage)
	root.SetHelpFunc(a.long)
	a.describe(root, "root")
	offer(root, "color", "auto", "always", "never")
	root.AddCommand(a.check(), a.replay())
	root.AddCommand(a.ofMachines()...)
	root.SetHelpCommand(a.help(root))
	if a.Remote != nil {
		a.Remote.Extend(a.Tool(), root)
	}
	return root
}
