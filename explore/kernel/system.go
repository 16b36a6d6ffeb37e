package kernel

import "github.com/atmostk/atmostk/model/protocol"

// systemSpace is the Space of a System: a state is its words. It has no tables: cursors have their own. These
// are no part of the footprint, as a report does not depend on the number of workers.
type systemSpace struct{ protocol.System }

// OfSystem returns the space of a system.
func OfSystem(s protocol.System) Space { return systemSpace{s} }

func (sp systemSpace) Width() int        { return sp.Words() }
func (sp systemSpace) Grow() Translation { panic("kernel: a system does not grow") }
func (sp systemSpace) Grown() int        { return sp.Words() }

func (sp systemSpace) Footprint() int64       { return 0 }
func (sp systemSpace) Slots() []protocol.Slot { return nil }

// CheckMovers: a system receives nothing.
func (sp systemSpace) CheckMovers()   {}
func (sp systemSpace) EndLevel() bool { return false }

// Charges: nothing costs anything.
func (sp systemSpace) Charges(Note) *protocol.Charges { return &protocol.Charges{} }

func (sp systemSpace) NewCursor() Cursor { return sp.newCursor() }
func (sp systemSpace) NewFiller() Filler { return sp.newCursor() }

func (sp systemSpace) newCursor() *systemCursor {
	return &systemCursor{Stepper: sp.NewStepper(), space: sp, constrained: sp.Constrained(),
		stepTables: newTables(sp.Traced(), sp.Words())}
}

func (sp systemSpace) Code(v []uint32) protocol.Code {
	return protocol.CodeOf(0, sp.Canonical(nil, v))
}

func (sp systemSpace) Init(b *Batch) {
	c := sp.newCursor()
	c.lend(b)
	sp.System.Init(&c.to)
}

// systemCursor is the Cursor of a System.
type systemCursor struct {
	_ cacheLine
	protocol.Stepper
	stepTables
	space       systemSpace
	constrained bool
	b           *Batch // that successors go into
	parent      uint32 // of these
	to          protocol.Successors
	siblings    [1 << siblingBits]uint64
	_           cacheLine
}

// siblingBits is the logarithm of the number of successors that are recognised when they come again: as
// many as stay in the first-level cache. For each first bits of a hash, siblings has the last 32 bits of
// the latest one, and where its record begins; what another batch left there does no harm. States that
// follow each other in a level have children in common: of 2pc n=9's successors that are not loops 70%
// are repeats.
const siblingBits = 11

// lend lets the system hand over successors for a batch.
func (c *systemCursor) lend(b *Batch) {
	if c.b != b { // a write costs more
		c.b = b
	}
	c.to.Taker, c.to.Loops, c.to.Fired = c, b.Loops, &b.Fired
	c.makeRoom()
}

// makeRoom makes room for the state of the next record, behind those that there are.
func (c *systemCursor) makeRoom() {
	words, at := c.b.Words, len(c.b.Words)
	if cap(words)-at < c.b.Stride {
		c.b.grow()
		words = c.b.Words
	}
	c.to.Room = words[at : at+c.b.Width]
}

// Take completes the record of the successor in Room.
func (c *systemCursor) Take(label uint32) {
	b, v := c.b, c.to.Room
	h := hashWords(v)
	at := len(b.Words)
	b.Words = b.Words[:at+b.Stride]
	end := (*[recordExtra]uint32)(b.Words[at+b.Width : at+b.Stride])
	end[RecordTag], end[RecordParent], end[recordLabel] = uint32(tagSuspect), c.parent, label
	end[recordHash], end[recordHash+1] = uint32(h), uint32(h>>32)
	if c.constrained && !c.Keeps(v) {
		b.moveOutside()
	}
	c.makeRoom()
}

func (c *systemCursor) Expand(v []uint32, came SleepTag, b *Batch) (e Enabled, ok bool) {
	b.Began = b.Mark()
	if len(c.labels) > 0 && c.lookUp(v) {
		return c.expandByTables(v, came, b), true
	}
	c.parent, c.to.Any, c.to.Ordinary = Parent(uint64(hashWords(v))), false, false
	c.lend(b)
	c.Stepper.Expand(v, &c.to)
	b.Loops = c.to.Loops
	return Enabled{Any: c.to.Any, Ordinary: c.to.Ordinary}, true
}

func (c *systemCursor) Hash(v []uint32) uint64 { return uint64(hashWords(v)) }

func (c *systemCursor) Annotate(v []uint32, b *Batch) Enabled {
	e, _ := c.Expand(v, 0, b)
	b.note(Note{})
	return e
}

// A filler completes no tables: cursors do.

func (c *systemCursor) Verify(*[]uint32) {}
func (c *systemCursor) Err() error       { return nil }
