package traces

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/google/renameio/v2/maybe"

	"github.com/atmostk/atmostk/traces/printable"
)

// Limits of a file, far above the size of runs that people read.
const (
	maxLine  = 12 << 20 // bytes
	maxSteps = 100_000
	maxFile  = 256 << 20 // bytes
)

// A FormatError is the reason why a file is not a trace.
type FormatError struct {
	Line int // counted from 1
	Msg  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Read reads a trace, at most 256 MiB. The error is a FormatError if the trace is malformed.
func Read(r io.Reader) (*Trace, error) {
	in := bufio.NewReaderSize(io.LimitReader(r, maxFile), 1<<16)
	rd := &reader{in: in, messages: map[string]*knownMessage{}, vars: map[[2]string]string{}}
	first, err := rd.in.Peek(1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	rd.line = 1
	if len(first) == 0 {
		return nil, rd.wrong("empty; a trace begins with a header")
	}
	if first[0] != '{' {
		return nil, rd.wrong("not a trace: the first line is not a header, a JSON object")
	}
	rd.line = 0
	if err := rd.header(); err != nil {
		return nil, err
	}
	for range rd.steps + 1 {
		if err := rd.step(); err != nil {
			return nil, err
		}
	}
	rd.line++
	if rest, err := rd.in.Peek(1); err == nil && len(rest) > 0 {
		return nil, rd.wrong("a line too many: the header announces %d steps", rd.steps)
	}
	return &rd.t, nil
}

type reader struct {
	in       *bufio.Reader
	line     int // number of the current line, from 1
	steps    int // steps that the header announces
	t        Trace
	messages map[string]*knownMessage // messages sent so far
	vars     map[[2]string]string     // value of each variable, by owner and name
}

// A knownMessage is a message that an earlier step sent.
type knownMessage struct {
	Msg
	gone bool // received or lost
}

func (rd *reader) wrong(format string, a ...any) error {
	return &FormatError{rd.line, fmt.Sprintf(format, a...)}
}

// next reads a line into v. The line is a JSON object that has all the given fields.
func (rd *reader) next(v any, fields ...string) error {
	rd.line++
	line, torn, err := rd.readLine()
	if err != nil {
		return err
	}
	if !utf8.Valid(line) {
		return rd.wrong("not UTF-8 text")
	}
	var present map[string]json.RawMessage
	err = json.Unmarshal(line, &present)
	if err == nil {
		err = json.Unmarshal(line, v)
	}
	var mistyped *json.UnmarshalTypeError
	switch {
	case err != nil && torn:
		return rd.wrong("cut off in the middle of the line")
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return rd.wrong("field %q cannot be a %s", mistyped.Field, mistyped.Value)
	case err != nil || present == nil:
		return rd.wrong("not a JSON object")
	}
	for _, f := range fields {
		if raw, ok := present[f]; !ok || string(raw) == "null" {
			return rd.wrong("field %q is missing", f)
		}
	}
	return nil
}

// readLine returns the next line without its line end. It is torn if the file ends before the line end.
func (rd *reader) readLine() (line []byte, torn bool, err error) {
	for {
		part, err := rd.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, false, rd.wrong("longer than %d bytes, the most that a line of a trace has", maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil, false, rd.wrong("the file ends here, but its header announces %d steps", rd.steps)
		case errors.Is(err, io.EOF):
			return line, true, nil
		case err != nil:
			return nil, false, err
		}
		return bytes.TrimRight(line, "\r\n"), false, nil
	}
}

func (rd *reader) header() error {
	var h headerLine
	if err := rd.next(&h, "schema", "spec", "parameters", "property", "kind", "verdict",
		"steps"); err != nil {
		return err
	}
	switch {
	case h.Schema != version:
		return rd.wrong("schema version %d; this program reads version %d", h.Schema, version)
	case h.Spec == "" || h.Kind == "":
		return rd.wrong("fields \"spec\" and \"kind\" must not be empty")
	case (h.Property == "") != (h.Kind == anyRun):
		return rd.wrong("field \"property\" is empty if and only if the kind is %q", anyRun)
	case !slices.Contains([]string{Violated, Reached, modelError, possibleRun}, h.Verdict):
		return rd.wrong("field \"verdict\" is %q; allowed are %q, %q, %q and %q", h.Verdict, Violated,
			Reached, modelError, possibleRun)
	case (h.Verdict == modelError) != (h.Mistake != nil):
		return rd.wrong("field \"mistake\" is present if and only if the verdict is %q", modelError)
	case h.Steps < 0 || h.Steps > maxSteps:
		return rd.wrong("field \"steps\" is %d; allowed are 0 to %d", h.Steps, maxSteps)
	case h.CycleAt != nil && (*h.CycleAt < 0 || *h.CycleAt > h.Steps):
		return rd.wrong("field \"cycle-at\" is %d; allowed are 0 to %d", *h.CycleAt, h.Steps)
	case h.Digest != "" && h.Digest != h.digest():
		return rd.wrong("the header was edited: spec, parameters, property, kind and verdict do not "+
			"fit the digest %s", h.Digest)
	}
	rd.t.Header, rd.steps = h.Header, h.Steps
	return nil
}

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
