package explore_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// TestDamagedFiles stops a search on disk at a level, changes one byte of one of its files,
// or cuts it off, and goes on with it: that is found, with the file's name. And it goes on, to the same end,
// when the file is as it was.
func TestDamagedFiles(t *testing.T) {
	in, _, err := twoPhase.Instantiate([]string{"n=3"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	opt := explore.Options{KeepGoing: true, Workers: 1, MaxStates: 150,
		Store: explore.Store{Kind: explore.Disk, Dir: dir}}
	if r, err := explore.Run(explore.TwoShards(context.Background()), in, opt); err != nil || r.Complete ||
		r.Verdict != explore.Unknown {
		t.Fatalf("%+v, %v", r, err)
	}
	opt.MaxStates, opt.Store.Resume = 0, true
	saved := contents(t, dir)
	if at, err := store.Load(store.Dir(dir)); err != nil || at.Violated() || at.States() < 20 {
		t.Fatalf("%+v, %v", at, err)
	}
	r := rand.New(rand.NewPCG(1, 23))
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		was := saved[name]
		if name == store.LockFile {
			continue // there is nothing in it
		}
		for i := range 3 {
			is, what := bytes.Clone(was), "flipped"
			if at := r.IntN(len(is)); i == 0 {
				is, what = is[:at], "cut"
			} else {
				is[at] ^= 1 << r.IntN(8)
			}
			restore(t, dir, saved)
			if err := os.WriteFile(filepath.Join(dir, name), is, 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := explore.Run(context.Background(), in, opt)
			var damaged *store.DamagedError
			if err == nil || !errors.As(err, &damaged) && !strings.Contains(err.Error(), "format") ||
				!strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	restore(t, dir, saved)
	other := opt
	other.Properties = []int{0}
	if _, err := explore.Run(context.Background(), in, other); err == nil || !strings.Contains(err.Error(),
		"was changed") {
		t.Errorf("other properties: %v", err)
	}
	got, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got.States != 288 || got.Depth != 11 || got.Verdict != explore.Holds {
		t.Errorf("%d states, depth %d, %s", got.States, got.Depth, got.Verdict)
	}
}

// TestNoFileStays: the directory of a search on disk has the files that the search names, and no others: when
// it ends, at a violation or without one, and when it goes on after a process that was killed. Files of other
// people stay.
func TestNoFileStays(t *testing.T) {
	for _, row := range []struct {
		spec *model.Spec
		args string
		opt  explore.Options
	}{
		{&twoPhase, "n=3", explore.Options{}},
		{&raymond.Spec, "n=2 k=1 rounds=1,1", explore.Options{Properties: []int{0},
			Reduce: model.Reduction{Dead: true, Movers: true}}},
		{&timerfree.Spec, "n=2 k=1 f=0 rounds=1 variant=a order=footnote rp=off", explore.Options{}},
	} {
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		row.opt.Workers, row.opt.Store = 1, explore.Store{Kind: explore.Disk, Dir: dir}
		others := []string{"memos/of a meeting", "level-1/read me"}
		for i, files := range [][]string{others, {
			"level-000001/frontier-000.states", "level-000002/.frontier-000.states-A.part",
			"level-000002/candidates/a",
			"visited-000/.level-000001.codes-A.part", "visited-000/levels-000001-000099.codes",
			"memos/.level-000001-A.memos-B.part", ".search.json-A.part",
		}} {
			for _, name := range files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			row.opt.Store.Resume = i > 0
			if _, err := explore.Run(t.Context(), in, row.opt); err != nil {
				t.Fatal(err)
			}
			at, err := store.Load(store.Dir(dir))
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Sorted(slices.Values(append(append(at.Names(), store.SearchFile, store.LockFile),
				others...)))
			if got := slices.Sorted(maps.Keys(contents(t, dir))); !slices.Equal(got, want) {
				t.Errorf("%s, resumed %t: there are\n%v\nwant\n%v", row.args, i > 0, got, want)
			}
			folders, _ := filepath.Glob(filepath.Join(dir, "level-0*")) // the pattern is well-formed
			if len(folders) > 1 || at.Frontier == nil && len(folders) > 0 {
				t.Errorf("%s, resumed %t: there are %v", row.args, i > 0, folders)
			}
		}
	}
}

// TestReportWritesNoFile: a search with movers that is interrupted within a level reports what it has, and
// leaves only files that it names.
func TestReportWritesNoFile(t *testing.T) {
	in, _, err := raymond.Spec.Instantiate(strings.Fields("n=2 k=1 rounds=1,1"))
	if err != nil {
		t.Fatal(err)
	}
	for first, stopped := 1, true; stopped; first++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		left, dir := first, t.TempDir()
		_, err := explore.Run(explore.StopAt(ctx, func(string) string {
			if left--; left == 0 {
				cancel(errEnough)
			}
			return ""
		}), in, explore.Options{Workers: 1, Reduce: model.Reduction{Dead: true, Movers: true},
			Properties: []int{0}, Store: explore.Store{Kind: explore.Disk, Dir: dir}})
		if err != nil {
			t.Fatal(err)
		}
		stopped = ctx.Err() != nil
		cancel(nil)
		found, _ := filepath.Glob(filepath.Join(dir, "*.memos")) // the pattern is well-formed
		if found != nil {
			t.Errorf("interrupted at %d: %v", first, found)
		}
	}
}

// contents returns all files of a directory.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		all[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// restore makes a directory what it was.
func restore(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// full is a directory that takes no more than so many bytes.
type full struct {
	store.Dir
	left *int
}

var errFull = errors.New("no space left on device")

func (f full) Create(name string) (store.File, error) {
	file, err := f.Dir.Create(name)
	return fullFile{file, f.left}, err
}

type fullFile struct {
	store.File
	left *int
}

func (f fullFile) Write(b []byte) (int, error) {
	if *f.left -= len(b); *f.left < 0 {
		return 0, errFull
	}
	return f.File.Write(b)
}

// TestFullDisk does the tasks of a search in a directory that is full at some point: they say so, and leave
// nothing that counts.
func TestFullDisk(t *testing.T) {
	in, _, err := twoPhase.Instantiate([]string{"n=3"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := explore.NewExpander(in, explore.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Free()
	for bytes := 0; bytes < 6000; bytes += 500 {
		left := bytes
		files := full{store.Dir(t.TempDir()), &left}
		if err := twoLevels(e, files); err != nil && !errors.Is(err, errFull) {
			t.Fatalf("%d bytes: %v", bytes, err)
		} else if err == nil && bytes < 1000 {
			t.Fatalf("%d bytes were enough", bytes)
		}
		for name := range contents(t, string(files.Dir)) {
			if strings.HasSuffix(name, ".part") {
				t.Errorf("%d bytes: %s was left behind", bytes, name)
			}
		}
	}
	var mistake *model.Error
	if _, err := e.Expand(context.Background(), store.Dir(t.TempDir()),
		store.Expansion{Model: "another"}); err == nil || errors.As(err, &mistake) {
		t.Errorf("the task of another model: %v", err)
	}
}

// twoLevels does the tasks of the first levels.
func twoLevels(e *explore.Expander, files store.Files) error {
	at := store.NewSearch(e.Model(), 2)
	for at.Level() < 3 {
		if err := nextLevel(e, files, at); err != nil {
			return err
		}
	}
	return nil
}
