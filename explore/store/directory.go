package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/atmostk/atmostk/model/usage"
)

// LockFile is the name of the file whose lock reserves a directory for one process. The file stays and has no
// meaning by itself: the system releases the lock when the process ends, for any reason.
const LockFile = ".lock"

// Begun reports whether a search was begun in the directory, even if nothing was saved yet.
func (d Dir) Begun() bool {
	_, err := os.Stat(filepath.Join(string(d), LockFile))
	return err == nil
}

// Hold keeps other processes from searching in the directory until release is called. Unless resume is set it
// creates the directory. The error is a *usage.Error if another process has its search there, or if the
// directory to resume from does not exist. A system without locks cannot run a second process either.
func (d Dir) Hold(resume bool) (release func(), err error) {
	if resume {
		_, err = os.Stat(string(d))
	} else {
		err = os.MkdirAll(string(d), 0o777)
	}
	switch {
	case resume && Missing(err):
		return nil, d.noSearch()
	case err != nil:
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
		return nil, usage.Errorf("another process has its search in %s: wait until it has ended, or take "+
			"another directory", string(d))
	}
	return func() { _ = lock.Close() }, nil // after an error the end of the process releases the lock
}

func (d Dir) noSearch() error { return usage.Errorf("there is no search in %s", d) }

// Find loads the search of a model in the directory. With resume the search has to exist. Without resume it
// must not exist, and the result is nil.
func (d Dir) Find(model string, resume bool) (*Search, error) {
	at, err := Load(d)
	switch missing := Missing(err); {
	case missing && resume:
		return nil, d.noSearch()
	case missing:
		return nil, nil
	case err != nil:
		return nil, err
	case !resume:
		return nil, usage.Errorf("there is a search in %s already: resume goes on with it; another one "+
			"needs another directory", d)
	case at.Model != model:
		return nil, usage.Errorf("the search in %s is of a model that was changed since, or asks for other "+
			"properties", d)
	}
	return at, nil
}
