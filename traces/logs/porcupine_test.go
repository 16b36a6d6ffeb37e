package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/traces/logs"
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

// TestPorcupine asks a linearizability checker for a second opinion on definite
// crowds: there is one exactly if no linearization respects the semaphore.
func TestPorcupine(t *testing.T) {
	counts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var ops []porcupine.Operation
		for node := range rapid.IntRange(2, 8).Draw(t, "nodes") {
			now := rapid.IntRange(0, 30).Draw(t, "start")
			for range rapid.IntRange(1, 6).Draw(t, "stays") {
				units := rapid.IntRange(1, 2).Draw(t, "units")
				for _, name := range []string{"acquire", "release"} {
					begin := now + rapid.IntRange(1, 20).Draw(t, "gap")
					end := begin + rapid.IntRange(0, 10).Draw(t, "length")
					now = end
					fmt.Fprintf(&b, `{"node":"n%d","event":"%s","begin":%d,"end":%d,"units":%d}`+"\n", node, name, begin, end, units)
					ops = append(ops, porcupine.Operation{ClientId: node, Input: units, Call: int64(begin), Return: int64(end)})
					units = -units
				}
			}
		}
		text := strings.ReplaceAll(b.String(), `"units":-`, `"units":`)
		k := rapid.IntRange(1, 5).Draw(t, "k")
		got := rapidRead(t, text).Occupancy(k, logs.Auto, false)
		switch porcupine.CheckOperationsTimeout(semaphore(k), ops, time.Minute) {
		case porcupine.Ok:
			counts[false]++
			if got.Count > 0 {
				t.Fatalf("k=%d: %d definite crowds, but it can be linearized\n%s", k, got.Count, text)
			}
		case porcupine.Illegal:
			counts[true]++
			if got.Count == 0 {
				t.Fatalf("k=%d: no definite crowd, but it cannot be linearized\n%s", k, text)
			}
		}
	})
	if counts[false] < 10 || counts[true] < 10 {
		t.Errorf("one-sided: %v", counts)
	}
}
