package protocol

import (
	"fmt"
	"math"
	"math/bits"
)

// Channel is the discipline of the channels between processes.
type Channel uint8

const (
	// Bag channels deliver messages in any order.
	Bag Channel = iota
	// FIFO channels keep the order, for each ordered pair of processes.
	FIFO
)

// A Medium describes channels and the adversary to the kernel.
type Medium struct {
	Channel  Channel
	Faults   Faults
	Clocks   bool   // local states and messages hold times: states are stored up to a shift of all
	Order    bool   // with Clocks: times count by their order only, see Order
	Skew     uint32 // largest difference of two times of a state; 0: no bound
	InFlight uint32 // largest number of messages under way; 0: no bound
	History  bool   // there is a history, which gets notes and crashes
	Guards   bool   // steps that the history excludes are not enabled
	// Links: processes have link views, and links to a process break when it crashes.
	Links  bool
	Rising bool // under Links: fresh numbers are above all that are in use
	// Recovers: dead processes come up again. Crashes bounds the crashes of a run then.
	Recovers bool
	Crashes  int
}

// Faults are what the channel adversary may do in a run; the zero value: nothing.
type Faults struct {
	// Losses bounds the messages that are lost, and Copies those that are delivered once
	// more. Only messages that could be received next are lost or copied.
	Losses, Copies int
	// Breaks bounds the links that break without a crash: under Links only, where no other
	// fault happens.
	Breaks int
	// Lasting: a link that breaks so cannot be opened to the same process again.
	Lasting bool
	// On are the channels with losses and copies: per sender the receivers; nil: all.
	On []Set
	// Split is one side of a partition: from some point on, at most once in a run, no
	// message from one side is received on the other. Empty: no partition.
	Split Set
	// Heals: a partition ends, and messages under way are received then. Otherwise it stays.
	Heals bool
}

// Some reports whether the channel adversary may do anything.
func (f *Faults) Some() bool { return f.Moves() || f.Split != 0 || f.Breaks > 0 }

// Moves reports whether it may lose or copy messages.
func (f *Faults) Moves() bool { return f.Losses > 0 || f.Copies > 0 }

// Concerns reports whether messages from one process to another may be lost and copied.
func (f *Faults) Concerns(from, to Proc) bool { return f.On == nil || f.On[from].Has(to) }

// Crosses reports whether a message would cross the partition.
func (f *Faults) Crosses(from, to Proc) bool { return f.Split.Has(from) != f.Split.Has(to) }

// A ChannelFault is a step of the channel adversary.
type ChannelFault uint8

// The steps of the channel adversary; NoFault: none.
const (
	NoFault    ChannelFault = iota
	Loss                    // a message is lost
	Copy                    // a message is delivered once more
	Split                   // a partition begins
	Heal                    // it ends
	BreakFault              // a link breaks without a crash
)

// List returns the steps that the channel adversary has, in the order of their actions.
func (f *Faults) List() (list []ChannelFault) {
	add := func(is bool, x ChannelFault) {
		if is {
			list = append(list, x)
		}
	}
	add(f.Losses > 0, Loss)
	add(f.Copies > 0, Copy)
	add(f.Split != 0, Split)
	add(f.Split != 0 && f.Heals, Heal)
	add(f.Breaks > 0, BreakFault)
	return list
}

// Kind returns the kind of a step of the adversary. To heal is an ordinary step: no run ends in a partition
// that heals.
func (x ChannelFault) Kind() ActionKind {
	if x == Heal {
		return Ordinary
	}
	return Fault
}

// A Record counts the crashes of processes that recover, and the faults of channels.
type Record struct {
	Crashes        uint8 // so far, where dead processes recover
	Losses, Copies uint8 // so far
	Breaks         uint8 // so far
	Partition      partition
}

// partition is the phase of the network: before, during or after its partition.
type partition uint8

// The network is Whole at first, Parted while the partition lasts, and Healed for good after it.
const (
	Whole partition = iota
	Parted
	Healed
)

// String names the phase as traces do.
func (p partition) String() string { return [...]string{"whole", "split", "healed"}[p] }

// Bytes returns the canonical bytes of the record, RecordBytes many.
func (r Record) Bytes() []byte {
	return []byte{r.Crashes, r.Losses, r.Copies, r.Breaks, byte(r.Partition)}
}

// RecordBytes is the number of bytes of a record.
const RecordBytes = 5

// RecordOf returns the record that has the given bytes.
func RecordOf(b []byte) Record { return Record{b[0], b[1], b[2], b[3], partition(b[4])} }

// Inject enters a fault. It returns false if that exceeds its bound.
func (r *Record) Inject(x ChannelFault, f *Faults) bool {
	switch x {
	case Loss:
		r.Losses++
		return int(r.Losses) <= f.Losses
	case Copy:
		r.Copies++
		return int(r.Copies) <= f.Copies
	case BreakFault:
		r.Breaks++
		return int(r.Breaks) <= f.Breaks
	case Split:
		possible := r.Partition == Whole
		r.Partition = Parted
		return possible
	case Heal:
		possible := r.Partition == Parted
		r.Partition = Healed
		return possible
	}
	return true
}

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
