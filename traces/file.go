package traces

import (
	"bytes"
	"fmt"
	"os"

	"github.com/google/renameio/v2/maybe"
)

// ReadFile reads a trace from a file.
func ReadFile(name string) (*Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // a file that was only read loses nothing
	if fi, err := f.Stat(); err == nil && fi.Mode().IsRegular() && fi.Size() > maxFile {
		return nil, fmt.Errorf("%s: not a trace: it has %d MiB, allowed are %d", name, fi.Size()>>20,
			maxFile>>20)
	}
	t, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// WriteFile writes a trace into a file. If it fails, a regular file keeps its old content.
func WriteFile(name string, t *Trace) error {
	var b bytes.Buffer
	if err := Write(&b, t); err != nil {
		return err
	}
	var err error
	if fi, missing := os.Stat(name); missing == nil && !fi.Mode().IsRegular() {
		err = os.WriteFile(name, b.Bytes(), 0o644) // a terminal or pipe, which a file must not replace
	} else {
		err = maybe.WriteFile(name, b.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("the trace cannot be written: %w", err)
	}
	return nil
}
