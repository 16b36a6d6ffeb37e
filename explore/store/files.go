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

// Sync makes the system write committed files to the disk, so that they survive a crash of the system.
// Without Sync they survive only a crash of the process.
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
