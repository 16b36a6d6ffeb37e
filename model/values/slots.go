package values

import (
	"fmt"
	"iter"
	"strings"
	"unsafe"
)

// slots are the elements of a collection: the first n of an array, the rest of which is zero.
type slots[E comparable, A Array[E]] struct {
	n  uint8
	at A
}

// Len returns the number of elements.
func (s *slots[E, A]) Len() int { return int(s.n) }

// Cap returns the number of elements that there is room for.
func (s *slots[E, A]) Cap() int { return len(s.at) }

// At returns element i, counted from 0. There must be one.
func (s *slots[E, A]) At(i int) E {
	s.check(i)
	return s.at[i]
}

// All yields the elements in order, those that were there when it was called.
func (s *slots[E, A]) All() iter.Seq[E] {
	then := *s
	return func(yield func(E) bool) {
		for i := range int(then.n) {
			if !yield(then.at[i]) {
				return
			}
		}
	}
}

// Has reports whether x is among the elements.
func (s *slots[E, A]) Has(x E) bool { return s.Count(x) > 0 }

// Count returns how many of the elements are x.
func (s *slots[E, A]) Count(x E) (n int) {
	for i := range int(s.n) {
		if s.at[i] == x {
			n++
		}
	}
	return n
}

// Clear removes all elements.
func (s *slots[E, A]) Clear() { *s = slots[E, A]{} }

// format writes the elements between brackets, each of them as show does.
func (s slots[E, A]) format(open, end string, show func(any) string) string {
	parts := make([]string, s.n)
	for i := range parts {
		parts[i] = show(s.at[i])
	}
	return open + strings.Join(parts, " ") + end
}

// check panics if there is no element i.
func (s *slots[E, A]) check(i int) {
	if i < 0 || i >= int(s.n) {
		panic(fmt.Sprintf("values: there is no element %d: %d are there, counted from 0", i, s.n))
	}
}

// insert puts x before element i.
func (s *slots[E, A]) insert(kind string, i int, x E) {
	if int(s.n) == len(s.at) {
		panic(fmt.Sprintf("values: a %s for %d elements is full, there is no room for %v", kind, len(s.at),
			x))
	}
	for j := int(s.n); j > i; j-- {
		s.at[j] = s.at[j-1]
	}
	s.at[i] = x
	s.n++
}

// remove takes element i out.
func (s *slots[E, A]) remove(i int) E {
	s.check(i)
	x := s.at[i]
	for j := i; j+1 < int(s.n); j++ {
		s.at[j] = s.at[j+1]
	}
	s.n--
	var zero E
	s.at[s.n] = zero
	return x
}

// find returns the index of the first element that is not less than x, in sorted slots, and whether
// that is x.
func (s *slots[E, A]) find(x E) (i int, found bool) {
	o := orderOf[E]()
	for i < int(s.n) {
		c := o.compare(unsafe.Pointer(&s.at[i]), unsafe.Pointer(&x))
		if c >= 0 {
			return i, c == 0
		}
		i++
	}
	return i, false
}
