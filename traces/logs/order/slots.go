package order

import "github.com/atmostk/atmostk/traces/logs/formats"

// slots keep values under numbers, which are used again.
type slots[T any] struct {
	all  []T
	free []int32
}

// Put keeps a value, and returns its number.
func (s *slots[T]) Put(x T) int32 {
	if last := len(s.free) - 1; last >= 0 {
		i := s.free[last]
		s.free, s.all[i] = s.free[:last], x
		return i
	}
	s.all = append(s.all, x)
	return int32(len(s.all) - 1)
}

// At is the value of a number; nil for none.
func (s *slots[T]) At(i int32) *T {
	if i == formats.None {
		return nil
	}
	return &s.all[i]
}

// Drop forgets the value of a number.
func (s *slots[T]) Drop(i int32) {
	if i != formats.None {
		s.free = append(s.free, i)
	}
}

// GrantAt is the right of an event.
func GrantAt(rs *slots[formats.Grant], i int32) *formats.Grant {
	if i == formats.None {
		return &formats.NoGrant
	}
	return rs.At(i)
}
