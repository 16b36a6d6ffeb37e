package kernel

import "github.com/atmostk/atmostk/model/protocol"

// A SleepTag is what a state remembers of the step by which it was first reached, so
// that steps that commute with that one need not be looked up. Let the state t have
// been reached from s by a step b of process q. A step a of a process p before q that
// was possible in s already does not read what b writes, nor b what a writes: a after
// b leads to the same state as b after a. The state after a alone is reached no later
// than t; so what a leads to from t is reached from there, and no later.
//
// Whatever is reached is still looked up from somewhere: of all steps to a state from
// the level before it, one of the last process in the order is never left out, because
// a step left out is replaced by one of a later process.
//
// A message that b sent was not there for a. Crashes and recoveries are taken to commute with nothing, and
// neither do two steps that the history notes. A step a to a state that the
// constraint rejects is never left out, as nothing is reached from there.
//
// Of more than fewProcs processes tags say nothing about steps: there is no room for it in 32 bits.
//
// These are sleep sets (Godefroid, Partial-Order Methods for the Verification of Concurrent Systems,
// LNCS 1032, 1996, chapter 5) in a form that fits a word: all processes before q sleep but those that
// b made a difference to.
//
// In a System the instances of actions take the place of processes, in their order, and sleep after a step of
// a later one if the two touch no common bit. Bits are sampled in a few states: an instance that touches
// others elsewhere neither sleeps there nor gives a tag. A tag has in bits 31-16 1 + the number of
// b's instance; of several steps to a state a batch keeps the last instance.
//
// A tag also counts the units in use in t, so that most states need not be judged:
//
//	bits 31-16  the processes to which b sends, one bit each
//	bits 15-8   units in use, up to 255
//	bit  7      never set in a tag: a table may mark a cell that is taken with it
//	bit  6      b sends more than one message to somebody
//	bit  5      t has to be judged
//	bit  4      the history takes note of b
//	bits 3-0    q
type SleepTag uint32

const (
	fewProcs = 16 // as many as have a bit in a tag

	tagProc    SleepTag = 15     // q
	tagNoted   SleepTag = 1 << 4 // the history takes note of b
	tagSuspect SleepTag = 1 << 5 // t has to be judged
	tagMany    SleepTag = 1 << 6 // b sends more than one message to somebody
	tagUse              = 8      // where the 8 bits begin that count the units
	tagHeard            = 16     // where the processes begin to which b sends
)

func (t SleepTag) proc() int        { return int(t & tagProc) }
func (t SleepTag) heard(p int) bool { return t>>tagHeard>>(p&15)&1 == 1 }
func (t SleepTag) use() uint32      { return uint32(t>>tagUse) & 0xff }

// Suspect reports whether the state has to be judged by the properties that are ByTable.
func (t SleepTag) Suspect() bool { return t&tagSuspect != 0 }

// Better returns the one of two tags of the same state, reached from states of one level,
// that leaves out more.
func (t SleepTag) Better(u SleepTag) SleepTag {
	if u.proc() > t.proc() {
		return u
	}
	return t
}

// Over returns the one of two tags of the same state, reached from states of one level, that Better
// returns, and of two that are as good always the same one, in whatever order they come.
func (t SleepTag) Over(u SleepTag) SleepTag {
	if t.proc() == u.proc() {
		return min(t, u)
	}
	return t.Better(u)
}

// TakenTag is the bit that is set in no tag.
const TakenTag SleepTag = 1 << 7

// Forgotten returns the tag without its bits about steps.
func (t SleepTag) Forgotten() SleepTag { return t & (0xff << tagUse) }

// Enabled sums up the enabled steps of an expanded state.
type Enabled struct {
	Any    bool // a step is, and no assumption forbids it
	Pruned int  // steps that an assumption forbids: enabled, not taken
	// Beyond counts steps beyond the bounds that Space.Bounds names. They are treated as if
	// a constraint rejected them, but where there are any, states are missing.
	Beyond   int
	Ordinary bool // an ordinary step is enabled, taken or pruned
}

// Quiet reports whether nothing has to happen any more.
func (e Enabled) Quiet() bool { return !e.Ordinary }

// Usual reports whether an ordinary step is enabled, and all steps are taken.
func (e Enabled) Usual() bool { return e.Any && e.Ordinary && e.Pruned|e.Beyond == 0 }

// maxHeld is the largest number of units of one process that is counted in tags, which have
// 8 bits for the units of all: fewer for each of many processes.
const (
	maxHeld = 15
	maxUse  = 1<<8 - 1
)

// A mark of a local state has the units in use, up to maxHeld, and whether a property of local
// states does not hold, or may not.
type mark uint8

const (
	broken       mark = 1 << 7
	countedUnits      = broken - 1
)

// markNeedsCheck makes of the verdicts what needs a check: of all states, once there is a part of a state
// that breaks a property or has too many units.
func (m *machine) markNeedsCheck(always bool) {
	for live := range m.needsCheck[:len(m.procTables)+1] {
		for used := range m.needsCheck[live] {
			m.needsCheck[live][used] = 0
			if always || used > protocol.MaxUnits || m.table.Found[used][live] != 0 {
				m.needsCheck[live][used] = tagSuspect
			}
		}
	}
}
