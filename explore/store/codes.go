package store

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

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
	packed, low := p.packed()
	codes = slices.Grow(codes[:0], packed.n)[:packed.n]
	last := packed.first
	for i := range codes {
		last += packed.difference(i)
		codes[i] = Code{Hi: last, Lo: binary.LittleEndian.Uint64(low[8*i:])}
	}
	return codes
}

// packed are the high halves of codes, as they were written.
type packed struct {
	n     int
	first uint64
	width uint
	bits  []byte
}

// packed reads the high halves of codes, and the low ones as they were written. If that is not ok there are
// none.
func (p *parser) packed() (high packed, low []byte) {
	n := p.count()
	width := uint(p.take(1)[0])
	first := binary.LittleEndian.Uint64(p.take(8))
	if n == 0 || n > blockStates || width > 64 {
		p.ok = false
		return packed{}, nil
	}
	high = packed{n, first, width, p.take((int(width)*(n-1)/64 + 1) * 8)}
	if low = p.take(8 * n); !p.ok {
		return packed{}, nil
	}
	return high, low
}

// difference returns by how much the high half of a code is greater than the one before.
func (h *packed) difference(i int) uint64 {
	if i == 0 {
		return 0
	}
	at := uint(i-1) * h.width
	word := h.bits[at/64*8:]
	d := binary.LittleEndian.Uint64(word) >> (at % 64)
	if at%64+h.width > 64 {
		d |= binary.LittleEndian.Uint64(word[8:]) << (64 - at%64)
	}
	return d & (1<<h.width - 1) // of 64: all bits
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
	count int64
}

func createCodes(files Files, name string, h Header) (*codesWriter, error) {
	h.Kind = kindCodes
	w, err := create(files, name, h)
	if err != nil {
		return nil, err
	}
	w.batch.Reset(0)
	return &codesWriter{frames: w}, nil
}

// add appends codes, each greater than the one before.
func (w *codesWriter) add(codes []Code, parents []uint32) error {
	block := &w.batch
	for len(codes) > 0 {
		n := min(len(codes), blockStates-len(block.Codes))
		block.Codes, block.Parents = append(block.Codes, codes[:n]...), append(block.Parents, parents[:n]...)
		codes, parents = codes[n:], parents[n:]
		if len(block.Codes) == blockStates {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *codesWriter) flush() error {
	block := &w.batch
	if len(block.Codes) == 0 {
		return nil
	}
	w.count += int64(len(block.Codes))
	w.b = appendWords(appendCodes(w.b[:0], block.Codes), block.Parents)
	block.Reset(0)
	return w.frame(w.b)
}

func (w *codesWriter) close() error {
	if err := w.flush(); err != nil {
		w.f.Discard()
		return err
	}
	return w.frames.close()
}

// codesReader reads a run of codes. Most of them are looked at once and are of no interest, so of a block
// only the high halves are unpacked.
type codesReader struct {
	*framed
	low, parents []byte
	at           int // the code at hand
	ended        bool
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
	packed, low := p.packed()
	high, last := slices.Grow(r.high[:0], packed.n)[:packed.n], packed.first
	for i := range high {
		last += packed.difference(i)
		high[i] = last
	}
	r.high = high
	r.low, r.parents, r.at = low, p.take(4*packed.n), 0
	if !p.ok || len(p.b) > 0 {
		return r.damaged("a block is not as it was written")
	}
	return nil
}

// code returns a code of the block.
func (r *codesReader) code(i int) Code {
	return Code{Hi: r.high[i], Lo: binary.LittleEndian.Uint64(r.low[8*i:])}
}

// parent returns the Prefix that stands with a code of the block.
func (r *codesReader) parent(i int) uint32 { return binary.LittleEndian.Uint32(r.parents[4*i:]) }
