package traces

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
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
	rd := &reader{in: in, messages: map[string]*knownMessage{}}
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
	return rd.trace()
}

// A reader reads one trace.
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

// trace returns the trace. It is an error if another line follows.
func (rd *reader) trace() (*Trace, error) {
	rd.line++
	if rest, err := rd.in.Peek(1); err == nil && len(rest) > 0 {
		return nil, rd.wrong("a line too many: the header announces %d steps", rd.steps)
	}
	return &rd.t, nil
}
