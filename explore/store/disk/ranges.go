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

// A level that is more than a portion is dealt into ranges before any of it is expanded: files of states that
// are neighbours in the order of vectors. The frontier is in the order of codes, which is as good as by lot.
// Were it taken as it comes, each portion would lead to most of the next level, and a candidate be written
// once for each of them; a portion from neighbouring ranges leads to a part of it. The first portion is a
// sample of the level, and says where ranges begin.
type ranges struct {
	varying []uint32        // see portion
	bounds  []uint64        // keys with which ranges begin, all but the first
	files   []*store.Writer // rows as in files of states, with the origin that it passes on, and numbers of Space
	names   []string
	row     []uint32 // the one that is being put aside
	bytes   int64    // of the files that were written and are not read yet
}

// There are mostRanges ranges, or fewer where the budget is less than rangeBudget for each: to write one
// takes some hundred kilobytes of memory.
const (
	mostRanges   = 32
	fewestRanges = 4
	rangeBudget  = 16 << 20
)

// dealt reports whether states go to ranges.
func (r *ranges) dealt() bool { return len(r.files) > 0 }

// deal begins the ranges, with the states of the portion.
func (l *Level) deal() error {
	p, r := &l.portion, &l.ranges
	if err := l.arrange(); err != nil {
		return err
	}
	n := int(min(mostRanges, max(fewestRanges, l.Budget/rangeBudget)))
	*r = ranges{varying: p.varying}
	slots, attempt := l.slots(), rand.Text()[:10]
	columns := store.FirstPart + len(slots)
	r.row = make([]uint32, columns)
	for i := range n {
		if i > 0 {
			r.bounds = append(r.bounds, p.order[i*len(p.order)/n]>>32)
		}
		name := fmt.Sprintf("%s/%s-%03d.range", l.task.Output, attempt, i)
		f, err := store.Create(l.Scratch, name, store.Header{Kind: store.Words, Model: l.Model, Columns: columns})
		if err != nil {
			return err
		}
		r.files, r.names = append(r.files, f), append(r.names, name)
	}
	for i := range p.states.Count {
		if i%memory.SegmentStates == 0 && l.cancelled() != nil {
			return l.cancelled()
		}
		if err := l.aside(p.states.At(i, l.length()), slots); err != nil {
			return err
		}
	}
	p.states.Clear()
	return nil
}

// aside puts a state into its range.
func (l *Level) aside(entry []uint32, slots []protocol.Slot) error {
	r := &l.ranges
	k := key(entry, r.varying)
	i, _ := slices.BinarySearchFunc(r.bounds, k, func(bound, k uint64) int {
		if bound <= k {
			return -1
		}
		return 1
	})
	for j := range slots {
		r.row[store.FirstPart+j] = part(entry, &slots[j])
	}
	behind := entry[len(entry)-remembered:]
	r.row[store.ColumnTag], r.row[store.ColumnOrigin] = behind[0], behind[1]
	return r.files[i].AddRow(r.row)
}

// expandRanges expands the states of all ranges.
func (l *Level) expandRanges() (err error) {
	r := &l.ranges
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
	l.Most = max(l.Most, r.bytes)
	for i, name := range r.names {
		if l.exceeds(int64(l.portion.states.Count) + r.files[i].Count) {
			if err := l.expandPortion(); err != nil {
				return err
			}
		}
		if err := l.resume(name); err != nil {
			return err
		}
		if err := l.Scratch.Remove(name); err != nil {
			return err
		}
		r.bytes -= sizes[i]
	}
	*r = ranges{}
	return nil
}

// resume takes the states of a range up again.
func (l *Level) resume(name string) error {
	r, err := store.Open(l.Scratch, name, store.Words, l.Model)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // nothing was written
	var entries []uint32
	return r.Each(func() error {
		if err := l.cancelled(); err != nil {
			return err
		}
		entries = l.pack(r.Batch, entries)
		for entry := range slices.Chunk(entries, l.length()) {
			l.portion.states.Push(entry)
		}
		if !l.filled() {
			return nil
		}
		return l.expandPortion()
	})
}

// abandonRanges gives up what is still put aside.
func (l *Level) abandonRanges() {
	for i, f := range l.ranges.files {
		f.Discard()
		_ = l.Scratch.Remove(l.ranges.names[i]) // another error is told
	}
	l.ranges = ranges{}
}
