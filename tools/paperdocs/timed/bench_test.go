package timed

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkEvents measures how many events a timed run takes in a second, under the high load of VCube's
// section 8.
func BenchmarkEvents(b *testing.B) {
	for _, n := range []int{8, 64, 256, 1024} {
		for _, line := range []string{"raymond n=%d k=3 rounds=inf channel=fifo",
			"vcube-stack n=%d k=3 rounds=inf channel=fifo"} {
			line = fmt.Sprintf(line, n)
			b.Run(line, func(b *testing.B) {
				s := Settings{Duration: 40}
				s.Load = Load{First: dist(b, "uniform 0 0.1"), Think: dist(b, "0.1"), Use: dist(b, "0.0002")}
				s.Network = Network{Send: dist(b, "0.1"), Transmit: dist(b, "0.8"), Receive: dist(b, "0.1")}
				events := int64(0)
				for b.Loop() {
					samples, err := Measure(context.Background(), staged(b, line), s, 1, 1)
					if err != nil {
						b.Fatal(err)
					}
					events += int64(samples[0]["events"])
				}
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}
