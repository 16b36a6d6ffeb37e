package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A speller writes values, until it has written enough. Equal values have one text.
type speller struct {
	strings.Builder
	most int
	cut  bool // something was left out
}

// short writes a value, at most so much of it that fits a line: values may be deep or hold themselves.
func short(v starlark.Value) string {
	s := speller{most: 100}
	s.value(v, 3)
	return cut(s.String(), 100)
}

// whole is the text of a value as it is put into a string.
func whole(v starlark.Value) (string, error) {
	if text, ok := v.(starlark.String); ok {
		if len(text) > maxElements {
			return "", fmt.Errorf("a string of %d bytes is too large; allowed are %d", len(text), maxElements)
		}
		return string(text), nil
	}
	s := speller{most: maxElements}
	s.value(v, maxNesting)
	if s.cut || s.Len() > maxElements {
		return "", fmt.Errorf("%s is too large for a string: allowed are %d bytes, and values nested %d deep",
			short(v), maxElements, maxNesting)
	}
	return s.String(), nil
}

// value writes a value, down to a depth.
func (s *speller) value(v starlark.Value, depth int) {
	switch {
	case v == nil:
		s.WriteString("nothing")
		return
	case depth == 0 || s.Len() > s.most:
		s.WriteString("...")
		s.cut = true
		return
	}
	switch v := v.(type) {
	case *starlark.List:
		s.all("[", v, "]", depth)
	case starlark.Tuple:
		if len(v) == 1 {
			s.all("(", v, ",)", depth)
		} else {
			s.all("(", v, ")", depth)
		}
	case *array:
		s.all("[", v, "]", depth)
	case *starlark.Set:
		keys := make([]starlark.Value, 0, v.Len())
		for x := range v.Elements() {
			keys = append(keys, x)
		}
		s.sorted(keys, nil, depth)
	case *starlark.Dict:
		s.sorted(v.Keys(), v, depth)
	case *record:
		s.record(v, depth)
	case starlark.String:
		if len(v) > s.most {
			v, s.cut = v[:s.most], true
		}
		s.WriteString(v.String())
	default:
		s.WriteString(v.String())
	}
}

// all writes what is in something, in its order.
func (s *speller) all(open string, v starlark.Iterable, end string, depth int) {
	s.WriteString(open)
	first := true
	for x := range starlark.Elements(v) {
		if !first {
			s.WriteString(", ")
		}
		if first = false; s.Len() > s.most {
			s.cut = true
			return
		}
		s.value(x, depth-1)
	}
	s.WriteString(end)
}

func (s *speller) record(r *record, depth int) {
	s.WriteString(r.t.tag)
	if r.t.tag != "" && len(r.t.fields) == 0 {
		return
	}
	s.WriteString("(")
	for i, name := range r.t.fields {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(name + "=")
		s.value(r.get(i), depth-1)
	}
	s.WriteString(")")
}

// sorted writes the elements of a set, or the entries of a dictionary: in which order they came into it does
// not matter.
func (s *speller) sorted(keys []starlark.Value, of *starlark.Dict, depth int) {
	var all []element
	left := s.most - s.Len()
	for _, k := range keys {
		if left < 0 {
			s.cut = true
			break
		}
		inner := speller{most: left}
		inner.value(k, depth-1)
		if of != nil {
			x, _, _ := of.Get(k) // it is there
			inner.WriteString(": ")
			inner.value(x, depth-1)
		}
		s.cut = s.cut || inner.cut
		left -= inner.Len()
		all = append(all, element{k, inner.String()})
	}
	slices.SortFunc(all, element.compare)
	s.WriteString("{")
	for i, e := range all {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(e.text)
	}
	s.WriteString("}")
}
