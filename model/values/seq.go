package values

import "fmt"

// A Seq is a sequence: its elements stand in the order in which they were put in.
type Seq[E comparable, A Array[E]] struct{ slots[E, A] }

// Push puts x behind all others. It panics if there is no room.
func (s *Seq[E, A]) Push(x E) { s.insert("sequence", int(s.n), x) }

// Pop takes the first element out and returns it. There must be one.
func (s *Seq[E, A]) Pop() E { return s.remove(0) }

// Insert puts x before element i, or behind all others where i is Len. It panics if there
// is no room.
func (s *Seq[E, A]) Insert(i int, x E) {
	if i != int(s.n) {
		s.check(i)
	}
	s.insert("sequence", i, x)
}

// Remove takes element i out and returns it. There must be one.
func (s *Seq[E, A]) Remove(i int) E { return s.remove(i) }

// Set replaces element i. There must be one.
func (s *Seq[E, A]) Set(i int, x E) {
	s.check(i)
	s.at[i] = x
}

// Index returns the place of the first x; -1 if there is none.
func (s *Seq[E, A]) Index(x E) int {
	for i := range int(s.n) {
		if s.at[i] == x {
			return i
		}
	}
	return -1
}

// Map replaces each element by what f makes of it.
func (s *Seq[E, A]) Map(f func(E) E) {
	for i := range int(s.n) {
		s.at[i] = f(s.at[i])
	}
}

// Format writes the sequence as [a b], its elements as show writes them.
func (s Seq[E, A]) Format(show func(any) string) string { return s.format("[", "]", show) }

// String writes the sequence as [a b].
func (s Seq[E, A]) String() string { return s.Format(func(x any) string { return fmt.Sprint(x) }) }
