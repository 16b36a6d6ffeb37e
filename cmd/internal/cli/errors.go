package cli

import (
	"errors"
	"fmt"
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

// An inputError is an error in what the command was given to read. It does not unwrap: its exit code is its
// own.
type inputError struct{ error }

// A writeError is an error of writing what was asked for.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

// A departError is the finding that a trace does not reproduce.
type departError struct{ error }

// An interruptError says what an interrupted verb has that has no report.
type interruptError struct {
	error
	code int
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

// exitCode returns the exit code for an error.
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
	return exitUsage // the rest are cobra's own: unknown verbs, wrong numbers of arguments
}

// worded returns the text of an error, with flags where a library names options.
func worded(err error) string {
	var named interface {
		error
		With(given func(usage.Option) string) string
	}
	within, input := err, inputError{}
	if errors.As(err, &input) {
		within = input.error
	}
	if !errors.As(within, &named) {
		return err.Error()
	}
	return strings.Replace(err.Error(), named.Error(), named.With(report.Flagged), 1)
}
