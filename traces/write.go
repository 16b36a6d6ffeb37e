package traces

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/atmostk/atmostk/traces/printable"
)

// headerLine is the first line of a file.
type headerLine struct {
	Schema int `json:"schema"`
	Header
	// the number of steps after the initial state, one line each
	Steps  int    `json:"steps"`
	Digest string `json:"digest,omitempty"` // see Header.digest
}

func (t *Trace) headerLine() headerLine {
	return headerLine{version, t.Header, len(t.Steps) - 1, t.digest()}
}

// Write writes a trace in the format that Read reads.
func Write(w io.Writer, t *Trace) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(t.headerLine()); err != nil {
		return err
	}
	for i := range t.Steps {
		if err := e.Encode(&t.Steps[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

func asJSON(w io.Writer, r *Run, _ Options) error {
	return printable.EncodeJSON(w, struct {
		headerLine
		Run []Step `json:"run"`
	}{r.Trace.headerLine(), r.Trace.Steps}, "  ")
}
