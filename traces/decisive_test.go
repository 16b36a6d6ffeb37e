package traces_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// TestDecisiveOrderIsNeeded swaps the two steps of the order in kept counterexamples, with nothing but the
// plain semantics: the property is not violated then, and it is violated if the steps stay as they are.
func TestDecisiveOrderIsNeeded(t *testing.T) {
	decided := 0
	for file, tr := range keptTraces() {
		in, err := rebuild(t, tr)
		if err != nil {
			t.Fatal(err)
		}
		r, err := traces.Replay(in, tr)
		if err != nil {
			t.Fatal(err)
		}
		last := tr.Steps[len(tr.Steps)-1]
		if source := "(" + last.Source + ")"; source != "()" && strings.Contains(r.Sentence(), source) {
			t.Errorf("%s: the headline has the last step in place of an offence: %s", file, r.Sentence())
		}
		first, second, disabled, left, found := r.Swap()
		if tr.CycleAt != nil || !found || r.Instance().Space.Properties()[propertyOf(r)].Kind == model.Costs {
			continue
		}
		decided++
		if !breaks(r, 0, 0) || breaks(r, first, second) {
			t.Errorf("%s: %d before %d does not decide", file, first, second)
		}
		_, rest := follow(r, first, second)
		if slices.Contains(rest, first) != disabled || slices.Contains(rest, second) || len(rest) != left {
			t.Errorf("%s: %d before %d; left are %v", file, first, second, rest)
		}
	}
	if decided < 60 {
		t.Errorf("an order is known of %d runs, want 60 or more", decided)
	}
}

// breaks reports whether the steps of a run, with step a only after step b, violate its property on the way.
func breaks(r *traces.Run, a, b int) bool {
	in := r.Instance()
	p := propertyOf(r)
	taken, _ := follow(r, a, b)
	from := r.States[0]
	for i := range taken {
		if traces.Verdict(in, from, &taken[i], taken[i].Next, p) == traces.Violated {
			return true
		}
		from = taken[i].Next
	}
	return false
}

func propertyOf(r *traces.Run) int {
	return slices.IndexFunc(r.Instance().Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == r.Trace.Property
	})
}

// follow takes the steps of a run in their order, as far as they are enabled, with step a only after step b.
// It returns the steps taken, and the numbers of the others.
func follow(r *traces.Run, a, b int) (taken []lts.Transition, todo []int) {
	at := r.States[0]
	for i := 1; i < len(r.States); i++ {
		todo = append(todo, i)
	}
	for again := true; again; {
		again = false
		for k, i := range todo {
			if i == a && slices.Contains(todo, b) {
				continue
			}
			if t := alike(r, at, i); t != nil {
				taken, at, todo = append(taken, *t), t.Next, slices.Delete(todo, k, k+1)
				again = true
				break
			}
		}
	}
	return taken, todo
}

// alike returns the enabled step that step i of the run is, here.
func alike(r *traces.Run, at lts.State, i int) *lts.Transition {
	want := &r.Taken[i-1]
	enabled := traces.Enabled(r.Instance(), at)
	if k := traces.MostSimilar(enabled, want); k >= 0 && !enabled[k].Outside {
		return &enabled[k]
	}
	return nil
}
