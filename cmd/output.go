package cmd

import (
	"errors"
	"io"
	"os"
	"sync"
)

// An output is where a verb writes. It remembers the first error, which most who write do not
// look at, and can be closed to verbs that are left behind.
type output struct {
	w       io.Writer
	writing sync.Mutex // held while something is written, which takes for ever if nobody reads
	mu      sync.Mutex // of err
	err     error
}

var errClosed = errors.New("the command has ended")

// Write writes, unless that has failed before.
func (o *output) Write(b []byte) (n int, err error) {
	o.writing.Lock()
	defer o.writing.Unlock()
	if err := o.failed(); err != nil {
		return 0, err
	}
	if n, err = o.w.Write(b); err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = err
	}
	return n, err
}

// failed returns the first error.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// close makes all further writing fail, and returns the first error before that. It does not wait for what
// is being written.
func (o *output) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.err
	o.err = errClosed
	return err
}

// terminal reports whether the output is shown on a terminal.
func (o *output) terminal() bool {
	f, ok := o.w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A writeError is an error of writing what was asked for.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }
