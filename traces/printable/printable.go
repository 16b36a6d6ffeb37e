// Package printable escapes text from outside: the names of a model, the content of
// a trace or a log, the name of a file. Such text must not control the terminal, nor imitate
// lines of the output. The package writes control characters, characters that change the direction of
// writing, other invisible characters and bytes that are not UTF-8 as escapes of Go.
//
// Output for people uses Fprintf and Fprintln of this package instead of
// the functions of fmt. Colours and other text to be written unchanged are passed as Raw.
package printable

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Raw is text that is written unchanged.
type Raw string

// Text escapes the invisible characters of a text, line ends included. It is idempotent.
func Text(s string) string { return escape(s, "", spell) }

// Lines is Text that keeps line ends.
func Lines(s string) Raw { return Raw(escape(s, "\n", spell)) }

// spell writes an invisible character in the notation of Go.
func spell(b *strings.Builder, r rune, bytes string) {
	if r == utf8.RuneError {
		fmt.Fprintf(b, `\x%02x`, bytes[0])
		return
	}
	b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
}

// Document escapes the invisible characters of a document, except line ends and tabs, in the
// notation of JSON: a JSON document keeps its meaning.
func Document(s string) string {
	return escape(s, "\n\t", func(b *strings.Builder, r rune, _ string) {
		if r > 0xFFFF {
			r -= 0x10000
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
			return
		}
		fmt.Fprintf(b, `\u%04x`, r)
	})
}

// escape replaces invisible characters, except the characters in keep.
func escape(s, keep string, replace func(b *strings.Builder, r rune, bytes string)) string {
	var b strings.Builder
	done := 0 // s[:done] is in b
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		invalid := r == utf8.RuneError && size == 1
		if invalid || !strconv.IsPrint(r) && !strings.ContainsRune(keep, r) {
			b.WriteString(s[done:i])
			replace(&b, r, s[i:i+size])
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// Fprintf is fmt.Fprintf with escaped arguments.
func Fprintf(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, format, escaped(args)...) // errors of w are checked at the end of a report
}

// Fprintln is fmt.Fprintln with escaped arguments.
func Fprintln(w io.Writer, args ...any) { fmt.Fprintln(w, escaped(args)...) }

func escaped(args []any) []any {
	texts := make([]any, len(args))
	for i, arg := range args {
		switch x := arg.(type) {
		case Raw:
			texts[i] = string(x)
		case int: // may be a width
			texts[i] = x
		case string:
			texts[i] = Text(x)
		default:
			texts[i] = value{x}
		}
	}
	return texts
}

// A value is formatted as fmt does, and the result is escaped.
type value struct{ any }

// Format formats the value and escapes the result.
func (v value) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, Text(fmt.Sprintf(fmt.FormatString(f, verb), v.any))) // a fmt.State does not fail
}

// EncodeJSON writes a value as JSON: on one line if indent is empty, otherwise indented.
func EncodeJSON(w io.Writer, value any, indent string) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, Document(b.String()))
	return err
}

// Number writes a number with commas between thousands.
func Number[N ~int | ~int64](n N) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Each returns a value, often a text, for each element of a list.
func Each[T, U any](list []T, of func(*T) U) []U {
	made := make([]U, len(list))
	for i := range list {
		made[i] = of(&list[i])
	}
	return made
}

// Plural writes a number of things, by the rules of English for regular nouns.
func Plural[N ~int | ~int64](n N, thing string) string {
	stem, y := strings.CutSuffix(thing, "y")
	switch {
	case n == 1:
		return "1 " + thing
	case y && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		thing = stem + "ie"
	case strings.HasSuffix(thing, "s"), strings.HasSuffix(thing, "sh"), strings.HasSuffix(thing, "ch"):
		thing += "e"
	}
	return Number(n) + " " + thing + "s"
}
