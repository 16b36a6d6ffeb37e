package disk

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/protocol"
)

// When the table of candidates is full, the candidates are written in the order of codes. First each
// candidate is copied, with its code, to one of a few hundred buckets, by the first bits of the code; each
// worker has its own list per bucket. Then each bucket is small enough to be sorted within the cache. Without
// the copies, accesses to the table in the order of codes took a fifth of a search.
//
//	row, of a cell of stride words: see candidates.go
//	    0 .. 3          4 .. 3+stride
//	   | Hi, Hi, Lo, Lo | cell        |    of Hi and Lo the lower half comes first

const codeWords = 4

// The number of buckets is a power of two, like the number of shards. Within these bounds a bucket has about
// bucketRows rows.
const (
	fewestBuckets = 256
	mostBuckets   = 2048
	bucketRows    = 8192
)

// A flusher is the memory of a worker for writing candidates. It is used again for the next task.
type flusher struct {
	buckets [][]uint32 // rows
	length  int        // words of a row
	rows    []uint32
	refs    []store.Ref // of the rows
	sorter  store.Sorter
	batch   store.Batch
	numbers [][]uint32 // per part and number: 1 + the number in the file; 0: none yet
}

// take moves the rows of all workers in a bucket to rows, and returns refs to them in the order of codes: At
// is the index of the row's first word.
func (f *flusher) take(all []flusher, bucket int) []store.Ref {
	f.rows, f.refs = f.rows[:0], f.refs[:0]
	for w := range all {
		f.rows = append(f.rows, all[w].buckets[bucket]...)
		all[w].buckets[bucket] = nil
	}
	for at := 0; at < len(f.rows); at += f.length {
		c := f.rows[at : at+codeWords]
		code := store.Code{Hi: uint64(c[1])<<32 | uint64(c[0]), Lo: uint64(c[3])<<32 | uint64(c[2])}
		f.refs = append(f.refs, store.Ref{Code: code, At: uint32(at)})
	}
	return f.sorter.Sort(f.refs)
}

// flush writes the candidates, and empties their table.
func (l *Level) flush() error {
	l.Space.Encode()
	shards, candidates := l.task.Shards, l.Tables.Used()
	buckets := max(fewestBuckets, shards)
	for buckets < mostBuckets && candidates > buckets*bucketRows {
		buckets *= 2
	}
	width := l.Space.Width()
	for w := range l.flushers {
		l.flushers[w].buckets, l.flushers[w].length = make([][]uint32, buckets), codeWords+width+remembered
	}
	l.Run(memory.Shards, func(w, i int) {
		if l.cancelled() != nil {
			return
		}
		f, code := &l.flushers[w], l.Coder()
		for _, cell := range l.Tables[i].Each {
			c := code(cell[:width])
			to := &f.buckets[store.ShardOf(c, buckets)]
			*to = append(append(*to, uint32(c.Hi), uint32(c.Hi>>32), uint32(c.Lo), uint32(c.Lo>>32)), cell...)
		}
	})
	attempt := rand.Text()[:10]
	runs, errs := make([]store.Run, shards), make([]error, shards)
	l.Run(shards, func(w, i int) {
		name := fmt.Sprintf("%s/%s-%03d.states", l.task.Output, attempt, i)
		runs[i], errs[i] = l.write(&l.flushers[w], name, i, buckets/shards)
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for i, r := range runs {
		if r.States > 0 {
			l.Runs = append(l.Runs, store.ShardRun{Shard: i, Run: r})
			l.Written += r.Bytes
		}
	}
	l.Most = max(l.Most, l.Written+l.partitions.bytes)
	l.forget()
	return nil
}

// write writes the candidates of a shard, which has the given number of buckets. Without candidates it writes
// no file.
func (l *Level) write(f *flusher, name string, shard, buckets int) (r store.Run, err error) {
	slots := l.slots()
	var to *store.Writer
	for b := shard * buckets; b < (shard+1)*buckets; b++ {
		if err := l.cancelled(); err != nil {
			return r, err
		}
		sorted := f.take(l.flushers, b)
		if len(sorted) == 0 {
			continue
		}
		if to == nil {
			if to, err = store.Create(l.files, name, store.Header{
				Kind: store.States, Model: l.Model, Level: l.task.Level + 1, Shard: shard,
				Columns: store.FirstPart + len(slots), Words: l.Space.Slots() == nil,
			}); err != nil {
				return r, err
			}
			defer to.Discard()
			f.numbers = append(f.numbers[:0], make([][]uint32, len(slots))...)
		}
		for refs := range slices.Chunk(sorted, memory.SegmentStates) {
			f.fill(to, refs, slots, l.Space)
			if err := to.Add(&f.batch); err != nil {
				return r, err
			}
		}
	}
	if to == nil {
		return r, nil
	}
	return to.Close()
}

func (f *flusher) fill(to *store.Writer, refs []store.Ref, slots []protocol.Slot, space kernel.Space) {
	b, words := &f.batch, space.Slots() == nil
	b.Reset(store.FirstPart + len(slots))
	for i := range refs {
		how := f.rows[int(refs[i].At)+f.length-remembered:][:remembered]
		b.Codes = append(b.Codes, refs[i].Code)
		b.Columns[store.ColumnOrigin] = append(b.Columns[store.ColumnOrigin], how[kernel.RecordParent])
		b.Columns[store.ColumnTag] = append(b.Columns[store.ColumnTag],
			how[kernel.RecordTag]&^uint32(kernel.TakenTag))
	}
	for k := range slots {
		column, slot := b.Columns[store.FirstPart+k], slots[k]
		for i := range refs {
			x := slot.Get(f.rows[int(refs[i].At)+codeWords:])
			if !words {
				part := func() []byte { return space.Part(k, x) }
				x = to.Renumber(store.FirstPart+k, &f.numbers[k], x, part)
			}
			column = append(column, x)
		}
		b.Columns[store.FirstPart+k] = column
	}
}
