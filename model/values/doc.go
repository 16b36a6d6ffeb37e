// Package values has sequences, bags and sets of fixed size, which can stand in the state of a
// System: they are comparable, and equal if and only if they hold the same. Local states and messages
// may hold slices and maps as well; there these are for values that have a capacity, and for bags and
// sets, whose order does not count.
//
//	type queue = values.Seq[message, [4]message] // at most 4 messages, in order
//
// The second parameter is an array of the first, whose length is the capacity. The zero value is
// empty. Slots that are not in use are zero, and bags and sets are sorted, so that equal values
// have equal bytes. Elements may be numbers, strings, booleans, and arrays and structs of these;
// in the state of a System no strings.
//
// To put more into one than fits is a mistake in the model, not a limit of the search: it is a panic,
// with a sentence that names the capacity.
package values

// An Array is an array of elements of type E, of a length that a capacity may have.
type Array[E any] interface {
	~[1]E | ~[2]E | ~[3]E | ~[4]E | ~[5]E | ~[6]E | ~[7]E | ~[8]E |
		~[9]E | ~[10]E | ~[11]E | ~[12]E | ~[13]E | ~[14]E | ~[15]E | ~[16]E |
		~[18]E | ~[20]E | ~[24]E | ~[28]E | ~[32]E | ~[40]E | ~[48]E | ~[64]E | ~[128]E
}
