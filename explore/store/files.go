package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Files are where a search has its files: a directory here, a bucket elsewhere. A name is a
// path with slashes. All methods may be used by several goroutines.
type Files interface {
	// Create returns a file to be written, which replaces one of that name when it is committed.
	Create(name string) (File, error)
	// Open returns a file to be read. A file that is not there is fs.ErrNotExist.
	Open(name string) (io.ReadCloser, error)
	// Remove removes a file, or all files of a folder. A missing one is no error.
	Remove(name string) error
}

// A File is being written. It is there, whole, once Commit has returned without an error, and else is
// not; Discard does nothing after Commit.
type File interface {
	io.Writer
	Commit() error
	Discard()
}

// A Dir is a directory of files.
type Dir string

// Create creates a file, and the directories that it lies in.
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

// Sync has the system write files to the disk that were committed, so that they survive its crash as well:
// a crash of the process they survive anyway.
func (d Dir) Sync(names []string) error {
	for _, name := range names {
		f, err := os.Open(filepath.Join(string(d), filepath.FromSlash(name)))
		if err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	if link := (*os.LinkError)(nil); errors.As(err, &link) { // as all other methods name the file
		err = &fs.PathError{Op: link.Op, Path: link.New, Err: link.Err}
	}
	if err != nil {
		_ = os.Remove(f.Name()) // of the two errors the first is the cause
		return fmt.Errorf("%s was not written: %w", f.path, err)
	}
	return nil
}

func (f *diskFile) Discard() {
	if !f.ended {
		f.ended = true
		_ = errors.Join(f.Close(), os.Remove(f.Name())) // it is not read
	}
}
