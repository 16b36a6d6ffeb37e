package starfile

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A form is a form of values: Starlark's name of their type, or one of several types.
type form string

// The forms of types.
const (
	numbers      form = "int"
	texts        form = "string"
	lists        form = "list"
	sets         form = "set"
	dictionaries form = "dict"
	arrays       form = "array"
	records      form = "record"
	listed       form = "listed values"   // words, numbers, booleans, or tuples of them
	optionals    form = "optional values" // None, and the values of another type
	unions       form = "unions"          // values of any of several types
)

// A valueType is a set of values: of a variable, a field or an element. Files make types and declare with
// them.
type valueType struct {
	typed
	is    form
	bits  int  // of each value; unbounded if there is no limit
	timed bool // values hold logical times: see clocks

	lo, hi  int    // of numbers: the first and the last
	endless bool   // of numbers: no bounds were given
	stamp   bool   // of a time: 0 means none
	timer   bool   // they are ticks that are left: see tick
	prefix  string // of numbers that are names of processes

	procs *[]string // the names of the processes of roles, from 1 on

	values []starlark.Value // of listed values
	texts  []string         // of the values
	places *starlark.Dict   // of the values

	key  *valueType       // of arrays, where it is listed, and of dictionaries
	of   *valueType       // of the elements, or of an optional value
	most int              // of lists: the largest length
	all  []starlark.Value // of sets: all values of the elements, if they are listed and not many

	declaredAt string // of a record or a message: its place in a file; "": the language makes it

	tag    string // of a message: its name
	fields []string
	types  []*valueType // of the fields, or of a union

	begin starlark.Value // with which a variable of the type begins; nil: the first value
	same  [32]byte       // equal for types with the same values: see equals
}

// typed makes a type, or a part of a model that a file declares, a value of the language.
type typed struct{ name string }

func (t *typed) String() string      { return t.name }
func (*typed) Type() string          { return "type" }
func (*typed) Freeze()               {}
func (*typed) Truth() starlark.Bool  { return true }
func (*typed) Hash() (uint32, error) { return 0, fmt.Errorf("a type is no key") }

// newType completes a type, whose name may be long where types are nested.
func newType(name string, t valueType) *valueType {
	t.name = cut(name, 200)
	t.same = t.identity()
	switch t.bits = unbounded; t.is {
	case numbers:
		if !t.endless {
			t.bits = bitsFor(t.hi - t.lo + 1)
		}
	case listed:
		t.bits = bitsFor(len(t.values))
	case arrays:
		t.bits = times(len(t.key.values), t.of.bits)
	case sets:
		if t.all != nil {
			t.bits = len(t.all)
		}
	case lists:
		t.bits = sum(bitsFor(t.most+1), times(t.most, t.of.bits))
	case optionals:
		t.bits = sum(1, t.of.bits)
	case records:
		t.bits = 0
		for _, of := range t.types {
			t.bits = sum(t.bits, of.bits)
		}
	}
	t.timed = t.timed || t.of != nil && t.of.timed && t.is != sets ||
		slices.ContainsFunc(t.types, func(of *valueType) bool { return of.timed })
	return &t
}

// identity is a hash of what decides about the values of a type, other than its name and where it begins.
func (t *valueType) identity() [32]byte {
	parts := []any{t.is, t.tag, t.lo, t.hi, t.endless, t.timed, t.stamp, t.timer, t.prefix, t.most, t.fields}
	for _, v := range t.values {
		parts = append(parts, v.Type(), v)
	}
	for _, of := range append([]*valueType{t.key, t.of}, t.types...) {
		if parts = append(parts, of != nil); of != nil {
			parts = append(parts, of.same)
		}
	}
	return sha256.Sum256(fmt.Appendf(nil, "%q", parts))
}

// equals reports whether two types have the same values: a type may be declared several times.
func (t *valueType) equals(u *valueType) bool {
	return t == u || t != nil && u != nil && t.same == u.same
}

// fit returns v as a value of a type that nothing else can change.
func fit(t *valueType, v starlark.Value) (starlark.Value, error) {
	var w packer
	if err := t.pack(&w, v); err != nil {
		return nil, err
	}
	if isScalar(v) {
		return v, nil
	}
	return t.unpack(&unpacker{words: w.words}), nil
}

// isScalar reports whether a value cannot be changed and has no parts.
func isScalar(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Bool, starlark.String, starlark.Int, starlark.NoneType:
		return true
	}
	return false
}

// declaredType returns the type that a value is; nil for other values.
func declaredType(v starlark.Value) *valueType {
	switch v := v.(type) {
	case *valueType:
		return v
	case *recordType:
		return v.valueType
	}
	return nil
}

