package starfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// What is done with the values of all types: the first one, the text in reports, and bits. A container, an
// array or a record is read as its parts and made of them; a dictionary has keys and values in turn.

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

func equalValues(a, b starlark.Value) bool {
	same, err := starlark.Equal(a, b)
	return err == nil && same
}

// zero returns the first value, a new one that may be changed.
func (t *valueType) zero() starlark.Value {
	if t.begin != nil {
		first, _ := fit(t, t.begin) // it fitted when it was declared
		return first
	}
	switch t.is {
	case numbers:
		if t.endless {
			return number(0)
		}
		return number(t.lo)
	case listed:
		return t.values[0]
	case texts:
		return starlark.String("")
	case optionals:
		return starlark.None
	case arrays, records:
		return t.with(func(i int) starlark.Value { return t.at(i).zero() })
	case unions:
		return t.types[0].zero()
	}
	return t.made(nil)
}

func (t *valueType) at(i int) *valueType {
	switch {
	case t.is == records:
		return t.types[i]
	case t.is == dictionaries && i%2 == 0:
		return t.key
	}
	return t.of
}

// where names part i of some parts in errors.
func (t *valueType) where(parts []starlark.Value, i int) string {
	switch t.is {
	case records:
		return "field " + t.fields[i]
	case arrays:
		return "element " + t.key.texts[i]
	case dictionaries:
		return "the value of " + t.key.text(parts[i&^1])
	}
	return fmt.Sprintf("item %d of a list", i)
}

// fixed is how many parts all values have: of an array or a record.
func (t *valueType) fixed() int {
	if t.is == records {
		return len(t.fields)
	}
	return len(t.key.values)
}

func (t *valueType) with(part func(i int) starlark.Value) starlark.Value {
	xs := make([]starlark.Value, t.fixed())
	for i := range xs {
		xs[i] = part(i)
	}
	return t.made(xs)
}

