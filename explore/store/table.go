package store

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"
)

// Files of states, of codes and of words have rows of numbers, which are written and read in blocks. Files of
// states and of codes also have the code of each row, and are sorted by code. A part of a state is a number
// that is valid in this file only: its canonical bytes are in the block with the first state that has it.
// Parts of a system are its words.

const blockRows = 4096

// The columns of a state. A file of codes has only the first one.
const (
	ColumnOrigin = iota // see Origin
	ColumnTag           // of the step by which the state was reached
	FirstPart           // the parts follow
)

// A Batch holds some rows, by columns, with their codes if the file has codes.
type Batch struct {
	Codes   []Code
	Columns [][]uint32
}

// Reset empties the batch, for rows of n columns.
func (b *Batch) Reset(n int) {
	b.Codes, b.Columns = b.Codes[:0], slices.Grow(b.Columns[:0], n)[:n]
	for i := range b.Columns {
		b.Columns[i] = b.Columns[i][:0]
	}
}

// A Writer writes a file of rows.
type Writer struct {
	*frames
	name   string
	header Header
	known  []dictionary // per column
	Count  int64        // rows
}

// A dictionary numbers the components of one part of states.
type dictionary struct {
	numbers map[string]uint32 // per bytes of a component
	fresh   []string          // components that were not written yet
}

// Create creates a file of the kind that the header says.
func Create(files Files, name string, h Header) (*Writer, error) {
	f, err := create(files, name, h)
	if err != nil {
		return nil, err
	}
	f.batch.Reset(h.Columns)
	return &Writer{frames: f, name: name, header: h, known: make([]dictionary, h.Columns)}, nil
}

// Number returns the number in this file of the component with these bytes, in a column.
func (w *Writer) Number(column int, component []byte) uint32 {
	d := &w.known[column]
	if n, known := d.numbers[string(component)]; known {
		return n
	}
	if d.numbers == nil {
		d.numbers = map[string]uint32{}
	}
	n, kept := uint32(len(d.numbers)), string(component)
	d.numbers[kept], d.fresh = n, append(d.fresh, kept)
	return n
}

// Renumber returns the number in this file of the component that has the number x elsewhere. known has, for
// each number there, 1 + the number here; 0: none yet.
func (w *Writer) Renumber(column int, known *[]uint32, x uint32, bytes func() []byte) uint32 {
	if int(x) >= len(*known) {
		*known = append(*known, make([]uint32, int(x)+1-len(*known))...)
	}
	n := &(*known)[x]
	if *n == 0 {
		*n = 1 + w.Number(column, bytes())
	}
	return *n - 1
}

// Add appends rows; if they have codes, each greater than the code of the row before.
func (w *Writer) Add(b *Batch) error {
	block, rows := &w.batch, len(b.Columns[0])
	for i := 0; i < rows; {
		end := min(i+blockRows-len(block.Columns[0]), rows)
		if b.Codes != nil {
			block.Codes = append(block.Codes, b.Codes[i:end]...)
		}
		for k := range b.Columns {
			block.Columns[k] = append(block.Columns[k], b.Columns[k][i:end]...)
		}
		i = end
		if err := w.flushFull(); err != nil {
			return err
		}
	}
	return nil
}

// AddRow appends a row that has no code.
func (w *Writer) AddRow(row []uint32) error {
	for k, x := range row {
		w.batch.Columns[k] = append(w.batch.Columns[k], x)
	}
	return w.flushFull()
}

func (w *Writer) flushFull() error {
	if len(w.batch.Columns[0]) < blockRows {
		return nil
	}
	return w.flush()
}

func (w *Writer) flush() error {
	b := &w.batch
	n := len(b.Columns[0])
	if n == 0 {
		return nil
	}
	w.Count += int64(n)
	if w.header.coded() {
		w.b = appendCodes(w.b[:0], b.Codes)
	} else {
		w.b = binary.AppendUvarint(w.b[:0], uint64(n))
	}
	w.flat = w.flat[:0]
	for i := range b.Columns {
		if w.header.numbered(i) {
			d := &w.known[i]
			w.flat = binary.AppendUvarint(w.flat, uint64(len(d.fresh)))
			for _, x := range d.fresh {
				w.flat = append(binary.AppendUvarint(w.flat, uint64(len(x))), x...)
			}
			d.fresh = d.fresh[:0]
		}
		w.flat = appendNumbers(w.flat, b.Columns[i])
	}
	if w.header.Kind == Codes { // they are like random numbers
		w.b = append(w.b, w.flat...)
	} else {
		n := len(w.b)
		w.b = slices.Grow(w.b, s2.MaxEncodedLen(len(w.flat)))
		w.b = w.b[:n+len(s2.Encode(w.b[n:cap(w.b)], w.flat))]
	}
	b.Reset(len(b.Columns))
	return w.frame(w.b)
}

