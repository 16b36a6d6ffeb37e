package file

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// A setType has the sets of values of another type.
type setType struct {
	typed
	of    valueType
	among []starlark.Value // all values of it, if they are listed; nil: they are not
}

func (*setType) zero() starlark.Value { return starlark.NewSet(0) }

// elements returns the elements of v with their texts, sorted.
func (t *setType) elements(v starlark.Value) (es []element, err error) {
	switch v.(type) {
	case *starlark.Set, *starlark.List, starlark.Tuple:
	default:
		if v.Type() != "range" {
			return nil, misfit(v, "sets of "+t.of.String())
		}
	}
	if n := starlark.Len(v); n > longest {
		return nil, fmt.Errorf("a set of %d elements is too large; allowed are %d", n, longest)
	}
	it := starlark.Iterate(v)
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		text, err := t.of.write(nil, x)
		if err != nil {
			return nil, within("an element of a set", err)
		}
		es = append(es, element{x, string(text)})
	}
	slices.SortFunc(es, element.compare)
	return slices.CompactFunc(es, func(a, b element) bool { return a.text == b.text }), nil
}

// An element is a value with its text.
type element struct {
	v    starlark.Value
	text string
}

// compare orders numbers as such, and other values by their texts.
func (e element) compare(f element) int {
	a, ok := e.v.(starlark.Int)
	b, both := f.v.(starlark.Int)
	if ok && both {
		order, _ := a.Cmp(b, 0)
		return order
	}
	return compareStrings(e.text, f.text)
}

func (t *setType) fit(v starlark.Value) (starlark.Value, error) {
	es, err := t.elements(v)
	if err != nil {
		return nil, err
	}
	s := starlark.NewSet(len(es))
	for _, e := range es {
		if x, err := t.of.fit(e.v); err != nil {
			return nil, err
		} else if err := s.Insert(x); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (t *setType) write(b []byte, v starlark.Value) ([]byte, error) {
	es, err := t.elements(v)
	b = append(b, '{')
	for i, e := range es {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, e.text...)
	}
	return append(b, '}'), err
}

func (t *setType) read(r *reader) starlark.Value {
	s := starlark.NewSet(4)
	r.list("{", "}", func() { _ = s.Insert(t.of.read(r)) })
	return s
}

// list reads what stands between brackets, with commas.
func (r *reader) list(open, end string, one func()) {
	if !r.skip(open) {
		r.fail(open)
	}
	for n := 0; !r.skip(end); n++ {
		if n > 0 && !r.skip(",") {
			r.fail("a comma or " + end)
		}
		one()
	}
}

func (t *setType) bits() int {
	if t.among == nil {
		return unbounded
	}
	return times(len(t.among), 1)
}

func (t *setType) pack(w *bitWriter, v starlark.Value) error {
	if _, err := t.elements(v); err != nil {
		return err
	}
	for _, x := range t.among {
		in, err := member(v, x)
		if err != nil {
			return err
		}
		w.put(in, 1)
	}
	return nil
}

// member returns 1 if x is in v, else 0.
func member(v, x starlark.Value) (uint64, error) {
	if s, ok := v.(*starlark.Set); ok {
		in, err := s.Has(x)
		if in {
			return 1, err
		}
		return 0, err
	}
	it := starlark.Iterate(v)
	defer it.Done()
	var y starlark.Value
	for it.Next(&y) {
		if eq, err := starlark.Equal(x, y); eq || err != nil {
			return 1, err
		}
	}
	return 0, nil
}

func (t *setType) unpack(r *bitReader) starlark.Value {
	s := starlark.NewSet(len(t.among))
	for _, x := range t.among {
		if r.get(1) == 1 {
			_ = s.Insert(x) // it can be hashed: it is listed
		}
	}
	return s
}

// A listType has the lists of values of another type, of a greatest length.
type listType struct {
	typed
	of  valueType
	max int
}

// longest bounds lists and sets of which nothing is said.
const longest = 1 << 16

func (*listType) zero() starlark.Value { return starlark.NewList(nil) }

// items calls f for each item of v.
func (t *listType) items(v starlark.Value, f func(starlark.Value) error) error {
	seq, ok := v.(starlark.Indexable)
	if _, isString := v.(starlark.String); !ok || isString {
		return misfit(v, "lists of "+t.of.String())
	}
	if seq.Len() > t.max {
		return fmt.Errorf("a list of %d items is too long; allowed are %d", seq.Len(), t.max)
	}
	for i := range seq.Len() {
		if err := f(seq.Index(i)); err != nil {
			return within(fmt.Sprintf("item %d of a list", i), err)
		}
	}
	return nil
}

func (t *listType) fit(v starlark.Value) (starlark.Value, error) {
	var xs []starlark.Value
	err := t.items(v, func(x starlark.Value) error {
		x, err := t.of.fit(x)
		xs = append(xs, x)
		return err
	})
	return starlark.NewList(xs), err
}

func (t *listType) write(b []byte, v starlark.Value) ([]byte, error) {
	b = append(b, '[')
	first := true
	err := t.items(v, func(x starlark.Value) (err error) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b, err = t.of.write(b, x)
		return err
	})
	return append(b, ']'), err
}

