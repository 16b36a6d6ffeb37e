package simulate

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/specs"
)

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(1000)

// sweep is set for the larger sweep: CONTRIBUTING.md.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// times returns how many runs a test plays: few, in the sweep all.
func times(few, all int64) int64 {
	if sweep {
		return all
	}
	return few
}

func instance(t testing.TB, line string) model.Instance {
	t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == name })
	in, _, err := specs.All[i].Instantiate(strings.Fields(rest))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// all are the properties of an instance that are not asked on request only.
func all(in model.Instance) (indices []int) {
	for i, p := range in.Space.Properties() {
		if !p.OnRequest {
			indices = append(indices, i)
		}
	}
	return indices
}

// small are instances all of whose states random runs can be expected to meet, of both players, and with
// all that compositions have: crashes inside handlers, notices, histories, FIFO and bags, clocks, links,
// faults of channels.
var small = []string{
	"raymond n=2 k=1 rounds=2,2",
	"raymond n=2 k=1 rounds=1,1 crashes=1 channel=fifo",
	"raymond n=2 k=1 rounds=1,1 losses=1",
	"bas n=2 k=1 rounds=1,1 crashes=1",
	"bas n=3 k=2 rounds=1,0,0 crashes=2 dead=3 crash-sends=prefix",
	"timerfree n=3 k=2 f=1 rounds=1,0,0 crashes=1 variant=c rp=V",
	"timerfree n=3 k=3 f=1 rounds=1,0,0 crashes=1 channel=fifo",
	"vcube-stack n=2 k=1 rounds=1,0 crashes=1",
	"vcube-broadcast n=4 crashes=1 rounds=1,0,0,0 crashable=1",
	"raymond n=2 k=1 rounds=1,0 losses=1 copies=1 channel=fifo",
	"bas n=2 k=1 rounds=1,0 copies=1 crashes=1",
	"raymond n=2 k=1 rounds=1,1 partition=1 heals=yes",
	"ring-basic n=2",
	"ring-recovery n=2 f=1 rounds=1,0",
	"die-hard",
	"2pc n=2",
	"chang-roberts n=3",
}

func init() {
	if sweep {
		small = append(small, "ring-basic n=3")
	}
}

// reachable returns the codes of all states, found by the plain semantics.
func reachable(in model.Instance) map[protocol.Code]bool {
	seen := map[protocol.Code]bool{}
	var todo []lts.State
	arrive := func(t lts.Transition) {
		if c := t.Next.Code(); !t.Pruned && !seen[c] {
			seen[c] = true
			if !t.Outside {
				todo = append(todo, t.Next)
			}
		}
	}
	for _, t := range in.Plain.Init() {
		arrive(t)
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range in.Plain.Steps(s) {
			arrive(t)
		}
	}
	return seen
}

// TestRunsMeetAllStates: runs of each scheduler meet the states that there are, and no others; and the hashes
// by which they count them tell states apart as their codes do.
func TestRunsMeetAllStates(t *testing.T) {
	for _, line := range small {
		t.Run(line, func(t *testing.T) {
			in := instance(t, line)
			want := reachable(in)
			seen := map[protocol.Code]bool{}
			codes, hashes := map[uint64]protocol.Code{}, map[protocol.Code]uint64{}
			var ws []*walker
			for i, by := range Schedulers {
				w := newWalker(in, &Options{Seed: uint64(i), Scheduler: by, Depth: 4, Steps: 100})
				w.path = func(s lts.State) {
					c, h := s.Code(), w.hash(w.locals)
					if !want[c] {
						t.Fatalf("%s: a run meets a state that cannot be reached: %v", by, s.Vars())
					}
					seen[c] = true
					if old, known := codes[h]; known && old != c {
						t.Fatal("two states have one hash")
					}
					if old, known := hashes[c]; known && old != h {
						t.Fatal("a state has two hashes")
					}
					codes[h], hashes[c] = c, h
				}
				ws = append(ws, w)
			}
			for number := int64(0); number < 20_000 && (number < 20 || len(seen) < len(want)); number++ {
				for _, w := range ws {
					w.walk(context.Background(), number)
				}
			}
			if len(seen) != len(want) {
				t.Errorf("%d states of %d were met", len(seen), len(want))
			}
		})
	}
}

