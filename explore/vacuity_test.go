package explore_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// counter is a state of a model that counts up and starts anew; Spare never changes.
type counter struct {
	N, Spare uint8
	Inner    struct{ Twice, Kept uint8 }
}

// counting returns that model: up to 3, with an action that is never enabled.
func costRun(properties ...model.Property[counter]) model.System[counter] {
	to := func(from, n uint8) func(*counter, int, *model.Choice) bool {
		return func(s *counter, _ int, _ *model.Choice) bool {
			enabled := s.N == from || from == 9 && s.N < 3
			s.N, s.Inner.Twice = n, 2*n
			return enabled
		}
	}
	return model.System[counter]{
		Init: []counter{{Spare: 7}},
		Actions: []model.SystemAction[counter]{
			{Name: "one", Do: to(0, 1)},
			{Name: "two", Do: to(1, 2)},
			{Name: "again", Do: to(2, 0)},
			{Name: "explode", Do: to(4, 5)},
		},
		Fairness: []model.Fairness{
			{Name: "goes on", Has: func(l model.Label) bool { return l.Action < 3 }},
			{Name: "explodes", Has: func(l model.Label) bool { return l.Action == 3 }},
		},
		Properties: properties,
	}
}

// TestVacuous asks for what nothing comes up of, and for the like of which something does.
func TestVacuous(t *testing.T) {
	type property = model.Property[counter]
	is := func(n uint8) func(*counter) bool { return func(s *counter) bool { return s.N == n } }
	always := func(*counter) bool { return true }
	steps := func(names ...string) property {
		return property{Kind: model.StepInvariant, Steps: names,
			HoldsStep: func(*counter, model.Proc, *counter) bool { return true }}
	}
	named := func(p property, name string) property { return p.As(name, "", "") }
	for _, c := range []struct {
		property
		want string
	}{
		{steps("one", "two"), ""},
		{steps("explode"), "explode never happened"},
		{steps("one", "explode"), "explode never happened"},
		{property{Kind: model.Quiet, Holds: always}, "no state was quiet"},
		{property{Kind: model.Quiet, Holds: always, Idle: "nobody waits"}, "no state was quiet"},
		{property{Kind: model.Invariant, Holds: always}, ""},
		{property{Kind: model.DeadlockFree}, ""},
		{invariants.LeadsTo(is(1), is(2)), ""},
		{invariants.LeadsTo(is(8), is(2)), "no state is one where it begins"},
		{invariants.Eventually(is(1), is(2)), "no initial state is one where it begins"},
		{invariants.Eventually(nil, is(2)), ""},
		{invariants.AlwaysEventually(is(1)), ""},
		{invariants.AlwaysEventually(always), "fulfilled in every state"},
		{invariants.InfinitelyOften([]func(*counter) bool{is(1)}, is(2)), ""},
		{invariants.InfinitelyOften([]func(*counter) bool{is(1), is(8)}, is(2)),
			"where it is not fulfilled, no state meets its condition 2"},
		{invariants.InfinitelyOften([]func(*counter) bool{is(1)}, is(1)), // state 1 meets it
			"where it is not fulfilled, no state meets its condition 1"},
		{invariants.Each(named(invariants.LeadsTo(is(1), is(2)), "a"), named(invariants.LeadsTo(is(8), is(2)),
			"b"),
			named(invariants.LeadsTo(is(9), is(2)), "c")), "no state is one where it begins for b, c"},
		{invariants.NoRun("runs", "", model.Lasso[counter]{Start: is(8)},
			model.Lasso[counter]{Avoids: is(1)}),
			"no state is one where it begins for 1 of the 2 kinds of runs that would violate it"},
	} {
		c.Name = "asked"
		r, err := explore.Run(context.Background(), model.NewSystem(costRun(c.property)), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Properties[0]
		if got := strings.Join(p.Vacuous, "; "); got != c.want || p.Verdict != explore.Holds {
			t.Errorf("a property of kind %v %s and is vacuous: %q, want %q", c.Kind, p.Verdict, got, c.want)
		}
		if want := []string{"Spare", "Inner.Kept"}; !slices.Equal(r.Unchanged, want) {
			t.Errorf("unchanged are %q, want %q", r.Unchanged, want)
		}
		if c.Kind == model.Liveness && !slices.Equal(r.Unseen, []string{"explodes"}) {
			t.Errorf("fairness never enabled is %q", r.Unseen)
		}
	}
}

// TestVacuousCompositions asks a built-in model, in which nobody requests or some do.
func TestVacuousCompositions(t *testing.T) {
	for _, c := range []struct{ args, property, want string }{
		{"n=2 k=1 rounds=0", "at-most-k", "no unit was ever in use"},
		{"n=2 k=1 rounds=1,0", "at-most-k", "at most 1 unit is ever requested"},
		{"n=2 k=1 rounds=1,1", "at-most-k", ""},
		{"n=2 k=1 rounds=0", "no-starvation", "nobody ever waits"}, // the initial state is quiet
		{"n=2 k=1 rounds=1,1", "no-starvation", ""},
		{"n=3 k=1 rounds=1,0,0", "requests-served", "fulfilled in every state for p2, p3"},
		{"n=2 k=1 rounds=1,1", "requests-served", ""},
		{"n=2 k=1 rounds=1,1", "messages-total", ""},
		{"n=2 k=1 rounds=1 crashes=2 dead=1,2", "messages-total", "no run came to an end that is counted"},
	} {
		in := instance(t, "raymond", c.args)
		i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
			return p.Name == c.property
		})
		r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Properties[0]
		if got := strings.Join(p.Vacuous, "; "); got != c.want || p.Verdict != explore.Holds {
			t.Errorf("%s: %s %s and is vacuous: %q, want %q", c.args, c.property, p.Verdict, got, c.want)
		}
		if !r.Complete || slices.Contains(r.Unchanged, "State") == strings.Contains(c.args, "rounds=1") &&
			!strings.Contains(c.args, "dead") {
			t.Errorf("%s: unchanged are %q", c.args, r.Unchanged)
		}
	}
}

