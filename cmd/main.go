package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// Exit codes; scripts rely on them.
const (
	exitHolds       = 0   // all properties hold and the exploration is complete
	exitViolated    = 1   // some property is violated
	exitUnknown     = 2   // a limit was reached and nothing was violated
	exitInput       = 3   // unusable input: a log, a trace file, a model
	exitDeparts     = 4   // a replayed trace does not reproduce
	exitUsage       = 64  // wrong use of the command
	exitModel       = 65  // the model itself is at fault
	exitInternal    = 70  // internal error
	exitInterrupted = 130 // interrupted by the user
)

// Main runs the command with the arguments of the process on the given models,
// and exits.
func Main(specs ...model.Spec) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	code := Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, specs...)
	stop()
	os.Exit(code)
}

// Run is Main without the process: it returns the exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, diag io.Writer, specs ...model.Spec) int {
	if err := model.CheckNames(specs); err != nil {
		fmt.Fprintln(diag, "atmostk:", err)
		return exitModel
	}
	a := &app{specs: specs, in: in, out: out, diag: diag}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(diag)
	if err := execute(ctx, root); err != nil {
		fmt.Fprintln(diag, "atmostk:", err)
		var mistake *model.Error
		if errors.As(err, &mistake) && mistake.State != "" {
			fmt.Fprintf(diag, "  in state %s\n", mistake.State)
		}
		return exitCode(err)
	}
	return a.code
}

// execute runs the command. A mistake of a model that shows on the way is its error.
func execute(ctx context.Context, root *cobra.Command) (err error) {
	var e *model.Error
	defer func() {
		if e != nil {
			err = e
		}
	}()
	defer model.Catch(&e)
	return root.ExecuteContext(ctx)
}

// app is one run of the command.
type app struct {
	specs     []model.Spec
	in        io.Reader
	out, diag io.Writer
	code      int    // exit code where nothing went wrong
	colour    string // --color
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "atmostk",
		Short: "Model checker and trace validator for k-mutual exclusion",
		Long: `atmostk explores distributed mutual exclusion algorithms over all message
interleavings and all crash points, for small numbers of processes, and prints
the shortest counterexample to whatever does not hold.`,
		Example: `  atmostk list                                 the models
  atmostk show raymond                         parameters and properties of one
  atmostk check raymond n=3 k=2                explore it
  atmostk check raymond n=3 k=2 crashes=1 --keep-going --format json
  atmostk check die-hard --trace jugs.ndjson   keep the counterexample
  atmostk replay jugs.ndjson --as html         look at it`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.PersistentFlags().StringVar(&a.colour, "color", "auto", "colour the output: auto (on a terminal, unless NO_COLOR is set), always, never")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.setColour() }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return model.Usage("%v", err) })
	root.AddCommand(
		a.check(),
		a.replay(),
		a.graph(),
		a.list(),
		a.show(),
		a.claims(),
		a.sweep(),
		a.quorums(),
		a.validate(),
		a.run(),
		a.process(),
		a.version(),
	)
	return root
}

// inputError is an error in what the command was given to read.
type inputError struct{ error }

func exitCode(err error) int {
	var usage *model.UsageError
	var input inputError
	var departs departError
	var mistake *model.Error
	switch {
	case errors.As(err, &mistake):
		return exitModel
	case errors.Is(err, explore.ErrInternal):
		return exitInternal
	case errors.As(err, &departs):
		return exitDeparts
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitUsage // what is left are cobra's own: unknown verbs, wrong numbers of arguments
}

// spec returns the model of the given name.
func (a *app) spec(name string) (*model.Spec, error) {
	names := make([]string, len(a.specs))
	for i, s := range a.specs {
		names[i] = s.Name
	}
	if i := slices.Index(names, name); i >= 0 {
		return &a.specs[i], nil
	}
	return nil, model.Usage("there is no model %q%s; `atmostk list` shows all", name, model.Nearest(name, names))
}

// completeSpecs completes the names of models.
func (a *app) completeSpecs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var words []string
	if len(args) == 0 {
		for _, s := range a.specs {
			words = append(words, cobra.CompletionWithDesc(s.Name, s.Title))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	if s, err := a.spec(args[0]); err == nil {
		for _, p := range s.Params {
			words = append(words, cobra.CompletionWithDesc(p.Name+"=", p.Doc))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
