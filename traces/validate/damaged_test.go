package validate_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces/validate"
)

// A file whose beginning cannot be read is not a file without events.
func TestUnreadableBegin(t *testing.T) {
	const log = "1000 x acquire\n1001 y acquire\n1002 x release\n1003 y release\n"
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(log))
	_ = w.Close()
	damaged := slices.Clone(b.Bytes())
	damaged[len(damaged)-8] ^= 255 // of the checksum
	for what, text := range map[string]string{
		"invalid checksum": string(damaged),
		"too many blanks":  strings.Repeat("\n", 1<<16+1) + log,
	} {
		good, bad := filepath.Join(t.TempDir(), "good.log"), filepath.Join(t.TempDir(), "bad.log")
		_ = os.WriteFile(good, []byte("1000 g acquire\n1001 g release\n"), 0o600)
		_ = os.WriteFile(bad, []byte(text), 0o600)
		r, err := validate.Run(t.Context(), []string{good, bad}, validate.Options{})
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, %v; want %s", r, err, what)
		}
	}
}