// typeOf returns the type that a value of the language stands for: a type; bool, int and str; a range;
// or a list of values.
func typeOf(v starlark.Value) (*valueType, error) {
	if t := declaredType(v); t != nil {
		return t, nil
	}
	switch v := v.(type) {
	case *starlark.Builtin:
		switch v.Name() {
		case "bool":
			return boolType, nil
		case "int":
			return anyInt("whole numbers"), nil
		case "str":
			return strType, nil
		}
	case starlark.String:
	case starlark.Tuple:
		if _, words := word(v[:min(1, len(v))]); len(v) == 2 && words != nil { // a type, and its first value
			of, err := typeOf(v[0])
			if err != nil {
				return nil, err
			}
			first, err := fit(of, v[1])
			if err != nil {
				return nil, err
			}
			first.Freeze()
			beginning := *of
			beginning.begin = first
			return &beginning, nil
		}
		return newWords(v)
	case starlark.Iterable:
		values, err := elements(v)
		if err != nil {
			return nil, err
		}
		if len(values) > 0 && (v.Type() == "range" || v.Type() == "role") {
			first, _ := starlark.AsInt32(values[0])
			if last, _ := starlark.AsInt32(values[len(values)-1]); last-first == len(values)-1 {
				return newInt(first, last), nil
			}
		}
		return newWords(values)
	}
	return nil, fmt.Errorf("%s is no type; allowed: bool, int, str, a range, a list of the values, "+
		"enum, optional, set_of, list_of, dict_of, array, record", short(v))
}

// valuesOf returns all values of a type; nil if there are too many, or they are not scalars.
func valuesOf(t *valueType) (all []starlark.Value) {
	all = t.values
	for x := t.lo; t.is == numbers && x <= t.hi && t.hi-t.lo < maxBits; x++ {
		all = append(all, number(x))
	}
	return all
}

// maxInt bounds numbers that have no declared bounds, so that a model that counts for ever fails.
const maxInt = math.MaxInt32

func newInt(lo, hi int) *valueType {
	return newType(fmt.Sprintf("%d to %d", lo, hi), valueType{is: numbers, lo: lo, hi: hi})
}

func anyInt(name string) *valueType {
	return newType(name, valueType{is: numbers, lo: -maxInt, hi: maxInt, endless: true})
}

func newTime(stamp bool) *valueType {
	return newType("times", valueType{is: numbers, hi: maxInt, endless: true, timed: true, stamp: stamp})
}

func number(x int) starlark.Value { return starlark.MakeInt(x) }

var (
	strType  = newType("strings", valueType{is: texts})
	boolType = newType("True and False", *mustWords([]starlark.Value{starlark.False, starlark.True}))
)

func mustWords(values []starlark.Value) *valueType {
	t, err := newWords(values)
	if err != nil {
		panic(err)
	}
	return t
}

