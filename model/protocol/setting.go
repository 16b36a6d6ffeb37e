package protocol

import (
	"math"
	"math/bits"
)

// A Context is the view of a process on the others when it takes a step.
type Context struct {
	Dead Set
	View LinkView // under Links
	// Times is the number of different times in the state, where clocks count by their order only.
	Times uint8
}

// MaxTimers is the largest number of timers of a process.
const MaxTimers = 2

// A LinkView is the view of a process on the others under Links: in 6 bits an unused number,
// 0 for none, and above them a bit for each timer whose message is under way.
type LinkView uint8

// Fresh returns an unused number; 0: all are in use.
func (s LinkView) Fresh() uint8 { return uint8(s & 63) }

// Awaited reports whether the message that a timer waits for is under way.
func (s LinkView) Awaited(timer int) bool { return s>>(6+timer)&1 == 1 }

// A Trace is the contribution of a part of a state to the link views of all processes.
type Trace struct {
	Numbers uint64         // the numbers from 1 to 63 that it uses, as bits
	Awaited [MaxTimers]Set // per timer: the processes that wait for a message in this part
}

// Merge adds the contribution of another part.
func (t *Trace) Merge(u *Trace) {
	t.Numbers |= u.Numbers
	for i := range t.Awaited {
		t.Awaited[i] |= u.Awaited[i]
	}
}

// Of returns the link view of p, if t is the contribution of all parts of the state.
func (t *Trace) Of(p Proc, rising bool) LinkView {
	fresh := bits.TrailingZeros64(^(t.Numbers | 1))
	if rising {
		fresh = bits.Len64(t.Numbers | 1)
	}
	s := LinkView(fresh & 63)
	for i := range t.Awaited {
		if t.Awaited[i].Has(p) {
			s |= 1 << (6 + i)
		}
	}
	return s
}

// NoTime is the least time of a part of a state without times.
const NoTime = math.MaxUint32

// Times are the least and the greatest time in a part of a state.
type Times struct {
	Least, Greatest uint32
	Order           Order // where clocks count by their order only
}

// NoTimes are the times of a part without times.
func NoTimes() Times { return Times{Least: NoTime} }

// See takes in one more time.
func (t *Times) See(time *uint32) { t.Merge(Times{Least: *time, Greatest: *time}) }

// Merge takes in the times of another part of the state.
func (t *Times) Merge(u Times) {
	t.Least, t.Greatest = min(t.Least, u.Least), max(t.Greatest, u.Greatest)
	t.Order.Stamps |= u.Order.Stamps
	t.Order.Clocks |= u.Order.Clocks
}
