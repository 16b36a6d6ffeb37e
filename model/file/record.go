package file

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A recordType has a value of its own type for each of some fields. Called, it makes one.
type recordType struct {
	typed
	fields []string
	types  []valueType
	first  []starlark.Value // the initial values; nil: the first of the type
	tag    string           // of a message: its name
	nested []bool           // the fields whose values have to be weighed
}

var _ starlark.Callable = (*recordType)(nil)

// Name is what calls of it are called.
func (t *recordType) Name() string { return t.name }

// A record is a value of a recordType.
type record struct {
	t  *recordType
	xs []starlark.Value // nil: not read yet
	// source reads fields that are nil, or else they are read from texts; nil, both: there are none.
	source func(i int) starlark.Value
	texts  []string
	id     int // as `id`, if it is that of a process: see hasID
	hasID  bool
	frozen bool
}

var (
	_ starlark.HasSetField = (*record)(nil)
	_ starlark.Comparable  = (*record)(nil)
)

func (r *record) Type() string         { return "record" }
func (r *record) Truth() starlark.Bool { return true }

func (r *record) String() string { return short(r) }

func (r *record) Freeze() {
	if !r.frozen {
		r.frozen = true
		for _, x := range r.xs {
			if x != nil {
				x.Freeze()
			}
		}
	}
}

// Hash lets records that cannot change be in sets.
func (r *record) Hash() (uint32, error) {
	if !r.frozen {
		return 0, fmt.Errorf("a record that can be changed is no key")
	}
	h := uint32(len(r.t.tag))
	for i := range r.xs {
		x, err := r.get(i).Hash()
		if err != nil {
			return 0, err
		}
		h = h*31 + x
	}
	return h, nil
}

// CompareSameType compares field by field.
func (r *record) CompareSameType(op token, y starlark.Value, depth int) (bool, error) {
	s := y.(*record)
	if op != eq && op != neq {
		return false, fmt.Errorf("records have no order")
	}
	if r.t != s.t {
		return op == neq, nil
	}
	for i := range r.xs {
		same, err := starlark.EqualDepth(r.get(i), s.get(i), depth-1)
		if err != nil || !same {
			return op == neq, err
		}
	}
	return op == eq, nil
}

func (r *record) get(i int) starlark.Value {
	if r.xs[i] == nil {
		if r.texts != nil {
			r.xs[i] = r.t.types[i].read(&reader{s: r.texts[i]})
		} else {
			r.xs[i] = r.source(i)
		}
		if r.frozen {
			r.xs[i].Freeze()
		}
	}
	return r.xs[i]
}

// Attr returns a field.
func (r *record) Attr(name string) (starlark.Value, error) {
	for i, f := range r.t.fields {
		if f == name {
			return r.get(i), nil
		}
	}
	if r.hasID && name == "id" {
		return number(r.id), nil
	}
	return nil, r.noField(name)
}

func (r *record) noField(name string) error {
	return starlark.NoSuchAttrError(fmt.Sprintf("there is no field %q; there are %s", name,
		strings.Join(r.AttrNames(), ", "))) // Starlark adds which one is near
}

// AttrNames lists the fields.
func (r *record) AttrNames() []string {
	names := slices.Clone(r.t.fields)
	if r.hasID {
		names = append(names, "id")
	}
	return names
}

// SetField changes a field.
func (r *record) SetField(name string, v starlark.Value) error {
	if r.frozen {
		return fmt.Errorf("field %s cannot be changed here", name)
	}
	i := slices.Index(r.t.fields, name)
	if i < 0 {
		return r.noField(name)
	}
	x, err := r.t.fitField(i, v)
	if err != nil {
		return within("field "+name, err)
	}
	r.xs[i] = x
	return nil
}

// fitField makes a value one of field i.
func (t *recordType) fitField(i int, v starlark.Value) (starlark.Value, error) {
	if t.nested[i] {
		if err := light(v); err != nil {
			return nil, err
		}
	}
	return t.types[i].fit(v)
}

// CallInternal makes a record: of values for some fields in their order, and of others by name.
func (t *recordType) CallInternal(
	thread *starlark.Thread,
	args starlark.Tuple,
	named []starlark.Tuple,
) (starlark.Value, error) {
	if err := spend(thread, t.weight()); err != nil {
		return nil, err
	}
	r := t.zero().(*record)
	if len(args) > len(t.fields) {
		return nil, fmt.Errorf("%s has %d fields, and %d values were given", t.name, len(t.fields), len(args))
	}
	for i, v := range args {
		if err := r.SetField(t.fields[i], v); err != nil {
			return nil, err
		}
	}
	for _, pair := range named {
		if err := r.SetField(string(pair[0].(starlark.String)), pair[1]); err != nil {
			return nil, err
		}
	}
	if t.tag != "" {
		r.Freeze() // messages do not change
	}
	return r, nil
}

func (t *recordType) zero() starlark.Value {
	r := &record{t: t, xs: make([]starlark.Value, len(t.fields))}
	for i, of := range t.types {
		r.xs[i] = of.zero()
		if t.first[i] != nil {
			r.xs[i], _ = of.fit(t.first[i]) // it fitted when it was declared
		}
	}
	return r
}

func (t *recordType) of(v starlark.Value) (*record, error) {
	r, ok := v.(*record)
	if ok && r.t != t && r.t.tag == t.tag && slices.Equal(r.t.fields, t.fields) {
		return nil,
			fmt.Errorf("%s is of another type with the same fields: each record(...) and message(...) is "+
				"a type of its own; give one a name, and use that", short(v))
	}
	if of, is := v.(*recordType); is && of == t {
		return nil, fmt.Errorf("%s is a type; %s(...) makes a value of it", cmp.Or(t.tag, "a record"),
			cmp.Or(t.tag, "a call"))
	}
	if !ok || r.t != t {
		return nil, misfit(v, "records "+t.name)
	}
	return r, nil
}

