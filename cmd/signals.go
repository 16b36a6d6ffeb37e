package cmd

import (
	"context"
	"errors"
	"os"
	"time"
)

// grace is how long a verb has, after a signal, to report what it has.
const grace = 800 * time.Millisecond

// lastWords is how long it may take then to write what is wrong.
const lastWords = 100 * time.Millisecond

// A signalled context was ended by a signal; this is its cause.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

// code is what the process exits with, as a shell has it.
func (s signalled) code() int {
	if s.Signal == os.Interrupt {
		return exitInterrupted
	}
	return exitTerminated
}

// interrupted returns the exit code for a context that somebody ended; 0 if nobody did, a
// deadline included.
func interrupted(ctx context.Context) int {
	var s signalled
	switch err := context.Cause(ctx); {
	case errors.As(err, &s):
		return s.code()
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return 0
}

// An interruptError says what a verb has that was interrupted and has no report.
type interruptError struct {
	error
	code int
}
