package file

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// An intType has the whole numbers from lo to hi. With a prefix they are names: of processes.
type intType struct {
	typed
	lo, hi  int
	prefix  string
	isTime  bool // a logical time: see clocks
	stamp   bool // of which 0 is none
	endless bool // no bounds were given
}

// maxInt bounds numbers of which nothing is said: a model that counts for ever fails, and does not end.
const maxInt = math.MaxInt32

func newInt(lo, hi int) *intType {
	return &intType{typed: typed{name: fmt.Sprintf("%d to %d", lo, hi)}, lo: lo, hi: hi}
}

func anyInt(name string) *intType {
	return &intType{typed: typed{name: name}, lo: -maxInt, hi: maxInt, endless: true}
}

// small are the numbers that are needed most.
var small = func() (xs [256]starlark.Value) {
	for i := range xs {
		xs[i] = starlark.MakeInt(i)
	}
	return xs
}()

func number(x int) starlark.Value {
	if 0 <= x && x < len(small) {
		return small[x]
	}
	return starlark.MakeInt(x)
}

func (t *intType) zero() starlark.Value {
	if t.endless {
		return number(0)
	}
	return number(t.lo)
}

func (t *intType) of(v starlark.Value) (int, error) {
	i, ok := v.(starlark.Int)
	x, exact := i.Int64()
	if !ok || !exact || x < int64(t.lo) || x > int64(t.hi) {
		allowed := t.name
		if t.endless {
			allowed = fmt.Sprintf("whole numbers up to %d", maxInt)
		}
		return 0, misfit(v, allowed)
	}
	return int(x), nil
}

func (t *intType) fit(v starlark.Value) (starlark.Value, error) { _, err := t.of(v); return v, err }

func (t *intType) write(b []byte, v starlark.Value) ([]byte, error) {
	x, err := t.of(v)
	return strconv.AppendInt(append(b, t.prefix...), int64(x), 10), err
}

func (t *intType) read(r *reader) starlark.Value {
	if !r.skip(t.prefix) {
		r.fail(t.name)
	}
	x := r.number()
	if x < t.lo || x > t.hi {
		r.fail(t.name)
	}
	return number(x)
}

func (t *intType) bits() int {
	if t.endless {
		return unbounded
	}
	return bitsFor(t.hi - t.lo + 1)
}

func (t *intType) pack(w *bitWriter, v starlark.Value) error {
	x, err := t.of(v)
	w.put(uint64(x-t.lo), t.bits())
	return err
}

func (t *intType) unpack(r *bitReader) starlark.Value { return number(int(r.get(t.bits())) + t.lo) }

// A wordType has some listed values: words, numbers, or pairs of them.
type wordType struct {
	typed
	values []starlark.Value
	texts  []string
	at     *starlark.Dict // value to its place
}

