package simulate

import (
	"context"
	"strconv"
	"testing"
)

// BenchmarkSteps tells how many steps runs take in a second.
func BenchmarkSteps(b *testing.B) {
	for _, n := range []int{8, 16} {
		for _, line := range []string{"raymond", "bas", "timerfree"} {
			line += " rounds=3 n=" + strconv.Itoa(n) + " k=3"
			b.Run(line, func(b *testing.B) {
				in := instance(b, line)
				opt := Options{Seed: 1, Scheduler: Steps, Steps: 10_000, Workers: 1, NoCoverage: true,
					Properties: all(in)}
				w := newWalker(in, &opt)
				steps := 0
				for number := int64(0); steps < b.N; number++ {
					w.walk(context.Background(), number)
					steps += w.Length
				}
			})
		}
	}
}
