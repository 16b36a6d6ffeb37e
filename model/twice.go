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

// initAgain is how often Init is called once more, and buildAgain how often Build is, if the model is one of
// those that come with this program: they are known to be functions, up to mistakes. Others are built
// buildOwnAgain times more.
const (
	initAgain     = 3
	buildAgain    = 1
	buildOwnAgain = 7
)

// sameInit returns what a composition begins with, or panics if that is something else the next time.
func (sp *composed[L, M, H]) sameInit() protocol.Initial {
	first := sp.Init()
	for i := 0; i < initAgain && !sp.c.Hermetic; i++ {
		second := sp.Init()
		for p := range first.Locals {
			if e := sp.unlikeInit(Proc(p), &first, &second); e != nil {
				panic(e)
			}
		}
	}
	return first
}

// unlikeInit returns the mistake that process p begins in two ways; nil if it does not.
func (sp *composed[L, M, H]) unlikeInit(p Proc, first, second *protocol.Initial) *Error {
	e := &Error{Part: "Init", Process: sp.c.Names.Of(p), What: impure, Where: declaredAt(sp.c.Init)}
	local := func(s *protocol.Initial) string { return spelled(sp.ofLocal.value(s.Locals[p]), sp.c.Names) }
	inbox := func(s *protocol.Initial) string {
		var texts []string
		for _, m := range s.Inboxes[p] {
			from := sp.c.Names.Of(m.From)
			texts = append(texts, fmt.Sprintf("%v from %s", sp.ofMessage.value(m.Message), from))
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	same := func(a, b protocol.Envelope) bool {
		return a.From == b.From && slices.Equal(a.Message, b.Message)
	}
	switch {
	case !slices.Equal(first.Locals[p], second.Locals[p]):
		e.First, e.Second = local(first), local(second)
	case !slices.EqualFunc(first.Inboxes[p], second.Inboxes[p], same):
		e.Part, e.Process = "UnderWay", ""
		e.First, e.Second = sp.c.Names.Of(p)+" is to receive "+inbox(first), "it is to receive "+inbox(second)
	default:
		return nil
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
	times := buildOwnAgain
	if of := owner(functionName(s.Build)); strings.HasPrefix(of, builtIn) {
		times = buildAgain
	} else if strings.HasPrefix(of, own+"/") { // what reads models from files shows them nothing else
		return nil
	}
	for range times {
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
	return unlikeAt("initial state", a.Plain.Init(), b.Plain.Init(),
		func(x, y *lts.Transition) bool { return x.Outside == y.Outside && x.Next.Code() == y.Next.Code() },
		func(x *lts.Transition) string { return described(x.Next) })
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
