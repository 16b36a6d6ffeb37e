package file

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// A networkValue is what network_params(...) returns.
type networkValue struct {
	typed
	network model.Network
}

// network_params(n, crashes, crash_sends) declares the parameters of channels and crashes.
func (b *builder) networkOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("network_params", args, named, "n", "crashes", "crash_sends", "first")
	n, crashes, first := set.whole("n", 0), set.whole("crashes", 0), set.whole("first", 1)
	sends := "none"
	if oneOf(set, "crash_sends", "none", "prefix", "subset") >= 0 {
		sends = set.text("crash_sends")
	}
	if set.err != nil {
		return nil, set.err
	}
	for _, p := range param.Network(sends) {
		if err := b.declare(p); err != nil {
			return nil, err
		}
	}
	nw := &networkValue{}
	var err error
	if b.args != nil {
		nw.network, err = b.args.Network(n, first, crashes)
	}
	return nw, err
}

// rounds_param(n) declares rounds=, and returns how often each process requests, as an array over them.
func (b *builder) roundsOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("rounds_param", args, named, "n", "first")
	n, first := set.whole("n", 0), set.whole("first", 1)
	if set.err != nil {
		return nil, set.err
	}
	if err := b.declare(param.Rounds); err != nil {
		return nil, err
	}
	b.rounds = slices.Repeat([]int{1}, n)
	if b.args != nil {
		var err error
		if b.rounds, err = b.args.Rounds(n); err != nil {
			return nil, err
		}
	}
	keys, err := newWords(valuesOf(newInt(first, first+n-1)))
	if err != nil {
		return nil, err
	}
	t := &arrayType{typed: typed{name: "rounds"}, keys: keys, first: first, row: true, of: roundsType}
	a := &array{t: t}
	for _, r := range b.rounds {
		if r == model.Forever {
			a.xs = append(a.xs, forever)
		} else {
			a.xs = append(a.xs, number(r))
		}
	}
	return a, nil
}

const forever = starlark.String("inf")

// roundsType are the numbers of requests that a process still makes.
var roundsType = func() *wordType {
	values := append(valuesOf(newInt(0, 15)), forever)
	t, err := newWords(values)
	if err != nil {
		panic(err)
	}
	return t
}()

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

// endless_params() declares the parameters of runs without end.
func (b *builder) endlessOf(starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	b.endless = true
	for _, p := range param.Endless() {
		if err := b.declare(p); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// A historyValue is a monitor.
type historyValue struct {
	typed
	of     *recordType
	step   starlark.Callable
	guards bool
}

// history(record, step, guards) is a part of the state that no step reads.
func (b *builder) historyOf(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("history", args, named, "of", "step", "guards")
	h := &historyValue{step: set.needs("step"), guards: set.flag("guards")}
	var ok bool
	if h.of, ok = set.given("of").(*recordType); !ok {
		set.fail("of is missing: record(...), the variables of the history")
	}
	return h, set.err
}

// eventType is what a history is told of a step.
var eventType = &recordType{
	typed: typed{name: "event"}, fields: []string{"proc", "note", "procs", "crash", "dead"},
}

// monitor makes the history.
func (c *composition) monitor() model.History[past] {
	h := c.history
	first, err := h.of.lines(h.of.zero().(*record))
	if err != nil {
		panic(&model.Error{What: err.Error(), Where: position(h.step)})
	}
	return model.History[past]{Init: past{first}, Guards: h.guards, Step: func(p *past, e model.Event) bool {
		was := h.of.ofLines(p.text)
		event := &record{t: eventType, frozen: true, xs: []starlark.Value{
			number(
				c.id(e.Proc),
			), number(int(e.Note >> 16)), c.ids(model.Set(e.Note & maxNote)), starlark.Bool(e.Crash),
			c.ids(e.Dead),
		}}
		_, kept := run(&call{what: "the history"}, h.step, was, event)
		text, err := h.of.lines(was)
		if err != nil {
			panic(&model.Error{What: err.Error(), Where: position(h.step)})
		}
		p.text = text
		return kept
	}}
}

// clocks declares the times of local states and messages.
func (c *composition) clocks() model.Clocks[local, message] {
	return model.Clocks[local, message]{
		Local: func(l *local, visit func(*uint32)) {
			if timed(c.local) {
				l.text, _ = c.local.lines(
					shift(c.local, c.local.ofLines(l.text), visit).(*record),
				) // times stay times
			}
		},
		Message: func(m *message, visit func(*uint32)) {
			if of := c.kind(m); of != nil && timed(of) {
				text, _ := of.write(nil, shift(of, of.read(&reader{s: m.text}), visit)) // likewise
				m.text = string(text)
			}
		},
	}
}

// kind returns the type of a message.
func (c *composition) kind(m *message) *recordType {
	for _, t := range c.messages.of {
		if t.begins(m.text) {
			return t
		}
	}
	return nil
}

// timed reports whether values of a type hold times.
func timed(t valueType) bool {
	switch t := t.(type) {
	case *intType:
		return t.isTime
	case *recordType:
		return slices.ContainsFunc(t.types, timed)
	case *arrayType:
		return timed(t.of)
	case *listType:
		return timed(t.of)
	case *optionType:
		return timed(t.of)
	case *dictType:
		return timed(t.of)
	}
	return false
}

// shift visits the times in a value, and returns it with what they have become.
func shift(t valueType, v starlark.Value, visit func(*uint32)) starlark.Value {
	switch t := t.(type) {
	case *intType:
		x, _ := starlark.AsInt32(v) // it is of the type
		if !t.isTime || t.stamp && x == 0 {
			return v
		}
		y := uint32(x)
		visit(&y)
		return number(int(y))
	case *recordType:
		r := &record{t: t}
		for i, of := range t.types {
			r.xs = append(r.xs, shift(of, v.(*record).get(i), visit))
		}
		return r
	case *arrayType:
		a := &array{t: t}
		for _, x := range v.(*array).all() {
			a.xs = append(a.xs, shift(t.of, x, visit))
		}
		return a
	case *listType:
		var xs []starlark.Value
		for i := range v.(*starlark.List).Len() {
			xs = append(xs, shift(t.of, v.(*starlark.List).Index(i), visit))
		}
		return starlark.NewList(xs)
	case *optionType:
		if v != starlark.None {
			return shift(t.of, v, visit)
		}
	case *dictType:
		d := starlark.NewDict(0)
		for _, item := range v.(*starlark.Dict).Items() {
			_ = d.SetKey(item[0], shift(t.of, item[1], visit)) // it was a key
		}
		return d
	}
	return v
}

// message(name, field=type, ...) is the type of messages of a name.
func (b *builder) message(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("message: the name is missing: message(\"REQUEST\", time = int)")
	}
	name, ok := starlark.AsString(args[0])
	if _, err := word(args[0]); !ok || err != nil {
		return nil, fmt.Errorf("message: the name is %s; allowed: a word", short(args[0]))
	}
	return newRecord(name, name, named)
}

// step(f, ...) is a step that a process takes by itself.
func (b *builder) step(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("step", args, named, "do", "name", "lines", "kind", "request")
	s := stepOf(set)
	s.request = set.flag("request")
	return s, set.err
}

// on(message, f, ...) is a step that receives a message.
func (b *builder) on(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("on", args, named, "message", "do", "name", "lines")
	of, ok := set.given("message").(*recordType)
	if !ok || of.tag == "" {
		set.fail("message is missing: what message(...) returns")
		return nil, set.err
	}
	s := stepOf(set)
	s.of = of
	if set.text("name") == "" {
		s.name = "receive " + of.tag
	}
	return s, set.err
}
