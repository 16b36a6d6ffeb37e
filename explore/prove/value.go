package prove

import (
	"fmt"

	"go.starlark.net/syntax"
)

// Values of expressions are terms, words (string), references, groups, functions, types and the following.
type (
	number    struct{ ofN, plus int } // ofN times the number of processes, plus a constant
	unknown   struct{}                // open, such as the requests that a process still makes
	latest    []*term                 // the maximum of times
	tuple     []any
	local     struct{ id *term } // the local state of a process
	global    struct{}           // the state as properties see it
	inFlight  struct{}           // all messages on their way
	count     struct{ *group }   // the size of a group
	builtin   string             // a function or a type of the language
	postponed struct{ error }    // a global outside the fragment: using it is an error
	gathering []part             // of a comprehension
)

// conjuncts are the conditions that together are a condition.
func (t *term) conjuncts() []*term {
	if t.op == "and" {
		return t.args
	}
	return []*term{t}
}

// A part is a value for all values of variables that fulfil a condition.
type part struct {
	vars  []*term
	cond  *term
	value any
}

// A dataType is a type of variables.
type dataType struct {
	kind   string    // bool, time, process, word, set, array, record, message, or open: it is not modelled
	of     *dataType // of elements
	words  []string
	fields []*member // of a record or message, in their order
	sets   []*member // of a message: its sets, behind the other fields
	name   string    // of a message
}

// A member is a field of a record. start is its value at the start; nil: the first one of its type.
type member struct {
	name  string
	typ   *dataType
	start any
}

// A field is a relation or function: a variable of all processes, whose arguments are a process, keys of
// arrays and an element of a set; or a kind of messages, with sender, receiver and fields.
type field struct {
	name string
	args []sort
	sort sort
	typ  *dataType
}

// A state gives the value of each field.
type state map[*field]func(args []*term) *term

// A reference is a variable or an element of it. A variable of words has a field for each word.
type reference struct {
	base string
	args []*term
	typ  *dataType
}

// A group is a set, or a list as a set.
type group struct {
	sort sort // "": it is empty, and its sort is open
	has  func(*term) *term
	out  *term           // a process that is not in it, if one is known; nil otherwise
	of   []*field        // the variables that may have it; none: a new set
	wrap func(*term) any // elements as values; nil: they are terms
}

// A message has the values of its fields, and on its way a sender and a receiver.
type message struct {
	typ      *dataType
	src, dst *term
	fields   []*term
	sets     []*group
}

// A function is a function of the file; with expr it is a lambda.
type function struct {
	name   string
	at     syntax.Position
	params []syntax.Expr
	body   []syntax.Stmt
	expr   syntax.Expr
}

// A declared is a call that declares a part of the model, such as step(...) or invariant(...).
type declared struct {
	of    string
	at    syntax.Position
	rest  []any
	named map[string]any
}

// mapped returns what a function makes of the elements of a list, in their order.
func mapped[T, U any](list []T, of func(T) U) (all []U) {
	for _, x := range list {
		all = append(all, of(x))
	}
	return all
}

// inside is a value; if it is postponed, its construct is refused.
func inside(v any) any {
	if p, failed := v.(postponed); failed {
		panic(p.error)
	}
	return v
}

// arg is an argument given by its name or by its place; nil: it is not given.
func (d *declared) arg(name string, place int) any {
	if v, is := d.named[name]; is || place < 0 || place >= len(d.rest) {
		return inside(v)
	}
	return d.rest[place]
}

// text is the argument name, which is a word.
func (d *declared) text(place int) string {
	s, _ := d.arg("name", place).(string)
	return s
}

// called names the kind of a value in errors.
func called(v any) string {
	switch v := v.(type) {
	case *term:
		return map[sort]string{boolean: "a truth value", node: "a process", instant: "a time"}[v.sort]
	case string:
		return fmt.Sprintf("the word %q", v)
	case *reference:
		return "a variable of the kind " + v.typ.kind
	case *group, gathering:
		return "a set or list"
	case *local:
		return "a local state"
	case number:
		return "a number"
	case nil:
		return "no value"
	}
	return fmt.Sprintf("a value of the kind %T", v)
}

// sortNames are the sorts in errors.
var sortNames = map[sort]string{boolean: "truth value", node: "process", instant: "time"}

// Outside is the error of a construct outside the fragment, with its place.
type Outside struct{ Where, What string }

func (o *Outside) Error() string { return o.Where + ": " + o.What }

// refuse ends the translation: a construct is outside the fragment. refused recovers it.
func refuse(at syntax.Position, format string, a ...any) {
	panic(&Outside{Where: at.String(), What: fmt.Sprintf(format, a...)})
}

// must refuses a construct unless a condition holds.
func must(ok bool, at syntax.Node, format string, a ...any) {
	if !ok {
		refuse(position(at), format, a...)
	}
}

// position is the place of an expression or a statement.
func position(n syntax.Node) syntax.Position {
	at, _ := n.Span()
	return at
}

// refused calls a function, and returns the error with which it refuses a construct.
func refused(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Outside:
			err = x
		default:
			panic(x)
		}
	}()
	f()
	return nil
}
