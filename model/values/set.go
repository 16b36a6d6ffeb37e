package values

import "fmt"

// A Set holds each element once at most. Of processes, model.Set is smaller.
type Set[E comparable, A Array[E]] struct{ slots[E, A] }

// Add puts x in if it is not there, and reports that. It panics if there is no room.
func (s *Set[E, A]) Add(x E) bool {
	i, found := s.find(x)
	if !found {
		s.insert("set", i, x)
	}
	return !found
}

// Remove takes x out, and reports whether it was there.
func (s *Set[E, A]) Remove(x E) bool {
	i, found := s.find(x)
	if found {
		s.remove(i)
	}
	return found
}

// Map replaces each element by what f makes of it; those that become equal are one.
func (s *Set[E, A]) Map(f func(E) E) {
	var mapped Set[E, A]
	for i := range int(s.n) {
		mapped.Add(f(s.at[i]))
	}
	*s = mapped
}

// Format writes the set as {a b}, its elements as show writes them.
func (s Set[E, A]) Format(show func(any) string) string { return s.format("{", "}", show) }

// String writes the set as {a b}.
func (s Set[E, A]) String() string { return s.Format(func(x any) string { return fmt.Sprint(x) }) }
