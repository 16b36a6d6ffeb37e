package store

import (
	"cmp"
	"encoding/binary"
	"math/bits"

	"github.com/atmostk/atmostk/model/protocol"
)

// Code is the code of a state.
type Code = protocol.Code

// Compare orders codes.
func Compare(a, b Code) int {
	if a.Hi != b.Hi {
		return cmp.Compare(a.Hi, b.Hi)
	}
	return cmp.Compare(a.Lo, b.Lo)
}

// ShardOf returns the shard, one of so many, a power of two, to which a code belongs: its first bits.
func ShardOf(c Code, shards int) int {
	return int(c.Hi >> 1 >> (63 - bits.TrailingZeros(uint(shards))))
}

// Prefix is the part of a state's code that its successors remember.
func Prefix(c Code) uint32 { return uint32(c.Hi >> 32) }

// blockStates is how many states stand in a frame.
const blockStates = 4096

// appendCodes writes sorted codes: the first as it is, then the differences of their high halves, in as many
// bits as the largest takes, and the low halves. Differences of random codes that are sorted are small, which
// saves as many bits as the logarithm of their number, but for two or three.
func appendCodes(b []byte, codes []Code) []byte {
	b = binary.AppendUvarint(b, uint64(len(codes)))
	largest, last := uint64(0), codes[0].Hi
	for _, c := range codes {
		largest |= c.Hi - last
		last = c.Hi
	}
	b = append(b, byte(bits.Len64(largest)))
	b = binary.LittleEndian.AppendUint64(b, codes[0].Hi)
	width, last := uint(bits.Len64(largest)), codes[0].Hi
	var acc uint64
	var filled uint
	for _, c := range codes[1:] {
		d := c.Hi - last
		last = c.Hi
		acc |= d << filled
		if filled += width; filled >= 64 {
			b = binary.LittleEndian.AppendUint64(b, acc)
			filled -= 64
			acc = d >> (width - filled) // a shift by 64 is 0
		}
	}
	b = binary.LittleEndian.AppendUint64(b, acc)
	for _, c := range codes {
		b = binary.LittleEndian.AppendUint64(b, c.Lo)
	}
	return b
}

// parser reads a frame. What is too short is no panic: ok is false then.
type parser struct {
	b  []byte
	ok bool
}

func (p *parser) take(n int) []byte {
	if n < 0 || n > len(p.b) {
		p.ok, p.b = false, nil
		return make([]byte, min(max(n, 0), 16))
	}
	taken := p.b[:n:n]
	p.b = p.b[n:]
	return taken
}

func (p *parser) uvarint() uint64 {
	x, n := binary.Uvarint(p.b)
	if n <= 0 {
		p.ok, p.b = false, nil
		return 0
	}
	p.b = p.b[n:]
	return x
}

// count reads a number of things that take at least a byte.
func (p *parser) count() int {
	n := p.uvarint()
	if n > uint64(len(p.b)) {
		p.ok, p.b = false, nil
		return 0
	}
	return int(n)
}

// codes reads what appendCodes has written.
func (p *parser) codes(codes []Code) []Code {
	n := p.count()
	width := uint(p.take(1)[0])
	first := binary.LittleEndian.Uint64(p.take(8))
	if n == 0 || n > blockStates || width > 64 {
		p.ok = false
		return codes[:0]
	}
	packed := p.take((int(width)*(n-1)/64 + 1) * 8)
	low := p.take(8 * n)
	if !p.ok {
		return codes[:0]
	}
	codes = append(codes[:0], Code{Hi: first})
	mask := uint64(1)<<width - 1 // of 64: all bits
	for i, last := 1, first; i < n; i++ {
		at := uint(i-1) * width
		word := packed[at/64*8:]
		d := binary.LittleEndian.Uint64(word) >> (at % 64)
		if at%64+width > 64 {
			d |= binary.LittleEndian.Uint64(word[8:]) << (64 - at%64)
		}
		last += d & mask
		codes = append(codes, Code{Hi: last})
	}
	for i := range codes {
		codes[i].Lo = binary.LittleEndian.Uint64(low[8*i:])
	}
	return codes
}

func appendWords(b []byte, xs []uint32) []byte {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func (p *parser) words(to []uint32, n int) []uint32 {
	b := p.take(4 * n)
	to = to[:0]
	for i := 0; i < n && p.ok; i++ {
		to = append(to, binary.LittleEndian.Uint32(b[4*i:]))
	}
	return to
}

// codesWriter writes a run of codes, each with the Prefix of a parent's.
type codesWriter struct {
	*frames
	codes   []Code
	parents []uint32
	b       []byte
	count   int64
}

func createCodes(files Files, name string, h Header) (*codesWriter, error) {
	h.Kind = kindCodes
	w, err := create(files, name, h)
	if err != nil {
		return nil, err
	}
	return &codesWriter{frames: w}, nil
}

func (w *codesWriter) add(c Code, parent uint32) error {
	w.codes, w.parents = append(w.codes, c), append(w.parents, parent)
	if len(w.codes) < blockStates {
		return nil
	}
	return w.flush()
}

func (w *codesWriter) flush() error {
	if len(w.codes) == 0 {
		return nil
	}
	w.count += int64(len(w.codes))
	w.b = appendWords(appendCodes(w.b[:0], w.codes), w.parents)
	w.codes, w.parents = w.codes[:0], w.parents[:0]
	return w.frame(w.b)
}

func (w *codesWriter) close() error {
	if err := w.flush(); err != nil {
		w.f.Discard()
		return err
	}
	return w.frames.close()
}

// codesReader reads a run of codes.
type codesReader struct {
	*framed
	codes   []Code
	parents []uint32
	at      int // the code at hand
	ended   bool
}

func openCodes(files Files, name, model string) (*codesReader, error) {
	f, err := open(files, name, kindCodes, model)
	if err != nil {
		return nil, err
	}
	r := &codesReader{framed: f}
	if err := r.block(); err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return r, nil
}

// block reads the next frame.
func (r *codesReader) block() error {
	b, err := r.frame()
	if b == nil || err != nil {
		r.ended = true
		return err
	}
	p := parser{b, true}
	r.codes = p.codes(r.codes)
	r.parents = p.words(r.parents, len(r.codes))
	r.at = 0
	if !p.ok || len(p.b) > 0 {
		return r.damaged("a block is not as it was written")
	}
	return nil
}

// next goes on to the next code.
func (r *codesReader) next() error {
	if r.at++; r.at < len(r.codes) {
		return nil
	}
	return r.block()
}
