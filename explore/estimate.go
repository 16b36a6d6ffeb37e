package explore

import "math"

// An Estimate is the expected number of states of a finished search, extrapolated from its first levels.
type Estimate struct {
	States int64
	// Low and High are the likely bounds; docs/large.md reports how often they were right.
	Low, High int64
}

const (
	// estimateLevels is the number of latest levels that are used; fewestLevels is the least that is needed.
	estimateLevels = 12
	fewestLevels   = 5
	// furthestLevels is the largest number of levels that are extrapolated.
	furthestLevels = 100_000
	// leastFall, divided by the number of levels, is the least fall of the logarithm of the ratio from a
	// level to the next. It matters most in the middle of searches that seem to grow for ever.
	leastFall = 2.5
	// manyCounters: no estimate is made while levels grow at most like a polynomial of this degree in their
	// number. With c counters that rise without end the degree is about c-1.
	manyCounters = 4
	// steeper and flatter are the factors by which the line may be steeper or flatter than the fitted one.
	steeper, flatter = 3, 4
)

// EstimateOf estimates the number of all states from the states per level so far; ok is false if it is too
// early. Sizes of levels mostly follow a bell curve, so the logarithm of the ratio of a level to the one
// before falls along a line. The line is fitted to the latest levels and followed to the end.
func EstimateOf(levels []int64) (e Estimate, ok bool) {
	n := len(levels)
	if n < fewestLevels {
		return e, false
	}
	var seen int64
	for _, level := range levels {
		seen += level
	}
	last, slope := fall(levels[max(0, n-estimateLevels):])
	if steps := float64(n); last*steps <= manyCounters+0.5 && -slope*steps <= 2*last+1e-9 {
		return e, false // levels that grow like a power of their number: perhaps without end
	}
	slope = min(slope, -leastFall/float64(n))
	at := float64(levels[n-1])
	e.States, e.Low = seen+following(at, last, slope), seen+following(at, last, steeper*slope)
	if e.High = seen + following(at, last, slope/flatter); e.High < 0 {
		e.High = math.MaxInt64
	}
	return e, e.States > 0
}

// fall fits a line to the logarithms of the ratios of levels to the levels before, by least squares, with the
// smaller of the two sizes as the weight. It returns the line's value at the last level, and its slope.
func fall(levels []int64) (last, slope float64) {
	var all, x, y, xx, xy float64 // sums
	for i := 1; i < len(levels); i++ {
		w := float64(min(levels[i], levels[i-1]))
		at, ratio := float64(i-len(levels)+1), math.Log(float64(levels[i])/float64(levels[i-1]))
		all, x, y = all+w, x+w*at, y+w*ratio
		xx, xy = xx+w*at*at, xy+w*at*ratio
	}
	slope = (xy - x*y/all) / (xx - x*x/all)
	return (y - slope*x) / all, slope
}

// following returns the number of states in all levels after one of the given size. The logarithm of the
// ratio was last there, and changes by slope from level to level. The result is negative if it exceeds 1e15.
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
