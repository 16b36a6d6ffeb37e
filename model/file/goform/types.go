package goform

import (
	"fmt"
	"strings"
)

// A kind is what Go makes of a type of the language.
type kind int

const (
	kVoid kind = iota
	kNone
	kInt
	kBool
	kStr
	kAny // one of several kinds, as a value of an interface
	kTuple
	kList
	kSet
	kDict
	kArray
	kRecord
	kEnum
	kOption
	kRounds
	kMember   // a process, or the state of a system, in a step
	kGlobal   // a state of processes
	kEnvelope // a message under way
	kMessage
	kEvent
	kFunc
	kMade // something that is declared: a property, a network
)

// A typ is the type of an expression, and how a variable of it is stored.
type typ struct {
	kind kind
	// of the elements of a list, a set, an array, an option, and the values of a dictionary; what a function
	// returns
	of    *typ
	key   *typ   // of the keys of a dictionary
	items []*typ // of a tuple; the parameters of a function
	rec   *record
	name  string   // in Go, of an enum or of what is made
	words []string // of an enum

	// the keys of an array or a dictionary, and all values of what is stored by its place among them, in Go
	dom   string
	first int // the first key of an array, where keys are numbers
	most  int // elements that are stored at most
	lo,
	hi string // the limits of numbers, in Go; "": there are none
	store  string // the Go type of a number that is stored
	time   bool   // a logical time; timeIf is a condition on that
	stamp  bool   // of which 0 is none
	timeIf string
}

// A record is a struct.
type record struct {
	name    string // in Go
	tag     string // of a message: its name
	fields  []field
	message bool
}

// A field is one of a record; first is the value with which it begins, in Go and as it is stored, "" for the
// zero value.
type field struct {
	name, goName, first string
	t                   *typ
}

func (r *record) field(name string) *field {
	for i := range r.fields {
		if r.fields[i].name == name {
			return &r.fields[i]
		}
	}
	return nil
}

var (
	void    = &typ{kind: kVoid}
	none    = &typ{kind: kNone}
	integer = &typ{kind: kInt, store: "int"}
	boolean = &typ{kind: kBool}
	str     = &typ{kind: kStr}
	anyOf   = &typ{kind: kAny}
	rounds  = &typ{kind: kRounds}
	ints    = &typ{kind: kSet, of: integer}
)

func listOf(t *typ) *typ { return &typ{kind: kList, of: t} }

func made(name string) *typ { return &typ{kind: kMade, name: name} }

// constant is the name of a word of an enum.
func (t *typ) constant(word string) string { return strings.TrimSuffix(t.name, "Kind") + joined(word) }

// numbers reports whether a type is that of sets of numbers, which are sets of bits.
func (t *typ) numbers() bool { return t.kind == kSet && t.of.kind == kInt }

// String is the type in Go as expressions have it.
func (t *typ) String() string {
	switch t.kind {
	case kInt, kRounds:
		return "int"
	case kBool:
		return "bool"
	case kStr:
		return "string"
	case kAny, kNone:
		return "any"
	case kTuple:
		var all []string
		for _, x := range t.items {
			all = append(all, x.String())
		}
		return fmt.Sprintf("tuple%d[%s]", len(all), strings.Join(all, ", "))
	case kSet:
		if t.numbers() {
			return "set"
		}
		return "[]" + t.of.String()
	case kList, kArray:
		return "[]" + t.of.String()
	case kDict:
		return "map[" + t.key.String() + "]" + t.of.String()
	case kRecord:
		return t.rec.name
	case kOption:
		return "option[" + t.of.String() + "]"
	case kMember:
		if t.name != "" {
			return t.name
		}
		return "member"
	case kGlobal:
		return "*global"
	case kEnvelope:
		return "envelope"
	case kMessage:
		return "message"
	case kEvent:
		return "event"
	case kFunc:
		var all []string
		for _, x := range t.items {
			all = append(all, x.String())
		}
		return "func(" + strings.Join(all, ", ") + ") " + t.of.String()
	case kEnum, kMade:
		return t.name
	}
	return ""
}

// stored is the type in Go as it is stored in a state.
func (t *typ) stored() string {
	switch t.kind {
	case kInt:
		return t.store
	case kStr, kTuple, kAny:
		if t.store != "" {
			return t.store
		}
	case kSet:
		if !t.numbers() {
			return "uint64"
		}
	case kList:
		return fmt.Sprintf("values.Seq[%s, [%d]%[1]s]", t.of.stored(), t.most)
	case kDict:
		return fmt.Sprintf("[%d]option[%s]", t.most, t.of.stored())
	case kArray:
		return fmt.Sprintf("[%d]%s", t.most, t.of.stored())
	case kOption:
		return "option[" + t.of.stored() + "]"
	case kRounds:
		return "model.Rounds"
	}
	return t.String()
}

