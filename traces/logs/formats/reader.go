package formats

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/products"
)

// Stdin is the name that stands for Options.Stdin.
const Stdin = "-"

// Options say how logs are read. The zero value detects the format, takes names as they are, and does not
// order events by time stamps.
type Options struct {
	Format  string   // one of Formats; "": detected at the beginning of each file
	Mapping *Mapping // nil: none
	// Stdin is read for the name "-"; nil: that name is an error.
	Stdin io.Reader
	// Skew is the largest difference between time stamps and true time. If it is set, time stamps are an
	// order: an event happened within Skew of its stamp.
	Skew *time.Duration
	// Lines: the events of the only file happened in the order of its lines. Times do not count then.
	Lines bool
	// ByTime: the lines of each file are shuffled, and have times of one clock, which give their order.
	ByTime bool
	// Keep keeps the History, some hundred bytes for each event. Modelled: the events are steps of a model.
	// A header in the first file that names one sets both, unless NoModel is set: only holdings are judged.
	Keep, Modelled, NoModel bool
	// Resource is the field that names the resource, besides "resource". "-": all units are of one resource.
	Resource string
	// Product is the program whose texts the lines have; nil: Format and Mapping say how to read them.
	Product *products.Product
	// Node says how to find the node of a line: "file" by the name of its file, /REGEXP/ by the first group
	// in the line, or else the name of a field; "": by Format, Mapping and Product.
	Node string
	// Requests: a request is about a resource, as acquisitions are.
	Requests bool
	// Memory bounds the bytes of the events while they are read and judged. The estimate depends only on
	// the logs; reading ends with a LimitError beyond it. 0: no bound.
	Memory int64
	// Stop, if not nil, is asked now and then: true ends reading with a LimitError, and searches without an
	// answer.
	Stop func() bool
	// Strict turns a last line that is cut off, and a file without events, into errors.
	Strict bool
}

// Options that errors name.
const (
	fromOption    = usage.Option("from")
	mappingOption = usage.Option("mapping")
)

