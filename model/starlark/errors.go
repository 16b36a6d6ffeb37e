package starfile

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A located is a mistake in a file. Its text has the form that editors understand: place, colon, mistake.
type located model.Error

func locate(at syntax.Position, format string, a ...any) *located {
	return &located{Where: at.String(), What: fmt.Sprintf(format, a...)}
}

// Unwrap returns the mistake as one of the model.
func (e *located) Unwrap() error { return (*model.Error)(e) }

// Lines is Error; each of its lines begins with a place.
func (e *located) Lines() string { return e.Error() }

func (e *located) Error() string {
	if e.Where == "" {
		return e.What
	}
	return e.Where + ": " + e.What
}

// reported returns the error to report for one that arose while a file was executed.
func reported(err error) error {
	if misuse, is := errors.AsType[*usage.Error](err); is {
		return misuse
	}
	if known, is := errors.AsType[*located](err); is {
		return known
	}
	if failed, is := errors.AsType[*model.Error](err); is {
		return failed
	}
	return (*located)(mistake(err))
}

// mistake makes a mistake of the model of an error of Starlark. Its place is the innermost line of a file in
// the call stack.
func mistake(err error) *model.Error {
	e := &model.Error{What: strings.ReplaceAll(cut(err.Error(), 600), "\n", `\n`)} // Lines begin with a place
	if failed, is := errors.AsType[*starlark.EvalError](err); is {
		for i := range failed.CallStack {
			if pos := failed.CallStack.At(i).Pos; pos.Filename() != "<builtin>" {
				e.Where = pos.String()
				break
			}
		}
		e.What = strings.TrimPrefix(e.What, "Starlark computation cancelled: ")
		if more := lesson(advice, e.What); more != "" {
			e.What += "; " + more
		}
	}
	return e
}

// mistakeIn is the mistake of a function; its place is the function's definition.
func mistakeIn(f starlark.Callable, what string) *model.Error {
	e := &model.Error{What: what}
	if fn, ok := f.(*starlark.Function); ok {
		e.Where = fn.Position().String()
	}
	return e
}

// misfit is the error for a value that is not of a type.
func misfit(v starlark.Value, allowed string) error {
	if _, is := v.(starlark.Float); is {
		allowed += "; x // y is a whole number"
	}
	return fmt.Errorf("%s is not allowed here; allowed: %s", short(v), allowed)
}

// within adds to an error where the value stands.
func within(where string, err error) error { return fmt.Errorf("%s: %w", where, err) }

// cut returns a text, or its first bytes with three dots if it has more than most bytes.
func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most-3], "") + "..."
	}
	return s
}

func words(names []string) string { return strings.Join(names, ", ") }

// short is the text of a value in an error.
func short(v starlark.Value) string {
	if v == nil {
		return "nothing"
	}
	return cut(v.String(), 100)
}

// habits are forms of Python and of other languages that files do not have: a part of the parser's error, and
// what to write instead.
var habits = [][2]string{
	{"got for, want ':'", "a set is made of a list: set([x for x in xs])"},
	{"got for,", "a comprehension stands in brackets: all([x > 0 for x in xs])"},
	{"got ',', want ':'", "a set is made of a list: set([1, 2])"},
	{"got string literal", `strings are joined by +, and there are no f-strings: "p%d" % i`},
	{"while loops", "there is no while; write: for i in range(9): ... break"},
	{"got class", "there are no classes; record(x = int) makes a type"},
	{"got import", `there is no import; write load("parts.star", "name")`},
	{"got from", `there is no import; write load("parts.star", "name")`},
	{"got try", "there are no exceptions; write when(...) or if"},
	{"got raise", `there are no exceptions; write fail("why")`},
	{"got yield", "there is no yield; write return [...]"},
	{"got is,", "there is no is; write == or !="},
	{"got '**'", "there is no **; write x * x"},
	{"got '*', want primary", "there is no *rest; write a, rest = xs[0], xs[1:]"},
	{"got ':', want ')'", "there are no types here, and no :=; write the name alone"},
	{"got '-', want ':'", "functions declare no type of their result"},
	{"got global", "functions change no variable of the file; put it in the state"},
	{"got nonlocal", "functions change no variable around them; return the value"},
	{"got del", "there is no del; write d.pop(key)"},
	{"character '!'", "write not x"},
	{"character '@'", "there are no decorators; list the function: actions = [f]"},
	{"got '&', want primary", "write x and y"},
	{"got '|', want primary", "write x or y"},
	{"got '=', want ':'", "= assigns; write == to compare"},
	{"got if, want ':'", "write elif"},
	{"got else, want primary", "else belongs to an if above; an if behind it is elif"},
	{"got '=', want newline", "a lambda assigns nothing; write def"},
	{"character '?'", "write x if a else y"},
	{"unexpected newline in string", "a string ends on its line; variables have no primes: s.x = s.x + 1"},
	{"got indent", "this line begins at a column where no line of its block does"},
	{"got identifier, want ','", "a comma or an operator is missing before this name"},
	{"got identifier, want newline", noAssert},
	{"int literal, want newline", noAssert},
	{"got newline, want primary", "a value is missing at the end of this line; for x++ write x += 1"},
	{"got newline, want ':'", "a colon is missing at the end of the line before"},
	{"got end of file, want", "a bracket or an operator is open, and the file ends"},
	{"unindent does not match", "this line begins at a column where no line of its block does"},
	{"keyword argument must have form", "a lambda assigns nothing; write == to compare"},
	{"does not associate", "write 0 < x and x < 3"},
	{"without else clause", "both cases are needed: x if a else y"},
}

const noAssert = "brackets are missing, as in when(x); there is no assert; write when(...) or invariant(...)"

// advice says what to write where a part of an error of Starlark is right, and does not help.
var advice = [][2]string{
	{"referenced before assignment", "a function has its own variables; put in the state what outlives it"},
	{"frozen", "it belongs to the file; put in the state what changes"},
	{"NoneType", "ask first: when(x != None)"},
	{"called recursively", "write a for loop over a range"},
	{"unknown binary op: bool", "write (1 if x else 0) for a number"},
	{"unknown binary op: string", "write \"%d\" % x for a string"},
	{"record value does not support item", "a field stands behind a dot: r.field"},
	{"not iterable", "write range(x) for the numbers below x"},
	{"unhandled index operation set", "a set has no order; write sorted(s)[0]"},
	{"missing key", "ask first: when(x in s)"},
	{"out of range: empty", "ask first: when(len(xs) > 0)"},
	{"division by zero", "ask first: when(x != 0)"},
	{"want bool", "a condition compares: x == 1 or x == 2, len(xs) > 0"},
	{" missing 1 argument", "a list has functions without brackets: [f], not [f()]"},
}

// lesson returns what a table says to write after an error of Starlark; "": nothing.
func lesson(table [][2]string, said string) string {
	for _, row := range table {
		if strings.Contains(said, row[0]) {
			return row[1]
		}
	}
	return ""
}

// unlearn returns what to write in place of a habit, by an error of Starlark, or this error.
func unlearn(said string) string { return cmp.Or(lesson(habits, said), said) }