// newWords is the type of some listed values.
func newWords(values []starlark.Value) (*valueType, error) {
	t, known := valueType{is: listed, places: starlark.NewDict(len(values))}, map[string]bool{}
	for i, v := range values {
		text, err := word(v)
		if err != nil {
			return nil, err
		}
		if known[text] {
			return nil, fmt.Errorf("%s is listed twice", text)
		}
		known[text] = true
		v.Freeze()
		t.values, t.texts = append(t.values, v), append(t.texts, text)
		if err := t.places.SetKey(v, number(i)); err != nil {
			return nil, err
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("a list of values cannot be empty")
	}
	t.places.Freeze()
	all := newType("", t)
	all.name = cut(words(t.texts), 300)
	return all, nil
}

// word returns the text of a listed value.
func word(v starlark.Value) (string, error) {
	switch v := v.(type) {
	case starlark.String:
		s := string(v)
		if s == "" || s == "None" || strings.ContainsAny(s, "[](){},:|\"\n") ||
			strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return "", fmt.Errorf("%s is no word: allowed are characters other than brackets, commas, "+
				"colons, bars and quotes", short(v))
		}
		return s, nil
	case starlark.Int, starlark.Bool:
		return v.String(), nil
	case starlark.Tuple:
		var parts []string
		for _, x := range v {
			text, err := word(x)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		other := func(x starlark.Value) bool { return x.Type() != "string" }
		switch {
		case len(v) > 1 && !other(v[0]) && slices.ContainsFunc(v, other): // ("read", 1) is read(1)
			return parts[0] + "(" + strings.Join(parts[1:], ",") + ")", nil
		case len(v) == 1:
			return "(" + parts[0] + ",)", nil
		}
		return "(" + strings.Join(parts, ",") + ")", nil
	}
	return "", fmt.Errorf("%s cannot be listed; allowed are words, numbers, and tuples of them", short(v))
}

// textsOf are values as they stand in the names of actions and of members.
func textsOf(values []starlark.Value) (all []string) {
	for _, v := range values {
		text, err := word(v)
		if err != nil { // no word, and not kept in a state
			text = short(v)
		}
		all = append(all, text)
	}
	return all
}

func newOption(of *valueType) *valueType {
	return newType("None, "+of.String(), valueType{is: optionals, of: of})
}

func newSet(of *valueType) *valueType {
	t := valueType{is: sets, of: of}
	if all := valuesOf(of); len(all) <= maxBits {
		t.all = all
	}
	return newType("sets of "+of.String(), t)
}

func newList(of *valueType, most int) *valueType {
	return newType("lists of "+of.String(), valueType{is: lists, of: of, most: most})
}

func newDict(key, of *valueType) *valueType {
	return newType("dictionaries", valueType{is: dictionaries, key: key, of: of})
}

// newArray is the type of arrays with numbers or words as keys: they have a value for each key.
func newArray(keys, of *valueType) (*valueType, error) {
	values := valuesOf(keys)
	if values == nil {
		return nil, fmt.Errorf("array: %s cannot be keys; allowed: numbers in a range, and words", keys)
	}
	key, err := newWords(values)
	if err != nil {
		return nil, fmt.Errorf("array: %w", err)
	}
	return newType("arrays of "+of.String(), valueType{is: arrays, key: key, of: of}), nil
}

// newRecord makes the type of records, or with a tag of messages; at is its place in a file.
func newRecord(name, tag, at string, named []starlark.Tuple) (*valueType, error) {
	t := valueType{is: records, tag: tag, declaredAt: at}
	for _, pair := range named {
		field := string(pair[0].(starlark.String))
		of, err := typeOf(pair[1])
		if err != nil {
			return nil, fmt.Errorf("%s: field %s: %w", name, field, err)
		}
		if field == "id" {
			return nil, fmt.Errorf("%s: id is the number of a process, and cannot be a field", name)
		}
		t.fields, t.types = append(t.fields, field), append(t.types, of)
	}
	return newType(name, t), nil
}

// given is the type of a record that the language itself makes, of fields and their types in turn.
func given(name string, fieldsAndTypes ...any) *valueType {
	t := valueType{is: records}
	for i := 0; i < len(fieldsAndTypes); i += 2 {
		t.fields = append(t.fields, fieldsAndTypes[i].(string))
		t.types = append(t.types, fieldsAndTypes[i+1].(*valueType))
	}
	return newType(name, t)
}

func newMessages(types []*valueType) *valueType {
	return newType("messages", valueType{is: unions, tag: "messages", types: types})
}

// newUnion is the type of the values of any of some types. A value of several has the bits of the first.
func newUnion(types []*valueType) *valueType {
	names, most := mapped(types, (*valueType).called), 0
	for _, of := range types {
		if most = max(most, of.bits); of.bits == unbounded {
			most = maxBits
		}
	}
	t := newType(strings.Join(names, " or "), valueType{is: unions, types: types})
	t.bits = sum(bitsFor(len(types)), most)
	return t
}

// member returns which type of a union a value is of; -1: of none.
func (t *valueType) member(v starlark.Value) int {
	return slices.IndexFunc(t.types, func(of *valueType) bool {
		r, is := v.(*record)
		return is && of.equals(r.t) || !is && of.pack(&packer{}, v) == nil
	})
}

// called is how errors name a record of the type.
func (t *valueType) called() string {
	if t.tag != "" {
		return t.tag + "(...)"
	}
	return t.String()
}

// tags is the type of the names of messages.
func (t *valueType) tags() *valueType {
	tags := mapped(t.types, func(of *valueType) starlark.Value { return starlark.String(of.tag) })
	if words, err := newWords(tags); err == nil {
		return words
	}
	return strType
}

// unsendable explains why a value cannot be sent; v is the value, if it is known, and what its text.
func (t *valueType) unsendable(v starlark.Value, what string, isRecord bool) string {
	var names []string
	for _, of := range t.types {
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
	case len(t.types) == 0:
		return fmt.Sprintf("nobody receives %s: processes(receive = [on(MESSAGE, f)]) lists the messages "+
			"received, and it is empty", what)
	}
	return fmt.Sprintf("nobody receives %s; the messages in receive = [on(...)] are %s", what, received)
}

// isA reports whether there is a type, and it is of a form.
func (t *valueType) isA(is form) bool { return t != nil && t.is == is }

// holds reports whether the values of a type have elements.
func (t *valueType) holds() bool { return t != nil && t.of != nil && t.is != optionals }

// keyed reports whether the elements of values of a type have keys.
func (t *valueType) keyed() bool { return t.holds() && t.key != nil }
