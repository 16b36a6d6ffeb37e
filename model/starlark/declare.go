package starfile

import (
	"fmt"

	"go.starlark.net/starlark"
)

// record(field=type, ...) is the type of records. A pair (type, value) says with which value it begins.
func (b *builder) record(s *settings) (starlark.Value, error) {
	if len(s.rest) > 0 {
		return nil, fmt.Errorf("record: fields are given by name: record(state = enum(...), clock = int)")
	}
	return newRecord("record", "", s.named)
}

// message(name, field=type, ...) is the type of messages of a name.
func (b *builder) message(s *settings) (starlark.Value, error) {
	if len(s.rest) != 1 {
		return nil, fmt.Errorf("message: the name is missing: message(\"REQUEST\", time = int)")
	}
	name, ok := starlark.AsString(s.rest[0])
	if _, err := word(s.rest[0]); !ok || err != nil {
		return nil, fmt.Errorf("message: the name is %s; allowed: a word", short(s.rest[0]))
	}
	return newRecord(name, name, s.named)
}

// enum(value, ...) is the type of some listed values.
func (b *builder) enum(s *settings) (starlark.Value, error) {
	if len(s.named) > 0 {
		return nil, fmt.Errorf("enum: values have no names")
	}
	return newWords(s.rest)
}

func (b *builder) optionOf(s *settings) (starlark.Value, error) {
	t := s.typeIn("of")
	if s.err != nil {
		return nil, s.err
	}
	if _, twice := t.(*optionType); twice {
		return nil, fmt.Errorf("optional: of values that are optional already")
	}
	common, err := nesting("None, "+t.String(), 0, t)
	return &optionType{common, t}, err
}

func (b *builder) setOf(s *settings) (starlark.Value, error) {
	t := s.typeIn("of")
	if s.err != nil {
		return nil, s.err
	}
	switch t.(type) {
	case *setType, *listType, *arrayType, *dictType:
		return nil, fmt.Errorf("set_of: %s cannot be in a set; allowed: numbers, words, booleans, and "+
			"messages of these", t)
	}
	return newSet(t)
}

func (b *builder) listOf(s *settings) (starlark.Value, error) {
	t, most := s.typeIn("of"), s.whole("max", longest)
	if s.err != nil {
		return nil, s.err
	}
	common, err := nesting("lists of "+t.String(), 0, t)
	return &listType{common, t, most}, err
}

func (b *builder) dictOf(s *settings) (starlark.Value, error) {
	k, t := s.typeIn("keys"), s.typeIn("of")
	if s.err != nil {
		return nil, s.err
	}
	switch k.(type) {
	case *wordType, *intType:
	default:
		return nil, fmt.Errorf("dict_of: %s cannot be keys; allowed: numbers and words", k)
	}
	common, err := nesting("dictionaries", 0, t)
	return &dictType{common, k, t}, err
}

// array(keys, type) has a value of the type for each key.
func (b *builder) arrayOf(s *settings) (starlark.Value, error) {
	k, t := s.typeIn("keys"), s.typeIn("of")
	if s.err != nil {
		return nil, s.err
	}
	return newArray(k, t)
}

// proc(range) is the type of the numbers of processes, which are shown by their names.
func (b *builder) procOf(s *settings) (starlark.Value, error) {
	t, ok := s.typeIn("of").(*intType)
	if s.err == nil && (!ok || t.endless) {
		s.fail("of is %s; allowed: a range of numbers", short(s.given("of")))
	}
	if s.err != nil {
		return nil, s.err
	}
	return &intType{typed: typed{name: "processes " + t.name}, lo: t.lo, hi: t.hi, prefix: "p"}, nil
}
