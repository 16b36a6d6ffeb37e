package file

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// What a file leaves behind is frozen: Starlark goes through it by recursion, through a function or a tuple
// each time that it comes by. A sealer goes the same ways before, and stops where there are too many, or no
// end.

const (
	maxSealed = 1 << 20 // values on all ways
	maxDepth  = 10_000
	// maxTuple bounds what is in a tuple that stands in another: it is gone through whenever that is a key.
	maxTuple = 1 << 8
)

type sealer struct {
	left int
	seen map[starlark.Value]bool // lists and the like, through which Starlark goes once
	open map[starlark.Value]bool // functions that are being gone through
}

// sealable returns an error if values cannot be frozen.
func sealable(vs []starlark.Value) error {
	s := &sealer{left: maxSealed, seen: map[starlark.Value]bool{}, open: map[starlark.Value]bool{}}
	return s.all(vs, 0)
}

// seal freezes what a declaration is given: functions among it, that take lists from where they are defined.
func seal(args starlark.Tuple, named []starlark.Tuple) error {
	for _, pair := range named {
		args = append(args[:len(args):len(args)], pair[1])
	}
	err := sealable(args)
	if err == nil {
		args.Freeze()
	}
	return err
}

func (s *sealer) value(v starlark.Value, depth int) error {
	if s.left--; s.left < 0 {
		return fmt.Errorf("more than %d values are in what the file leaves behind", maxSealed)
	}
	if depth > maxDepth {
		return fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case starlark.Tuple:
		return s.all(v, depth)
	case *starlark.List, *starlark.Set, *starlark.Dict, *array, *record:
		if s.seen[v] {
			return nil
		}
		s.seen[v] = true
		return s.all(parts(v), depth)
	case *starlark.Function:
		if s.open[v] {
			return errors.New(
				"a function that refers to itself cannot stand in another one: " + v.Position().String())
		}
		s.open[v] = true
		defer delete(s.open, v)
		return s.all(captured(v), depth)
	case *starlark.Builtin:
		return s.value(v.Receiver(), depth+1)
	}
	return nil
}

func (s *sealer) all(vs []starlark.Value, depth int) error {
	for _, v := range vs {
		if err := s.value(v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// parts returns what is in a value.
func parts(v starlark.Value) (all []starlark.Value) {
	switch v := v.(type) {
	case *array:
		return v.xs
	case *record:
		return v.xs
	case *starlark.Dict:
		for _, item := range v.Items() {
			all = append(all, item...)
		}
		return all
	}
	it := starlark.Iterate(v)
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		all = append(all, x)
	}
	return all
}

// captured returns what a function takes from where it is defined.
func captured(f *starlark.Function) (all []starlark.Value) {
	for i := range f.NumParams() {
		all = append(all, f.ParamDefault(i))
	}
	for i := range f.NumFreeVars() {
		_, v := f.FreeVar(i)
		all = append(all, v)
	}
	return all
}

// weightOf returns how many values are in a tuple, with those of the tuples in it; or that there are more
// than most.
func weightOf(t starlark.Tuple, most int) (n int) {
	for _, v := range t {
		n++
		if inner, ok := v.(starlark.Tuple); ok && n < most {
			n += weightOf(inner, most-n)
		}
		if n > most {
			break
		}
	}
	return n
}
