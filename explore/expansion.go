package explore

import (
	"errors"
	"math/bits"
	"runtime/debug"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
)

// A chunk is some hundred consecutive states of a level, which one worker expands, and what came of them.
type chunk struct {
	input []uint32 // entries of the level's queue
	batch kernel.Batch
	// lookups are, by shard, the successors to be looked up: without the repeats that a siblingCache knew.
	lookups [memory.Shards][]memory.Lookup
	missing []uint32 // entries of states that could not be expanded: the tables lack something
	left    []uint32 // entries of states that were not expanded as the batch was full

	counts store.Counts
	findings
	mistake *model.Error // that showed when the states were expanded
}

func (ch *chunk) reset(width int) {
	ch.batch.Reset(width)
	ch.missing = ch.missing[:0]
}

// bytes returns the memory held.
func (ch *chunk) bytes() int64 {
	n := 0
	for i := range ch.lookups {
		n += cap(ch.lookups[i])
	}
	b := &ch.batch
	return 4 * int64(cap(ch.input)+cap(ch.missing)+cap(b.Words)+cap(b.Loops)+cap(b.Outside.Words)+2*n)
}

// findings are what one chunk, or the visits to one shard, found of the properties, by their index.
type findings struct {
	found uint64 // bit i: property i has to be reported
	first [64]find
	count [64]int64 // states or, of step invariants, steps
}

// add records that the properties in found have to be reported.
func (f *findings) add(found uint64, level int, state, beyond []uint32) {
	for ; found != 0; found &= found - 1 {
		i := bits.TrailingZeros64(found)
		f.count[i]++
		if f.found>>i&1 == 0 {
			f.found |= 1 << i
			f.first[i] = find{true, level, slices.Clone(state), slices.Clone(beyond), nil}
		}
	}
}

// merge takes over findings made somewhere, and empties them.
func (s *search) merge(f *findings) {
	for ; f.found != 0; f.found &= f.found - 1 {
		i := bits.TrailingZeros64(f.found)
		s.note(i, &f.first[i])
	}
	for i := range s.counts.Properties {
		s.counts.Properties[i] += f.count[i]
		f.count[i] = 0
	}
}

// note takes down the first of some states or steps at which a property has to be reported.
func (s *search) note(property int, f *find) {
	if s.disk != nil {
		s.disk.note(property, f)
	} else if !s.finds[property].known {
		s.finds[property] = *f
	}
}

// A siblingCache is direct-mapped: the entry at the first bits of a hash is the latest successor whose hash
// begins with them. States that follow each other in a level are mostly siblings, and have successors in
// common, which are found here before any look-up in the visited set. An entry of another chunk is recognised
// as wrong when the records are compared. Each worker has a cache of its own, small enough for the first
// level of the processor's; it is cleared when records get another length.
//
//	entry
//	    63 .. 32                  31 .. 0
//	   | last 32 bits of a hash | where the record begins in the batch, in words |
type siblingCache [1 << siblingBits]uint64

// sort sorts the successors by shard, keeping their order within one, and leaves out repeats that the cache
// knows: 70% of the successors of 2pc n=9. unite: origins and tags of both are united, as in a merge of
// files.
func (ch *chunk) sort(siblings *siblingCache, unite bool) {
	for i := range ch.lookups {
		ch.lookups[i] = ch.lookups[i][:0]
	}
	b := &ch.batch.Records
	for at := 0; at < len(b.Words); at += b.Stride {
		h := b.HashAt(at)
		r := &siblings[h>>(64-siblingBits)]
		last := *r
		*r = h<<32 | uint64(at)
		j := int(uint32(last))
		if uint32(last>>32) == uint32(h) && j < at && memory.Equal(b.Words[at:at+b.Width], b.Words[j:]) {
			behind, again := b.Words[j+b.Width:], b.Words[at+b.Width:]
			if unite {
				store.Unite(&behind[kernel.RecordParent], &behind[kernel.RecordTag],
					again[kernel.RecordParent], again[kernel.RecordTag])
				*r = h<<32 | uint64(j)
				continue
			}
			tag := &b.Words[j+b.Width+kernel.RecordTag]
			*tag = uint32(kernel.SleepTag(*tag).Better(kernel.SleepTag(b.Words[at+b.Width+kernel.RecordTag])))
			continue
		}
		s := &ch.lookups[memory.ShardOf(h)]
		*s = append(*s, memory.Lookup{At: uint32(at), Place: memory.PlaceOf(h)})
	}
}

// full reports whether no more states are to be expanded into the batch.
func (ch *chunk) full() bool {
	b := &ch.batch
	return len(b.Words)+len(b.Outside.Words)+len(b.Loops)+len(b.Pruned) >= fullBatch
}