func (t *recordType) fit(v starlark.Value) (starlark.Value, error) {
	from, err := t.of(v)
	if err != nil {
		return nil, err
	}
	r := &record{t: t, xs: make([]starlark.Value, len(t.fields))}
	for i := range r.xs {
		if r.xs[i], err = t.types[i].fit(from.get(i)); err != nil {
			return nil, within("field "+t.fields[i], err)
		}
	}
	if t.tag != "" {
		r.Freeze()
	}
	return r, nil
}

func (t *recordType) write(b []byte, v starlark.Value) ([]byte, error) {
	r, err := t.of(v)
	if err != nil {
		return b, err
	}
	b = append(b, t.tag...)
	if t.plain() {
		return b, nil
	}
	return t.writeFields(b, r, "(", ",", ")", t.tag == "")
}

// plain reports whether it is a message that is only its name.
func (t *recordType) plain() bool { return t.tag != "" && len(t.fields) == 0 }

// begins reports whether the text of one of its values stands at a place.
func (t *recordType) begins(s string) bool {
	rest, is := strings.CutPrefix(s, t.tag)
	return is && (rest == "" || strings.ContainsRune("(),]}:", rune(rest[0])))
}

// writeFields writes the fields between brackets, with their names or without.
func (t *recordType) writeFields(
	b []byte,
	r *record,
	open, between, end string,
	names bool,
) (_ []byte, err error) {
	b = append(b, open...)
	for i, of := range t.types {
		if i > 0 {
			b = append(b, between...)
		}
		if names {
			b = append(append(b, t.fields[i]...), '=')
		}
		if r.xs[i] == nil && r.texts != nil { // nobody has looked at it
			b = append(b, r.texts[i]...)
			continue
		}
		v := r.get(i)
		if t.nested[i] { // a step may have made it larger in place
			err = light(v)
		}
		if err == nil {
			b, err = of.write(b, v)
		}
		if err != nil {
			return b, within("field "+t.fields[i], err)
		}
	}
	return append(b, end...), nil
}

func (t *recordType) read(r *reader) starlark.Value {
	if !r.skip(t.tag) {
		r.fail(t.name)
	}
	if t.plain() {
		return &record{t: t, frozen: true}
	}
	x := t.readFields(r, "(", ",", ")", t.tag == "")
	if t.tag != "" {
		x.Freeze()
	}
	return x
}

func (t *recordType) readFields(r *reader, open, between, end string, names bool) *record {
	if !r.skip(open) {
		r.fail(t.name)
	}
	x := &record{t: t, xs: make([]starlark.Value, len(t.fields))}
	for i, of := range t.types {
		if i > 0 && !r.skip(between) || names && !r.skip(t.fields[i]+"=") {
			r.fail(t.name)
		}
		x.xs[i] = of.read(r)
	}
	if !r.skip(end) {
		r.fail(t.name)
	}
	return x
}

func (t *recordType) bits() (all int) {
	for _, of := range t.types {
		n := of.bits()
		if n == unbounded || all+n > maxBits {
			return unbounded
		}
		all += n
	}
	return all
}

func (t *recordType) pack(w *bitWriter, v starlark.Value) error {
	r, err := t.of(v)
	if err != nil {
		return err
	}
	for i, of := range t.types {
		if err := of.pack(w, r.get(i)); err != nil {
			return within("field "+t.fields[i], err)
		}
	}
	return nil
}

func (t *recordType) unpack(b *bitReader) starlark.Value {
	r := &record{t: t, xs: make([]starlark.Value, len(t.fields))}
	for i, of := range t.types {
		r.xs[i] = of.unpack(b)
	}
	return r
}

// A unionType has the values of several record types: messages.
type unionType struct {
	typed
	of []*recordType
}

func (t *unionType) zero() starlark.Value { return t.of[0].zero() }

func (t *unionType) kind(v starlark.Value) (*recordType, error) {
	if r, ok := v.(*record); ok && slices.Contains(t.of, r.t) {
		return r.t, nil
	}
	return nil, misfit(v, "messages "+t.name)
}

func (t *unionType) fit(v starlark.Value) (starlark.Value, error) {
	k, err := t.kind(v)
	if err != nil {
		return nil, err
	}
	return k.fit(v)
}

func (t *unionType) write(b []byte, v starlark.Value) ([]byte, error) {
	k, err := t.kind(v)
	if err != nil {
		x := shape{{v: v}}
		if r, is := v.(*record); is {
			x = shape{{t: r.t}}
		}
		return b, errors.New(unsendable(x, ofType(t)))
	}
	return k.write(b, v)
}

func (t *unionType) read(r *reader) starlark.Value {
	for _, k := range t.of {
		if k.begins(r.s[r.at:]) {
			return k.read(r)
		}
	}
	r.fail("a message " + t.name)
	return nil
}

func (t *unionType) bits() (most int) {
	for _, k := range t.of {
		n := k.bits()
		if n == unbounded {
			return n
		}
		most = max(most, n)
	}
	return bitsFor(len(t.of)) + most
}

func (t *unionType) pack(w *bitWriter, v starlark.Value) error {
	k, err := t.kind(v)
	if err != nil {
		return err
	}
	end := w.at + t.bits()
	w.put(uint64(slices.Index(t.of, k)), bitsFor(len(t.of)))
	err = k.pack(w, v)
	w.at = end
	return err
}

func (t *unionType) unpack(r *bitReader) starlark.Value {
	end := r.at + t.bits()
	v := t.of[min(int(r.get(bitsFor(len(t.of)))), len(t.of)-1)].unpack(r)
	r.at = end
	return v
}