// TestPlayersOfferTheEnabledSteps: in each state of some runs a player can take the steps that the plain
// semantics lists, by their labels, and leads to the same states.
func TestPlayersOfferTheEnabledSteps(t *testing.T) {
	for _, line := range append([]string{
		"ring-basic n=3 f=1 breaks=1 rounds=2", "ring-recovery scheme=1 n=3 f=2 breaks=1 rounds=2",
		"ring-recovery scheme=2 n=4 f=2 rounds=2", "ring-recovery scheme=3 n=3 f=1 rounds=2",
		"ring-recovery n=3 breaks=2 start=cold",
		"raymond n=3 k=1 rounds=2 losses=2 copies=2 channel=fifo crashes=1",
		"cohorts cohorts=1,2 h=1,1 partition=r1,1,3 heals=yes",
	}, small...) {
		in := instance(t, line)
		if in.Interp == nil {
			continue
		}
		w := newWalker(in, &Options{Seed: 1, Scheduler: Steps, Steps: 150})
		pl := w.player.(*composedPlayer)
		var at lts.State
		w.path = func(s lts.State) {
			want, got := map[model.Label]bool{}, map[model.Label]bool{}
			for _, t := range in.Plain.Steps(s) {
				if !t.Pruned {
					want[t.Label()] = true
				}
			}
			for _, list := range w.candidates() {
				for _, c := range list {
					if w.prepare(c) == enabled && c.kind != broken {
						got[pl.step.Label()] = true
					}
				}
			}
			for l := range want {
				if !got[l] && !breaksOff(w.actions[l.Action]) {
					t.Fatalf("%s: run %d: the player cannot take %+v of\n%v", line, w.Number, l, s.Vars())
				}
			}
			for l := range got {
				if !want[l] {
					t.Fatalf("%s: run %d: the player takes %+v of\n%v", line, w.Number, l, s.Vars())
				}
			}
			if at != nil && !slices.ContainsFunc(in.Plain.Steps(at), func(t lts.Transition) bool {
				return t.Label() == w.last.label && t.Next.Key() == s.Key()
			}) {
				t.Fatalf("%s: run %d, step %d leads elsewhere: %v", line, w.Number, w.Length, s.Vars())
			}
			at = s
		}
		for number := range times(6, 15) {
			at = nil
			w.walk(context.Background(), number)
		}
	}
}

// breaksOff reports whether the action is that of crashes inside handlers, whose parts a player draws.
func breaksOff(a lts.Action) bool { return a.Name == "crash while sending" }

