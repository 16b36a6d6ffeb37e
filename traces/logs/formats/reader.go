package formats

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/atmostk/atmostk/model/usage"
)

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
	// Lines: the events happened in the order of the lines, of one file. Times
	// are no order then.
	Lines bool
	// Keep wants the History, which takes some hundred bytes for each event. If the
	// first file begins with a header that names a model, it is kept in any case, unless
	// NoModel says that only holdings in the critical section are of interest.
	Keep, NoModel bool
	// Resource is the field that names the resource whose units are acquired, beside
	// "resource". If it is "-" all is one resource.
	Resource string
	// Memory bounds the bytes that the events may take while they are read and judged, by
	// an estimate that depends on nothing but the logs; beyond it reading ends with a
	// MemoryError. 0: no bound.
	Memory int64
	// Strict makes an error of a last line that is torn and of a file without events.
	Strict bool
}

// The options that say how to read a log.
const (
	fromOption    = usage.Option("from")
	mappingOption = usage.Option("mapping")
)

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

// A Reader makes events of the files of one run.
type Reader struct {
	Opt     Options
	mapping *Mapping
	parser  *lineParser // of lines that are not parsed ahead
	Found   Findings
	Files   []string // those that are not empty
	Formats []string // of each of them
	PerFile []int    // the number of events of each of them
	Spoilt  []spoilt // of each file; fewer if the last ones have none

	Header0  Header
	headerAt Place

	Hints   map[string]string // fields that may name resources, with their first value; "": there are several
	Count   int               // events that were taken
	Ignored int               // events that are left out
	Skipped int               // lines that are left out
	Endless bool              // events are not kept, and may be as many as come
	zones   Zone              // of all times that count
	zoneAt  Place             // of the first of them

	// Event takes the events, and Merge, if it is not nil, the events of files that are opened from now on.
	Event  func(*Source, *Entry) error
	Merge  func(*Source, *Entry) error
	buffer int  // bytes of a file that are read at once
	Ahead  bool // the lines of a file are parsed ahead
}

// The bytes that are read at once of a file and of all files together, and those that the recognition of
// formats needs; and of how many files that are read side by side lines are parsed ahead.
const (
	maxBuffer  = 1 << 16
	allBuffers = 1 << 22
	minBuffer  = 1 << 12
	maxAhead   = 8
)

// NewReader returns a reader of the logs of one run.
func NewReader(opt Options) *Reader {
	rd := &Reader{Opt: opt, mapping: opt.Mapping, buffer: maxBuffer, Ahead: true, Hints: map[string]string{}}
	if rd.mapping == nil {
		rd.mapping = &Mapping{}
	}
	rd.mapping = withResource(rd.mapping, opt.Resource)
	rd.parser = newParser(rd.mapping, opt.Resource)
	return rd
}

// Share takes it that several files are read side by side.
func (rd *Reader) Share(files int) {
	rd.Ahead = files <= maxAhead
	rd.buffer = min(maxBuffer, max(minBuffer, allBuffers/files))
}

// tornLine reports that the last line has no end and makes no sense.
func (rd *Reader) tornLine(s *Source) error {
	if rd.Opt.Strict {
		return s.wrong("the log ends in the middle of this line")
	}
	of := ""
	if s.writer != "" {
		of = " of " + s.writer
	}
	rd.Found.Add(Torn, []Place{s.place()}, "the log%s ends in the middle of line %d, which is left out", of,
		s.line)
	return nil
}

// spoilt lines of a file make no sense.
type spoilt struct {
	Lines uint32
	first error // about the first of them
}

// Unreadable takes a line that makes no sense, in the midst of a log: one that was torn when its
// writer was stopped, or is by another writer. It may have been anything.
func (rd *Reader) Unreadable(s *Source, why string) error {
	err := s.wrong("%s", why)
	if rd.Opt.Strict {
		return err
	}
	for len(rd.Spoilt) <= s.Index {
		rd.Spoilt = append(rd.Spoilt, spoilt{})
	}
	sp := &rd.Spoilt[s.Index]
	if sp.Lines++; sp.first == nil {
		sp.first = err
	}
	rd.Found.Add(Unreadable, []Place{s.place()},
		"line %d of %s cannot be read, and may have been anything: %s", s.line, s.Name, why)
	return nil
}

// setHeader takes what a file says of the run; all have to say the same.
func (rd *Reader) setHeader(s *Source, h Header) error {
	if rd.headerAt.File != "" && h != rd.Header0 {
		return s.wrong("this header is about %s, that of %s about %s", h, rd.headerAt, rd.Header0)
	}
	if rd.headerAt.File == "" && h.Spec != "" && !rd.Opt.NoModel && !rd.Opt.Keep {
		if rd.Count > 0 {
			return s.wrong("this header names the model only after the events of other files; this file " +
				"has to be the first")
		}
		rd.Opt.Keep = true
	}
	rd.Header0, rd.headerAt = h, s.place()
	return nil
}

// Events and lines are counted in 32 bits and files in 16.
const (
	maxEvents = 1 << 30
	maxLines  = 1<<32 - 1
	maxFiles  = 1 << 16
)

// Accept looks at an event before it is taken: whether it is one of a lock, where nothing else is expected;
// whether it says whose it is, and what; and whether its time can be compared with others. It returns false
// for an event of nobody, about nothing, and for a line that is torn.
func (rd *Reader) Accept(s *Source, e *Entry) (bool, error) {
	role := RoleOf(e.Name)
	switch {
	case s.Locks && role == Other && s.Torn: // its name is cut off
		return false, rd.tornLine(s)
	case s.Locks && role == Other:
		return false, s.at(e.Line).wrong("event %s is none of a lock: request, acquire, release, renew, "+
			"expire, use, crash; %s renames events or leaves them out", clip([]byte(e.Name)), mappingOption)
	case e.Node == "" && rd.Opt.Mapping != nil && (role == Other || role == Requests):
		rd.Skipped++
		return false, nil
	case e.Node == "":
		return false, s.at(e.Line).wrong(`field "node" is missing`)
	case e.Name == "":
		return false, s.at(e.Line).wrong(`field "event" is missing, and "msg" as well`)
	case (rd.Count >= maxEvents || int64(e.Line) > maxLines) && !rd.Endless:
		return false, s.at(e.Line).wrong("more than %d events, which is as many as are read", maxEvents)
	}
	if err := rd.zone(s, e); err != nil {
		return false, err
	}
	s.note(e.Node)
	rd.PerFile[s.Index]++
	return true, nil
}

// zone refuses times with and without a zone in the logs of one run, if they are an order: a
// zone that is not named may be any.
func (rd *Reader) zone(s *Source, e *Entry) error {
	if e.zones == 0 || rd.Opt.Skew == nil {
		return nil
	}
	if rd.zones == 0 {
		rd.zones, rd.zoneAt = e.zones, Place{s.Name, e.Line}
	}
	if rd.zones |= e.zones; rd.zones == Zoned|Unzoned {
		return s.at(e.Line).wrong("of this time and that of %s one has a zone and the other has none, "+
			"so that nobody can tell which came first", rd.zoneAt)
	}
	return nil
}

// Hint keeps the fields of an event that may name its resource.
func (rd *Reader) Hint(e *Entry) {
	for _, n := range e.named {
		first, known := rd.Hints[n.field]
		switch {
		case !known:
			rd.Hints[n.field] = n.value
		case first != n.value:
			rd.Hints[n.field] = ""
		}
	}
}
