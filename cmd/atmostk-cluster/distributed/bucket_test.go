package distributed

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"testing"

	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/model/usage"
)

// TestDirectoriesAndBucketsAreFiles: both satisfy store.Files.
func TestDirectoriesAndBucketsAreFiles(t *testing.T) {
	ctx := context.Background()
	bucket := &Files{bucket: memblob.OpenBucket(nil)}
	dir, err := OpenFiles(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, all := range []*Files{bucket, dir} {
		files := all.In(ctx, "search")
		write := func(name, content string, commit bool) {
			f, err := files.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Discard()
			if _, err := io.WriteString(f, content); err != nil {
				t.Fatal(err)
			}
			if commit {
				if err := f.Commit(); err != nil {
					t.Fatal(err)
				}
			}
		}
		content := func(name string) string {
			r, err := files.Open(name)
			if errors.Is(err, fs.ErrNotExist) {
				return "-"
			}
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(r)
			if err = errors.Join(err, r.Close()); err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		write("a/b", "one", true)
		write("a/b", "two", false)
		write("a/c", "three", false)
		write("ab", "four", true)
		if b, c := content("a/b"), content("a/c"); b != "one" || c != "-" {
			t.Errorf("%d: %s %s", i, b, c)
		}
		write("a/b", "five", true)
		if b := content("a/b"); b != "five" {
			t.Errorf("%d: %s", i, b)
		}
		for _, name := range []string{"a", "a", "nothing"} {
			if err := files.Remove(name); err != nil {
				t.Error(err)
			}
		}
		if b, ab := content("a/b"), content("ab"); b != "-" || ab != "four" {
			t.Errorf("%d: %s %s", i, b, ab)
		}
		if err := all.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWrongPlaceIsMisuse: a place that cannot hold files is a usage error.
func TestWrongPlaceIsMisuse(t *testing.T) {
	for _, place := range []string{"", "file://host/dir", "ftp://host/dir", "s3://", "a\x00b",
		"file:///dev/null/x"} {
		if _, err := OpenFiles(context.Background(), place); !errors.As(err, new(*usage.Error)) {
			t.Errorf("%q: %v", place, err)
		}
	}
}
