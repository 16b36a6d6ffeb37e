package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// LockFile is the name of the file by which one process holds a directory. It stays, and means nothing by
// itself: the system lets go of it with the process, however that ends.
const LockFile = ".lock"

// A HeldError says that another process has its search in the directory.
type HeldError struct{ Dir Dir }

func (e *HeldError) Error() string {
	return fmt.Sprintf("another process has its search in %s: wait until it has ended, or take another "+
		"directory", string(e.Dir))
}

// Begun reports whether a search was begun in the directory, be anything of it written down or not.
func (d Dir) Begun() bool {
	_, err := os.Stat(filepath.Join(string(d), LockFile))
	return err == nil
}

// Hold keeps other processes from searching in the directory until release is called. It returns a *HeldError
// where another one does. Begin: the directory is created; else one that is not there is fs.ErrNotExist.
// Where the system has no locks, it has no second process either.
func (d Dir) Hold(begin bool) (release func(), err error) {
	if begin {
		err = os.MkdirAll(string(d), 0o777)
	} else {
		_, err = os.Stat(string(d))
	}
	if err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(string(d), LockFile))
	held, err := lock.TryLock()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return func() {}, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", string(d), err)
	case !held:
		return nil, &HeldError{d}
	}
	return func() { _ = lock.Close() }, nil // the process has no use for it, and its end lets go of it anyway
}
