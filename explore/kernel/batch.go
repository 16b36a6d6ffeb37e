package kernel

import (
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// Records is a list of successors. The words of a successor form one record, because they are written and
// read together: first the vector of the state and the Parent, as in a cell of the visited set, then the
// SleepTag, the hash and the label.
//
//	word  0 .. Width-1   Width    Width+1    Width+2   Width+3    Width+4
//	     | vector      | Parent | SleepTag | hash: low, high    | label  |
type Records struct {
	Width  int // words of a state
	Stride int // words of a record
	Words  []uint32
}

// What follows the vector in a record.
const (
	RecordParent = iota // Parent of the hash of the state that was expanded
	RecordTag           // the SleepTag
	recordHash          // two words
	_
	recordLabel
	recordExtra // words of a record besides the vector
)

// Parent is what a state remembers of the one it was reached from: the first 31
// bits of its hash, and a last bit that is always set, so that 0 is free to mean
// something else.
func Parent(hash uint64) uint32 { return uint32(hash>>32) | 1 }

func (r *Records) reset(width int) {
	r.Width, r.Stride, r.Words = width, width+recordExtra, r.Words[:0]
}

// Len returns the number of successors.
func (r *Records) Len() int {
	if len(r.Words) == 0 {
		return 0
	}
	return len(r.Words) / r.Stride
}

// At returns the state of successor i.
func (r *Records) At(i int) []uint32 { return r.Words[i*r.Stride:][:r.Width] }

// Hash returns the hash of successor i.
func (r *Records) Hash(i int) uint64 { return r.HashAt(i * r.Stride) }

// HashAt returns the hash of the successor whose record begins at a word.
func (r *Records) HashAt(word int) uint64 {
	i := word + r.Width + recordHash
	return uint64(r.Words[i+1])<<32 | uint64(r.Words[i])
}

// Label returns the label of the step to successor i.
func (r *Records) Label(i int) protocol.Label { return r.LabelAt(i * r.Stride) }

// LabelAt returns the label of the successor whose record begins at a word.
func (r *Records) LabelAt(word int) protocol.Label {
	return protocol.LabelOf(r.Words[word+r.Width+recordLabel])
}

// place returns where the records begin, where the next one does, and the end of the room, in bytes.
func (r *Records) place() (words unsafe.Pointer, at, room uintptr) {
	return unsafe.Pointer(unsafe.SliceData(r.Words)), 4 * uintptr(len(r.Words)), 4 * uintptr(cap(r.Words))
}

// maxRecord is more than the words of a record of MaxProcs processes: a word for each of 129 numbers, and the
// words copied with them.
const maxRecord = 256

func (r *Records) grow() { r.Words = slices.Grow(r.Words, max(64*r.Stride, maxRecord, len(r.Words))) }

// setHash sets the hash of a record.
func (r *Records) setHash(rec []uint32, h hash) {
	w := rec[len(rec)-recordExtra:]
	w[recordHash], w[recordHash+1] = uint32(h), uint32(h>>32)
}

// A Batch collects successors.
type Batch struct {
	Records // those within the constraint
	// Distinct: a successor may be left out if the batch has it already, even from another
	// state. A System leaves most of these out. Reset does not change it.
	Distinct bool
	// Loops are the labels of the steps of a System that lead back to the state itself, which
	// are not among the successors: of 2pc's steps they are 37%.
	Loops []protocol.Label
	// Fired counts all steps that were found enabled and are allowed, per action, those
	// included that are not among the successors because of Loops or a SleepTag. Reset does
	// not clear it.
	Fired [protocol.MaxActions]int64
	// Outside holds the successors that the constraint rejects, or that are beyond the
	// bounds. They are judged by invariants and counted, but are not part of the state space.
	Outside Records
	// CountOutside: those not to be judged are only counted, in Unjudged. Then Annotate may panic.
	CountOutside bool
	Unjudged     int64
	// Pruned holds the labels of the steps that an assumption forbids.
	Pruned []protocol.Label
	// Shifted lists the successors, in ascending order, whose times were moved back: see
	// Clocks.
	Shifted []uint32
	// Refuses is set by Annotate: a process cannot receive a message with a time that a bag offers.
	Refuses bool
	// Began is where the batch ended before the latest Expand.
	Began Mark
	// Notes belong to the successors, Outside and Pruned that Annotate added.
	Notes struct{ In, Outside, Pruned []Note }
}

// A Note says what a step is about.
type Note struct {
	Label   protocol.Label
	Message uint32 // 1 + the number, among those that the process can receive, of the one received; 0: none
	charges uint32 // its number
	Timed   bool   // the message holds a time
}

// note fills the annotations of the steps added since the last call, with their labels.
func (b *Batch) note(n Note) {
	fill := func(notes *[]Note, steps int, label func(i int) protocol.Label) {
		for i := len(*notes); i < steps; i++ {
			n.Label = label(i)
			*notes = append(*notes, n)
		}
	}
	fill(&b.Notes.In, b.Len(), b.Label)
	fill(&b.Notes.Outside, b.Outside.Len(), b.Outside.Label)
	fill(&b.Notes.Pruned, len(b.Pruned), func(i int) protocol.Label { return b.Pruned[i] })
}

// Reset empties the batch for vectors of the given width.
func (b *Batch) Reset(width int) {
	b.reset(width)
	b.Outside.reset(width)
	b.Loops, b.Pruned, b.Shifted = b.Loops[:0], b.Pruned[:0], b.Shifted[:0]
	b.Notes.In, b.Notes.Outside, b.Notes.Pruned = b.Notes.In[:0], b.Notes.Outside[:0], b.Notes.Pruned[:0]
}

// moveOutside takes the newest successor out of the state space.
func (b *Batch) moveOutside() {
	n := len(b.Words) - b.Stride
	b.Outside.Words = append(b.Outside.Words, b.Words[n:]...)
	b.Words = b.Words[:n]
	b.cutShifted()
}

// A Mark is a position in a batch: in Words, Outside.Words, Pruned and Loops.
type Mark struct{ In, Out, Pruned, Loops int }

// Mark returns the present end of the batch.
func (b *Batch) Mark() Mark {
	return Mark{len(b.Words), len(b.Outside.Words), len(b.Pruned), len(b.Loops)}
}

// Grown returns by how many entries and words the latest Expand made the batch longer.
func (b *Batch) Grown() int {
	m := &b.Began
	return len(b.Words) + len(b.Outside.Words) + len(b.Pruned) + len(b.Loops) - m.In - m.Out - m.Pruned -
		m.Loops
}

// Rejected reports whether the latest Expand added to Outside.
func (b *Batch) Rejected() bool { return len(b.Outside.Words) != b.Began.Out }

// cut drops everything that the latest Expand added.
func (b *Batch) cut() {
	m := &b.Began
	b.Words, b.Outside.Words = b.Words[:m.In], b.Outside.Words[:m.Out]
	b.Pruned = b.Pruned[:m.Pruned]
	b.cutShifted()
}

// cutShifted drops what Shifted says of successors that were dropped.
func (b *Batch) cutShifted() {
	n, left := len(b.Shifted), b.Len()
	for n > 0 && int(b.Shifted[n-1]) >= left {
		n--
	}
	b.Shifted = b.Shifted[:n]
}
