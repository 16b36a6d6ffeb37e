package logs_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// packed compresses a text.
func packed(t *testing.T, text string, by func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	w := by(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func byGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func byZstd(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w)
	if err != nil {
		panic(err)
	}
	return z
}

// wide is a text in UTF-16, with its byte order mark.
func wide(text string, order binary.ByteOrder) []byte {
	units := append([]uint16{0xfeff}, utf16.Encode([]rune(text))...)
	b := make([]byte, 2*len(units))
	for i, u := range units {
		order.PutUint16(b[2*i:], u)
	}
	return b
}

// irregular is a log that does not compress well, so that half of it is some lines.
func irregular() string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "%d ü%d acquire\n", r.Int64N(1<<50), i)
	}
	return b.String()
}

func readStdin(b []byte, strict bool) (*order.Log, error) {
	return order.Read([]string{formats.Stdin}, formats.Options{Stdin: bytes.NewReader(b), Strict: strict})
}

func TestCompressedAndWideTextReadAsPlain(t *testing.T) {
	text := irregular()
	for name, b := range map[string][]byte{
		"plain": []byte(text), "gzip": packed(t, text, byGzip), "zstd": packed(t, text, byZstd),
		"UTF-16LE": wide(text, binary.LittleEndian), "UTF-16BE": wide(text, binary.BigEndian),
		"UTF-16 in gzip": packed(t, string(wide(text, binary.LittleEndian)), byGzip),
		"two gzip files": append(packed(t, text[:1<<10], byGzip), packed(t, text[1<<10:], byGzip)...),
	} {
		l, err := readStdin(b, true)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if l.Events() != 20_000 || l.Nodes[0] != "ü0" {
			t.Errorf("%s: %d events, the first node is %s", name, l.Events(), l.Nodes[0])
		}
	}
}

// TestCompressedFileCutOffIsReadToItsEnd reads a compressed file as far as it goes.
func TestCompressedFileCutOffIsReadToItsEnd(t *testing.T) {
	for _, by := range []func(io.Writer) io.WriteCloser{byGzip, byZstd} {
		b := packed(t, irregular(), by)
		b = b[:len(b)/2]
		l, err := readStdin(b, false)
		if err != nil {
			t.Fatal(err)
		}
		torn := 0
		for i := range l.Findings {
			if l.Findings[i].Kind == formats.Torn && strings.Contains(l.Findings[i].Text, "compressed") {
				torn++
			}
		}
		if torn != 1 || l.Events() < 100 || l.Events() >= 20_000 {
			t.Errorf("%d events, findings %v", l.Events(), l.Findings)
		}
		var input *formats.InputError
		if _, err := readStdin(b, true); !errors.As(err, &input) {
			t.Errorf("strictly: %v", err)
		}
	}
}

// TestCorruptFileIsRefused wants errors for files that are not what they begin like.
func TestCorruptFileIsRefused(t *testing.T) {
	for name, by := range map[string]func(io.Writer) io.WriteCloser{"gzip": byGzip, "zstd": byZstd} {
		b := packed(t, irregular(), by)
		copy(b[len(b)/2:], "this is not what was there")
		if _, err := readStdin(b, false); err == nil || !strings.HasPrefix(err.Error(), "-") {
			t.Errorf("%s: %v", name, err)
		}
		if l, err := readStdin(append(bytes.Clone(b[:4]), "nonsense that follows"...), false); err == nil &&
			l.Events() > 0 {
			t.Errorf("%s: %d events of nonsense", name, l.Events())
		}
	}
}
