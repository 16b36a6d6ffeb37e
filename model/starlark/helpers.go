package starfile

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// builtin is the form in which Starlark calls functions of the library.
type builtin = func(
	t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error)

// taking makes a helper from a function of the call under way and one argument.
func taking[A any](f func(c *call, a A) (starlark.Value, error)) builtin {
	return func(t *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
		starlark.Value, error,
	) {
		var a A
		if err := starlark.UnpackPositionalArgs(fn.Name(), args, named, 1, &a); err != nil {
			return nil, err
		}
		return f(callOf(t), a)
	}
}

// takingTwo is taking for a function of two arguments; as many as required have to be given.
func takingTwo[A, B any](required int, f func(c *call, a A, b B) (starlark.Value, error)) builtin {
	return func(t *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
		starlark.Value, error,
	) {
		var a A
		var b B
		if err := starlark.UnpackPositionalArgs(fn.Name(), args, named, required, &a, &b); err != nil {
			return nil, err
		}
		return f(callOf(t), a, b)
	}
}

// mapped returns what a function makes of the elements of a list, in their order.
func mapped[T, U any](list []T, of func(T) U) (all []U) {
	for _, x := range list {
		all = append(all, of(x))
	}
	return all
}

// A list is an argument that is a list, a range, a set or an array.
type list []starlark.Value

// Unpack reads the elements of the argument.
func (l *list) Unpack(v starlark.Value) (err error) {
	*l, err = elements(v)
	return err
}

// A vector is an argument that is a list of numbers: a vector clock.
type vector []int

// Unpack reads the numbers of the argument.
func (l *vector) Unpack(v starlark.Value) error {
	all, err := elements(v)
	for _, v := range all {
		x, wrong := starlark.AsInt32(v)
		if wrong != nil {
			return misfit(v, "numbers")
		}
		*l = append(*l, x)
	}
	return err
}

// helpers are the functions that steps and properties call.
var helpers = map[string]builtin{
	// when(condition) ends a step that is not enabled.
	"when": taking(func(c *call, condition bool) (starlark.Value, error) {
		if c.pick == nil {
			return nil, onlySteps("when")
		}
		if !condition {
			return nil, errNotEnabled
		}
		return starlark.None, nil
	}),
	"pick": taking(pick),
	"send": takingTwo(2, send),
	"note": takingTwo(1, note),
	// subsets(values) are all sets of some of the values.
	"subsets": taking(func(_ *call, values list) (starlark.Value, error) {
		return setsOf(values, func(int) bool { return true })
	}),
	// quorums(values) are the sets of just more than half of some values: any two have one in common.
	"quorums": taking(func(_ *call, values list) (starlark.Value, error) {
		return setsOf(values, func(size int) bool { return size == len(values)/2+1 })
	}),
	// majority(some, all) reports whether the first are more than half of the second, in number.
	"majority": takingTwo(2, func(_ *call, some, all starlark.Value) (starlark.Value, error) {
		m, n := starlark.Len(some), starlark.Len(all)
		if m < 0 || n < 0 {
			return nil, fmt.Errorf("majority(%s, %s); allowed: sets and lists", short(some), short(all))
		}
		return starlark.Bool(2*m > n), nil
	}),
	// without(values, x) are the values other than x, as a list.
	"without": takingTwo(2, func(_ *call, values list, x starlark.Value) (starlark.Value, error) {
		var err error
		return starlark.NewList(slices.DeleteFunc(values, func(v starlark.Value) bool {
			same, wrong := starlark.Equal(v, x)
			err = errors.Join(err, wrong)
			return same
		})), err
	}),
	// is_a(value, type) reports whether a value is one of a type.
	"is_a": takingTwo(2, func(_ *call, v, of starlark.Value) (starlark.Value, error) {
		t, err := typeOf(of)
		return starlark.Bool(err == nil && t.pack(&packer{}, v) == nil), err
	}),
	// expired(timer, drift) reports whether a timer is over, by a clock that may be as many ticks early.
	"expired": func(t *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
		starlark.Value, error,
	) {
		left, drift := 0, 0
		err := starlark.UnpackArgs(fn.Name(), args, named, "timer", &left, "drift?", &drift)
		if err != nil || left == 0 || left > drift {
			return starlark.Bool(left == 0), err
		}
		return pick(callOf(t), list{starlark.False, starlark.True})
	},
	// sum(numbers) adds them up.
	"sum": taking(func(_ *call, numbers vector) (starlark.Value, error) {
		all := 0
		for _, x := range numbers {
			all += x
		}
		return number(all), nil
	}),
	// before(v, w) reports whether vector clock v happened before w.
	"before": takingTwo(2, func(_ *call, v, w vector) (starlark.Value, error) {
		all, err := joined("before", v, w)
		return starlark.Bool(slices.Equal(all, w) && !slices.Equal(v, w)), err
	}),
	// ahead(e, f) reports whether e was sent before f in one channel, for messages on their way.
	"ahead": takingTwo(2, func(_ *call, e, f *record) (starlark.Value, error) {
		if e.place == 0 || f.place == 0 {
			return nil, errors.New(`ahead: allowed are messages on their way, where channel is "fifo"`)
		}
		return starlark.Bool(e.place>>placeBits == f.place>>placeBits && e.place < f.place), nil
	}),
	// joined(v, w) is the maximum of two vector clocks, process by process.
	"joined": takingTwo(2, func(_ *call, v, w vector) (starlark.Value, error) {
		all, err := joined("joined", v, w)
		return starlark.NewList(mapped(all, number)), err
	}),
	// less(rounds) is one less, or for ever.
	"less": taking(func(_ *call, v starlark.Value) (starlark.Value, error) {
		x, err := starlark.AsInt32(v)
		switch {
		case v == forever:
			return v, nil
		case err != nil || x < 1:
			return nil, fmt.Errorf("less(%s); allowed: numbers from 1 on, and \"inf\"", short(v))
		}
		return number(x - 1), nil
	}),
	// later(clock) is a time for a new request: clock + 1, or with rounds=any each time above the clock.
	"later": taking(func(c *call, clock int) (starlark.Value, error) {
		if c.later == nil {
			return nil, errors.New("later is for steps of processes")
		}
		return number(int(c.later(uint32(clock)))), nil
	}),
	// passed(time) is a clock that has passed a time: time + 1, or with rounds=any the time itself, as what
	// later returns is above the clock.
	"passed": taking(func(c *call, time int) (starlark.Value, error) {
		if c.later == nil {
			return nil, errors.New("passed is for steps of processes")
		}
		return number(time + int(c.passed)), nil
	}),
	// put(bag, x) adds x to a bag, a dictionary of how often each element is in it.
	"put": takingTwo(2, change(1, "put")),
	// take(bag, x) takes x out of a bag once; x has to be in the bag.
	"take": takingTwo(2, change(-1, "take")),
	"print": func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (
		starlark.Value, error,
	) {
		return nil, errors.New("models do without print")
	},
}

