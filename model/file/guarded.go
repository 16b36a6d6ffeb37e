package file

import (
	"errors"
	"fmt"
	"math/bits"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// bounded returns an error if a value is too large to be made larger, or to be gone through.
func bounded(t *starlark.Thread, v starlark.Value) error {
	n := starlark.Len(v)
	switch v := v.(type) {
	case starlark.Int:
		if _, small := v.Int64(); !small && v.BigInt().BitLen() > maxNumber {
			return fmt.Errorf("a number of more than %d bits", maxNumber)
		}
		return nil
	case starlark.Tuple:
		n = weightOf(v, maxElements)
	}
	if n > maxElements {
		return fmt.Errorf("a value of %d elements is too large; allowed are %d", n, maxElements)
	}
	switch v.(type) {
	case *starlark.Set, *starlark.Dict:
		return spendOnKeys(t, n)
	}
	return spend(t, max(0, n))
}

// spendOnKeys counts keys that are entered into a table: in the worst case each meets all others.
func spendOnKeys(t *starlark.Thread, n int) error { return spend(t, n+n*n/32) }

// A factor is an operand of a product.
type factor struct {
	starlark.Value
	thread *starlark.Thread
}

func factored(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
	starlark.Value, error,
) {
	return factor{args[0], t}, nil
}

// Binary multiplies, if the result is not too large.
func (f factor) Binary(op token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if op != syntax.STAR {
		return nil, nil
	}
	x := f.Value
	a, ok := x.(starlark.Int)
	b, both := y.(starlark.Int)
	if ok && both {
		return product(a, b)
	}
	n, times := size(x), b
	if ok {
		n, times = size(y), a
	}
	if k, small := times.Int64(); n > 0 && (!small || k > maxElements/int64(n)) {
		return nil, fmt.Errorf(
			"a value of %d elements %s times is too large; allowed are %d elements",
			n, short(times), maxElements)
	}
	if k, _ := times.Int64(); n > 0 {
		if err := spend(f.thread, n*max(0, int(k))); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(op, x, y)
}

// size returns how many elements a value has; of a tuple with those of the tuples in it.
func size(v starlark.Value) int {
	if t, ok := v.(starlark.Tuple); ok {
		return weightOf(t, maxElements)
	}
	return starlark.Len(v)
}

// product multiplies two numbers.
func product(a, b starlark.Int) (starlark.Value, error) {
	if v, small := a.Int64(); small && -maxInt <= v && v <= maxInt {
		if w, small := b.Int64(); small && -maxInt <= w && w <= maxInt {
			return starlark.MakeInt64(v * w), nil
		}
	}
	if a.BigInt().BitLen()+b.BigInt().BitLen() > maxNumber {
		return nil, fmt.Errorf("a number of more than %d bits", maxNumber)
	}
	return starlark.Binary(syntax.STAR, a, b)
}

// printed returns what is put into a string.
func printed(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
	starlark.Value, error,
) {
	all, ok := args[0].(starlark.Tuple)
	if !ok {
		return scalar(t, args[0], maxElements)
	}
	lines, left := make(starlark.Tuple, len(all)), maxElements
	for i, v := range all {
		text, err := scalar(t, v, left)
		if err != nil {
			return nil, err
		}
		lines[i] = text
		left -= max(0, starlark.Len(text))
	}
	return lines, nil
}

// scalar is a value as it is put into a string: numbers and the like, or the whole text, of at most so many
// bytes.
func scalar(t *starlark.Thread, v starlark.Value, left int) (starlark.Value, error) {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return v, nil
	}
	text, err := whole(v)
	if err == nil && len(text) > left {
		err = fmt.Errorf("a string of more than %d bytes is too large", maxElements)
	}
	return starlark.String(text), errors.Join(err, spend(t, len(text)))
}

// held reports whether the first value is in the second.
func held(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
	starlark.Value, error,
) {
	switch y := args[1].(type) {
	case *starlark.List, starlark.Tuple, *array:
		err := spend(t, starlark.Len(y)/16)
		if err == nil && starlark.Len(y) > 0 {
			err = spendOn(t, args[0], starlark.Len(y))
		}
		if err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.IN, args[0], args[1])
}

// nest returns an error if a value cannot be in a tuple.
func nest(v starlark.Value) error {
	if t, ok := v.(starlark.Tuple); ok && weightOf(t, maxTuple) > maxTuple {
		return fmt.Errorf("a tuple of more than %d values, all in all, cannot be in another one", maxTuple)
	}
	return nil
}

// guardedFunctions are those of Starlark that make or go through values at once; they look at sizes here.
var guardedFunctions = []string{
	"list", "tuple", "set", "dict", "sorted", "reversed", "enumerate", "zip", "min", "max", "any", "all",
	"int", "fail",
}

// guarded puts them in the place of Starlark's own.
func guarded(to starlark.StringDict) {
	for _, name := range guardedFunctions {
		plain := starlark.Universe[name].(*starlark.Builtin)
		to[name] = starlark.NewBuiltin(
			name,
			func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
				starlark.Value, error,
			) {
				args, err := taken(t, name, args)
				if err != nil {
					return nil, err
				}
				return plain.CallInternal(t, args, named)
			},
		)
	}
	to["str"] = starlark.NewBuiltin(
		"str",
		func(t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
			starlark.Value, error,
		) {
			var v starlark.Value
			if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 1, &v); err != nil {
				return nil, err
			}
			text, err := scalar(t, v, maxElements)
			if s, ok := text.(starlark.String); ok || err != nil {
				return s, err
			}
			return starlark.String(v.String()), nil
		},
	)
	for _, name := range []string{"getattr", "repr", "print", "bytes", "chr", "hash", "dir"} {
		to[name] = starlark.NewBuiltin(
			name,
			func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (
				starlark.Value, error,
			) {
				return nil, errors.New("models do without " + name)
			},
		)
	}
}

// taken counts what a guarded function takes, and returns its arguments.
func taken(t *starlark.Thread, name string, args starlark.Tuple) (starlark.Tuple, error) {
	if name == "fail" {
		lines := make(starlark.Tuple, len(args))
		for i, v := range args {
			lines[i] = starlark.String(short(v))
			if text, ok := v.(starlark.String); ok {
				lines[i] = starlark.String(cut(string(text), 1000))
			}
		}
		return lines, nil
	}
	for _, v := range args {
		n := starlark.Len(v)
		err := bounded(t, v)
		switch {
		case err != nil || n < 1:
		case name == "int" && n > maxNumber:
			err = fmt.Errorf("a number of %d digits is too large; allowed are %d", n, maxNumber)
		case name == "set" || name == "dict":
			err = spendOnKeys(t, n)
		case name == "sorted":
			err = spendOn(t, v, bits.Len(uint(n)))
		case name == "min" || name == "max":
			err = spendOn(t, v, 1)
		case name == "zip" || name == "enumerate":
			err = each(v, nest)
		case name == "tuple":
			err = light(v)
		}
		if err != nil {
			return nil, err
		}
	}
	return args, nil
}

// each calls f for each element of a value, up to the first error.
func each(v starlark.Value, f func(starlark.Value) error) error {
	it := starlark.Iterate(v)
	if it == nil {
		return nil
	}
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}
