package distributed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

const counterText = `"""A counter."""
load("parts/most.star", "most")
def up(s):
    when(s.x < most)
    s.x += 1
system(state = record(x = range(9)), actions = [up], properties = [invariant("i", lambda s: s.x < 9)])
`

// writeModel writes a model of two files into a folder.
func writeModel(t *testing.T, dir, most string) (path string) {
	t.Helper()
	path = filepath.Join(dir, "counter.star")
	for name, text := range map[string]string{path: counterText,
		filepath.Join(dir, "parts", "most.star"): "most = " + most + "\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestWorkerRefusesOtherText: a worker makes the model of the text among the files of the search, with the
// file that it loads, and without the files of its own machine. It refuses a text of another digest.
func TestWorkerRefusesOtherText(t *testing.T) {
	ctx := context.Background()
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	path := writeModel(t, t.TempDir(), "5")
	in, err := instance(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{files: files}
	j := Job{Program: program, Model: explore.Digest(in, explore.Options{}), Args: []string{path}, Shards: 2}
	c.name(in, &j)
	if err := c.sendText(ctx, &j); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(j.Folder, "counter-"+in.Text+"-") || len(in.Text) != 32 {
		t.Errorf("the job is named %s", j.Folder)
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil { // the workers are on other machines
		t.Fatal(err)
	}
	r := newTrial(t, files)
	if end, err := r.run(j); err != nil || end.Search.States() != 6 {
		t.Fatalf("%v: %+v", err, end)
	}
	whole, err := files.bucket.ReadAll(ctx, j.Folder+"/"+textFile(j.Text))
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(whole), "most = 5", "most = 6", 1)
	for i, text := range []string{other, "{", ""} { // another text, no text, no file
		j.Folder = fmt.Sprint("other", i)
		name := j.Folder + "/" + textFile(j.Text)
		if err := files.bucket.WriteAll(ctx, name, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			if err := files.bucket.Delete(ctx, name); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := newTrial(t, files).run(j); !errors.As(err, new(*store.DamagedError)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBuiltInModelTravelsAsItsName: a built-in model is no file of the search, though it is loaded from a
// text.
func TestBuiltInModelTravelsAsItsName(t *testing.T) {
	in, err := instance("die-hard")
	if err != nil || in.Text == "" {
		t.Fatal(err, "it has no text")
	}
	c, j := &Cluster{files: &Files{bucket: memblob.OpenBucket(nil)}}, Job{Args: []string{"die-hard"}}
	defer func() { _ = c.files.Close() }()
	c.name(in, &j)
	if err := c.sendText(t.Context(), &j); err != nil || j.Text != "" ||
		len(j.Folder) != len("die-hard-abcdef") {
		t.Errorf("%v: %+v", err, j)
	}
	if all := c.files.bucket.List(nil); all != nil {
		if o, _ := all.Next(t.Context()); o != nil {
			t.Errorf("there is a file %s", o.Key)
		}
	}
}

// TestChangedTextIsAnotherSearch: a change in a loaded file, and be it in a comment, gives another digest.
func TestChangedTextIsAnotherSearch(t *testing.T) {
	dir, known := t.TempDir(), map[string]bool{}
	for _, most := range []string{"5", "6", "6  # no more"} {
		in, err := instance(writeModel(t, dir, most))
		if err != nil {
			t.Fatal(err)
		}
		known[explore.Digest(in, explore.Options{})] = true
	}
	if len(known) != 3 {
		t.Errorf("%d digests", len(known))
	}
	before, err := starfile.ReadSource(filepath.Join(dir, "counter.star"))
	if err != nil || len(before) != 2 || before["parts/most.star"] != "most = 6  # no more\n" {
		t.Errorf("%v: %q", err, before)
	}
}
