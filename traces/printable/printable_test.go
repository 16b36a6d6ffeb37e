package printable_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/atmostk/atmostk/traces/printable"
)

// hostile has one of each kind: escapes that clear the terminal and colour it, a line end, a
// carriage return, one-byte control sequences, a bidirectional override, an isolate, a zero-width
// space, a tag character, what is no UTF-8.
const hostile = "p\x1b[2J\x1b[32m\naccepted\r\x07\x7f\u009b31m\u202eevil\u2066\u200b\U000e0041\xff\xc3 ünï"

func TestTextSpellsTheInvisible(t *testing.T) {
	want := `p\x1b[2J\x1b[32m\naccepted\r\a\x7f\u009b31m\u202eevil\u2066\u200b\U000e0041\xff\xc3 ünï`
	got := printable.Text(hostile)
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if again := printable.Text(got); again != got {
		t.Errorf("again: %s", again)
	}
	if got := string(printable.Lines("a\x1b\nb")); got != "a\\x1b\nb" {
		t.Errorf("lines: %q", got)
	}
}

func TestFprintfSpellsArguments(t *testing.T) {
	var b strings.Builder
	printable.Fprintf(&b, "%-4s|%s|%v|%d|%q|%s\n", "a\n", printable.Raw("\x1b[1m"), errors.New("e\r"), 7,
		"\x1b", []string{"x\x00"})
	printable.Fprintln(&b, "\t", printable.Lines("1\n2"))
	if want := "a\\n |\x1b[1m|e\\r|7|\"\\\\x1b\"|[x\\x00]\n\\t 1\n2\n"; b.String() != want {
		t.Errorf("%q\nwant\n%q", b.String(), want)
	}
}

// FuzzDocument: JSON means the same afterwards, and has nothing that cannot be seen.
func FuzzDocument(f *testing.F) {
	f.Add(hostile)
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		if err := printable.EncodeJSON(&b, s, ""); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if utf8.ValidString(s) && got != s {
			t.Errorf("%q became %q", s, got)
		}
		if line := strings.TrimSuffix(b.String(), "\n"); printable.Text(line) != line {
			t.Errorf("%q is not printable", line)
		}
	})
}
