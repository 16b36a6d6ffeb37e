package kernel

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// stepTables are the tables of steps of a worker, for a system that finds the bits of a state that its steps
// touch. With them 2pc n=9 takes a fifth of the time.
type stepTables struct {
	labels   []protocol.Label // of all instances
	touched  [][]uint32       // per instance: the bits that its steps have touched so far
	sampled  [][]uint32       // the same in some states, nil at first, and
	asleep   [][]uint64       // the instances before it that touch no common bit there, by blocks
	direct   []bool           // per instance: its rows are not worth keeping
	blocks   []tableBlock
	stale    bool // the tables no longer fit touched and direct, or one is full
	states   int  // expanded so far
	arranged int  // of these, when the tables were empty
	tried    int  // rows of a table from which on it has to be worth it
	most     int  // rows of a full table
	taker    rowTaker
}

// A tableBlock has the tables of successive instances. The successors of a state by their steps are added in
// the order of instances, so that it does not depend on the tables, which differ from worker to worker.
type tableBlock struct {
	first  int // instance
	tables []stepTable
	of     [blockInstances]uint8 // per instance, its table
}

// A stepTable remembers the steps of some instances, in a row for each value of the bits that they touch.
type stepTable struct {
	members []int // instances, in ascending order
	mask    []uint32
	parts   []keyPart // of the mask
	rows    []stepRow // open addressing; the length is a power of two
	used    int
	// entries of a row are the labels of the steps that do not change the state, and then the others: the
	// label, by how much the step changes the hash (low word, high word), and by how much each word of the
	// state. A change is a difference, and the same in each state of the row: the row's bits are known.
	entries []uint32
	row     *stepRow // of the state that is expanded
	base    uintptr  // where its entries begin, in bytes, moved on by the further steps of an instance
	direct  bool     // rows are not kept
	beyond  stepRow  // the latest row that is not kept
}

// A keyPart is the part of a mask in one word. A key has the parts at places that do not overlap, each
// rotated to its own.
type keyPart struct {
	word   int
	mask   uint32
	rotate int
}

type stepRow struct {
	key           uint64
	fires         uint64 // the instances of the block with steps that change the state
	single        uint64 // of these, instances with one step, which touch sampled bits only
	loops, steps  uint32 // entries: the first, the end of those that change nothing; 0: no row
	any, ordinary uint32 // 1: there is a step, an ordinary one
}

const (
	blockInstances = 64
	keyBits        = 64
	sharedBits     = 15 // of a table of instances with several masks: more would have too many values

	mostOfRow = 64      // words of entries, on average
	worth     = 4       // states for each row of a table, at least
	stepExtra = 3       // words of an entry besides the changes of words
	moreSteps = 1 << 15 // in the label of an entry: the next one is of the same instance

	samples   = 128    // states in which instances are sampled
	runLength = 32     // states of a run
	sleepers  = 1 << 9 // of more instances none sleeps
)

func newTables(labels []protocol.Label, words int) stepTables {
	c := stepTables{labels: labels, direct: make([]bool, len(labels)), stale: true}
	c.tried, c.most, c.sampled = 1<<12, 1<<16, make([][]uint32, len(labels))
	for range labels {
		c.touched = append(c.touched, make([]uint32, words))
	}
	c.taker.touched, c.taker.Room = make([]uint32, words), make([]uint32, words)
	return c
}

// sample finds the bits that instances touch in the states of some runs, the same for all workers.
func (c *systemCursor) sample() {
	defer c.separate()
	defer func() { _ = recover() }() // a step has panicked: Expand meets it again
	var b Batch
	b.Reset(len(c.taker.touched))
	c.space.Init(&b)
	v, all := make([]uint32, b.Width), stepTable{mask: make([]uint32, b.Width)}
	for i := range c.labels {
		all.members = append(all.members, i)
	}
	for n := range samples {
		if steps := len(c.taker.entries) / (stepExtra + b.Width); n%runLength == 0 || steps == 0 {
			copy(v, b.At(n/runLength%b.Len()))
		} else {
			step := c.taker.entries[int(hashWords(v)>>40)%steps*(stepExtra+b.Width):]
			for w := range v {
				v[w] += step[stepExtra+w]
			}
		}
		c.newRow(&all, v)
	}
}

