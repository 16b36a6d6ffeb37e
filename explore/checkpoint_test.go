package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/ring"
	"github.com/atmostk/atmostk/specs/twophase"
)

// TestResume interrupts searches at random expansions, again and again, and goes on with them: the report is
// that of one that was not interrupted, to the word. On disk that is compared with a search on disk.
func TestResume(t *testing.T) {
	for _, row := range []struct {
		spec *model.Spec
		args string
	}{
		{&twophase.Spec, "n=4"},
		{&lamport.Spec, "n=2 max-clock=4"},
		{&raymond.Spec, "n=3 k=2 rounds=1,1,0 crashes=1"},
		{&raymond.Spec, "n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1"},
		{&ring.Recovery, "scheme=2 n=3 f=1 list=auto"},
	} {
		for _, kind := range []explore.StoreKind{explore.Exact, explore.Compact, explore.Disk} {
			name := fmt.Sprintf("%s %s, %v", row.spec.Name, row.args, kind)
			in, _, err := row.spec.Instantiate(strings.Fields(row.args))
			if err != nil {
				t.Fatal(err)
			}
			opt := explore.Options{KeepGoing: true, Workers: 2, Store: explore.Store{Kind: kind}}
			if kind == explore.Disk {
				opt.Store.Dir = t.TempDir()
			}
			want, err := explore.Run(explore.TwoShards(t.Context()), in, opt)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, stops := resumed(t, in, opt, rand.New(rand.NewPCG(7, uint64(kind))))
			if g, w := whole(got), whole(want); g != w {
				t.Fatalf("%s:\n%s\nwant\n%s", name, g, w)
			}
			t.Logf("%s: interrupted %d times", name, stops)
		}
	}
}

