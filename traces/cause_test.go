package traces_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces"
)

var update = flag.Bool("update", false, "write testdata/causes.txt")

// causes are kept counterexamples: those that a reader judged by hand whether they are explained in a
// minute, and two more of each paper.
var causes = []string{
	"timerfree/timerfree-n2-k1-f0-rounds1-varianta-orderfootnote-rpoff-at-most-k",
	"timerfree/timerfree-n3-k2-f0-rounds211-channelfifo-varianta-rpoff-at-most-k",
	"vcube/vcube-kmutex-n2-k2-fair-order",
	"cohorts/cohorts-cohorts12-h11-relinquishnaive-units",
	"cohorts/cohorts-cohorts12-h1-probemore-than-deadlock-freedom",
	"ring/ring-basic-n2-ring-upall-mutual-exclusion",
	"ring/ring-recovery-scheme0-n3-startcold-mutual-exclusion",
	"timerfree/timerfree-n2-k2-f1-varianta-lastforgotten-dead2-roundsinf-max-skew2-max-in-flight3-" +
		"channelfifo-detected-at-last",
	"timerfree/raymond-n3-k2-rounds1-crashes2-no-starvation",
	"ring/ring-recovery-n3-f1-token-recurs",
	"vcube/vcube-broadcast-n4-rounds3-crashes1-line36literal-channelfifo-no-gap",

	"timerfree/raymond-n3-k2-rounds1-crashes1-capacity-naive",
	"timerfree/timerfree-n3-k2-f1-rounds211-channelfifo-crashable2-varianta-rpT-no-starvation",
	"vcube/vcube-stack-n4-k2-rounds2110-channelfifo-at-most-k",
	"vcube/vcube-kmutex-n2-k1-requestline-no-starvation",
	"cohorts/cohorts-cohorts12-h11-case2fd-relinquishnone-deadlock-freedom",
	"cohorts/raynal-n2-m2-h1-21-1-rounds2-accountingoverwrite-channelbag-units",
	"ring/ring-recovery-n2-f1-one-token",
	"ring/ring-recovery-n3-f1-requests-served",
}

// TestCauses compares the sentences about kept counterexamples with testdata/causes.txt.
func TestCauses(t *testing.T) {
	var b strings.Builder
	for _, name := range causes {
		r := kept(t, filepath.Join("..", "docs", "claims", filepath.FromSlash(name)+".ndjson"))
		fmt.Fprintf(&b, "%s\n", name)
		traces.Sentences(&b, r, traces.Options{})
		fmt.Fprintf(&b, "steps %v of %d\n\n", r.Cause().Steps, len(r.Taken))
	}
	golden := filepath.Join("testdata", "causes.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b.String() {
		t.Errorf("testdata/causes.txt differs, see -update (%v):\n%s", err, b.String())
	}
}