// separate finds the instances that touch no common bit in the sample.
func (c *stepTables) separate() {
	for j := range c.labels {
		c.sampled[j] = slices.Clone(c.touched[j])
		before := make([]uint64, len(c.labels)/blockInstances+1)
		for i, mask := range c.sampled[:j] {
			if ones(mask, c.sampled[j]) == ones(mask)+ones(c.sampled[j]) {
				before[i/blockInstances] |= 1 << (i % blockInstances)
			}
		}
		c.asleep = append(c.asleep, before)
	}
}

// arrange gives instances their tables, all empty, by the bits that they have touched so far.
func (c *stepTables) arrange() {
	c.stale, c.arranged, c.blocks = false, c.states, nil
	for first := 0; first < len(c.labels); first += blockInstances {
		k, all := tableBlock{first: first}, []int(nil)
		for i := first; i < min(first+blockInstances, len(c.labels)); i++ {
			all = append(all, i)
		}
		slices.SortStableFunc(all, func(i, j int) int { return ones(c.touched[j]) - ones(c.touched[i]) })
		for _, i := range all {
			c.place(&k, i)
		}
		for j := range k.tables {
			t := &k.tables[j]
			slices.Sort(t.members)
			t.rows, t.entries, t.parts = make([]stepRow, 1<<5), make([]uint32, 1), keyParts(t.mask)
		}
		c.blocks = append(c.blocks, k)
	}
}

// place gives an instance a table of a block: the one that gets the fewest bits more, or a new one.
func (c *stepTables) place(k *tableBlock, i int) {
	direct := c.direct[i] || ones(c.touched[i]) > keyBits
	best, least := len(k.tables), keyBits
	for j := range k.tables {
		all := ones(k.tables[j].mask, c.touched[i])
		more := all - ones(k.tables[j].mask)
		if direct == k.tables[j].direct && (direct || more < least && (all <= sharedBits || more == 0)) {
			best, least = j, more
		}
	}
	if best == len(k.tables) {
		k.tables = append(k.tables, stepTable{mask: make([]uint32, len(c.touched[i])), direct: direct})
	}
	t := &k.tables[best]
	k.of[i-k.first], t.members = uint8(best), append(t.members, i)
	for w, m := range c.touched[i] {
		if !direct {
			t.mask[w] |= m
		}
	}
}

// ones counts the bits of masks together.
func ones(masks ...[]uint32) (n int) {
	for w, m := range masks[0] {
		n += bits.OnesCount32(m | masks[len(masks)-1][w])
	}
	return n
}

