package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/lamport"
)

// Searches from end to end, one worker; docs/benchmarks.md says how to compare them with Spin.
func BenchmarkLamportMutex(b *testing.B) { benchmark(b, lamport.Spec, "n=3 max-clock=6") }
func BenchmarkTwoPhase7(b *testing.B)    { benchmark(b, twoPhase, "n=7") }

func benchmark(b *testing.B, spec model.Spec, args string) {
	b.ReportAllocs()
	var states, generated int64
	for b.Loop() {
		in, _, err := spec.Instantiate(strings.Fields(args))
		if err != nil {
			b.Fatal(err)
		}
		r, err := explore.Run(context.Background(), in, explore.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		states, generated = r.States, r.Generated
	}
	perRun := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(perRun/float64(states), "ns/state")
	b.ReportMetric(perRun/float64(generated), "ns/successor")
}
