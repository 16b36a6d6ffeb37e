package starfile

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A recordType has a value of its own type for each of some fields. Called, it makes one.
type recordType struct {
	typed
	fields []string
	types  []valueType
	first  []starlark.Value // the initial values; nil: the first of the type
	tag    string           // of a message: its name
}

var _ starlark.Callable = (*recordType)(nil)

// newRecord makes the type of records, or with a tag of messages, with the given fields.
func newRecord(name, tag string, named []starlark.Tuple) (*recordType, error) {
	t := &recordType{tag: tag}
	for _, pair := range named {
		field, v := string(pair[0].(starlark.String)), pair[1]
		var first starlark.Value
		if pair, ok := v.(starlark.Tuple); ok && len(pair) == 2 {
			v, first = pair[0], pair[1]
		}
		of, err := typeOf(v)
		if err == nil && first != nil {
			if first, err = fit(of, first); err == nil {
				first.Freeze()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: field %s: %w", name, field, err)
		}
		if field == "id" {
			return nil, fmt.Errorf("%s: id is the number of a process, and cannot be a field", name)
		}
		t.fields, t.types, t.first = append(t.fields, field), append(t.types, of), append(t.first, first)
	}
	var err error
	if t.typed, err = nesting(name, 1, t.types...); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// Name is what calls of it are called.
func (t *recordType) Name() string { return t.name }

// A record is a value of a recordType.
type record struct {
	t  *recordType
	xs []starlark.Value // nil: not read yet
	// source reads fields that are nil, or else they are unpacked from bytes; nil, both: there are none.
	source func(i int) starlark.Value
	bytes  []string
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
func (r *record) String() string       { return short(r) }
func (r *record) Freeze()              { freeze(&r.frozen, r.xs) }

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
func (r *record) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	s := y.(*record)
	if op != syntax.EQL && op != syntax.NEQ {
		return false, fmt.Errorf("records have no order")
	}
	same := r.t == s.t
	for i := 0; same && i < len(r.xs); i++ {
		var err error
		if same, err = starlark.EqualDepth(r.get(i), s.get(i), depth-1); err != nil {
			return false, err
		}
	}
	return same == (op == syntax.EQL), nil
}

func (r *record) get(i int) starlark.Value {
	if r.xs[i] == nil {
		if r.bytes != nil {
			r.xs[i] = r.t.types[i].unpack(&unpacker{bytes: r.bytes[i]})
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
	if i := slices.Index(r.t.fields, name); i >= 0 {
		return r.get(i), nil
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
	x, err := fit(r.t.types[i], v)
	if err != nil {
		return within("field "+name, err)
	}
	r.xs[i] = x
	return nil
}

// CallInternal makes a record: of values for some fields in their order, and of others by name.
func (t *recordType) CallInternal(
	thread *starlark.Thread, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
	if err := spend(thread, t.weight+1); err != nil {
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
			r.xs[i], _ = fit(of, t.first[i]) // it fitted when it was declared
		}
	}
	return r
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

// of returns v as a record of the type.
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

func (t *recordType) pack(w *packer, v starlark.Value) error {
	r, err := t.of(v)
	if err != nil {
		return err
	}
	for i, of := range t.types {
		if err := of.pack(w, r.get(i)); err != nil {
			return within("field "+t.fields[i], err)
		}
	}
	return w.hold(len(t.fields))
}

func (t *recordType) unpack(b *unpacker) starlark.Value {
	r := &record{t: t, xs: make([]starlark.Value, len(t.fields))}
	for i, of := range t.types {
		r.xs[i] = of.unpack(b)
	}
	if t.tag != "" {
		r.Freeze() // messages do not change
	}
	return r
}

func (t *recordType) text(b []byte, v starlark.Value) []byte {
	r := v.(*record)
	b = append(b, t.tag...)
	if t.tag != "" && len(t.fields) == 0 {
		return b
	}
	return joinTexts(b, "(", len(t.fields), ")", func(b []byte, i int) []byte {
		if t.tag == "" {
			b = append(append(b, t.fields[i]...), '=')
		}
		return t.types[i].text(b, r.get(i))
	})
}

// Local states and histories are bytes: of each field by itself, with their number before them where its
// type has none. So most steps, which look at few fields, unpack few, and pack few anew.

// packed returns the bytes of a local state or a history.
func (t *recordType) packed(r *record) (string, error) {
	var w packer
	b, all := make([]byte, 0, 64), make([]byte, 0, 128)
	for i, of := range t.types {
		if b = b[:0]; r.xs[i] == nil && r.bytes != nil { // nobody has looked at it
			b = append(b, r.bytes[i]...)
		} else {
			w = packer{words: w.words[:0]}
			if err := of.pack(&w, r.get(i)); err != nil {
				return "", within("field "+t.fields[i], err)
			}
			b = w.appendTo(b)
		}
		if of.bits() == unbounded {
			all = binary.AppendUvarint(all, uint64(len(b)))
		}
		all = append(all, b...)
	}
	return string(all), nil
}

// of returns the local state or the history that has some bytes.
func (t *recordType) unpacked(bytes string) *record {
	x := &record{t: t, xs: make([]starlark.Value, len(t.fields)), bytes: make([]string, len(t.fields))}
	for i, of := range t.types {
		n := (of.bits() + 7) / 8
		if of.bits() == unbounded {
			size, width := uvarint(bytes)
			n, bytes = size, bytes[width:]
		}
		if n < 0 || n > len(bytes) {
			panic(foreign("a record is cut short"))
		}
		x.bytes[i], bytes = bytes[:n], bytes[n:]
	}
	return x
}

func uvarint(s string) (x, width int) {
	for i := range min(len(s), 5) {
		if x |= int(s[i]&0x7f) << (7 * i); s[i] < 0x80 {
			return x, i + 1
		}
	}
	panic(foreign("a record is cut short"))
}

// vars lists the fields of a local state or a history.
func (t *recordType) vars(bytes string) (vars []model.Var) {
	if bytes == "" {
		return nil
	}
	r := t.unpacked(bytes)
	for i, name := range t.fields {
		vars = append(vars, model.Var{Name: name, Value: shown(t.types[i], r.get(i))})
	}
	return vars
}

// A unionType has the values of several record types: messages.
type unionType []*recordType

// packed returns the bytes of a message: which of the types it is of, and its bits.
func (t unionType) packed(v starlark.Value) (string, error) {
	r, ok := v.(*record)
	i := -1
	if ok {
		i = slices.Index(t, r.t)
	}
	if i < 0 {
		what := short(v)
		if ok {
			what = r.t.kind()
		}
		return "", errors.New(t.unsendable(v, what, ok))
	}
	var w packer
	w.put(uint64(i), bitsFor(len(t)))
	err := r.t.pack(&w, v)
	return string(w.appendTo(nil)), err
}

// kind is a record as one of its type, in messages.
func (t *recordType) kind() string {
	if t.tag != "" {
		return t.tag + "(...)"
	}
	return t.String()
}

// unsendable says why what may be the value v, or be a record, cannot be sent.
func (t unionType) unsendable(v starlark.Value, what string, isRecord bool) string {
	var names []string
	for _, of := range t {
		if !slices.Contains(names, of.kind()) {
			names = append(names, of.kind())
		}
	}
	received := cut(words(names), 300)
	if of, is := v.(*recordType); is {
		return fmt.Sprintf("%s is a type of messages; %s() is one", of.tag, of.tag)
	}
	switch {
	case !isRecord:
		return fmt.Sprintf("send(to, message): %s is no message; the messages in receive = [on(...)] are %s",
			what, received)
	case len(t) == 0:
		return fmt.Sprintf("nobody receives %s: processes(receive = [on(MESSAGE, f)]) says who does, and "+
			"there is none", what)
	}
	return fmt.Sprintf("nobody receives %s; the messages in receive = [on(...)] are %s", what, received)
}

// kind returns the type of the message that has some bytes, before its bits.
func (t unionType) kind(bytes string) (*recordType, *unpacker) {
	r := &unpacker{bytes: bytes}
	i := int(r.get(bitsFor(len(t))))
	if i >= len(t) {
		panic(foreign("a message of no kind"))
	}
	return t[i], r
}

// unpacked returns the message that has some bytes.
func (t unionType) unpacked(bytes string) *record {
	of, r := t.kind(bytes)
	return of.unpack(r).(*record)
}
