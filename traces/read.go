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
	"strings"
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
	rd := &reader{in: bufio.NewScanner(io.LimitReader(r, maxFile)), messages: map[string]*knownMessage{},
		vars: map[[2]string]string{}}
	rd.in.Buffer(nil, maxLine+2) // with the line end
	rd.in.Split(func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		advance, line, err = bufio.ScanLines(data, atEOF)
		rd.torn = advance > 0 && data[advance-1] != '\n'
		return advance, line, err
	})
	if err := rd.header(); err != nil {
		return nil, err
	}
	for range rd.steps + 1 {
		if err := rd.step(); err != nil {
			return nil, err
		}
	}
	if rd.line++; rd.in.Scan() {
		return nil, rd.wrong("a line too many: the header announces %s", printable.Plural(rd.steps, "step"))
	}
	return &rd.t, nil
}

type reader struct {
	in       *bufio.Scanner
	torn     bool // the file ends before the end of the current line
	line     int  // number of the current line, from 1
	steps    int  // steps that the header announces
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
	some, line := rd.in.Scan(), rd.in.Bytes()
	switch err := rd.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return rd.wrong("longer than %d bytes, the most that a line of a trace has", maxLine)
	case err != nil:
		return err
	case rd.line == 1 && !some:
		return rd.wrong("empty; a trace begins with a header")
	case !some:
		return rd.wrong("the file ends here, but its header announces %s", printable.Plural(rd.steps, "step"))
	case rd.line == 1 && !bytes.HasPrefix(line, []byte("{")):
		return rd.wrong("not a trace: the first line is not a header, a JSON object")
	case !utf8.Valid(line):
		return rd.wrong("not UTF-8 text")
	}
	var present map[string]json.RawMessage
	err := json.Unmarshal(line, &present)
	if err == nil {
		err = json.Unmarshal(line, v)
	}
	var mistyped *json.UnmarshalTypeError
	switch {
	case err != nil && rd.torn:
		return rd.wrong("cut off in the middle of the line")
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return rd.wrong("field %q cannot be a %s", mistyped.Field, mistyped.Value)
	case err != nil || present == nil:
		return rd.wrong("not a JSON object")
	}
	if name := twice(json.NewDecoder(bytes.NewReader(line)), true); name != "" {
		return rd.wrong("field %q is there twice", name)
	}
	for _, f := range fields {
		if raw, ok := present[f]; !ok || string(raw) == "null" {
			return rd.wrong("field %q is missing", f)
		}
	}
	return nil
}

// twice returns a name that an object in a valid JSON text has twice; "": none. With fold capitals count as
// small letters, as they do for the fields of this package.
func twice(d *json.Decoder, fold bool) (name string) {
	begin, _ := d.Token()
	if begin != json.Delim('{') && begin != json.Delim('[') {
		return ""
	}
	names := map[string]bool{}
	for d.More() {
		if begin == json.Delim('{') {
			token, _ := d.Token()
			if name = token.(string); fold {
				name = strings.ToLower(name)
			}
			if names[name] {
				return name
			}
			names[name] = true
		}
		if within := twice(d, name != "parameters"); within != "" {
			return within
		}
	}
	_, _ = d.Token() // the end
	return ""
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
	if fi, err := os.Stat(name); err == nil && !fi.Mode().IsRegular() {
		return os.WriteFile(name, b.Bytes(), 0o644) // a terminal or pipe, which a file must not replace
	}
	return maybe.WriteFile(name, b.Bytes(), 0o644)
}
