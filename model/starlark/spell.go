package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A speller writes values until it has written most bytes. Equal values have one text.
type speller struct {
	strings.Builder
	most int
	cut  bool // some text was left out
}

// short is the text of a value in an error, at most 100 bytes: values may be deep or contain themselves.
func short(v starlark.Value) string {
	s := speller{most: 100}
	s.value(v, 3)
	return cut(s.String(), 100)
}

// whole is the text of a value as it is put into a string.
func whole(v starlark.Value) (string, error) {
	if text, ok := v.(starlark.String); ok && len(text) <= longest {
		return string(text), nil
	}
	s := speller{most: longest}
	if s.value(v, maxNesting); s.cut || s.Len() > longest {
		return "", fmt.Errorf("%s is too large for a string: allowed are %d bytes, and values nested %d deep",
			short(v), longest, maxNesting)
	}
	return s.String(), nil
}

// maxNesting bounds how deep values are nested that are put into a string.
const maxNesting = 100

// value writes a value, down to a depth.
func (s *speller) value(v starlark.Value, depth int) {
	if depth == 0 || s.Len() > s.most {
		s.WriteString("...")
		s.cut = true
		return
	}
	each := func(list starlark.Iterable) (all []func(*speller)) {
		for x := range starlark.Elements(list) {
			if all = append(all, func(s *speller) { s.value(x, depth-1) }); len(all) > s.most {
				break // each writes a byte at least
			}
		}
		return all
	}
	switch v := v.(type) {
	case nil:
		s.WriteString("nothing")
	case *starlark.List:
		s.all("[", each(v), "]")
	case *array:
		s.all("[", each(v), "]")
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		s.all("(", each(v), end)
	case *starlark.Set:
		s.sorted(slices.Collect(v.Elements()), func(*speller, starlark.Value) {}, depth)
	case *starlark.Dict:
		s.sorted(v.Keys(), func(s *speller, k starlark.Value) {
			x, _, _ := v.Get(k) // it is there
			s.WriteString(": ")
			s.value(x, depth-1)
		}, depth)
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

// all writes parts with commas between them.
func (s *speller) all(open string, parts []func(*speller), end string) {
	s.WriteString(open)
	for i, part := range parts {
		if i > 0 {
			s.WriteString(", ")
		}
		if s.Len() > s.most {
			s.cut = true
			return
		}
		part(s)
	}
	s.WriteString(end)
}

func (s *speller) record(r *record, depth int) {
	s.WriteString(r.t.tag)
	if r.t.tag != "" && len(r.t.fields) == 0 {
		return
	}
	var all []func(*speller)
	for i, name := range r.t.fields {
		all = append(all, func(s *speller) {
			s.WriteString(name + "=")
			s.value(r.get(i), depth-1)
		})
	}
	s.all("(", all, ")")
}

// sorted writes the elements of a set, or the entries of a dictionary, in the order of their texts: in which
// order they were inserted does not matter.
func (s *speller) sorted(keys []starlark.Value, value func(*speller, starlark.Value), depth int) {
	var all []element
	for left := s.most - s.Len(); len(all) < len(keys); {
		if left < 0 {
			s.cut = true
			break
		}
		inner := speller{most: left}
		inner.value(keys[len(all)], depth-1)
		value(&inner, keys[len(all)])
		s.cut = s.cut || inner.cut
		left -= inner.Len()
		all = append(all, element{keys[len(all)], inner.String()})
	}
	slices.SortFunc(all, element.compare)
	var texts []func(*speller)
	for _, e := range all {
		texts = append(texts, func(s *speller) { s.WriteString(e.text) })
	}
	s.all("{", texts, "}")
}
