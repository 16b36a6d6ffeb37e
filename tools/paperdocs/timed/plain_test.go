package timed

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
)

// follow holds each step of a run against the plain semantics, and counts them.
func follow(t *testing.T, in model.Instance, r *run) (steps int) {
	var at lts.State = r.state.Clone()
	r.watch = func() {
		label, key, ts := r.step.Label(), r.state.Key(), in.Plain.Steps(at)
		i := slices.IndexFunc(ts, func(t lts.Transition) bool {
			return t.Label() == label && !t.Pruned && t.Next.Key() == key
		})
		if i < 0 {
			t.Fatalf("step %d, %+v, is not one of the %d of the plain semantics", steps, label, len(ts))
		}
		at = ts[i].Next
		steps++
	}
	r.play(context.Background())
	return steps
}

// TestEventsArePlainSteps holds timed runs of few processes, event by event, against the plain semantics:
// each is a step that is enabled there, and leads to the same state.
func TestEventsArePlainSteps(t *testing.T) {
	for _, line := range []string{
		"raymond n=3 k=1 rounds=3", "raymond n=3 k=2 rounds=3 channel=fifo crashes=1",
		"bas n=3 k=1 rounds=3 crashes=1",
		"timerfree n=4 k=2 f=1 rounds=2 variant=d rp=off crashes=1",
		"vcube-stack n=4 k=2 rounds=2 channel=fifo crashes=1",
		"vcube-kmutex n=3 k=2 rounds=2",
		"ring-basic n=3 rounds=3",
		"ring-recovery n=3 f=1 rounds=3", "ring-recovery scheme=1 n=3 f=1 rounds=3",
	} {
		words := strings.Fields(line)
		i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == words[0] })
		in, _, err := specs.All[i].Instantiate(words[1:])
		if err != nil {
			t.Fatal(err)
		}
		s := Settings{Duration: 60}
		s.Load = Load{First: dist(t, "uniform 0 3"), Think: dist(t, "exponential 3"), Use: dist(t, "1")}
		s.Network = Network{Transmit: dist(t, "uniform 0.1 2"), Receive: dist(t, "0.05"),
			Bag: !strings.Contains(line, "fifo")}
		if strings.Contains(line, "crashes=1") {
			s.Faults = Faults{At: []float64{5}, Notice: dist(t, "uniform 0 3")}
		}
		if strings.HasPrefix(line, "ring") {
			s.Request, s.Network.Link, s.Network.Bag = "enter", dist(t, "uniform 0.1 2"), false
		}
		if strings.Contains(line, "ring-recovery") {
			s.Faults = Faults{At: []float64{20}, Repair: dist(t, "10")}
		}
		if steps := follow(t, in, newRun(in, &s, rand.New(rand.NewPCG(1, 1)))); steps < 20 {
			t.Errorf("%s: %d steps", line, steps)
		}
	}
}
