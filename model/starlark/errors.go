package starfile

import (
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
	var misuse *usage.Error
	var known *located
	var failed *model.Error
	switch {
	case errors.As(err, &misuse):
		return misuse
	case errors.As(err, &known):
		return known
	case errors.As(err, &failed):
		return failed
	}
	return (*located)(mistake(err))
}

// mistake makes a mistake of the model of an error of Starlark. Its place is the innermost line of a file in
// the call stack.
func mistake(err error) *model.Error {
	e := &model.Error{What: cut(err.Error(), 600)}
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		for i := range failed.CallStack {
			if pos := failed.CallStack.At(i).Pos; pos.Filename() != "<builtin>" {
				e.Where = pos.String()
				break
			}
		}
		e.What = advised(strings.TrimPrefix(e.What, "Starlark computation cancelled: "))
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
