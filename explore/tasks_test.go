package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
)

// TestTasksTwice searches as several machines do: a level in several tasks. Each is done by a process whose
// tables are empty, or filled by other parts of the model. Some are done twice, and either result counts. The
// report agrees with the exact store, and to the word with another such search.
func TestTasksTwice(t *testing.T) {
	for _, row := range []struct {
		spec *model.Spec
		args string
	}{
		{&twoPhase, "n=3"},
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
		for seed := range seeds(2, 20) {
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
	if digest := explore.Digest(in, opt); digest != one.Model() && opt.Reduce == (model.Reduction{}) {
		t.Errorf("the model is %s, and that of the tasks %s", digest, one.Model())
	}
	at := store.NewSearch(one.Model(), 4)
	for !at.Exhausted() {
		if at.Level() > 100 { // which none of the models has
			t.Fatalf("the search goes on after %d levels, with %d states", at.Level(), at.States())
		}
		_, obsolete, err := store.Limits{KeepGoing: true}.Next(at, 1+r.IntN(4), store.Tasks{
			Expand: func(tasks []store.Expansion) ([]store.Expanded, string, error) {
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
					var err error
					if done[i], err = e.Expand(ctx, files, tasks[i]); err != nil {
						return nil, "", err
					}
				}
				return done, "", nil
			},
			Merge: func(tasks []store.Merging) ([]store.Merged, error) {
				return merged(files, tasks, func() int { return 1 + r.IntN(2) })
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := at.Save(files); err != nil {
			t.Fatal(err)
		}
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

// merged does merges, each as often as again says.
func merged(files store.Files, tasks []store.Merging, again func() int) (all []store.Merged, err error) {
	for _, t := range tasks {
		var m store.Merged
		for range again() {
			if m, err = store.Merge(context.Background(), files, t); err != nil {
				return nil, err
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// nextLevel does the tasks of a level.
func nextLevel(e *explore.Expander, files store.Files, at *store.Search) error {
	_, _, err := store.Limits{KeepGoing: true}.Next(at, 1, store.Tasks{
		Expand: func(tasks []store.Expansion) ([]store.Expanded, string, error) {
			x, err := e.Expand(context.Background(), files, tasks[0])
			return []store.Expanded{x}, "", err
		},
		Merge: func(tasks []store.Merging) ([]store.Merged, error) {
			return merged(files, tasks, func() int { return 1 })
		},
	})
	return err
}

// TestFinds: of what was found for a property the shortest run is told, of two as long the one of the lesser
// level and then of the lesser code, in whatever order tasks tell of them.
func TestFinds(t *testing.T) {
	end := store.Code{Hi: 1}
	finds := []store.Find{
		{Level: 3, State: store.Code{Hi: 5}},
		{Level: 3, State: store.Code{Hi: 9}},
		{Level: 3, State: store.Code{Hi: 2}, Beyond: &end},
		{Level: 3, State: store.Code{Hi: 7}, Beyond: &end},
		{Level: 4, State: store.Code{Hi: 1}},
		{Level: 4, State: store.Code{Hi: 0}, Beyond: &end},
	}
	for i := range finds {
		for j := range finds {
			var at store.Search
			at.Note([]store.Find{finds[i]})
			at.Note([]store.Find{finds[j]})
			if want := finds[min(i, j)]; len(at.Finds) != 1 || at.Finds[0] != want {
				t.Errorf("of %v and %v told is %v", finds[i], finds[j], at.Finds)
			}
			if why, _, err := (store.Limits{Finds: 1}).Next(&at, 1, store.Tasks{}); why != "all was found" {
				t.Errorf("it goes on after all was found: %q, %v", why, err)
			}
		}
	}
}

// TestTasksRefuse: tasks in which the model is found to be at fault say so wherever they are done, and no
// Expander is made for what files cannot answer.
func TestTasksRefuse(t *testing.T) {
	faulty := model.NewSystem(model.System[int]{
		Init: []int{0},
		Actions: []model.SystemAction[int]{{Name: "count", Do: func(s *int, _ int, _ *model.Choice) bool {
			*s++
			return 6/(3-*s) > 0
		}}},
	})
	ctx, files := context.Background(), store.Dir(t.TempDir())
	at := (*store.Search)(nil)
	for {
		e, err := explore.NewExpander(faulty, explore.Options{KeepGoing: true})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Free()
		if at == nil {
			at = store.NewSearch(e.Model(), 2)
		}
		if err := nextLevel(e, files, at); errors.As(err, new(*model.Error)) {
			report, err := e.Report(ctx, files, at, e.Stopped())
			if err != nil || report.Mistake == nil || report.Mistake.Length != at.Level() ||
				e.Stopped() == "" {
				t.Errorf("%v, %+v after %q", err, report, e.Stopped())
			}
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	in, _, err := raymond.Spec.Instantiate([]string{"n=2", "k=1"})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range in.Space.Properties() {
		if p.Kind == model.Liveness || p.Kind == model.Costs {
			if _, err := explore.NewExpander(in, explore.Options{Properties: []int{i}}); !errors.As(err,
				new(*usage.Error)) {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
}
