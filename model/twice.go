package model

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// What a model begins with has to be a function as much as its handlers: a model that Build makes in another
// way the next time, or that begins elsewhere, is not the one that was searched, when its runs are shown. So
// both are asked again before the search. What draws lots among two may come to the same by chance, and
// is asked several times.

// initAgain is how often Init is called once more, and buildAgain how often Build is. The models that come
// with this program are built once: a second time would be 15% more instructions in small instances.
const (
	initAgain  = 3
	buildAgain = 7
)

// sameInit returns what a composition begins with, or panics if that is something else the next time.
func (sp *composed) sameInit() protocol.Initial {
	first := sp.Init()
	for i := 0; i < initAgain && !sp.c.Hermetic; i++ {
		second := sp.Init()
		for p := range first.Locals {
			if e := sp.unlikeStart(Proc(p), &first, &second); e != nil {
				panic(e)
			}
		}
	}
	return first
}

// unlikeStart returns the mistake that process p begins in two ways; nil if it does not.
func (sp *composed) unlikeStart(p Proc, first, second *protocol.Initial) *Error {
	same := func(a, b protocol.Envelope) bool {
		return a.From == b.From && slices.Equal(a.Message, b.Message)
	}
	elsewhere := !slices.Equal(first.Locals[p], second.Locals[p])
	if !elsewhere && slices.EqualFunc(first.Inboxes[p], second.Inboxes[p], same) {
		return nil
	}
	local := func(s *protocol.Initial) string { return sp.c.spelled(sp.c.locals.value(s.Locals[p])) }
	inbox := func(s *protocol.Initial) string {
		var texts []string
		for _, m := range s.Inboxes[p] {
			from := sp.c.Names.Of(m.From)
			message := sp.c.messages.Text(sp.c.messages.value(m.Message))
			texts = append(texts, fmt.Sprintf("%s from %s", message, from))
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	e := &Error{Part: "Init", What: impure, Process: sp.c.Names.Of(p), Where: declaredAt(sp.c.declaredInit)}
	if e.First, e.Second = local(first), local(second); !elsewhere {
		e.Part, e.Where = "UnderWay", declaredAt(sp.c.declaredSends)
		e.First, e.Second = "to receive: "+inbox(first), "to receive: "+inbox(second)
	}
	return e
}

// sameBuild returns the mistake that Build comes to another instance the next time; nil if it does not.
func (s *Spec) sameBuild(args []string, first *Instance, given *Args) (e error) {
	var mistake *Error
	defer func() {
		if mistake != nil { // one that the search meets as well, and knows more of
			e = nil
		}
	}()
	defer Catch(&mistake)
	of := owner(functionName(s.Build))
	if strings.HasPrefix(of, builtIn) || strings.HasPrefix(of, own+"/") { // or it reads models from files
		return nil
	}
	for range buildAgain {
		a, err := s.ParseArgs(args)
		if err != nil {
			return err
		}
		again, err := s.build(a)
		if err == nil {
			err = again.Check()
		}
		differs := &Error{First: "it was built", Second: fmt.Sprint(err)}
		if err == nil {
			differs = unlike(first, &again, given, a)
		}
		if differs != nil {
			if p := differs.Process; p != "" {
				differs.First, differs.Second = p+": "+differs.First, p+": "+differs.Second
			}
			differs.Process = ""
			differs.Part, differs.What, differs.Where = "Build", impure, declaredAt(s.Build)
			return differs
		}
	}
	return nil
}

// unlike returns what is not the same in two instances; nil if nothing is.
func unlike(a, b *Instance, given, again *Args) *Error {
	if e := unlikeAt("parameter", given.List(), again.List(),
		func(x, y *[2]string) bool { return *x == *y },
		func(x *[2]string) string { return x[0] + "=" + x[1] }); e != nil {
		return e
	}
	if e := unlikeAt("action", a.Space.Actions(), b.Space.Actions(),
		func(x, y *lts.Action) bool { return *x == *y },
		func(x *lts.Action) string { return fmt.Sprintf("%+v", *x) }); e != nil {
		return e
	}
	if e := unlikeAt("property", a.Space.Properties(), b.Space.Properties(),
		func(x, y *PropertyInfo) bool { return reflect.DeepEqual(x, y) },
		func(x *PropertyInfo) string { return fmt.Sprintf("%+v", *x) }); e != nil {
		return e
	}
	if e := unlikeAt("fairness condition", a.Space.Fairness(), b.Space.Fairness(),
		func(x, y *Fairness) bool { return x.Name == y.Name && x.Strong == y.Strong },
		func(x *Fairness) string { return x.Name }); e != nil {
		return e
	}
	return a.Space.unlikeInit(b.Space)
}

func (sp *composed) unlikeInit(other Space) *Error {
	o, same := other.(*composed)
	if !same {
		return &Error{First: fmt.Sprintf("%T", sp), Second: fmt.Sprintf("%T", other)}
	}
	first, second := sp.Init(), o.Init()
	for p := range first.Locals {
		if p >= len(second.Locals) {
			return &Error{First: fmt.Sprintf("there are %d processes", len(first.Locals)),
				Second: fmt.Sprintf("there are %d", len(second.Locals))}
		}
		if e := sp.unlikeStart(Proc(p), &first, &second); e != nil {
			return e
		}
	}
	return nil
}

func (sp *systemSpace[S]) unlikeInit(other Space) *Error {
	o, same := other.(*systemSpace[S])
	if !same {
		return &Error{First: fmt.Sprintf("%T", sp), Second: fmt.Sprintf("%T", other)}
	}
	return unlikeAt("initial state", sp.Init, o.Init, func(x, y *S) bool { return *x == *y },
		func(x *S) string { return described(&systemState[S]{*x, &sp.System}) })
}

// unlikeAt returns the first difference between two lists; nil if there is none.
func unlikeAt[T any](thing string, a, b []T, same func(x, y *T) bool, text func(*T) string) *Error {
	said := func(list []T, i int) string {
		if i >= len(list) {
			return fmt.Sprintf("there is no %s %d", thing, i+1)
		}
		return fmt.Sprintf("%s %d: %s", thing, i+1, text(&list[i]))
	}
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !same(&a[i], &b[i]) {
			return &Error{First: said(a, i), Second: said(b, i)}
		}
	}
	return nil
}
