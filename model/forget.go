package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// What a composition forgets: see Composition.Forget.

// Errors of Forget, which the search finds while it learns.
const (
	forgetsTooMuch = "it forgets what is read: a local state and what is left of it are told apart"
	forgetsAgain   = "what it leaves of a local state it does not leave as it is"
	mergesOn       = "it forgets what goes on changing, so that there is no end of the local states to be " +
		"compared: let it be a Counter, or forget what stays as it is until it is written again"
)

// forget returns the normal form of a local state of p.
func (c *composition) forget(p Proc, l value) value {
	defer check.Named(func() Error {
		return Error{Part: "Forget", Process: c.Names.Of(p), State: c.spelled(l)}
	})
	of := c.locals
	once := of.Copied(l)
	c.Forget(p, once)
	second, twice := of.Copied(l), of.Copied(once)
	c.Forget(p, second)
	c.Forget(p, twice)
	switch {
	case !of.Equal(second, once):
		panic(&Error{What: check.Nondeterministic, First: c.spelled(once), Second: c.spelled(second)})
	case !of.Equal(twice, once):
		panic(&Error{What: forgetsAgain, First: c.spelled(once), Second: c.spelled(twice)})
	}
	return once
}

// local returns a local state by its number, also if it is taken for another.
func (t *processParts) local(id uint32) value {
	if id >= protocol.Merged {
		return t.merged[id-protocol.Merged]
	}
	return t.locals[id]
}

// Forget returns the normal form of a local state of p, and what has to be compared with it: the local
// state in which the Counters are forgotten that are in the normal form.
func (t *adapter) Forget(p Proc, local []byte) (compared, normal []byte) {
	l := t.c.locals.Value(local)
	n := t.c.forget(p, l)
	for _, at := range t.counters {
		if c := counterAt(n, at); c.Forgotten() {
			counterAt(l, at).Forget()
		}
	}
	t.compared, t.normal = t.c.locals.Append(t.compared[:0], l), t.c.locals.Append(t.normal[:0], n)
	return t.compared, t.normal
}

// countersIn lists where the Counters are in a value of a type.
func countersIn(t reflect.Type) (all []uintptr) {
	codec.Walk(t, 0, func(t reflect.Type, at uintptr) (inside bool) {
		if t == reflect.TypeFor[Counter]() {
			all = append(all, at)
		}
		return true
	})
	return all
}

// counterAt returns the Counter at an offset in a value.
func counterAt(x value, at uintptr) *Counter {
	return (*Counter)(unsafe.Add(unsafe.Pointer(x), at))
}

// Merge makes a local state known that is taken for another, and compares what the model says of them.
func (t *adapter) Merge(p Proc, id uint32, local []byte, normal uint32) {
	parts := &t.procs[p]
	l := t.c.locals.Value(local)
	if t.judgedWhole != "" {
		panic(&Error{Part: "Forget", Process: t.c.Names.Of(p), State: t.c.spelled(l),
			What: fmt.Sprintf(
				"it forgets what is no Counter, and property %s may look at several local states at once: "+
					"of these not all are compared", t.judgedWhole,
			)})
	}
	parts.merged = append(parts.merged[:id-protocol.Merged], l)
	differ := func(part string, first, second any) {
		panic(&Error{
			Part: "Forget", What: forgetsTooMuch + " by " + part,
			Process: t.c.Names.Of(p), State: t.c.spelled(l),
			First: fmt.Sprint(first), Second: fmt.Sprint(second),
		})
	}
	at := func(l value) protocol.Local {
		t.shown = t.c.locals.Copied(l)
		return t.local(p, t.shown)
	}
	t.compare(at(parts.locals[normal]), at(l), differ)
	for i := range t.c.Properties {
		if of := ofOne(&t.c.Properties[i]); of != nil {
			first, second := t.told(i, of, p, parts.locals[normal]), t.told(i, of, p, l)
			if first != second {
				differ("property "+t.c.Properties[i].Name, first, second)
			}
		}
	}
}

// MergesOn tells that there is no end of the local states with one normal form.
func (t *adapter) MergesOn(p Proc, merged uint32) {
	panic(&Error{
		Part: "Forget", What: mergesOn,
		Process: t.c.Names.Of(p), State: t.c.spelled(t.procs[p].local(merged)),
	})
}

// ofOne returns what the property says of one local state; nil if it looks at more, or at other things.
func ofOne(p *property.Erased) func(value, Proc) bool {
	if p.OfLocal != nil {
		return p.OfLocal
	}
	return p.Clear
}

// told returns what a function of property i says of a local state of p.
func (t *adapter) told(i int, of func(value, Proc) bool, p Proc, l value) bool {
	t.shown = t.c.locals.Copied(l)
	t.part = partView{l: t.shown}
	return t.asks(i, of, p)
}
