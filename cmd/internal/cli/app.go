// Package cli contains the verbs of the command: each reads its flags and calls the libraries.
package cli

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

type app struct {
	Program
	in         io.Reader
	out, diag  *term.Output
	code       int           // exit code, unless there is an error
	verdict    string        // printed on the diagnostic output if standard output cannot be written
	status     atomic.Value  // string: the activity of the verb, for the message after a signal
	abandoned  atomic.Value  // abandoned: the result so far, in case the verb does not end after a signal
	late       chan struct{} // closed when the verb has to be abandoned, as its time is over
	mustFinish atomic.Bool   // the verb may take longer than the grace period to write its results
	colour     string        // --color
	delay      time.Duration // --progress
	texts      embed.FS      // the files of help
}

// abandoned is the result of a verb that does not end after a signal: a code, a text after "interrupted".
type abandoned struct {
	code    int
	results string
}

// interrupt returns the error of an interrupted verb; results "": its abandoned result, or its status.
func (a *app) interrupt(ctx context.Context, results string) error {
	if left, ok := a.abandoned.Load().(abandoned); ok && results == "" {
		return failure{errors.New("interrupted " + left.results), left.code}
	}
	results = cmp.Or(results, fmt.Sprintf("while %s; there is nothing to report yet", a.status.Load()))
	return failure{errors.New("interrupted " + results), term.Interrupted(ctx)}
}

// The time after a signal for a verb to report its results, and then to print an error.
const (
	grace      = 800 * time.Millisecond
	errorGrace = 100 * time.Millisecond
)

// conclude prints an error, and the verdict if standard output could not be written. It waits until the error
// is written, or until hurry (nil: no limit), and returns the exit code.
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
		if err != nil && !errors.Is(err, unwritten) {
			a.explain(err)
		}
		if unwritten != nil {
			printable.Fprintln(a.diag, a.Name+": standard output:", unwritten)
		}
		if a.verdict != "" && code == exitWrite {
			printable.Fprintln(a.diag, a.Name+": the result is:", a.verdict)
		}
		_ = a.diag.Close() // no output is left to report an error to
	}()
	select {
	case <-printed:
	case <-hurry:
	}
	return code
}

// explain prints an error for people.
func (a *app) explain(err error) {
	var several interface{ Lines() string } // several errors, a line each
	switch {
	case exitCode(err) == exitInternal: // it may end with a stack
		printable.Fprintln(a.diag, a.Name+":", printable.Lines(err.Error()))
		return
	case errors.As(err, &several):
		printable.Fprintln(a.diag, a.Name+":", printable.Lines(several.Lines()))
		return
	}
	printable.Fprintln(a.diag, a.Name+":", withFlags(err))
	if mistake, is := errors.AsType[*model.Error](err); is {
		report.ErrorDetails(a.diag, mistake)
	}
}

// offer sets the words that shell completion offers as values of a flag.
func offer(c *cobra.Command, flag string, words ...string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words,
		cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}

// Exit codes; scripts rely on them. After a signal the code is one of package term.
const (
	exitHolds    = 0  // all properties hold and the exploration is complete
	exitViolated = 1  // some property is violated
	exitUnknown  = 2  // a limit was reached and nothing was violated
	exitInput    = 3  // unusable input: a log, a trace file, a model
	exitDeparts  = 4  // a replayed trace does not reproduce
	exitUsage    = 64 // wrong use of the command
	exitModel    = 65 // the model itself is wrong
	exitInternal = 70 // internal error
	exitWrite    = 74 // something could not be written
)

// codeOf returns the exit code of a verdict on a model or a log; "": nothing was judged. An undecided verdict
// has the code of the signal that interrupted the context, if there was one.
func codeOf[V ~string](ctx context.Context, verdict V) int {
	switch verdict {
	case "", "holds", "accepted":
		return exitHolds
	case "violated", "rejected":
		return exitViolated
	case "model error":
		return exitModel
	}
	return cmp.Or(term.Interrupted(ctx), exitUnknown)
}

// A failure is an error with its own exit code.
type failure struct {
	error
	code int
}

func (f failure) Unwrap() error { return f.error }

// badInput is the failure to read or use an input file.
func badInput(err error) error { return failure{err, exitInput} }

// badOutput is the failure to write a file or a report.
func badOutput(err error) error { return failure{err, exitWrite} }

// exitCode returns the exit code for an error. Errors of cobra, such as unknown verbs, are wrong use.
func exitCode(err error) int {
	var own failure
	var mistake *model.Error
	switch {
	case errors.As(err, &mistake): // whatever it kept from being read or written
		return map[bool]int{true: exitUnknown, false: exitModel}[mistake.Stopped]
	case errors.As(err, &own):
		return own.code
	case errors.Is(err, explore.ErrInternal):
		return exitInternal
	}
	return exitUsage
}

// withFlags returns the text of an error, with flags in place of the options that a library names.
func withFlags(err error) string {
	var named interface {
		error
		With(given func(usage.Option) string) string
	}
	within := err
	if own, is := errors.AsType[failure](err); is {
		within = own.error
	}
	if !errors.As(within, &named) {
		return err.Error()
	}
	return strings.Replace(err.Error(), named.Error(), named.With(report.Flagged), 1)
}

// A Program is cmd.Program.
type Program struct {
	models.Set
	Remote RemoteSearcher
}

// A RemoteSearcher explores instances in other processes, for the verb check. Reports and exit codes stay the
// same.
type RemoteSearcher interface {
	// Extend adds flags and verbs to the command, and removes flags that do not apply. program is the
	// name and version.
	Extend(program string, root *cobra.Command)
	// Explore is explore.Run of an instance.
	Explore(ctx context.Context, q Question) (*explore.Report, error)
}

// A Question is an instance to be explored.
type Question struct {
	Args     []string
	Instance model.Instance  // from the model and the parameters in Args
	Options  explore.Options // Store.About is stored with the search, for resuming it
}
