// Package usage is about wrong arguments: an [Error] says what was wrong and what is allowed, and [Nearest]
// what was probably meant. Such errors are made where the allowed words are known: of parameters, of options
// of a search, of names in files. Who shows them need not know; how an [Option] is given only they know.
package usage

import (
	"fmt"
	"slices"

	"github.com/agnivade/levenshtein"
)

// An Option is the name of something that can be asked of a search, or of the reading of logs, in a [Text].
type Option string

// A Text is a message in which options may be named.
type Text struct {
	message string // the message, or its format if it has arguments
	args    []any
}

// Textf returns the text that fmt.Sprintf makes of the arguments. Options among them, and errors whose texts
// name options, are still known as such.
func Textf(format string, a ...any) Text {
	names := func(arg any) bool {
		_, is := arg.(Option)
		_, has := arg.(naming)
		return is || has
	}
	if slices.ContainsFunc(a, names) {
		return Text{format, a}
	}
	return Text{message: fmt.Sprintf(format, a...)}
}

// naming is what has a Text.
type naming interface {
	With(given func(Option) string) string
}

// String returns the message with the bare names of options.
func (t Text) String() string { return t.With(func(o Option) string { return string(o) }) }

// With returns the message with options as those who read it give them: on a command line as --name.
func (t Text) With(given func(Option) string) string {
	if t.args == nil {
		return t.message
	}
	args := slices.Clone(t.args)
	for i := range args {
		switch a := args[i].(type) {
		case Option:
			args[i] = given(a)
		case naming:
			args[i] = a.With(given)
		}
	}
	return fmt.Sprintf(t.message, args...)
}

// An Error is a wrong argument. Its message says what was wrong and what is allowed.
type Error struct{ Text }

func (e *Error) Error() string { return e.String() }

// Errorf returns an Error with a message, as Textf does.
func Errorf(format string, a ...any) error { return &Error{Textf(format, a...)} }

// Nearest returns ` (did you mean "x"?)` for the word among words that is nearest
// to the one given, or "" if none is near: it takes more edits than half the letters given.
func Nearest(given string, words []string) string {
	best, distance := "", len(given)/2+1
	for _, w := range words {
		if d := levenshtein.ComputeDistance(given, w); d < distance {
			best, distance = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