// TestNeverChangedInVisitedStates: X and Inside change only in steps that the history or the constraint keeps
// out, which handlers are asked about all the same.
func TestNeverChangedInVisitedStates(t *testing.T) {
	type local struct {
		N, X   uint8
		Inside bool
	}
	step := func(name string, from, to local, note uint32) model.Handler[local, model.None] {
		return model.Handler[local, model.None]{Name: name, Do: func(_ model.Proc, l *local,
			out *model.Outbox[model.None]) bool {
			enabled := *l == from
			*l = to
			out.Note(note)
			return enabled
		}}
	}
	none := local{N: 1}
	crashes := explore.Options{Reduce: model.Reduction{Crashes: true}}
	for i, keep := range []func(c *model.Composition[local, model.None, bool]){
		func(c *model.Composition[local, model.None, bool]) {
			c.History = model.History[bool]{Step: func(_ *bool, e model.Event) bool { return e.Note != 2 }}
		},
		func(c *model.Composition[local, model.None, bool]) {
			c.Constraint = func(_ model.Proc, l *local) bool { return l.X == 0 }
		},
		func(*model.Composition[local, model.None, bool]) {},
		func(c *model.Composition[local, model.None, bool]) { // only the dead are inside
			c.Constraint = func(_ model.Proc, l *local) bool { return l.X == 0 }
			c.Network = model.Network{Crashes: 1, Crashable: model.All(2)}
			c.Crash = func(_ model.Proc, l *local) { l.Inside = true }
		},
	} {
		c := model.Composition[local, model.None, bool]{
			N: 2, Init: func(model.Proc) local { return local{} },
			Local: []model.Handler[local, model.None]{step("one", local{}, none, 1),
				step("two", none, local{1, 1, true}, 2)},
			Units: func(l *local) int {
				if l.Inside {
					return 1
				}
				return 0
			},
		}
		keep(&c)
		c.Properties = append(c.Properties, invariants.For[model.Global[local, model.None, bool]]{}.AtMost(2))
		in := model.Compose(c)
		disk := explore.Options{Store: explore.Store{Kind: explore.Disk, Dir: t.TempDir()}}
		for _, o := range []explore.Options{{}, disk, crashes} {
			if o.Reduce.Crashes && i == 0 {
				continue // refused with a history
			}
			r, err := explore.Run(context.Background(), in, o)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(append(r.Unchanged, r.Properties[0].Vacuous...), ", ")
			want := []string{"X, Inside, history.the state, no unit was ever in use",
				"X, Inside, no unit was ever in use within the constraint", "",
				"X, no unit was ever in use within the constraint"}[i]
			if o.Reduce.Crashes { // variables may change in crashes that it leaves out
				want = strings.TrimSpace(want[strings.LastIndex(want, ",")+1:])
			}
			if got != want {
				t.Errorf("%d, %v, %v: %s, want %s", i, o.Store.Kind, o.Reduce, got, want)
			}
		}
	}
}

