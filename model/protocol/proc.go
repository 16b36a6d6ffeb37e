package protocol

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// MaxProcs is the largest number of processes of a composition that is searched: a Set has one bit for each.
const MaxProcs = 64

// FewProcs is the largest number of processes in a model with few processes: see model.FewProcs.
const FewProcs = 16

// MaxStage is the largest number of processes in runs that are played.
const MaxStage = 1024

// Proc is a process, counted from 0 whatever the paper's first index is.
type Proc uint16

// Set is a set of processes.
type Set uint64

// SetOf returns the set of the given processes.
func SetOf(ps ...Proc) (s Set) {
	for _, p := range ps {
		s |= 1 << p
	}
	return s
}

// All returns the set of the first n processes, 0 to n-1.
func All(n int) Set { return 1<<n - 1 }

// Has reports whether p is a member.
func (s Set) Has(p Proc) bool { return s>>p&1 == 1 }

// With returns s with p added.
func (s Set) With(p Proc) Set { return s | 1<<p }

// Without returns s with p removed.
func (s Set) Without(p Proc) Set { return s &^ (1 << p) }

// Len returns the number of members.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Each yields the members in ascending order.
func (s Set) Each() iter.Seq[Proc] {
	return func(yield func(Proc) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(Proc(bits.TrailingZeros64(uint64(s)))) {
				return
			}
		}
	}
}

// Texts returns a text for each member, such as its name.
func (s Set) Texts(of func(Proc) string) (texts []string) {
	for p := range s.Each() {
		texts = append(texts, of(p))
	}
	return texts
}

// String writes the set with processes counted from 1, as {1,3}.
func (s Set) String() string { return s.Format(1) }

// Format writes the set with processes counted from first.
func (s Set) Format(first int) string {
	words := s.Texts(func(p Proc) string { return strconv.Itoa(int(p) + first) })
	return "{" + strings.Join(words, ",") + "}"
}

// A Label is the action of a step and its processes. Steps of one state may
// have the same label: fairness cannot tell them apart.
type Label struct {
	Action uint16 // index into the actions of the model
	Proc   uint8  // the process that acts; in a System the low byte of Instance
	Peer   uint8  // the sender of the message received, the process noticed dead; in a System the high byte
}

// Instance returns the number of the instance of the action, in a System.
func (l Label) Instance() int { return int(l.Peer)<<8 | int(l.Proc) }

// InstanceLabel is the label of an instance of an action of a System.
func InstanceLabel(action, instance int) Label {
	return Label{uint16(action), uint8(instance), uint8(instance >> 8)}
}

// Word returns the label as it stands in records of successors: the action in the low 16
// bits, the process in the next 8, the peer in the highest 8.
func (l Label) Word() uint32 { return uint32(l.Action) | uint32(l.Proc)<<16 | uint32(l.Peer)<<24 }

// LabelOf returns the label that is written in a word.
func LabelOf(word uint32) Label { return Label{uint16(word), uint8(word >> 16), uint8(word >> 24)} }

// MaxActions is the largest number of actions of a model.
const MaxActions = 256

// ActionKind decides which enabled steps make a state quiet.
type ActionKind uint8

const (
	// Ordinary steps are the work of the algorithm: a state with one is not quiet.
	Ordinary ActionKind = iota
	// Spontaneous steps may happen and need not: a state in which only they are left is quiet.
	Spontaneous
	// Fault steps are the adversary's: crashes. They never have to happen.
	Fault
)

// An Event describes a step to a history.
type Event struct {
	Proc  Proc
	Note  uint32 // what the handler noted; 0: nothing
	Crash bool   // Proc crashed in this step
	Dead  Set    // the processes that are dead after the step
}

// Charges count the messages that a step puts into channels. Messages to dead
// processes are not stored, and do not count.
type Charges struct {
	All int
	To  [MaxProcs]uint32 // per process: the messages that belong to its request
}

// Add adds a message that belongs to the request of a process.
func (c *Charges) Add(owner Proc) {
	c.All++
	c.To[owner]++
}

// A Link is the output of a process on a ring: see Links of package model.
type Link struct {
	State LinkState
	To    Proc
	// Cut are live processes to which it cannot be opened any more: see
	// Faults.Lasting.
	Cut Set
}

// Reaches reports whether the link can be opened.
func (l *Link) Reaches(dead Set) bool { return !(dead | l.Cut).Has(l.To) }

// LinkState is the state of a link.
type LinkState uint8

const (
	// ClosedLink can be opened.
	ClosedLink LinkState = iota
	// OpenLink carries messages; the process at its end is alive.
	OpenLink
	// BrokenLink has lost the process at its end, and its owner does not know yet.
	BrokenLink
	// GivenUpLink is never opened again.
	GivenUpLink
)

// String names the state.
func (s LinkState) String() string {
	return [...]string{"closed", "open", "broken", "given up"}[s]
}
