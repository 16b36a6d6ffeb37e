package file

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// What algorithms need of vector clocks, quorums and bags, and Starlark does not have.

// before(v, w) reports whether the event of a vector clock happened before that of another.
func before(in given) (starlark.Value, error) {
	v, w, err := vectorsIn(in)
	if err != nil {
		return nil, err
	}
	less := false
	for i := range v {
		if v[i] > w[i] {
			return starlark.False, nil
		}
		less = less || v[i] < w[i]
	}
	return starlark.Bool(less), nil
}

// joined(v, w) is the vector clock of who knows both: of each process the larger number.
func joined(in given) (starlark.Value, error) {
	v, w, err := vectorsIn(in)
	if err != nil {
		return nil, err
	}
	var all []starlark.Value
	for i := range v {
		all = append(all, number(max(v[i], w[i])))
	}
	return starlark.NewList(all), nil
}

// vectorsIn reads two vector clocks: arrays or lists of numbers, of the same length.
func vectorsIn(in given) (v, w []int, err error) {
	var x, y starlark.Iterable
	if err := in.unpack(2, &x, &y); err != nil {
		return nil, nil, err
	}
	if v, err = numbersIn(in.t, x); err == nil {
		w, err = numbersIn(in.t, y)
	}
	if err == nil && len(v) != len(w) {
		err = fmt.Errorf("vector clocks of %d and %d processes; allowed: of the same", len(v), len(w))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return v, w, nil
}

func numbersIn(t *starlark.Thread, from starlark.Value) (all []int, err error) {
	values, err := elements(from)
	if err == nil {
		err = spend(t, len(values))
	}
	for _, v := range values {
		x, wrong := starlark.AsInt32(v)
		if wrong != nil {
			return nil, misfit(v, "numbers")
		}
		all = append(all, x)
	}
	return all, err
}

// quorums(values) are the sets of just more than half of some values: any two of them have one in common.
func quorums(in given) (starlark.Value, error) {
	all, err := subsets(in)
	if err != nil {
		return nil, err
	}
	least := starlark.Len(in.args[0])/2 + 1
	var some []starlark.Value
	sets := all.(*starlark.List)
	for i := range sets.Len() {
		if starlark.Len(sets.Index(i)) == least {
			some = append(some, sets.Index(i))
		}
	}
	return starlark.NewList(some), nil
}

// put(bag, x) adds x to a bag, a dictionary of how often each of its elements is in it.
func put(in given) (starlark.Value, error) {
	bag, x, n, err := bagIn(in)
	if err == nil {
		err = bag.SetKey(x, number(n+1))
	}
	return starlark.None, err
}

// take(bag, x) takes x out once, which has to be in the bag.
func take(in given) (starlark.Value, error) {
	bag, x, n, err := bagIn(in)
	switch {
	case err != nil:
	case n < 1:
		err = fmt.Errorf("take: %s is not in the bag", short(x))
	case n == 1: // equal bags are equal dictionaries
		_, _, err = bag.Delete(x)
	default:
		err = bag.SetKey(x, number(n-1))
	}
	return starlark.None, err
}

// bagIn reads a bag, an element, and how often it is in the bag.
func bagIn(in given) (bag *starlark.Dict, x starlark.Value, n int, err error) {
	if err := in.unpack(2, &bag, &x); err != nil {
		return nil, nil, 0, err
	}
	v, found, err := bag.Get(x)
	if err != nil || !found {
		return bag, x, 0, err
	}
	if n, err = starlark.AsInt32(v); err != nil || n < 0 {
		err = errors.New(in.name + ": it is no bag: a dictionary of how often each of its elements is in it")
	}
	return bag, x, n, err
}
