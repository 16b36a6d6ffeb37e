package vcube

import (
	"fmt"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
)

// TestSlowest compares what is computed of one crash with the diagnosis itself: so many rounds
// suffice, and one less does not.
func TestSlowest(t *testing.T) {
	for n, args := range map[int]string{2: "n=2 crashes=1 bound=", 4: "n=4 crashes=1 crashable=0 bound="} {
		rounds := slowest(n)
		for bound, want := range map[int]explore.Verdict{rounds: explore.Holds,
			rounds - 1: explore.Violated} {
			if bound == 0 {
				continue
			}
			for _, p := range search(t, Rounds, strings.Fields(fmt.Sprint(args, bound)), 1).Properties {
				if p.Name == "latency-last" && p.Verdict != want {
					t.Errorf("n=%d: after %d rounds %s, want %s", n, bound, p.Verdict, want)
				}
			}
		}
	}
}
