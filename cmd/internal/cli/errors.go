package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// Exit codes; scripts rely on them. A process that a signal ended has one of package term.
const (
	exitHolds    = 0  // all properties hold and the exploration is complete
	exitViolated = 1  // some property is violated
	exitUnknown  = 2  // a limit was reached and nothing was violated
	exitInput    = 3  // unusable input: a log, a trace file, a model
	exitDeparts  = 4  // a replayed trace does not reproduce
	exitUsage    = 64 // wrong use of the command
	exitModel    = 65 // the model itself is at fault
	exitInternal = 70 // internal error
	exitWrite    = 74 // something could not be written
)

// A failure is an error that has an exit code of its own.
type failure struct {
	error
	code int
}

// Unwrap returns nothing of an error in the input: a model in it that is at fault decides no exit code.
func (f failure) Unwrap() error {
	if f.code == exitInput {
		return nil
	}
	return f.error
}

// badInput is the failure to use a file that the command has to read.
func badInput(err error) error { return failure{err, exitInput} }

// badOutput is the failure to write a file or a report.
func badOutput(err error) error { return failure{err, exitWrite} }

// panicked is the failure of this program that showed as a panic, with the stack of the goroutine.
func panicked(value any) error {
	return failure{fmt.Errorf("%w: %v\n\n%s", explore.ErrInternal, value, debug.Stack()), exitInternal}
}

// exitCode returns the exit code for an error. Errors of cobra are wrong use, too: unknown verbs, wrong
// numbers of arguments.
func exitCode(err error) int {
	var own failure
	var mistake *model.Error
	switch {
	case errors.As(err, &own):
		return own.code
	case errors.As(err, &mistake):
		return exitModel
	case errors.Is(err, explore.ErrInternal):
		return exitInternal
	}
	return exitUsage
}

// worded returns the text of an error, with flags where a library names options.
func worded(err error) string {
	var named interface {
		error
		With(given func(usage.Option) string) string
	}
	within, own := err, failure{}
	if errors.As(err, &own) {
		within = own.error
	}
	if !errors.As(within, &named) {
		return err.Error()
	}
	return strings.Replace(err.Error(), named.Error(), named.With(report.Flagged), 1)
}
