package starfile

import (
	"cmp"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// longest bounds lists and sets of which nothing is said.
const longest = 1 << 16

// joinTexts appends texts with commas between them.
func joinTexts(b []byte, open string, n int, end string, one func(b []byte, i int) []byte) []byte {
	b = append(b, open...)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, i)
	}
	return append(b, end...)
}

// A setType has the sets of values of another type.
type setType struct {
	typed
	of    valueType
	among []starlark.Value // all values of it, if they are listed and not many
}

func newSet(of valueType) (*setType, error) {
	common, err := nesting("sets of "+of.String(), 0, of)
	t := &setType{typed: common, of: of}
	if all := valuesOf(of); times(len(all), 1) != unbounded {
		t.among = all
	}
	return t, err
}

func (*setType) zero() starlark.Value { return starlark.NewSet(0) }

func (t *setType) bits() int {
	if t.among == nil {
		return unbounded
	}
	return len(t.among)
}

func (t *setType) pack(w *packer, v starlark.Value) error {
	switch v.(type) {
	case *starlark.Set, *starlark.List, starlark.Tuple:
	default:
		if v.Type() != "range" {
			return misfit(v, "sets of "+t.of.String())
		}
	}
	if n := starlark.Len(v); n > longest {
		return fmt.Errorf("a set of %d elements is too large; allowed are %d", n, longest)
	}
	values, err := elements(v)
	if err != nil {
		return err
	}
	if t.among != nil {
		return t.packMask(w, values)
	}
	keys, err := sortedKeys(t.of, values, "an element of a set")
	if err != nil {
		return err
	}
	keys = slices.CompactFunc(keys, func(x, y element) bool { return x.text == y.text })
	w.number(len(keys))
	for _, k := range keys {
		if err := t.of.pack(w, k.v); err != nil {
			return err
		}
	}
	return w.hold(len(keys))
}

// packMask packs a bit for each value that may be in a set.
func (t *setType) packMask(w *packer, values []starlark.Value) error {
	in := make([]uint64, len(t.among))
	for _, x := range values {
		i, err := t.of.(interface {
			place(starlark.Value) (int, error)
		}).place(x)
		if err != nil {
			return within("an element of a set", err)
		}
		in[i] = 1
	}
	for _, bit := range in {
		w.put(bit, 1)
	}
	return nil
}

func (t *setType) unpack(r *unpacker) starlark.Value {
	if t.among == nil {
		s := starlark.NewSet(4)
		for range r.count() {
			_ = s.Insert(t.of.unpack(r)) // it was an element
		}
		return s
	}
	s := starlark.NewSet(0)
	for _, x := range t.among {
		if r.get(1) == 1 {
			_ = s.Insert(x) // it can be hashed: it is listed
		}
	}
	return s
}

func (t *setType) text(b []byte, v starlark.Value) []byte {
	values, _ := elements(v)                  // it is of the type
	keys, _ := sortedKeys(t.of, values, "it") // likewise
	text := func(b []byte, i int) []byte { return append(b, keys[i].text...) }
	return joinTexts(b, "{", len(keys), "}", text)
}

// An element is one of a set, or a key of a dictionary, with its text.
type element struct {
	v    starlark.Value
	text string
}

// compare orders numbers as such, and other values by their texts.
func (k element) compare(l element) int {
	a, ok := k.v.(starlark.Int)
	b, both := l.v.(starlark.Int)
	if ok && both {
		order, _ := a.Cmp(b, 0)
		return order
	}
	return cmp.Compare(k.text, l.text)
}

// sortedKeys returns values of a type in their order.
func sortedKeys(t valueType, values []starlark.Value, what string) (keys []element, err error) {
	var w packer
	for _, v := range values {
		w.words, w.at = w.words[:0], 0
		if err := t.pack(&w, v); err != nil {
			return nil, within(what, err)
		}
		keys = append(keys, element{v, shown(t, v)})
	}
	slices.SortFunc(keys, element.compare)
	return keys, nil
}

// A listType has the lists of values of another type, of a greatest length.
type listType struct {
	typed
	of  valueType
	max int
}

func (*listType) zero() starlark.Value { return starlark.NewList(nil) }

func (t *listType) bits() int {
	n := times(t.max, t.of.bits())
	if n == unbounded {
		return n
	}
	return bitsFor(t.max+1) + n
}

func (t *listType) pack(w *packer, v starlark.Value) error {
	list, ok := v.(starlark.Indexable)
	if _, isString := v.(starlark.String); !ok || isString {
		return misfit(v, "lists of "+t.of.String())
	}
	n, end := list.Len(), w.at+t.bits()
	if n > t.max {
		return fmt.Errorf("a list of %d items is too long; allowed are %d", n, t.max)
	}
	if t.bits() == unbounded {
		w.number(n)
	} else {
		w.put(uint64(n), bitsFor(t.max+1))
	}
	if err := w.hold(n); err != nil {
		return err
	}
	for i := range n {
		if err := t.of.pack(w, list.Index(i)); err != nil {
			return within(fmt.Sprintf("item %d of a list", i), err)
		}
	}
	w.at = max(w.at, end)
	return nil
}

func (t *listType) unpack(r *unpacker) starlark.Value {
	n, end := 0, r.at+t.bits()
	if t.bits() == unbounded {
		n = r.count()
	} else {
		n = min(int(r.get(bitsFor(t.max+1))), t.max)
	}
	xs := make([]starlark.Value, 0, min(n, 64))
	for range n {
		xs = append(xs, t.of.unpack(r))
	}
	r.at = max(r.at, end)
	return starlark.NewList(xs)
}

func (t *listType) text(b []byte, v starlark.Value) []byte {
	list := v.(starlark.Indexable)
	return joinTexts(b, "[", list.Len(), "]", func(b []byte, i int) []byte {
		return t.of.text(b, list.Index(i))
	})
}

// A dictType has the dictionaries from values of one type to values of another.
type dictType struct {
	typed
	key, of valueType
}

func (*dictType) zero() starlark.Value { return starlark.NewDict(0) }
func (*dictType) bits() int            { return unbounded }

func (t *dictType) pack(w *packer, v starlark.Value) error {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return misfit(v, "dictionaries from "+t.key.String()+" to "+t.of.String())
	}
	keys, err := sortedKeys(t.key, d.Keys(), "a key")
	if err == nil {
		err = w.hold(2 * len(keys))
	}
	if err != nil {
		return err
	}
	w.number(len(keys))
	for _, k := range keys {
		_ = t.key.pack(w, k.v) // it was packed before, to be sorted
		x, _, _ := d.Get(k.v)  // it is there
		if err := t.of.pack(w, x); err != nil {
			return within("the value of "+k.text, err)
		}
	}
	return nil
}

func (t *dictType) unpack(r *unpacker) starlark.Value {
	d := starlark.NewDict(4)
	for range r.count() {
		k := t.key.unpack(r)
		_ = d.SetKey(k, t.of.unpack(r)) // it was a key
	}
	return d
}

func (t *dictType) text(b []byte, v starlark.Value) []byte {
	d := v.(*starlark.Dict)
	keys, _ := sortedKeys(t.key, d.Keys(), "it") // it is of the type
	return joinTexts(b, "{", len(keys), "}", func(b []byte, i int) []byte {
		x, _, _ := d.Get(keys[i].v) // it is there
		return t.of.text(append(append(b, keys[i].text...), ':'), x)
	})
}