// Usable returns an error if files cannot be the logs of one run.
func Usable(files []string, opt Options) error {
	if len(files) >= maxFiles {
		return fmt.Errorf("%d files; allowed are %d", len(files), maxFiles-1)
	}
	switch {
	case opt.Lines && opt.ByTime:
		return errors.New("either the lines or their times are the order")
	case opt.Lines && opt.Skew != nil:
		return errors.New("lines and time stamps cannot both be the order")
	case opt.Lines && len(files) > 1:
		return unusable(files[1],
			"the lines of several files have no common order; --order lines takes one file")
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

// A Reader reads the files of one run.
type Reader struct {
	Opt      Options
	mapping  *Mapping
	parser   *lineParser    // for lines that are not parsed ahead
	sessions sessions       // of a product
	Guessed  bool           // some node of a product is only known by its file
	LeftOut  map[string]int // lines left out, by their kind; "": kinds beyond maxKinds
	Found    Findings
	Files    []string          // the files that are not empty
	Formats  []string          // the format of each file
	PerFile  []int             // the number of events of each file
	Spoilt   []unreadableLines // of each file; shorter if the last files have no unreadable lines

	Header0  Header
	headerAt Place

	Hints   map[string]string // fields that may name resources, with their value; "": several values
	Count   int               // events taken
	Ignored int               // events left out
	Skipped int               // lines left out
	Endless bool              // events are not kept, and their number is not limited
	zones   Zone              // of all times that order events
	zoneAt  Place             // of the first of them
	zoned   int64             // that time

	// Event takes the events. Merge, if not nil, takes the events of files that are opened from now on.
	Event  func(*Source, *Entry) error
	Merge  func(*Source, *Entry) error
	buffer int  // bytes read at once from a file
	Ahead  bool // lines of files are parsed ahead
}

// Bytes read at once from one file and from all files together, the least number with which formats are
// detected, and the most files, read side by side, whose lines are parsed ahead.
const (
	maxBuffer  = 1 << 16
	allBuffers = 1 << 22
	minBuffer  = 1 << 12
	maxAhead   = 8
)

// byFile is the value of Options.Node that takes the name of the file for the node.
const byFile = "file"

// NewReader returns a reader of the logs of one run.
func NewReader(opt Options) *Reader {
	rd := &Reader{Opt: opt, mapping: cmp.Or(opt.Mapping, &Mapping{}), buffer: maxBuffer, Ahead: true,
		Hints: map[string]string{}}
	if opt.Resource != oneResource {
		rd.mapping = withField(rd.mapping, opt.Resource, "resource")
	}
	if n := opt.Node; n != byFile && (len(n) < 2 || n[0] != '/') { // the name of a field
		rd.mapping = withField(rd.mapping, n, "node")
	}
	rd.LeftOut = map[string]int{}
	rd.sessions = sessions{of: map[string]*session{}, shared: map[string]bool{},
		server: opt.Product != nil && opt.Product.Order == "lines"}
	rd.parser = rd.newParser()
	return rd
}

// Share divides the buffers among files that are read side by side.
func (rd *Reader) Share(files int) {
	rd.Ahead = files <= maxAhead
	rd.buffer = min(maxBuffer, max(minBuffer, allBuffers/files))
}

// tornLine reports that the last line is cut off and cannot be read.
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

type unreadableLines struct {
	Lines uint32
	first error // about the first one
}

// Unreadable reports a line that cannot be read and is not the last one: its writer was stopped, or another
// program has written it. It may have been any event.
func (rd *Reader) Unreadable(s *Source, why string) error {
	err := s.wrong("%s", why)
	if rd.Opt.Strict {
		return err
	}
	for len(rd.Spoilt) <= s.Index {
		rd.Spoilt = append(rd.Spoilt, unreadableLines{})
	}
	sp := &rd.Spoilt[s.Index]
	if sp.Lines++; sp.first == nil {
		sp.first = err
	}
	rd.Found.Add(Unreadable, []Place{s.place()},
		"line %d of %s cannot be read, and may have been anything: %s", s.line, s.Name, why)
	return nil
}

// setHeader takes the header of a file; all headers have to be equal.
func (rd *Reader) setHeader(s *Source, h Header) error {
	if rd.headerAt.File != "" && h != rd.Header0 {
		return s.wrong("this header names %s, but the one at %s names %s", h, rd.headerAt, rd.Header0)
	}
	if rd.headerAt.File == "" && h.Spec != "" && !rd.Opt.NoModel && !rd.Opt.Modelled {
		if rd.Count > 0 {
			return s.wrong("this header names the model after the events of other files; its file has to " +
				"be the first")
		}
		rd.Opt.Keep, rd.Opt.Modelled = true, true
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

// Accept checks an event before it is taken: its role, if only events of a lock are allowed; that it has a
// node and a name; and that its time can be compared with the others. It returns false for a line that is cut
// off and, with a mapping, for an event without a node that affects no holding.
func (rd *Reader) Accept(s *Source, e *Entry) (bool, error) {
	role := RoleOf(e.Name)
	if rd.Opt.Node == byFile && rd.Opt.Product == nil {
		e.Node = fileNode(s.Name)
	}
	switch {
	case s.Locks && role == Other && s.Torn: // its name is cut off
		return false, rd.tornLine(s)
	case s.Locks && role == Other:
		return false, s.at(e.Line).wrong("event %s is not one of a lock: request, acquire, release, renew, "+
			"expire, use, crash; %s renames events or leaves them out", clip([]byte(e.Name)), mappingOption)
	case e.Node == "" && rd.Opt.Mapping != nil && (role == Other || role == Requests):
		rd.Skipped++
		return false, nil
	case e.Node == "":
		return false, s.at(e.Line).wrong(`field "node" is missing; %s names the field, or is "file" if each `+
			"file is of one node", usage.Option("node"))
	case e.Name == "":
		return false, s.at(e.Line).wrong(`fields "event" and "msg" are both missing`)
	case (rd.Count >= maxEvents || int64(e.Line) > maxLines) && !rd.Endless:
		return false, s.at(e.Line).wrong("more than %d events, the most that can be read", maxEvents)
	}
	if err := rd.zone(s, e); err != nil {
		return false, err
	}
	s.note(Shown(e.Node))
	rd.PerFile[s.Index]++
	return true, nil
}

// zone refuses times with and without a time zone in the logs of one run, if times are an order: without its
// zone a time cannot be compared. Times without a year cannot, either, if the log may go beyond its end.
func (rd *Reader) zone(s *Source, e *Entry) error {
	if e.zones == 0 || rd.Opt.Skew == nil {
		return nil
	}
	if rd.zones == 0 {
		rd.zones, rd.zoneAt, rd.zoned = e.zones, Place{s.Name, e.Line}, e.Stamp
	}
	const halfYear = 183 * 24 * int64(time.Hour)
	from, to := min(e.Stamp, rd.zoned), max(e.Stamp, rd.zoned)
	if rd.Opt.Product != nil && from < products.YearEnd && to-from > halfYear {
		return s.at(e.Line).wrong("this time and the one at %s cannot be compared: they do not name the "+
			"year, and may be of two", rd.zoneAt)
	}
	if rd.zones |= e.zones; rd.zones == Zoned|Unzoned {
		return s.at(e.Line).wrong("this time and the one at %s cannot be compared: only one of them has a "+
			"time zone", rd.zoneAt)
	}
	return nil
}

// Hint notes the fields of an event that may name its resource.
func (rd *Reader) Hint(e *Entry) {
	for _, n := range e.named {
		if first, known := rd.Hints[n.field]; !known {
			rd.Hints[n.field] = n.value
		} else if first != n.value {
			rd.Hints[n.field] = ""
		}
	}
}
