package starfile

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A located is a mistake in a file, with the place where it shows, if that is known.
type located struct {
	Where string // file:line:column
	What  string
}

func locate(at syntax.Position, format string, a ...any) *located {
	return &located{at.String(), fmt.Sprintf(format, a...)}
}

// Unwrap makes it a mistake of the model, for those who ask.
func (e *located) Unwrap() error { return &model.Error{What: e.What, Where: e.Where} }

// Lines is Error, of which each line begins with a place.
func (e *located) Lines() string { return e.Error() }

// Error has the form that editors understand.
func (e *located) Error() string {
	if e.Where == "" {
		return e.What
	}
	return e.Where + ": " + e.What
}

// misfit is the error for a value that is not of a type.
func misfit(v starlark.Value, allowed string) error {
	return fmt.Errorf("%s is not allowed here; allowed: %s", short(v), allowed)
}

// within adds to an error where the value stands.
func within(where string, err error) error { return fmt.Errorf("%s: %w", where, err) }

// position is where a function is defined.
func position(f starlark.Callable) string {
	if fn, ok := f.(interface{ Position() syntax.Position }); ok {
		return fn.Position().String()
	}
	return ""
}

// mistakeIn is the mistake of a function, of which no line is known.
func mistakeIn(f starlark.Callable, what string) *model.Error {
	return &model.Error{What: what, Where: position(f)}
}

// mistake makes a model's Error of what Starlark returns.
func mistake(err error) *model.Error {
	what, where := explain(err)
	return &model.Error{What: what, Where: where}
}

// explain returns what an error says, and the innermost line of a file where it shows.
func explain(err error) (what, where string) {
	what = cut(err.Error(), 600)
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		for i := range failed.CallStack {
			pos := failed.CallStack.At(i).Pos
			if pos.Filename() != "<builtin>" {
				where = pos.String()
				break
			}
		}
		what = strings.TrimPrefix(what, "Starlark computation cancelled: ")
	}
	return what, where
}

// cut returns a text, or so many bytes of its beginning.
func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most-3], "") + "..."
	}
	return s
}
