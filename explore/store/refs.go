package store

import (
	"math/bits"
	"slices"
)

// A Ref is the code of a state with its location: table or file Of, index At.
type Ref struct {
	Code
	Of, At uint32
}

// A Sorter sorts refs by their codes. It keeps its memory for the next call.
type Sorter struct {
	ends   []uint32 // per bin: the index of its end in sorted
	sorted []Ref
}

// mostInBin is the largest number of refs in a bin for an insertion sort. A bin has more only if codes are
// not like random numbers.
const mostInBin = 32

// Sort returns the refs in the order of their codes. The result is valid until the next call. Codes are like
// random numbers, so a bin places a ref almost exactly, and an insertion sort does the rest: the time is
// proportional to the number of refs.
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
		s.ends[i] = at // the begin of the bin, until it is filled
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
		slices.SortFunc(s.sorted, func(a, b Ref) int { return Compare(a.Code, b.Code) })
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

// gather appends refs to the codes up to the least code at the end of a current block; none at the end of all
// files.
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

// A sieve finds codes in a sorted list. It rejects most codes outside of the list at once.
type sieve struct {
	refs  []Ref
	least uint64   // high half of the first code
	shift int      // right shift of a high half that gives its bin
	first []uint32 // per bin: index of its first ref
	marks []uint64 // 16 bits for each bin: a code has these next bits
}

// sieveBits is the logarithm of the number of marks of a bin. A bin has one or two codes, so that one in
// eight to sixteen codes outside of the list is not rejected at once.
const sieveBits = 4

// fill replaces the list by another sorted one.
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

// may reports whether the list may have a code with a high half. The half is between those of the
// first and the last code.
func (s *sieve) may(hi uint64) bool {
	mark := (hi - s.least) >> (s.shift - sieveBits)
	return s.marks[mark/64]>>(mark%64)&1 != 0
}

// find returns the index of the first code with a high half for which may is true, and the number of codes
// with it.
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
