package store

import (
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A Rows is a file of rows of numbers that is being written, in the order in which they are added. It is for
// who puts something aside for a while: nothing that a search consists of is in such files.
type Rows struct {
	*frames
	columns [][]uint32 // of the present block
	Count   int64      // rows
}

const kindRows = "rows"

// CreateRows creates a file of rows, each of so many numbers.
func CreateRows(files Files, name, model string, columns int) (*Rows, error) {
	w, err := create(files, name, Header{Kind: kindRows, Model: model, Parts: columns})
	if err != nil {
		return nil, err
	}
	return &Rows{frames: w, columns: make([][]uint32, columns)}, nil
}

// Add adds a row.
func (w *Rows) Add(row []uint32) error {
	for i, x := range row {
		w.columns[i] = append(w.columns[i], x)
	}
	if w.Count++; len(w.columns[0]) == blockStates {
		return w.flush()
	}
	return nil
}

func (w *Rows) flush() error {
	n := len(w.columns[0])
	if n == 0 {
		return nil
	}
	w.flat = binary.AppendUvarint(w.flat[:0], uint64(n))
	for i := range w.columns {
		w.flat = appendNumbers(w.flat, w.columns[i])
		w.columns[i] = w.columns[i][:0]
	}
	w.b = slices.Grow(w.b[:0], s2.MaxEncodedLen(len(w.flat)))
	w.b = s2.Encode(w.b[:cap(w.b)], w.flat)
	return w.frame(w.b)
}

// Close ends the file, and returns its size. It is there then, unless there is an error.
func (w *Rows) Close() (size int64, err error) {
	if err := w.flush(); err != nil {
		w.f.Discard()
		return 0, err
	}
	err = w.close()
	return w.size, err
}

// Discard gives the file up.
func (w *Rows) Discard() { w.f.Discard() }

// A RowsReader reads a file of rows, block by block.
type RowsReader struct {
	*framed
	Columns [][]uint32 // of the present block
}

// OpenRows opens a file of rows, of a model.
func OpenRows(files Files, name, model string) (*RowsReader, error) {
	f, err := open(files, name, kindRows, model)
	if err != nil {
		return nil, err
	}
	return &RowsReader{framed: f, Columns: make([][]uint32, f.Parts)}, nil
}

// Block reads the next block over the present one, and reports whether there is one.
func (r *RowsReader) Block() (more bool, err error) {
	b, err := r.frame()
	if b == nil || err != nil {
		return false, err
	}
	if r.flat, err = s2.Decode(r.flat[:cap(r.flat)], b); err != nil {
		return false, r.damaged("a block is not as it was written")
	}
	p := parser{r.flat, true}
	n := p.uvarint()
	for i := range r.Columns {
		if p.ok = p.ok && 0 < n && n <= blockStates; p.ok {
			r.Columns[i] = p.numbers(r.Columns[i], int(n))
		}
	}
	if !p.ok || len(p.b) > 0 {
		return false, r.damaged("a block is not as it was written")
	}
	return true, nil
}