func onlySteps(name string) error {
	return fmt.Errorf("%s is for steps; it cannot be called in a property, or while the file is read", name)
}

// joined is the maximum of two vector clocks, process by process; name is the helper in the error.
func joined(name string, v, w vector) (all vector, err error) {
	if len(v) != len(w) {
		return nil, fmt.Errorf("%s: vector clocks of %d and %d processes; allowed: two of the same length",
			name, len(v), len(w))
	}
	for i := range v {
		all = append(all, max(v[i], w[i]))
	}
	return all, nil
}

// pick(values) is one of some values: each leads to a successor of its own.
func pick(c *call, values list) (starlark.Value, error) {
	if c.pick == nil {
		return nil, onlySteps("pick")
	}
	if len(values) == 0 {
		return nil, errors.New("pick: there is nothing to pick from; put when(...) before it")
	}
	if c.picked = max(1, c.picked) * len(values); c.picked > maxPicked {
		return nil, fmt.Errorf("pick: more than %d alternatives in one step", maxPicked)
	}
	return values[c.pick(len(values))], nil
}

// send(to, message) sends a message to a process, or to each of a list of processes.
func send(c *call, to, m starlark.Value) (starlark.Value, error) {
	if c.send == nil {
		return nil, errors.New("send is for steps of processes")
	}
	all := []starlark.Value{to}
	if _, one := to.(starlark.Int); !one {
		var err error
		if all, err = elements(to); err != nil {
			return nil, fmt.Errorf("send: %w", err)
		}
	}
	for _, q := range all {
		if err := c.send(q, m); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// note(kind, processes) informs the history of an event in this step.
func note(c *call, kind int, about starlark.Value) (starlark.Value, error) {
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

// setsOf are the sets of some values, up to 16, of the sizes that are wanted.
func setsOf(values list, wanted func(size int) bool) (starlark.Value, error) {
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
		if wanted(s.Len()) {
			all = append(all, s)
		}
	}
	return starlark.NewList(all), nil
}

// change makes a function that changes how often an element is in a bag. Equal bags are equal dictionaries.
func change(by int, name string) func(*call, *starlark.Dict, starlark.Value) (starlark.Value, error) {
	return func(_ *call, bag *starlark.Dict, x starlark.Value) (starlark.Value, error) {
		v, found, err := bag.Get(x)
		if !found {
			v = number(0)
		}
		n, wrong := starlark.AsInt32(v)
		switch n += by; {
		case err != nil:
		case wrong != nil || n < by:
			err = errors.New(name + ": it is no bag: a dictionary of how often each of its elements is in it")
		case n < 0:
			err = fmt.Errorf("take: %s is not in the bag", short(x))
		case n == 0:
			_, _, err = bag.Delete(x)
		default:
			err = bag.SetKey(x, number(n))
		}
		return starlark.None, err
	}
}
