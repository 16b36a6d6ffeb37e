package starfile

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// A helper is a function that steps and properties call.
type helper func(in given) (starlark.Value, error)

func (h helper) called(
	t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
	return h(given{t, f.Name(), args, named})
}

// given are the arguments of a helper.
type given struct {
	t     *starlark.Thread
	name  string
	args  starlark.Tuple
	named []starlark.Tuple
}

// unpack reads the arguments, all by their places; the first are required.
func (in *given) unpack(required int, into ...any) error {
	return starlark.UnpackPositionalArgs(in.name, in.args, in.named, required, into...)
}

// values reads the first argument, a container, and the others; all are required.
func (in *given) values(others ...any) ([]starlark.Value, error) {
	var from starlark.Iterable
	if err := in.unpack(1+len(others), append([]any{&from}, others...)...); err != nil {
		return nil, err
	}
	return elements(from)
}

// helpers are all of them, by their names.
var helpers = map[string]helper{
	"when": when, "pick": pick, "send": send, "note": note,
	"subsets": subsets, "majority": majority, "quorums": quorums, "without": without,
	"less": less, "sum": sum, "before": before, "joined": joined, "put": put, "take": take,
	"str": str, printedName: printed,
}

// step returns the call under way, for helpers that only steps may call.
func (in *given) step() (*call, error) {
	c := callOf(in.t)
	if c.pick == nil {
		return nil, fmt.Errorf(
			"%s is for steps; it cannot be called in a property, or while the file is read", in.name)
	}
	return c, nil
}

// when(condition) ends a step that is not enabled.
func when(in given) (starlark.Value, error) {
	var condition bool
	if err := in.unpack(1, &condition); err != nil {
		return nil, err
	}
	if _, err := in.step(); err != nil {
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
	c, err := in.step()
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

// note(kind, processes) informs the history of an event in this step.
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

// Quorums and sets, which Starlark does not have.

// subsets(values) are all sets of some of the values.
func subsets(in given) (starlark.Value, error) {
	return setsOf(in, func(int, int) bool { return true })
}

// quorums(values) are the sets of just more than half of some values: any two of them have one in common.
func quorums(in given) (starlark.Value, error) {
	return setsOf(in, func(size, all int) bool { return size == all/2+1 })
}

// setsOf are the sets of some values, up to 16, of the sizes that are wanted.
func setsOf(in given, wanted func(size, all int) bool) (starlark.Value, error) {
	values, err := in.values()
	if err != nil {
		return nil, err
	}
	if len(values) > 16 {
		return nil, fmt.Errorf("subsets: of %d values there are too many; allowed are 16", len(values))
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
		if wanted(s.Len(), len(values)) {
			all = append(all, s)
		}
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
	rest := slices.DeleteFunc(values, func(v starlark.Value) bool {
		same, wrong := starlark.Equal(v, x)
		err = errors.Join(err, wrong)
		return same
	})
	return starlark.NewList(rest), err
}

// Numbers and vector clocks.

// numbersOf reads arguments that are containers of numbers.
func (in *given) numbersOf(into ...*[]int) error {
	values := make([]starlark.Value, len(into))
	pointers := make([]any, len(into))
	for i := range values {
		pointers[i] = &values[i]
	}
	if err := in.unpack(len(into), pointers...); err != nil {
		return err
	}
	for i, from := range values {
		all, err := elements(from)
		for _, v := range all {
			x, wrong := starlark.AsInt32(v)
			if wrong != nil {
				err = misfit(v, "numbers")
				break
			}
			*into[i] = append(*into[i], x)
		}
		if err != nil {
			return within(in.name, err)
		}
	}
	return nil
}

// sum(numbers) adds them up.
func sum(in given) (starlark.Value, error) {
	var numbers []int
	err := in.numbersOf(&numbers)
	all := 0
	for _, x := range numbers {
		all += x
	}
	return number(all), err
}

// before(v, w) reports whether the event of a vector clock happened before that of another.
func before(in given) (starlark.Value, error) {
	v, w, err := in.clocks()
	less := false
	for i := range v {
		if v[i] > w[i] {
			return starlark.False, nil
		}
		less = less || v[i] < w[i]
	}
	return starlark.Bool(less), err
}

// joined(v, w) is the vector clock of a process that knows both: of each process the larger number.
func joined(in given) (starlark.Value, error) {
	v, w, err := in.clocks()
	var all []starlark.Value
	for i := range v {
		all = append(all, number(max(v[i], w[i])))
	}
	return starlark.NewList(all), err
}

// clocks reads two vector clocks: arrays or lists of numbers, of the same length.
func (in *given) clocks() (v, w []int, err error) {
	if err := in.numbersOf(&v, &w); err != nil {
		return nil, nil, err
	}
	if len(v) != len(w) {
		return nil, nil, fmt.Errorf("%s: vector clocks of %d and %d processes; allowed: of the same",
			in.name, len(v), len(w))
	}
	return v, w, nil
}

// less(rounds) is one less, or for ever.
func less(in given) (starlark.Value, error) {
	var v starlark.Value
	if err := in.unpack(1, &v); err != nil || v == forever {
		return v, err
	}
	x, err := starlark.AsInt32(v)
	if err != nil || x < 1 {
		return nil, fmt.Errorf("less(%s); allowed: numbers from 1 on, and \"inf\"", short(v))
	}
	return number(x - 1), nil
}

// Bags: dictionaries of how often each element is in the bag. Equal bags are equal dictionaries.

// put(bag, x) adds x to a bag.
func put(in given) (starlark.Value, error) { return in.change(1) }

// take(bag, x) takes x out of a bag once; x has to be in the bag.
func take(in given) (starlark.Value, error) { return in.change(-1) }

// change changes how often an element is in a bag.
func (in *given) change(by int) (starlark.Value, error) {
	var bag *starlark.Dict
	var x starlark.Value
	if err := in.unpack(2, &bag, &x); err != nil {
		return nil, err
	}
	n := 0
	v, found, err := bag.Get(x)
	if err == nil && found {
		if n, err = starlark.AsInt32(v); err != nil || n < 0 {
			err = errors.New(in.name + ": it is no bag: a dictionary of how often each of its elements is in it")
		}
	}
	switch n += by; {
	case err != nil:
	case n < 0:
		err = fmt.Errorf("take: %s is not in the bag", short(x))
	case n == 0:
		_, _, err = bag.Delete(x)
	default:
		err = bag.SetKey(x, number(n))
	}
	return starlark.None, err
}

// Texts.

// printed(v) is what % puts into a string: the texts of all values, as a whole.
func printed(in given) (starlark.Value, error) {
	all, ok := in.args[0].(starlark.Tuple)
	if !ok {
		return printable(in.args[0])
	}
	lines, size := make(starlark.Tuple, len(all)), 0
	for i, v := range all {
		text, err := printable(v)
		if size += max(0, starlark.Len(text)); err == nil && size > longest {
			err = fmt.Errorf("a string of more than %d bytes is too large", longest)
		}
		if err != nil {
			return nil, err
		}
		lines[i] = text
	}
	return lines, nil
}

// printable is a value as it is put into a string: numbers and the like, or the whole text.
func printable(v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return v, nil
	}
	text, err := whole(v)
	return starlark.String(text), err
}

// str(v) is the text of a value.
func str(in given) (starlark.Value, error) {
	var v starlark.Value
	if err := in.unpack(1, &v); err != nil {
		return nil, err
	}
	text, err := printable(v)
	if s, ok := text.(starlark.String); ok || err != nil {
		return s, err
	}
	return starlark.String(v.String()), nil
}
