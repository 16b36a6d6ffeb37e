package values

import "fmt"

// A Bag is a multiset: it knows how often it holds an element, and no order.
type Bag[E comparable, A Array[E]] struct{ slots[E, A] }

// Add puts in x once more. It panics if there is no room.
func (b *Bag[E, A]) Add(x E) {
	i, _ := b.find(x)
	b.insert("bag", i, x)
}

// Remove takes x out once, and reports whether it was there.
func (b *Bag[E, A]) Remove(x E) bool {
	i, found := b.find(x)
	if found {
		b.remove(i)
	}
	return found
}

// Map replaces each element by what f makes of it.
func (b *Bag[E, A]) Map(f func(E) E) {
	var mapped Bag[E, A]
	for i := range int(b.n) {
		mapped.Add(f(b.at[i]))
	}
	*b = mapped
}

// Format writes the bag as {a a b}, its elements as show writes them.
func (b Bag[E, A]) Format(show func(any) string) string { return b.format("{", "}", show) }

// String writes the bag as {a a b}.
func (b Bag[E, A]) String() string { return b.Format(func(x any) string { return fmt.Sprint(x) }) }
