package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
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
	exitWrite       = 74  // something could not be written
	exitInterrupted = 130 // ended by SIGINT
	exitTerminated  = 143 // ended by SIGTERM or SIGHUP
)

// app is one run of the command.
type app struct {
	Program
	in        io.Reader
	out, diag *output
	code      int           // exit code where nothing went wrong
	verdict   string        // to be told even if it cannot be written where it should be
	busy      atomic.Value  // string: what the verb is doing, where it does not report by itself
	left      atomic.Value  // leftBehind: what is to be said if the verb does not end
	unhurried atomic.Bool   // what the verb has when it is interrupted takes its time to be written
	colour    string        // --color
	patience  time.Duration // --progress
}

// A leftBehind is what is said of a verb that does not end when a signal comes: the exit code, and what it
// has done so far.
type leftBehind struct {
	code int
	has  string
}

// A panicError is a mistake in this program that showed as a panic.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("%v: %v\n\n%s", explore.ErrInternal, e.value, e.stack)
}

// Unwrap makes it an internal error.
func (e *panicError) Unwrap() error { return explore.ErrInternal }

// execute carries out the verb that the arguments name, and leaves in err what goes wrong, also if it never
// returns because its goroutine ends.
func (a *app) execute(ctx context.Context, args []string, err *error) {
	var mistake *model.Error // that shows on the way
	defer func() {
		if x := recover(); mistake != nil {
			*err = mistake
		} else if x != nil {
			*err = &panicError{x, debug.Stack()}
		}
	}()
	returned := false
	defer model.Catch(&mistake, &returned)
	*err = a.carryOut(ctx, args)
	returned = true
}

// carryOut is execute, as long as nothing panics.
func (a *app) carryOut(ctx context.Context, args []string) error {
	if err := a.Program.check(); err != nil {
		return err
	}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.diag)
	return root.ExecuteContext(ctx)
}

// interrupt is the error of a verb that was interrupted and has nothing to report but the
// given; "": nothing but what it was doing.
func (a *app) interrupt(ctx context.Context, has string) error {
	if left, ok := a.left.Load().(leftBehind); ok && has == "" {
		return interruptError{errors.New("interrupted " + left.has), left.code}
	}
	if has == "" {
		has = fmt.Sprintf("while %s; there is nothing to report yet", a.busy.Load())
	}
	return interruptError{errors.New("interrupted " + has), interrupted(ctx)}
}

// conclude says what went wrong, and returns the exit code. It waits until that is read, or until hurry,
// if it is not nil.
func (a *app) conclude(err error, hurry <-chan time.Time) int {
	unwritten := a.out.close()
	code := a.code
	if err != nil && !errors.Is(err, unwritten) {
		code = exitCode(err)
	}
	if unwritten != nil && code != exitInterrupted && code != exitTerminated {
		code = exitWrite
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		a.lastWords(err, unwritten, code)
	}()
	select {
	case <-told:
	case <-hurry:
	}
	return code
}

// lastWords says what went wrong. Where the verdict could not be written, it is told here.
func (a *app) lastWords(err, unwritten error, code int) {
	if err != nil && !errors.Is(err, unwritten) {
		a.explain(err)
	}
	if unwritten != nil {
		printable.Fprintln(a.diag, a.Name+": standard output:", unwritten)
	}
	if a.verdict != "" && code == exitWrite {
		printable.Fprintln(a.diag, a.Name+": the result is:", a.verdict)
	}
	_ = a.diag.close() // nobody is left to be told
}

// explain writes an error for a person.
func (a *app) explain(err error) {
	var panicked *panicError
	if errors.As(err, &panicked) {
		printable.Fprintln(a.diag, a.Name+":", printable.Lines(err.Error()))
		return
	}
	var several interface{ Lines() string } // each has its own place
	if errors.As(err, &several) {
		printable.Fprintln(a.diag, a.Name+":", printable.Lines(several.Lines()))
		return
	}
	printable.Fprintln(a.diag, a.Name+":", worded(err))
	var mistake *model.Error
	if !errors.As(err, &mistake) {
		return
	}
	for _, line := range [][2]string{
		{"in state", mistake.State}, {"once", mistake.First}, {"again", mistake.Second},
	} {
		if line[1] != "" {
			printable.Fprintf(a.diag, "  %s %s\n", line[0], line[1])
		}
	}
}

func (a *app) root() *cobra.Command {
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
			printable.Fprintf(a.out,
				"%s: %s\n\nTry:\n%s\n\n`%[1]s help` lists all verbs, `%[1]s help VERB` explains one.\n",
				a.Name, c.Short, printable.Lines(c.Example))
			return nil
		},
	}
	root.PersistentFlags().StringVar(&a.colour, "color", "auto",
		"colour the output: auto (on a terminal, unless NO_COLOR is set), always, never")
	root.PersistentFlags().DurationVar(&a.patience, "progress", time.Second,
		"tell on standard error how far a search is, once it takes longer than this; 0: never")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.busy.Store("carrying out " + c.CommandPath())
		if a.patience < 0 {
			return usage.Errorf("--progress=%v: allowed are 0, for never, and more", a.patience)
		}
		return a.setColour()
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.Errorf("%v", err) })
	root.AddCommand(
		a.check(),
		a.resume(),
		a.replay(),
		a.scenario(),
		a.list(),
		a.show(),
		a.lint(),
		a.version(),
	)
	root.AddCommand(a.ofMachines()...)
	if a.Elsewhere != nil {
		a.Elsewhere.Extend(a.tool(), root)
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

// inputError is an error in what the command was given to read.
type inputError struct{ error }

// flagged writes an option as the command line has it.
func flagged(o usage.Option) string { return "--" + string(o) }

// worded returns what an error says, with flags where a library names options.
func worded(err error) string {
	var named interface {
		error
		With(given func(usage.Option) string) string
	}
	within, input := err, inputError{}
	if errors.As(err, &input) { // which does not unwrap: its exit code is its own
		within = input.error
	}
	if !errors.As(within, &named) {
		return err.Error()
	}
	return strings.Replace(err.Error(), named.Error(), named.With(flagged), 1)
}

func exitCode(err error) int {
	var misuse *usage.Error
	var input inputError
	var departs departError
	var mistake *model.Error
	var interrupted interruptError
	switch {
	case errors.As(err, &interrupted):
		return interrupted.code
	case errors.As(err, &mistake):
		return exitModel
	case errors.As(err, new(writeError)):
		return exitWrite
	case errors.Is(err, explore.ErrInternal):
		return exitInternal
	case errors.As(err, &departs):
		return exitDeparts
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &misuse):
		return exitUsage
	}
	return exitUsage // what is left are cobra's own: unknown verbs, wrong numbers of arguments
}
