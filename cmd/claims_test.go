package cmd_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/specs"
)

// pages is where the pages about the papers are kept.
var pages = filepath.Join("..", "docs", "claims")

// papers are the papers of all models.
func allPapers() (ps []*papers.Paper) {
	for _, s := range specs.All {
		if s.Paper != nil && !slices.Contains(ps, s.Paper) {
			ps = append(ps, s.Paper.Open())
		}
	}
	return ps
}

// ordinary has, of each paper, the claim whose quick rows the ordinary run asks.
var ordinary = map[string]string{
	"timerfree": "lemma-1", "cohorts": "fault-tolerance", "vcube": "lemma-73",
	"ring": "the-handlers-as-printed",
}

// TestClaims asks for quick findings that are kept, and takes a changed one for a failure: those of one claim
// of each paper, in the sweep of all.
func TestClaims(t *testing.T) {
	for _, p := range allPapers() {
		t.Run(p.Name, func(t *testing.T) {
			args := []string{"claims", p.Name, "--quick"}
			if claim := ordinary[p.Name]; claim == "" {
				t.Error("no claim is asked in the ordinary run")
			} else if !sweep {
				args = append(args, "--claim", claim)
			}
			if said := run(t, args...); !strings.Contains(said, "violated") {
				t.Errorf("no row is violated:\n%s", said)
			}
		})
	}
}

// TestClaimRows asks for every row of every page by its paper, claim and number, and takes an
// answer other than the one that the page shows for a failure:
//
//	ATMOSTK_SWEEP=1 ATMOSTK_SWEEP_LOG=/tmp/rows go test ./cmd -run ClaimRows -timeout 12h
//
// The log, if there is one, gets a line for each row that agrees, with the seconds it took; rows
// that have one are not asked again, so that the sweep can be stopped and taken up.
func TestClaimRows(t *testing.T) {
	if !sweep {
		t.Skip("takes hours; ATMOSTK_SWEEP=1 runs it")
	}
	agreed, note := sweepLog(t)
	for _, p := range allPapers() {
		claims := p.Claims
		if p.Implement != nil {
			claims = append(slices.Clip(claims), *p.Implement)
		}
		for i := range claims {
			for row := range claims[i].Trials {
				number := strconv.Itoa(row + 1)
				name := p.Name + " " + claims[i].Key() + " " + number
				if agreed[name] {
					continue
				}
				begun := time.Now()
				if t.Run(name, func(t *testing.T) {
					run(t, "claims", p.Name, "--claim", claims[i].Key(), "--row", number)
				}) {
					note(name, time.Since(begun))
				}
			}
		}
	}
}

// sweepLog reads the log of TestClaimRows, and returns what adds a line to it.
func sweepLog(t *testing.T) (agreed map[string]bool, note func(name string, took time.Duration)) {
	t.Helper()
	path := os.Getenv("ATMOSTK_SWEEP_LOG")
	if path == "" {
		return nil, func(string, time.Duration) {}
	}
	log, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	agreed = map[string]bool{}
	for lines := bufio.NewScanner(log); lines.Scan(); {
		name, _, _ := strings.Cut(lines.Text(), "\t")
		agreed[name] = true
	}
	return agreed, func(name string, took time.Duration) {
		if _, err := fmt.Fprintf(log, "%s\t%.1f\n", name, took.Seconds()); err != nil {
			t.Error(err)
		}
	}
}

// TestPages writes the pages again, from the findings and tables that are kept, without
// asking for any, and takes a different page for a failure.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(pages)); err != nil {
		t.Fatal(err)
	}
	for _, p := range allPapers() {
		run(t, "claims", p.Name, "--new", "--update", "--docs", dir)
		for _, name := range []string{p.Name + ".md", p.Name + "-found.ndjson"} {
			want, errWant := os.ReadFile(filepath.Join(pages, name))
			got, errGot := os.ReadFile(filepath.Join(dir, name))
			if errWant != nil || errGot != nil || !bytes.Equal(got, want) {
				t.Errorf("docs/claims/%s is not what atmostk claims %s --new --update "+
					"writes (%v, %v)",
					name, p.Name, errWant, errGot)
			}
		}
	}
}

// TestKeptTraces replays the counterexamples that the pages about the claims show, and
// asks for a picture of each: of every fifth, in the sweep of all.
func TestKeptTraces(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(pages, "*", "*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no counterexamples are kept: %v", err)
	}
	step := 5
	if sweep {
		step = 1
	}
	for i := 0; i < len(files); i += step {
		file := files[i]
		picture, err := os.ReadFile(file[:len(file)-len("ndjson")] + "svg")
		if err != nil || run(t, "replay", file, "--as", "svg") != string(picture) {
			t.Errorf("the picture of %s is not that of the run (%v)", file, err)
		}
	}
}

// TestClaimsJSON asks for one row in JSON.
func TestClaimsJSON(t *testing.T) {
	var claims []struct {
		Key, Label string
		Rows       []struct {
			Row                                           int
			Arguments, Property, Verdict, Label, Explored string
			States, Steps, Pruned, Stuck, Memory          int64
			Seconds                                       float64
			AsKept                                        bool `json:"as-kept"`
			Commands                                      []string
		}
		Commit *string
	}
	out := run(t, "claims", "timerfree", "--claim", "lemma-1", "--row", "1", "--format", "json")
	if err := json.Unmarshal([]byte(out), &claims); err != nil {
		t.Fatal(err)
	}
	if len(claims) != 1 || len(claims[0].Rows) != 1 || claims[0].Commit == nil {
		t.Fatalf("not one row of one claim, with the commit: %s", out)
	}
	r := claims[0].Rows[0]
	if r.Row != 1 || r.Verdict != "violated" || r.Steps != 11 || r.Pruned == 0 || !r.AsKept ||
		r.Memory == 0 ||
		len(r.Commands) != 2 {
		t.Errorf("the row is %+v", r)
	}
}

// run runs the command, which has to succeed, and returns what it printed.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, diag bytes.Buffer
	if code := atmostk.Run(context.Background(), args, nil, &out, &diag); code != 0 {
		t.Errorf("atmostk %v: exit code %d\n%s%s", args, code, out.String(), diag.String())
	}
	return out.String()
}
