package explore

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A level that is more than a portion is dealt into ranges before any of it is expanded: files of states that
// are neighbours in the order of vectors. The frontier is in the order of codes, which is as good as by lot.
// Were it taken as it comes, each portion would lead to most of the next level, and a candidate be written
// once for each of them; a portion from neighbouring ranges leads to a part of it. The first portion is a
// sample of the level, and says where ranges begin.
type ranges struct {
	varying []uint32      // see portion
	bounds  []uint64      // keys with which ranges begin, all but the first
	files   []*store.Rows // numbers of the parts of a state, its tag, and the origin that it passes on
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
func (e *Expander) deal() error {
	s, p, r := e.s, &e.portion, &e.ranges
	if err := e.arrange(); err != nil {
		return err
	}
	n := int(min(mostRanges, max(fewestRanges, e.budget/rangeBudget)))
	*r = ranges{varying: p.varying}
	columns, attempt := s.width, rand.Text()[:10]
	if slots := s.space.Slots(); slots != nil {
		columns = len(slots)
	}
	r.row = make([]uint32, columns+2)
	for i := range n {
		if i > 0 {
			r.bounds = append(r.bounds, p.order[i*len(p.order)/n]>>32)
		}
		name := fmt.Sprintf("%s/%s-%03d.range", e.task.Output, attempt, i)
		f, err := store.CreateRows(e.scratch, name, e.digest, columns+2)
		if err != nil {
			return err
		}
		r.files, r.names = append(r.files, f), append(r.names, name)
	}
	for i := range p.states.Count {
		if i%memory.SegmentStates == 0 && e.cancelled() != nil {
			return e.cancelled()
		}
		if err := e.aside(p.states.At(i, s.length())); err != nil {
			return err
		}
	}
	p.states.Clear()
	return nil
}

// aside puts a state into its range.
func (e *Expander) aside(entry []uint32) error {
	r, width := &e.ranges, e.s.width
	k := key(entry, r.varying)
	i, _ := slices.BinarySearchFunc(r.bounds, k, func(bound, k uint64) int {
		if bound <= k {
			return -1
		}
		return 1
	})
	row := r.row
	if slots := e.s.space.Slots(); slots == nil {
		copy(row, entry[:width])
	} else {
		for j := range slots {
			row[j] = entry[slots[j].Word] >> (slots[j].Shift & 31) & slots[j].Mask
		}
	}
	copy(row[len(row)-2:], entry[width:])
	return r.files[i].Add(row)
}

// expandRanges expands the states of all ranges.
func (e *Expander) expandRanges() (err error) {
	r := &e.ranges
	sizes := make([]int64, len(r.files))
	for i, f := range r.files {
		var failed error
		sizes[i], failed = f.Close()
		r.bytes += sizes[i]
		err = cmp.Or(err, failed)
	}
	e.most = max(e.most, r.bytes)
	for i, name := range r.names {
		if err == nil && e.s.report.Stopped == "" &&
			e.exceeds(int64(e.portion.states.Count)+r.files[i].Count) {
			err = e.expandPortion()
		}
		if err != nil || e.s.report.Stopped != "" {
			return err
		}
		if err = cmp.Or(e.resume(name), e.scratch.Remove(name)); err != nil {
			return err
		}
		r.bytes -= sizes[i]
	}
	*r = ranges{}
	return nil
}

// resume takes the states of a range up again.
func (e *Expander) resume(name string) error {
	r, err := store.OpenRows(e.scratch, name, e.digest)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // nothing was written
	var entries []uint32
	for {
		more, err := r.Block()
		if err = cmp.Or(err, e.cancelled()); !more || err != nil {
			return err
		}
		entries = e.unpack(r, entries)
		if e.add(entries); !e.filled() {
			continue
		}
		if err := e.expandPortion(); err != nil || e.s.report.Stopped != "" {
			return err
		}
	}
}

// unpack returns the states of a block of a range as entries of a queue.
func (e *Expander) unpack(r *store.RowsReader, entries []uint32) []uint32 {
	length, slots, n := e.s.length(), e.s.space.Slots(), len(r.Columns)-2
	parts, tags, origins := r.Columns[:n], r.Columns[n], r.Columns[n+1]
	entries = append(entries[:0], make([]uint32, len(tags)*length)...)
	for j, column := range parts {
		for i, x := range column {
			if slots == nil {
				entries[i*length+j] = x
			} else {
				entries[i*length+int(slots[j].Word)] |= x << (slots[j].Shift & 31)
			}
		}
	}
	for i, tag := range tags {
		entries[i*length+length-2], entries[i*length+length-1] = tag, origins[i]
	}
	return entries
}

// abandonRanges gives up what is still put aside.
func (e *Expander) abandonRanges() {
	for i, f := range e.ranges.files {
		f.Discard()
		_ = e.scratch.Remove(e.ranges.names[i]) // another error is told
	}
	e.ranges = ranges{}
}
