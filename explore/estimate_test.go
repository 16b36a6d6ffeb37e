package explore_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/specs"
)

// TestEstimate measures the error of the estimate at 10%, 50% and 90% of searches: of those references that
// take a second, in the sweep; ATMOSTK_ESTIMATE_MOST is how many states they have at most.
func TestEstimate(t *testing.T) {
	least, most := 3_000, 20_000
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		least, most = 500_000, 5_000_000
		if x, err := strconv.Atoi(os.Getenv("ATMOSTK_ESTIMATE_MOST")); err == nil {
			most = x
		}
	}
	parts := []float64{0.1, 0.5, 0.9}
	errors, within, told := make([][]float64, 3), make([]int, 3), make([]int, 3)
	searches := 0
	for _, spec := range specs.All {
		for _, ref := range spec.Loaded().References {
			if ref.States < least || ref.States > most {
				continue
			}
			in, _, err := spec.Instantiate(strings.Fields(ref.Args))
			if err != nil {
				t.Fatal(err)
			}
			r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true,
				Properties: []int{}})
			if err != nil {
				t.Fatal(err)
			}
			searches++
			var seen int64
			for i, level := range r.Levels {
				before := float64(seen) / float64(r.States)
				seen += level
				for k, part := range parts {
					if after := float64(seen) / float64(r.States); before >= part || after < part {
						continue
					}
					e, ok := explore.EstimateOf(r.Levels[:i+1])
					if !ok {
						errors[k] = append(errors[k], math.Inf(1))
						continue
					}
					told[k]++
					errors[k] = append(errors[k], math.Abs(float64(e.States-r.States))/float64(r.States))
					if e.Low <= r.States && r.States <= e.High {
						within[k]++
					}
				}
			}
		}
	}
	for k, part := range parts {
		slices.Sort(errors[k])
		median := errors[k][len(errors[k])/2]
		known := errors[k][:told[k]]
		worst := math.NaN()
		if len(known) > 0 {
			worst = known[len(known)-1]
		}
		t.Logf("at %2.0f%% of %d searches: told in %d, median error %.0f%% of the whole, worst %.0f%%, "+
			"within the bounds %d",
			100*part, searches, told[k], 100*median, 100*worst, within[k])
		if limit := []float64{math.Inf(1), 0.6, 0.2}[k]; median > limit {
			t.Errorf("at %2.0f%%: the median error is %.0f%% of the whole", 100*part, 100*median)
		}
	}
}

// TestNoEstimateWhereLevelsDoNotEnd: a space that grows on as it did has no end that could be told.
func TestNoEstimateWhereLevelsDoNotEnd(t *testing.T) {
	for _, size := range []int64{1, 1000} {
		if e, told := explore.EstimateOf(slices.Repeat([]int64{size}, 100)); told {
			t.Errorf("levels of %d: %+v", size, e)
		}
	}
	// A level holds the states in which the counters add up to its number.
	for counters := 2; counters <= 4; counters++ {
		var rising []int64
		for i := range int64(150) {
			size := int64(1)
			for c := range int64(counters - 1) {
				size = size * (i + 1 + c) / (c + 1)
			}
			rising = append(rising, size)
			if e, told := explore.EstimateOf(rising); told && len(rising) > 30 {
				t.Fatalf("%d counters, %d levels: %+v", counters, len(rising), e)
			}
		}
	}
}
