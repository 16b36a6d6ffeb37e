package explore

import (
	"math"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
)

// The size of an expansion is a compromise: its successors should stay in the
// second-level cache, and the workers should seldom wait for each other.
const (
	chunkStates = 512 // at most
	siblingBits = 11
	// fullBatch is the number of words at which a batch is full, and the chunk ends before its last state:
	// its states have too many successors for the limits, or for memory.
	fullBatch = 1 << 19
	// largeState is the number of words from which the successors of a state may fill a batch. A chunk
	// whose states all have fewer does not.
	largeState = fullBatch / chunkStates
	// filledAtOnce is the number of states for which tables are filled between two checks of the limits. A
	// check after each state took 1% of the instructions of lamport-mutex.
	filledAtOnce = 16
)

// chunkSizes are the numbers of states of the chunks of an expansion. Workers take chunks from both ends and
// meet in the middle, where small ones let them end at the same time.
var chunkSizes = [...]int{512, 512, 512, 384, 128, 128, 384, 512, 512, 512}

// expandNext expands the next states of the level and visits their successors. States
// with a missing memo are expanded last.
func (s *search) expandNext() error {
	if s.relayoutInTime(); s.report.Stopped != "" {
		return nil
	}
	s.expansions++
	chunks := s.chunks[:s.handOut()]
	if s.disk != nil {
		s.disk.meet(chunks)
	}
	s.workers.run(len(chunks), func(w, i int) { s.expand(w, &chunks[i]) })
	if s.failed(chunks, s.report.Depth) {
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
// so that the search exceeds it by few states only.
func (s *search) handOut() (n int) {
	states := math.MaxInt
	if s.opt.MaxStates > 0 {
		states = int(min(int64(states), max(1, (s.opt.MaxStates-s.report.States)/16)))
	}
	for ; n < len(chunkSizes) && states > 0; n++ {
		ch := &s.chunks[n]
		ch.reset(s.width)
		ch.input = s.now.Pop(ch.input, min(chunkSizes[n], states), s.length())
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
	defer func() {
		if ch.mistake != nil { // it may be in the middle of a step
			s.cursors[worker] = s.newChecker(s.space.NewCursor())
		}
	}()
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

// expandThese adds the successors of the states in some entries of a queue to a chunk, and
// judges the states and their steps. It stops at the first state with a missing memo, or when
// the batch is full. It returns the index of the word where it stopped, and whether a memo is
// missing there.
func (s *search) expandThese(c *checker, ch *chunk, entries []uint32) (at int, lacking bool) {
	width, length, b := s.width, s.length(), &ch.batch
	from := len(ch.input) - len(entries) // they are the last of them
	if s.disk != nil && s.disk.task.JudgeOnly {
		for ; at < len(entries); at += length {
			ch.judged, ch.least = from+at, 1+int64(entries[at+length-1])
			s.judgeMet(c, ch, entries[at:at+width], entries[at+width])
		}
		return at, false
	}
	plain := s.disk == nil && s.compact == nil && !s.judgeSteps
	for ; at < len(entries); at += length {
		v, came := entries[at:at+width], kernel.SleepTag(entries[at+width])
		if s.everyStep {
			came = came.Forgotten()
		}
		ch.judged = from + at
		first := len(b.Words)
		e, ok := c.Expand(v, came, b)
		if !ok {
			ch.counts.Expanded += int64(at / length)
			return at, true
		}
		if !plain && s.disk != nil {
			origin := entries[at+length-1]
			ch.least = 1 + int64(origin)
			for k := first + b.Width + kernel.RecordParent; k < len(b.Words); k += b.Stride {
				b.Words[k] = origin
			}
			s.judgeMet(c, ch, v, entries[at+width])
		}
		if !plain && s.judgeSteps {
			s.judgeEach(c, ch, v)
		}
		if b.Rejected() {
			s.judgeOutside(c, ch, v, b.Began.Out)
		}
		if !e.Usual() {
			s.judgeEnabled(c, ch, v, e)
		}
		if s.compact != nil {
			s.compact.Link(&b.Records, first, v)
		}
		if ch.full() && b.Grown() >= largeState {
			at += length
			break
		}
	}
	ch.counts.Expanded += int64(at / length)
	return at, false
}

// lookUp visits the successors in chunks: new states get a place in the visited set
// and in the next level, and are judged.
func (s *search) lookUp(chunks []chunk) error {
	var wanted [memory.Shards]int // new states, if all successors are new
	most := s.report.States       // after that
	for i := range chunks {
		for k := range chunks[i].lookups {
			wanted[k] += len(chunks[i].lookups[k])
			most += int64(len(chunks[i].lookups[k]))
		}
	}
	roomy, err := s.room(&wanted)
	for i := range chunks {
		s.mergeChunk(&chunks[i])
	}
	if !roomy || err != nil {
		return err
	}
	clear(s.tags[:])
	if s.opt.MaxStates > 0 && most > s.opt.MaxStates {
		s.visitSingly(chunks)
	} else {
		s.workers.run(memory.Shards, func(_, i int) { s.visit(i, chunks) })
	}
	if s.disk != nil {
		return nil
	}
	s.judgeNew(chunks)
	if s.failed(chunks, s.report.Depth+1) {
		return nil
	}
	for i := range chunks { // in the order in which they were generated
		s.merge(&chunks[i].findings)
		s.next.Push(chunks[i].fresh, s.length())
		s.report.States += int64(len(chunks[i].fresh) / s.length())
	}
	return nil
}

// visitSingly visits the successors in chunks one after the other, until the limit of
// states is reached: a single state can have a hundred thousand successors.
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
				s.report.Stopped = store.AtLimit("the limit", s.opt.MaxStates, "state")
				return
			}
			h := b.HashAt(at)
			i := memory.ShardOf(h)
			ch.lookups[i] = append(ch.lookups[i], memory.Lookup{At: uint32(at), Place: memory.PlaceOf(h)})
			s.visit(i, chunks[k:k+1])
			ch.lookups[i] = ch.lookups[i][:0]
			n += int64(memory.Same(b.Words[at+b.Width+kernel.RecordTag], memory.IsNew))
		}
	}
}

