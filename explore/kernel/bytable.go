package kernel

import "github.com/atmostk/atmostk/model/protocol"

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
