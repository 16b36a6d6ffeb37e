package claims

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/tools/paperdocs/rows"
	"github.com/atmostk/atmostk/traces"
)

const root = "../../.."

// sweep is set for the larger sweep, which takes hours: CONTRIBUTING.md.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// opened are all papers. Tests that change one open it again: that builds an instance for each row of the
// tables.
var opened = map[string]*Paper{}

func open(t *testing.T, name string) *Paper {
	t.Helper()
	p, err := Open(root, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func all(t *testing.T) (papers []*Paper) {
	t.Helper()
	names := Names(root)
	if len(names) != 4 {
		t.Fatalf("%d papers", len(names))
	}
	for _, name := range names {
		if opened[name] == nil {
			opened[name] = open(t, name)
		}
		papers = append(papers, opened[name])
	}
	return papers
}

// TestKeptFilesAreWhatTheAnswersMake compares the files of claims and rows, and the spelling of the tables,
// with the answers that are kept; ATMOSTK_UPDATE=1 writes them.
func TestKeptFilesAreWhatTheAnswersMake(t *testing.T) {
	for _, p := range all(t) {
		if os.Getenv("ATMOSTK_UPDATE") != "" {
			if err := p.Write(); err != nil {
				t.Fatal(err)
			}
		}
		for end, text := range map[string]string{"-claims.ndjson": spelled(t, p.Judged()),
			"-rows.ndjson": spelled(t, p.Lines()), "-tables.ndjson": spelled(t, p.Instances)} {
			if old, err := os.ReadFile(p.path(end)); err != nil || string(old) != text {
				t.Errorf("%s differs from the answers (%v)", p.path(end), err)
			}
		}
	}
}

func spelled[T any](t *testing.T, values []T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "values")
	if err := rows.Write(file, values); err != nil {
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

// TestRowsAreAsKept asks rows again: the quick rows of one claim of each paper, and all that are judged by
// simulation; in the sweep all rows. In the sweep ATMOSTK_SWEEP_LOG names a file that gets a line for each
// row that agrees; rows with a line are not asked again, so that the sweep can be stopped and resumed:
//
//	ATMOSTK_SWEEP=1 ATMOSTK_SWEEP_LOG=/tmp/rows go test ./claims -run TestRows -timeout 12h
func TestRowsAreAsKept(t *testing.T) {
	path := os.Getenv("ATMOSTK_SWEEP_LOG")
	agreed, _ := os.ReadFile(path) // none yet
	for _, p := range all(t) {
		for _, c := range p.Claims {
			for _, row := range c.Rows {
				name := p.Name + " " + c.Key() + ": " + row.Command()
				quick := row.Experiment != "" || c.Key() == ordinary[p.Name] && !row.Long()
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
				row.Now = nil // the papers are shared
			}
		}
	}
}

// TestAnswerIsKept: an answer is kept with its counterexample, and a counterexample that no row names is
// removed.
func TestAnswerIsKept(t *testing.T) {
	p := open(t, "ring")
	p.root = t.TempDir()
	if err := os.CopyFS(p.path(""), os.DirFS(filepath.Join(root, "docs", "claims", "ring"))); err != nil {
		t.Fatal(err)
	}
	p.Claims = p.Claims[:1]
	p.Claims[0].Statements = nil
	for _, row := range p.Claims[0].Rows {
		if err := row.Ask(context.Background(), root); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, row := range p.Claims[0].Rows {
		if row.trace != "" {
			shown++
		}
	}
	files, err := filepath.Glob(filepath.Join(p.path(""), "*.ndjson"))
	if err != nil || shown == 0 || len(files) != shown {
		t.Errorf("%d files of %d counterexamples (%v)", len(files), shown, err)
	}
	again, err := rows.Read[Line](p.path("-rows.ndjson"))
	if err != nil || len(again) != len(p.Claims[0].Rows) || again[1].Finding != *p.Claims[0].Rows[1].Now {
		t.Errorf("%+v is kept (%v)", again, err)
	}
}

// TestTablesAreAsked explores a small table again, and compares with the rows that are kept.
func TestTablesAreAsked(t *testing.T) {
	const name = "Basic algorithm"
	p := open(t, "ring")
	for _, table := range p.Tables {
		if table.Name == name {
			p.Tables = []Table{table}
		}
	}
	var kept []*Instance
	for _, i := range p.Instances {
		if i.Table == name {
			kept = append(kept, i)
		}
	}
	p.Instances = kept
	want := spelled(t, kept)
	if err := p.Tabulate(context.Background(), &bytes.Buffer{}, false); err != nil {
		t.Fatal(err)
	}
	if got := spelled(t, p.Instances); got != want {
		t.Errorf("found\n%s, not\n%s", got, want)
	}
	p.Instances = p.Instances[1:]
	var out bytes.Buffer
	if err := p.Tabulate(context.Background(), &out, true); err != nil ||
		strings.Count(out.String(), "\n") != 1 || spelled(t, p.Instances) != want {
		t.Errorf("one row was missing, and this was asked: %s (%v)", out.String(), err)
	}
}

// TestWrongLineIsRefused: the error names a line that is not a row.
func TestWrongLineIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(file, []byte("{\"id\":\"x\"}\n{\"id\":1}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rows.Read[Line](file); err == nil || !strings.Contains(err.Error(), "value 2") {
		t.Error(err)
	}
	if none, err := rows.Read[Line](file + "-absent"); none != nil || err != nil {
		t.Error(none, err)
	}
}

// TestKeptCounterexamplesReplay replays every fifth kept counterexample, in the sweep all.
func TestKeptCounterexamplesReplay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "claims", "*", "*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no counterexamples are kept: %v", err)
	}
	step := 5
	if sweep {
		step = 1
	}
	for i := 0; i < len(files); i += step {
		run, err := traces.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		var args []string
		for _, key := range slices.Sorted(maps.Keys(run.Parameters)) {
			if run.Parameters[key] != "" {
				args = append(args, key+"="+run.Parameters[key])
			}
		}
		spec, err := Spec(run.Spec)
		if err != nil {
			t.Fatal(err)
		}
		in, _, err := spec.Instantiate(args)
		if err == nil {
			_, err = traces.Replay(in, run)
		}
		if err != nil {
			t.Errorf("%s: %v", files[i], err)
		}
	}
}