// mergeChunk adds the counts and findings of a chunk to the results of the search.
func (s *search) mergeChunk(ch *chunk) {
	if ch.counts.Stuck > 0 {
		ch.counts.StuckDepth = s.report.Depth
	}
	ch.counts.Outside, ch.batch.Unjudged = ch.counts.Outside+ch.batch.Unjudged, 0
	ch.counts.Fired = ch.batch.Fired[:len(s.counts.Fired)]
	for _, n := range ch.counts.Fired {
		ch.counts.Generated += n
	}
	s.counts.Add(&ch.counts)
	clear(ch.counts.Fired)
	ch.counts = store.Counts{}
	s.merge(&ch.findings)
}

// fill completes an expansion in which memos were missing. One goroutine does it, so
// that values are interned in the same order in each run.
func (s *search) fill(chunks []chunk) error {
	chunks = s.chunks[:len(chunks)+1]
	ch := &chunks[len(chunks)-1]
	ch.reset(s.width)
	for {
		if s.report.Stopped = s.limit(atFilled); s.report.Stopped != "" {
			return nil
		}
		from := len(ch.input) // those before stay: verify may name one of them
		ch.input = append(ch.input, s.missing[:min(filledAtOnce*s.length(), len(s.missing))]...)
		n, lacking := 0, false
		ch.mistake = check.Caught(func() { n, lacking = s.expandThese(s.filling, ch, ch.input[from:]) })
		if s.failed(chunks[len(chunks)-1:], s.report.Depth) {
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
		if err := s.lookUp(chunks); err != nil || s.report.Stopped != "" {
			return err
		}
		if s.opt.Reduce.Movers {
			s.space.CheckMovers()
			s.outgrown()
		} else if lacking && len(s.missing) > 0 {
			s.relayout()
		}
		if len(s.missing) == 0 || s.report.Stopped != "" {
			return nil
		}
		chunks, ch = s.chunks[:1], &s.chunks[0]
		ch.reset(s.width)
	}
}