func (t *valueType) made(xs []starlark.Value) starlark.Value {
	switch t.is {
	case records:
		return &record{t: t, parts: parts{xs: xs}}
	case arrays:
		return &array{t: t, parts: parts{xs: xs}}
	case lists:
		return starlark.NewList(xs)
	case sets:
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

// partsOf are the parts of a value, in the order in which they are packed.
func (t *valueType) partsOf(v starlark.Value) (xs []starlark.Value, err error) {
	n := starlark.Len(v)
	switch t.is {
	case records:
		r, err := t.record(v)
		if err != nil {
			return nil, err
		}
		return r.all(), nil
	case arrays:
		return t.elementsOf(v)
	case lists:
		if _, ok := v.(starlark.Indexable); !ok || v.Type() == "string" {
			return nil, misfit(v, "lists of "+t.of.String())
		}
		if n > t.most {
			return nil, fmt.Errorf("a list of %d items is too long; allowed are %d", n, t.most)
		}
		return elements(v)
	case sets:
		if !slices.Contains([]string{"set", "list", "tuple", "range"}, v.Type()) {
			return nil, misfit(v, "sets of "+t.of.String())
		}
		if n > longest {
			return nil, fmt.Errorf("a set of %d elements is too large; allowed are %d", n, longest)
		}
		if xs, err = elements(v); err != nil || t.all != nil {
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

// elementsOf returns the elements of an array, a list of the same length, or a dictionary with all keys.
func (t *valueType) elementsOf(v starlark.Value) ([]starlark.Value, error) {
	n := t.fixed()
	switch v := v.(type) {
	case *array:
		if len(v.xs) == n {
			return v.all(), nil
		}
	case starlark.Indexable:
		if v.Type() != "string" && v.Len() == n {
			return elements(v)
		}
	case *starlark.Dict:
		xs := make([]starlark.Value, n)
		for i, k := range t.key.values {
			x, found, err := v.Get(k)
			if err != nil || !found || v.Len() != n {
				return nil, misfit(v, "a value for each of "+t.key.name)
			}
			xs[i] = x
		}
		return xs, nil
	}
	return nil, misfit(v, fmt.Sprintf("a value for each of %s (%d in all)", t.key.name, n))
}

func (t *valueType) record(v starlark.Value) (*record, error) {
	r, ok := v.(*record)
	if d := declaredType(v); d != nil && d.equals(t) {
		return nil, fmt.Errorf("%s is a type; %s(...) makes a value of it", cmp.Or(t.tag, "a record"),
			cmp.Or(t.tag, "a call"))
	}
	if !ok || !r.t.equals(t) {
		return nil, misfit(v, t.called())
	}
	return r, nil
}

// sorted brings values of a type in their order: numbers as such, other values by their texts.
func sorted(t *valueType, values []starlark.Value, what string) ([]starlark.Value, error) {
	for _, v := range values {
		if err := t.pack(&packer{}, v); err != nil {
			return nil, within(what, err)
		}
	}
	slices.SortFunc(values, func(x, y starlark.Value) int {
		a, ok := x.(starlark.Int)
		b, both := y.(starlark.Int)
		if ok && both {
			order, _ := a.Cmp(b, 0)
			return order
		}
		return cmp.Or(cmp.Compare(x.Type(), y.Type()), cmp.Compare(t.text(x), t.text(y)),
			cmp.Compare(x.String(), y.String()))
	})
	return values, nil
}

// place returns which of the numbers, or of the listed values, v is, from 0 on.
func (t *valueType) place(v starlark.Value) (int, error) {
	if t.is == listed {
		place, found, err := t.places.Get(v)
		if err != nil || !found {
			return 0, misfit(v, t.name)
		}
		i, _ := starlark.AsInt32(place)
		return i, nil
	}
	i, ok := v.(starlark.Int)
	x, exact := i.Int64()
	switch {
	case ok && exact && int64(t.lo) <= x && x <= int64(t.hi):
		return int(x) - t.lo, nil
	case t.endless:
		return 0, misfit(v, fmt.Sprintf("whole numbers up to %d", maxInt))
	}
	return 0, misfit(v, t.name)
}

// pack appends the bits of v, or returns an error if v is not of the type.
func (t *valueType) pack(w *packer, v starlark.Value) error {
	switch t.is {
	case numbers, listed:
		i, err := t.place(v)
		if t.endless {
			w.number(i + t.lo)
		} else {
			w.put(uint64(i), t.bits)
		}
		return err
	case texts:
		s, ok := v.(starlark.String)
		if !ok {
			return misfit(v, "a string")
		}
		if len(s) > longest {
			return fmt.Errorf("a string of %d bytes is too long; allowed are %d", len(s), longest)
		}
		w.number(len(s))
		for i := range len(s) {
			w.put(uint64(s[i]), 8)
		}
		return nil
	case optionals:
		if v == starlark.None {
			w.put(0, max(1, t.bits))
			return nil
		}
		w.put(1, 1)
		return t.of.pack(w, v)
	case unions:
		return t.packMember(w, v)
	}
	return t.packParts(w, v)
}

// packMember appends which type of a union v is of, and its bits.
func (t *valueType) packMember(w *packer, v starlark.Value) error {
	i, start := t.member(v), w.at
	r, is := v.(*record)
	switch {
	case i < 0 && t.tag == "":
		return misfit(v, t.name)
	case i < 0 && is:
		return errors.New(t.unsendable(v, r.t.called(), true))
	case i < 0:
		return errors.New(t.unsendable(v, short(v), false))
	}
	w.put(uint64(i), bitsFor(len(t.types)))
	err := t.types[i].pack(w, v)
	if t.bits != unbounded {
		w.put(0, start+t.bits-w.at)
	}
	return err
}

// packParts appends the number of the parts of v, unless all values have as many, and the bits of each. Of a
// set with few values, it appends a bit for each of these.
func (t *valueType) packParts(w *packer, v starlark.Value) error {
	xs, err := t.partsOf(v)
	if err != nil {
		return err
	}
	start := w.at
	switch {
	case t.all != nil:
		w.put(0, t.bits)
		for _, x := range xs {
			i, err := t.of.place(x)
			if err != nil {
				return within("an element of a set", err)
			}
			w.words[(start+i)/32] |= 1 << ((start + i) % 32)
		}
		return nil
	case t.is == arrays || t.is == records:
	case t.bits != unbounded:
		w.put(uint64(len(xs)), bitsFor(t.most+1))
	case t.is == dictionaries:
		w.number(len(xs) / 2)
	default:
		w.number(len(xs))
	}
	for i, x := range xs {
		if err := t.at(i).pack(w, x); err != nil {
			return within(t.where(xs, i), err)
		}
	}
	w.at = max(w.at, start+t.bits)
	return nil
}

// unpack returns the value that has the bits, a new one.
func (t *valueType) unpack(r *unpacker) starlark.Value {
	switch t.is {
	case numbers:
		x := t.lo
		if t.endless {
			x = r.number()
		} else {
			x += int(r.get(t.bits))
		}
		if x < t.lo || x > t.hi {
			panic(foreign(fmt.Sprintf("the number %d", x)))
		}
		return number(x)
	case listed:
		return t.values[min(int(r.get(t.bits)), len(t.values)-1)]
	case texts:
		b := make([]byte, r.count())
		for i := range b {
			b[i] = byte(r.get(8))
		}
		return starlark.String(b)
	case optionals:
		if r.get(1) == 1 {
			return t.of.unpack(r)
		}
		r.at += max(1, t.bits) - 1
		return starlark.None
	case unions:
		start := r.at
		v := t.kindOf(r).unpack(r)
		r.at = max(r.at, start+t.bits)
		return v
	}
	return t.unpackParts(r)
}

// kindOf reads the type of a message, before its bits.
func (t *valueType) kindOf(r *unpacker) *valueType {
	i := int(r.get(bitsFor(len(t.types))))
	if i >= len(t.types) {
		panic(foreign("a message of no kind"))
	}
	return t.types[i]
}

func (t *valueType) unpackParts(r *unpacker) starlark.Value {
	var xs []starlark.Value
	if t.all != nil {
		for _, x := range t.all {
			if r.get(1) == 1 {
				xs = append(xs, x)
			}
		}
		return t.made(xs)
	}
	n, start := 0, r.at
	switch {
	case t.is == arrays || t.is == records:
		n = t.fixed()
	case t.bits != unbounded:
		n = min(int(r.get(bitsFor(t.most+1))), t.most)
	case t.is == dictionaries:
		n = 2 * r.count()
	default:
		n = r.count()
	}
	xs = make([]starlark.Value, 0, min(n, 64)) // n may be foreign
	for i := range n {
		xs = append(xs, t.at(i).unpack(r))
	}
	r.at = max(r.at, start+t.bits)
	v := t.made(xs)
	if t.tag != "" {
		v.Freeze() // messages do not change
	}
	return v
}

// text is v, of the type, as reports show it.
func (t *valueType) text(v starlark.Value) string {
	switch {
	case t.is == numbers:
		if i, err := starlark.AsInt32(v); err == nil && t.procs != nil && 0 < i && i <= len(*t.procs) {
			return (*t.procs)[i-1]
		}
		return t.prefix + v.String()
	case t.is == listed:
		i, _ := t.place(v)
		return t.texts[i]
	case t.is == texts:
		return strconv.Quote(string(v.(starlark.String)))
	case t.is == optionals && v == starlark.None:
		return "None"
	case t.is == optionals:
		return t.of.text(v)
	case t.is == unions:
		return t.types[t.member(v)].text(v)
	case t.tag != "" && len(t.fields) == 0:
		return t.tag
	}
	xs, _ := t.partsOf(v)
	if t.is == sets {
		xs, _ = sorted(t.of, xs, "it")
	}
	var all []string
	for i, x := range xs {
		switch text := t.at(i).text(x); {
		case t.is == dictionaries && i%2 == 1:
			all[i/2] += ":" + text
		case t.is == records && t.tag == "":
			all = append(all, t.fields[i]+"="+text)
		default:
			all = append(all, text)
		}
	}
	around := cmp.Or(map[form]string{lists: "[]", arrays: "[]", records: "()"}[t.is], "{}")
	return t.tag + around[:1] + strings.Join(all, ",") + around[1:]
}

// shift lets visit change the times in a value, and returns the value with the new times.
func (t *valueType) shift(v starlark.Value, visit func(of *valueType, time *uint32)) starlark.Value {
	switch {
	case !t.timed || t.is == optionals && v == starlark.None:
		return v
	case t.is == optionals:
		return t.of.shift(v, visit)
	case t.is == unions:
		return t.types[t.member(v)].shift(v, visit)
	case t.is == numbers:
		x, _ := starlark.AsInt32(v) // v is of the type
		if t.stamp && x == 0 {
			return v
		}
		y := uint32(x)
		visit(t, &y)
		return number(int(y))
	}
	xs, _ := t.partsOf(v) // as above
	xs = slices.Clone(xs)
	for i, x := range xs {
		xs[i] = t.at(i).shift(x, visit)
	}
	return t.made(xs)
}
