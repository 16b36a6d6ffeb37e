package values

import (
	"strconv"

	"github.com/atmostk/atmostk/model/protocol"
)

// Before reports whether (s, i) < (t, j): the order of requests by their times, and of equal times by their
// processes.
func Before(s uint32, i protocol.Proc, t uint32, j protocol.Proc) bool {
	return s < t || s == t && i < j
}

// A Counter is a number of 32 bits in a local state that can be forgotten: see Composition.Forget. Adding
// to a forgotten one leaves it forgotten, and so does Max; Value panics, because it was forgotten too early.
// So all other operations on a forgotten Counter are right whatever its value
// was, and need no check. Two Counters must not be compared with ==: no check
// finds that.
type Counter struct{ n uint32 }

// forgottenCount is the number in a forgotten Counter. No counter reaches it, neither from 0 up
// nor, past 0, from the top down.
const forgottenCount = 1 << 31

// Count returns the counter with value n, which must not be 2147483648.
func Count(n uint32) Counter {
	if n == forgottenCount {
		panic(protocol.Mistake{What: "a Counter gets to 2147483648, which stands for one that is forgotten"})
	}
	return Counter{n}
}

// Value returns the value of the counter. It panics if that is forgotten.
func (c Counter) Value() uint32 {
	if c.n == forgottenCount {
		panic(protocol.Mistake{What: "it reads a Counter that is forgotten: Composition.Forget takes it " +
			"for dead"})
	}
	return c.n
}

// Plus returns the counter with n added, modulo 2^32.
func (c Counter) Plus(n uint32) Counter { return c.changed(c.n + n) }

// Minus returns the counter with n taken off, modulo 2^32.
func (c Counter) Minus(n uint32) Counter { return c.changed(c.n - n) }

// Max returns the counter with value n, if that is larger.
func (c Counter) Max(n uint32) Counter { return c.changed(max(c.n, n)) }

// changed returns the counter with value n, unless it is forgotten.
func (c Counter) changed(n uint32) Counter {
	if c.Forgotten() {
		return c
	}
	return Count(n)
}

// Forgotten reports whether the value is forgotten.
func (c Counter) Forgotten() bool { return c.n == forgottenCount }

// Forget forgets the value.
func (c *Counter) Forget() { c.n = forgottenCount }

// Time returns the number for Clocks to visit, if the counter is a time.
func (c *Counter) Time() *uint32 { return &c.n }

// String writes the value.
func (c Counter) String() string {
	if c.n == forgottenCount {
		return "forgotten"
	}
	return strconv.FormatUint(uint64(c.n), 10)
}
