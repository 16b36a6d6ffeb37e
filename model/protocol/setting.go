package protocol

import (
	"math"
	"math/bits"
)

// A Context is what there is besides a process when it takes a step.
type Context struct {
	Dead Set
	View LinkView // under Links
}

// MaxTimers is the largest number of timers of a process.
const MaxTimers = 2

// A LinkView is what a process can learn of its surroundings under Links: in 6 bits a number that
// nobody uses, 0 for none, and above them a bit for each timer whose message is under way.
type LinkView uint8

// Fresh returns the number that nobody uses; 0: there is none.
func (s LinkView) Fresh() uint8 { return uint8(s & 63) }

// Awaited reports whether the message that a timer waits for is under way.
func (s LinkView) Awaited(timer int) bool { return s>>(6+timer)&1 == 1 }

// A Trace is what a part of a state contributes to the surroundings of all processes.
type Trace struct {
	Numbers uint64         // those of 1 to 63 that it uses, as bits
	Awaited [MaxTimers]Set // per timer: the processes that wait for a message in this part
}

// Merge adds what another part contributes.
func (t *Trace) Merge(u *Trace) {
	t.Numbers |= u.Numbers
	for i := range t.Awaited {
		t.Awaited[i] |= u.Awaited[i]
	}
}

// Of returns what p learns where all parts of the state leave t.
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

// NoTime is what a part of a state without times has as its least.
const NoTime = math.MaxUint32

// Times are what there is to know of the times in a local state or a message.
type Times struct{ Least, Greatest uint32 }

// NoTimes are those of what holds no time.
func NoTimes() Times { return Times{Least: NoTime} }

// See takes in one more time.
func (t *Times) See(time *uint32) { t.Merge(Times{*time, *time}) }

// Merge takes in the times of another part of the state.
func (t *Times) Merge(u Times) {
	t.Least, t.Greatest = min(t.Least, u.Least), max(t.Greatest, u.Greatest)
}