// The size of an expansion is a compromise: its successors should stay in the
// second-level cache, and the workers should seldom wait for each other.
const (
	chunkStates        = 512
	chunksPerExpansion = 8
	siblingBits        = 11
	// fullBatch is how many words end a chunk before its last state, where states have too
	// many successors for the limits, or for memory.
	fullBatch = 1 << 19
	// largeState is how many words a state adds to a batch if it alone may fill it: fewer, of
	// each state of a chunk, do not.
	largeState = fullBatch / chunkStates
	// filledAtOnce is for how many states tables are filled before limits are checked again. To do so
	// after each took 1% of the instructions of lamport-mutex.
	filledAtOnce = 16
)

// expandNext expands the next states of the level and visits their successors. The
// states for which the tables lack something are expanded last.
func (s *search) expandNext() error {
	s.expansions++
	chunks := s.chunks[:s.handOut()]
	if s.disk != nil {
		s.disk.meet(chunks)
	}
	s.workers.run(len(chunks), func(w, i int) { s.expand(w, &chunks[i]) })
	if s.failedToExpand(chunks) {
		return nil
	}
	s.missing = s.lacking[:0]
	var left []uint32
	for i := range chunks {
		s.missing = append(s.missing, chunks[i].missing...)
		left = append(left, chunks[i].left...)
	}
	s.lacking = s.missing
	if len(left) > 0 {
		s.now.Unpop(left, s.length())
	}
	if len(s.missing) > 0 {
		return s.fill(chunks)
	}
	return s.lookUp(chunks)
}

// handOut hands out states to chunks. Near a limit of states the expansions get smaller,
// so that it is not overshot by much.
func (s *search) handOut() (n int) {
	states := chunkStates * chunksPerExpansion
	if s.opt.MaxStates > 0 {
		states = int(min(int64(states), max(1, (s.opt.MaxStates-s.report.States)/16)))
	}
	for ; n < chunksPerExpansion && states > 0; n++ {
		ch := &s.chunks[n]
		ch.reset(s.width)
		ch.input = s.now.Pop(ch.input[:0], min(chunkStates, states), s.length())
		if len(ch.input) == 0 {
			break
		}
		states -= len(ch.input) / s.length()
	}
	s.now.Lend(&s.next)
	return n
}

// expand collects the successors of a chunk's states.
func (s *search) expand(worker int, ch *chunk) {
	defer model.Catch(&ch.mistake)
	length := s.length()
	at, lacking := s.expandThese(s.cursors[worker], ch, ch.input)
	for n := 0; lacking; at += n {
		ch.missing = append(ch.missing, ch.input[at:at+length]...)
		at += length
		n, lacking = s.expandThese(s.cursors[worker], ch, ch.input[at:])
	}
	ch.left = ch.input[at:]
	ch.sort(&s.siblingCaches[worker], s.disk != nil)
}

// expandThese adds the successors of the states of some entries of a queue to a chunk, and
// judges the states and their steps, up to the first for which the tables lack something, or
// until the batch is full. It returns where it stopped, and whether that is because the tables
// lack something.
func (s *search) expandThese(c *checker, ch *chunk, entries []uint32) (at int, lacking bool) {
	width, length, b := s.width, s.length(), &ch.batch
	for ; at < len(entries); at += length {
		v, came := entries[at:at+width], kernel.SleepTag(entries[at+width])
		if s.everyStep {
			came = came.Forgotten()
		}
		if s.disk != nil && s.disk.task.JudgeOnly {
			s.judgeMet(c, ch, v, entries[at+width])
			continue
		}
		from := len(b.Words)
		e, ok := c.Expand(v, came, b)
		if !ok {
			ch.counts.Expanded += int64(at / length)
			return at, true
		}
		if s.disk != nil {
			s.judgeMet(c, ch, v, entries[at+width])
		}
		if s.judgeSteps {
			s.judgeEach(c, ch, v)
		}
		if b.Rejected() {
			s.judgeOutside(c, ch, v, b.Began.Out)
		}
		if !e.Usual() {
			s.judgeEnabled(c, ch, v, e)
		}
		switch {
		case s.disk != nil:
			s.disk.inherit(ch, from, entries[at:at+length])
		case s.compact != nil:
			s.compact.Link(&b.Records, from, v)
		}
		if b.Grown() >= largeState && ch.full() {
			at += length
			break
		}
	}
	if s.disk == nil || !s.disk.task.JudgeOnly {
		ch.counts.Expanded += int64(at / length)
	}
	return at, false
}

