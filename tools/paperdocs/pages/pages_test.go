package pages

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

const root = "../../.."

// sweep is set for the larger sweep, which takes hours: docs/tests.md.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// kept are the reviews of all papers, read once: that builds an instance for each row of the tables.
var kept = sync.OnceValues(func() (all []*Review, err error) {
	for _, name := range paper.Names(root) {
		r, err := Open(root, name)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
})

func all(t *testing.T) []*Review {
	t.Helper()
	reviews, err := kept()
	if err != nil {
		t.Fatal(err)
	}
	if len(reviews) != 4 {
		t.Fatalf("%d papers", len(reviews))
	}
	return reviews
}

func read(t *testing.T, name string) *paper.Paper {
	t.Helper()
	for _, r := range all(t) {
		if r.Name == name {
			return r.Paper
		}
	}
	t.Fatalf("there is no paper %q", name)
	return nil
}

// put is Put, which has to succeed.
func put(t *testing.T, p *paper.Paper) *Review {
	t.Helper()
	r, err := Put(root, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPagesAreWhatTheRowsMakeOfThem renders all pages from the rows that are kept, and takes a different
// page, or another spelling of the rows, for a failure; ATMOSTK_UPDATE=1 writes them.
func TestPagesAreWhatTheRowsMakeOfThem(t *testing.T) {
	for _, r := range all(t) {
		page, err := r.Page()
		if err != nil {
			t.Fatal(err)
		}
		tables, err := r.TablesPage()
		if err != nil {
			t.Fatal(err)
		}
		var found []*Kept
		for _, c := range r.Claims {
			for _, row := range c.Rows {
				found = append(found, row.Kept)
			}
		}
		for end, text := range map[string]string{".md": page, "-tables.md": tables,
			"-found.ndjson": spelled(t, found), "-tables.ndjson": spelled(t, r.Rows)} {
			if os.Getenv("ATMOSTK_UPDATE") != "" {
				err = os.WriteFile(r.path(end), []byte(text), 0o644)
			}
			if old, errOld := os.ReadFile(r.path(end)); err != nil || errOld != nil || string(old) != text {
				t.Errorf("%s is not what its rows make of it (%v, %v)", r.path(end), err, errOld)
			}
		}
	}
}

func spelled[T any](t *testing.T, values []T) string {
	file := filepath.Join(t.TempDir(), "values")
	if err := writeLines(file, values); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ordinary has, of each paper, the claim whose quick rows the ordinary run asks.
var ordinary = map[string]string{
	"timerfree": "lemma-1", "cohorts": "fault-tolerance", "vcube": "lemma-73",
	"ring": "the-handlers-as-printed",
}

// TestRows asks for findings that are kept, and takes a changed one for a failure: the quick rows of one
// claim of each paper, and all that are judged by simulation; in the sweep all rows. In the sweep
// ATMOSTK_SWEEP_LOG names a file that gets a line for each row that agrees; rows that have one are not
// asked again, so that the sweep can be stopped and taken up:
//
//	ATMOSTK_SWEEP=1 ATMOSTK_SWEEP_LOG=/tmp/rows go test ./pages -run TestRows -timeout 12h
func TestRows(t *testing.T) {
	path := os.Getenv("ATMOSTK_SWEEP_LOG")
	agreed, _ := os.ReadFile(path) // none yet
	for _, r := range all(t) {
		for _, c := range r.Claims {
			for _, row := range c.Rows {
				name := r.Name + " " + c.Key() + ": " + row.Question()
				quick := row.Experiment != "" || c.Key() == ordinary[r.Name] && !row.Long()
				if row.Computed != "" || !sweep && !quick || bytes.Contains(agreed, []byte(name+"\t")) {
					continue
				}
				begun := time.Now()
				if err := row.Ask(context.Background(), root); err != nil || !row.AsKept() {
					t.Errorf("%s: %+v is kept, and %+v was found (%v)", name, row.Kept, row.Now, err)
				} else if path != "" {
					agreed = append(agreed, name+"\t"+time.Since(begun).String()+"\n"...)
					if err := os.WriteFile(path, agreed, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				row.Now = nil // the reviews are shared
			}
		}
	}
}

// TestAnsweredRowIsWritten: the answer to a row is kept with its counterexample, a picture and the page,
// and what no row shows any more is removed.
func TestAnsweredRowIsWritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "docs", "claims", "ring"),
		os.DirFS(filepath.Join(root, "docs", "claims", "ring"))); err != nil {
		t.Fatal(err)
	}
	p := *read(t, "ring")
	p.Claims, p.Implement, p.Tables, p.Inventory = p.Claims[:1:1], nil, nil, nil
	p.Claims[0].Statements = nil
	r, err := Put(dir, &p)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Claims[0].Rows {
		if err := row.Ask(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Write(); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "docs", "claims", "ring.md"))
	if err != nil || !strings.Contains(string(page), "| 2 | mutual-exclusion") {
		t.Errorf("the page is %s (%v)", page, err)
	}
	shown := 0
	for _, row := range r.Claims[0].Rows {
		if row.Kept.Trace != "" {
			shown++
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "docs", "claims", "ring", "*.svg"))
	if err != nil || shown == 0 || len(files) != shown {
		t.Errorf("%d pictures of %d counterexamples (%v)", len(files), shown, err)
	}
	again, err := lines[Kept](filepath.Join(dir, "docs", "claims", "ring-found.ndjson"))
	if err != nil || len(again) != len(r.Claims[0].Rows) || again[1] != *r.Claims[0].Rows[1].Kept {
		t.Errorf("%+v is kept (%v)", again, err)
	}
}

// TestTablesAreAsked explores a small table again, and compares with the rows that are kept.
func TestTablesAreAsked(t *testing.T) {
	p := *read(t, "ring")
	for i, table := range p.Tables {
		if table.Name == "Basic algorithm" {
			p.Tables = p.Tables[i : i+1]
			break
		}
	}
	p.Claims, p.Implement = nil, nil
	r := put(t, read(t, "ring"))
	r.Paper = &p
	want := spelled(t, rowsOf(r.Rows, "Basic algorithm"))
	if err := r.Tabulate(context.Background(), &bytes.Buffer{}, false); err != nil {
		t.Fatal(err)
	}
	if got := spelled(t, r.Rows); got != want {
		t.Errorf("found\n%s, not\n%s", got, want)
	}
	r.Rows = r.Rows[1:]
	var out bytes.Buffer
	if err := r.Tabulate(context.Background(), &out, true); err != nil ||
		strings.Count(out.String(), "\n") != 1 ||
		spelled(t, r.Rows) != want {
		t.Errorf("one row was missing, and this was asked: %s (%v)", out.String(), err)
	}
}

// TestKeptTraces replays the counterexamples that the pages show, and asks for a picture of each: of every
// fifth, in the sweep of all.
func TestKeptTraces(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "claims", "*", "*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no counterexamples are kept: %v", err)
	}
	step := 5
	if sweep {
		step = 1
	}
	for i := 0; i < len(files); i += step {
		picture, err := os.ReadFile(strings.TrimSuffix(files[i], "ndjson") + "svg")
		if err != nil {
			t.Error(err)
		}
		if again, err := Picture(files[i], "svg"); err != nil || again != string(picture) {
			t.Errorf("the picture of %s is not that of the run (%v)", files[i], err)
		}
	}
}

// TestWrongRowIsRefused: a file of rows with something else in it.
func TestWrongRowIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows")
	for text, want := range map[string]string{"{\"claim\":\"x\"}\n{\"claim\":1}": "value 2"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := lines[Kept](file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if none, err := lines[Kept](file + "-absent"); none != nil || err != nil {
		t.Error(none, err)
	}
}
