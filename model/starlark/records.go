package starfile

import (
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
func (p *parts) set(i int, of *valueType, v starlark.Value) error {
	x, err := fit(of, v)
	if err == nil {
		p.xs[i] = x
	}
	return err
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
	if err = a.set(i, a.t.of, v); err != nil {
		return within("element "+short(k), err)
	}
	return nil
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

// A record is a value of a type of records or messages.
type record struct {
	parts
	t  *valueType
	id starlark.Value // the field id of a local state; nil otherwise
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

// packed returns the bytes of a local state, a history or a message.
func (t *valueType) packed(v starlark.Value) (string, error) {
	w := packer{words: make([]uint32, 0, 16)}
	err := t.pack(&w, v)
	return string(w.appendTo(make([]byte, 0, 64))), err
}

// unpacked returns the local state, the history or the message that has some bytes.
func (t *valueType) unpacked(bytes string) *record {
	return t.unpack(&unpacker{bytes: bytes}).(*record)
}

// vars lists the fields of a local state or a history.
func (t *valueType) vars(bytes string) (vars []model.Var) {
	if bytes == "" {
		return nil
	}
	r := t.unpacked(bytes)
	for i, name := range t.fields {
		vars = append(vars, model.Var{Name: name, Value: t.types[i].text(r.get(i))})
	}
	return vars
}
