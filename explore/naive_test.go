package explore_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model/lts"
)

// sweep is set for the larger sweep, which takes minutes:
// ATMOSTK_SWEEP=1 go test ./explore.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(1000)

// TestMain puts the directories of the tests into memory, where the system offers that. Searches on disk make
// and remove twenty thousand small files, and ext4 takes longer for a new file the more were removed in the
// last seconds: half of the processor time of these tests. The sweep uses the disk.
func TestMain(m *testing.M) {
	if !sweep {
		if dir, err := os.MkdirTemp("/dev/shm", "atmostk"); err == nil {
			defer func() { _ = os.RemoveAll(dir) }() // what is left is the system's
			_ = os.Setenv("TMPDIR", dir)
		}
	}
	m.Run()
}

// seeds returns how many random models a test tries: few, or all of them in the sweep, or
// with -short, for the race detector, a tenth of the few.
func seeds(few, all uint64) uint64 {
	switch {
	case sweep:
		return all
	case testing.Short():
		return few / 10
	}
	return few
}

// ofMany skips a test with -short: what it counts comes up in few models.
func ofMany(t *testing.T) {
	t.Helper()
	if testing.Short() && !sweep {
		t.Skip("-short: too few random models")
	}
}

// withRare returns the seeds of as many random models as seeds says. Rare seeds, which only the sweep would
// reach, are among them if there are few: each is the first that kills some mutant.
func withRare(few, all uint64, rare ...uint64) (list []uint64) {
	n := seeds(few, all)
	for seed := range n {
		list = append(list, seed)
	}
	if n == few {
		list = append(list, rare...)
	}
	return list
}

// sameFigures compares all figures of a search but those of its properties with what is wanted.
func sameFigures(t *testing.T, name string, want *naive.Counts, r *explore.Report) {
	t.Helper()
	if how := want.Differs(r); how != "" {
		t.Fatalf("%s: %s", name, how)
	}
}

// numbered is what the plain semantics has of the states within the bounds: for naive
// checkers that go through them several times. State 0 need not be an initial one.
type numbered struct {
	states  []lts.State
	initial []int
	steps   [][]numberedStep // of each state
}

// numberedStep is a step that leads to a state; to is -1 if it leads outside or is pruned.
type numberedStep struct {
	lts.Transition
	to int
}

// number goes through the reachable states. Beyond limit it gives up and returns false.
func number(p lts.Plain, limit int) (g numbered, ok bool) {
	at := map[string]int{}
	arrive := func(t lts.Transition) int {
		if t.Outside || t.Pruned {
			return -1
		}
		key := t.Next.Key()
		i, known := at[key]
		if !known {
			i = len(g.states)
			at[key] = i
			g.states = append(g.states, t.Next)
		}
		return i
	}
	for _, t := range p.Init() {
		if i := arrive(t); i >= 0 {
			g.initial = append(g.initial, i)
		}
	}
	for len(g.steps) < len(g.states) && len(g.states) <= limit {
		var steps []numberedStep
		for _, t := range p.Steps(g.states[len(g.steps)]) {
			steps = append(steps, numberedStep{t, arrive(t)})
		}
		g.steps = append(g.steps, steps)
	}
	return g, len(g.states) <= limit
}
