package traces_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

// walk returns a random run of a model to where a property is violated; nil if
// it does not come by such a place in time.
func walk(t testing.TB, s source, seed uint64, most int) *traces.Run {
	t.Helper()
	base := s.runs(t)[0]
	r := rand.New(rand.NewPCG(seed, 1))
	h := base.run.Trace.Header
	inits := base.in.Plain.Init()
	initial := inits[r.IntN(len(inits))].Next
	at, taken := initial, []model.Transition(nil)
	for range most {
		ts := slices.DeleteFunc(base.in.Plain.Steps(at), func(t model.Transition) bool { return t.Pruned || t.Outside })
		if len(ts) == 0 {
			break
		}
		next := ts[r.IntN(len(ts))]
		taken, at = append(taken, next), next.Next
		if len(taken) < most/2 {
			continue // long enough to have something to leave out
		}
		if run, err := traces.FromRun(base.in, h, initial, taken); err == nil {
			return run
		}
	}
	run, err := traces.FromRun(base.in, h, initial, taken)
	if err != nil {
		return nil
	}
	return run
}

// walked are models whose random runs come by violations.
var walked = []source{
	{"raymond", "n=3 k=2 rounds=2,1,1 crashes=1", "capacity-naive", 0},
	{"raymond", "n=4 k=2 rounds=3 crashes=2 channel=fifo", "capacity-naive", 0},
	{"lamport-mutex", "n=3 max-clock=9", "", 0},
	{"bounded-buffer", "producers=4 consumers=3 capacity=3", "deadlock-freedom", 46},
	{"raymond", "n=3 k=2 rounds=2,1,0 crashes=1", "can-reach-k", 0},
}

func walks(t *testing.T, each func(*testing.T, source, *traces.Run)) {
	for _, s := range walked {
		t.Run(s.spec+" "+s.args, func(t *testing.T) {
			if len(s.runs(t)) == 0 {
				t.Skip("no counterexample")
			}
			n := 0
			for seed := range uint64(300) {
				if r := walk(t, s, seed, 60); r != nil && n < 20 {
					n++
					each(t, s, r)
				}
			}
			t.Logf("%d runs", n)
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

// TestTidy wants the same steps and the same end in an order with fewer switches.
func TestTidy(t *testing.T) {
	better := 0
	walks(t, func(t *testing.T, s source, r *traces.Run) {
		start := time.Now()
		tidied := traces.Tidy(r)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d steps took %v", len(r.Taken), d)
		}
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

// TestMinimise wants shorter runs that show the same.
func TestMinimise(t *testing.T) {
	shorter := 0
	walks(t, func(t *testing.T, s source, r *traces.Run) {
		start := time.Now()
		small := traces.Minimise(r)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d steps took %v", len(r.Taken), d)
		}
		if len(small.Taken) > len(r.Taken) {
			t.Errorf("%d steps, there were %d", len(small.Taken), len(r.Taken))
		}
		if len(small.Taken) < len(r.Taken) {
			shorter++
		}
		if _, err := reading(t, written(t, small.Trace)); err != nil {
			t.Error(err)
		}
		t.Logf("%d -> %d steps, %d -> %d switches, %v", len(r.Taken), len(small.Taken), switches(r), switches(traces.Tidy(r)), time.Since(start))
	})
	if shorter < 20 {
		t.Errorf("only %d runs became shorter", shorter)
	}
}

// TestShortestStays: what a breadth-first search finds has no needless step.
func TestShortestStays(t *testing.T) {
	for _, s := range examples {
		for _, n := range s.runs(t) {
			if small := traces.Minimise(n.run); len(small.Taken) != len(n.run.Taken) {
				t.Errorf("%s: %d steps, the shortest has %d", n.name, len(small.Taken), len(n.run.Taken))
			}
		}
	}
}
