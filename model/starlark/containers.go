package starfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// longest bounds lists, sets and strings that have no declared bound.
const longest = 1 << 16

// elements returns the elements of anything iterable.
func elements(v starlark.Value) (all []starlark.Value, err error) {
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, misfit(v, "lists, ranges and sets")
	}
	for x := range starlark.Elements(list) {
		if all = append(all, x); len(all) > longest {
			return nil, fmt.Errorf("it has more than %d elements", longest)
		}
	}
	return all, nil
}

// enclosed are the texts of n parts, with commas between them.
func enclosed(open string, n int, end string, one func(i int) string) string {
	all := make([]string, n)
	for i := range n {
		all[i] = one(i)
	}
	return open + strings.Join(all, ",") + end
}

// keysAndValues are the types of the keys and of the elements of a container.
func keysAndValues(t valueType) (keys, of valueType) {
	switch t := t.(type) {
	case *setType:
		return nil, t.of
	case *listType:
		return nil, t.of
	case *arrayType:
		return t.keys, t.of
	case *dictType:
		return t.key, t.of
	}
	return nil, nil
}

// A setType has the sets of values of another type.
type setType struct {
	typed
	of    valueType
	among []starlark.Value // all values of it, if they are listed and not many
}

func newSet(of valueType) *setType {
	t := &setType{typed: naming("sets of " + of.String()), of: of}
	if all := valuesOf(of); len(all) <= maxBits {
		t.among = all
	}
	return t
}

func (*setType) kind() string         { return "set" }
func (*setType) zero() starlark.Value { return starlark.NewSet(0) }

func (t *setType) bits() int {
	if t.among == nil {
		return unbounded
	}
	return len(t.among)
}

func (t *setType) pack(w *packer, v starlark.Value) error {
	if !slices.Contains([]string{"set", "list", "tuple", "range"}, v.Type()) {
		return misfit(v, "sets of "+t.of.String())
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
	return nil
}

// packMask packs a bit for each value that may be in a set.
func (t *setType) packMask(w *packer, values []starlark.Value) error {
	in := make([]uint64, len(t.among))
	listed := t.of.(interface {
		place(starlark.Value) (int, error)
	})
	for _, x := range values {
		i, err := listed.place(x)
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
	s := starlark.NewSet(0)
	if t.among == nil {
		for range r.count() {
			_ = s.Insert(t.of.unpack(r)) // it was an element
		}
	}
	for _, x := range t.among {
		if r.get(1) == 1 {
			_ = s.Insert(x) // it can be hashed: it is listed
		}
	}
	return s
}

func (t *setType) text(v starlark.Value) string {
	values, _ := elements(v)                  // v is of the type
	keys, _ := sortedKeys(t.of, values, "it") // as above
	return enclosed("{", len(keys), "}", func(i int) string { return keys[i].text })
}

// An element of a set, or a key of a dictionary, with its text.
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
		keys = append(keys, element{v, t.text(v)})
	}
	slices.SortFunc(keys, element.compare)
	return keys, nil
}

// A listType has the lists of values of another type, up to a length.
type listType struct {
	typed
	of  valueType
	max int
}

func (*listType) kind() string         { return "list" }
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
	if !ok || v.Type() == "string" {
		return misfit(v, "lists of "+t.of.String())
	}
	n, bits := list.Len(), t.bits()
	end := w.at + bits
	switch {
	case n > t.max:
		return fmt.Errorf("a list of %d items is too long; allowed are %d", n, t.max)
	case bits == unbounded:
		w.number(n)
	default:
		w.put(uint64(n), bitsFor(t.max+1))
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

func (t *listType) text(v starlark.Value) string {
	list := v.(starlark.Indexable)
	return enclosed("[", list.Len(), "]", func(i int) string { return t.of.text(list.Index(i)) })
}

// A dictType has the dictionaries from values of one type to values of another.
type dictType struct {
	typed
	key, of valueType
}

func (*dictType) kind() string         { return "dict" }
func (*dictType) zero() starlark.Value { return starlark.NewDict(0) }
func (*dictType) bits() int            { return unbounded }

func (t *dictType) pack(w *packer, v starlark.Value) error {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return misfit(v, "dictionaries from "+t.key.String()+" to "+t.of.String())
	}
	keys, err := sortedKeys(t.key, d.Keys(), "a key")
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

func (t *dictType) text(v starlark.Value) string {
	d := v.(*starlark.Dict)
	keys, _ := sortedKeys(t.key, d.Keys(), "it") // d is of the type
	return enclosed("{", len(keys), "}", func(i int) string {
		x, _, _ := d.Get(keys[i].v) // it is there
		return keys[i].text + ":" + t.of.text(x)
	})
}
