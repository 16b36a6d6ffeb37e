package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// forgetful is the local state of a random automaton that has something to forget: Seen is read in mode 1
// only, Scrap in mode 2 only, Heard in mode 3 only, and each is written when the mode is entered.
type forgetful struct {
	Mode, Fuel uint8
	Seen       model.Counter
	Scrap      uint8
	Heard      values.Group
}

// forgettable is a message of such an automaton. Set is read unless Kind is unread.
type forgettable struct {
	Kind uint8
	Set  values.Group
}

const unread = 2

// A lapse is what is wrong with what a model forgets.
type lapse uint8

const (
	rightly    lapse = iota
	tooEarly         // a Counter or a Group while it is read
	tooSimply        // another variable while it is read
	tooMuch          // the mode
	ofMessages       // the kind of a message
)

// randomForgetful is two or three random automata. Where plain is false only Counters and Groups are
// forgotten.
func randomForgetful(r *rand.Rand, plain bool, wrong lapse) model.Instance {
	type global = model.Global[forgetful, forgettable, model.None]
	n := 2 + r.IntN(2)
	table := make([]int, 256)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	act := func(p model.Proc, l *forgetful, x int, out *model.Outbox[forgettable]) bool {
		switch l.Mode {
		case 1:
			x += int(l.Seen.Value()%3) * 11
		case 2:
			x += int(l.Scrap) * 17
		case 3:
			x += l.Heard.Len() * 19
		}
		e := table[(int(l.Mode)*7+x*13+int(p))%len(table)]
		if l.Fuel == 0 || e%5 == 0 {
			return false
		}
		l.Fuel--
		before := l.Mode
		l.Mode = uint8((e>>3 + out.Pick(1+e>>5%2)) % 4)
		if l.Mode != before && l.Mode == 1 {
			l.Seen = model.Count(uint32(e >> 7 % 2))
		}
		if l.Mode != before && l.Mode == 2 {
			l.Scrap = 0
		}
		if l.Mode != before && l.Mode == 3 {
			l.Heard = values.GroupOf(model.Set(e >> 4 % 8))
		}
		m := forgettable{uint8(e >> 9 % 3), values.GroupOf(model.Set(e >> 2 % 8))}
		if m.Kind == unread {
			m.Set = l.Heard
		}
		for q := range model.Proc(n) {
			if e>>(6+q)&1 == 1 {
				out.Send(q, m)
			}
		}
		return true
	}
	fuel := uint8(2 + r.IntN(2)*(3-n))
	salt, most := r.IntN(40), 1+r.IntN(6)
	c := model.Composition[forgetful, forgettable, model.None]{
		N: n, Init: func(p model.Proc) forgetful { return forgetful{Mode: uint8(p), Fuel: fuel} },
		Local: []model.Handler[forgetful, forgettable]{
			{Name: "a", Do: func(p model.Proc, l *forgetful, out *model.Outbox[forgettable]) bool {
				return act(p, l, 1, out)
			}},
		},
		Receive: []model.Receiver[forgetful, forgettable]{{
			Name: "receive", Accepts: func(forgettable) bool { return true },
			Do: func(p, _ model.Proc, m forgettable, l *forgetful, out *model.Outbox[forgettable]) bool {
				x := int(m.Kind) + 5
				l.Seen, l.Scrap = l.Seen.Plus(1), m.Kind
				switch {
				case m.Kind != unread:
					x += 3 * m.Set.Len()
					l.Heard = l.Heard.Minus(m.Set).With(p)
				case l.Mode == 3: // the set is not read, and so makes no difference
					l.Heard = l.Heard.Union(m.Set.Meet(values.Group{}))
				default:
					l.Heard = m.Set.Without(p).Union(l.Heard)
				}
				act(p, l, x, out)
				return true
			},
		}},
		Forget: func(_ model.Proc, l *forgetful) {
			if l.Mode != 1 || wrong == tooEarly {
				l.Seen.Forget()
			}
			if l.Mode != 3 || wrong == tooEarly {
				l.Heard.Forget()
			}
			if plain && l.Mode != 2 || wrong == tooSimply {
				l.Scrap = 0
			}
			if wrong == tooMuch {
				l.Mode &^= 2
			}
		},
		ForgetMessage: func(m *forgettable) {
			if m.Kind == unread || wrong == tooEarly {
				m.Set.Forget()
			}
			if wrong == ofMessages {
				m.Kind &^= 1
			}
		},
		Units: func(l *forgetful) int { return int(l.Mode) },
		Network: model.Network{
			Channel: model.Channel(r.IntN(2)), Crashes: r.IntN(3), Crashable: someOf(r, n),
			CrashSends: model.CrashSends(r.IntN(3)),
		},
		Properties: []model.Property[global]{
			{Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used <= most }},
			{Name: "alive", Kind: model.Invariant, OfUse: func(used, live int) bool {
				return used != most-2*(n-live)
			}},
			{Name: "can", Kind: model.Reachable, OfUse: func(used, _ int) bool { return used > most }},
			{Name: "local", Kind: model.Invariant, OfLocal: func(g *global, p model.Proc) bool {
				l := g.Local(p)
				return int(l.Mode)+4*int(l.Fuel)+int(p) != salt
			}},
		},
	}
	c.Properties = append(c.Properties, model.Property[global]{
		Name: "all", Kind: model.Reachable,
		OfLocal: func(g *global, p model.Proc) bool { return int(g.Local(p).Mode) > salt%4 },
	})
	if !plain {
		c.Properties = append(c.Properties,
			model.Property[global]{Name: "whole", Kind: model.Invariant, Holds: func(g *global) bool {
				return g.Local(0).Mode != 3 || int(g.Local(1).Mode+g.Local(1).Fuel) != salt%6
			}},
			model.Property[global]{Name: "quiet", Kind: model.Quiet, Holds: func(g *global) bool {
				return g.Local(0).Mode != uint8(salt%4)
			}},
			model.Property[global]{
				Name: "step", Kind: model.StepInvariant, Steps: []string{"receive"},
				HoldsStep: func(from *global, by model.Proc, to *global) bool {
					l := from.Local(by)
					return l.Mode != 1 || l.Seen.Value() != uint32(salt%3) || to.Local(by).Mode == 1
				},
			},
			model.Property[global]{Name: "deadlock", Kind: model.DeadlockFree},
		)
	}
	return model.Compose(c)
}

