package kernel

import (
	"encoding/binary"
	"errors"

	"github.com/atmostk/atmostk/model/protocol"
)

// All numbers are given out in the order in which entries are filled in, and layouts change in between. So a
// list of the entries, in order, is all that it takes to have the same tables again.

// grown stands in the list of entries for a new layout.
const grown entryKind = 1<<8 - 1

var errRefill = errors.New("what is written down of the tables is not as it should be")

// Remember has the space keep a list of the entries that are filled in from now on.
func (sp *space) Remember() { sp.remembers = true }

// remember adds to the list, if there is one.
func (sp *space) remember(m entry) {
	if sp.remembers {
		sp.memories = append(sp.memories, byte(m.kind), byte(m.proc))
		for _, x := range [...]uint64{m.a, m.b, uint64(m.in.Dead), uint64(m.in.View)} {
			sp.memories = binary.AppendUvarint(sp.memories, x)
		}
	}
}

// Filled returns the list, in bytes.
func (sp *space) Filled() []byte { return sp.memories }

// Refill fills in the entries of a list, in a space that has none yet. It is an error if it is no such
// list. Cursors must be thrown away.
func (sp *space) Refill(list []byte) error {
	for len(list) > 0 {
		if len(list) < 4 || int(list[1]) >= len(sp.procs) {
			return errRefill
		}
		m := entry{kind: entryKind(list[0]), proc: protocol.Proc(list[1])}
		var numbers [4]uint64
		list = list[2:]
		for i := range numbers {
			n := 0
			if numbers[i], n = binary.Uvarint(list); n <= 0 {
				return errRefill
			}
			list = list[n:]
		}
		m.a, m.b = numbers[0], numbers[1]
		m.in = protocol.Context{Dead: protocol.Set(numbers[2]), View: protocol.LinkView(numbers[3])}
		if m.kind == grown {
			sp.Grow()
		} else {
			sp.fill(m)
		}
	}
	sp.filled, sp.facts = sp.filled[:0], sp.facts[:0] // verified when they were first filled in
	for p := range sp.procs {
		for i := range sp.procs[p].mergings {
			m := &sp.procs[p].mergings[i]
			m.verifiedMemos, m.verifiedStates = len(m.memos), len(m.states) // verified, too
		}
	}
	return nil
}

// A system has no tables.

func (sp systemSpace) Remember()      {}
func (sp systemSpace) Filled() []byte { return nil }
func (sp systemSpace) Refill(list []byte) error {
	if len(list) > 0 {
		return errRefill
	}
	return nil
}
