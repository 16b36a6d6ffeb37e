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

// step reads the line of a step and checks that it fits the lines before it.
func (rd *reader) step() error {
	n := len(rd.t.Steps)
	var s Step
	fields := []string{"step", "changed", "event"}
	if n == 0 {
		fields = fields[:2]
	}
	if err := rd.next(&s, fields...); err != nil {
		return err
	}
	if s.Index != n {
		return rd.wrong("step %d where step %d is expected", s.Index, n)
	}
	if why := s.contradiction(); why != "" {
		return rd.wrong("step %d: %s", n, why)
	}
	if s.Failed != "" && (n != rd.steps || rd.t.Mistake == nil) {
		return rd.wrong("step %d: only the last step of a run to a mistake may have field \"failed\"", n)
	}
	if why := rd.applyVars(&s); why != "" {
		return rd.wrong("step %d: %s", n, why)
	}
	if why := rd.deliver(&s); why != "" {
		return rd.wrong("step %d: %s", n, why)
	}
	rd.t.Steps = append(rd.t.Steps, s)
	return nil
}

// contradiction describes the first contradiction between the fields of a step; "": they agree.
func (s *Step) contradiction() string {
	initial := s.Index == 0
	switch {
	case initial && (s.Node != "" || s.Event != "" || s.Received != nil || s.Sent != nil || s.Lost != nil ||
		s.Noticed != "" || s.Crashed || s.Gone != nil):
		return "it is the initial state, in which nothing happens: only \"changed\" and " +
			"\"inside\" are allowed"
	case !initial && s.Event == "":
		return "field \"event\" is empty"
	case s.Node == "" && (s.Received != nil || s.Noticed != "" || s.Crashed):
		return "field \"node\" is missing: receipts, notices and crashes belong to a process"
	case s.Received != nil && s.Noticed != "":
		return "it both receives a message and notices a crash"
	case s.Received != nil && s.Received.To != s.Node:
		return fmt.Sprintf("%s receives a message to %s", s.Node, s.Received.To)
	}
	for _, m := range s.Sent {
		if s.Node != "" && m.From != s.Node { // in a step without a node the network copies a message
			return fmt.Sprintf("%s sends a message from %s", s.Node, m.From)
		}
	}
	for _, u := range s.Inside {
		if u.Owner == "" || u.Units < 1 {
			return fmt.Sprintf("%q uses %d units; allowed are processes with 1 or more", u.Owner, u.Units)
		}
	}
	return ""
}

// applyVars updates the variables. It returns the first contradiction to their earlier values; "": none.
func (rd *reader) applyVars(s *Step) string {
	seen := map[[2]string]bool{}
	for _, v := range s.Gone {
		key := [2]string{v.Owner, v.Name}
		if was, known := rd.vars[key]; !known || was != v.Value {
			return fmt.Sprintf("variable %s is gone with value %q, but did not have this value before",
				v.Label(), v.Value)
		}
		seen[key] = true
		delete(rd.vars, key)
	}
	for _, v := range s.Changed {
		key := [2]string{v.Owner, v.Name}
		if seen[key] {
			return fmt.Sprintf("variable %s is changed twice", v.Label())
		}
		seen[key] = true
		rd.vars[key] = v.Value
	}
	return ""
}

// deliver records the messages received, lost and sent. It returns the first contradiction; "": none.
func (rd *reader) deliver(s *Step) string {
	if s.Received != nil {
		if why := rd.endMessage(s.Received, "received"); why != "" {
			return why
		}
	}
	for i := range s.Lost {
		if why := rd.endMessage(&s.Lost[i], "lost"); why != "" {
			return why
		}
	}
	for _, m := range s.Sent {
		if m.ID == "" || rd.messages[m.ID] != nil {
			return fmt.Sprintf("the message id %q is empty or was used before", m.ID)
		}
		rd.messages[m.ID] = &knownMessage{Msg: m}
	}
	return ""
}

// endMessage records that a message left its channel. Only replay can check messages that
// were in channels from the start.
func (rd *reader) endMessage(m *Msg, how string) string {
	if m.ID == initialMessage {
		return ""
	}
	p := rd.messages[m.ID]
	switch {
	case p == nil:
		return fmt.Sprintf("message %s is %s and was not sent before", m.ID, how)
	case p.gone:
		return fmt.Sprintf("message %s is received or lost a second time", m.ID)
	case p.Msg != *m:
		return fmt.Sprintf("message %s is %s as %s, but was sent as %s", m.ID, how, m, &p.Msg)
	}
	p.gone = true
	return ""
}

// String is the message with its sender and target, for people.
func (m *Msg) String() string { return fmt.Sprintf("%s from %s to %s", m.Text, m.From, m.To) }

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