// load is the value of what is stored at a place.
func (t *typ) load(place string) string {
	switch t.kind {
	case kInt:
		if t.store != "int" {
			return "int(" + place + ")"
		}
	case kRounds:
		return "int(" + place + ")"
	case kStr, kTuple, kAny:
		if t.store != "" {
			return t.dom + "[" + place + "]"
		}
	case kSet:
		if !t.numbers() {
			return "members(" + t.dom + ", " + place + ")"
		}
	case kList:
		return t.each("items("+place+")", t.of.stored(), t.of.String(), t.of.load)
	case kArray:
		return t.each(place+"[:len("+t.dom+")]", t.of.stored(), t.of.String(), t.of.load)
	case kDict:
		return "entries(" + t.dom + ", " + t.each(place+"[:]", "option["+t.of.stored()+"]",
			"option["+t.of.String()+"]",
			(&typ{kind: kOption, of: t.of}).load) + ")"
	case kOption:
		if t.of.stored() != t.of.String() {
			return fmt.Sprintf("kept(%s, func(x %s) %s { return %s })", place, t.of.stored(), t.of,
				t.of.load("x"))
		}
	}
	return place
}

// each maps a slice, where its elements are not what they have to be.
func (t *typ) each(slice, from, to string, f func(string) string) string {
	if from == to {
		return slice
	}
	return fmt.Sprintf("mapped(%s, func(x %s) %s { return %s })", slice, from, to, f("x"))
}

// save is what is stored of a value.
func (t *typ) save(value string) string {
	switch t.kind {
	case kInt:
		if t.lo != "" {
			value = "within(" + value + ", " + t.lo + ", " + t.hi + ")"
		}
		if t.store != "int" {
			return t.store + "(" + value + ")"
		}
	case kRounds:
		return "model.Rounds(" + value + ")"
	case kStr, kTuple, kAny:
		if t.store != "" {
			return t.store + "(place(" + t.dom + ", " + value + "))"
		}
	case kSet:
		if !t.numbers() {
			return "bitsOf(" + t.dom + ", " + value + ")"
		}
	case kList:
		return fmt.Sprintf("seqOf[%s, [%d]%[1]s](%[3]s)", t.of.stored(), t.most,
			t.each(value, t.of.String(), t.of.stored(), t.of.save))
	case kArray:
		return fmt.Sprintf("func() (a %s) { fill(a[:len(%s)], %s); return a }()", t.stored(), t.dom,
			t.each(value, t.of.String(), t.of.stored(), t.of.save))
	case kOption:
		if t.of.stored() != t.of.String() {
			return fmt.Sprintf("kept(%s, func(x %s) %s { return %s })", value, t.of, t.of.stored(),
				t.of.save("x"))
		}
	}
	return value
}

// begins is the first value of a type as it is stored; "" for the zero value.
func (t *typ) begins() string {
	switch t.kind {
	case kInt:
		if t.lo != "" && t.lo != "0" {
			return t.save(t.lo)
		}
	case kStr, kTuple, kAny:
		if t.store == "" && t.dom != "" {
			return t.dom + "[0]"
		}
	case kRecord:
		return t.rec.zero()
	case kArray:
		if first := t.of.begins(); first != "" {
			return fmt.Sprintf("func() (a %s) { for i := range %s { a[i] = %s }; return a }()", t.stored(),
				t.dom, first)
		}
	}
	return ""
}

// zero is the first value of a record, as a literal; "" for the zero value.
func (r *record) zero() string {
	var all []string
	for _, f := range r.fields {
		if f.first != "" {
			all = append(all, f.goName+": "+f.first)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return r.name + "{" + strings.Join(all, ", ") + "}"
}

// same reports whether two types are stored alike, with the same keys and values.
func same(a, b *typ) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind || a.String() != b.String() || a.stored() != b.stored() || a.dom != b.dom ||
		a.first != b.first {
		return false
	}
	return (a.of == nil || same(a.of, b.of)) && a.lo == b.lo && a.hi == b.hi
}

// fits reports whether expressions of a type can stand where another is wanted.
func fits(from, to *typ) bool {
	if from.kind == kRounds && to.kind == kInt || from.kind == kInt && to.kind == kRounds {
		return true
	}
	return from.String() == to.String()
}
