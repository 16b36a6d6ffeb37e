// Package usage has errors for wrong arguments: an [Error] names the mistake and the allowed values, and
// [Nearest] guesses the intended word. Such errors are made where the allowed words are known: for
// parameters, options of a search, names in files. Only the code that shows them knows the form of an
// [Option].
package usage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// An Option is the name of an option of a search, or of reading logs, in a [Text].
type Option string

// A Text is a message that may name options.
type Text struct {
	message string // the message, or its format if it has arguments
	args    []any
}

// Textf returns the text that fmt.Sprintf makes of the arguments. It keeps options among them, and errors
// whose texts name options.
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

// naming is a value with a Text.
type naming interface {
	With(given func(Option) string) string
}

// String returns the message with the bare names of options.
func (t Text) String() string { return t.With(func(o Option) string { return string(o) }) }

// With returns the message with options in the form of its readers: on a command line as --name.
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

// An Error is a wrong argument. Its message names the mistake and the allowed values.
type Error struct{ Text }

func (e *Error) Error() string { return e.String() }

// Errorf returns an Error with a message, as Textf does.
func Errorf(format string, a ...any) error { return &Error{Textf(format, a...)} }

// Nearest returns ` (did you mean "x"?)` for the word among words that is nearest to the one given; "": each
// of them takes more edits than half the letters given. The shortest word that begins with three or more
// letters given is nearer than all others. Case does not count.
func Nearest(given string, words []string) string {
	best, distance := "", len(given)/2+1
	for _, w := range words {
		if len(given) >= 3 && strings.HasPrefix(w, given) && (distance > 0 || len(w) < len(best)) {
			best, distance = w, 0
		} else if d := levenshtein.ComputeDistance(strings.ToLower(given), strings.ToLower(w)); d < distance {
			best, distance = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
