package file

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// A valueType is a set of values, of variables, fields and elements. Files make them and declare with them.
type valueType interface {
	starlark.Value
	// zero returns the first value, a new one that may be changed.
	zero() starlark.Value
	// fit returns v as a value of the type, which nobody else can change.
	fit(v starlark.Value) (starlark.Value, error)
	// write appends the text of v: the same for equal values only. Every value of the type fits.
	write(b []byte, v starlark.Value) ([]byte, error)
	// read returns the value that has the text, a new one.
	read(r *reader) starlark.Value
	// bits is how many bits a value takes; unbounded if there is no limit.
	bits() int
	pack(w *bitWriter, v starlark.Value) error
	unpack(r *bitReader) starlark.Value
	// weight is how many values are in the first value, and depth how deep types are nested in this one.
	weight() int
	depth() int
}

// unbounded is the number of bits of types with values of any size.
const unbounded = -1

// maxBits bounds the values of a type that are stored in bits.
const maxBits = 2048

// typed is what all types have in common as values of the language.
type typed struct {
	name  string
	first int // see weight; 0: 1
	deep  int // see depth
}

// maxNested is how deep types are nested.
const maxNested = 20

// nesting is what types have in common in which so many values of others are nested.
func nesting(name string, values int, of ...valueType) (t typed, err error) {
	t = typed{name: cut(name, 200), first: 1}
	for _, inner := range of {
		t.first += min(values, maxWeight) * inner.weight()
		t.deep = max(t.deep, 1+inner.depth())
		switch {
		case t.first > maxWeight:
			return t, fmt.Errorf("values of more than %d elements, all in all, are too large", maxWeight)
		case t.deep > maxNested:
			return t, fmt.Errorf("types are nested more than %d deep", maxNested)
		}
	}
	return t, nil
}

func (t *typed) weight() int { return max(1, t.first) }
func (t *typed) depth() int  { return t.deep }

func (t *typed) String() string      { return t.name }
func (*typed) Type() string          { return "type" }
func (*typed) Freeze()               {}
func (*typed) Truth() starlark.Bool  { return true }
func (*typed) Hash() (uint32, error) { return 0, fmt.Errorf("a type is no key") }

// misfit is the error for a value that is not of a type.
func misfit(v starlark.Value, allowed string) error {
	return fmt.Errorf("%s is not allowed here; allowed: %s", short(v), allowed)
}

// within adds to an error where the value stands.
func within(where string, err error) error { return fmt.Errorf("%s: %w", where, err) }

// A reader goes through a text that write has written.
type reader struct {
	s  string
	at int
}

// skip passes over the given text, and reports whether it came.
func (r *reader) skip(s string) bool {
	if strings.HasPrefix(r.s[r.at:], s) {
		r.at += len(s)
		return true
	}
	return false
}

// until returns what comes before any of some characters, or before the end.
func (r *reader) until(ends string) string {
	rest := r.s[r.at:]
	if i := strings.IndexAny(rest, ends); i >= 0 {
		rest = rest[:i]
	}
	r.at += len(rest)
	return rest
}

// foreign is what is panicked with if a text was not written here: it came from elsewhere.
type foreign string

func (r *reader) fail(want string) {
	panic(foreign(fmt.Sprintf("%q is not %s", r.s[min(r.at, len(r.s)):], want)))
}

// number reads a whole number.
func (r *reader) number() int {
	x, err := strconv.Atoi(r.until(",)]}: \n|"))
	if err != nil {
		r.fail("a number")
	}
	return x
}

// bitWriter and bitReader go through the words of a state of a system.
type bitWriter struct {
	words []uint32
	at    int // in bits
}

func (w *bitWriter) put(x uint64, n int) {
	for n > 0 {
		in := min(n, 32-w.at%32)
		w.words[w.at/32] |= uint32(x&(1<<in-1)) << (w.at % 32)
		x, n, w.at = x>>in, n-in, w.at+in
	}
}

type bitReader struct {
	words []uint32
	at    int
}

func (r *bitReader) get(n int) (x uint64) {
	for got := 0; got < n; {
		in := min(n-got, 32-r.at%32)
		x |= uint64(r.words[r.at/32]>>(r.at%32)&uint32(1<<in-1)) << got
		got, r.at = got+in, r.at+in
	}
	return x
}

// bitsFor returns how many bits tell so many values apart.
func bitsFor(values int) int { return bits.Len64(uint64(values - 1)) }

// times multiplies numbers of bits.
func times(n, each int) int {
	if each == unbounded || n > 0 && each > maxBits/n {
		return unbounded
	}
	return n * each
}
