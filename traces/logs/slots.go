package logs

// slots keep values under numbers, which are used again.
type slots[T any] struct {
	all  []T
	free []int32
}

// put keeps a value, and returns its number.
func (s *slots[T]) put(x T) int32 {
	if last := len(s.free) - 1; last >= 0 {
		i := s.free[last]
		s.free, s.all[i] = s.free[:last], x
		return i
	}
	s.all = append(s.all, x)
	return int32(len(s.all) - 1)
}

// at is the value of a number; nil for none.
func (s *slots[T]) at(i int32) *T {
	if i == none {
		return nil
	}
	return &s.all[i]
}

// drop forgets the value of a number.
func (s *slots[T]) drop(i int32) {
	if i != none {
		s.free = append(s.free, i)
	}
}

// rightAt is the right of an event.
func rightAt(rs *slots[right], i int32) *right {
	if i == none {
		return &noRight
	}
	return rs.at(i)
}