// lookUp visits the successors collected in chunks: those not met before get a
// place in the visited set and in the next level, and are judged.
func (s *search) lookUp(chunks []chunk) error {
	var wanted [memory.Shards]int // new states, if all are
	for i := range chunks {
		for k := range chunks[i].lookups {
			wanted[k] += len(chunks[i].lookups[k])
		}
	}
	roomy, err := s.room(&wanted)
	for i := range chunks {
		s.mergeChunk(&chunks[i])
	}
	if !roomy || err != nil {
		return err
	}
	if s.wouldPass(&wanted) {
		s.visitSingly(chunks)
	} else {
		s.workers.run(memory.Shards, func(w, i int) { s.visit(s.cursors[w], i, chunks) })
	}
	if s.failedToJudge() {
		return nil
	}
	for i := range s.shardResults {
		s.merge(&s.shardResults[i].findings)
	}
	for i := range chunks { // in the order in which they were generated
		if b := &chunks[i].batch.Records; s.disk == nil {
			n := s.next.PushMarked(b.Words, b.Stride, b.Width+1, b.Width+kernel.RecordTag)
			s.report.States += int64(n)
		}
	}
	return nil
}

// wouldPass reports whether the limit of states would be passed if all wanted states were new.
func (s *search) wouldPass(wanted *[memory.Shards]int) bool {
	n := s.report.States
	for _, k := range wanted {
		n += int64(k)
	}
	return s.opt.MaxStates > 0 && n > s.opt.MaxStates
}

// visitSingly visits the successors in chunks one after the other, until the limit of
// states is reached: a single state can have a hundred thousand.
func (s *search) visitSingly(chunks []chunk) {
	n := s.report.States
	for k := range chunks {
		ch := &chunks[k]
		for i := range ch.lookups {
			ch.lookups[i] = ch.lookups[i][:0]
		}
		b := &ch.batch.Records
		for at := 0; at < len(b.Words); at += b.Stride {
			if n >= s.opt.MaxStates {
				s.report.Stopped = s.atMaxStates()
				return
			}
			h := b.HashAt(at)
			i := memory.ShardOf(h)
			ch.lookups[i] = append(ch.lookups[i], memory.Lookup{At: uint32(at), Place: memory.PlaceOf(h)})
			if s.visit(s.cursors[0], i, chunks[k:k+1]); s.shardResults[i].mistake != nil {
				return
			}
			ch.lookups[i] = ch.lookups[i][:0]
			n += int64(memory.Same(b.Words[at+b.Width+kernel.RecordTag], memory.IsNew))
		}
	}
}

// mergeChunk adds what a chunk counted and found.
func (s *search) mergeChunk(ch *chunk) {
	if ch.counts.Stuck > 0 {
		ch.counts.StuckDepth = s.report.Depth
	}
	ch.counts.Fired = ch.batch.Fired[:len(s.counts.Fired)]
	for _, n := range ch.counts.Fired {
		ch.counts.Generated += n
	}
	s.counts.Add(&ch.counts)
	clear(ch.counts.Fired)
	ch.counts = store.Counts{}
	s.merge(&ch.findings)
}

// growing is how many shards are taken to exist twice, while they grow, when memory is taken. It is not the
// number of workers, because where the memory limit ends a search must not depend on that.
const growing = 4

// room makes room for the wanted states of each shard. It returns false if that is not possible;
// Report.Stopped says why.
func (s *search) room(wanted *[memory.Shards]int) (ok bool, err error) {
	if s.disk != nil {
		if err := s.disk.level.Room(wanted); err != nil {
			return false, err
		}
	}
	return s.makeRoom(wanted)
}

// makeRoom grows the shards so that each has room for the wanted states. It returns false if the memory limit
// forbids it.
func (s *search) makeRoom(wanted *[memory.Shards]int) (ok bool, err error) {
	var words [memory.Shards]int
	var more, largest int64
	width := s.cellWidth()
	for i := range s.tables {
		t := &s.tables[i]
		if words[i] = t.Reserve(wanted[i], width); words[i] != 0 {
			more += 4*int64(words[i]) - t.Bytes()
			largest = max(largest, t.Bytes())
		}
	}
	if !s.takeMemory(more + largest*growing) {
		return false, nil
	}
	if more == 0 {
		return true, nil
	}
	cells, ok := s.cells(&words)
	if !ok {
		return false, nil
	}
	return true, s.growTables(cells, width, func(dst, src []uint32) uint64 {
		copy(dst, src)
		if s.compact != nil {
			return memory.HashOf(compact.Place(dst))
		}
		return s.cursors[0].Hash(dst) // which changes nothing in a cursor
	})
}