// kept replays a kept counterexample.
func kept(t *testing.T, file string) *traces.Run {
	t.Helper()
	tr, err := traces.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in, err := rebuild(t, tr)
	if err != nil {
		t.Fatal(err)
	}
	r, err := traces.Replay(in, tr)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// keptTraces reads the kept counterexamples of at most 15 steps, by their files.
var keptTraces = sync.OnceValue(func() map[string]*traces.Trace {
	files, _ := filepath.Glob(filepath.Join("..", "docs", "claims", "*", "*.ndjson")) // no error: the pattern
	all := map[string]*traces.Trace{}
	for _, file := range files {
		if tr, err := traces.ReadFile(file); err == nil && len(tr.Steps) <= 16 {
			all[file] = tr
		}
	}
	return all
})

// short replays the kept counterexamples of at most n steps.
func short(t *testing.T, n int) map[string]*traces.Run {
	t.Helper()
	runs := map[string]*traces.Run{}
	for file, tr := range keptTraces() {
		if len(tr.Steps) <= n+1 && tr.Verdict == traces.Violated {
			runs[file] = kept(t, file)
		}
	}
	return runs
}

// TestNeededOrders takes the steps of short counterexamples in every sequence: one that keeps the needed
// orders violates the property; without any one of the orders, another one does not.
func TestNeededOrders(t *testing.T) {
	checked, removed := 0, 0
	for file, r := range short(t, 7) {
		orders, known := r.Needed()
		if kind := r.Instance().Space.Properties()[propertyOf(r)].Kind; r.Trace.CycleAt != nil || !known ||
			kind == model.Costs || kind == model.Quiet {
			continue
		}
		checked++
		if !always(r, r.States[0], nil, orders) {
			t.Errorf("%s: a sequence that keeps %v violates nothing", file, orders)
		}
		for i := range orders {
			removed++
			if always(r, r.States[0], nil, slices.Delete(slices.Clone(orders), i, i+1)) {
				t.Errorf("%s: %v is not needed beside %v", file, orders[i], orders)
			}
		}
	}
	if checked < 30 || removed < 30 {
		t.Errorf("%d runs with %d orders were checked, want 30 or more", checked, removed)
	}
}

// always reports whether every sequence of the other steps, as far as they are enabled, that keeps the
// orders violates the property.
func always(r *traces.Run, at lts.State, taken []int, orders [][2]int) bool {
	stuck := true
	for i := 1; i < len(r.States); i++ {
		early := func(o [2]int) bool { return o[1] == i && !slices.Contains(taken, o[0]) }
		if slices.Contains(taken, i) || slices.ContainsFunc(orders, early) {
			continue
		}
		t := alike(r, at, i)
		if t == nil {
			continue
		}
		stuck = false
		if traces.Verdict(r.Instance(), at, t, t.Next, propertyOf(r)) != traces.Violated &&
			!always(r, t.Next, append(slices.Clone(taken), i), orders) {
			return false
		}
	}
	return !stuck
}

// TestPointOfNoReturn compares the point of no return of short counterexamples with a search that builds
// the whole graph of the steps that are no faults.
func TestPointOfNoReturn(t *testing.T) {
	checked := 0
	for file, r := range short(t, 5) {
		p := r.Instance().Space.Properties()[propertyOf(r)]
		if r.Trace.CycleAt == nil && p.Kind != model.Quiet {
			continue
		}
		from, length, known := r.NoReturn()
		if !known {
			continue
		}
		distances := fulfilling(r)
		if distances == nil {
			continue
		}
		checked++
		last := -1
		for i, s := range r.States {
			if _, can := distances[s.Key()]; can {
				last = i
			}
		}
		if last != from || from >= 0 && distances[r.States[from].Key()] != length {
			t.Errorf("%s: last state %d, %d steps; want %d, %d", file, from, length, last,
				distances[r.States[max(last, 0)].Key()])
		}
	}
	if checked < 10 {
		t.Errorf("%d runs were checked, want 10 or more", checked)
	}
}

// fulfilling returns the distances, by keys of states, to states that fulfil the property of a run, of
// all states that can reach one without faults; nil: more than 500 states.
func fulfilling(r *traces.Run) map[string]int {
	in := r.Instance()
	states, before := map[string]lts.State{}, map[string][]string{}
	todo := slices.Clone(r.States)
	actions := in.Space.Actions()
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		key := s.Key()
		if _, known := states[key]; known {
			continue
		}
		if states[key] = s; len(states) > 500 {
			return nil
		}
		for _, t := range traces.Enabled(in, s) {
			if actions[t.Action].Kind != protocol.Fault && !t.Outside {
				next := t.Next.Key()
				before[next] = append(before[next], key)
				todo = append(todo, t.Next)
			}
		}
	}
	distances := map[string]int{}
	var front []string
	for key, s := range states {
		if wanted(r, s) {
			distances[key], front = 0, append(front, key)
		}
	}
	for d := 1; len(front) > 0; d++ {
		next := map[string]bool{}
		for _, key := range front {
			for _, b := range before[key] {
				if _, known := distances[b]; !known {
					distances[b], next[b] = d, true
				}
			}
		}
		front = slices.Collect(maps.Keys(next))
	}
	return distances
}

// wanted reports whether a state fulfils the property of a run, by its verdict in quiet states or its
// marks.
func wanted(r *traces.Run, s lts.State) bool {
	in, p := r.Instance(), propertyOf(r)
	if r.Trace.CycleAt == nil {
		return traces.Verdict(in, nil, nil, s, p) == traces.Holds
	}
	lassos := in.Space.Properties()[p].Lassos
	k := slices.IndexFunc(lassos, func(l lts.LassoInfo) bool { return l.Part == r.Part() })
	marks := in.Plain.Marks(s, p, k)
	return marks&lts.Fulfils != 0 || marks&lts.OffCycle != 0
}
