package logs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/atmostk/atmostk/model/usage"
)

// Formats are the formats of logs that Read knows, apart from auto, which goes by
// the beginning of a file.
var Formats = []string{"ndjson", "locks", "logfmt", "text", "shiviz", "jepsen", "trace", "otlp", "jaeger"}

// Stdin is the name that stands for Options.Stdin.
const Stdin = "-"

// Options say how logs are to be read. The zero value finds out the format, knows
// no nodes and takes no time stamp for an order.
type Options struct {
	Format  string   // one of Formats; "": by the beginning of each file
	Mapping *Mapping // nil: none
	// Stdin is what the name "-" stands for; nil: nothing.
	Stdin io.Reader
	// Skew is how far time stamps may be from true time. Only if it is given are
	// they an order: an event then happened within Skew of its stamp.
	Skew *time.Duration
	// Lines: the events happened in the order of the lines, which are those of one file. Times
	// are no order then.
	Lines bool
	// Keep wants the History, which takes some hundred bytes for each event. If the
	// first file begins with a header that names a model, it is kept in any case, unless
	// Stays says that only stays in the critical section are of interest.
	Keep, Stays bool
	// Resource is the field that names the resource of which units are acquired, beside
	// "resource": those of different names are different. If it is "-" all is one resource.
	Resource string
	// Memory bounds the bytes that the events may take while they are read and judged, by
	// an estimate that depends on nothing but the logs; beyond it reading ends with a
	// MemoryError. 0: no bound.
	Memory int64
	// Strict makes an error of a last line that is torn and of a file without events.
	Strict bool
}

// usable looks whether files can be the logs of one run.
func usable(files []string, opt Options) error {
	if len(files) >= maxFiles {
		return fmt.Errorf("%d files; allowed are %d", len(files), maxFiles-1)
	}
	switch {
	case opt.Lines && opt.Skew != nil:
		return errors.New("either lines or time stamps are the order, not both")
	case opt.Lines && len(files) > 1:
		return unusable(files[1],
			"the lines of several files have no common order; only those of one file can be one")
	}
	seen := map[string]bool{}
	for _, name := range files {
		if seen[name] {
			return unusable(name, "given twice")
		}
		seen[name] = true
	}
	return nil
}

// file reads one file.
func (rd *reader) file(name string) error {
	if name == Stdin {
		if rd.opt.Stdin == nil {
			return unusable(name, "there is no standard input to be read")
		}
		rd.ahead = false // reading from it may wait for ever
		return rd.read(name, rd.opt.Stdin)
	}
	fi, err := os.Stat(name)
	switch {
	case err == nil && fi.IsDir():
		return unusable(name, "a directory; name the files in it that are logs of the run")
	case err != nil:
		return unusable(name, "%s", reason(err))
	}
	f, err := os.Open(name)
	if err != nil {
		return unusable(name, "%s", reason(err))
	}
	defer func() { _ = f.Close() }() // it was only read
	rd.ahead = fi.Mode().IsRegular() && !rd.oneByOne
	return rd.read(name, f)
}

// reason is what is wrong with a file, without its name.
func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// read reads one log under the given name, which may be compressed.
func (rd *reader) read(name string, r io.Reader) error {
	d, err := newDecoder(r, rd.buffer)
	if err != nil {
		return unusable(name, "%s", err.Error())
	}
	defer d.close()
	if err := rd.readText(name, d.text); err != nil || !d.cut {
		return err
	}
	if rd.opt.Strict {
		return unusable(name, "the compressed file ends in the middle")
	}
	rd.found.add(Torn, []Place{{File: name}},
		"the compressed file %s ends in the middle: what it had behind is missing", name)
	return nil
}

// readText reads one log.
func (rd *reader) readText(name string, r io.Reader) error {
	s := newSource(name, r, rd.buffer)
	s.merge, s.ahead = rd.merge, rd.ahead
	return rd.readSource(s)
}

// readSource reads one log.
func (rd *reader) readSource(s *source) error {
	name := s.name
	if len(s.start(1)) == 0 {
		if rd.opt.Strict {
			return unusable(name, "empty")
		}
		rd.found.add(Empty, []Place{{File: name}}, "%s has no events", name)
		return nil
	}
	format := rd.formatOf(s)
	// else one that was moved away is read anew
	if s.index = slices.Index(rd.files, name); !s.live || s.index < 0 {
		s.index = len(rd.files)
		rd.files = append(rd.files, name)
		rd.formats = append(rd.formats, format)
		rd.perFile = append(rd.perFile, 0)
	}
	s.complete = format == "jepsen" || format == "trace"
	err := rd.readAs(s, format)
	if err == nil && rd.perFile[s.index] == 0 && s.index < len(rd.spoilt) && rd.spoilt[s.index].first != nil {
		return rd.spoilt[s.index].first
	}
	if err == nil && rd.perFile[s.index] == 0 {
		if rd.opt.Strict {
			return unusable(name, "without an event")
		}
		rd.found.add(Empty, []Place{{File: name}}, "%s has no events", name)
	}
	return err
}

// formatOf is the format of a log: that which is named or, if none is, that by its beginning.
func (rd *reader) formatOf(s *source) string {
	format := cmp.Or(rd.opt.Format, rd.mapping.Format)
	if format == "" && len(rd.mapping.lines) > 0 {
		format = "text"
	}
	if format == "" {
		format = detect(s.start(1 << 12))
	}
	return format
}

