package file

import (
	"fmt"

	"go.starlark.net/starlark"
)

// maxWeight bounds what a variable or a message holds: elements, and bytes of strings, counted together.
const maxWeight = 1 << 16

// nests reports whether values of a type may hold other values of which nobody knows how large they are.
func nests(t valueType) bool {
	grows := func(of valueType) bool {
		switch of.(type) {
		case *intType, *boolType, *wordType:
			return false
		}
		return true
	}
	switch t := t.(type) {
	case *listType:
		return grows(t.of)
	case *setType:
		return grows(t.of)
	case *arrayType:
		return grows(t.of)
	case *dictType:
		return true
	case *optionType:
		return nests(t.of)
	}
	return false
}

// light returns an error if a value, with all that is in it, is too large to be kept in a state.
func light(v starlark.Value) error {
	if left := maxWeight; !weigh(v, &left, maxNesting) {
		return fmt.Errorf("a value of more than %d elements, and bytes of strings, all in all, is too large",
			maxWeight)
	}
	return nil
}

// weigh takes the weight of a value from what is left, and reports whether there was enough.
func weigh(v starlark.Value, left *int, depth int) bool {
	if *left--; *left < 0 || depth == 0 {
		return false
	}
	if s, ok := v.(starlark.String); ok {
		*left -= len(s)
		return *left >= 0
	}
	if d, ok := v.(*starlark.Dict); ok {
		for _, item := range d.Items() {
			if !weigh(item[0], left, depth-1) || !weigh(item[1], left, depth-1) {
				return false
			}
		}
		return true
	}
	if r, ok := v.(*record); ok {
		for i := range r.xs {
			if !weigh(r.get(i), left, depth-1) {
				return false
			}
		}
		return true
	}
	it := starlark.Iterate(v)
	if it == nil {
		return true
	}
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		if !weigh(x, left, depth-1) {
			return false
		}
	}
	return true
}
