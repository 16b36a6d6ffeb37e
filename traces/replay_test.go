package traces_test

import (
	"runtime"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// TestReplayListsFewSteps replays a run of 14 processes, of which one may crash inside a broadcast to 13: the
// first state has 114,688 such steps, and all were listed to find the one that was taken.
func TestReplayListsFewSteps(t *testing.T) {
	in, h := source{spec: "raymond", args: "n=14 k=3 rounds=1 crashes=1 crash-sends=subset"}.instance(t)
	at := in.Plain.Init()[0].Next
	states, labels := []lts.State{at}, []model.Label(nil)
	for p := range uint8(5) {
		l := model.Label{Proc: p} // the first action: request
		taken := in.Plain.Like(at, l)
		if len(taken) != 1 {
			t.Fatalf("%d steps have the label %v", len(taken), l)
		}
		at = taken[0].Next
		states, labels = append(states, at), append(labels, l)
	}
	run, err := traces.Shortened(t.Context(), in, h, states, labels)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	again, err := traces.Replay(in, run.Trace)
	if err != nil || len(again.Taken) != 5 {
		t.Fatalf("%v, %v", again, err)
	}
	for i := range again.States {
		again.Verdicts(i)
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 100 {
		t.Errorf("a run of 5 steps takes %d MB", mb)
	}
}
