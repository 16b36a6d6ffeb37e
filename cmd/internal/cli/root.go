package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
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
	if a.mustFinish.Load() { // it writes its search to files; a second signal ends it at once
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
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	}
	return &app{Program: p, in: in, out: &term.Output{W: out}, diag: &term.Output{W: diag},
		texts: helpTexts}
}

// execute carries out the verb that the arguments name, and leaves its error in err, also if its goroutine
// ends before it returns.
func (a *app) execute(ctx context.Context, args []string, err *error) {
	var mistake *model.Error // of the model, found on the way
	defer func() {
		if x := recover(); mistake != nil {
			*err = mistake
		} else if x != nil {
			*err = panicked(x)
		}
	}()
	returned := false
	defer model.Catch(&mistake, &returned)
	*err = a.executeVerb(ctx, args)
	returned = true
}

// executeVerb is execute without panics.
func (a *app) executeVerb(ctx context.Context, args []string) error {
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

// former has the replacement of each verb of earlier versions; % is the program.
var former = map[string]string{
	"sweep":   "write % check with the same arguments",
	"watch":   "write % validate --watch FILE",
	"resume":  "write % check --resume DIR, or --status DIR",
	"version": "write % --version",
}

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:           a.Name,
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
	root.Flags().BoolVarP(&version, "version", "v", false, "")
	root.PersistentFlags().StringVar(&a.colour, "color", "auto", "")
	root.PersistentFlags().DurationVar(&a.delay, "progress", time.Second, "")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.status.Store("carrying out " + c.CommandPath())
		if a.delay < 0 {
			return usage.Errorf("--progress=%v: allowed are 0, for never, and more", a.delay)
		}
		return term.SetColour(a.colour, a.out)
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if strings.Contains(err.Error(), " --checkpoint") {
			return usage.Errorf("there is no --checkpoint any more: write %s check with --store disk=DIR, "+
				"which --resume DIR continues", a.Name)
		}
		return usage.Errorf("%v", err)
	})
	a.describe(root, "root")
	root.AddCommand(a.check(), a.replay(), a.scenario(), a.list(), a.show(), a.lint())
	root.AddCommand(a.ofMachines()...)
	if a.Remote != nil {
		a.Remote.Extend(a.Tool(), root)
	}
	return root
}
