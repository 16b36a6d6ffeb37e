package store

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A States is a file of states that is being written, sorted by code. A state has parts. In a file
// they are numbers that count in this file only: the bytes of a part stand in the frame of the first state
// that has it. Parts of a system are its words, as they are.
type States struct {
	*frames
	header Header
	known  []dictionary // per part
	count  int64
}

// A Batch is some states, each a row of columns.
type Batch struct {
	Codes   []Code
	Origins []uint32   // see Passed
	Tags    []uint32   // by which they were reached
	Parts   [][]uint32 // per part the numbers of all states
}

// Reset empties the batch, for states of so many parts.
func (b *Batch) Reset(parts int) {
	b.Codes, b.Origins, b.Tags = b.Codes[:0], b.Origins[:0], b.Tags[:0]
	b.Parts = slices.Grow(b.Parts[:0], parts)[:parts]
	for i := range b.Parts {
		b.Parts[i] = b.Parts[i][:0]
	}
}

// A dictionary has the components of one part of states.
type dictionary struct {
	numbers map[string]uint32 // per bytes of a component
	fresh   []string          // components that were not written yet
}

// CreateStates creates a file of states.
func CreateStates(files Files, name string, h Header) (*States, error) {
	h.Kind = kindStates
	w, err := create(files, name, h)
	if err != nil {
		return nil, err
	}
	s := &States{frames: w, header: h, known: make([]dictionary, h.Parts)}
	s.batch.Reset(h.Parts)
	return s, nil
}

// Number returns the number in this file of the component that has these bytes, as a part.
func (w *States) Number(part int, component []byte) uint32 {
	d := &w.known[part]
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

// Add appends states, the code of each greater than that of the one before.
func (w *States) Add(b *Batch) error {
	block := &w.batch
	for i := 0; i < len(b.Codes); {
		n := min(i+blockStates-len(block.Codes), len(b.Codes))
		block.Codes = append(block.Codes, b.Codes[i:n]...)
		block.Origins = append(block.Origins, b.Origins[i:n]...)
		block.Tags = append(block.Tags, b.Tags[i:n]...)
		for k := range b.Parts {
			block.Parts[k] = append(block.Parts[k], b.Parts[k][i:n]...)
		}
		if i = n; len(block.Codes) == blockStates {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *States) flush() error {
	b := &w.batch
	if len(b.Codes) == 0 {
		return nil
	}
	w.count += int64(len(b.Codes))
	w.b = appendOrigins(appendCodes(w.b[:0], b.Codes, w.bits), b.Origins)
	w.flat = appendNumbers(w.flat[:0], b.Tags)
	for i := range b.Parts {
		d := &w.known[i]
		w.flat = binary.AppendUvarint(w.flat, uint64(len(d.fresh)))
		for _, x := range d.fresh {
			w.flat = append(binary.AppendUvarint(w.flat, uint64(len(x))), x...)
		}
		w.flat = appendNumbers(w.flat, b.Parts[i])
		d.fresh = d.fresh[:0]
	}
	n := len(w.b)
	w.b = slices.Grow(w.b, s2.MaxEncodedLen(len(w.flat)))
	w.b = w.b[:n+len(s2.Encode(w.b[n:cap(w.b)], w.flat))]
	b.Reset(len(b.Parts))
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
	*Batch // the present block
	// Components are, per part, the bytes by number, as far as they were met.
	Components [][][]byte
	ended      bool

	count []int         // of components that were read, per part
	ahead bool          // the next block is read while the present one is used
	next  *block        // that block
	done  chan struct{} // closed when it is read; nil: nobody reads it
}

// A block is some states that were read.
type block struct {
	*Batch
	fresh [][][]byte // components that were not met before, per part
	more  bool       // there is one
	err   error
}

// OpenStates opens a file of states, of a model. Its first block is read.
func OpenStates(files Files, name, model string) (*StatesReader, error) {
	f, err := open(files, name, kindStates, model)
	if err != nil {
		return nil, err
	}
	r := &StatesReader{framed: f, Batch: &f.batch, Components: make([][][]byte, f.Parts),
		count: make([]int, f.Parts), next: &block{Batch: &f.batch, fresh: make([][][]byte, f.Parts)}}
	r.Reset(f.Parts)
	if _, err := r.Block(); err != nil {
		_ = r.Close() // nothing was written
		return nil, err
	}
	return r, nil
}

// Ahead has each further block be read while the one before is used.
func (r *StatesReader) Ahead() {
	r.ahead, r.next.Batch = true, &Batch{}
	r.next.Reset(r.Header.Parts)
}

// Block reads the next block over the present one, and reports whether there is one.
func (r *StatesReader) Block() (more bool, err error) {
	b := r.next
	if r.done != nil {
		<-r.done
		r.done = nil
	} else {
		r.read(b)
	}
	if !b.more || b.err != nil {
		r.ended = true
		return false, b.err
	}
	r.Batch, b.Batch = b.Batch, r.Batch
	for i, fresh := range b.fresh {
		r.Components[i] = append(r.Components[i], fresh...)
	}
	if r.ahead {
		done := make(chan struct{})
		r.done = done
		go func() {
			r.read(b)
			close(done)
		}()
	}
	return true, nil
}

// Close closes the file. What was read of it is not valid any more.
func (r *StatesReader) Close() error {
	if r.done != nil {
		<-r.done
	}
	return r.framed.Close()
}

// read reads the next frame as a block.
func (r *StatesReader) read(to *block) {
	frame, err := r.frame()
	if to.more, to.err = frame != nil, err; frame == nil || err != nil {
		return
	}
	p := parser{frame, true}
	to.Codes = p.codes(to.Codes, r.Bits)
	n := len(to.Codes)
	origins := p.origins(n)
	to.Origins = to.Origins[:0]
	for i := 0; i < n && p.ok; i++ {
		to.Origins = append(to.Origins, origins.at(i))
	}
	if p.ok {
		r.flat, err = s2.Decode(r.flat[:cap(r.flat)], p.b)
	}
	if err != nil || !p.ok {
		to.err = r.damaged("a block is not as it was written")
		return
	}
	p.b = r.flat
	to.Tags = p.numbers(to.Tags, n)
	for i := range to.Parts {
		to.fresh[i] = to.fresh[i][:0]
		for range p.count() {
			to.fresh[i] = append(to.fresh[i], append([]byte{}, p.take(p.count())...))
		}
		r.count[i] += len(to.fresh[i])
		to.Parts[i] = p.numbers(to.Parts[i], n)
		for _, x := range to.Parts[i] {
			p.ok = p.ok && (r.Words || int(x) < r.count[i])
		}
	}
	if !p.ok || len(p.b) > 0 {
		to.err = r.damaged("a block is not as it was written")
	}
}
