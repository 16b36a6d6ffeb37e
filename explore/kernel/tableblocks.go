package kernel

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/atmostk/atmostk/model/protocol"
)

// sharing is which instances may have one table.
type sharing uint8

const (
	shared sharing = iota // some of a block, if they touch mostly the same bits
	alone                 // one
	direct                // none: it has no table
)

const (
	tableBits = 15 // of a table whose instances touch different bits: few bits have few values
	keyBits   = 64
)

// tableLimits are lower in tests.
type tableLimits struct {
	tried    int // rows in use, from which on a table has to be worth it
	most     int // rows in use; a table with as many begins again
	mostHeld int // words of all tables; all begin again beyond
}

// newTables returns the tables for the instances of a system.
func newTables(labels []protocol.Label, words int, all *atomic.Int64) (c stepTables) {
	if labels == nil {
		return c
	}
	n := len(labels)
	c = stepTables{labels: labels, all: all, stale: true, tableLimits: tableLimits{1 << 12, 1 << 16, 1 << 24}}
	c.touched, c.sharing = make([][]uint32, n), make([]sharing, n)
	for i := range c.touched {
		c.touched[i] = make([]uint32, words)
	}
	c.taker.touched, c.taker.Room = make([]uint32, words), make([]uint32, words)
	return c
}

// part has each instance of a table get its own, or none if it had its own.
func (c *stepTables) part(t *stepTable) {
	for _, i := range t.members {
		c.sharing[i] = alone
		if len(t.members) == 1 {
			c.sharing[i] = direct
		}
	}
	c.stale = true
}

// arrange gives instances their tables, by the bits that they have touched so far. Tables that remain as they
// are keep their rows.
func (c *stepTables) arrange() {
	old := c.blocks
	if c.held > c.mostHeld {
		old = nil
	}
	c.stale, c.blocks = false, nil
	c.hold(-c.held)
	for first := 0; first < len(c.labels); first += blockInstances {
		k := tableBlock{first: first}
		var most []int
		for i := first; i < min(first+blockInstances, len(c.labels)); i++ {
			most = append(most, i)
		}
		slices.SortStableFunc(most, func(a, b int) int { return ones(c.touched[b], nil) - ones(c.touched[a], nil) })
		for _, i := range most {
			c.place(&k, i)
		}
		for j := range k.tables {
			t := &k.tables[j]
			slices.Sort(t.members)
			if old != nil {
				t.keep(old[len(c.blocks)].tables, c.most)
			}
			if t.rows == nil {
				t.parts = keyParts(t.mask)
				t.rows, t.entries, t.began = make([]stepRow, firstRows), make([]uint32, 1, firstRows), c.states
			}
			c.hold(t.words())
		}
		c.blocks = append(c.blocks, k)
	}
}

// place gives an instance a table of a block: the one that gets the fewest bits more, or a new one.
func (c *stepTables) place(k *tableBlock, i int) {
	touched := c.touched[i]
	if c.sharing[i] == direct || ones(touched, nil) > keyBits {
		k.direct |= 1 << (i - k.first)
		return
	}
	best, least := len(k.tables), keyBits+1
	for j := range k.tables {
		t := &k.tables[j]
		all, more := ones(t.mask, touched), ones(t.mask, touched)-ones(t.mask, nil)
		if c.sharing[i] == shared && c.sharing[t.members[0]] == shared && more < least &&
			(all <= tableBits || more == 0) {
			best, least = j, more
		}
	}
	if best == len(k.tables) {
		k.tables = append(k.tables, stepTable{mask: make([]uint32, len(touched))})
	}
	t := &k.tables[best]
	k.of[i-k.first], t.members = uint8(best), append(t.members, i)
	for w, m := range touched {
		t.mask[w] |= m
	}
}

// keep takes the rows of the table among old ones that was the same, unless it has too many.
func (t *stepTable) keep(old []stepTable, most int) {
	for i := range old {
		o := &old[i]
		if slices.Equal(o.members, t.members) && slices.Equal(o.mask, t.mask) && o.used < most {
			*t = *o
			return
		}
	}
}

// keyParts returns the parts of the keys of a table with some bits.
func keyParts(mask []uint32) (parts []keyPart) {
	taken := uint64(0)
	for w, m := range mask {
		for m != 0 {
			p := keyPart{w, m, 0}
			for taken&bits.RotateLeft64(uint64(p.mask), p.rotate) != 0 {
				if p.rotate++; p.rotate == 64 { // no room: only the lowest bit
					p = keyPart{w, m & -m, 0}
				}
			}
			taken |= bits.RotateLeft64(uint64(p.mask), p.rotate)
			m &^= p.mask
			parts = append(parts, p)
		}
	}
	return parts
}

// ones counts the bits of a mask together with another.
func ones(mask, other []uint32) (n int) {
	for i, m := range mask {
		if other != nil {
			m |= other[i]
		}
		n += bits.OnesCount32(m)
	}
	return n
}