// reductions are those that are tried, with which they are sound for.
var reductions = []model.Reduction{{Dead: true}, {Crashes: true}, {Dead: true, Crashes: true}}

// TestReduce: what is left out changes no verdict and no length, on random models, of which the naive
// explorer knows both.
func TestReduce(t *testing.T) {
	ofMany(t)
	saved := map[model.Reduction]int64{}
	for seed := range seeds(15, 3000) {
		r := rand.New(rand.NewPCG(seed, 18))
		in := randomForgetful(r, seed%2 == 0, rightly)
		props := in.Space.Properties()
		want, ok := naive.Explore(in.Plain, in.Space.Actions(), props, 2_000)
		if !ok {
			continue
		}
		for _, less := range reductions {
			asked := []int{0, 2, 3} // of which none is easier or harder to keep after a crash
			if seed/2%2 == 0 {
				asked = append(asked, 1, 4)
			}
			for i := 5; i < len(props) && !less.Crashes; i++ {
				asked = append(asked, i)
			}
			report, err := explore.Run(context.Background(), in, explore.Options{
				KeepGoing: true, Workers: 1 + int(seed%2), Reduce: less, Properties: asked,
			})
			if err != nil || !report.Complete {
				t.Fatalf("seed %d, %v: %v, %+v", seed, less, err, report)
			}
			sameVerdicts(t, seed, props, &want, report)
			sameOnDisk(t, seed, in, asked, report)
			saved[less] += int64(want.States) - report.States
		}
	}
	for _, less := range reductions {
		if saved[less] <= 0 {
			t.Errorf("%v saves %d states", less, saved[less])
		}
	}
}

// sameOnDisk compares the report of a complete search with the Disk store, and with tasks that several
// processes do, for one seed in four.
func sameOnDisk(t *testing.T, seed uint64, in model.Instance, asked []int, want *explore.Report) {
	t.Helper()
	if seed%4 != 0 {
		return
	}
	opt := explore.Options{
		KeepGoing: true, Workers: 1 + int(seed/4%3), Reduce: want.Reduce, Properties: asked,
		Store: explore.Store{Kind: explore.Disk, Dir: t.TempDir()},
	}
	got, err := explore.Run(explore.InBatches(explore.TwoShards(t.Context()), 50), in, opt)
	if err != nil {
		t.Fatalf("seed %d, %v on disk: %v", seed, want.Reduce, err)
	}
	said := func(r *explore.Report) string {
		s := fmt.Sprintln(r.Complete, r.States, r.Generated, r.Levels, r.Fired, r.Quiet, r.Stuck)
		for _, p := range r.Properties {
			s += fmt.Sprintln(p.Name, p.Verdict, p.Length, p.Count, p.Vacuous)
		}
		return s
	}
	if g, w := said(got), said(want); g != w {
		t.Errorf("seed %d, %v on disk:\n%s\nwant\n%s", seed, want.Reduce, g, w)
	}
	if g, w := said(inTasks(t, in, opt, rand.New(rand.NewPCG(seed, 41)))), said(want); g != w {
		t.Errorf("seed %d, %v in tasks:\n%s\nwant\n%s", seed, want.Reduce, g, w)
	}
}