// cellWidth is how many words of a cell identify a state.
func (s *search) cellWidth() int {
	if s.compact != nil {
		return compact.Width
	}
	return s.width
}

// growTables moves tables to other cells, if there are any for them.
func (s *search) growTables(cells *[memory.Shards]memory.Pages, width int,
	translate kernel.Translation) error {
	var errs [memory.Shards]error
	s.workers.run(memory.Shards, func(_, i int) {
		if cells[i].Words != nil {
			errs[i] = s.tables[i].Grow(cells[i], width, translate)
		}
	})
	return errors.Join(errs[:]...)
}

// A shardResult is what the visits to one shard found in an expansion.
type shardResult struct {
	findings
	touched uint32     // keeps the touching loads from being optimised away
	mistake *misjudged // the first new state in which a mistake showed; nil: none
}

// fill completes an expansion in which the tables lacked something. That is done by
// one goroutine, so that numbers are given out in the same order each time.
func (s *search) fill(chunks []chunk) error {
	chunks = s.chunks[:len(chunks)+1]
	ch := &chunks[len(chunks)-1]
	ch.reset(s.width)
	for {
		if s.report.Stopped = s.limit(atFilled); s.report.Stopped != "" {
			return nil
		}
		ch.input = append(ch.input[:0], s.missing[:min(filledAtOnce*s.length(), len(s.missing))]...)
		var n int
		var lacking bool
		ch.mistake = caught(func() { n, lacking = s.expandThese(s.filling, ch, ch.input) })
		if s.failedToExpand(chunks[len(chunks)-1:]) {
			return nil
		}
		s.missing = s.missing[n:]
		if err := s.filler.Err(); lacking && err != nil {
			s.report.Stopped = "stopped: " + err.Error()
			return nil
		}
		if !lacking && len(s.missing) > 0 && !ch.full() {
			continue
		}
		if s.verify() {
			return nil
		}
		ch.sort(&s.siblingCaches[0], s.disk != nil)
		if err := s.lookUp(chunks); err != nil || s.report.Stopped != "" || len(s.missing) == 0 {
			return err
		}
		if lacking {
			if err := s.relayout(); err != nil || s.report.Stopped != "" {
				return err
			}
		}
		chunks, ch = s.chunks[:1], &s.chunks[0]
		ch.reset(s.width)
	}
}

// relayout changes all vectors after the space has outgrown their layout.
func (s *search) relayout() error {
	old, width := s.width, s.space.Grown()
	var words [memory.Shards]int
	var largest int64
	var more int64
	for _, q := range s.queues() {
		more += q.Widened(width - old)
	}
	for i := range s.tables {
		if s.compact != nil { // codes stay as they are
			break
		}
		if t := &s.tables[i]; t.Bytes() > 0 {
			words[i] = t.Translated(width)
			more += 4*int64(words[i]) - t.Bytes()
			largest = max(largest, t.Bytes())
		}
	}
	if !s.takeMemory(more + largest*growing) {
		return nil // with the vectors as they are, in which paths can still be found
	}
	cells, ok := s.cells(&words)
	if !ok {
		return nil
	}
	translate := s.space.Grow()
	s.width = width
	s.newCursors()
	if err := s.growTables(cells, width, translate); err != nil {
		return err
	}
	s.widenQueues(old, translate)
	change := func(vs []uint32) []uint32 {
		if vs == nil {
			return nil
		}
		r := make([]uint32, len(vs)/old*s.width)
		for i := range len(vs) / old {
			translate(r[i*s.width:(i+1)*s.width], vs[i*old:(i+1)*old])
		}
		return r
	}
	missing := s.missing
	s.missing = nil
	for entry := range slices.Chunk(missing, old+s.behind) {
		s.missing = append(append(s.missing, change(entry[:old])...), entry[old:]...)
	}
	for i := range s.siblingCaches {
		clear(s.siblingCaches[i][:])
	}
	for i := range s.finds {
		s.finds[i].state, s.finds[i].beyond = change(s.finds[i].state), change(s.finds[i].beyond)
	}
	return nil
}

// widenQueues changes the entries of all queues, which had vectors of the old width. What the old ones took
// is given back on the way: else both would be resident together, up to a fifth above the memory limit.
func (s *search) widenQueues(old int, translate kernel.Translation) {
	var garbage int64
	dropped := func(bytes int64) {
		if garbage += bytes; s.opt.Memory > 0 && garbage > s.opt.Memory/64 {
			debug.FreeOSMemory()
			garbage = 0
		}
	}
	for _, q := range s.queues() {
		*q = q.Translated(old, s.width, s.behind, translate, dropped)
	}
}
