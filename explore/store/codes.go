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

// compare orders codes.
func compare(a, b Code) int {
	if a.Hi != b.Hi {
		return cmp.Compare(a.Hi, b.Hi)
	}
	return cmp.Compare(a.Lo, b.Lo)
}

// ShardOf returns the shard, one of so many, a power of two, to which a code belongs: its first bits.
func ShardOf(c Code, shards int) int {
	return int(c.Hi >> 1 >> (63 - bits.TrailingZeros(uint(shards))))
}

// Widths are how many bits of a code may be kept.
var Widths = []int{64, 80, 96, 128}

// DefaultBits are kept if nothing else is asked for: among the states of the largest search that has a
// reference, 13,127,811,072, some two have the same with a probability of 1e-9.
const DefaultBits = 96

// ProvingBits is how many bits of a code there have to be for states with the same to be taken for the same
// one in a proof.
const ProvingBits = 96

// Cut returns the first bits of a code, with zeros behind them.
func Cut(c Code, bits int) Code { return Code{Hi: c.Hi, Lo: c.Lo &^ (1<<(128-bits) - 1)} }

// blockStates is how many states stand in a frame.
const blockStates = 4096

// appendCodes writes sorted codes: the first as it is, then the differences of their high halves, in as many
// bits as the largest takes, and of the low halves the bits that are kept. Differences of random codes that
// are sorted are small, which saves as many bits as the logarithm of their number, but for two or three.
func appendCodes(b []byte, codes []Code, kept int) []byte {
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
		switch kept {
		case 80:
			b = binary.LittleEndian.AppendUint16(b, uint16(c.Lo>>48))
		case 96:
			b = binary.LittleEndian.AppendUint32(b, uint32(c.Lo>>32))
		case 128:
			b = binary.LittleEndian.AppendUint64(b, c.Lo)
		}
	}
	return b
}

// lowHalves are what is kept of the low halves of codes.
type lowHalves struct {
	b    []byte
	kept int // bits of the whole code
}

// at returns a low half, with zeros behind what is kept of it.
func (l *lowHalves) at(i int) uint64 {
	switch l.kept {
	case 80:
		return uint64(binary.LittleEndian.Uint16(l.b[2*i:])) << 48
	case 96:
		return uint64(binary.LittleEndian.Uint32(l.b[4*i:])) << 32
	case 128:
		return binary.LittleEndian.Uint64(l.b[8*i:])
	}
	return 0
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
func (p *parser) codes(codes []Code, kept int) []Code {
	packed, low := p.packed(kept)
	codes = slices.Grow(codes[:0], packed.n)[:packed.n]
	last := packed.first
	for i := range codes {
		last += packed.difference(i)
		codes[i] = Code{Hi: last, Lo: low.at(i)}
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

// packed reads the high halves of codes, and the low ones as they were written, of codes of so many bits. If
// that is not ok there are none.
func (p *parser) packed(kept int) (high packed, low lowHalves) {
	n := p.count()
	width := uint(p.take(1)[0])
	first := binary.LittleEndian.Uint64(p.take(8))
	if n == 0 || n > blockStates || width > 64 {
		p.ok = false
		return packed{}, low
	}
	high = packed{n, first, width, p.take((int(width)*(n-1)/64 + 1) * 8)}
	if low = (lowHalves{p.take((kept - 64) / 8 * n), kept}); !p.ok {
		return packed{}, lowHalves{}
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

// codesWriter writes a run of codes, each with its state's origin.
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
func (w *codesWriter) add(codes []Code, origins []uint32) error {
	block := &w.batch
	for len(codes) > 0 {
		n := min(len(codes), blockStates-len(block.Codes))
		block.Codes, block.Origins = append(block.Codes, codes[:n]...), append(block.Origins, origins[:n]...)
		codes, origins = codes[n:], origins[n:]
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
	w.b = appendOrigins(appendCodes(w.b[:0], block.Codes, w.bits), block.Origins)
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
	low     lowHalves
	origins origins
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
	packed, low := p.packed(r.Bits)
	high, last := slices.Grow(r.high[:0], packed.n)[:packed.n], packed.first
	for i := range high {
		last += packed.difference(i)
		high[i] = last
	}
	r.high = high
	r.low, r.origins, r.at = low, p.origins(packed.n), 0
	if !p.ok || len(p.b) > 0 {
		return r.damaged("a block is not as it was written")
	}
	return nil
}

// code returns a code of the block.
func (r *codesReader) code(i int) Code {
	return Code{Hi: r.high[i], Lo: r.low.at(i)}
}