func newWords(values []starlark.Value) (*wordType, error) {
	t, listed := &wordType{at: starlark.NewDict(len(values))}, map[string]bool{}
	for i, v := range values {
		text, err := word(v)
		if list, is := v.(starlark.Iterable); is && len(values) == 1 && err != nil {
			return nil,
				fmt.Errorf("%s is a list, and that is a type as it stands; in enum(...) stand its values",
					short(list))
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
		if err := t.at.SetKey(v, starlark.MakeInt(i)); err != nil {
			return nil, err
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("no value is listed, so there is none")
	}
	t.at.Freeze()
	t.name = cut(strings.Join(t.texts, ", "), 300)
	return t, nil
}

// word returns the text of a listed value.
func word(v starlark.Value) (string, error) {
	switch v := v.(type) {
	case starlark.String:
		s := string(v)
		if s == "" || s == "None" || strings.ContainsAny(s, "[](){},:|\"\n") ||
			strings.ContainsFunc(s, control) {
			return "", fmt.Errorf("%s is no word: allowed are characters other than brackets, commas, "+
				"colons, bars and quotes", short(v))
		}
		return s, nil
	case starlark.Int:
		return v.String(), nil
	case starlark.Bool:
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
		if len(v) > 1 && v[0].Type() == "string" {
			return parts[0] + "(" + strings.Join(parts[1:], ",") + ")", nil
		}
		if len(v) == 1 {
			return "(" + parts[0] + ",)", nil
		}
		return "(" + strings.Join(parts, ",") + ")", nil
	}
	return "", fmt.Errorf("%s cannot be listed; allowed are words, numbers, and tuples of them", short(v))
}

func (t *wordType) zero() starlark.Value { return t.values[0] }

func (t *wordType) of(v starlark.Value) (int, error) {
	place, found, err := t.at.Get(v)
	if err != nil || !found {
		return 0, misfit(v, t.name)
	}
	i, _ := starlark.AsInt32(place)
	return i, nil
}

func (t *wordType) fit(v starlark.Value) (starlark.Value, error) { _, err := t.of(v); return v, err }

func (t *wordType) write(b []byte, v starlark.Value) ([]byte, error) {
	i, err := t.of(v)
	return append(b, t.texts[i]...), err
}

func (t *wordType) read(r *reader) starlark.Value {
	best := -1
	for i, text := range t.texts { // the longest
		if strings.HasPrefix(r.s[r.at:], text) && (best < 0 || len(text) > len(t.texts[best])) {
			best = i
		}
	}
	if best < 0 {
		r.fail("one of " + t.name)
	}
	r.at += len(t.texts[best])
	return t.values[best]
}

func (t *wordType) bits() int { return bitsFor(len(t.values)) }

func (t *wordType) pack(w *bitWriter, v starlark.Value) error {
	i, err := t.of(v)
	w.put(uint64(i), t.bits())
	return err
}

func (t *wordType) unpack(r *bitReader) starlark.Value {
	return t.values[min(int(r.get(t.bits())), len(t.values)-1)]
}

// A boolType has True and False.
type boolType struct{ typed }

func (*boolType) zero() starlark.Value { return starlark.False }

func (*boolType) fit(v starlark.Value) (starlark.Value, error) {
	if _, ok := v.(starlark.Bool); !ok {
		return v, misfit(v, "True and False")
	}
	return v, nil
}

func (t *boolType) write(b []byte, v starlark.Value) ([]byte, error) {
	if _, err := t.fit(v); err != nil {
		return b, err
	}
	return append(b, v.String()...), nil
}

func (*boolType) read(r *reader) starlark.Value {
	switch {
	case r.skip("True"):
		return starlark.True
	case r.skip("False"):
		return starlark.False
	}
	r.fail("True or False")
	return nil
}

func (*boolType) bits() int { return 1 }

func (t *boolType) pack(w *bitWriter, v starlark.Value) error {
	_, err := t.fit(v)
	if v == starlark.True {
		w.put(1, 1)
	} else {
		w.put(0, 1)
	}
	return err
}

func (*boolType) unpack(r *bitReader) starlark.Value { return starlark.Bool(r.get(1) == 1) }

// A strType has all strings.
type strType struct{ typed }

func (*strType) zero() starlark.Value { return starlark.String("") }

func (*strType) fit(v starlark.Value) (starlark.Value, error) {
	if _, ok := v.(starlark.String); !ok {
		return v, misfit(v, "a string")
	}
	return v, nil
}

func (t *strType) write(b []byte, v starlark.Value) ([]byte, error) {
	_, err := t.fit(v)
	s, _ := starlark.AsString(v)
	return strconv.AppendQuote(b, s), err
}

func (*strType) read(r *reader) starlark.Value {
	quoted, err := strconv.QuotedPrefix(r.s[r.at:])
	if err != nil {
		r.fail("a string")
	}
	r.at += len(quoted)
	s, _ := strconv.Unquote(quoted) // it is quoted
	return starlark.String(s)
}

func (*strType) bits() int                             { return unbounded }
func (*strType) pack(*bitWriter, starlark.Value) error { panic("file: strings have no bits") }
func (*strType) unpack(*bitReader) starlark.Value      { panic("file: strings have no bits") }

// An optionType has None, and the values of another type.
type optionType struct {
	typed
	of valueType
}

func (*optionType) zero() starlark.Value { return starlark.None }

func (t *optionType) fit(v starlark.Value) (starlark.Value, error) {
	if v == starlark.None {
		return v, nil
	}
	return t.of.fit(v)
}

func (t *optionType) write(b []byte, v starlark.Value) ([]byte, error) {
	if v == starlark.None {
		return append(b, "None"...), nil
	}
	return t.of.write(b, v)
}

func (t *optionType) read(r *reader) starlark.Value {
	if r.skip("None") {
		return starlark.None
	}
	return t.of.read(r)
}

func (t *optionType) bits() int {
	n := t.of.bits()
	if n == unbounded {
		return n
	}
	return n + 1
}

func (t *optionType) pack(w *bitWriter, v starlark.Value) error {
	if v == starlark.None {
		w.put(0, t.bits())
		return nil
	}
	w.put(1, 1)
	return t.of.pack(w, v)
}

func (t *optionType) unpack(r *bitReader) starlark.Value {
	if r.get(1) == 0 {
		r.at += t.of.bits()
		return starlark.None
	}
	return t.of.unpack(r)
}
