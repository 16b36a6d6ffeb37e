package explore

import "math"

// An Estimate is how many states a search will have visited in the end, judged by its levels.
type Estimate struct {
	States int64
	// Low and High are the likely bounds; docs/large.md says how often they were right.
	Low, High int64
}

const (
	// estimateLevels is how many of the latest levels are used, and fewestLevels how many there have to be.
	estimateLevels = 12
	fewestLevels   = 5
	// furthestLevels is how many levels are looked ahead at most.
	furthestLevels = 100_000
	// leastFall, divided by the number of levels, is by how much the logarithm of the ratio falls from a
	// level to the next, at the least. In the middle of searches that seem to grow for ever it decides
	// most.
	leastFall = 2.5
	// manyCounters is with how many counters that rise without end no estimate is made: with c of them the
	// size of a level is about a polynomial of degree c-1 in its number.
	manyCounters = 4
	// steeper and flatter are by how much the line may be steeper or less steep than it seems.
	steeper, flatter = 3, 4
)

// EstimateOf estimates from the states per level how many there will be, those included; false: too
// early. The sizes of levels mostly go up and down like a bell, so that the logarithm of the ratio of
// a level to the one before falls along a line: that is fitted to the latest levels, and followed to the end.
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
		return e, false // levels that grow as a power of their number: perhaps without end
	}
	slope = min(slope, -leastFall/float64(n))
	at := float64(levels[n-1])
	e.States, e.Low = seen+following(at, last, slope), seen+following(at, last, steeper*slope)
	if e.High = seen + following(at, last, slope/flatter); e.High < 0 {
		e.High = math.MaxInt64
	}
	return e, e.States > 0
}

// fall fits a line to the logarithms of the ratios of levels to those before, by least squares, with the
// smaller of the two sizes as the weight. It returns its value at the last level, and its slope.
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

// following returns how many states levels have that follow one of a size, where the logarithm of the ratio
// was last, and changes by slope from one to the next. It is negative if there are too many to be counted.
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
