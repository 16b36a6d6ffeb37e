package starfile

import (
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// A historyValue is a monitor.
type historyValue struct {
	typed
	of     *recordType
	step   starlark.Callable
	guards bool
}

// history(record, step, guards) is a part of the state that no step reads.
func (b *builder) history(set *settings) (starlark.Value, error) {
	h := &historyValue{step: set.needs("step"), guards: set.flag("guards")}
	var ok bool
	if h.of, ok = set.given("of").(*recordType); !ok {
		set.fail("of is missing: record(...), the variables of the history")
	}
	return h, nil
}

// eventType is what a history is told of a step.
var eventType = &recordType{
	typed: typed{name: "event"}, fields: []string{"proc", "note", "procs", "crash", "dead"},
}

// monitor makes the history.
func (c *composition) monitor() model.History[past] {
	h := c.history
	first := packedBy(h.step, h.of.zero().(*record))
	return model.History[past]{Init: past{first}, Guards: h.guards, Step: func(p *past, e model.Event) bool {
		was := h.of.unpacked(p.bytes)
		event := &record{t: eventType, frozen: true, xs: []starlark.Value{
			number(c.id(e.Proc)), number(int(e.Note >> 16)), c.ids(model.Set(e.Note & maxNote)),
			starlark.Bool(e.Crash), c.ids(e.Dead),
		}}
		_, kept := c.b.searches.run(&call{}, h.step, was, event)
		p.bytes = packedBy(h.step, was)
		return kept
	}}
}

// clocks declares the times of local states and messages.
func (c *composition) clocks() model.Clocks[local, message] {
	return model.Clocks[local, message]{
		Local: func(l *local, visit func(*uint32)) {
			if timed(c.local) {
				me := shift(c.local, c.local.unpacked(l.bytes), visit).(*record)
				l.bytes, _ = c.local.packed(me) // times stay times
			}
		},
		Message: func(m *message, visit func(*uint32)) {
			if of, r := c.messages.kind(m.bytes); timed(of) {
				m.bytes, _ = c.messages.packed(shift(of, of.unpack(r), visit)) // likewise
			}
		},
	}
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