// The options that say how to read a log.
const (
	fromOption    = usage.Option("from")
	mappingOption = usage.Option("mapping")
)

// readAs reads one log in a format.
func (rd *reader) readAs(s *source, format string) error {
	if s.live && !slices.Contains([]string{"ndjson", "locks", "logfmt", "text", "otlp"}, format) {
		return s.at(1).wrong("logs that are watched are ndjson, locks, logfmt, text or otlp; %s or %s says "+
			"which", fromOption, mappingOption)
	}
	switch format {
	case "ndjson":
		return rd.lines(s, jsonLine)
	case "locks":
		return rd.locks(s)
	case "logfmt":
		return rd.lines(s, logfmtLine)
	case "text":
		if len(rd.mapping.lines) == 0 {
			return s.wrong("no regular expression says how to read its lines: line in the mapping, or %s",
				usage.Option("line"))
		}
		return rd.lines(s, patternLine)
	case "shiviz":
		return rd.shiviz(s)
	case "jepsen":
		return rd.jepsen(s)
	case "trace":
		return rd.trace(s)
	case "otlp":
		return rd.spans(s, decodeOTLP)
	case "jaeger":
		return rd.spans(s, decodeJaeger)
	}
	return s.at(1).wrong("it is not clear what format this log has; %s names it: %s", fromOption,
		strings.Join(Formats, ", "))
}

// keyed is a line of several key=value.
var keyed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_]\w*=("[^"]*"|[^ "]*)( +[A-Za-z_][\w.]*=("[^"]*"|[^ "]*))+$`)
})

// detect tells the format by the beginning of a file; "" if it is not clear.
func detect(start []byte) string {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	line = bytes.TrimSpace(line)
	switch {
	case bytes.HasPrefix(line, []byte(`{"schema":`)) && bytes.Contains(line, []byte(`"property"`)):
		return "trace"
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(start, []byte(`"resourceSpans"`)):
		return "otlp"
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(start, []byte(`"traceID"`)) &&
		bytes.Contains(start, []byte(`"spans"`)):
		return "jaeger"
	case bytes.HasPrefix(line, []byte(`{"`)):
		return "ndjson"
	case bytes.Contains(line, []byte("?<clock>")) || goVector().Match(start) || goVectorLast().Match(start):
		return "shiviz"
	case bytes.Contains(start, []byte(":type")) && bytes.Contains(start, []byte(":process")):
		return "jepsen"
	case looksLikeLock(line):
		return "locks"
	case keyed().Match(line):
		return "logfmt"
	}
	return ""
}

// atEnd turns the end of a file into no error.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// tornLine reports that the last line has no end and makes no sense.
func (rd *reader) tornLine(s *source) error {
	if rd.opt.Strict {
		return s.wrong("the log ends in the middle of this line")
	}
	of := ""
	if s.writer != "" {
		of = " of " + s.writer
	}
	rd.found.add(Torn, []Place{s.place()}, "the log%s ends in the middle of line %d, which is left out", of,
		s.line)
	return nil
}

// setHeader takes what a file says of the run; all have to say the same.
func (rd *reader) setHeader(s *source, h Header) error {
	if rd.headerAt.File != "" && h != rd.header0 {
		return s.wrong("this header is about %s, that of %s about %s", h, rd.headerAt, rd.header0)
	}
	if rd.headerAt.File == "" && h.Spec != "" && !rd.opt.Stays && !rd.opt.Keep {
		if rd.count > 0 {
			return s.wrong("this header names the model only after the events of other files; this file " +
				"has to be the first")
		}
		rd.opt.Keep = true
	}
	rd.header0, rd.headerAt = h, s.place()
	return nil
}

func (h Header) String() string {
	if h.Spec == "" {
		return "no model"
	}
	return strings.TrimSpace(h.Spec + " " + h.Args)
}

// add takes an event that was read.
func (rd *reader) add(s *source, e *entry) error {
	keep, err := rd.mapping.apply(e)
	if err != nil {
		return s.at(e.line).wrong("%v", err)
	}
	e.ignored = !keep
	return rd.mapped(s, e)
}

// mapped takes an event that has the names that are used here.
func (rd *reader) mapped(s *source, e *entry) error {
	if e.name == wholeStay && !e.ignored && !rd.opt.Keep {
		return rd.spanOf(s, e)
	}
	rd.moments(s, e)
	return rd.pass(s, e)
}

// moments says within which moments an event happened, by what is an order.
func (rd *reader) moments(s *source, e *entry) {
	if rd.opt.Lines && !s.complete {
		e.begin, e.end = int64(e.line), int64(e.line)
	}
	if skew := rd.opt.Skew; skew != nil && e.begin == never && e.end == ever && e.stamp != ever {
		e.begin, e.end = e.stamp-int64(*skew), e.stamp+int64(*skew)
	}
	if e.waits { // it has them when the next line of its node is written
		e.end = ever
	}
}

// pass passes an event on.
func (rd *reader) pass(s *source, e *entry) error {
	if s.merge != nil {
		return s.merge(s, e)
	}
	return rd.event(s, e)
}

// at is the source with another line as the current one.
func (s *source) at(line int) *source { return &source{name: s.name, line: line} }

// Events and lines are counted in 32 bits and files in 16.
const (
	maxEvents = 1 << 30
	maxLines  = 1<<32 - 1
	maxFiles  = 1 << 16
)

// A Header says which run it is, if the log says so.
type Header struct {
	Spec string // the model's name; "" if unknown
	Args string // its parameters: "n=5 k=2"
}
