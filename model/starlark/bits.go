package starfile

import (
	"fmt"
	"math/bits"
)

// Values of a model are packed in bits: equal values of a type in equal bits, on every machine. A value of a
// type with a fixed number of bits takes exactly these; others have their length before them. The state of a
// system is such bits in words; local states, messages and histories of processes are such bytes.

// unbounded is the number of bits of types with values of any size.
const unbounded = -1

// maxBits is the largest fixed number of bits of a type; beyond, it is unbounded.
const maxBits = 2048

type packer struct {
	words []uint32
	at    int // in bits
}

// put appends the lowest n bits of x.
func (w *packer) put(x uint64, n int) {
	for 32*len(w.words) < w.at+n {
		w.words = append(w.words, 0)
	}
	setBits(w.words, w.at, n, x)
	w.at += n
}

// number appends a whole number of any size.
func (w *packer) number(x int) {
	for u := uint64(x)<<1 ^ uint64(x>>63); ; u >>= 7 {
		if u < 0x80 {
			w.put(u, 8)
			return
		}
		w.put(u|0x80, 8)
	}
}

func (w *packer) appendTo(b []byte) []byte {
	for i := range (w.at + 7) / 8 {
		if i/4 < len(w.words) {
			b = append(b, byte(w.words[i/4]>>(i%4*8)))
		} else {
			b = append(b, 0)
		}
	}
	return b
}

// An unpacker reads bits: of words, or of bytes.
type unpacker struct {
	words []uint32
	bytes string
	at    int // in bits
}

func (r *unpacker) get(n int) (x uint64) {
	if r.at+n > 32*len(r.words)+8*len(r.bytes) {
		panic(foreign("a value is cut short"))
	}
	for got := 0; got < n; {
		var in int
		if r.words != nil {
			in = min(n-got, 32-r.at%32)
			x |= uint64(r.words[r.at/32]>>(r.at%32)&uint32(1<<in-1)) << got
		} else {
			in = min(n-got, 8-r.at%8)
			x |= uint64(r.bytes[r.at/8]>>(r.at%8)&byte(1<<in-1)) << got
		}
		got, r.at = got+in, r.at+in
	}
	return x
}

// foreign is the panic for bits that no packer made: they came from elsewhere.
type foreign string

func (r *unpacker) number() int {
	var u uint64
	for shift := 0; ; shift += 7 {
		b := r.get(8)
		u |= b & 0x7f << shift
		if b < 0x80 {
			return int(u>>1) ^ -int(u&1)
		}
	}
}

// count reads a number of elements, of at least a bit each unless the type has one value only.
func (r *unpacker) count() int {
	n := r.number()
	if n < 0 || n > longest {
		panic(foreign(fmt.Sprintf("%d elements", n)))
	}
	return n
}

// bitsFor returns how many bits distinguish n values.
func bitsFor(n int) int { return bits.Len64(uint64(n - 1)) }

// sum adds numbers of bits.
func sum(a, b int) int {
	if a == unbounded || b == unbounded || a+b > maxBits {
		return unbounded
	}
	return a + b
}

// times multiplies numbers of bits.
func times(n, each int) int {
	if each == unbounded || n > 0 && each > maxBits/n {
		return unbounded
	}
	return n * each
}