// Close ends the file. Unless it returns an error, the file exists then.
func (w *Writer) Close() (Run, error) {
	err := w.flush()
	if err != nil {
		w.f.Discard()
		return Run{}, err
	}
	err = w.close()
	return Run{w.name, w.header.Level, w.header.Level, w.Count, w.size}, err
}

// Discard removes the file, unless it was closed.
func (w *Writer) Discard() { w.f.Discard() }

// A Reader reads a file of rows, block by block.
type Reader struct {
	*framed
	*Batch     // the columns of the current block; Codes is empty: see Code
	Rows   int // number of rows of the current block; 0: all blocks were read
	// Components are the bytes of components, per column and number, in the blocks read so far.
	Components [][][]byte

	low   []byte // halves of the codes, cut to the bits that are kept; their high halves are in buffers
	taken int    // number of rows of the block that were gathered
}

// Open opens a file of a kind and of a model, and reads its first block.
func Open(files Files, name, kind, model string) (*Reader, error) {
	f, err := open(files, name, kind, model)
	if err != nil {
		return nil, err
	}
	r := &Reader{framed: f, Batch: &f.batch, Components: make([][][]byte, f.Columns)}
	if err := r.block(); err != nil {
		_ = r.Close() // nothing was written
		return nil, err
	}
	return r, nil
}

// Code returns the code of a row of the block.
func (r *Reader) Code(row int) Code {
	return Code{Hi: r.high[row], Lo: uint64(binary.LittleEndian.Uint32(r.low[4*row:])) << 32}
}

// Each calls do for each block, from the current one on.
func (r *Reader) Each(do func() error) error {
	for r.Rows > 0 {
		if err := do(); err != nil {
			return err
		}
		if err := r.block(); err != nil {
			return err
		}
	}
	return nil
}

// block reads the next block over the current one.
func (r *Reader) block() error {
	r.Rows, r.taken = 0, 0
	frame, err := r.frame()
	if frame == nil || err != nil {
		return err
	}
	p := parser{frame, true}
	rows := 0
	r.Reset(r.Header.Columns)
	if r.coded() {
		r.high, r.low = p.codes(r.high)
		rows = len(r.high)
	} else {
		rows = p.most(blockRows)
	}
	if p.ok && r.Kind != Codes {
		r.flat, err = s2.Decode(r.flat[:cap(r.flat)], p.b)
		p.b = r.flat
	}
	for i := 0; i < len(r.Columns) && p.ok && err == nil; i++ {
		if r.numbered(i) {
			for range p.count() {
				r.Components[i] = append(r.Components[i], bytes.Clone(p.take(p.count())))
			}
		}
		r.Columns[i] = p.numbers(r.Columns[i], rows)
		for _, x := range r.Columns[i] {
			p.ok = p.ok && (!r.numbered(i) || int(x) < len(r.Components[i]))
		}
	}
	if err != nil || !p.ok || len(p.b) > 0 || rows == 0 {
		return r.Damaged("a block is not as it was written")
	}
	r.Rows = rows
	return nil
}

// WriteMemos writes what was asked of a model, in the form that kernel.Space.Kept has, to a new file in a
// folder.
func WriteMemos(files Files, folder, model string, level int, all [][]byte) (Run, error) {
	w, err := Create(files, fmt.Sprintf("%s/level-%06d-%s.memos", folder, level, rand.Text()[:10]),
		Header{Kind: Memos, Model: model, Level: level, Columns: 1})
	if err != nil {
		return Run{}, err
	}
	defer w.Discard()
	for _, b := range all {
		if err := w.AddRow([]uint32{w.Number(0, b)}); err != nil {
			return Run{}, err
		}
	}
	return w.Close()
}
