package traces

import (
	"bufio"
	"encoding/json"
	"io"
)

// headerLine is the first line of a file.
type headerLine struct {
	Schema int `json:"schema"`
	Header
	// steps after the initial state, each of them a line
	Steps  int    `json:"steps"`
	Digest string `json:"digest,omitempty"` // of the header
}

func (t *Trace) headerLine() headerLine {
	return headerLine{version, t.Header, len(t.Steps) - 1, t.digest()}
}

// Write writes a trace in the form in which Read reads it.
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

// asJSON writes a trace as one document.
func asJSON(w io.Writer, r *Run, _ Options) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		headerLine
		Run []Step `json:"run"`
	}{r.Trace.headerLine(), r.Trace.Steps})
}
