package file

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// library returns what a file may use besides Starlark's own.
func (b *builder) library() starlark.StringDict {
	all := starlark.StringDict{
		"time":   &intType{typed: typed{name: "times"}, hi: maxInt, isTime: true, endless: true},
		"stamp":  &intType{typed: typed{name: "times"}, hi: maxInt, isTime: true, stamp: true, endless: true},
		"Rounds": roundsType,
	}
	for name, f := range map[string]func(starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
		"param": b.param, "require": b.require,
		"fairness_param": b.fairnessParam, "reference": b.reference,
		"source": b.source, "system": b.system, "action": b.action, "weak": b.fair(false),
		"strong": b.fair(true),
		"record": b.record, "array": b.arrayOf, "set_of": b.setOf, "list_of": b.listOf, "dict_of": b.dictOf,
		"enum": b.enum, "optional": b.optionOf,
		"processes": b.processes, "network_params": b.networkOf, "rounds_param": b.roundsOf,
		"endless_params": b.endlessOf,
		"history":        b.historyOf, "message": b.message, "step": b.step, "on": b.on, "proc": b.procType,
	} {
		all[name] = b.builtin(name, f)
	}
	b.propertyBuiltins(all)
	guarded(all)
	all[yesName], all[vigilName] = starlark.True, &b.vigil
	for name, f := range guards {
		all[name] = starlark.NewBuiltin(name, f)
	}
	for name, f := range helpers {
		all[name] = starlark.NewBuiltin(name, f.called)
	}
	return all
}

// asked returns the call that is under way, for what only steps may do.
func asked(t *starlark.Thread, name string) (*call, error) {
	c, _ := t.Local(callKey).(*call)
	if c == nil || c.pick == nil {
		return nil, fmt.Errorf(
			"%s is for steps; it cannot be called in a property, or while the file is read",
			name,
		)
	}
	return c, nil
}

// A builtin is a function as Starlark calls it.
type builtin = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value,
	error)

// given is what a helper is called with.
type given struct {
	t     *starlark.Thread
	name  string
	args  starlark.Tuple
	named []starlark.Tuple
}

// unpack reads the arguments, all by their places, of which so many are required.
func (in *given) unpack(required int, into ...any) error {
	return starlark.UnpackPositionalArgs(in.name, in.args, in.named, required, into...)
}

// A helper is a function that steps and properties use.
type helper func(in given) (starlark.Value, error)

func (h helper) called(
	t *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
	return h(given{t, f.Name(), args, named})
}

// helpers are behind these names.
var helpers = map[string]helper{
	"when":     when,
	"pick":     pick,
	"subsets":  subsets,
	"majority": majority,
	"without":  without,
	"less":     less,
	"send":     send,
	"note":     note,
	"sum":      sum,
	"before":   before,
	"joined":   joined,
	"quorums":  quorums,
	"put":      put,
	"take":     take,
}

// when(condition) ends a step that is not enabled.
func when(in given) (starlark.Value, error) {
	var condition bool
	if err := in.unpack(1, &condition); err != nil {
		return nil, err
	}
	if _, err := asked(in.t, in.name); err != nil {
		return nil, err
	}
	if !condition {
		return nil, errNotEnabled
	}
	return starlark.None, nil
}

// pick(values) is one of some values: each leads to a successor of its own.
func pick(in given) (starlark.Value, error) {
	var from starlark.Iterable
	if err := in.unpack(1, &from); err != nil {
		return nil, err
	}
	c, err := asked(in.t, in.name)
	if err != nil {
		return nil, err
	}
	values, err := elements(from)
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
	var from starlark.Iterable
	if err := in.unpack(1, &from); err != nil {
		return nil, err
	}
	values, err := elements(from)
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
	var from starlark.Iterable
	var x starlark.Value
	if err := in.unpack(2, &from, &x); err != nil {
		return nil, err
	}
	values, err := elements(from)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(spend(in.t, len(values)), spendOn(in.t, x, max(1, len(values)))); err != nil {
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
	var from starlark.Iterable
	if err := in.unpack(1, &from); err != nil {
		return nil, err
	}
	values, err := elements(from)
	if err != nil {
		return nil, err
	}
	all := 0
	for _, v := range values {
		x, err := starlark.AsInt32(v)
		if err != nil {
			return nil, fmt.Errorf("sum: %w", misfit(v, "numbers"))
		}
		all += x
	}
	return starlark.MakeInt(all), nil
}

// send(to, message) sends a message to a process, or to each of a list of processes.
func send(in given) (starlark.Value, error) {
	var to, m starlark.Value
	if err := in.unpack(2, &to, &m); err != nil {
		return nil, err
	}
	c, _ := in.t.Local(callKey).(*call)
	if c == nil || c.send == nil {
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
	c, _ := in.t.Local(callKey).(*call)
	if c == nil || c.note == nil {
		return nil, errors.New("note is for steps of processes")
	}
	if kind < 1 || kind > maxNote {
		return nil, fmt.Errorf("note(%d); allowed: 1 to %d", kind, maxNote)
	}
	return starlark.None, c.note(kind, about)
}

// maxNote is the largest kind of a note.
const maxNote = 1<<16 - 1
