package term

import (
	"context"
	"errors"
	"os"
)

// Exit codes of a process that a signal ended, as a shell has them.
const (
	ExitInterrupted = 130 // SIGINT
	ExitTerminated  = 143 // SIGTERM or SIGHUP
)

// A signalled context was ended by a signal; this is its cause.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

func (s signalled) code() int {
	if s.Signal == os.Interrupt {
		return ExitInterrupted
	}
	return ExitTerminated
}

// Interrupted returns the exit code for a context that a signal or a caller ended; 0 for others, also after a
// deadline.
func Interrupted(ctx context.Context) int {
	var s signalled
	switch err := context.Cause(ctx); {
	case errors.As(err, &s):
		return s.code()
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	}
	return 0
}
