package explore

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/protocol"
)

// When the table of candidates is full, what is in it is written in the order of codes. First the code of
// each candidate is put into one of some hundred buckets by its first bits, a list for each worker; then each
// bucket is small enough to be sorted within the cache.

// fewestBuckets is how many buckets there are at the least, a power of two as the number of shards is.
const fewestBuckets = 256

// A refSegment is a piece of a list of candidates. The lists of a bucket grow and shrink without being moved.
type refSegment [32]store.Ref

const (
	refBytes  = int64(unsafe.Sizeof(store.Ref{}))
	seenBytes = int64(unsafe.Sizeof(reached{}))
)

// A bucket is a list of candidates.
type bucket struct {
	segments []*refSegment
	used     int // of the last segment
}

// A flusher is what a worker needs to write candidates. It is kept.
type flusher struct {
	buckets []bucket
	spare   []*refSegment
	refs    []store.Ref // of one bucket
	sorter  store.Sorter
	batch   store.Batch
	numbers [][]uint32 // per part and number: 1 + the number in the file; 0: none yet
	touched uint32     // keeps the touching loads from being optimised away
}

// put appends a candidate to a bucket.
func (f *flusher) put(to *bucket, r store.Ref) {
	if to.used == len(refSegment{}) || len(to.segments) == 0 {
		if n := len(f.spare); n > 0 {
			to.segments, f.spare = append(to.segments, f.spare[n-1]), f.spare[:n-1]
		} else {
			to.segments = append(to.segments, new(refSegment))
		}
		to.used = 0
	}
	to.segments[len(to.segments)-1][to.used] = r
	to.used++
}

// take moves what all workers have in a bucket to refs.
func (f *flusher) take(all []flusher, bucket int) {
	f.refs = f.refs[:0]
	for w := range all {
		b := &all[w].buckets[bucket]
		for i, c := range b.segments {
			n := len(c)
			if i == len(b.segments)-1 {
				n = b.used
			}
			f.refs = append(f.refs, c[:n]...)
		}
		f.spare = append(f.spare, b.segments...)
		b.segments, b.used = b.segments[:0], 0
	}
}

// fits reports whether there is room for the table of candidates, if it grows by so many bytes and is filled
// then, beside the portion.
func (e *Expander) fits(more int64) bool {
	cell, cells := 4*int64(e.s.width+1), more
	for i := range e.s.shards {
		cells += e.s.shards[i].bytes()
	}
	return e.budget == 0 || cells/cell*(cell+(seenBytes+refBytes)*3/4) <= e.room()-e.portionBytes()
}

// bytes returns what the candidates take, with what it takes to write them.
func (e *Expander) bytes() (n int64) {
	for i := range e.seen {
		n += e.s.shards[i].bytes() + seenBytes*int64(cap(e.seen[i])) + refBytes*int64(len(e.seen[i]))
	}
	return n
}

// flush writes the candidates, and forgets them.
func (e *Expander) flush() error {
	s, shards := e.s, e.task.Shards
	if s.words == nil {
		s.space.Encode()
	}
	buckets := max(fewestBuckets, shards)
	e.shareSpare()
	for w := range e.flushers {
		f := &e.flushers[w]
		f.buckets = append(f.buckets[:0], make([]bucket, buckets)...)
	}
	s.workers.run(numShards, func(w, i int) {
		f, code := &e.flushers[w], s.coder()
		for at, cell := range s.shards[i].each {
			c := code(cell[:s.width])
			f.put(&f.buckets[store.ShardOf(c, buckets)], store.Ref{Code: c, Of: uint32(i), At: uint32(at)})
		}
	})
	attempt := rand.Text()[:10]
	runs, errs := make([]store.Run, shards), make([]error, shards)
	s.workers.run(shards, func(w, i int) {
		name := fmt.Sprintf("%s/%s-%03d.states", e.task.Output, attempt, i)
		runs[i], errs[i] = e.write(&e.flushers[w], name, i, buckets/shards)
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for i, r := range runs {
		if r.States > 0 {
			e.out.Runs = append(e.out.Runs, store.ShardRun{Shard: i, Run: r})
		}
	}
	e.forget()
	return nil
}

// shareSpare gives all workers as many spare segments: who takes is not who puts, and one of them would
// have ever more.
func (e *Expander) shareSpare() {
	var all []*refSegment
	for w := range e.flushers {
		all = append(all, e.flushers[w].spare...)
	}
	for w := range e.flushers {
		n := len(all) / (len(e.flushers) - w)
		e.flushers[w].spare, all = slices.Clone(all[:n]), all[n:]
	}
}

// write writes the candidates of a shard, which has so many buckets. If there are none there is no file.
func (e *Expander) write(f *flusher, name string, shard, buckets int) (r store.Run, err error) {
	s := e.s
	slots := s.space.Slots()
	h := store.Header{Model: e.digest, Level: e.task.Level + 1, Shard: shard, Bits: e.task.Bits,
		Parts: len(slots)}
	if slots == nil {
		h.Parts, h.Words = s.width, true
	}
	var to *store.States
	for b := shard * buckets; b < (shard+1)*buckets; b++ {
		f.take(e.flushers, b)
		if len(f.refs) == 0 {
			continue
		}
		if to == nil {
			if to, err = store.CreateStates(e.files, name, h); err != nil {
				return r, err
			}
			defer to.Discard()
			f.numbers = append(f.numbers[:0], make([][]uint32, h.Parts)...)
		}
		for refs := range slices.Chunk(f.sorter.Sort(f.refs), segmentStates) {
			e.fill(f, to, refs, slots, h.Parts)
			if err := to.Add(&f.batch); err != nil {
				return r, err
			}
		}
	}
	if to == nil {
		return r, nil
	}
	r, err = to.Close()
	r.Name = name
	return r, err
}

// fill makes some candidates the batch. Their cells are all over the table, so all are touched first.
func (e *Expander) fill(f *flusher, to *store.States, refs []store.Ref, slots []protocol.Slot, parts int) {
	s, b := e.s, &f.batch
	touched := uint32(0)
	for i := range refs {
		touched += s.shards[refs[i].Of].cells[refs[i].At]
	}
	f.touched = touched
	b.Reset(parts)
	for i := range refs {
		c := &refs[i]
		how := e.seen[c.Of][s.shards[c.Of].cells[int(c.At)+s.width]-1]
		b.Codes = append(b.Codes, c.Code)
		b.Origins, b.Tags = append(b.Origins, how.origin), append(b.Tags, how.tag)
	}
	for k := range b.Parts {
		column := b.Parts[k]
		for i := range refs {
			cell := s.shards[refs[i].Of].cells[refs[i].At:]
			if slots == nil {
				column = append(column, cell[k])
			} else {
				x := cell[slots[k].Word] >> (slots[k].Shift & 31) & slots[k].Mask
				column = append(column, f.number(s.space, to, k, x))
			}
		}
		b.Parts[k] = column
	}
}

// number returns the number in the file of a part that has a number in the space.
func (f *flusher) number(space kernel.Space, to *store.States, part int, x uint32) uint32 {
	numbers := &f.numbers[part]
	if int(x) >= len(*numbers) {
		*numbers = append(*numbers, make([]uint32, int(x)+1-len(*numbers))...)
	}
	n := &(*numbers)[x]
	if *n == 0 {
		*n = 1 + to.Number(part, space.Part(part, x))
	}
	return *n - 1
}
