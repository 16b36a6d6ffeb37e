package distributed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

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

// TestUse: what the program says can be done, and words that are refused before anything is begun.
func TestUse(t *testing.T) {
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1") // nobody is there
	for args, want := range map[string]struct {
		code int
		said string
	}{
		"replay --help":                               {0, "atmostk-cluster replay [FILE]"},
		"explore --help":                              {0, "Serves a page"},
		"check die-hard --id ..":                      {64, "--id=.."},
		"check die-hard --id ../x":                    {64, "--id=../x"},
		"check die-hard --id .":                       {64, "--id=."},
		"check die-hard --id /x":                      {64, "--id=/x"},
		"check die-hard --id a//b":                    {64, "--id=a//b"},
		"check die-hard --id a/b":                     {74, "no engine"},
		"check die-hard --dev 65":                     {64, "--dev=65"},
		"check die-hard --dev 1 --worker-memory much": {64, "--worker-memory=much is not a size"},
	} {
		server := func(string, int) (string, error) { return "", errors.New("an engine was started") }
		var out bytes.Buffer
		code := Program(server, &out).Run(context.Background(),
			files(args, t.TempDir()), strings.NewReader(""), &out, &out)
		if code != want.code || !strings.Contains(out.String(), want.said) {
			t.Errorf("%s: %d, want %d:\n%s", args, code, want.code, out.String())
		}
	}
}

// files adds the place of files to the words of check.
func files(args, dir string) []string {
	words := strings.Fields(args)
	if words[0] == "check" {
		words = append(words, "--files", dir)
	}
	return words
}

// TestOrphanedWorkerEnds: a worker that was started by check --dev ends with it, also if it waits for the
// engine.
func TestOrphanedWorkerEnds(t *testing.T) {
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1") // nobody is there
	t.Setenv(orphan, "1")
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func(was *os.File) { os.Stdin = was }(os.Stdin)
	os.Stdin = in
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	args := []string{"worker", "--files", t.TempDir()}
	if Program(nil, io.Discard).Run(ctx, args, in, io.Discard, io.Discard); ctx.Err() != nil {
		t.Error("it waits for ever")
	}
}

// TestLeftSearch: after a signal a search goes on, unless its engine and workers ended with check --dev.
func TestLeftSearch(t *testing.T) {
	c := &Cluster{}
	for dev, want := range []string{"goes on without this process", "stopped with this process"} {
		c.flags.dev = dev
		if err := c.left(&Job{Folder: "one"}); !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
}
