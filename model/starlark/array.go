package starfile

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An arrayType has a value of another type for each of some keys.
type arrayType struct {
	typed
	keys  *wordType
	first int // the first key, where they are numbers in a row
	row   bool
	of    valueType
}

// newArray is the type of arrays with numbers or words as keys.
func newArray(keys, of valueType) (*arrayType, error) {
	values := valuesOf(keys)
	if values == nil {
		return nil, fmt.Errorf("array: %s cannot be keys; allowed: numbers in a range, and words", keys)
	}
	words, err := newWords(values)
	if err != nil {
		return nil, fmt.Errorf("array: %w", err)
	}
	a := &arrayType{keys: words, of: of}
	if row, ok := keys.(*intType); ok {
		a.first, a.row = row.lo, true
	}
	if a.typed, err = nesting("arrays of "+of.String(), len(values), of); err != nil {
		return nil, fmt.Errorf("array: %w", err)
	}
	return a, nil
}

// An array is a value of an arrayType.
type array struct {
	t  *arrayType
	xs []starlark.Value // nil: not read yet
	// source reads elements that are nil; nil: there are none.
	source func(i int) starlark.Value
	frozen bool
}

func (a *array) at(i int) starlark.Value {
	if a.xs[i] == nil {
		a.xs[i] = a.source(i)
		if a.frozen {
			a.xs[i].Freeze()
		}
	}
	return a.xs[i]
}

// all returns all elements.
func (a *array) all() starlark.Tuple {
	for i := range a.xs {
		a.at(i)
	}
	return a.xs
}

var (
	_ starlark.HasSetKey  = (*array)(nil)
	_ starlark.Sequence   = (*array)(nil)
	_ starlark.Comparable = (*array)(nil)
)

func (a *array) Type() string          { return "array" }
func (a *array) Truth() starlark.Bool  { return len(a.xs) > 0 }
func (a *array) Len() int              { return len(a.xs) }
func (a *array) Hash() (uint32, error) { return 0, fmt.Errorf("an array is no key") }
func (a *array) String() string        { return short(a) }

func (a *array) Freeze() { freeze(&a.frozen, a.xs) }

// freeze freezes values that were read already.
func freeze(frozen *bool, xs []starlark.Value) {
	if !*frozen {
		*frozen = true
		for _, x := range xs {
			if x != nil {
				x.Freeze()
			}
		}
	}
}

// Iterate goes through the values, in the order of the keys.
func (a *array) Iterate() starlark.Iterator { return a.all().Iterate() }

func (a *array) place(k starlark.Value) (int, error) {
	if a.t.row {
		if x, err := starlark.AsInt32(k); err == nil && x >= a.t.first && x < a.t.first+len(a.xs) {
			return x - a.t.first, nil
		}
	} else if i, err := a.t.keys.place(k); err == nil {
		return i, nil
	}
	return 0, fmt.Errorf("there is no element %s; allowed: %s", short(k), a.t.keys.name)
}

// Get returns the element of a key.
func (a *array) Get(k starlark.Value) (starlark.Value, bool, error) {
	i, err := a.place(k)
	if err != nil {
		return nil, false, err
	}
	return a.at(i), true, nil
}

// SetKey changes an element.
func (a *array) SetKey(k, v starlark.Value) error {
	if a.frozen {
		return fmt.Errorf("this array cannot be changed here")
	}
	i, err := a.place(k)
	if err != nil {
		return err
	}
	if v, err = fit(a.t.of, v); err != nil {
		return within("element "+short(k), err)
	}
	a.xs[i] = v
	return nil
}

// CompareSameType compares element by element.
func (a *array) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return starlark.CompareDepth(op, a.all(), y.(*array).all(), depth)
}

func (t *arrayType) zero() starlark.Value {
	a := &array{t: t, xs: make([]starlark.Value, len(t.keys.values))}
	for i := range a.xs {
		a.xs[i] = t.of.zero()
	}
	return a
}

func (t *arrayType) bits() int { return times(len(t.keys.values), t.of.bits()) }

// items returns the elements of v: an array, a list of as many, or one of each key.
func (t *arrayType) items(v starlark.Value) ([]starlark.Value, error) {
	n := len(t.keys.values)
	switch v := v.(type) {
	case *array:
		if len(v.xs) == n {
			return v.all(), nil
		}
	case starlark.Indexable:
		if _, isString := v.(starlark.String); !isString && v.Len() == n {
			return elements(v)
		}
	case *starlark.Dict:
		xs := make([]starlark.Value, n)
		for i, k := range t.keys.values {
			x, found, err := v.Get(k)
			if err != nil || !found || v.Len() != n {
				return nil, misfit(v, "a value for each of "+t.keys.name)
			}
			xs[i] = x
		}
		return xs, nil
	}
	return nil, misfit(v, fmt.Sprintf("a value for each of %s (%d in all)", t.keys.name, n))
}

func (t *arrayType) pack(w *packer, v starlark.Value) error {
	xs, err := t.items(v)
	for i, x := range xs {
		if err := t.of.pack(w, x); err != nil {
			return within("element "+t.keys.texts[i], err)
		}
	}
	return err
}

func (t *arrayType) unpack(r *unpacker) starlark.Value {
	a := &array{t: t, xs: make([]starlark.Value, len(t.keys.values))}
	for i := range a.xs {
		a.xs[i] = t.of.unpack(r)
	}
	return a
}

func (t *arrayType) text(b []byte, v starlark.Value) []byte {
	xs, _ := t.items(v) // it is of the type
	return joinTexts(b, "[", len(xs), "]", func(b []byte, i int) []byte { return t.of.text(b, xs[i]) })
}
