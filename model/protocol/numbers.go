package protocol

// Numbers gives out the numbers 0, 1, 2, .. to distinct values, in the order in which they
// are first met.
type Numbers[T comparable] struct {
	Values []T // by number
	index  map[T]uint32
}

// Of returns the number of x, and whether x is new.
func (t *Numbers[T]) Of(x T) (id uint32, isNew bool) {
	if id, ok := t.index[x]; ok {
		return id, false
	}
	if t.index == nil {
		t.index = map[T]uint32{}
	}
	id = uint32(len(t.Values))
	t.Values = append(t.Values, x)
	t.index[x] = id
	return id, true
}
