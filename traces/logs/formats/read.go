package formats

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
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
	// Stays says that only holdings in the critical section are of interest.
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

// Usable looks whether files can be the logs of one run.
func Usable(files []string, opt Options) error {
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

// File reads one file.
func (rd *Reader) File(name string) error {
	if name == Stdin {
		if rd.Opt.Stdin == nil {
			return unusable(name, "there is no standard input to be read")
		}
		rd.Ahead = false // reading from it may wait for ever
		return rd.Read(name, rd.Opt.Stdin)
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
	rd.Ahead = fi.Mode().IsRegular() && !rd.oneByOne
	return rd.Read(name, f)
}

// reason is what is wrong with a file, without its name.
func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// Read reads one log under the given name, which may be compressed.
func (rd *Reader) Read(name string, r io.Reader) error {
	d, err := NewDecoder(r, rd.Buffer)
	if err != nil {
		return unusable(name, "%s", err.Error())
	}
	defer d.Close()
	if err := rd.ReadText(name, d.Text); err != nil || !d.cut {
		return err
	}
	if rd.Opt.Strict {
		return unusable(name, "the compressed file ends in the middle")
	}
	rd.Found.Add(Torn, []Place{{File: name}},
		"the compressed file %s ends in the middle: what it had behind is missing", name)
	return nil
}

// ReadText reads one log.
func (rd *Reader) ReadText(name string, r io.Reader) error {
	s := newSource(name, r, rd.Buffer)
	s.merge, s.ahead = rd.Merge, rd.Ahead
	return rd.readSource(s)
}

// readSource reads one log.
func (rd *Reader) readSource(s *Source) error {
	name := s.Name
	if len(s.start(1)) == 0 {
		if rd.Opt.Strict {
			return unusable(name, "empty")
		}
		rd.Found.Add(Empty, []Place{{File: name}}, "%s has no events", name)
		return nil
	}
	format := rd.formatOf(s)
	// else one that was moved away is read anew
	if s.Index = slices.Index(rd.Files, name); !s.live || s.Index < 0 {
		s.Index = len(rd.Files)
		rd.Files = append(rd.Files, name)
		rd.Formats = append(rd.Formats, format)
		rd.PerFile = append(rd.PerFile, 0)
	}
	s.Complete = format == "jepsen" || format == "trace"
	err := rd.readAs(s, format)
	if err == nil && rd.PerFile[s.Index] == 0 && s.Index < len(rd.Spoilt) && rd.Spoilt[s.Index].first != nil {
		return rd.Spoilt[s.Index].first
	}
	if err == nil && rd.PerFile[s.Index] == 0 {
		if rd.Opt.Strict {
			return unusable(name, "without an event")
		}
		rd.Found.Add(Empty, []Place{{File: name}}, "%s has no events", name)
	}
	return err
}

// atEnd turns the end of a file into no error.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// TornLine reports that the last line has no end and makes no sense.
func (rd *Reader) TornLine(s *Source) error {
	if rd.Opt.Strict {
		return s.Wrong("the log ends in the middle of this line")
	}
	of := ""
	if s.writer != "" {
		of = " of " + s.writer
	}
	rd.Found.Add(Torn, []Place{s.place()}, "the log%s ends in the middle of line %d, which is left out", of,
		s.line)
	return nil
}

// setHeader takes what a file says of the run; all have to say the same.
func (rd *Reader) setHeader(s *Source, h Header) error {
	if rd.headerAt.File != "" && h != rd.Header0 {
		return s.Wrong("this header is about %s, that of %s about %s", h, rd.headerAt, rd.Header0)
	}
	if rd.headerAt.File == "" && h.Spec != "" && !rd.Opt.Stays && !rd.Opt.Keep {
		if rd.Count > 0 {
			return s.Wrong("this header names the model only after the events of other files; this file " +
				"has to be the first")
		}
		rd.Opt.Keep = true
	}
	rd.Header0, rd.headerAt = h, s.place()
	return nil
}

func (h Header) String() string {
	if h.Spec == "" {
		return "no model"
	}
	return strings.TrimSpace(h.Spec + " " + h.Args)
}

// add takes an event that was read.
func (rd *Reader) add(s *Source, e *Entry) error {
	keep, err := rd.mapping.apply(e)
	if err != nil {
		return s.At(e.Line).Wrong("%v", err)
	}
	e.Ignored = !keep
	return rd.mapped(s, e)
}

// mapped takes an event that has the names that are used here.
func (rd *Reader) mapped(s *Source, e *Entry) error {
	if e.Name == wholeHolding && !e.Ignored && !rd.Opt.Keep {
		return rd.spanOf(s, e)
	}
	rd.moments(s, e)
	return rd.pass(s, e)
}

// moments says within which moments an event happened, by what is an order.
func (rd *Reader) moments(s *Source, e *Entry) {
	if rd.Opt.Lines && !s.Complete {
		e.Begin, e.End = int64(e.Line), int64(e.Line)
	}
	if skew := rd.Opt.Skew; skew != nil && e.Begin == Never && e.End == Ever && e.Stamp != Ever {
		e.Begin, e.End = e.Stamp-int64(*skew), e.Stamp+int64(*skew)
	}
	if e.Waits { // it has them when the next line of its node is written
		e.End = Ever
	}
}

// pass passes an event on.
func (rd *Reader) pass(s *Source, e *Entry) error {
	if s.merge != nil {
		return s.merge(s, e)
	}
	return rd.Event(s, e)
}

// At is the source with another line as the current one.
func (s *Source) At(line int) *Source { return &Source{Name: s.Name, line: line} }

// Events and lines are counted in 32 bits and files in 16.
const (
	MaxEvents = 1 << 30
	MaxLines  = 1<<32 - 1
	maxFiles  = 1 << 16
)

// A Header says which run it is, if the log says so.
type Header struct {
	Spec string // the model's name; "" if unknown
	Args string // its parameters: "n=5 k=2"
}
