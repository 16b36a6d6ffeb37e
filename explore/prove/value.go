package prove

import (
	"fmt"

	"go.starlark.net/syntax"
)

// Values of expressions are terms, words (string), booleans as terms, and the types below.

// A number is ofN times the number of processes, plus a constant.
type number struct{ ofN, plus int }

// unknown is a value that the translation leaves open, such as the requests that a process still makes.
type unknown struct{}

// A dataType is a type of variables.
type dataType struct {
	kind   kind
	of     *dataType // of elements
	words  []string
	fields []*member // of a record or message, in their order
	name   string    // of a message
}

type kind string

const (
	bools    kind = "bool"
	times    kind = "a time"
	nodes    kind = "a process"
	wordsOf  kind = "a word"
	sets     kind = "a set"
	arrays   kind = "an array"
	records  kind = "a record"
	messages kind = "a message"
	open     kind = "open" // values that are not modelled
)

// A member is a field of a record.
type member struct {
	name  string
	typ   *dataType
	start any // value at the start; nil: the first one of the type
}

// A field is a variable of all processes, or a kind of messages.
type field struct {
	name string
	args []sort // a process, keys of arrays, an element of a set; of messages sender, receiver and fields
	sort sort
	typ  *dataType
}

// A state gives the value of each field.
type state map[*field]func(args []*term) *term

// A reference is a variable, or an element of an array.
type reference struct {
	base string // name of the fields: a variable of words has a field for each word
	args []*term
	typ  *dataType
}

// A group is a set, or a list as a set.
type group struct {
	sort sort // "": it is empty, and its sort is open
	has  func(*term) *term
	out  *term           // a process that is not in it, if one is known; nil otherwise
	wrap func(*term) any // elements as values; nil: they are terms
}

// inFlight are all messages on their way.
type inFlight struct{}

// A gathering is the value of a comprehension: a value for all values of variables that fulfil a condition.
type gathering []part

type part struct {
	vars  []*term
	cond  *term
	value any
}

// A count is the size of a group.
type count struct{ *group }

// latest is the maximum of some times.
type latest []*term

// A tuple is compared in the order of its elements.
type tuple []any

// A local is the local state of a process.
type local struct{ id *term }

// An envelope is a message on its way.
type envelope struct {
	src, dst *term
	message  *message
}

// A message has the values of its fields.
type message struct {
	typ    *dataType
	fields []*term
}

// A global is the state as properties see it.
type global struct{}

// A function is a function of the file.
type function struct {
	name   string
	at     syntax.Position
	params []syntax.Expr
	body   []syntax.Stmt
	expr   syntax.Expr // of a lambda
}

// A builtin is a function or a type of the language by its name.
type builtin string

// A declared is a call that declares a part of the model, such as step(...) or invariant(...).
type declared struct {
	of    string
	at    syntax.Position
	rest  []any
	named map[string]any
}

// arg is an argument given by its name or by its place; nil: it is not given.
func (d *declared) arg(name string, place int) any {
	if v, is := d.named[name]; is {
		return v
	}
	if place >= 0 && place < len(d.rest) {
		return d.rest[place]
	}
	return nil
}

// text is an argument that is a word.
func (d *declared) text(name string, place int) string {
	s, _ := d.arg(name, place).(string)
	return s
}

// called names the kind of a value in errors.
func called(v any) string {
	switch v := v.(type) {
	case *term:
		return map[sort]string{boolean: "a truth value", node: "a process", instant: "a time"}[v.sort]
	case string:
		return fmt.Sprintf("the word %q", v)
	case number:
		return "a number"
	case *group, gathering:
		return "a set or list"
	case count:
		return "a size"
	case *reference:
		return string(v.typ.kind)
	case *local:
		return "a local state"
	case *envelope, *message:
		return "a message"
	}
	return fmt.Sprintf("%T", v)[len("prove."):]
}
