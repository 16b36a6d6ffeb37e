package starfile

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// A valueType is a set of values: of a variable, a field or an element. Files make types and declare with
// them.
type valueType interface {
	starlark.Value
	// zero returns the first value, a new one that may be changed.
	zero() starlark.Value
	// bits is how many bits a value takes; unbounded if there is no limit.
	bits() int
	// pack appends the bits of v, or returns an error if v is not of the type.
	pack(w *packer, v starlark.Value) error
	// unpack returns the value that has the bits, a new one.
	unpack(r *unpacker) starlark.Value
	// text is v as reports show it.
	text(v starlark.Value) string
	// kind is Starlark's name of the type of the values; "" if they have several.
	kind() string
}

// typed makes a type, or a part of a model that a file declares, a value of the language.
type typed struct{ name string }

func (t *typed) String() string      { return t.name }
func (*typed) Type() string          { return "type" }
func (*typed) Freeze()               {}
func (*typed) Truth() starlark.Bool  { return true }
func (*typed) Hash() (uint32, error) { return 0, fmt.Errorf("a type is no key") }
func (*typed) kind() string          { return "" }

// naming is a type's name, which may be long where types are nested.
func naming(name string) typed { return typed{cut(name, 200)} }

// fit returns v as a value of a type that nothing else can change.
func fit(t valueType, v starlark.Value) (starlark.Value, error) {
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

// typeOf returns the type that a value of the language stands for: a type; bool, int and str; a range;
// or a list of values.
func typeOf(v starlark.Value) (valueType, error) {
	switch v := v.(type) {
	case valueType:
		return v, nil
	case *starlark.Builtin:
		switch v.Name() {
		case "bool":
			return boolType, nil
		case "int":
			return anyInt("whole numbers"), nil
		case "str":
			return &strType{typed{name: "strings"}}, nil
		}
	case starlark.String:
	case starlark.Tuple:
		if len(v) == 2 {
			if of, err := typeOf(v[0]); err == nil {
				return nil, fmt.Errorf("a pair of a type and an initial value is for fields of records "+
					"only; here the type alone: %s", of)
			}
		}
		return newWords(v)
	case starlark.Iterable:
		values, err := elements(v)
		if err != nil {
			return nil, err
		}
		if len(values) > 0 && v.Type() == "range" {
			first, _ := starlark.AsInt32(values[0])
			last, _ := starlark.AsInt32(values[len(values)-1])
			if last-first == len(values)-1 {
				return newInt(first, last), nil
			}
		}
		return newWords(values)
	}
	return nil, fmt.Errorf("%s is no type; allowed: bool, int, str, a range, a list of the values, "+
		"enum, optional, set_of, list_of, dict_of, array, record", short(v))
}

// valuesOf returns all values of a type; nil if there are too many, or they are not scalars.
func valuesOf(t valueType) (all []starlark.Value) {
	switch t := t.(type) {
	case *wordType:
		return t.values
	case *intType:
		for x := t.lo; x <= t.hi && t.hi-t.lo < maxBits; x++ {
			all = append(all, number(x))
		}
	}
	return all
}

// An intType has the whole numbers from lo to hi. With a prefix they are names: of processes.
type intType struct {
	typed
	lo, hi  int
	prefix  string
	isTime  bool // a logical time: see clocks
	stamp   bool // a time where 0 means none
	endless bool // no bounds were given
}

// maxInt bounds numbers that have no declared bounds, so that a model that counts for ever fails.
const maxInt = math.MaxInt32

func newInt(lo, hi int) *intType {
	return &intType{typed: typed{name: fmt.Sprintf("%d to %d", lo, hi)}, lo: lo, hi: hi}
}

func anyInt(name string) *intType {
	return &intType{typed: typed{name: name}, lo: -maxInt, hi: maxInt, endless: true}
}

func newTime(stamp bool) *intType {
	return &intType{typed: typed{name: "times"}, hi: maxInt, isTime: true, stamp: stamp, endless: true}
}

func number(x int) starlark.Value { return starlark.MakeInt(x) }

func (*intType) kind() string { return "int" }

func (t *intType) zero() starlark.Value {
	if t.endless {
		return number(0)
	}
	return number(t.lo)
}

func (t *intType) bits() int {
	if t.endless {
		return unbounded
	}
	return bitsFor(t.hi - t.lo + 1)
}

// place returns which of the numbers v is, from 0 on.
func (t *intType) place(v starlark.Value) (int, error) {
	i, ok := v.(starlark.Int)
	x, exact := i.Int64()
	if ok && exact && int64(t.lo) <= x && x <= int64(t.hi) {
		return int(x) - t.lo, nil
	}
	if t.endless {
		return 0, misfit(v, fmt.Sprintf("whole numbers up to %d", maxInt))
	}
	return 0, misfit(v, t.name)
}

func (t *intType) pack(w *packer, v starlark.Value) error {
	i, err := t.place(v)
	if t.endless {
		w.number(i + t.lo)
	} else {
		w.put(uint64(i), t.bits())
	}
	return err
}

func (t *intType) unpack(r *unpacker) starlark.Value {
	x := 0
	if t.endless {
		x = r.number()
	} else {
		x = int(r.get(t.bits())) + t.lo
	}
	if x < t.lo || x > t.hi {
		panic(foreign(fmt.Sprintf("the number %d", x)))
	}
	return number(x)
}

func (t *intType) text(v starlark.Value) string { return t.prefix + v.String() }

// A wordType has listed values: words, numbers, booleans, or tuples of them.
type wordType struct {
	typed
	values []starlark.Value
	texts  []string
	places *starlark.Dict // of values among values
}

var boolType = func() *wordType {
	t := mustWords([]starlark.Value{starlark.False, starlark.True})
	t.name = "True and False"
	return t
}()

func mustWords(values []starlark.Value) *wordType {
	t, err := newWords(values)
	if err != nil {
		panic(err)
	}
	return t
}

func newWords(values []starlark.Value) (*wordType, error) {
	t, listed := &wordType{places: starlark.NewDict(len(values))}, map[string]bool{}
	for i, v := range values {
		text, err := word(v)
		if list, is := v.(starlark.Iterable); is && len(values) == 1 && err != nil {
			return nil, fmt.Errorf("%s is a list, which is a type by itself; enum(...) takes the values "+
				"one by one", short(list))
		}
		if err != nil {
			return nil, err
		}
		if listed[text] {
			return nil, fmt.Errorf("%s is listed twice", text)
		}
		listed[text] = true
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
	t.name = cut(words(t.texts), 300)
	return t, nil
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
		switch {
		case len(v) > 1 && v[0].Type() == "string":
			return parts[0] + "(" + strings.Join(parts[1:], ",") + ")", nil
		case len(v) == 1:
			return "(" + parts[0] + ",)", nil
		}
		return "(" + strings.Join(parts, ",") + ")", nil
	}
	return "", fmt.Errorf("%s cannot be listed; allowed are words, numbers, and tuples of them", short(v))
}

// texts are values as they stand in the names of actions and of members.
func texts(values []starlark.Value) (all []string) {
	for _, v := range values {
		text, err := word(v)
		if err != nil { // no word, and not kept in a state
			text = short(v)
		}
		all = append(all, text)
	}
	return all
}

func (t *wordType) zero() starlark.Value { return t.values[0] }

// place returns which of the values v is.
func (t *wordType) place(v starlark.Value) (int, error) {
	place, found, err := t.places.Get(v)
	if err != nil || !found {
		return 0, misfit(v, t.name)
	}
	i, _ := starlark.AsInt32(place)
	return i, nil
}

func (t *wordType) bits() int { return bitsFor(len(t.values)) }

func (t *wordType) pack(w *packer, v starlark.Value) error {
	i, err := t.place(v)
	w.put(uint64(i), t.bits())
	return err
}

func (t *wordType) unpack(r *unpacker) starlark.Value {
	return t.values[min(int(r.get(t.bits())), len(t.values)-1)]
}

func (t *wordType) text(v starlark.Value) string {
	i, _ := t.place(v) // v is of the type
	return t.texts[i]
}

// A strType has all strings of at most longest bytes.
type strType struct{ typed }

func (*strType) kind() string         { return "string" }
func (*strType) zero() starlark.Value { return starlark.String("") }
func (*strType) bits() int            { return unbounded }

func (*strType) pack(w *packer, v starlark.Value) error {
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
}

func (*strType) unpack(r *unpacker) starlark.Value {
	b := make([]byte, r.count())
	for i := range b {
		b[i] = byte(r.get(8))
	}
	return starlark.String(b)
}

func (*strType) text(v starlark.Value) string { return strconv.Quote(string(v.(starlark.String))) }

// An optionType has None, and the values of another type.
type optionType struct {
	typed
	of valueType
}

func (*optionType) zero() starlark.Value { return starlark.None }

func (t *optionType) bits() int {
	n := t.of.bits()
	if n == unbounded {
		return n
	}
	return n + 1
}

func (t *optionType) pack(w *packer, v starlark.Value) error {
	if v == starlark.None {
		w.put(0, max(1, t.bits()))
		return nil
	}
	w.put(1, 1)
	return t.of.pack(w, v)
}

func (t *optionType) unpack(r *unpacker) starlark.Value {
	if r.get(1) == 1 {
		return t.of.unpack(r)
	}
	r.at += max(1, t.bits()) - 1
	return starlark.None
}

func (t *optionType) text(v starlark.Value) string {
	if v == starlark.None {
		return "None"
	}
	return t.of.text(v)
}
