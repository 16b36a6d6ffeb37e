package starfile

import (
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
	whole  func()                     // prepares source for all parts; may be nil
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

func (p *parts) all() starlark.Tuple {
	if p.whole != nil && slices.Contains(p.xs, nil) {
		p.whole()
		p.whole = nil
	}
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

// set changes a part, which is of a type, and has a name in errors.
func (p *parts) set(name string, i int, of *valueType, v starlark.Value) error {
	x, err := fit(of, v)
	if err != nil {
		return within(name, err)
	}
	p.xs[i] = x
	return nil
}

// An array is a value of a type of arrays.
type array struct {
	parts
	t *valueType
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
	i, err := a.t.key.place(k)
	if err != nil {
		err = fmt.Errorf("there is no element %s; allowed: %s", short(k), a.t.key.name)
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
	return a.set("element "+short(k), i, a.t.of, v)
}

// CompareSameType compares element by element.
func (a *array) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return starlark.CompareDepth(op, a.all(), y.(*array).all(), depth)
}

// A recordType is a type of records as a file has it: called, it makes one.
type recordType struct{ *valueType }

var _ starlark.Callable = (*recordType)(nil)

// Name is the name of the type in calls.
func (t *recordType) Name() string { return t.name }

// CallInternal makes a record: of values for the first fields in their order, and of others by name.
func (t *recordType) CallInternal(
	_ *starlark.Thread, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
	r := t.zero().(*record)
	if len(args) > len(t.fields) {
		return nil, fmt.Errorf("%s has %d fields, and %d values were given", t.name, len(t.fields), len(args))
	}
	var pairs []starlark.Tuple
	for i, v := range args {
		pairs = append(pairs, starlark.Tuple{starlark.String(t.fields[i]), v})
	}
	for _, pair := range append(pairs, named...) {
		if err := r.SetField(string(pair[0].(starlark.String)), pair[1]); err != nil {
			return nil, err
		}
	}
	if t.tag != "" {
		r.Freeze() // messages do not change
	}
	return r, nil
}

// A record is a value of a type of records or messages.
type record struct {
	parts
	t     *valueType
	bytes []string       // of the fields that nothing has read, if the record was unpacked
	id    starlark.Value // the field id of a local state; nil otherwise
	// place is, for a message on its way under FIFO, its channel and its place, from 1; otherwise 0.
	place uint64
}

// placeBits are the bits of a place in a channel, without the channel.
const placeBits = 32

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
	if !r.t.equals(s.t) {
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
	if name == "id" && r.id != nil {
		return errors.New("id is the number of the process, and does not change")
	}
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
	return r.set("field "+name, i, r.t.types[i], v)
}

// Local states and histories are bytes: of each field by itself, with their number before them where its
// type has no fixed size. So a step, which reads few fields, unpacks few, and packs few anew.

func (t *valueType) packed(r *record) (string, error) {
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
		if of.bits == unbounded {
			all = binary.AppendUvarint(all, uint64(len(b)))
		}
		all = append(all, b...)
	}
	return string(all), nil
}

func (t *valueType) unpacked(bytes string) *record {
	x := &record{t: t, parts: parts{xs: make([]starlark.Value, len(t.fields))},
		bytes: make([]string, len(t.fields))}
	x.source = func(i int) starlark.Value { return t.types[i].unpack(&unpacker{bytes: x.bytes[i]}) }
	for i, of := range t.types {
		n := (of.bits + 7) / 8
		if of.bits == unbounded {
			length, k := binary.Uvarint([]byte(bytes[:min(len(bytes), binary.MaxVarintLen32)]))
			if k <= 0 {
				panic(foreign("a record is cut short"))
			}
			n, bytes = int(length), bytes[k:]
		}
		if n > len(bytes) {
			panic(foreign("a record is cut short"))
		}
		x.bytes[i], bytes = bytes[:n], bytes[n:]
	}
	return x
}

func (t *valueType) packedMessage(v starlark.Value) (string, error) {
	var w packer
	err := t.pack(&w, v)
	return string(w.appendTo(nil)), err
}

func (t *valueType) unpackedMessage(bytes string) *record {
	return t.unpack(&unpacker{bytes: bytes}).(*record)
}

func (t *valueType) vars(bytes string) (vars []model.Var) {
	r := t.unpacked(bytes)
	for i, name := range t.fields {
		vars = t.types[i].flat(vars, model.Var{Name: name}, r.get(i))
	}
	return vars
}

// flat appends a variable of the type, or of a record, and of an array of records, the fields.
func (t *valueType) flat(vars []model.Var, is model.Var, v starlark.Value) []model.Var {
	parted := t.is == arrays && slices.Contains([]form{records, arrays, unions}, t.of.is)
	if parted || t.is == records && t.tag == "" {
		xs, _ := t.partsOf(v) // v is of the type
		for i, x := range xs {
			part := is
			if t.is == records {
				part.Name += "." + t.fields[i]
			} else {
				part.Name += "[" + t.key.texts[i] + "]"
			}
			vars = t.at(i).flat(vars, part, x)
		}
		return vars
	}
	is.Value = t.text(v)
	return append(vars, is)
}
