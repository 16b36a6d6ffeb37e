package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestCommitWithoutDirectory: a file whose directory was removed while it was written is a missing file by
// its path, whichever call finds that out.
func TestCommitWithoutDirectory(t *testing.T) {
	root := filepath.Join(t.TempDir(), "search")
	f, err := Dir(root).Create("level-000001/a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	var path *fs.PathError
	if err := f.Commit(); !errors.As(err, &path) || !Missing(err) {
		t.Errorf("got %v, want a missing file with its path", err)
	}
}

// TestUncommittedFileIsNotThere: a file is there once it is committed, and neither before nor when it was
// discarded; nothing is left beside it.
func TestUncommittedFileIsNotThere(t *testing.T) {
	root := t.TempDir()
	for _, commit := range []bool{false, true} {
		f, err := Dir(root).Create("a")
		if err == nil {
			_, err = f.Write([]byte("text"))
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Dir(root).Open("a"); !Missing(err) {
			t.Errorf("before it ends: %v", err)
		}
		if commit {
			err = f.Commit()
		}
		f.Discard()
		names, _ := filepath.Glob(filepath.Join(root, "*"))
		hidden, _ := filepath.Glob(filepath.Join(root, ".*"))
		if err != nil || commit != (len(names) == 1) || len(hidden) > 0 {
			t.Errorf("committed: %t, %v; there are %v and %v", commit, err, names, hidden)
		}
	}
}

// A syncing counts the syncs of files before they are committed.
type syncing struct {
	Dir
	*diskFile
	syncs int
}

func (s *syncing) Create(name string) (File, error) {
	f, err := s.Dir.Create(name)
	if err == nil {
		s.diskFile = f.(*diskFile)
	}
	return s, err
}

func (s *syncing) Sync() error {
	s.syncs++
	return s.diskFile.Sync()
}

func (s *syncing) Open(name string) (io.ReadCloser, error) { return s.Dir.Open(name) }

func (s *syncing) Remove(name string) error { return s.Dir.Remove(name) }

// TestSavedSearchIsOnTheDisk: what replaces a saved search is on the disk before, because the files that only
// the former one names are removed then.
func TestSavedSearchIsOnTheDisk(t *testing.T) {
	files := &syncing{Dir: Dir(t.TempDir())}
	if err := NewSearch("model", 2).Save(files); err != nil || files.syncs != 1 {
		t.Errorf("%d syncs, %v", files.syncs, err)
	}
	if at, err := Load(files); err != nil || at.Model != "model" {
		t.Errorf("%+v, %v", at, err)
	}
}

// TestCountsOfTasks: what one task saw change, or met, has changed, and was met.
func TestCountsOfTasks(t *testing.T) {
	var all Counts
	for _, task := range []Counts{{Unused: true}, {Covered: true, Unused: true, Unchanged: []string{"x", "y"},
		Unmet: []string{"p: never", "q: never"}}, {Covered: true, Unchanged: []string{"y", "z"},
		Unmet: []string{"q: never"}}, {}} {
		all.Add(&task)
	}
	if got := fmt.Sprint(all.Unchanged, all.Unmet); got != "[y] [q: never]" || !all.Covered || all.Unused {
		t.Errorf("%+v", all)
	}
}
