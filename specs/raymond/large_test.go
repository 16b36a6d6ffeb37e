package raymond

import (
	"context"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// TestPlantedAmongMany plants an error among far more processes than a search takes: who has one permission
// too few enters. Random runs find it; the run is made shorter, executed once more, and drawn. The picture is
// kept in the file that ATMOSTK_PICTURE names, if it is set. With 64 processes the shortest such run has 252
// steps: two requests that 62 others get and answer, two answers too few, and two that enter.
func TestPlantedAmongMany(t *testing.T) {
	n := 18
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		n = 64
	}
	alg := &algorithm{n: n, k: 1, advanceH: true, rounds: make([]int, n)}
	for p := range alg.rounds {
		alg.rounds[p] = 1
	}
	c := alg.composition(model.Network{})
	c.Local[1].Do = func(p model.Proc, l *local, out *outbox) bool {
		l.PermCount = l.PermCount.Plus(1)
		return alg.enter(p, l, out)
	}
	in := model.Compose(c)
	if in.Searched() {
		t.Fatal("so many can be searched")
	}
	opt := simulate.Options{
		Seed: 1, Scheduler: simulate.Steps, Runs: 20, Steps: 20_000, NoCoverage: true, Properties: []int{0},
		Workers: 1,
	}
	r, err := simulate.Run(context.Background(), in, opt)
	if err != nil || r.Verdict != explore.Violated {
		t.Fatalf("%v, %v", r, err)
	}
	p := &r.Properties[0]
	states, labels := simulate.Path(in, opt, p.Run, p.Length)
	h := traces.Header{Spec: "raymond", Property: p.Name}
	short, err := traces.Shortened(t.Context(), in, h, states, labels)
	if err != nil {
		t.Fatal(err)
	}
	short = traces.Tidy(short)
	t.Logf("n=%d: %s violated after %d steps of run %d, made shorter: %d", n, p.Name, p.Length, p.Run,
		len(short.Taken))
	if least := 2 * (1 + 2*(n-2) + 1); len(short.Taken) < least || len(short.Taken) > least+least/10 {
		t.Errorf("it takes %d steps, and %d are needed", len(short.Taken), least)
	}
	var picture strings.Builder
	if err := traces.Render(&picture, "svg", short, traces.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(picture.String(), "REQUEST"); got < 2*(n-2) {
		t.Errorf("%d messages are drawn", got)
	}
	if file := os.Getenv("ATMOSTK_PICTURE"); file != "" {
		if err := os.WriteFile(file, []byte(picture.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
