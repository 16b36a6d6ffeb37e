package protocol

import (
	"fmt"
	"math/bits"
)

// An Order has the times of a part of a state, where they count by their order only: bit t is time t. Stamps
// are compared with each other. A clock only bounds the stamps that its process will make from below, so two
// clocks with no stamp between them are equal. The stamps of a stored state are 2, 4, 6 and so on, and each
// clock is the largest stamp that is not above it, or 0. The odd numbers are free for new stamps: between
// two, below or above all.
type Order struct{ Stamps, Clocks uint32 }

// MaxTimes is the largest number of different stamps in a state: with a new one above all they fit an Order.
const MaxTimes = 15

const largestTime = 2*MaxTimes + 1

// Count returns the number of different stamps.
func (o Order) Count() int { return bits.OnesCount32(o.Stamps) }

// Ranked returns the order with its stamps ranked, and clocks among them.
func (o Order) Ranked() Order {
	evens := uint32(1<<(2*o.Count()+1)-1) & 0x55555555
	return Order{evens &^ 1, evens}
}

// Canonical reports whether times are as in a stored state.
func (o Order) Canonical() bool {
	ranked := o.Ranked()
	return o.Stamps == ranked.Stamps && o.Clocks&^ranked.Clocks == 0
}

// Check panics if there are more stamps than an Order can have. where says where most are; "": not known.
func (o Order) Check(where string) {
	if o.Count() > MaxTimes {
		panic(Mistake{Part: "Clocks", What: fmt.Sprintf("a state has more than %d different times%s: bound "+
			"what grows, by max-owed or max-in-flight", MaxTimes, where)})
	}
}

// Rank returns a time in the stored state for a state that has these stamps.
func (o Order) Rank(time uint32) uint32 {
	return 2 * uint32(bits.OnesCount32(o.Stamps&(2<<min(time, largestTime)-1)))
}

// SeeStamp takes in one more stamp.
func (t *Times) SeeStamp(time *uint32) { t.see(time, &t.Order.Stamps) }

// SeeClock takes in one more clock.
func (t *Times) SeeClock(time *uint32) {
	least := t.Least
	t.see(time, &t.Order.Clocks)
	t.Least = least // a clock may be 0
}

func (t *Times) see(time, bits *uint32) {
	if *time > largestTime {
		panic(Mistake{Part: "Clocks", What: fmt.Sprintf("a time is %d; where times count by their order "+
			"only, Outbox.Later makes new ones, and nothing else does", *time)})
	}
	t.See(time)
	*bits |= 1 << *time
}