func keyParts(mask []uint32) (parts []keyPart) {
	taken := uint64(0)
	for w, m := range mask {
		for m != 0 {
			p := keyPart{w, m, 0}
			for taken&bits.RotateLeft64(uint64(p.mask), p.rotate) != 0 {
				if p.rotate++; p.rotate == keyBits { // no room: only the lowest bit
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

// key returns the values of the table's bits.
func (t *stepTable) key(v []uint32) (key uint64) {
	for i := range t.parts {
		p := &t.parts[i]
		key |= bits.RotateLeft64(uint64(v[p.word]&p.mask), p.rotate)
	}
	return key
}

// find returns the row of a key, or the free one for it.
func (t *stepTable) find(key uint64) *stepRow {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	last := uint64(len(t.rows) - 1)
	for i := key * odd >> 32; ; i++ {
		if r := &t.rows[i&last]; r.key == key || r.steps == 0 {
			return r
		}
	}
}

// lookUp has each table find its row for a state, or returns false: a step has panicked.
func (c *systemCursor) lookUp(v []uint32) bool {
	if c.states == 0 && !c.constrained && len(c.labels) <= sleepers {
		c.sample()
	}
	// Bits come up one by one; a state whose row needs one is slow until the tables are arranged again.
	if c.states++; c.stale && 9*c.states >= 10*c.arranged {
		c.arrange()
	}
	for i := range c.blocks {
		tables := c.blocks[i].tables
		for k := range tables {
			t := &tables[k]
			key := t.key(v)
			if t.row = t.find(key); t.row.steps == 0 || t.row.key != key {
				if t.row = c.fill(t, key, v); t.row == nil {
					return false
				}
			}
		}
	}
	return true
}

// fill enters the row of a key, for a state with the key; nil: a step has panicked.
func (c *systemCursor) fill(t *stepTable, key uint64, v []uint32) (r *stepRow) {
	defer func() {
		if recover() != nil { // Expand of the Stepper meets it again, in the order of instances
			r = nil
		}
	}()
	if t.direct {
		t.entries = t.entries[:1]
	}
	row, within := c.newRow(t, v)
	if row.key = key; !within || t.direct {
		c.stale, t.beyond = c.stale || !t.direct, row
		return &t.beyond
	}
	if old := t.rows; 2*t.used >= len(old) {
		if t.used >= c.tried && c.states-c.arranged < worth*t.used {
			for _, i := range t.members {
				c.direct[i], c.stale = true, true
			}
		}
		t.rows = make([]stepRow, 4*len(old))
		for i := range old {
			if old[i].steps != 0 {
				*t.find(old[i].key) = old[i]
			}
		}
	}
	r = t.find(key)
	*r = row
	t.used++
	c.stale = c.stale || t.used >= c.most || len(t.entries) >= c.most*mostOfRow
	return r
}

// newRow adds the entries of a row, and reports whether its steps touch bits of the table only.
func (c *systemCursor) newRow(t *stepTable, v []uint32) (r stepRow, within bool) {
	x := &c.taker
	x.Taker, x.Loops, x.Fired, x.Any, x.Ordinary = x, x.Loops[:0], &x.fired, false, false
	x.from, x.entries, within = v, x.entries[:0], true
	for _, i := range t.members {
		from := len(x.entries)
		clear(x.touched)
		c.Step(v, c.labels[i], x.touched, &x.Successors)
		n, last, sampled := len(x.entries), len(x.entries)-stepExtra-len(v), true
		for w, m := range x.touched {
			c.touched[i][w] |= m
			within = within && m&^t.mask[w] == 0
			sampled = sampled && c.sampled[i] != nil && m&^c.sampled[i][w] == 0
		}
		if n > from {
			r.fires |= 1 << (i % blockInstances)
			x.entries[last] &^= moreSteps
		}
		if last == from && sampled {
			r.single |= 1 << (i % blockInstances)
		}
	}
	r.any, r.ordinary = uint32(bit(x.Any)), uint32(bit(x.Ordinary))
	r.loops = uint32(len(t.entries))
	for _, l := range x.Loops {
		t.entries = append(t.entries, l.Word())
	}
	r.steps = uint32(len(t.entries))
	t.entries = append(t.entries, x.entries...)
	return r, within
}

// A rowTaker takes the steps of a row: labels of those that change nothing, entries of the others.
type rowTaker struct {
	protocol.Successors
	touched, from, entries []uint32
	fired                  [protocol.MaxActions]int64 // of no use
}

// Take adds an entry.
func (x *rowTaker) Take(label uint32) {
	h := hashWords(x.Room) - hashWords(x.from)
	x.entries = append(x.entries, label|moreSteps, uint32(h), uint32(h>>32))
	for i, to := range x.Room {
		x.entries = append(x.entries, to-x.from[i])
	}
}

// expandByTables adds the successors of a state, as its rows have them.
func (c *systemCursor) expandByTables(v []uint32, came SleepTag, b *Batch) Enabled {
	h, some, ordinary, by := hashWords(v), uint32(0), uint32(0), int(came>>tagHeard)
	c.parent = Parent(uint64(h))
	for i := range c.blocks {
		k := &c.blocks[i]
		fires, single := uint64(0), uint64(0)
		for j := range k.tables {
			t := &k.tables[j]
			r := t.row
			fires, single, t.base = fires|r.fires, single|r.single, 4*uintptr(r.steps)
			some, ordinary = some|r.any, ordinary|r.ordinary
			if r.loops == r.steps {
				continue // most rows
			}
			for _, label := range t.entries[r.loops:r.steps] {
				b.Fired[uint8(label)]++
				if !b.Distinct {
					b.Loops = append(b.Loops, protocol.LabelOf(label))
				}
			}
		}
		if !b.Distinct {
			single = 0
		} else if by > 0 {
			asleep := c.asleep[by-1][i] & single
			for fires &^= asleep; asleep != 0; asleep &= asleep - 1 {
				b.Fired[uint8(c.labels[k.first+bits.TrailingZeros64(asleep)].Action)]++
			}
		}
		c.addSteps(k, fires, single, v, h, b)
	}
	return Enabled{Any: some != 0, Ordinary: ordinary != 0}
}

// addSteps adds the successors of a state with hash h by the steps of some instances of a block, in their
// order. It leaves out repeats without a branch on them, which could not be predicted: it writes each record,
// and the next one in the place of a repeat. It checks the room for a record, and not each index, which took
// half of the time.
func (c *systemCursor) addSteps(k *tableBlock, fires, single uint64, v []uint32, h hash, b *Batch) {
	in, width, stride := unsafe.Pointer(unsafe.SliceData(v)), 4*uintptr(len(v)), 4*uintptr(b.Stride)
	words, at, room := b.place()
	size, drops := 4*stepExtra+width, bit(b.Distinct)
	for ; fires != 0; fires &= fires - 1 {
		i := bits.TrailingZeros64(fires) % blockInstances
		t := &k.tables[k.of[i]]
		before := size * uintptr(bits.OnesCount64(t.row.fires&(1<<i-1)))
		entries, more := unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.entries)), before), uint32(moreSteps)
		tag := tagSuspect | SleepTag(k.first+i+1)<<tagHeard&-SleepTag(single>>i&1)
		for next := t.base; more != 0; next += size {
			step := unsafe.Add(entries, next)
			if at+stride > room {
				b.Words = b.Words[:at/4]
				b.grow()
				words, at, room = b.place()
			}
			begin := (*[stepExtra]uint32)(step)
			label, to := begin[0], h+(hash(begin[1])|hash(begin[2])<<32)
			t.base, more = next, label&moreSteps
			b.Fired[uint8(label)]++
			sibling := &c.siblings[to>>(64-siblingBits)]
			last := min(4*uintptr(uint32(*sibling)), at)
			differs := uint32(*sibling>>32) ^ uint32(to)
			changes := unsafe.Add(step, 4*stepExtra)
			rec, other := unsafe.Add(words, at), unsafe.Add(words, last)
			for i := uintptr(0); i < width; i += 4 {
				x := *(*uint32)(unsafe.Add(in, i)) + *(*uint32)(unsafe.Add(changes, i))
				*(*uint32)(unsafe.Add(rec, i)) = x
				differs |= x ^ *(*uint32)(unsafe.Add(other, i))
			}
			drop := bit(differs == 0) & bit(last < at) & drops
			kept := (*SleepTag)(unsafe.Add(other, width+4*RecordTag))
			*kept = max(*kept, tag&-SleepTag(drop))
			end := (*[recordExtra]uint32)(unsafe.Add(rec, width))
			end[RecordTag], end[RecordParent] = uint32(tag), c.parent
			end[recordHash], end[recordHash+1] = uint32(to), uint32(to>>32)
			end[recordLabel] = label &^ moreSteps
			*sibling = uint64(to)<<32 | uint64(at^(at^last)&-drop)/4
			at += stride &^ -drop
			if c.constrained && drop == 0 && !c.Keeps(unsafe.Slice((*uint32)(rec), len(v))) {
				b.Words = b.Words[:at/4]
				b.moveOutside()
				at -= stride
			}
		}
	}
	b.Words = b.Words[:at/4]
}

// bit returns 1 for true, without a branch.
func bit(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}
