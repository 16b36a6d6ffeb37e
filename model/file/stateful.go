package file

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// A stateful is a predicate or a number that a function of the state says.
type stateful[R any] struct {
	s    *system
	f    starlark.Callable
	args []starlark.Value
	of   func(starlark.Value) (R, bool) // of what the function returns
	want string
	memo memo[R]
}

func isBool(v starlark.Value) (bool, bool) { b, ok := v.(starlark.Bool); return bool(b), ok }

func isCount(v starlark.Value) (int, bool) {
	switch v := v.(type) {
	case starlark.Bool:
		if v {
			return 1, true
		}
		return 0, true
	case starlark.Int:
		x, err := starlark.AsInt32(v)
		return x, err == nil && x >= 0
	}
	return 0, false
}

// ask asks about a state, or about two of them.
func (q *stateful[R]) ask(states ...[]uint32) R {
	n := uint32(len(q.s.reads))
	look := func(what uint32) key {
		r := q.s.reads[what%n]
		return key{x: uint64(states[what/n][r.word] & r.mask)}
	}
	if r, found := q.memo.find(look); found {
		return r
	}
	var trace []step
	var args []starlark.Value
	for i, words := range states {
		t := &tracked{s: q.s, words: words, first: i * int(n), trace: &trace}
		args = append(args, t.record(true))
	}
	v, _ := run(&call{what: "a property"}, q.f, append(args, q.args...)...)
	r, ok := q.of(v)
	if !ok {
		panic(&model.Error{
			What:  fmt.Sprintf("%s returns %s; allowed: %s", q.f.Name(), short(v), q.want),
			Where: position(q.f),
		})
	}
	q.memo.add(trace, r)
	return r
}

func (s *system) predicate(f starlark.Callable, args ...starlark.Value) *stateful[bool] {
	return &stateful[bool]{s, f, args, isBool, "True and False", memo[bool]{room: &s.b.room}}
}

func (s *system) counter(f starlark.Callable, args ...starlark.Value) *stateful[int] {
	return &stateful[int]{s, f, args, isCount, "numbers from 0 on", memo[int]{room: &s.b.room}}
}
