// Package printable shows text that others have written: the names of a model, what stands in
// a trace or a log, the name of a file. Such text must not steer the terminal, nor look like
// lines that it is part of: control characters, those that change the direction of writing,
// other invisible ones and bytes that are no UTF-8 are spelled as Go spells them.
//
// Whatever writes for people does it with Fprintf and Fprintln of this package in place of
// the functions of fmt, and passes its own colours and other text to be written unchanged as a Raw.
package printable

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Raw is written as it is.
type Raw string

// Text spells the invisible characters of a text, line ends included. It changes nothing in a text that it
// returned.
func Text(s string) string {
	return spell(s, "", func(b *strings.Builder, r rune, bytes string) {
		if r == utf8.RuneError {
			fmt.Fprintf(b, `\x%02x`, bytes[0])
			return
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	})
}

// Lines is Text for texts of several lines, which stay.
func Lines(s string) Raw {
	parts := strings.Split(s, "\n")
	for i := range parts {
		parts[i] = Text(parts[i])
	}
	return Raw(strings.Join(parts, "\n"))
}

// Document spells what cannot be seen in a document in which line ends mean nothing, or are
// spelled already, such as one in JSON, where it means the same afterwards.
func Document(s string) string {
	return spell(s, "\n\t", func(b *strings.Builder, r rune, _ string) {
		if r > 0xFFFF {
			r -= 0x10000
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
			return
		}
		fmt.Fprintf(b, `\u%04x`, r)
	})
}

// spell replaces what cannot be seen, except for the characters in keep.
func spell(s, keep string, replace func(b *strings.Builder, r rune, bytes string)) string {
	var b strings.Builder
	done := 0 // so much of s is in b
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

// Fprintf is fmt.Fprintf with all texts among the arguments spelled.
func Fprintf(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, format, spelled(args)...) // the writer of a report checks for errors at its end
}

// Fprintln is fmt.Fprintln with all texts among the arguments spelled.
func Fprintln(w io.Writer, args ...any) {
	fmt.Fprintln(w, spelled(args)...)
}

func spelled(args []any) []any {
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

// A value is formatted as usual, and the result is spelled.
type value struct{ any }

// Format formats the value.
func (v value) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, Text(fmt.Sprintf(fmt.FormatString(f, verb), v.any))) // of a fmt.State: no error
}

// EncodeJSON writes a value in one line of JSON, or indented.
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
