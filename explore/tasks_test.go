package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/twophase"
)

// TestTasksTwice searches as several machines do: a level in several tasks, each done by who has learnt something else of
// the model or nothing, some of them twice, where the first result or the second counts. The report is
// that of the exact store, and that of another such search to the word.
func TestTasksTwice(t *testing.T) {
	for _, row := range []struct {
		spec *model.Spec
		args string
	}{
		{&twophase.Spec, "n=3"},
		{&lamport.Spec, "n=2 max-clock=3"},
		{&raymond.Spec, "n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1"},
	} {
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.Options{KeepGoing: true, Workers: 2}
		for i, p := range in.Space.Properties() {
			if p.Kind != model.Liveness && p.Kind != model.Costs {
				opt.Properties = append(opt.Properties, i)
			}
		}
		want, err := explore.Run(context.Background(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		var first string
		for seed := range seeds(3, 20) {
			got := inTasks(t, in, opt, rand.New(rand.NewPCG(seed, 19)))
			sameReport(t, row.spec.Name, got, want)
			said := ""
			for _, p := range got.Properties {
				for _, step := range p.Path {
					said += fmt.Sprintln(step.Text, step.State.Key())
				}
			}
			if first == "" {
				first = said
			}
			if said != first {
				t.Fatalf("%s: the runs shown are\n%s and before\n%s", row.spec.Name, said, first)
			}
		}
	}
}

// inTasks searches by tasks.
func inTasks(t *testing.T, in model.Instance, opt explore.Options, r *rand.Rand) *explore.Report {
	t.Helper()
	ctx, files := context.Background(), store.Dir(t.TempDir())
	expander := func() *explore.Expander {
		if r.IntN(3) == 0 {
			opt.Memory = 1 << 20 // candidates are written in several runs
		}
		e, err := explore.NewExpander(in, opt)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	one, other := expander(), expander()
	defer func() { one.Free(); other.Free() }()
	at := store.NewSearch(one.Model(), 4)
	for at.Level() == 0 || at.Frontier != nil {
		tasks := []store.Expansion{at.First()}
		if at.Level() > 0 {
			tasks = at.Expansions(1 + r.IntN(4))
		}
		done := make([]store.Expanded, len(tasks))
		for _, i := range append(r.Perm(len(tasks)), r.IntN(len(tasks))) {
			e := one
			switch r.IntN(4) {
			case 0:
				e = other
			case 1:
				e = expander()
				defer e.Free()
			}
			x, err := e.Expand(ctx, files, tasks[i])
			if err != nil {
				t.Fatal(err)
			}
			done[i] = x
		}
		merges := at.Mergings(done)
		merged := make([]store.Merged, len(merges))
		for i := range merges {
			for range 1 + r.IntN(2) {
				m, err := store.Merge(ctx, files, merges[i])
				if err != nil {
					t.Fatal(err)
				}
				merged[i] = m
			}
		}
		obsolete := at.Advance(done, merges, merged)
		for _, c := range at.Compactings() {
			run, err := store.Compact(ctx, files, c)
			if err != nil {
				t.Fatal(err)
			}
			obsolete = append(obsolete, at.Replace(c, run)...)
		}
		if err := at.Save(files); err != nil {
			t.Fatal(err)
		}
		var err error
		if at, err = store.Load(files); err != nil {
			t.Fatal(err)
		}
		for _, name := range obsolete {
			if err := files.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	report, err := other.Report(ctx, files, at, "")
	if err != nil {
		t.Fatal(err)
	}
	return report
}
