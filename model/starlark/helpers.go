package starfile

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// asked returns the call that is under way, for what only steps may do.
func (in *given) asked() (*call, error) {
	c := callOf(in.t)
	if c.pick == nil {
		return nil, fmt.Errorf(
			"%s is for steps; it cannot be called in a property, or while the file is read", in.name)
	}
	return c, nil
}

// given is what a helper is called with.
type given struct {
	t     *starlark.Thread
	name  string
	args  starlark.Tuple
	named []starlark.Tuple
}

// unpack reads the arguments, all by their places, of which the first are required.
func (in *given) unpack(required int, into ...any) error {
	return starlark.UnpackPositionalArgs(in.name, in.args, in.named, required, into...)
}

// values reads the first argument, a list or the like, and the others, of which all are required.
func (in *given) values(others ...any) ([]starlark.Value, error) {
	var from starlark.Iterable
	if err := in.unpack(1+len(others), append([]any{&from}, others...)...); err != nil {
		return nil, err
	}
	return elements(from)
}

// A helper is a function that steps and properties use.
type helper func(in given) (starlark.Value, error)

func (h helper) called(
	t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
	return h(given{t, f.Name(), args, named})
}

// when(condition) ends a step that is not enabled.
func when(in given) (starlark.Value, error) {
	var condition bool
	if err := in.unpack(1, &condition); err != nil {
		return nil, err
	}
	if _, err := in.asked(); err != nil {
		return nil, err
	}
	if !condition {
		return nil, errNotEnabled
	}
	return starlark.None, nil
}

// pick(values) is one of some values: each leads to a successor of its own.
func pick(in given) (starlark.Value, error) {
	values, err := in.values()
	if err != nil {
		return nil, err
	}
	c, err := in.asked()
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, errors.New(
			"pick: there is nothing to pick from; when(...) before it says that there has to be",
		)
	}
	if c.picked = max(1, c.picked) * len(values); c.picked > maxPicked {
		return nil, fmt.Errorf("pick: more than %d alternatives in one step", maxPicked)
	}
	return values[c.pick(len(values))], nil
}

// subsets(values) are all sets of some of the values.
func subsets(in given) (starlark.Value, error) {
	values, err := in.values()
	if err != nil {
		return nil, err
	}
	if len(values) > 16 {
		return nil, fmt.Errorf("subsets: of %d values there are too many; allowed are 16", len(values))
	}
	if err := spend(in.t, 64<<len(values)); err != nil {
		return nil, err
	}
	var all []starlark.Value
	for mask := range 1 << len(values) {
		s := starlark.NewSet(len(values))
		for i, v := range values {
			if mask>>i&1 == 1 {
				if err := s.Insert(v); err != nil {
					return nil, err
				}
			}
		}
		all = append(all, s)
	}
	return starlark.NewList(all), nil
}

// majority(some, all) reports whether the first are more than half of the second, in number.
func majority(in given) (starlark.Value, error) {
	var some, all starlark.Value
	if err := in.unpack(2, &some, &all); err != nil {
		return nil, err
	}
	m, n := starlark.Len(some), starlark.Len(all)
	if m < 0 || n < 0 {
		return nil, fmt.Errorf("majority(%s, %s); allowed: sets and lists", short(some), short(all))
	}
	return starlark.Bool(2*m > n), nil
}

// without(values, x) are the values other than x, as a list.
func without(in given) (starlark.Value, error) {
	var x starlark.Value
	values, err := in.values(&x)
	if err != nil {
		return nil, err
	}
	var rest []starlark.Value
	for _, v := range values {
		same, err := starlark.Equal(v, x)
		if err != nil {
			return nil, err
		}
		if !same {
			rest = append(rest, v)
		}
	}
	return starlark.NewList(rest), nil
}

// sum(numbers) adds them up.
func sum(in given) (starlark.Value, error) {
	var from starlark.Value
	if err := in.unpack(1, &from); err != nil {
		return nil, err
	}
	numbers, err := numbersIn(from)
	if err != nil {
		return nil, fmt.Errorf("sum: %w", err)
	}
	all := 0
	for _, x := range numbers {
		all += x
	}
	return number(all), nil
}

// send(to, message) sends a message to a process, or to each of a list of processes.
func send(in given) (starlark.Value, error) {
	var to, m starlark.Value
	if err := in.unpack(2, &to, &m); err != nil {
		return nil, err
	}
	c := callOf(in.t)
	if c.send == nil {
		return nil, errors.New("send is for steps of processes")
	}
	if _, one := to.(starlark.Int); one {
		return starlark.None, c.send(to, m)
	}
	all, err := elements(to)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	for _, q := range all {
		if err := c.send(q, m); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// note(kind, processes) tells the history of something that happened in this step.
func note(in given) (starlark.Value, error) {
	var kind int
	var about starlark.Value
	if err := in.unpack(1, &kind, &about); err != nil {
		return nil, err
	}
	c := callOf(in.t)
	if c.note == nil {
		return nil, errors.New("note is for steps of processes")
	}
	if kind < 1 || kind > maxNote {
		return nil, fmt.Errorf("note(%d); allowed: 1 to %d", kind, maxNote)
	}
	return starlark.None, c.note(kind, about)
}

// maxNote is the largest kind of a note.
const maxNote = 1<<16 - 1

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
	if v, err = numbersIn(x); err == nil {
		w, err = numbersIn(y)
	}
	if err == nil && len(v) != len(w) {
		err = fmt.Errorf("vector clocks of %d and %d processes; allowed: of the same", len(v), len(w))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return v, w, nil
}

func numbersIn(from starlark.Value) (all []int, err error) {
	values, err := elements(from)
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

// less(rounds) is one less, or for ever.
func less(in given) (starlark.Value, error) {
	var v starlark.Value
	if err := in.unpack(1, &v); err != nil {
		return nil, err
	}
	if v == forever {
		return v, nil
	}
	x, err := starlark.AsInt32(v)
	if err != nil || x < 1 {
		return nil, fmt.Errorf("less(%s); allowed: numbers from 1 on, and \"inf\"", short(v))
	}
	return number(x - 1), nil
}
