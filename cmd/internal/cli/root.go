package cli

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// How long a verb has, after a signal, to report its results, and then to print an error.
const (
	grace     = 800 * time.Millisecond
	lastWords = 100 * time.Millisecond
)

// Run carries out the program and returns the exit code. When ctx ends, the verb has less than a second to
// report its results, and is abandoned then, unless it has to write a search down.
func (p Program) Run(ctx context.Context, args []string, in io.Reader, out, diag io.Writer) int {
	a := p.app(in, out, diag)
	a.status.Store("starting")
	ended := make(chan error, 1)
	go func() {
		var err error
		defer func() { ended <- err }() // also where a function of the model ends the goroutine
		a.execute(ctx, args, &err)
	}()
	select {
	case err := <-ended:
		return a.conclude(err, nil)
	case <-ctx.Done():
	}
	if a.mustFinish.Load() { // what it has it writes down; a second signal ends it at once
		return a.conclude(<-ended, nil)
	}
	var err error
	select {
	case err = <-ended:
	case <-time.After(grace):
		err = a.interrupt(ctx, "")
	}
	return a.conclude(err, time.After(lastWords))
}

// Command returns the command with all its verbs.
func (p Program) Command() *cobra.Command {
	a := p.app(strings.NewReader(""), io.Discard, io.Discard)
	root := a.root()
	root.Version = a.Tool()
	root.InitDefaultCompletionCmd() // as when it runs
	return root
}

// app returns a run of the program.
func (p Program) app(in io.Reader, out, diag io.Writer) *app {
	a := &app{Program: p.complete(), in: in, out: &term.Output{W: out}, diag: &term.Output{W: diag}}
	a.nested = func(ctx context.Context, args []string, out, diag io.Writer) int {
		b := a.app(strings.NewReader(""), out, diag)
		var err error
		b.execute(ctx, args, &err)
		return b.conclude(err, nil)
	}
	return a
}

// execute carries out the verb that the arguments name, and leaves in err what goes wrong, also if it never
// returns because its goroutine ends.
func (a *app) execute(ctx context.Context, args []string, err *error) {
	var mistake *model.Error // that shows on the way
	defer func() {
		if x := recover(); mistake != nil {
			*err = mistake
		} else if x != nil {
			*err = panicked(x)
		}
	}()
	returned := false
	defer model.Catch(&mistake, &returned)
	*err = a.carryOut(ctx, args)
	returned = true
}

// carryOut is execute, as long as nothing panics.
func (a *app) carryOut(ctx context.Context, args []string) error {
	if err := a.Check(); err != nil {
		return err
	}
	if do := a.forRun(); do != nil {
		return do(ctx, args)
	}
	if len(args) > 0 && former[args[0]] != "" {
		return usage.Errorf("there is no %s any more: %s", args[0],
			strings.ReplaceAll(former[args[0]], "%", a.Name))
	}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.diag)
	return root.ExecuteContext(ctx)
}

// former says by verbs of earlier versions what to write instead; % is the program.
var former = map[string]string{
	"sweep":   "write % check with the same arguments; --format markdown makes a table of one instance, too",
	"watch":   "write % validate --watch FILE",
	"resume":  "write % check --resume DIR, or --status DIR",
	"version": "write % --version",
}

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   a.Name,
		Short: "Model checker and trace validator for k-mutual exclusion",
		Long: a.Name + ` explores distributed mutual exclusion algorithms over all message
interleavings and all crash points, for small numbers of processes, and prints
the shortest counterexample to whatever does not hold.`,
		Example:       a.firstCommands(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				printable.Fprintf(a.out, "%s\n", a.Tool())
				return nil
			}
			printable.Fprintf(a.out,
				"%s: %s\n\nTry:\n%s\n\n`%[1]s help` lists all verbs, `%[1]s help VERB` explains one.\n",
				a.Name, c.Short, printable.Lines(c.Example))
			return nil
		},
	}
	// Not cobra's own: its template would link text/template, half a megabyte of the packed browser program.
	root.Flags().BoolVarP(&version, "version", "v", false, "print the version")
	root.PersistentFlags().StringVar(&a.colour, "color", "auto",
		"colour the output: auto (on a terminal, unless NO_COLOR is set), always, never")
	root.PersistentFlags().DurationVar(&a.delay, "progress", time.Second,
		"tell on standard error how far a search is, once it takes longer than this; 0: never")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.status.Store("carrying out " + c.CommandPath())
		if a.delay < 0 {
			return usage.Errorf("--progress=%v: allowed are 0, for never, and more", a.delay)
		}
		return term.SetColour(a.colour, a.out)
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.Errorf("%v", err) })
	root.AddCommand(
		a.check(),
		a.replay(),
		a.scenario(),
		a.list(),
		a.show(),
		a.lint(),
	)
	root.AddCommand(a.ofMachines()...)
	if a.Remote != nil {
		a.Remote.Extend(a.Tool(), root)
	}
	return root
}

// firstCommands are what somebody who is new should try.
func (a *app) firstCommands() string {
	demo := "% demo                                 a minute of what follows\n"
	if a.demoLacks() != "" {
		demo = ""
	}
	return a.examples(demo + `% list                                 the models
% show @raymond                         parameters and properties of one
% check @raymond n=3 k=2                explore all its runs
% check @die-hard --trace jugs.ndjson   keep the counterexample
% replay jugs.ndjson --as chart        look at it
% validate lock.log --k 1              judge the log of a real run`)
}