func (t *listType) read(r *reader) starlark.Value {
	var xs []starlark.Value
	r.list("[", "]", func() { xs = append(xs, t.of.read(r)) })
	return starlark.NewList(xs)
}

func (t *listType) bits() int {
	n := times(t.max, t.of.bits())
	if n == unbounded {
		return n
	}
	return bitsFor(t.max+1) + n
}

func (t *listType) pack(w *bitWriter, v starlark.Value) error {
	seq, ok := v.(starlark.Indexable)
	if !ok || seq.Len() > t.max {
		return t.items(v, nil)
	}
	end := w.at + t.bits()
	w.put(uint64(seq.Len()), bitsFor(t.max+1))
	err := t.items(v, func(x starlark.Value) error { return t.of.pack(w, x) })
	w.at = end
	return err
}

func (t *listType) unpack(r *bitReader) starlark.Value {
	end := r.at + t.bits()
	var xs []starlark.Value
	for range min(int(r.get(bitsFor(t.max+1))), t.max) {
		xs = append(xs, t.of.unpack(r))
	}
	r.at = end
	return starlark.NewList(xs)
}

// A dictType has the dictionaries from values of one type to values of another.
type dictType struct {
	typed
	key, of valueType
}

func (*dictType) zero() starlark.Value { return starlark.NewDict(0) }

func (t *dictType) entries(v starlark.Value) (es []element, err error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, misfit(v, "dictionaries from "+t.key.String()+" to "+t.of.String())
	}
	for _, item := range d.Items() {
		text, err := t.key.write(nil, item[0])
		if err != nil {
			return nil, within("a key", err)
		}
		es = append(es, element{item[0], string(text)})
	}
	slices.SortFunc(es, element.compare)
	return es, nil
}

func (t *dictType) fit(v starlark.Value) (starlark.Value, error) {
	es, err := t.entries(v)
	if err != nil {
		return nil, err
	}
	d := starlark.NewDict(len(es))
	for _, e := range es {
		x, _, _ := v.(*starlark.Dict).Get(e.v) // it is there
		if x, err = t.of.fit(x); err != nil {
			return nil, within("the value of "+e.text, err)
		}
		if err := d.SetKey(e.v, x); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (t *dictType) write(b []byte, v starlark.Value) ([]byte, error) {
	es, err := t.entries(v)
	b = append(b, '{')
	for i, e := range es {
		if i > 0 {
			b = append(b, ',')
		}
		x, _, _ := v.(*starlark.Dict).Get(e.v) // it is there
		if b, err = t.of.write(append(append(b, e.text...), ':'), x); err != nil {
			return b, within("the value of "+e.text, err)
		}
	}
	return append(b, '}'), err
}

func (t *dictType) read(r *reader) starlark.Value {
	d := starlark.NewDict(4)
	r.list("{", "}", func() {
		k := t.key.read(r)
		if !r.skip(":") {
			r.fail("a colon")
		}
		_ = d.SetKey(k, t.of.read(r))
	})
	return d
}

func (*dictType) bits() int                             { return unbounded }
func (*dictType) pack(*bitWriter, starlark.Value) error { panic("file: dictionaries have no bits") }
func (*dictType) unpack(*bitReader) starlark.Value      { panic("file: dictionaries have no bits") }
