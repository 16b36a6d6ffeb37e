package timerfree

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// TestWithoutEffect looks at parameters that say nothing new in some variants.
func TestWithoutEffect(t *testing.T) {
	for _, args := range [][2]string{
		{"rounds=2,1,0 f=0 variant=a", "pending=last"}, // pending holds no times
		{"rounds=2,1,0 f=0 variant=c", "nodup=on"},     // one permission for each request
		{"rounds=2,1,0 f=0 variant=d", "nodup=on"},
		{"rounds=2,1,0 f=0 variant=c", "rp=off"}, // line 37 waits for all answers, so A stays full
	} {
		one, two := check(t, args[0], 0), check(t, args[0]+" "+args[1], 0)
		if !reflect.DeepEqual(verdicts(one), verdicts(two)) {
			t.Errorf("%s: %v\nwith %s: %v", args[0], verdicts(one), args[1], verdicts(two))
		}
	}
}

// TestRejected looks at combinations that make no sense, and at some that do.
func TestRejected(t *testing.T) {
	for args, fits := range map[string]bool{
		"n=2 k=3": false, "n=2 k=2 f=3": false, "n=3 rounds=1,1": false,
		"n=3 f=3": false, "n=3 f=3 rp=off": true, // RP asks for f+1 of n processes
		"n=3 k=1 f=2": true, "n=3 k=3 f=0 dead=3": true,
	} {
		if _, _, err := Spec.Instantiate(strings.Fields(args)); (err == nil) != fits {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestResponsiveness follows A through the loss of answers and a crash.
func TestResponsiveness(t *testing.T) {
	p1, p2, p3 := model.Proc(0), model.Proc(1), model.Proc(2)
	alg := algorithm{n: 3, f: 1, rp: rpV}
	history := alg.history()
	h := history.Init
	without := func(p model.Proc, by reading, missing ...model.Proc) model.Event {
		return model.Event{Proc: p, Note: unanswered(by, model.SetOf(missing...))}
	}
	for i, s := range []struct {
		event model.Event
		kept  bool
		a3    model.Set
	}{
		{without(p1, rpT, p3), true, model.All(3)}, // not in this reading
		{without(p1, rpV, p3), true, model.SetOf(p2, p3)},
		{without(p1, rpV, p3), true, model.SetOf(p2, p3)}, // once lost, always lost
		{without(p2, rpV, p3), false, model.SetOf(p3)},
		{model.Event{Proc: p3, Crash: true, Dead: model.SetOf(p3)}, true, model.All(3)},
		{model.Event{Proc: p2, Note: unanswered(rpV, model.SetOf(p3)), Dead: model.SetOf(p3)}, true, model.All(3)},
	} {
		if kept := history.Step(&h, s.event); kept != s.kept || h.A[p3] != s.a3 {
			t.Errorf("after event %d: %v, A of p3 is %v; want %v, %v", i, kept, h.A[p3], s.kept, s.a3)
		}
	}
}

// check explores an instance to the end.
func check(t *testing.T, args string, workers int) *explore.Report {
	t.Helper()
	in, _, err := Spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return explored(t, in, workers)
}

func explored(t *testing.T, in model.Instance, workers int) *explore.Report {
	t.Helper()
	r, err := explore.Run(context.Background(), in, explore.Options{Workers: workers, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Stopped)
	}
	return r
}

// verdicts is what must not depend on the number of workers.
func verdicts(r *explore.Report) []any {
	all := []any{r.States, r.Generated, r.Depth, r.Levels, r.Fired, r.Pruned, r.Stuck, r.StuckDepth}
	for _, p := range r.Properties {
		all = append(all, p.Name, p.Verdict, p.Length, p.Count)
	}
	return all
}
