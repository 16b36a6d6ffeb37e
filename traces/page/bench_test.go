package page_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/atmostk/atmostk/specs"
)

// five are instances with five processes of models whose references have fewer.
var five = map[string]string{
	"raymond": "n=5 k=2 crashes=1", "bas": "n=5 k=2 crashes=1",
	"timerfree": "n=5 k=3 f=2 crashes=1 rounds=2,2,1,0,0",
	"cohorts":   "cohorts=2,3 h=1,1,1,1,1", "raynal": "n=5 m=2 h=1,1,2,1,1",
	"arbiter": "sets=1+2,2+3,3+4,4+5,5+1 k=1 h=1,1,1,1,1", "vcube-kmutex": "n=5 k=2 crashes=1",
	"vcube-stack":     "n=8 k=2 crashes=1",
	"vcube-broadcast": "n=8 crashes=1", "ring-election": "n=5", "ring-basic": "n=5",
	"ring-recovery": "n=5 start=cold",
	"lamport-mutex": "n=5 max-clock=6",
}

// BenchmarkChoices measures how long it takes, as a browser sees it, from a choice that is taken to the
// choices there: over random runs of up to 40 steps of all references of each model, and of an instance with
// five processes, while the search behind the page goes on. It reports the median and the longest in
// milliseconds.
func BenchmarkChoices(b *testing.B) {
	for i := range specs.All {
		b.Run(specs.All[i].Name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				for _, ref := range specs.All[i].Loaded().References {
					took = append(took, walked(b, specs.All[i].Name, ref.Args)...)
				}
				if args := five[specs.All[i].Name]; args != "" {
					took = append(took, walked(b, specs.All[i].Name, args)...)
				}
			}
			slices.Sort(took)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(took[len(took)/2]), "median-ms")
			b.ReportMetric(ms(took[len(took)-1]), "max-ms")
			b.ReportMetric(float64(len(took)), "states")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// walked takes a random run in the live page, and returns how long each answer took.
func walked(b *testing.B, spec, args string) (took []time.Duration) {
	b.Helper()
	l, in := serve(b, spec, args)
	random, path, at := rand.New(rand.NewPCG(1, 2)), []int{}, in.Plain.Init()[0].Next
	for len(path) < 40 {
		text, err := json.Marshal(path)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		answered[shown](l, "run", fmt.Sprintf(`{"path":%s,"from":%d}`, text, len(path)))
		took = append(took, time.Since(began))
		answered[shown](l, "ahead", fmt.Sprintf(`{"path":%s}`, text))
		steps := plain(in, at)
		if len(steps) == 0 {
			break
		}
		k := random.IntN(len(steps))
		path, at = append(path, k), steps[k].Next
		if steps[k].Outside {
			break
		}
	}
	return took
}
