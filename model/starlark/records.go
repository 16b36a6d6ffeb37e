package starfile

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// The parts of a value with a fixed number of parts: the fields of a record, or the elements of an array.
type parts struct {
	xs     []starlark.Value           // nil: not read yet
	source func(i int) starlark.Value // reads a part; nil: all parts are in xs
	frozen bool
}

func (p *parts) get(i int) starlark.Value {
	if p.xs[i] == nil {
		p.xs[i] = p.source(i)
		if p.frozen {
			p.xs[i].Freeze()
		}
	}
	return p.xs[i]
}

// all returns all parts.
func (p *parts) all() starlark.Tuple {
	for i := range p.xs {
		p.get(i)
	}
	return p.xs
}

// Freeze freezes the parts, each when it is read.
func (p *parts) Freeze() {
	if !p.frozen {
		p.frozen = true
		for _, x := range p.xs {
			if x != nil {
				x.Freeze()
			}
		}
	}
}

// set changes a part, which is of a type.
func (p *parts) set(i int, of valueType, v starlark.Value) error {
	x, err := fit(of, v)
	if err == nil {
		p.xs[i] = x
	}
	return err
}

// An arrayType has a value of another type for each key.
type arrayType struct {
	typed
	keys *wordType
	of   valueType
}

// newArray is the type of arrays with numbers or words as keys.
func newArray(keys, of valueType) (*arrayType, error) {
	values := valuesOf(keys)
	if values == nil {
		return nil, fmt.Errorf("array: %s cannot be keys; allowed: numbers in a range, and words", keys)
	}
	listed, err := newWords(values)
	if err != nil {
		return nil, fmt.Errorf("array: %w", err)
	}
	return &arrayType{naming("arrays of " + of.String()), listed, of}, nil
}

// An array is a value of an arrayType.
type array struct {
	parts
	t *arrayType
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
func (a *array) String() string        { return starlark.NewList(a.all()).String() }

// Iterate returns the values in the order of the keys.
func (a *array) Iterate() starlark.Iterator { return a.all().Iterate() }

func (a *array) place(k starlark.Value) (int, error) {
	i, err := a.t.keys.place(k)
	if err != nil {
		err = fmt.Errorf("there is no element %s; allowed: %s", short(k), a.t.keys.name)
	}
	return i, err
}

// Get returns the element of a key.
func (a *array) Get(k starlark.Value) (starlark.Value, bool, error) {
	i, err := a.place(k)
	if err != nil {
		return nil, false, err
	}
	return a.get(i), true, nil
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
	if err = a.set(i, a.t.of, v); err != nil {
		return within("element "+short(k), err)
	}
	return nil
}

// CompareSameType compares element by element.
func (a *array) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return starlark.CompareDepth(op, a.all(), y.(*array).all(), depth)
}

// with makes an array of the elements that a function returns.
func (t *arrayType) with(element func(i int) starlark.Value) *array {
	a := &array{t: t, parts: parts{xs: make([]starlark.Value, len(t.keys.values))}}
	for i := range a.xs {
		a.xs[i] = element(i)
	}
	return a
}

func (*arrayType) kind() string { return "array" }
func (t *arrayType) bits() int  { return times(len(t.keys.values), t.of.bits()) }

func (t *arrayType) zero() starlark.Value {
	return t.with(func(int) starlark.Value { return t.of.zero() })
}

// items returns the elements of v: an array, a list of the same length, or a dictionary with all keys.
func (t *arrayType) items(v starlark.Value) ([]starlark.Value, error) {
	n := len(t.keys.values)
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
	return t.with(func(int) starlark.Value { return t.of.unpack(r) })
}

func (t *arrayType) text(v starlark.Value) string {
	xs, _ := t.items(v) // v is of the type
	return enclosed("[", len(xs), "]", func(i int) string { return t.of.text(xs[i]) })
}

// A recordType has a value for each field. Called, it makes one.
type recordType struct {
	typed
	fields []string
	types  []valueType
	first  []starlark.Value // the initial values; nil: the first of the type
	tag    string           // of a message: its name
}

var _ starlark.Callable = (*recordType)(nil)

