package occupancy_test

import (
	"fmt"
	"testing"

	"github.com/anishathalye/porcupine"
	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
)

// semaphore is a semaphore of k units for Porcupine: an operation takes units, or
// gives them back if they are negative.
func semaphore(k int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, _ any) (bool, any) {
			used := state.(int) + input.(int)
			return used <= k, used
		},
	}
}

// TestDefiniteExactlyIfNotLinearizable asks a linearizability checker for a second opinion on definite
// overlap sets: there is one exactly if no linearization respects the semaphore.
func TestDefiniteExactlyIfNotLinearizable(t *testing.T) {
	counts := map[porcupine.CheckResult]int{}
	for seed := range 120 {
		x := rapid.Custom(contend).Example(seed)
		l := read(t, formats.Options{Format: "ndjson", Keep: true}, x.text)
		got := used(l, x.k, occupancy.Auto, false)
		result := porcupine.CheckOperationsTimeout(semaphore(x.k), x.ops, 0) // however long it takes
		counts[result]++
		switch {
		case result == porcupine.Ok && got.Count > 0:
			t.Fatalf("k=%d: %d definite overlap sets, but it can be linearized\n%s", x.k, got.Count, x.text)
		case result == porcupine.Illegal && got.Count == 0:
			t.Fatalf("k=%d: no definite overlap set, but it cannot be linearized\n%s", x.k, x.text)
		}
	}
	if counts[porcupine.Ok] < 10 || counts[porcupine.Illegal] < 10 {
		t.Errorf("one-sided: %v", counts)
	}
}

// contended is what some nodes do with a semaphore of k units: as a log, and for Porcupine.
type contended struct {
	k    int
	text string
	ops  []porcupine.Operation
}

// contend draws one of them.
func contend(t *rapid.T) (x contended) {
	for node := range rapid.IntRange(2, 8).Draw(t, "nodes") {
		now := rapid.IntRange(0, 30).Draw(t, "start")
		for range rapid.IntRange(1, 6).Draw(t, "stays") {
			units := rapid.IntRange(1, 2).Draw(t, "units")
			for i, name := range []string{"acquire", "release"} {
				begin := now + rapid.IntRange(1, 20).Draw(t, "gap")
				end := begin + rapid.IntRange(0, 10).Draw(t, "length")
				now = end
				x.text += fmt.Sprintf(`{"node":"n%d","event":"%s","begin":%d,"end":%d,"units":%d}`+"\n", node,
					name, begin, end, units)
				x.ops = append(x.ops, porcupine.Operation{ClientId: node, Input: units * (1 - 2*i),
					Call: int64(begin), Return: int64(end)})
			}
		}
	}
	x.k = rapid.IntRange(1, 5).Draw(t, "k")
	return x
}
