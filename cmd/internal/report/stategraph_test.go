package report

import (
	"testing"

	"github.com/atmostk/atmostk/traces/printable"
)

// TestTextsAreEscaped compares texts that need every escape.
func TestTextsAreEscaped(t *testing.T) {
	for text, want := range map[string]string{
		`a\`: `"a\\"`, `say "a\"`: `"say \"a\\\""`, "two\nlines": `"two\nlines"`, "\x1b": `"\\x1b"`,
		"<&lt;>": `"<&amp;lt;>"`,
	} {
		if got := printable.Document(quoted(text)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
