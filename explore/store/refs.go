package store

import (
	"math/bits"
	"slices"
)

// A Ref is a state by its code, and where it is: in which of several tables or files, and where in that.
type Ref struct {
	Code
	Of, At uint32
}

// A Sorter sorts refs by their codes. It keeps its memory for the next time.
type Sorter struct {
	ends   []uint32 // per bin: where it ends
	sorted []Ref
}

// mostInBin is how many refs may be in a bin until comparing all of them with all is too slow: more are
// there only if codes are not like random numbers.
const mostInBin = 32

// Sort returns the refs in the order of their codes. The result is overwritten by the next one. Codes are
// like random numbers, so a ref is put at once where it belongs but for a few places, which takes a time in
// proportion to their number.
func (s *Sorter) Sort(refs []Ref) []Ref {
	if len(refs) == 0 {
		return nil
	}
	least, largest := refs[0].Hi, refs[0].Hi
	for i := range refs {
		least, largest = min(least, refs[i].Hi), max(largest, refs[i].Hi)
	}
	shift := max(0, bits.Len64(largest-least)-bits.Len(uint(len(refs))))
	bins := int((largest-least)>>shift) + 1
	s.ends = append(s.ends[:0], make([]uint32, bins)...)
	for i := range refs {
		s.ends[(refs[i].Hi-least)>>shift]++
	}
	at, crowded := uint32(0), false
	for i, n := range s.ends {
		s.ends[i] = at // where it begins, till it is filled
		at += n
		crowded = crowded || n > mostInBin
	}
	s.sorted = slices.Grow(s.sorted[:0], len(refs))[:len(refs)]
	for i := range refs {
		end := &s.ends[(refs[i].Hi-least)>>shift]
		s.sorted[*end] = refs[i]
		*end++
	}
	if crowded {
		slices.SortFunc(s.sorted, func(a, b Ref) int { return compare(a.Code, b.Code) })
		return s.sorted
	}
	for i := 1; i < len(s.sorted); i++ {
		r, j := s.sorted[i], i
		for ; j > 0 && less(r.Code, s.sorted[j-1].Code); j-- {
			s.sorted[j] = s.sorted[j-1]
		}
		if j < i {
			s.sorted[j] = r
		}
	}
	return s.sorted
}

// gather appends references to the codes up to the least with which a block ends; to none if all have ended.
func gather(in []*Reader, refs []Ref) []Ref {
	var last *Code
	for _, r := range in {
		if r.Rows > 0 {
			if end := r.Code(r.Rows - 1); last == nil || less(end, *last) {
				last = &end
			}
		}
	}
	for i, r := range in {
		for ; r.taken < r.Rows; r.taken++ {
			c := r.Code(r.taken)
			if less(*last, c) {
				break
			}
			refs = append(refs, Ref{c, uint32(i), uint32(r.taken)})
		}
	}
	return refs
}

// A sieve rejects most codes that are not among some sorted ones, and finds the others.
type sieve struct {
	refs  []Ref
	least uint64 // high half of the first code
	shift int    // from a high half to its bin
	first []uint32
	marks []uint64 // 16 bits for each bin: whether there is a code
}

// sieveBits is the logarithm of the marks of a bin. There are one or two codes to a bin, so that one in eight
// to sixteen codes that are not there is looked for.
const sieveBits = 4

// fill takes up other codes, which are sorted.
func (s *sieve) fill(refs []Ref) {
	s.refs, s.least = refs, refs[0].Hi
	last := refs[len(refs)-1].Hi - s.least
	s.shift = max(sieveBits, bits.Len64(last)-bits.Len(uint(len(refs))))
	bins := int(last>>s.shift) + 1
	s.first = append(s.first[:0], make([]uint32, bins+1)...)
	s.marks = append(s.marks[:0], make([]uint64, (bins<<sieveBits)/64+1)...)
	bin := 0
	for i := range refs {
		at := refs[i].Hi - s.least
		for ; bin <= int(at>>s.shift); bin++ {
			s.first[bin] = uint32(i)
		}
		mark := at >> (s.shift - sieveBits)
		s.marks[mark/64] |= 1 << (mark % 64)
	}
	s.first[bins] = uint32(len(refs))
}

// may reports whether there may be a code that has a high half, between the first code's and the
// last's.
func (s *sieve) may(hi uint64) bool {
	mark := (hi - s.least) >> (s.shift - sieveBits)
	return s.marks[mark/64]>>(mark%64)&1 != 0
}

// find returns where the first code is that has a high half, for which may is true, and how many have it.
func (s *sieve) find(hi uint64) (at, n int) {
	bin := (hi - s.least) >> s.shift
	at, end := int(s.first[bin]), int(s.first[bin+1])
	for at < end && s.refs[at].Hi < hi {
		at++
	}
	for at+n < end && s.refs[at+n].Hi == hi {
		n++
	}
	return at, n
}
