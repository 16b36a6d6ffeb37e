package starfile

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"
)

// Time passes in ticks, in systems. A timer is the number of ticks that are left, and 0 when it is over: so a
// state has the differences between now and what is to come, and no time that grows. Whole ticks decide about
// timers with bounds such as `not later than`, as these are closed: a run in real time has one in ticks with
// the same steps (Henzinger, Manna, Pnueli, What good are digital clocks?, ICALP 1992).

// timer(most) is the type of timers of at most so many ticks.
func (b *builder) timer(set *settings) (starlark.Value, error) {
	most := set.whole("most", 0)
	if most == 0 || most > longest {
		set.fail("most is %s; allowed: 1 to %d ticks", short(set.given("most")), longest)
	}
	return newType("timers", valueType{is: numbers, hi: most, timed: true, timer: true}), set.err
}

// ticks reports whether a type holds timers.
func (t *valueType) ticks() bool {
	return t.timer || t.of != nil && t.of.ticks() || slices.ContainsFunc(t.types, (*valueType).ticks)
}

// tick(urgent) is the action by which time passes: each timer of the state that is not over has a tick less.
// It is not enabled while something urgent is to be done before, nor when all timers are over.
func (b *builder) tick(set *settings) (starlark.Value, error) {
	urgent := set.function("urgent")
	f := func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error,
	) {
		if urgent != nil {
			v, err := starlark.Call(t, urgent, args, nil)
			if err == nil && v.Type() != "bool" {
				err = within("urgent", misfit(v, conditions))
			}
			if err != nil || bool(v.Truth()) {
				return starlark.False, err
			}
		}
		s, moved := args[0].(*record), starlark.False
		for i, of := range s.t.types {
			if !of.timed {
				continue
			}
			s.xs[i] = of.shift(s.get(i), func(_ *valueType, left *uint32) {
				if *left > 0 {
					*left, moved = *left-1, starlark.True
				}
			})
		}
		return moved, nil
	}
	name := cmp.Or(set.text("name"), "tick")
	return &stepValue{name: name, f: starlark.NewBuiltin(name, f), urgent: urgent}, set.err
}
