package store

import (
	"encoding/binary"
	"math/bits"

	"github.com/klauspost/compress/s2"
)

// A States is a file of states that is being written, sorted by code. A state has parts. In a file
// they are numbers that count in this file only: the bytes of a part stand in the frame of the first state
// that has it. Parts of a system are its words, as they are.
type States struct {
	*frames
	header  Header
	codes   []Code
	parents []uint32
	tags    []uint32
	columns []column
	b, flat []byte
	count   int64
}

// A column is one part of many states.
type column struct {
	numbers []uint32
	known   map[string]uint32 // per bytes of a component: its number
	fresh   []string          // components that were not written yet
}

// CreateStates creates a file of states.
func CreateStates(files Files, name string, h Header) (*States, error) {
	h.Kind = kindStates
	w, err := create(files, name, h)
	if err != nil {
		return nil, err
	}
	return &States{frames: w, header: h, columns: make([]column, h.Parts)}, nil
}

// Number returns the number in this file of the component that has these bytes, as a part.
func (w *States) Number(part int, component []byte) uint32 {
	c := &w.columns[part]
	if n, known := c.known[string(component)]; known {
		return n
	}
	if c.known == nil {
		c.known = map[string]uint32{}
	}
	n, kept := uint32(len(c.known)), string(component)
	c.known[kept], c.fresh = n, append(c.fresh, kept)
	return n
}

// Add appends a state: its code, which has to be greater than that of the one before, the Prefix of a
// parent's, the tag by which it was reached, and its parts.
func (w *States) Add(c Code, parent, tag uint32, parts []uint32) error {
	w.codes, w.parents, w.tags = append(w.codes, c), append(w.parents, parent), append(w.tags, tag)
	for i, x := range parts {
		w.columns[i].numbers = append(w.columns[i].numbers, x)
	}
	if len(w.codes) < blockStates {
		return nil
	}
	return w.flush()
}

func (w *States) flush() error {
	if len(w.codes) == 0 {
		return nil
	}
	w.count += int64(len(w.codes))
	w.b = appendWords(appendCodes(w.b[:0], w.codes), w.parents)
	w.flat = appendNumbers(w.flat[:0], w.tags)
	for i := range w.columns {
		c := &w.columns[i]
		w.flat = binary.AppendUvarint(w.flat, uint64(len(c.fresh)))
		for _, x := range c.fresh {
			w.flat = append(binary.AppendUvarint(w.flat, uint64(len(x))), x...)
		}
		w.flat = appendNumbers(w.flat, c.numbers)
		c.fresh, c.numbers = c.fresh[:0], c.numbers[:0]
	}
	w.b = append(w.b, s2.Encode(nil, w.flat)...)
	w.codes, w.parents, w.tags = w.codes[:0], w.parents[:0], w.tags[:0]
	return w.frame(w.b)
}

// Close ends the file. It is there then, unless there is an error.
func (w *States) Close() (Run, error) {
	err := w.flush()
	if err != nil {
		w.f.Discard()
		return Run{}, err
	}
	err = w.close()
	return Run{First: w.header.Level, Last: w.header.Level, States: w.count, Bytes: w.size}, err
}

// Discard gives the file up.
func (w *States) Discard() { w.f.Discard() }

// appendNumbers writes numbers in as many bytes each as the largest takes.
func appendNumbers(b []byte, xs []uint32) []byte {
	all := uint32(0)
	for _, x := range xs {
		all |= x
	}
	size := (bits.Len32(all) + 7) / 8
	b = append(b, byte(size))
	for shift := range size {
		for _, x := range xs {
			b = append(b, byte(x>>(8*shift)))
		}
	}
	return b
}

// numbers reads what appendNumbers has written.
func (p *parser) numbers(to []uint32, n int) []uint32 {
	size := int(p.take(1)[0])
	if size > 4 {
		p.ok = false
	}
	to = append(to[:0], make([]uint32, n)...)
	for shift := 0; shift < size && p.ok; shift++ {
		for i, x := range p.take(n) {
			if i < n {
				to[i] |= uint32(x) << (8 * shift)
			}
		}
	}
	return to
}

// A StatesReader reads a file of states, block by block.
type StatesReader struct {
	*framed
	Codes   []Code
	Parents []uint32
	Tags    []uint32
	Parts   [][]uint32 // per part the numbers of all states
	// Components are, per part, the bytes by number, as far as they were met.
	Components [][][]byte
	flat       []byte
	at         int // the state at hand, of who goes through them one by one
	ended      bool
}

// OpenStates opens a file of states, of a model. Its first block is read.
func OpenStates(files Files, name, model string) (*StatesReader, error) {
	f, err := open(files, name, kindStates, model)
	if err != nil {
		return nil, err
	}
	r := &StatesReader{framed: f, Parts: make([][]uint32, f.Parts), Components: make([][][]byte, f.Parts)}
	if _, err := r.Block(); err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return r, nil
}

// Block reads the next block over the present one, and reports whether there is one.
func (r *StatesReader) Block() (more bool, err error) {
	b, err := r.frame()
	if b == nil || err != nil {
		r.ended = true
		return false, err
	}
	p := parser{b, true}
	r.Codes = p.codes(r.Codes)
	n := len(r.Codes)
	r.Parents = p.words(r.Parents, n)
	if p.ok {
		r.flat, err = s2.Decode(r.flat[:cap(r.flat)], p.b)
	}
	if err != nil || !p.ok {
		return false, r.damaged("a block is not as it was written")
	}
	p.b = r.flat
	r.Tags, r.at = p.numbers(r.Tags, n), 0
	for i := range r.Parts {
		for range p.count() {
			r.Components[i] = append(r.Components[i], append([]byte{}, p.take(p.count())...))
		}
		r.Parts[i] = p.numbers(r.Parts[i], n)
		for _, x := range r.Parts[i] {
			p.ok = p.ok && (r.Words || int(x) < len(r.Components[i]))
		}
	}
	if !p.ok || len(p.b) > 0 {
		return false, r.damaged("a block is not as it was written")
	}
	return true, nil
}

// next goes on to the next state.
func (r *StatesReader) next() error {
	if r.at++; r.at < len(r.Codes) {
		return nil
	}
	_, err := r.Block()
	return err
}
