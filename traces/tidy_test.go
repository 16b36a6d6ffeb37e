package traces_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// walk returns a random run of a model that ends where a property is violated,
// as far on as possible; nil if it does not come by such a place.
func walk(t testing.TB, s source, seed uint64, most int) *traces.Run {
	t.Helper()
	in, h := s.instance(t)
	r := rand.New(rand.NewPCG(seed, 1))
	inits := in.Plain.Init()
	initial := inits[r.IntN(len(inits))].Next
	at, taken := initial, []lts.Transition(nil)
	for range most {
		ts := slices.DeleteFunc(in.Plain.Steps(at), func(t lts.Transition) bool {
			return t.Pruned ||
				t.Outside
		})
		if len(ts) == 0 {
			break
		}
		next := ts[r.IntN(len(ts))]
		if next.Crashed { // seldom, however many ways to crash there are
			next = ts[r.IntN(len(ts))]
		}
		taken, at = append(taken, next), next.Next
	}
	for ; len(taken) > 0; taken = taken[:len(taken)-1] {
		if run, err := traces.FromRun(in, h, initial, taken); err == nil {
			return run
		}
	}
	return nil
}

// walked are models whose random runs come by violations.
var walked = []source{
	{"raymond", "n=3 k=2 rounds=2,1,1 crashes=1", "capacity-naive", 0},
	{"raymond", "n=4 k=2 rounds=3 crashes=2 channel=fifo", "capacity-naive", 0},
	{"raymond", "n=3 k=1 rounds=1 crashes=1 crash-sends=none", "no-starvation", 0},
	{"raymond", "n=3 k=2 rounds=2,2,2 crashes=0", "can-reach-k", 0},
	{"bounded-buffer", "producers=2 consumers=1 capacity=1", "deadlock-freedom", 0},
	{"2pc", "n=2", "never-commits", 0},
}

// walks calls each for some random runs of each of these models.
func walks(t *testing.T, each func(*testing.T, *traces.Run)) {
	for _, s := range walked {
		t.Run(s.spec+" "+s.args+" "+s.property, func(t *testing.T) {
			n := 0
			for seed := uint64(0); seed < 60 && n < 10; seed++ {
				if r := walk(t, s, seed, 60); r != nil {
					n++
					each(t, r)
				}
			}
			if n == 0 {
				t.Error("no run shows a violation")
			}
		})
	}
}

func switches(r *traces.Run) (n int) {
	steps := r.Trace.Steps
	for i := 2; i < len(steps); i++ {
		if steps[i].Node != steps[i-1].Node {
			n++
		}
	}
	return n
}

// events lists what happened in a run, whatever the order.
func events(r *traces.Run) (list []string) {
	for _, s := range r.Trace.Steps[1:] {
		list = append(list, s.Text)
	}
	slices.Sort(list)
	return list
}

// TestTidyKeepsStepsWithFewerSwitches wants the same steps and the same end in an order with fewer switches.
func TestTidyKeepsStepsWithFewerSwitches(t *testing.T) {
	better := 0
	walks(t, func(t *testing.T, r *traces.Run) {
		tidied := traces.Tidy(r)
		if !slices.Equal(events(tidied), events(r)) {
			t.Errorf("other steps:\n%v\n%v", events(r), events(tidied))
		}
		if tidied.States[len(tidied.States)-1].Key() != r.States[len(r.States)-1].Key() {
			t.Errorf("another end")
		}
		if switches(tidied) > switches(r) {
			t.Errorf("%d switches, there were %d", switches(tidied), switches(r))
		}
		if switches(tidied) < switches(r) {
			better++
		}
		if _, err := reading(t, written(t, tidied.Trace)); err != nil {
			t.Error(err)
		}
	})
	if better < 20 {
		t.Errorf("only %d runs were tidied", better)
	}
}

// TestMinimisedRunShowsTheSame wants shorter runs that show the same.
func TestMinimisedRunShowsTheSame(t *testing.T) {
	shorter := 0
	walks(t, func(t *testing.T, r *traces.Run) {
		small := traces.Minimise(t.Context(), r)
		if len(small.Taken) > len(r.Taken) {
			t.Errorf("%d steps, there were %d", len(small.Taken), len(r.Taken))
		}
		if len(small.Taken) < len(r.Taken) {
			shorter++
		}
		if _, err := reading(t, written(t, small.Trace)); err != nil {
			t.Error(err)
		}
	})
	if shorter < 20 {
		t.Errorf("only %d runs became shorter", shorter)
	}
}

