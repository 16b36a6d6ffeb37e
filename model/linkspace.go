package model

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Join makes a Linked explorable. If there is a mistake in it, Check tells.
func Join[L, M comparable](c Linked[L, M]) Instance {
	if err := c.check(); err != nil {
		return Instance{mistake: err}
	}
	c.Names.count = c.N
	actions := c.actions()
	c.Properties = merged(c.Properties, c.namedPart)
	j := newJudges(c.Properties, actions)
	sp := &linkSpace[L, M]{c: &c, actions: actions, judges: j, procs: make([]linkTables[L, M], c.N)}
	w := c.start()
	for p := range Proc(c.N) {
		sp.start = append(sp.start, sp.cell(p, w.local[p], w.link[p], w.queue[p], c.Dead.Has(p)))
	}
	sp.layout = pack(sp.sizes())
	return Instance{Space: sp, Plain: &linkPlain[L, M]{&c, j}}
}

// namedPart names a part of a property that has no name.
func (c *Linked[L, M]) namedPart(part, parts int) string {
	if parts == c.N {
		return c.Names.Of(Proc(part))
	}
	return numberedPart(part, parts)
}

// linkSpace is the Space of a Linked. All that belongs to a process, its local
// state, its link and what is in it, is a cell, and a cell is a number: a state is
// one number for each process and, if crashes end, the number of crashes so far.
// Handlers run once for each situation: a cell, the message received if any, and
// the setting.
type linkSpace[L, M comparable] struct {
	c       *Linked[L, M]
	actions []Action
	judges  judges[LinkedGlobal[L, M]]
	letters numbered[M]
	queues  numbered[string] // letter numbers, four bytes each
	content [][]M            // the same, spelled out
	procs   []linkTables[L, M]
	moves   []linkMove
	layout  layout
	start   []uint32 // cells of the initial state
}

// A cell is a process with its link.
type cell[L comparable] struct {
	local L
	link  Link
	queue uint32
	dead  bool
}

// linkTables are the numberings that belong to one process.
type linkTables[L comparable, M comparable] struct {
	cells      numbered[cell[L]]
	facts      []cellFacts // per cell
	situations memo        // to first move<<24 | number of moves
}

// cellFacts are what the search has to know of a cell.
type cellFacts struct {
	numbers uint64         // in use
	awaited [MaxTimers]Set // per timer: who awaits something in the link
	link    Link
	dead    bool
	letter  uint32 // 1 + the number of the next message; 0: nothing is under way
	popped  uint32 // the cell without that message
	broken  uint32 // the cell after the process at the end of the link has crashed
	crashed uint32 // the cell after its process has crashed
}

// A linkMove is one outcome of a situation, in numbers.
type linkMove struct {
	cell     uint32
	action   uint16
	ordinary bool
}

// What can be missing from the tables is a situation. Its key has 24 bits for the
// cell, 24 for 1 + the letter received or 0, 9 for the setting, and 1<<63 set.
const maxCells = 1 << 24

func linkSituation(cell, letter uint32, s setting) uint64 {
	key := 1<<63 | uint64(cell)<<33 | uint64(letter)<<9 | uint64(s.fresh)<<3
	for i, b := range [...]bool{s.endDead, s.due[0], s.due[1]} {
		if b {
			key |= 1 << i
		}
	}
	return key
}

// situation takes a key apart.
func situation(key uint64) (cell, letter uint32, s setting) {
	bit := func(i int) bool { return key>>i&1 != 0 }
	s = setting{bit(0), [MaxTimers]bool{bit(1), bit(2)}, uint8(key >> 3 & 63)}
	return uint32(key>>33) & (maxCells - 1), uint32(key>>9) & (maxCells - 1), s
}

func (sp *linkSpace[L, M]) Width() int                 { return sp.layout.width }
func (sp *linkSpace[L, M]) Actions() []Action          { return sp.actions }
func (sp *linkSpace[L, M]) Properties() []PropertyInfo { return info(sp.c.Properties) }
func (sp *linkSpace[L, M]) Fairness() []Fairness       { return sp.c.Fairness }
func (sp *linkSpace[L, M]) Reduced() bool              { return false }
func (sp *linkSpace[L, M]) Bounds() string             { return "" }
func (sp *linkSpace[L, M]) Delivery() Delivery         { return AnyDelivery }

// counts returns how many numbers each slot has to hold: the cells, the crashes.
func (sp *linkSpace[L, M]) counts() []int {
	counts := make([]int, sp.c.N+1)
	for p := range sp.procs {
		counts[p] = len(sp.procs[p].cells.values)
	}
	counts[sp.c.N] = sp.c.Crashes + 1
	return counts
}

func (sp *linkSpace[L, M]) sizes() []int {
	sizes := sp.counts()
	for i, count := range sizes {
		sizes[i] = bitsFor(count)
	}
	if sp.c.Recover == nil || sp.c.Crashes == 0 {
		sizes[sp.c.N] = 0 // the dead can be counted
	}
	return sizes
}

