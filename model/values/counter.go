package values

import (
	"strconv"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Counter is a number of 32 bits in a local state, that can be forgotten: see Composition.Forget. To
// add to one that is forgotten leaves it forgotten, and so does Max; whoever asks for its Value is
// told that it was forgotten too early. So what is done with a forgotten Counter is right whatever it
// stood at, and need not be compared with anything. Two Counters must not be compared with ==, of
// which nobody is told.
type Counter struct{ n uint32 }

// forgottenCount stands in a Counter that is forgotten: a number that no counter gets to, neither from 0 up
// nor, past 0, from there down.
const forgottenCount = 1 << 31

// Count returns the counter that stands at n, which must not be 2147483648.
func Count(n uint32) Counter {
	if n == forgottenCount {
		panic(protocol.Mistake{What: "a Counter gets to 2147483648, which stands for one that is forgotten"})
	}
	return Counter{n}
}

// Value returns where the counter stands. It panics if that is forgotten.
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

// Max returns the counter that stands at n, if that is more.
func (c Counter) Max(n uint32) Counter { return c.changed(max(c.n, n)) }

// changed returns the counter that stands at n, unless it is forgotten.
func (c Counter) changed(n uint32) Counter {
	if c.Forgotten() {
		return c
	}
	return Count(n)
}

// Forgotten reports whether it is forgotten where the counter stands.
func (c Counter) Forgotten() bool { return c.n == forgottenCount }

// Forget forgets where the counter stands.
func (c *Counter) Forget() { c.n = forgottenCount }

// Time returns what Clocks visit, where the counter is a time.
func (c *Counter) Time() *uint32 { return &c.n }

// String writes where the counter stands.
func (c Counter) String() string {
	if c.n == forgottenCount {
		return "forgotten"
	}
	return strconv.FormatUint(uint64(c.n), 10)
}
