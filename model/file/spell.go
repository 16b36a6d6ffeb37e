package file

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
	if v == nil {
		s.WriteString("nothing")
		return
	}
	if depth == 0 || s.Len() > s.most {
		s.WriteString("...")
		s.cut = true
		return
	}
	switch v := v.(type) {
	case *starlark.List:
		s.all("[", v, "]", depth)
	case starlark.Tuple:
		s.all("(", v, ")", depth)
	case *array:
		s.all("[", v, "]", depth)
	case *starlark.Set:
		s.sorted(s.texts(v, depth))
	case *starlark.Dict:
		s.sorted(s.entries(v, depth))
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
	it := v.Iterate()
	defer it.Done()
	var x starlark.Value
	n := 0
	for ; it.Next(&x); n++ {
		if n > 0 {
			s.WriteString(", ")
		}
		if s.Len() > s.most {
			s.cut = true
			return
		}
		s.value(x, depth-1)
	}
	if _, tuple := v.(starlark.Tuple); tuple && n == 1 {
		s.WriteString(",")
	}
	s.WriteString(end)
}

func (s *speller) record(r *record, depth int) {
	s.WriteString(r.t.tag)
	if r.t.plain() {
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

// of is the text of one value in another.
func (s *speller) of(v starlark.Value, depth int) string {
	inner := speller{most: s.most - s.Len()}
	inner.value(v, depth-1)
	s.cut = s.cut || inner.cut
	return inner.String()
}

// texts are those of the elements of a set: in which order they came into it does not matter.
func (s *speller) texts(v *starlark.Set, depth int) (all []element) {
	left := s.most - s.Len()
	it := v.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) && left >= 0 {
		all = append(all, element{x, s.of(x, depth)})
		left -= len(all[len(all)-1].text)
	}
	return all
}

// entries are those of a dictionary.
func (s *speller) entries(v *starlark.Dict, depth int) (all []element) {
	left := s.most - s.Len()
	for _, item := range v.Items() {
		if left < 0 {
			break
		}
		all = append(all, element{item[0], s.of(item[0], depth) + ": " + s.of(item[1], depth)})
		left -= len(all[len(all)-1].text)
	}
	return all
}

func (s *speller) sorted(all []element) {
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
