package model

import (
	"fmt"
	"reflect"
	"unsafe"

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
func (c *Composition[L, M, H]) forget(p Proc, l L) L {
	defer named(func() Error {
		return Error{Part: "Forget", Process: c.Names.Of(p), State: spelled(l, c.Names)}
	})
	of := &c.of.local
	once := of.copied(&l)
	c.Forget(p, &once)
	second, twice := of.copied(&l), of.copied(&once)
	c.Forget(p, &second)
	c.Forget(p, &twice)
	switch {
	case !of.equal(&second, &once):
		panic(&Error{What: impure, First: spelled(once, c.Names), Second: spelled(second, c.Names)})
	case !of.equal(&twice, &once):
		panic(&Error{What: forgetsAgain, First: spelled(once, c.Names), Second: spelled(twice, c.Names)})
	}
	return once
}

// forgotten returns the state with all local states in their normal forms.
func (w *world[L, M, H]) forgotten() *world[L, M, H] {
	v := w.clone()
	for p := range v.local {
		v.local[p] = v.c.forget(Proc(p), v.local[p])
	}
	return v
}

// local returns a local state by its number, also if it is taken for another.
func (t *typedParts[L, M]) local(id uint32) *L {
	if id >= protocol.Merged {
		return &t.merged[id-protocol.Merged]
	}
	return &t.locals[id]
}

// Forget returns the normal form of a local state of p, and what has to be compared with it: the local
// state in which the Counters are forgotten that are in the normal form.
func (t *typed[L, M, H]) Forget(p Proc, local []byte) (compared, normal []byte) {
	l := t.ofLocal.value(local)
	n := t.c.forget(p, l)
	for _, at := range t.counters {
		if c := counterAt(&n, at); c.n == forgottenCount {
			counterAt(&l, at).Forget()
		}
	}
	t.compared, t.normal = t.ofLocal.append(t.compared[:0], &l), t.ofLocal.append(t.normal[:0], &n)
	return t.compared, t.normal
}

// countersIn lists where the Counters are in a value of a type that begins at an offset.
func countersIn(t reflect.Type, at uintptr) (all []uintptr) {
	switch {
	case t == reflect.TypeFor[Counter]():
		return []uintptr{at}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			all = append(all, countersIn(f.Type, at+f.Offset)...)
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			all = append(all, countersIn(t.Elem(), at+uintptr(i)*t.Elem().Size())...)
		}
	}
	return all
}

// counterAt returns the Counter at an offset in a value.
func counterAt[T any](x *T, at uintptr) *Counter {
	return (*Counter)(unsafe.Add(unsafe.Pointer(x), at))
}

// Merge makes a local state known that is taken for another, and compares what the model says of them.
func (t *typed[L, M, H]) Merge(p Proc, id uint32, local []byte, normal uint32) {
	parts := &t.procs[p]
	l := t.ofLocal.value(local)
	if t.judgedWhole != "" {
		panic(&Error{Part: "Forget", Process: t.c.Names.Of(p), State: spelled(l, t.c.Names),
			What: fmt.Sprintf(
				"it forgets what is no Counter, and property %s may look at several local states at once: "+
					"of these not all are compared", t.judgedWhole,
			)})
	}
	parts.merged = append(parts.merged[:id-protocol.Merged], l)
	differ := func(part string, first, second any) {
		panic(&Error{
			Part: "Forget", What: forgetsTooMuch + " by " + part,
			Process: t.c.Names.Of(p), State: spelled(l, t.c.Names),
			First: fmt.Sprint(first), Second: fmt.Sprint(second),
		})
	}
	at := func(l *L) protocol.Local {
		t.shown = t.ofLocal.copied(l)
		return t.local(p, &t.shown)
	}
	t.compare(at(&parts.locals[normal]), at(&l), differ)
	for i := range t.c.Properties {
		if of := t.c.Properties[i].ofOne(); of != nil {
			first, second := t.told(i, of, p, parts.locals[normal]), t.told(i, of, p, l)
			if first != second {
				differ("property "+t.c.Properties[i].Name, first, second)
			}
		}
	}
}

// MergesOn tells that there is no end of the local states with one normal form.
func (t *typed[L, M, H]) MergesOn(p Proc, merged uint32) {
	panic(&Error{
		Part: "Forget", What: mergesOn,
		Process: t.c.Names.Of(p), State: spelled(*t.procs[p].local(merged), t.c.Names),
	})
}

// ofOne returns what the property says of one local state; nil if it looks at more, or at other things.
func (p *Property[S]) ofOne() func(*S, Proc) bool {
	if p.OfLocal != nil {
		return p.OfLocal
	}
	return p.Clear
}

// told returns what a function of property i says of a local state of p.
func (t *typed[L, M, H]) told(i int, of func(*Global[L, M, H], Proc) bool, p Proc, l L) bool {
	t.shown = t.ofLocal.copied(&l)
	t.part = partView[L, M, H]{l: &t.shown}
	return t.asks(i, of, p)
}

// DifferMerged tells that a memo key of a normal form came to an outcome, or to no other one if it is
// nil, and that of a local state merged into it to the second.
func (t *typed[L, M, H]) DifferMerged(s protocol.MemoKey, merged uint32, first, second *protocol.Outcome) {
	action, before, after := t.texts(first, second)
	s.Local = merged
	e := t.context(s, action)
	e.Part, e.What = "Forget", forgetsTooMuch+" by "+t.actions[action].Name
	e.First, e.Second = before, after
	panic(&e)
}