// sameVerdicts compares verdicts and lengths with what the naive explorer found.
func sameVerdicts(
	t *testing.T, seed uint64, props []model.PropertyInfo, want *naive.Counts, r *explore.Report,
) {
	t.Helper()
	for _, p := range r.Properties {
		i := slices.IndexFunc(props, func(q model.PropertyInfo) bool { return q.Name == p.Name })
		steps, found := want.Found[i]
		verdict := explore.Holds
		if found != (p.Kind == model.Reachable) {
			verdict = explore.Violated
		}
		if !found {
			steps = -1
		}
		if p.Verdict != verdict || p.Length != steps {
			t.Errorf("seed %d, %v: %s: %s, %d steps; naively %s, %d",
				seed, r.Reduce, p.Name, p.Verdict, p.Length, verdict, steps)
		}
	}
}

// TestLapses: a model that forgets too much is told so, or it makes no difference.
func TestLapses(t *testing.T) {
	ofMany(t)
	for _, wrong := range []lapse{tooEarly, tooSimply, tooMuch, ofMessages} {
		told := 0
		for seed := range seeds(8, 1000) {
			in := randomForgetful(rand.New(rand.NewPCG(seed, 19)), true, wrong)
			want, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 2_000)
			if !ok {
				continue
			}
			report, err := explore.Run(context.Background(), in, explore.Options{
				KeepGoing: true, Workers: 1, Reduce: model.Reduction{Dead: true},
			})
			if seed%4 == 0 && err == nil {
				onDisk, err := explore.Run(explore.TwoShards(t.Context()), in, explore.Options{
					KeepGoing: true, Workers: 1, Reduce: model.Reduction{Dead: true},
					Store: explore.Store{Kind: explore.Disk, Dir: t.TempDir()},
				})
				if err != nil || onDisk.Verdict != report.Verdict {
					t.Errorf("seed %d: on disk %+v, %v; in memory %s", seed, onDisk, err, report.Verdict)
				}
			}
			if seed%4 > 0 && err == nil && report.Verdict == explore.ModelError {
				both, err := explore.Run(t.Context(), in, explore.Options{
					KeepGoing: true, Workers: 1, Reduce: model.Reduction{Dead: true, Movers: true},
				})
				if err != nil || both.Mistake == nil || both.Verdict != explore.ModelError {
					t.Errorf("seed %d: with movers %+v, %v", seed, both, err)
				}
			}
			switch {
			case err != nil:
				told++ // in the initial state
			case report.Verdict == explore.ModelError:
				told++
				if (report.Mistake.Part == "ForgetMessage") != (wrong == ofMessages) ||
					report.Mistake.Part != "Forget" && wrong != tooEarly && wrong != ofMessages {
					t.Errorf("seed %d: told of %s: %v", seed, report.Mistake.Part, report.Mistake)
				}
			default:
				sameVerdicts(t, seed, in.Space.Properties(), &want, report)
			}
		}
		if told < 3 {
			t.Errorf("lapse %d is told %d times", wrong, told)
		}
	}
}

