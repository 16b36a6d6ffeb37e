package explore

import "math"

// An Estimate is how many states a search will have visited in the end, as far as its levels tell.
type Estimate struct {
	States int64
	// Low and High bound what is likely: half of the searches by which that was measured ended between them, see
	// docs/benchmarks.md. High 0: there is no telling.
	Low, High int64
}

const (
	// estimateLevels is how many of the latest levels are looked at, and fewestLevels how many there have to be.
	estimateLevels = 8
	fewestLevels   = 5
	// furthestLevels is how many levels are looked ahead at most.
	furthestLevels = 100_000
)

// EstimateOf estimates from the states per level how many there will be, those included; false: the levels do not tell yet. The
// sizes of levels mostly go up and down like a bell, so that the logarithm of the ratio of a level to the one before
// falls along a line: that is fitted to the latest levels, and followed to the end. How well it
// fits gives the bounds.
func EstimateOf(levels []int64) (e Estimate, ok bool) {
	n := len(levels)
	if n < fewestLevels {
		return e, false
	}
	first := max(0, n-estimateLevels)
	var ratios []float64
	var seen int64
	for i, level := range levels {
		seen += level
		if i > first {
			ratios = append(ratios, math.Log(float64(level)/float64(levels[i-1])))
		}
	}
	slope, last, deviation := line(ratios)
	if slope >= 0 && last >= 0 {
		return e, false
	}
	at := float64(levels[n-1])
	e.States = seen + following(at, last, slope)
	e.Low = min(e.States, seen+following(at, last-deviation, slope*(1+spread)))
	e.High = seen + following(at, last+deviation, slope/(1+spread))
	if e.States < 0 || e.High < 0 {
		return e, false
	}
	e.High = max(e.High, e.States)
	return e, true
}

// spread is by how much the slope is taken to be wrong, relative to itself.
const spread = 0.25

// line fits a line to values at 0, 1, 2, .. by least squares, and returns its slope, its value at the last of them, and the
// standard deviation of the values from it.
func line(ys []float64) (slope, last, deviation float64) {
	n := float64(len(ys))
	var mean, up, down float64
	for _, y := range ys {
		mean += y / n
	}
	middle := (n - 1) / 2
	for i, y := range ys {
		up += (float64(i) - middle) * (y - mean)
		down += (float64(i) - middle) * (float64(i) - middle)
	}
	slope = up / down
	last = mean + slope*middle
	for i, y := range ys {
		d := y - last + slope*(n-1-float64(i))
		deviation += d * d / n
	}
	return slope, last, math.Sqrt(deviation)
}

// following returns how many states levels have that follow one of a size, where the logarithm of the ratio was last, and
// changes by slope from one to the next. It is negative if there are too many to be counted.
func following(size, last, slope float64) int64 {
	sum := 0.0
	for range furthestLevels {
		last += slope
		size *= math.Exp(min(last, 700))
		if size < 0.5 {
			return int64(sum)
		}
		if sum += size; sum > 1e15 {
			break
		}
	}
	return -1 << 62
}
