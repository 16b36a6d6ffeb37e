package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/printable"
)

// app is one run of the command.
type app struct {
	Program
	in         io.Reader
	out, diag  *term.Output
	code       int           // exit code where nothing went wrong
	verdict    string        // printed on the diagnostic output if it cannot be written where it should be
	status     atomic.Value  // string: the activity of the verb, where it does not report by itself
	abandoned  atomic.Value  // abandoned: the error of a verb that does not end
	mustFinish atomic.Bool   // an interrupted verb takes its time to write its results
	colour     string        // --color
	delay      time.Duration // --progress

	// nested carries out a command of the same program.
	nested func(ctx context.Context, args []string, out, diag io.Writer) (code int)
}

// abandoned is the error of a verb that does not end when a signal comes: its exit code and its results.
type abandoned struct {
	code int
	has  string
}

// interrupt returns the error of an interrupted verb whose only results are the given ones; "": none but its
// status.
func (a *app) interrupt(ctx context.Context, has string) error {
	if left, ok := a.abandoned.Load().(abandoned); ok && has == "" {
		return failure{errors.New("interrupted " + left.has), left.code}
	}
	if has == "" {
		has = fmt.Sprintf("while %s; there is nothing to report yet", a.status.Load())
	}
	return failure{errors.New("interrupted " + has), term.Interrupted(ctx)}
}

// conclude prints an error and returns the exit code. It waits until the error is read, or until hurry, if it
// is not nil.
func (a *app) conclude(err error, hurry <-chan time.Time) int {
	unwritten := a.out.Close()
	code := a.code
	if err != nil && !errors.Is(err, unwritten) {
		code = exitCode(err)
	}
	if unwritten != nil && code != term.ExitInterrupted && code != term.ExitTerminated {
		code = exitWrite
	}
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		a.lastWords(err, unwritten, code)
	}()
	select {
	case <-printed:
	case <-hurry:
	}
	return code
}

// lastWords prints an error, and the verdict where it could not be written.
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
	_ = a.diag.Close() // nobody is left to report it to
}

// explain writes an error for a person.
func (a *app) explain(err error) {
	var several interface{ Lines() string } // each has its own place
	var mistake *model.Error
	switch {
	case exitCode(err) == exitInternal: // it may end with a stack
		printable.Fprintln(a.diag, a.Name+":", printable.Lines(err.Error()))
		return
	case errors.As(err, &several):
		printable.Fprintln(a.diag, a.Name+":", printable.Lines(several.Lines()))
		return
	}
	printable.Fprintln(a.diag, a.Name+":", worded(err))
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

// offer completes the values of a flag from a list.
func offer(c *cobra.Command, flag string, words ...string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words,
		cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not there
	}
}