// TestResumeWithMoreMemory stops searches where memory does not suffice, again and again, and goes on with
// what was written down there: the report is that of one that had it all, but for which of the shortest runs
// it shows.
func TestResumeWithMoreMemory(t *testing.T) {
	for _, row := range []struct {
		spec *model.Spec
		args string
	}{
		{&twophase.Spec, "n=5"},
		{&lamport.Spec, "n=2 max-clock=4"},
		{&raymond.Spec, "n=3 k=2 rounds=1,1,0 crashes=1"},
		{&raymond.Spec, "n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1"},
	} {
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []explore.StoreKind{explore.Exact, explore.Compact} {
			if kind == explore.Compact && row.spec != &lamport.Spec {
				continue // it takes memory for the runs that it shows, in the last piece
			}
			name := fmt.Sprintf("%s %s, %v", row.spec.Name, row.args, kind)
			opt := explore.Options{KeepGoing: true, Workers: 2, Store: explore.Store{Kind: kind}}
			want, err := explore.Run(t.Context(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			got, stops, kept := grownInto(t, in, opt)
			if g, w := whole(pathless(got)), whole(pathless(want)); g != w {
				t.Fatalf("%s:\n%s\nwant\n%s", name, g, w)
			}
			if t.Logf("%s: stopped %d times, %d of them written down", name, stops, kept); kept < 3 {
				t.Errorf("%s: stopped %d times, and only %d of them written down", name, stops, kept)
			}
		}
	}
}

// pathless is a report without runs.
func pathless(r *explore.Report) *explore.Report {
	for i := range r.Properties {
		r.Properties[i].Path = nil
	}
	return r
}

// grownInto searches in pieces, each of which ends at one of the first requests for memory. Kept is how many
// were written down there.
func grownInto(t *testing.T, in model.Instance, opt explore.Options) (r *explore.Report, stops, kept int) {
	t.Helper()
	opt.Store.Dir = t.TempDir()
	for ; ; stops++ {
		left := 1 + stops%7
		r, err := explore.Run(explore.StopAt(t.Context(), func(at string) string {
			if at != explore.AtMemory || stops >= 40 {
				return ""
			}
			if left--; left == 0 {
				return "no memory"
			}
			return ""
		}), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(r.Stopped, "no memory") {
			return r, stops, kept
		}
		if _, err := explore.StatusOf(opt.Store.Dir); err == nil {
			opt.Store.Resume = true
			kept++
		}
	}
}

// TestNoMemoryForRuns: where there is no memory to search once more for the runs that a search with the
// Compact store shows, each of them is undecided, and nothing fails.
func TestNoMemoryForRuns(t *testing.T) {
	in, _, err := raymond.Spec.Instantiate(strings.Fields("n=3 k=2 rounds=1,1,0 crashes=1"))
	if err != nil {
		t.Fatal(err)
	}
	opt := explore.Options{KeepGoing: true, Workers: 1, Store: explore.Store{Kind: explore.Compact}}
	without := 0 // pieces in which states were searched, and runs were not
	for first, asked := 1, 0; asked >= first-1; first++ {
		asked = 0
		r, err := explore.Run(explore.StopAt(t.Context(), func(at string) string {
			if at == explore.AtMemory {
				asked++
			}
			if asked < first {
				return ""
			}
			return "no memory"
		}), in, opt)
		if err != nil {
			t.Fatalf("no memory from request %d on: %v", first, err)
		}
		if strings.HasPrefix(r.Stopped, "no state is left") && r.Verdict == explore.Unknown {
			without++
		}
	}
	if without == 0 {
		t.Error("no search had all states and no runs")
	}
}

// whole is all that a report says, but for what differs from run to run.
func whole(r *explore.Report) string {
	x := *r
	x.Elapsed, x.Memory, x.Disk, x.Properties = 0, 0, 0, nil
	said := fmt.Sprintf("%+v\n", x)
	for _, p := range r.Properties {
		said += fmt.Sprintln(p.Name, p.Verdict, p.Length, p.Part, p.Vacuous, p.Count, p.CycleAt, p.Undecided)
		for _, step := range p.Path {
			said += fmt.Sprintln(" ", step.Text, step.State.Key())
		}
	}
	return said
}

var errEnough = errors.New("enough")

// resumed searches in pieces.
func resumed(t *testing.T, in model.Instance, opt explore.Options, r *rand.Rand) (report *explore.Report,
	stops int) {
	t.Helper()
	opt.Store.Dir, opt.Store.Every = t.TempDir(), time.Nanosecond
	for {
		ctx, cancel := context.WithCancelCause(context.Background())
		left := 1 + r.IntN(12)
		piece := explore.StopAt(explore.TwoShards(ctx), func(string) string {
			if left--; left == 0 && stops < 12 {
				cancel(errEnough)
			}
			return ""
		})
		report, err := explore.Run(piece, in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if ctx.Err() == nil || report.Stopped != "interrupted" {
			return report, stops
		}
		stops++
		opt.Store.Resume = true
	}
}

// TestOneProcess wants a search refused whose directory another process holds, begun or gone on with, and
// nothing changed there; and let in once the other has ended.
func TestOneProcess(t *testing.T) {
	in, _, err := twophase.Spec.Instantiate([]string{"n=3"})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []explore.StoreKind{explore.Exact, explore.Disk} {
		dir := filepath.Join(t.TempDir(), "new")
		for _, resume := range []bool{false, true} {
			opt := explore.Options{Workers: 1, MaxDepth: 3, Store: explore.Store{Kind: kind, Dir: dir,
				Every: time.Nanosecond, Resume: resume}}
			release, err := store.Dir(dir).Hold(false)
			if err != nil {
				t.Fatal(err)
			}
			_, err = explore.Run(context.Background(), in, opt)
			var usage *usage.Error
			if !errors.As(err, &usage) || !strings.Contains(err.Error(),
				"another process has its search in "+dir) {
				t.Errorf("%v, resume %t: %v", kind, resume, err)
			}
			release()
			if r, err := explore.Run(context.Background(), in, opt); err != nil || r.States == 0 {
				t.Errorf("%v, resume %t, once it is free: %v", kind, resume, err)
			}
		}
	}
}

// TestSearchGoesOnWhereItCannotBeWrittenDown: a checkpoint that fails does not end the search; the next is
// tried, and the report says if none after it could be written.
func TestSearchGoesOnWhereItCannotBeWrittenDown(t *testing.T) {
	for blocked, unsaved := range map[int]bool{1: false, 400: true} {
		dir, warned := t.TempDir(), 0
		for i := range blocked { // where the file is to be there is a directory
			in := filepath.Join(dir, fmt.Sprintf("memory-%06d", i+1), "x")
			if err := os.MkdirAll(in, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		in, _, err := twophase.Spec.Instantiate([]string{"n=3"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), in, explore.Options{Store: explore.Store{
			Dir: dir, Every: 1, Warn: func(string) { warned++ }}})
		if err != nil || !r.Complete {
			t.Fatalf("%d blocked: %v, %+v", blocked, err, r)
		}
		if warned == 0 || strings.Contains(r.Unsaved, "nothing of it is") != unsaved {
			t.Errorf("%d blocked: %d warnings, %q", blocked, warned, r.Unsaved)
		}
	}
}
