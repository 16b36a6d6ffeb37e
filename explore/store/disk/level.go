// Package disk expands levels of a search whose states are in files: see package store. It reads the states
// of a level, passes them to the search in an order with many repeats close together, and writes their
// successors, the candidates for the next level, as sorted runs.
package disk

import (
	"context"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Host is the search that expands the states.
type Host struct {
	Space       kernel.Space
	Model       string      // its digest
	Tables      *memory.Set // of candidates: see Form
	Scratch     store.Files // for partitions; nil: no partitions
	Budget      int64       // bytes of memory; 0: no limit
	Base        int64       // bytes of the budget that the program itself takes
	BatchStates int64       // largest number of states of a batch; 0: as many as memory allows

	Workers int
	Run     func(n int, task func(worker, i int)) // calls task for each i below n, on the workers
	// Segment returns words for n entries, which the next Expand expands.
	Segment  func(n int) []uint32
	Expand   func() error
	Outgrown func() error                       // changes all vectors if numbers of Space do not fit
	Coder    func() func(v []uint32) store.Code // returns a function for one goroutine
}

// A Level does one task after the other: expansions of states of a level. Only one goroutine may use it at a
// time.
type Level struct {
	Host
	Runs    []store.ShardRun // runs written
	Written int64            // bytes of runs
	Loaded  int64            // number of states read
	Most    int64            // bytes of partitions and runs together: the peak

	ctx        context.Context
	files      store.Files
	task       store.Expansion
	batch      batch
	partitions partitions
	flushers   []flusher // per worker
}

// New returns a Level that has done no task.
func New(h Host) *Level {
	h.Tables.SetForm(memory.Form{Behind: remembered, Eighths: 6})
	return &Level{Host: h, flushers: make([]flusher, h.Workers)}
}

// Begin begins a task.
func (l *Level) Begin(ctx context.Context, files store.Files, t store.Expansion) {
	l.ctx, l.files, l.task = ctx, files, t
	l.Runs, l.Loaded, l.Written, l.Most = nil, 0, 0, 0
	l.forget()
	l.batch.states.Clear()
}

// Read reads the states in the files of the task and expands them.
func (l *Level) Read() (err error) {
	for _, name := range l.task.Inputs {
		if err = l.read(l.files, name, store.States); err != nil {
			return err
		}
	}
	if l.partitions.begun() {
		if err = l.expandPartitions(); err != nil {
			return err
		}
	}
	return l.expandBatch()
}

// End writes the remaining candidates if the task was done. It frees the memory of a large level, because the
// merges that follow need memory, too.
func (l *Level) End(done bool) error {
	for i, f := range l.partitions.files {
		f.Discard()
		_ = l.Scratch.Remove(l.partitions.names[i]) // another error is reported
	}
	l.partitions = partitions{}
	if !done {
		return nil
	}
	if err := l.flush(); err != nil {
		return err
	}
	if l.Budget > 0 && l.batchBytes() >= l.Budget/16 {
		l.batch = batch{}
		l.releaseTable()
	}
	return nil
}

// States returns the queue of the states that are not expanded yet.
func (l *Level) States() *memory.Queue { return &l.batch.states }

func (l *Level) length() int { return l.Space.Width() + remembered }

// cancelled returns the reason that the task has to end early; nil: none. Loops over many states that expand
// none call it now and then.
func (l *Level) cancelled() error { return context.Cause(l.ctx) }

// slots returns the slots of the parts of a state in its vector. The parts of a system are its words.
func (l *Level) slots() []protocol.Slot {
	slots := l.Space.Slots()
	if slots == nil {
		slots = make([]protocol.Slot, l.Space.Width())
		for i := range slots {
			slots[i] = protocol.Slot{Word: uint32(i), Mask: 1<<32 - 1}
		}
	}
	return slots
}

// read adds the states in a file of the level, or of one of its partitions.
func (l *Level) read(files store.Files, name, kind string) error {
	r, err := store.Open(files, name, kind, l.Model)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // nothing was written
	numbers := make([][]uint32, r.Header.Columns)
	var entries []uint32
	return r.Each(func() error {
		if err := l.cancelled(); err != nil {
			return err
		}
		if kind == store.States {
			if err := l.meet(r, numbers); err != nil {
				return err
			}
			l.Loaded += int64(r.Rows)
		}
		entries = l.pack(r, entries)
		return l.add(entries)
	})
}

// meet interns new components of a file, and replaces the file's numbers in the columns by the interned ones:
// numbers[i][n] is the interned number of component n in column i.
func (l *Level) meet(r *store.Reader, numbers [][]uint32) error {
	for i := store.FirstPart; i < len(numbers) && !r.Words; i++ {
		for n := len(numbers[i]); n < len(r.Components[i]); n++ {
			numbers[i] = append(numbers[i], l.Space.Intern(i-store.FirstPart, r.Components[i][n]))
		}
		for k, x := range r.Columns[i] {
			r.Columns[i][k] = numbers[i][x]
		}
	}
	return l.Outgrown()
}

// pack returns rows as entries: states with the origin of their successors.
func (l *Level) pack(r *store.Reader, entries []uint32) []uint32 {
	width, length, slots := l.Space.Width(), l.length(), l.slots()
	tags, origins := r.Columns[store.ColumnTag], r.Columns[store.ColumnOrigin]
	entries = append(entries[:0], make([]uint32, len(tags)*length)...)
	for k := range slots {
		word, shift := int(slots[k].Word), slots[k].Shift&31
		for i, x := range r.Columns[store.FirstPart+k] {
			entries[i*length+word] |= x << shift
		}
	}
	for i, tag := range tags {
		origin := origins[i]
		if r.Kind == store.States {
			origin = store.Origin(r.Code(i))
		}
		entries[i*length+width], entries[i*length+width+1] = tag, origin
	}
	return entries
}