// cell returns the number of a cell of p.
func (sp *linkSpace[L, M]) cell(p Proc, l L, link Link, queue []M, dead bool) uint32 {
	letters := make([]uint32, len(queue))
	for i, m := range queue {
		letters[i], _ = sp.letters.of(m)
	}
	q, isNew := sp.queues.of(spell(letters))
	if isNew {
		sp.content = append(sp.content, queue)
	}
	t := &sp.procs[p]
	id, isNew := t.cells.of(cell[L]{l, link, q, dead})
	if !isNew {
		return id
	}
	t.facts = append(t.facts, cellFacts{})
	f := cellFacts{numbers: sp.c.numbers(&l, queue), link: link, dead: dead}
	for i, timer := range sp.c.Timers {
		for waits := range Proc(sp.c.N) {
			if slices.ContainsFunc(queue, func(m M) bool { return timer.Awaits(waits, m) }) {
				f.awaited[i] = f.awaited[i].With(waits)
			}
		}
	}
	if len(queue) > 0 {
		f.letter = letters[0] + 1
		f.popped = sp.cell(p, l, link, queue[1:], dead)
	}
	if sp.c.Crashes > 0 && !dead {
		if link.State == LinkOpen {
			f.broken = sp.cell(p, l, Link{LinkBroken, link.To}, nil, false)
		}
		rest := l
		end := sp.c.Crash(p, &rest)
		f.crashed = sp.cell(p, rest, end, nil, true)
	}
	t.facts[id] = f
	return id
}

func (sp *linkSpace[L, M]) Init(b *Batch) {
	var h hash
	v := b.add(0, 0, trailSuspect)
	clear(v[:b.Width])
	for p, id := range sp.start {
		sp.layout.slots[p].set(v, 0, id)
		h = h.change(p, 0, id)
	}
	b.setHash(v, h)
}

// learn runs the handlers of p in a situation that is new. It reports whether states no
// longer fit their vectors, and returns an error if there is more than can be numbered.
func (sp *linkSpace[L, M]) learn(p Proc, in uint64) (grow bool, err error) {
	t := &sp.procs[p]
	number, letter, s := situation(in)
	c := t.cells.values[number]
	first := len(sp.moves)
	add := func(o linkOutcome[L, M]) {
		if o.exhausted {
			err = errExhausted
		}
		id := sp.cell(p, o.local, o.link, o.queue, false)
		sp.moves = append(sp.moves, linkMove{id, uint16(o.action), o.kind == Ordinary})
	}
	queue := sp.content[c.queue]
	if letter == 0 {
		sp.c.idle(p, c.dead, &c.local, c.link, queue, s, add)
	} else {
		add(sp.c.react(p, &c.local, c.link, queue, sp.letters.values[letter-1], s))
	}
	t.situations.put(in, uint64(first)<<24|uint64(len(sp.moves)-first))
	for i, count := range sp.counts() {
		grow = grow || sp.layout.slots[i].bits > 0 && !sp.layout.slots[i].fits(count)
	}
	if len(t.cells.values) > maxCells || len(sp.letters.values) >= maxCells {
		err = fmt.Errorf("%s has more than %d local states, or there are more messages", sp.c.Names.Of(p), maxCells)
	}
	return grow, err
}

func (sp *linkSpace[L, M]) Grow() Translation {
	old := sp.layout
	sp.layout = pack(sp.sizes())
	return old.translate(sp.layout)
}

func (sp *linkSpace[L, M]) Footprint() int64 {
	var c cell[L]
	var m M
	const entry = 48 // of a Go map, besides the key
	size := len(sp.moves)*int(unsafe.Sizeof(linkMove{})) + len(sp.letters.values)*(2*int(unsafe.Sizeof(m))+entry)
	for _, q := range sp.content {
		size += entry + 40 + len(q)*(4+int(unsafe.Sizeof(m)))
	}
	for p := range sp.procs {
		t := &sp.procs[p]
		size += len(t.facts)*(2*int(unsafe.Sizeof(c))+entry+int(unsafe.Sizeof(cellFacts{}))) + 16*len(t.situations.cells)
	}
	return int64(size)
}

func (sp *linkSpace[L, M]) Decode(v []uint32) State {
	w := &linkWorld[L, M]{c: sp.c, crashes: int(sp.layout.slots[sp.c.N].get(v))}
	for p := range Proc(sp.c.N) {
		c := &sp.procs[p].cells.values[sp.layout.slots[p].get(v)]
		w.local = append(w.local, c.local)
		w.link = append(w.link, c.link)
		w.queue = append(w.queue, sp.content[c.queue])
		if c.dead {
			w.dead = w.dead.With(p)
		}
	}
	if sp.c.Recover == nil {
		w.crashes = (w.dead &^ sp.c.Dead).Len()
	}
	return w
}

func spell(letters []uint32) string {
	b := make([]byte, 0, 4*len(letters))
	for _, letter := range letters {
		b = binary.LittleEndian.AppendUint32(b, letter)
	}
	return string(b)
}
