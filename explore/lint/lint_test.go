package lint_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// counters is a model whose action and property read parameters, which is the natural style.
var counters = model.Spec{
	Name: "counters", Title: "Counters", Doc: "They count.",
	Params: []param.Param{
		{Name: "to", Doc: "how far", Default: "40", Type: param.IntRange(1, 60)},
		{Name: "variant", Doc: "which", Default: "step", Type: param.OneOf("step", "hold")},
	},
	Build: func(a *model.Args) (model.Instance, error) {
		type state [3]uint8
		return model.NewSystem(model.System[state]{
			Processes: []string{"a", "b", "c"}, Init: []state{{}},
			Actions: []model.SystemAction[state]{{
				Name: "count", Instances: 3,
				Do: func(s *state, i int, _ *model.Choice) bool {
					if a.Is("variant", "hold") || int(s[i]) >= a.Int("to") {
						return false
					}
					s[i]++
					return true
				},
			}},
			Properties: []model.Property[state]{{
				Name: "small", Kind: model.Invariant, Doc: "no counter is too large",
				Holds: func(s *state) bool { return int(s[0]) <= a.Int("to") },
			}},
		}), nil
	},
}

// TestParametersAreReadByManyWorkers searches a model whose functions read parameters; and reads all of them
// at once, as the search may.
func TestParametersAreReadByManyWorkers(t *testing.T) {
	in, args, err := counters.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{Workers: 4})
	if err != nil || r.Verdict != explore.Holds || r.States != 41*41*41 {
		t.Fatal(r, err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			fresh, err := counters.ParseArgs(nil)
			for range 1000 {
				args.Is("variant", "step")
				args.Int("to")
				args.Unread()
			}
			if err != nil || fresh.Int("to") != 40 {
				t.Error(fresh, err)
			}
		})
	}
	all.Wait()
}

// TestModelWithoutReferencesIsExplored with its defaults.
func TestModelWithoutReferencesIsExplored(t *testing.T) {
	idle := counters
	idle.Params = append([]param.Param(nil), counters.Params...)
	idle.Params[1].Default = "hold"
	for _, c := range []struct {
		spec model.Spec
		want string
	}{
		{idle, "with the defaults never happens: count"},
		{idle, "it has no References"},
		{counters, "it has no References"},
	} {
		found, err := lint.Spec(context.Background(), &c.spec, lint.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, f := range found {
			all = append(all, f.What)
		}
		if got := strings.Join(all, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}

// TestHoldingPropertyHasNoSteps: a reference that expects a violation is not told of -1 steps.
func TestHoldingPropertyHasNoSteps(t *testing.T) {
	wrong := counters
	wrong.References = []model.Reference{{Args: "to=1", States: 8, Depth: 4,
		Violated: map[string]int{"small": 4}}}
	found, err := lint.Spec(context.Background(), &wrong, lint.Options{})
	const want = "small holds; the reference has it violated after 4 steps"
	if err != nil || len(found) == 0 || found[0].What != want {
		t.Errorf("found %v %v, want %q", found, err, want)
	}
}

// TestReferenceThatComparesNothing is found: the name of a property is wrong, its arguments are wrong, or all
// are large.
func TestReferenceThatComparesNothing(t *testing.T) {
	for want, ref := range map[string]model.Reference{
		"the reference has smal violated, which is no property": {Args: "to=1", States: 8, Depth: 4,
			Violated: map[string]int{"smal": 4}},
		"its arguments are wrong: ":                           {Args: "too=1"},
		"all its references are large, and none was explored": {Args: "to=1", Large: true},
	} {
		wrong := counters
		wrong.References = []model.Reference{ref}
		found, err := lint.Spec(context.Background(), &wrong, lint.Options{})
		if err != nil || len(found) == 0 || !strings.HasPrefix(found[0].What, want) {
			t.Errorf("found %v %v, want %q", found, err, want)
		}
	}
}