// TestInterruptedMinimise: what is left of a run when its context ends shows the same, and nothing is lost.
func TestInterruptedMinimise(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	less := 0
	walks(t, func(t *testing.T, r *traces.Run) {
		some, all := traces.Minimise(ended, r), traces.Minimise(t.Context(), r)
		if len(some.Taken) > len(all.Taken) {
			less++
		}
		if _, err := reading(t, written(t, some.Trace)); err != nil {
			t.Error(err)
		}
	})
	if less < 20 {
		t.Errorf("only %d runs were left longer", less)
	}
}

// TestShortestRunIsMinimal: what a breadth-first search finds has no needless step.
func TestShortestRunIsMinimal(t *testing.T) {
	for _, s := range examples {
		for _, n := range s.runs(t) {
			if small := traces.Minimise(t.Context(), n.run); len(small.Taken) != len(n.run.Taken) {
				t.Errorf("%s: %d steps, the shortest has %d", n.name, len(small.Taken), len(n.run.Taken))
			}
		}
	}
}

// TestLongRunsTakeBoundedWork keeps the work on long runs within bounds: so many states are expanded.
func TestLongRunsTakeBoundedWork(t *testing.T) {
	n := source{"die-hard", "", "big-not-4", 6}.runs(t)[0]
	work := &counting{Plain: n.in.Plain}
	n.in.Plain = work
	small := traces.Minimise(t.Context(), traces.Tidy(lengthened(t, n)))
	if work.expanded > 50_000 || len(small.Taken) != 6 {
		t.Errorf("%d steps left after %d states were expanded, want 6 after 50,000 at most", len(small.Taken),
			work.expanded)
	}
}

// counting counts the states that are expanded.
type counting struct {
	lts.Plain
	expanded int
}

func (c *counting) Steps(s lts.State) []lts.Transition {
	c.expanded++
	return c.Plain.Steps(s)
}

// fewest returns the fewest switches of all orders of the steps of a run that can
// be executed and end in the same state. It tries them all.
func fewest(plain lts.Plain, r *traces.Run) int {
	left := map[string][]lts.Transition{}
	for _, t := range r.Taken {
		left[t.Owner] = append(left[t.Owner], t)
	}
	end := r.States[len(r.States)-1].Key()
	best := len(r.Taken)
	var try func(at lts.State, last string, n, switches int)
	try = func(at lts.State, last string, n, switches int) {
		if n == len(r.Taken) && at.Key() == end {
			best = min(best, switches)
		}
		for owner, ts := range left {
			if len(ts) == 0 {
				continue
			}
			more := switches
			if n > 0 && owner != last {
				more++
			}
			steps := plain.Steps(at)
			i := slices.IndexFunc(steps, func(t lts.Transition) bool {
				return t.Owner == owner && t.Text() == ts[0].Text() && slices.Equal(t.Sent, ts[0].Sent)
			})
			if i < 0 || more >= best {
				continue
			}
			left[owner] = ts[1:]
			try(steps[i].Next, owner, n+1, more)
			left[owner] = ts
		}
	}
	try(r.States[0], "", 0, 0)
	return best
}

// TestTidyHasTheFewestSwitches compares Tidy with trying everything, on runs of up to a dozen steps.
func TestTidyHasTheFewestSwitches(t *testing.T) {
	compared := 0
	for _, s := range walked {
		in, _ := s.instance(t)
		for seed := range uint64(40) {
			r := walk(t, s, seed, 24)
			if r == nil || len(r.Taken) > 12 || r.Taken[0].Owner == "" {
				continue
			}
			compared++
			if got, want := switches(traces.Tidy(r)), fewest(in.Plain, r); got != want {
				t.Errorf("%s %s, seed %d: %d switches, possible are %d", s.spec, s.args, seed, got, want)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d runs are short enough", compared)
	}
}
