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

// CodeBits is the number of bits of a code that are kept. The largest search with a reference has
// 13,127,811,072 states: the probability that two of them have the same code is 1e-9.
const CodeBits = 96

// Cut returns the first CodeBits of a code, with zeros behind them.
func Cut(c Code) Code { return Code{Hi: c.Hi, Lo: c.Lo &^ (1<<(128-CodeBits) - 1)} }

// Compare orders codes.
func Compare(a, b Code) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) }

func less(a, b Code) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// ShardOf returns the shard to which a code belongs, by its first bits. The number of shards is a power of
// two.
func ShardOf(c Code, shards int) int {
	return int(c.Hi >> 1 >> (63 - bits.TrailingZeros(uint(shards))))
}

// appendCodes writes sorted codes: the first high half, then the differences of high halves, in as many bits
// as the largest takes, then the bits of the low halves that are kept. Differences of sorted random codes are
// small: they take about log2(n) bits less than a high half, for n codes, give or take two or three bits.
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
		b = binary.LittleEndian.AppendUint32(b, uint32(c.Lo>>32))
	}
	return b
}

// codes reads codes that appendCodes has written: the high halves decoded, the low halves as written.
func (p *parser) codes(high []uint64) ([]uint64, []byte) {
	n, width := p.count(), uint(p.take(1)[0])
	last := binary.LittleEndian.Uint64(p.take(8))
	if n == 0 || n > blockRows || width > 64 {
		p.ok = false
		return high[:0], nil
	}
	packed := p.take((int(width)*(n-1)/64 + 1) * 8)
	low := p.take((CodeBits - 64) / 8 * n)
	if !p.ok {
		return high[:0], nil
	}
	high = slices.Grow(high[:0], n)[:n]
	high[0] = last
	for i, at := 1, uint(0); i < n; i, at = i+1, at+width {
		d := binary.LittleEndian.Uint64(packed[at/64*8:]) >> (at % 64)
		if at%64+width > 64 {
			d |= binary.LittleEndian.Uint64(packed[at/64*8+8:]) << (64 - at%64)
		}
		last += d & (1<<width - 1) // all bits if width is 64
		high[i] = last
	}
	return high, low
}

// appendNumbers writes numbers, each in as many bytes as the largest takes.
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

// numbers reads n numbers that appendNumbers has written, and appends them. The first bytes of all numbers
// come before their second bytes, and so on.
func (p *parser) numbers(to []uint32, n int) []uint32 {
	size := int(p.take(1)[0])
	if size > 4 {
		p.ok = false
		return to
	}
	from, b := len(to), p.take(size*n)
	if !p.ok {
		return to
	}
	to = append(to, make([]uint32, n)...)
	for shift := range size {
		for i, c := range b[shift*n:][:n] {
			to[from+i] |= uint32(c) << (8 * shift)
		}
	}
	return to
}

// parser reads a frame. A frame that is too short sets ok to false; it causes no panic.
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

// most reads a number that is at most limit.
func (p *parser) most(limit int) int {
	x, n := binary.Uvarint(p.b)
	if n <= 0 || x > uint64(limit) {
		p.ok, p.b = false, nil
		return 0
	}
	p.b = p.b[n:]
	return int(x)
}

// count reads the number of items that follow, each of at least a byte.
func (p *parser) count() int { return p.most(len(p.b)) }
