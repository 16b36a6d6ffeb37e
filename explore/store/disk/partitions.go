package disk

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/protocol"
)

// A level larger than a batch is split into partitions before any state of it is expanded: files of states
// that are neighbours in the order of vectors. The frontier is in the order of codes, which is random. In
// that order each batch would lead to most of the next level, and write most candidates once more; a batch
// from neighbouring partitions leads to a part of the next level. The first batch is a sample of the level
// from which the bounds of the partitions are computed.
type partitions struct {
	varying []uint32        // see batch
	bounds  []uint64        // the first key of each partition but the first
	files   []*store.Writer // rows of states with numbers of Space, and the origin of their successors
	names   []string
	row     []uint32 // the row that is being written
	bytes   int64    // of the files that were written and not read yet
	taken   bool     // the partitions are being read and expanded
}

// The number of partitions is mostPartitions, or less if the budget is less than partitionBudget for each:
// writing one takes a few hundred kilobytes of memory.
const (
	mostPartitions   = 32
	fewestPartitions = 4
	partitionBudget  = 16 << 20
)

// begun reports whether states are being put into partitions.
func (r *partitions) begun() bool { return len(r.files) > 0 && !r.taken }

// split creates the partitions, and puts the states of the batch into them.
func (l *Level) split() error {
	p, r := &l.batch, &l.partitions
	if err := l.arrange(); err != nil {
		return err
	}
	n := int(min(mostPartitions, max(fewestPartitions, l.Budget/partitionBudget)))
	*r = partitions{varying: p.varying}
	slots, attempt := l.slots(), rand.Text()[:10]
	columns := store.FirstPart + len(slots)
	r.row = make([]uint32, columns)
	for i := range n {
		if i > 0 {
			r.bounds = append(r.bounds, p.order[i*len(p.order)/n]>>32)
		}
		name := fmt.Sprintf("%s/%s-%03d.partition", l.task.Output, attempt, i)
		h := store.Header{Kind: store.Words, Model: l.Model, Columns: columns}
		f, err := store.Create(l.Scratch, name, h)
		if err != nil {
			return err
		}
		r.files, r.names = append(r.files, f), append(r.names, name)
	}
	for i := range p.states.Count {
		if i%memory.SegmentStates == 0 && l.cancelled() != nil {
			return l.cancelled()
		}
		if err := l.assign(p.states.At(i, l.length()), slots); err != nil {
			return err
		}
	}
	p.states.Clear()
	return nil
}

func (l *Level) assign(entry []uint32, slots []protocol.Slot) error {
	r := &l.partitions
	i, _ := slices.BinarySearch(r.bounds, key(entry, r.varying)+1) // the first one above the key
	for j := range slots {
		r.row[store.FirstPart+j] = slots[j].Get(entry)
	}
	behind := entry[len(entry)-remembered:]
	r.row[store.ColumnTag], r.row[store.ColumnOrigin] = behind[0], behind[1]
	return r.files[i].AddRow(r.row)
}

// expandPartitions expands the states of all partitions.
func (l *Level) expandPartitions() (err error) {
	r := &l.partitions
	sizes := make([]int64, len(r.files))
	for i, f := range r.files {
		run, failed := f.Close()
		sizes[i] = run.Bytes
		r.bytes += run.Bytes
		err = cmp.Or(err, failed)
	}
	if err != nil {
		return err
	}
	l.Most, r.taken = max(l.Most, r.bytes), true
	for i, name := range r.names {
		if l.exceeds(int64(l.batch.states.Count) + r.files[i].Count) {
			if err := l.expandBatch(); err != nil {
				return err
			}
		}
		if err := l.read(l.Scratch, name, store.Words); err != nil {
			return err
		}
		if err := l.Scratch.Remove(name); err != nil {
			return err
		}
		r.bytes -= sizes[i]
	}
	*r = partitions{}
	return nil
}
