package store

import (
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A Rows is a file of rows of numbers that is being written, in the order in which they are added: states that
// are put aside for a while, or the words of a search in memory.
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

// Add adds rows, one after the other.
func (w *Rows) Add(rows []uint32) error {
	for row := range slices.Chunk(rows, len(w.columns)) {
		for i, x := range row {
			w.columns[i] = append(w.columns[i], x)
		}
		if w.Count++; len(w.columns[0]) == blockStates {
			if err := w.flush(); err != nil {
				return err
			}
		}
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
	if err = w.flush(); err != nil {
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
	rest    []uint32   // of its only column: see Fill
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

// Fill reads the next rows, which have one column, into words.
func (r *RowsReader) Fill(words []uint32) error {
	for len(words) > 0 {
		if len(r.rest) == 0 {
			more, err := r.Block()
			if err != nil {
				return err
			}
			if !more || len(r.Columns) != 1 {
				return r.damaged("it has fewer words than were written")
			}
			r.rest = r.Columns[0]
		}
		n := copy(words, r.rest)
		words, r.rest = words[n:], r.rest[n:]
	}
	return nil
}

// End wants the file to end here.
func (r *RowsReader) End() error {
	more, err := r.Block()
	if err == nil && (more || len(r.rest) > 0) {
		err = r.damaged("it has more words than were written")
	}
	return err
}

// Damaged is the error that the file is not what was written.
func (r *RowsReader) Damaged(what string) error { return r.damaged(what) }
