package starfile

import (
	"fmt"

	"go.starlark.net/starlark"
)

// A question is what a function of the model says of states or of parts of them: the answers are remembered,
// by what it has read.
type question[R any] struct {
	b    *builder
	f    starlark.Callable
	of   func(starlark.Value) (R, bool)
	want string
	memo memo[R]
}

func (b *builder) predicate(f starlark.Callable) *question[bool] {
	return &question[bool]{b, f, isBool, "True and False", memo[bool]{room: &b.room}}
}

func (b *builder) counter(f starlark.Callable) *question[int] {
	return &question[int]{b, f, isCount, "numbers from 0 on", memo[int]{room: &b.room}}
}

func isBool(v starlark.Value) (bool, bool) { b, ok := v.(starlark.Bool); return bool(b), ok }

func isCount(v starlark.Value) (int, bool) {
	if v, is := v.(starlark.Bool); is {
		if v {
			return 1, true
		}
		return 0, true
	}
	x, err := starlark.AsInt32(v)
	return x, err == nil && x >= 0
}

// ask asks about what look finds; args makes the arguments, which note in the trace what is read of them.
func (q *question[R]) ask(look func(what uint32) key, args func(trace *[]step) []starlark.Value) R {
	r, found := q.memo.find(look)
	if !found {
		var trace []step
		r = q.answer(args(&trace)...)
		q.memo.add(trace, r)
	}
	return r
}

// answer calls the function.
func (q *question[R]) answer(args ...starlark.Value) R {
	v, _ := q.b.searches.run(&call{}, q.f, args...)
	r, ok := q.of(v)
	if !ok {
		panic(mistakeIn(q.f, fmt.Sprintf("%s returns %s; allowed: %s", q.f.Name(), short(v), q.want)))
	}
	return r
}

// askOf asks about what has some keys, all of which count.
func (q *question[R]) askOf(args func() []starlark.Value, keys ...key) R {
	return q.ask(func(what uint32) key { return keys[what] }, func(trace *[]step) []starlark.Value {
		for i, k := range keys {
			*trace = append(*trace, step{uint32(i), k})
		}
		return args()
	})
}