// TestUnmetInEachStore: which premises were met is known in memory and on disk, also to a process that goes
// on with a search of another one, whose model has met nothing yet.
func TestUnmetInEachStore(t *testing.T) {
	for args, vacuous := range map[string]bool{"n=1": true, "n=2": false} {
		memory := explore.Options{Properties: []int{0}}
		disk := memory
		disk.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
		stops := disk
		stops.MaxDepth, stops.Store.Dir = 2, t.TempDir()
		goesOn := stops
		goesOn.MaxDepth, goesOn.Store.Resume = 0, true
		for i, o := range []explore.Options{memory, disk, stops, goesOn} {
			r, err := explore.Run(context.Background(), instance(t, "chang-roberts", args), o)
			if err != nil {
				t.Fatal(err)
			}
			why := r.Properties[0].Vacuous
			if r.Complete != (i != 2) || (why != nil) != (vacuous && r.Complete) {
				t.Errorf("%s, search %d, complete %v: vacuous %q", args, i, r.Complete, why)
			}
		}
	}
}

// TestVacuousOnlyWhenComplete: of a search that was stopped nothing is known.
func TestVacuousOnlyWhenComplete(t *testing.T) {
	r, err := explore.Run(context.Background(), instance(t, "raymond", "n=3 k=1 rounds=1,0,0"),
		explore.Options{MaxDepth: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Properties {
		if p.Vacuous != nil {
			t.Errorf("%s is vacuous: %q", p.Name, p.Vacuous)
		}
	}
	if r.Unchanged != nil {
		t.Errorf("unchanged are %q", r.Unchanged)
	}
}

// instance returns an instance of a built-in model.
func instance(t *testing.T, name, args string) model.Instance {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == name })
	in, _, err := specs.All[i].Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestSystemInWhichNobodyEntersIsVacuous: a bound on units is put to the test by states in which some are in
// use, on disk, too.
func TestSystemInWhichNobodyEntersIsVacuous(t *testing.T) {
	const why = "no unit was ever in use"
	for _, c := range []struct {
		most uint8 // a process is inside when the counter has this value
		want []string
	}{{2, nil}, {7, []string{why}}} {
		sys := costRun(invariants.For[counter]{}.AtMost(1))
		sys.Processes = []string{"p1", "p2"}
		sys.Units = func(s *counter, p int) int {
			if p == 0 && s.N == c.most {
				return 1
			}
			return 0
		}
		disk := explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
		for _, o := range []explore.Options{{}, {Store: disk}} {
			r, err := explore.Run(context.Background(), model.NewSystem(sys), o)
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Properties[0]; p.Verdict != explore.Holds || !slices.Equal(p.Vacuous, c.want) {
				t.Errorf("inside at %d: %s, vacuous: %q, want %q", c.most, p.Verdict, p.Vacuous, c.want)
			}
		}
	}
}
