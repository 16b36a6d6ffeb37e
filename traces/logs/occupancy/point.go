package occupancy

import (
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A point is an event without the fields that holdings do not need.
type point struct {
	begin, end int64 // it happened between them
	line       uint32
	at         int32 // its number in the order of its node, or formats.None
	file       uint16
	role       formats.Role
	mark       order.Mark
}

// nothing is a point for no event.
var nothing = point{begin: formats.Never, end: formats.Ever, at: formats.None}

func (m *point) is(x order.Mark) bool { return m.mark&x != 0 }

// tie is the file and line of an event, as one number.
func (m *point) tie() int64 { return int64(m.file)<<32 | int64(m.line) }

// pointOf returns the point of a record that is number at in the order of its node.
func pointOf(r *order.Record, at int32) point {
	return point{r.Begin, r.End, r.Line, at, r.File, r.Role, r.Mark}
}