// TestMistakesOfSearches: what only a search meets, and the model by itself does not, is reported as it is.
func TestMistakesOfSearches(t *testing.T) {
	type state struct {
		Mode, Scrap uint16
		Time        uint32
	}
	type composition = model.Composition[state, uint8, model.None]
	type global = model.Global[state, uint8, model.None]
	forget := func(c *composition) { c.Forget = func(_ model.Proc, l *state) { l.Scrap = 0 } }
	for _, c := range []struct {
		part, want string
		opt        explore.Options
		change     func(*composition)
	}{
		{"Forget", "property whole may read several local states",
			explore.Options{Reduce: model.Reduction{Dead: true}}, forget},
		{"Forget", "goes on changing",
			explore.Options{Reduce: model.Reduction{Dead: true}, Properties: []int{1}}, forget},
		{"Clocks", "a time of 0", explore.Options{}, func(c *composition) {
			c.Clocks = &model.Clocks[state, uint8]{
				Local:   func(l *state, visit func(*uint32)) { visit(&l.Time) },
				Message: func(*uint8, func(*uint32)) {},
			}
		}},
		{"Named", "it distinguishes processes",
			explore.Options{Reduce: model.Reduction{Symmetry: true}, Properties: []int{1}},
			func(c *composition) {
				c.Symmetry = []model.Set{model.All(2)}
				c.Named = func(p model.Proc, l *state) model.Set {
					return model.SetOf(1) * model.Set(int(p)*int(l.Mode)%2)
				}
			}},
	} {
		m := composition{
			N: 2, Init: func(model.Proc) state { return state{Time: 1} },
			Local: []model.Handler[state, uint8]{{Name: "go", Do: func(_ model.Proc, l *state,
				_ *model.Outbox[uint8]) bool {
				l.Mode, l.Scrap, l.Time = (l.Mode+1)%3, l.Scrap+1, 0
				return true
			}}},
			Properties: []model.Property[global]{
				{Name: "whole", Kind: model.Invariant, Holds: func(*global) bool { return true }},
				{Name: "one", Kind: model.Invariant, OfLocal: func(*global, model.Proc) bool { return true }},
			},
		}
		c.change(&m)
		c.opt.Workers, c.opt.MaxDepth = 1, 9
		r, err := explore.Run(t.Context(), model.Compose(m), c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if r.Mistake == nil || r.Mistake.Part != c.part || !strings.Contains(r.Mistake.What, c.want) {
			t.Errorf("%s: %+v; want %s", c.part, r.Mistake, c.want)
		}
	}
}

// TestMistakesOfManyStates: where the handlers of many states are asked about for the first time, and one is
// no function, the run leads to the state that it is about. It led to a later one.
func TestMistakesOfManyStates(t *testing.T) {
	type none = model.None
	type outbox = model.Outbox[none]
	for bad := uint8(1); bad <= 60; bad += 7 {
		runs := uint8(0)
		r, err := explore.Run(t.Context(), model.Compose(model.Composition[uint8, none, none]{
			N: 1, Init: func(model.Proc) uint8 { return 0 },
			Local: []model.Handler[uint8, none]{
				{Name: "pick", Do: func(_ model.Proc, l *uint8, out *outbox) bool {
					begins := *l == 0
					if begins {
						*l = 1 + uint8(out.Pick(60))
					}
					return begins
				}},
				{Name: "go", Do: func(_ model.Proc, l *uint8, _ *outbox) bool {
					goes := 0 < *l && *l < 100
					if *l == bad {
						runs++
						*l += runs % 2
					}
					*l += 100
					return goes
				}},
			},
		}), explore.Options{Workers: 1})
		if err != nil || r.Mistake == nil || len(r.Mistake.Path) != 2 {
			t.Fatalf("state %d: %v, %+v", bad, err, r.Mistake)
		}
		at := r.Mistake.Path[1].State.Key()
		if !strings.HasSuffix(at, fmt.Sprintf("\n%#x", bad)) {
			t.Errorf("the run leads to state %q, and the mistake is in %d", at, bad)
		}
	}
}

// TestMistakesThatDoNotShowAgain: a property that differs at one call only is told of in the state in which
// it did, among many of a level.
func TestMistakesThatDoNotShowAgain(t *testing.T) {
	for bad := 1; bad <= 60; bad += 13 {
		for i := range 4 {
			calls := 0
			differs := func(s int) bool {
				if s == bad {
					calls++
				}
				return s != bad || calls != 2
			}
			in := model.NewSystem(model.System[int]{
				Init: []int{0},
				Actions: []model.SystemAction[int]{{
					Name: "go", Do: func(s *int, _ int, c *model.Choice) bool {
						if *s == 0 {
							*s = 1 + c.Pick(60)
							return true
						}
						*s += 100
						return *s < 200
					}}},
				Properties: []model.Property[int]{
					{Name: "state", Kind: model.Invariant, Holds: func(s *int) bool { return differs(*s) }},
					{Name: "step", Kind: model.StepInvariant, Steps: []string{"go"},
						HoldsStep: func(s *int, _ model.Proc, _ *int) bool { return differs(*s) }},
				},
			})
			opt := explore.Options{Workers: 1, Properties: []int{i % 2}}
			if i >= 2 {
				opt.Store = explore.Store{Kind: explore.Disk, Dir: t.TempDir()}
			}
			r, err := explore.Run(t.Context(), in, opt)
			if err != nil || r.Mistake == nil || len(r.Mistake.Path) != 2 {
				t.Fatalf("state %d, %d: %v, %+v", bad, i, err, r.Mistake)
			}
			if at := fmt.Sprint(r.Mistake.Path[1].State.Vars()); !strings.Contains(at, fmt.Sprint(bad)) {
				t.Errorf("%d: the run leads to state %s, and the mistake is in %d", i, at, bad)
			}
		}
	}
}
