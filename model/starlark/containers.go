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

// A containerType has the sets, lists or dictionaries of values of another type.
type containerType struct {
	typed
	is    string           // Starlark's name: set, list or dict
	key   valueType        // of dictionaries
	of    valueType        // of the elements
	max   int              // of lists: the largest length
	among []starlark.Value // of sets: all values of the elements, if they are listed and not many
}

func newSet(of valueType) *containerType {
	t := &containerType{typed: naming("sets of " + of.String()), is: "set", of: of}
	if all := valuesOf(of); len(all) <= maxBits {
		t.among = all
	}
	return t
}

func newList(of valueType, most int) *containerType {
	return &containerType{typed: naming("lists of " + of.String()), is: "list", of: of, max: most}
}

func newDict(key, of valueType) *containerType {
	return &containerType{typed: typed{"dictionaries"}, is: "dict", key: key, of: of}
}

// keysAndValues are the types of the keys and of the elements of a container, or of an array.
func keysAndValues(t valueType) (keys, of valueType) {
	switch t := t.(type) {
	case *containerType:
		return t.key, t.of
	case *arrayType:
		return t.keys, t.of
	}
	return nil, nil
}

func (t *containerType) kind() string { return t.is }

func (t *containerType) zero() starlark.Value { return t.made(nil) }

// made is the container that has some elements; of a dictionary keys and values in turn.
func (t *containerType) made(xs []starlark.Value) starlark.Value {
	switch t.is {
	case "list":
		return starlark.NewList(xs)
	case "set":
		s := starlark.NewSet(len(xs))
		for _, x := range xs {
			_ = s.Insert(x) // it was an element
		}
		return s
	}
	d := starlark.NewDict(len(xs) / 2)
	for i := 0; i < len(xs); i += 2 {
		_ = d.SetKey(xs[i], xs[i+1]) // it was a key
	}
	return d
}

// contents are the elements of a container, in the order in which they are packed.
func (t *containerType) contents(v starlark.Value) (xs []starlark.Value, err error) {
	n := starlark.Len(v)
	switch t.is {
	case "list":
		if _, ok := v.(starlark.Indexable); !ok || v.Type() == "string" {
			return nil, misfit(v, "lists of "+t.of.String())
		}
		if n > t.max {
			return nil, fmt.Errorf("a list of %d items is too long; allowed are %d", n, t.max)
		}
		return elements(v)
	case "set":
		if !slices.Contains([]string{"set", "list", "tuple", "range"}, v.Type()) {
			return nil, misfit(v, "sets of "+t.of.String())
		}
		if n > longest {
			return nil, fmt.Errorf("a set of %d elements is too large; allowed are %d", n, longest)
		}
		if xs, err = elements(v); err != nil || t.among != nil {
			return xs, err
		}
		xs, err = sorted(t.of, xs, "an element of a set")
		return slices.CompactFunc(xs, equalValues), err
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, misfit(v, "dictionaries from "+t.key.String()+" to "+t.of.String())
	}
	keys, err := sorted(t.key, d.Keys(), "a key")
	for _, k := range keys {
		x, _, _ := d.Get(k) // it is there
		xs = append(xs, k, x)
	}
	return xs, err
}

func equalValues(a, b starlark.Value) bool {
	same, err := starlark.Equal(a, b)
	return err == nil && same
}

// sorted returns values of a type in their order: numbers as such, other values by their texts.
func sorted(t valueType, values []starlark.Value, what string) ([]starlark.Value, error) {
	texts := make([]string, len(values))
	order := make([]int, len(values))
	for i, v := range values {
		if err := t.pack(&packer{}, v); err != nil {
			return nil, within(what, err)
		}
		texts[i], order[i] = t.text(v), i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, ok := values[i].(starlark.Int)
		b, both := values[j].(starlark.Int)
		if ok && both {
			order, _ := a.Cmp(b, 0)
			return order
		}
		return cmp.Compare(texts[i], texts[j])
	})
	all := make([]starlark.Value, len(values))
	for k, i := range order {
		all[k] = values[i]
	}
	return all, nil
}

func (t *containerType) bits() int {
	if t.among != nil {
		return len(t.among)
	}
	if n := times(t.max, t.of.bits()); t.is == "list" && n != unbounded {
		return bitsFor(t.max+1) + n
	}
	return unbounded
}

// at is the type of element i, of a dictionary keys and values in turn.
func (t *containerType) at(i int) valueType {
	if t.key != nil && i%2 == 0 {
		return t.key
	}
	return t.of
}

func (t *containerType) pack(w *packer, v starlark.Value) error {
	xs, err := t.contents(v)
	switch {
	case err != nil:
		return err
	case t.among != nil:
		return t.packMask(w, xs)
	}
	end := w.at + t.bits()
	switch {
	case t.bits() != unbounded:
		w.put(uint64(len(xs)), bitsFor(t.max+1))
	case t.key != nil:
		w.number(len(xs) / 2)
	default:
		w.number(len(xs))
	}
	for i, x := range xs {
		if err := t.at(i).pack(w, x); err != nil && t.key != nil {
			return within("the value of "+t.key.text(xs[i-1]), err)
		} else if err != nil {
			return within(fmt.Sprintf("item %d of a list", i), err)
		}
	}
	w.at = max(w.at, end)
	return nil
}

// packMask packs a bit for each value that may be in a set.
func (t *containerType) packMask(w *packer, values []starlark.Value) error {
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

func (t *containerType) unpack(r *unpacker) starlark.Value {
	var xs []starlark.Value
	for _, x := range t.among {
		if r.get(1) == 1 {
			xs = append(xs, x)
		}
	}
	if t.among != nil {
		return t.made(xs)
	}
	n, end := 0, r.at+t.bits()
	switch {
	case t.bits() != unbounded:
		n = min(int(r.get(bitsFor(t.max+1))), t.max)
	case t.key != nil:
		n = 2 * r.count()
	default:
		n = r.count()
	}
	for i := range n {
		xs = append(xs, t.at(i).unpack(r))
	}
	r.at = max(r.at, end)
	return t.made(xs)
}

func (t *containerType) text(v starlark.Value) string {
	xs, _ := t.contents(v) // v is of the type
	switch t.is {
	case "list":
		return enclosed("[", len(xs), "]", func(i int) string { return t.of.text(xs[i]) })
	case "set":
		xs, _ = sorted(t.of, xs, "it") // as above
		return enclosed("{", len(xs), "}", func(i int) string { return t.of.text(xs[i]) })
	}
	return enclosed("{", len(xs)/2, "}", func(i int) string {
		return t.key.text(xs[2*i]) + ":" + t.of.text(xs[2*i+1])
	})
}
