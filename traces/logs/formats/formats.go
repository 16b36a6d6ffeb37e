// Package formats reads logs in several formats and makes an Entry of each event, with the names that a
// Mapping gives. Formats: lines of JSON (Schema), lines of locks, key=value, text by regular expressions,
// ShiViz and GoVector, histories of Jepsen, spans of OTLP and Jaeger, traces of check.
package formats

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model/usage"
)

// File reads one file.
func (rd *Reader) File(name string) error {
	if name == Stdin {
		if rd.Opt.Stdin == nil {
			return unusable(name, "there is no standard input")
		}
		return rd.Read(name, rd.Opt.Stdin, false) // a read of it may block for ever
	}
	fi, err := os.Stat(name)
	if err == nil && fi.IsDir() {
		return unusable(name, "a directory; name the log files in it")
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(name)
	}
	if err != nil {
		if pe, is := errors.AsType[*os.PathError](err); is {
			err = pe.Err
		}
		return unusable(name, "%s", err.Error())
	}
	defer func() { _ = f.Close() }() // it was only read
	return rd.Read(name, f, rd.Ahead && fi.Mode().IsRegular())
}

// Read reads one log, which may be compressed, under the given name. With ahead its lines are parsed ahead.
func (rd *Reader) Read(name string, r io.Reader, ahead bool) error {
	d, err := newDecoder(r, rd.buffer)
	if err != nil {
		return unusable(name, "%s", err.Error())
	}
	defer d.close()
	s := newSource(name, d.text, rd.buffer)
	s.merge, s.ahead = rd.Merge, ahead
	if err := rd.source(s); err != nil || !d.cut {
		return err
	}
	if rd.Opt.Strict {
		return unusable(name, "the compressed file ends in the middle")
	}
	rd.Found.Add(Torn, []Place{{File: name}},
		"the compressed file %s ends in the middle: its rest is missing", name)
	return nil
}

// Live reads a log that is still being written.
func (rd *Reader) Live(name string, in io.Reader) error {
	s := newSource(name, in, maxBuffer)
	s.merge, s.live = rd.Merge, true
	return rd.source(s)
}

func (rd *Reader) source(s *Source) error {
	noEvents := func(why string) error {
		if rd.Opt.Strict {
			return unusable(s.Name, "%s", why)
		}
		rd.Found.Add(Empty, []Place{{File: s.Name}}, "%s has no events", s.Name)
		return nil
	}
	if _, err := s.in.Peek(s.ready(1)); err != nil && !errors.Is(err, io.EOF) {
		return unusable(s.Name, "%s", err.Error())
	}
	if start, _ := s.in.Peek(3); string(start) == "\ufeff" { // a byte order mark
		_, _ = s.in.Discard(len(start)) // it is buffered
	}
	if len(s.start(1)) == 0 {
		if _, err := s.next(); !errors.Is(err, io.EOF) {
			return cmp.Or(err, s.wrong("too many blanks before the first event"))
		}
		return noEvents("empty")
	}
	format := cmp.Or(rd.Opt.Format, rd.mapping.Format)
	switch {
	case rd.Opt.Product != nil:
		format = rd.Opt.Product.Name
	case format == "" && len(rd.mapping.Lines) > 0:
		format = "text"
	case format == "":
		format = Detect(s.start(1 << 12))
	}
	// A live log whose file was replaced keeps its index.
	if s.Index = slices.Index(rd.Files, s.Name); !s.live || s.Index < 0 {
		s.Index = len(rd.Files)
		rd.Files, rd.Formats = append(rd.Files, s.Name), append(rd.Formats, format)
		rd.PerFile = append(rd.PerFile, 0)
	}
	s.Complete = format == "jepsen" || format == "trace"
	switch err := rd.readAs(s, format); {
	case err != nil || rd.PerFile[s.Index] > 0:
		return err
	case s.Index < len(rd.Spoilt) && rd.Spoilt[s.Index].first != nil:
		return rd.Spoilt[s.Index].first
	}
	return noEvents("without an event")
}

func (rd *Reader) readAs(s *Source, format string) error {
	form, apart := map[string]lineForm{"ndjson": jsonLine, "locks": lockLine, "logfmt": logfmtLine,
		"text": patternLine}[format]
	switch {
	case s.live && !apart && format != "otlp":
		return s.at(1).wrong("a watched log is ndjson, locks, logfmt, text or otlp; %s or %s names its "+
			"format", fromOption, mappingOption)
	case rd.Opt.Product != nil:
		if err := rd.sortedLines(s, productLine); err != nil {
			return err
		}
		return rd.sessions.flush()
	case rd.Opt.ByTime && !apart:
		return s.at(1).wrong("%s sorts lines of ndjson, locks, logfmt, text, not of %s", sortOption, format)
	case format == "text" && len(rd.mapping.Lines) == 0:
		return s.wrong("text needs a regular expression for its lines: line in the mapping, or %s",
			usage.Option("map line"))
	case format == "locks":
		return rd.sortedLines(s, locksForm(s))
	case apart:
		return rd.sortedLines(s, form)
	}
	if read := map[string]func(*Source) error{"shiviz": rd.shiviz, "jepsen": rd.jepsen, "trace": rd.trace,
		"otlp": rd.spans, "jaeger": rd.spans}[format]; read != nil {
		return read(s)
	}
	return s.at(1).wrong("it is not clear what format this log has; %s names it: %s", fromOption,
		strings.Join(Formats, ", "))
}

// keyed matches a line of several key=value.
var keyed = onUse(`^[A-Za-z_]\w*=("[^"]*"|[^ "]*)( +[A-Za-z_][\w.]*=("[^"]*"|[^ "]*))+$`)

// onUse compiles an expression when it is used first.
func onUse(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// Detect returns the format by the beginning of a file; "": unknown.
func Detect(start []byte) string {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	line = bytes.TrimSpace(line)
	words := bytes.Fields(line)
	has := func(text string) bool { return bytes.Contains(start, []byte(text)) }
	object := bytes.HasPrefix(start, []byte("{"))
	switch {
	case bytes.HasPrefix(line, []byte(`{"schema":`)) && bytes.Contains(line, []byte(`"property"`)):
		return "trace"
	case object && has(`"resourceSpans"`):
		return "otlp"
	case object && has(`"traceID"`) && has(`"spans"`):
		return "jaeger"
	case bytes.HasPrefix(line, []byte(`{"`)):
		return "ndjson"
	case bytes.Contains(line, []byte("?<clock>")) || goVector().Match(start) || goVectorLast().Match(start):
		return "shiviz"
	case has(":type") && has(":process"):
		return "jepsen"
	case len(words) > 0 && words[0][0] == '#',
		3 <= len(words) && len(words) <= 5 && RoleOf(string(words[2])) != Other:
		return "locks"
	case keyed().Match(line):
		return "logfmt"
	}
	return ""
}