// newRecord makes the type of records, or with a tag of messages.
func newRecord(name, tag string, named []starlark.Tuple) (*recordType, error) {
	t := &recordType{typed: naming(name), tag: tag}
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
	return t, nil
}

// Name is the name of the type in calls.
func (t *recordType) Name() string { return t.name }

// A record is a value of a recordType.
type record struct {
	parts
	t     *recordType
	bytes []string       // of the fields that nothing has read, if the record was unpacked
	id    starlark.Value // the field id of a local state; nil otherwise
}

var (
	_ starlark.HasSetField = (*record)(nil)
	_ starlark.Comparable  = (*record)(nil)
)

func (r *record) Type() string         { return "record" }
func (r *record) Truth() starlark.Bool { return true }

func (r *record) String() string {
	if r.t.tag != "" && len(r.xs) == 0 {
		return r.t.tag
	}
	var all []string
	for i, x := range r.all() {
		all = append(all, r.t.fields[i]+"="+x.String())
	}
	return r.t.tag + "(" + words(all) + ")"
}

// Hash lets records that cannot change be in sets.
func (r *record) Hash() (uint32, error) {
	if !r.frozen {
		return 0, fmt.Errorf("a record that can be changed is no key")
	}
	h := uint32(len(r.t.tag))
	for _, field := range r.all() {
		x, err := field.Hash()
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
	if r.t != s.t {
		return op == syntax.NEQ, nil
	}
	return starlark.CompareDepth(op, r.all(), s.all(), depth)
}

// Attr returns a field.
func (r *record) Attr(name string) (starlark.Value, error) {
	if i := slices.Index(r.t.fields, name); i >= 0 {
		return r.get(i), nil
	}
	if r.id != nil && name == "id" {
		return r.id, nil
	}
	return nil, r.noField(name)
}

func (r *record) noField(name string) error {
	return starlark.NoSuchAttrError(fmt.Sprintf("there is no field %q; there are %s", name,
		words(r.AttrNames()))) // Starlark adds which one is near
}

// AttrNames lists the fields.
func (r *record) AttrNames() []string {
	names := slices.Clone(r.t.fields)
	if r.id != nil {
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
	if err := r.set(i, r.t.types[i], v); err != nil {
		return within("field "+name, err)
	}
	return nil
}

// CallInternal makes a record: of values for the first fields in their order, and of others by name.
func (t *recordType) CallInternal(
	_ *starlark.Thread, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
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

// with makes a record of the fields that a function returns.
func (t *recordType) with(field func(i int, of valueType) starlark.Value) *record {
	r := &record{t: t, parts: parts{xs: make([]starlark.Value, len(t.fields))}}
	for i, of := range t.types {
		r.xs[i] = field(i, of)
	}
	return r
}

func (*recordType) kind() string { return "record" }

func (t *recordType) zero() starlark.Value {
	return t.with(func(i int, of valueType) starlark.Value {
		if t.first[i] == nil {
			return of.zero()
		}
		x, _ := fit(of, t.first[i]) // it fitted when it was declared
		return x
	})
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
	return nil
}

func (t *recordType) unpack(b *unpacker) starlark.Value {
	r := t.with(func(_ int, of valueType) starlark.Value { return of.unpack(b) })
	if t.tag != "" {
		r.Freeze() // messages do not change
	}
	return r
}

func (t *recordType) text(v starlark.Value) string {
	if t.tag != "" && len(t.fields) == 0 {
		return t.tag
	}
	return enclosed(t.tag+"(", len(t.fields), ")", func(i int) string {
		text := t.types[i].text(v.(*record).get(i))
		if t.tag == "" {
			text = t.fields[i] + "=" + text
		}
		return text
	})
}

// Local states and histories are bytes: of each field by itself, with their number before them where its
// type has no fixed size. So a step, which reads few fields, unpacks few, and packs few anew.

// packed returns the bytes of a local state or a history.
func (t *recordType) packed(r *record) (string, error) {
	var w packer
	b, all := make([]byte, 0, 64), make([]byte, 0, 128)
	for i, of := range t.types {
		if b = b[:0]; r.xs[i] == nil && r.bytes != nil { // nothing has read it
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

// unpacked returns the local state or the history that has some bytes.
func (t *recordType) unpacked(bytes string) *record {
	x := &record{t: t, parts: parts{xs: make([]starlark.Value, len(t.fields))},
		bytes: make([]string, len(t.fields))}
	x.source = func(i int) starlark.Value { return t.types[i].unpack(&unpacker{bytes: x.bytes[i]}) }
	for i, of := range t.types {
		n := (of.bits() + 7) / 8
		if of.bits() == unbounded {
			n, bytes = uvarint(bytes)
		}
		if n > len(bytes) {
			panic(foreign("a record is cut short"))
		}
		x.bytes[i], bytes = bytes[:n], bytes[n:]
	}
	return x
}

// uvarint reads a number of up to 35 bits, and returns the rest.
func uvarint(s string) (x int, rest string) {
	for i := range min(len(s), 5) {
		if x |= int(s[i]&0x7f) << (7 * i); s[i] < 0x80 {
			return x, s[i+1:]
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
		vars = append(vars, model.Var{Name: name, Value: t.types[i].text(r.get(i))})
	}
	return vars
}

// A unionType has the values of several record types: messages.
type unionType struct {
	typed
	of []*recordType
}

func (*unionType) kind() string           { return "record" }
func (*unionType) bits() int              { return unbounded }
func (t *unionType) zero() starlark.Value { return t.of[0].zero() }

// pack appends the number of a record's type, and its bits.
func (t *unionType) pack(w *packer, v starlark.Value) error {
	r, ok := v.(*record)
	if !ok {
		return errors.New(t.unsendable(v, short(v), false))
	}
	i := slices.Index(t.of, r.t)
	if i < 0 {
		return errors.New(t.unsendable(v, r.t.called(), true))
	}
	w.put(uint64(i), bitsFor(len(t.of)))
	return r.t.pack(w, v)
}

// which reads the type of a record, before its bits.
func (t *unionType) which(r *unpacker) *recordType {
	i := int(r.get(bitsFor(len(t.of))))
	if i >= len(t.of) {
		panic(foreign("a message of no kind"))
	}
	return t.of[i]
}

func (t *unionType) unpack(r *unpacker) starlark.Value { return t.which(r).unpack(r) }

func (t *unionType) text(v starlark.Value) string { return v.(*record).t.text(v) }

// packed returns the bytes of a message.
func (t *unionType) packed(v starlark.Value) (string, error) {
	var w packer
	err := t.pack(&w, v)
	return string(w.appendTo(nil)), err
}

// unpacked returns the message that has some bytes.
func (t *unionType) unpacked(bytes string) *record {
	return t.unpack(&unpacker{bytes: bytes}).(*record)
}

// called is how errors name a record of the type.
func (t *recordType) called() string {
	if t.tag != "" {
		return t.tag + "(...)"
	}
	return t.String()
}

// tags is the type of the names of messages.
func (t *unionType) tags() valueType {
	var all []starlark.Value
	for _, of := range t.of {
		all = append(all, starlark.String(of.tag))
	}
	if words, err := newWords(all); err == nil {
		return words
	}
	return &strType{typed{"strings"}}
}

// unsendable explains why a value cannot be sent; v is the value, if it is known, and what its text.
func (t *unionType) unsendable(v starlark.Value, what string, isRecord bool) string {
	var names []string
	for _, of := range t.of {
		if !slices.Contains(names, of.called()) {
			names = append(names, of.called())
		}
	}
	received := cut(words(names), 300)
	of, isType := v.(*recordType)
	switch {
	case isType:
		return fmt.Sprintf("%s is a type of messages; %s() is one", of.tag, of.tag)
	case !isRecord:
		return fmt.Sprintf("send(to, message): %s is no message; the messages in receive = [on(...)] are %s",
			what, received)
	case len(t.of) == 0:
		return fmt.Sprintf("nobody receives %s: processes(receive = [on(MESSAGE, f)]) lists the messages "+
			"received, and it is empty", what)
	}
	return fmt.Sprintf("nobody receives %s; the messages in receive = [on(...)] are %s", what, received)
}
