package file

import (
	"fmt"

	"go.starlark.net/starlark"
)

// An arrayType has a value of another type for each of some keys.
type arrayType struct {
	typed
	keys  *wordType
	first int // the first key, where they are numbers in a row
	row   bool
	of    valueType
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
	_ starlark.Mapping   = (*array)(nil)
	_ starlark.HasSetKey = (*array)(nil)
	_ starlark.Sequence  = (*array)(nil)
)

func (a *array) Type() string         { return "array" }
func (a *array) Truth() starlark.Bool { return len(a.xs) > 0 }
func (a *array) Len() int             { return len(a.xs) }
func (a *array) Hash() (uint32, error) {
	return 0, fmt.Errorf("an array is no key")
}

func (a *array) String() string { return short(a) }

func (a *array) Freeze() {
	if !a.frozen {
		a.frozen = true
		for _, x := range a.xs {
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
	} else if i, err := a.t.keys.of(k); err == nil {
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
	v, err = a.t.of.fit(v)
	if err != nil {
		return within("element "+short(k), err)
	}
	a.xs[i] = v
	return nil
}

// CompareSameType compares element by element.
func (a *array) CompareSameType(op token, y starlark.Value, depth int) (bool, error) {
	return starlark.CompareDepth(op, a.all(), y.(*array).all(), depth)
}

func (t *arrayType) zero() starlark.Value {
	a := &array{t: t, xs: make([]starlark.Value, len(t.keys.values))}
	for i := range a.xs {
		a.xs[i] = t.of.zero()
	}
	return a
}

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
			xs := make([]starlark.Value, n)
			for i := range xs {
				xs[i] = v.Index(i)
			}
			return xs, nil
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

func (t *arrayType) fit(v starlark.Value) (starlark.Value, error) {
	xs, err := t.items(v)
	if err != nil {
		return nil, err
	}
	a := &array{t: t, xs: make([]starlark.Value, len(xs))}
	for i, x := range xs {
		if a.xs[i], err = t.of.fit(x); err != nil {
			return nil, within("element "+t.keys.texts[i], err)
		}
	}
	return a, nil
}

func (t *arrayType) write(b []byte, v starlark.Value) ([]byte, error) {
	xs, err := t.items(v)
	b = append(b, '[')
	for i, x := range xs {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = t.of.write(b, x); err != nil {
			return b, within("element "+t.keys.texts[i], err)
		}
	}
	return append(b, ']'), err
}

func (t *arrayType) read(r *reader) starlark.Value {
	a := &array{t: t, xs: make([]starlark.Value, 0, len(t.keys.values))}
	r.list("[", "]", func() { a.xs = append(a.xs, t.of.read(r)) })
	if len(a.xs) != len(t.keys.values) {
		r.fail(fmt.Sprintf("%d elements", len(t.keys.values)))
	}
	return a
}

func (t *arrayType) bits() int { return times(len(t.keys.values), t.of.bits()) }

func (t *arrayType) pack(w *bitWriter, v starlark.Value) error {
	xs, err := t.items(v)
	for i, x := range xs {
		if err := t.of.pack(w, x); err != nil {
			return within("element "+t.keys.texts[i], err)
		}
	}
	return err
}

func (t *arrayType) unpack(r *bitReader) starlark.Value {
	a := &array{t: t, xs: make([]starlark.Value, len(t.keys.values))}
	for i := range a.xs {
		a.xs[i] = t.of.unpack(r)
	}
	return a
}