// TestPlayersFindTheSame: the two players find the same properties violated, of the same states.
func TestPlayersFindTheSame(t *testing.T) {
	for _, line := range small {
		in := instance(t, line)
		if in.Interp == nil {
			continue
		}
		var found [2]string
		for i := range found {
			if i == 1 {
				in.Interp = nil
			}
			opt := Options{Seed: 3, Scheduler: Steps, Runs: 400, Steps: 100, Properties: all(in),
				KeepGoing: true}
			r, err := Run(context.Background(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range r.Properties {
				found[i] += fmt.Sprintln(p.Name, p.Verdict)
			}
		}
		if found[0] != found[1] {
			t.Errorf("%s: one finds\n%sthe plain semantics\n%s", line, found[0], found[1])
		}
	}
}

// TestReportIsTheSameForAnyWorkers: the report is the same for any number of workers, also where a run ends
// it.
func TestReportIsTheSameForAnyWorkers(t *testing.T) {
	for _, line := range []string{
		"timerfree n=4 k=2 f=1 rounds=2,1,1,0 rp=off", "die-hard", "raymond n=4 k=2 rounds=2 crashes=1",
	} {
		in := instance(t, line)
		for _, by := range Schedulers {
			var reports []Report
			for _, workers := range []int{1, 3} {
				opt := Options{Seed: 5, Scheduler: by, Depth: 2, Runs: times(100, 300), Steps: 200,
					Properties: all(in), Workers: workers}
				r, err := Run(context.Background(), in, opt)
				if err != nil {
					t.Fatal(err)
				}
				r.Elapsed = 0
				reports = append(reports, *r)
			}
			if !reflect.DeepEqual(reports[0], reports[1]) {
				t.Errorf("%s, %s: %+v with 1 worker, %+v with 3", line, by, reports[0], reports[1])
			}
		}
	}
}

// TestEstimatesApproachTheTruth: what is said of unseen states against how many there are.
func TestEstimatesApproachTheTruth(t *testing.T) {
	in := instance(t, "raymond n=3 k=1 rounds=1,1,1")
	const truth, more = 7653, 40
	for _, runs := range []int64{200, 800} {
		var expected, met float64
		for seed := range uint64(6) {
			opt := Options{Seed: seed, Scheduler: Steps, Runs: runs, Steps: 100}
			r, err := Run(context.Background(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			opt.Runs += more
			later, err := Run(context.Background(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			expected += r.Coverage.Next(runs) * more
			met += float64(later.Coverage.States - r.Coverage.States)
			if least := r.Coverage.Least(runs); least < float64(r.Coverage.States) || least > truth {
				t.Errorf("%d runs: at least %.0f states of %d", runs, least, truth)
			}
		}
		if expected < met*0.8 || expected > met*1.25 {
			t.Errorf("%d runs: %.0f states were expected of some more, and %.0f met", runs, expected, met)
		}
	}
}

// TestPathLeadsToTheFinding: the states of a run that is played again lead to what it has found.
func TestPathLeadsToTheFinding(t *testing.T) {
	in := instance(t, "timerfree n=4 k=2 f=1 rounds=2,1,1,0 rp=off")
	for _, by := range Schedulers {
		opt := Options{Seed: 1, Scheduler: by, Depth: 3, Runs: 5000, Steps: 200, Properties: all(in)}
		r, err := Run(context.Background(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range r.Properties {
			if p.Verdict != explore.Violated {
				continue
			}
			states, labels := Path(in, opt, p.Run, p.Length)
			if len(states) != p.Length+1 || len(labels) != p.Length || !in.Plain.Judge(states[p.Length],
				opt.Properties[i]) {
				t.Errorf("%s: %s is not violated in the last of %d states", by, p.Name, len(states))
			}
		}
		if r.Verdict != explore.Violated {
			t.Errorf("%s finds nothing in %d runs", by, r.Runs)
		}
	}
}

// TestRecoveryIsBrokenOff: a process may crash while its recovery sends, also where a history excludes that
// the recovery ends; and a run that violates a property in a quiet state stops there, whatever is excluded.
func TestRecoveryIsBrokenOff(t *testing.T) {
	type global = model.Global[int, int, int]
	for _, guards := range []bool{false, true} {
		in := model.Compose(model.Composition[int, int, int]{
			N: 2, Init: func(model.Proc) int { return 0 },
			Receive: []model.Receiver[int, int]{{Name: "receive", Accepts: func(int) bool { return true },
				Do: func(_, _ model.Proc, _ int, _ *int, _ *model.Outbox[int]) bool { return true }}},
			Recover: &model.Handler[int, int]{Name: "recover", Kind: model.Spontaneous,
				Do: func(_ model.Proc, _ *int, out *model.Outbox[int]) bool {
					out.Note(1)
					out.Send(1, 1)
					out.Send(1, 2)
					return true
				}},
			History: model.History[int]{Guards: guards,
				Step: func(_ *int, e model.Event) bool { return e.Crash }},
			Network: model.Network{Dead: model.SetOf(0), Crashable: model.SetOf(0), Crashes: 1,
				CrashSends: model.Subset},
			Properties: []model.Property[global]{{Name: "received", Kind: model.Quiet,
				Holds: func(g *global) bool { return len(g.Inbox(1)) > 0 }}},
		})
		for _, by := range Schedulers {
			opt := Options{Scheduler: by, Depth: 1, Runs: 20, Steps: 9, KeepGoing: true}
			r, err := Run(context.Background(), in, opt)
			if err != nil || r.Steps != 40 || r.Ends[Ended] != 20 { // a crash, and a receipt
				t.Errorf("guards %v, %s: %v %d steps, %v", guards, by, err, r.Steps, r.Ends)
			}
			opt.Properties = []int{0}
			if r, err = Run(context.Background(), in, opt); err != nil || r.Ends[Stopped] != 20 {
				t.Errorf("guards %v, %s: %v %v", guards, by, err, r.Ends)
			}
		}
	}
}

// sender is a composition whose first process sends to the second one, by handlers of its own.
func sender(c model.Composition[int, int, int], handlers ...model.Handler[int, int],
) model.Composition[int, int, int] {
	c.N, c.Local = 2, handlers
	if c.Init == nil {
		c.Init = func(model.Proc) int { return 0 }
	}
	c.Receive = []model.Receiver[int, int]{{Name: "receive", Accepts: func(int) bool { return true },
		Do: func(_, _ model.Proc, _ int, _ *int, _ *model.Outbox[int]) bool { return true }}}
	for i := range c.Local {
		do := c.Local[i].Do
		c.Local[i].Do = func(p model.Proc, l *int, out *model.Outbox[int]) bool {
			return p == 0 && do(p, l, out)
		}
	}
	return c
}

// TestCrashWhileSendingIsAsLikelyAsOtherSteps counts the first steps of runs: a crash while sending is one
// step, whatever handlers there are that send nothing, are not enabled, or send by some picks only.
func TestCrashWhileSendingIsAsLikelyAsOtherSteps(t *testing.T) {
	sends := func(n func(*model.Outbox[int]) int) func(model.Proc, *int, *model.Outbox[int]) bool {
		return func(_ model.Proc, _ *int, out *model.Outbox[int]) bool {
			k := n(out)
			for i := range k {
				out.Send(1, i)
			}
			return k >= 0
		}
	}
	in := model.Compose(sender(model.Composition[int, int, int]{
		Network: model.Network{Crashes: 1, Crashable: model.SetOf(0), CrashSends: model.Subset},
	},
		model.Handler[int, int]{Name: "silent", Do: sends(func(*model.Outbox[int]) int { return 0 })},
		model.Handler[int, int]{Name: "disabled", Do: sends(func(*model.Outbox[int]) int { return -1 })},
		model.Handler[int, int]{Name: "picks", Do: sends(func(out *model.Outbox[int]) int {
			return 2*(out.Pick(4)/3) - 1 + out.Pick(2)
		})}))
	const runs = 4000
	rates := (1./4 + 1./16 + 1./64 + 1./256) / 4
	own := (1 - rates) / 2
	for by, want := range map[Scheduler][]float64{ // silent, picks, crash, crash while sending
		Steps: {.25, .25, .25, .25}, Processes: {.25, .25, .25, .25}, Swarm: {.25, .25, .25, .25},
		PCT: {1. / 6, 1. / 6, 1. / 3, 1. / 3}, Crashes: {own, own, 0, rates},
	} {
		r, err := Run(context.Background(), in, Options{Seed: 2, Scheduler: by, Depth: 1, Runs: runs,
			Steps: 1})
		if err != nil {
			t.Fatal(err)
		}
		square := 0.
		for i, action := range []int{0, 2, 4, 5} {
			got, expected := float64(r.Fired[action]), runs*want[i]
			square += (got - expected) * (got - expected) / max(expected, 1e-9)
		}
		if square > 22 { // once in 15,000 seeds
			t.Errorf("%s: %v, chi-square is %.0f", by, r.Fired, square)
		}
	}
}

// TestAllPropertiesOfAStateAreReported: a run that ends with a violation reports each property that its last
// state violates, also those of quiet states and of liveness.
func TestAllPropertiesOfAStateAreReported(t *testing.T) {
	type global = model.Global[int, int, int]
	never := func(g *global) bool { return *g.Local(0) == 0 }
	late := func(*global) bool { return false }
	c := sender(model.Composition[int, int, int]{Properties: []model.Property[global]{
		{Name: "invariant", Holds: never}, {Name: "other", Holds: never},
		{Name: "quiet", Kind: model.Quiet, Holds: never}, {Name: "free", Kind: model.DeadlockFree},
		invariants.AlwaysEventually(late).As("late", "", ""),
		invariants.AlwaysEventually(late).As("late-too", "", ""),
	}}, model.Handler[int, int]{Name: "once", Do: func(_ model.Proc, l *int, _ *model.Outbox[int]) bool {
		*l++
		return *l == 1
	}})
	plain := model.Compose(c)
	plain.Interp = nil
	for _, in := range []model.Instance{model.Compose(c), plain} {
		for _, by := range Schedulers {
			r, err := Run(context.Background(), in, Options{Scheduler: by, Depth: 1, Runs: 1, Steps: 5,
				Within: 1, Properties: all(in)})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range r.Properties {
				if p.Verdict != explore.Violated || p.Length != 1 {
					t.Errorf("%s: %s is %s after %d steps", by, p.Name, p.Verdict, p.Length)
				}
			}
		}
	}
}

// TestBoundsCutOffSteps: a run goes on from a first state that is beyond the bounds, as a search does.
func TestBoundsCutOffSteps(t *testing.T) {
	one := model.Handler[int, int]{Name: "send", Do: func(_ model.Proc, _ *int, out *model.Outbox[int]) bool {
		out.Send(1, 0)
		return true
	}}
	clocks := func(c model.Clocks[int, int]) *model.Clocks[int, int] {
		c.Local, c.Message = func(*int, func(*uint32)) {}, func(*int, func(*uint32)) {}
		return &c
	}
	for name, c := range map[string]model.Composition[int, int, int]{
		"in flight": {Network: model.Network{MaxInFlight: 2}, UnderWay: func(p model.Proc) []model.Sent[int] {
			return make([]model.Sent[int], 4*p)
		}},
		"within": {Clocks: clocks(model.Clocks[int, int]{Limit: "more than 0",
			Within: func(l *int) bool { return *l > 0 }})},
	} {
		in := model.Compose(sender(c, one))
		s, err := explore.Run(context.Background(), in, explore.Options{MaxDepth: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, player := range []string{"composed", "plain"} {
			r, err := Run(context.Background(), in, Options{Scheduler: Steps, Runs: 100, Steps: 1})
			if err != nil || r.Steps != 100 || r.Coverage.States != s.States+s.Outside {
				t.Errorf("%s, %s: %v, %d states, %d steps; a search: %d, and %d outside", name, player, err,
					r.Coverage.States, r.Steps, s.States, s.Outside)
			}
			in.Interp = nil
		}
	}
}
