// Package store keeps a search on disk: the codes of the visited states in sorted runs, and the states of
// a level with the bytes of all their parts. No file depends on the process that wrote it, nor on the
// machine.
//
// A search goes level by level. The states of its level are in files, one per shard, sorted by code: the
// frontier. Two kinds of tasks lead to the next level. An expansion reads files of the frontier and writes
// the successors as sorted runs, one or several per shard. It needs the model: explore.Expander does it. A
// merge reads the runs of one shard and its visited codes, drops known states, and writes the others as
// frontier of the next level, with their codes. It needs no model: [Merge] does it. Both depend only on their
// input, write files that appear whole or not at all, and may be done twice, even at the same time. A
// [Search] lists the files that belong to it; other files are ignored.
//
// Delayed duplicate detection, which compares a whole level with the visited states at once, is due to
// Korf (AAAI 2004). Mur-phi has sorted runs on disk (Stern and Dill, CAV 1998).
package store

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"github.com/atmostk/atmostk/model/usage"
)

// Files store the files of a search, in a directory or, in other modules, in a bucket. A name
// is a path with slashes. All methods may be called by several goroutines.
type Files interface {
	// Create returns a file for writing. When it is committed, it replaces a file of that name.
	Create(name string) (File, error)
	// Open returns a file for reading. The error is fs.ErrNotExist if it does not exist.
	Open(name string) (io.ReadCloser, error)
	// Remove removes a file, or all files of a folder. A missing one is no error.
	Remove(name string) error
}

// A File is a file for writing. It appears, whole, when Commit returns without an error, and otherwise
// never. Discard does nothing after Commit.
type File interface {
	io.Writer
	Commit() error
	Discard()
}

// A Dir is a directory of files.
type Dir string

// Create creates a file, and its parent directories.
func (d Dir) Create(name string) (File, error) {
	path := filepath.Join(string(d), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	part := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-"+rand.Text()[:10]+".part")
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &diskFile{f, path, false}, nil
}

// Open opens a file.
func (d Dir) Open(name string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(d), filepath.FromSlash(name)))
}

// Remove removes a file or a folder.
func (d Dir) Remove(name string) error {
	return os.RemoveAll(filepath.Join(string(d), filepath.FromSlash(name)))
}

// Keep removes the files of searches that are not among the named ones.
func (d Dir) Keep(names []string) (err error) {
	for _, pattern := range []string{"level-*/candidates", "level-*/*.states*", "visited-*/*.codes*",
		"memos/*.memos*", "." + SearchFile + "-*.part"} {
		found, _ := fs.Glob(os.DirFS(string(d)), pattern) // the pattern is well-formed
		for _, name := range found {
			if !slices.Contains(names, name) {
				err = cmp.Or(err, d.Remove(name))
				_ = os.Remove(filepath.Join(string(d), filepath.Dir(name))) // if it is empty now
			}
		}
	}
	return err
}

// Sync makes the system write committed files to the disk, so that they survive a crash of the system.
// Without Sync they survive only a crash of the process.
func (d Dir) Sync(names []string) (err error) {
	for _, name := range names {
		f, failed := os.Open(filepath.Join(string(d), filepath.FromSlash(name)))
		if failed == nil {
			failed = errors.Join(f.Sync(), f.Close())
		}
		err = cmp.Or(err, failed)
	}
	return err
}

// A diskFile is written beside its place, and moved there.
type diskFile struct {
	*os.File
	path  string
	ended bool
}

func (f *diskFile) Commit() error {
	f.ended = true
	err := f.Close()
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) { // a PathError, like the other methods
		err = &fs.PathError{Op: link.Op, Path: link.New, Err: link.Err}
	}
	if err != nil {
		_ = os.Remove(f.Name()) // its error matters less than err
		return fmt.Errorf("%s was not written: %w", f.path, err)
	}
	return nil
}

func (f *diskFile) Discard() {
	if !f.ended {
		f.ended = true
		_ = errors.Join(f.Close(), os.Remove(f.Name())) // nothing reads the file
	}
}

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
	if _, err = os.Stat(string(d)); !resume {
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
