package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/products"
)

// A lineParser makes an event of each line of a file, from that line alone, so that several parsers can work
// on lines ahead of the judgement.
type lineParser struct {
	mapping  *Mapping
	resource string                     // Options.Resource
	product  *products.Product          // nil: none
	node     *regexp.Regexp             // Options.Node
	fields   map[string]json.RawMessage // of the current line
	hinted   bool                       // some of them may name its resource
	names    map[string]memberName      // known names of JSON members, by their spelling
}

type memberName struct {
	name  string
	field uint32 // the bit of the field of that name; 0: no such field
	hint  bool   // its value may name a resource
}

type lineForm func(p *lineParser, text []byte, l *parsedLine)

// A parsedLine is an event, or what the other fields say the line is.
type parsedLine struct {
	Entry
	first   bool    // the first line of its file
	blank   bool    // a comment
	leftOut bool    // by the conditions of the mapping
	kind    string  // of a line that a product leaves out
	header  *Header // the line is a header
	why     error   // the line cannot be read
	// refuses: the error makes the log unusable, unless the log is watched.
	refuses bool
	// cut: if this is the last line and has no end, its missing end explains the error.
	cut bool
}

func (rd *Reader) newParser() *lineParser {
	p := &lineParser{mapping: rd.mapping, resource: rd.Opt.Resource, product: rd.Opt.Product,
		fields: map[string]json.RawMessage{}, names: map[string]memberName{}}
	switch n := rd.Opt.Node; {
	case len(n) > 1 && n[0] == '/':
		p.node = regexp.MustCompile(strings.Trim(n, "/")) // it was checked as an option
	case rd.Opt.Product != nil && n != "" && n != byFile:
		p.node = regexp.MustCompile(`\b` + regexp.QuoteMeta(n) + `[=:] *"?([^\s",\]]+)`)
	}
	return p
}

// fill reads the given fields of an event, and notes fields that may name its resource.
func (p *lineParser) fill(e *Entry, fields map[string]json.RawMessage, given uint32) error {
	if err := e.take(fields, given, &p.mapping.timeForms); err != nil {
		return err
	}
	if p.hinted || p.resource == oneResource {
		p.hintResource(e, fields)
	}
	return nil
}

// parse parses the line with a number, counted from 1.
func (p *lineParser) parse(form lineForm, text []byte, number int, l *parsedLine) {
	*l = parsedLine{Entry: *newEntry(number), first: l.first}
	if bytes.IndexByte(text, 0) >= 0 {
		l.why, l.cut = errors.New("it has "+zeroBytes), true
		return
	}
	if l.leftOut = !p.mapping.selects(text); l.leftOut {
		return
	}
	if form(p, text, l); l.leftOut || l.blank || l.header != nil || l.why != nil {
		return
	}
	if p.node != nil && p.product == nil {
		l.Node = cmp.Or(products.FirstGroup(p.node, text), l.Node)
	}
	keep, err := p.mapping.apply(&l.Entry)
	l.why, l.refuses, l.Ignored = err, err != nil, !keep
}

// HintFields are names under which programs usually log the lock of an event.
var HintFields = map[string]bool{
	"lock": true, "lock_id": true, "lock_key": true, "lock_name": true, "lockId": true, "lockKey": true,
	"lockName": true, "mutex": true, "semaphore": true, "resource_id": true, "resource_name": true,
	"resourceId": true, "resourceName": true, "key": true, "value.0": true,
}

// hintResource notes the fields of a line that may name its resource, if neither the option nor the line
// names it. value.0, the first element of a list, is one.
func (p *lineParser) hintResource(e *Entry, fields map[string]json.RawMessage) {
	if p.resource == oneResource {
		e.Resource = ""
		return
	}
	if p.resource != "" || e.Resource != "" {
		return
	}
	for f := range fields { // usually fewer fields than names
		var value string
		if HintFields[f] && Text(f, fields[f], &value) == nil && value != "" {
			e.named = append(e.named, named{f, value})
		}
	}
}

// lines reads a log in which each line is an event of its own.
func (rd *Reader) lines(s *Source, form lineForm) error {
	s.apart = true
	if s.ahead {
		return rd.linesAhead(s, form)
	}
	l := parsedLine{first: true}
	for {
		text, err := s.next()
		if err != nil {
			return atEnd(err)
		}
		rd.parser.parse(form, text, s.line, &l)
		if more, err := rd.line(s, &l); err != nil || !more {
			return err
		}
		l.first = false
	}
}

// line takes a parsed line. more is false after a line that is cut off, at the end of the log.
func (rd *Reader) line(s *Source, l *parsedLine) (more bool, err error) {
	switch {
	case l.leftOut:
		rd.Skipped++
		if rd.Opt.Product != nil {
			rd.leaveOut(l.kind)
		}
		return true, nil
	case l.blank:
		return true, nil
	case l.header != nil:
		return true, rd.setHeader(s, *l.header)
	case l.why == nil && rd.Opt.ByTime && l.Stamp == Ever:
		return false, s.wrong("%s needs a time in every line, and this one has none", sortOption)
	case l.why == nil && rd.Opt.ByTime:
		s.shuffled = append(s.shuffled, l.Entry)
		return true, nil
	case l.why == nil:
		return true, rd.parsed(s, &l.Entry)
	case l.cut && s.Torn:
		return false, rd.tornLine(s)
	case l.refuses && !s.live:
		return false, s.wrong("%v", l.why)
	}
	return true, rd.Unreadable(s, l.why.Error())
}

// sortedLines reads a log in which each line is an event, and sorts the events if the options say so.
func (rd *Reader) sortedLines(s *Source, form lineForm) error {
	if err := rd.lines(s, form); err != nil {
		return err
	}
	return rd.sorted(s)
}

func (rd *Reader) parsed(s *Source, e *Entry) error {
	if rd.Opt.Product == nil {
		return rd.mapped(s, e)
	}
	if e.Node == "" {
		e.Node, rd.Guessed = fileNode(s.Name), rd.Opt.Node == ""
	}
	rd.sessions.pass = func(e *Entry) error { return rd.mapped(s, e) }
	return rd.sessions.line(e)
}

// sortOption is the option that sorts lines.
const sortOption = usage.Option("sort-by time")

// sorted takes the events of a file in the order of their times.
func (rd *Reader) sorted(s *Source) error {
	slices.SortStableFunc(s.shuffled, func(a, b Entry) int { return cmp.Compare(a.Stamp, b.Stamp) })
	for i := range s.shuffled {
		if err := rd.parsed(s.at(s.shuffled[i].Line), &s.shuffled[i]); err != nil {
			return err
		}
	}
	s.shuffled = nil
	return nil
}

// batchBytes is the size of a batch of lines; its events take about ten times as much. More than maxParsers
// parsers would mostly wait for the judgement.
const (
	batchBytes = 1 << 15
	maxParsers = 8
)

// A lineBatch is a number of successive lines of a file.
type lineBatch struct {
	p       *lineParser
	text    []byte
	ends    []int // of the lines, in text
	numbers []int
	lines   []parsedLine
	torn    bool  // the last line has no end
	err     error // the error that ended reading
	first   bool  // the first batch of its file
	done    chan struct{}
}

func (b *lineBatch) fill(s *Source) {
	if cap(b.text) > 16*batchBytes {
		b.text = nil // memory for a long line is not kept
	}
	b.text, b.ends, b.numbers = b.text[:0], b.ends[:0], b.numbers[:0]
	for len(b.text) < batchBytes {
		line, err := s.next()
		if err != nil {
			b.err = err
			return
		}
		b.text = append(b.text, line...)
		b.ends, b.numbers, b.torn = append(b.ends, len(b.text)), append(b.numbers, s.line), s.Torn
	}
}

func (b *lineBatch) parse(form lineForm) {
	defer close(b.done)
	for len(b.lines) < len(b.ends) {
		b.lines = append(b.lines, parsedLine{})
	}
	b.lines = b.lines[:len(b.ends)]
	from := 0
	for i, end := range b.ends {
		b.lines[i].first = b.first && i == 0
		b.p.parse(form, b.text[from:end], b.numbers[i], &b.lines[i])
		from = end
	}
}

// linesAhead reads a file, and parses batches of its lines while earlier ones are judged.
func (rd *Reader) linesAhead(s *Source, form lineForm) error {
	size := min(runtime.GOMAXPROCS(0), maxParsers) + 1
	free, filled, stop := make(chan *lineBatch, size), make(chan *lineBatch, size), make(chan struct{})
	for range size {
		free <- &lineBatch{p: rd.newParser()}
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		defer close(filled)
		in := *s
		for first, more := true, true; more; first = false {
			select {
			case b := <-free:
				b.first, b.done = first, make(chan struct{})
				b.fill(&in)
				more = b.err == nil
				wait.Go(func() { b.parse(form) })
				filled <- b
			case <-stop:
				return
			}
		}
	})
	defer wait.Wait()
	defer close(stop)
	for b := range filled {
		<-b.done
		for i := range b.lines {
			s.line, s.Torn = b.numbers[i], b.torn && i == len(b.lines)-1
			if more, err := rd.line(s, &b.lines[i]); err != nil || !more {
				return err
			}
		}
		if b.err != nil {
			return atEnd(b.err)
		}
		free <- b
	}
	return nil
}

// maxKinds is the number of kinds of lines left out that are counted apart.
const maxKinds = 1 << 10

// leaveOut counts a line that a product leaves out.
func (rd *Reader) leaveOut(kind string) {
	if _, known := rd.LeftOut[kind]; !known && len(rd.LeftOut) >= maxKinds {
		kind = ""
	}
	rd.LeftOut[kind]++
}

// maxLine is the length of the longest line, and of the longest entry of several lines, in bytes. Some
// programs log whole messages.
const maxLine = 12 << 20

// zeroBytes: a file system leaves them where it has lost data.
const zeroBytes = "zero bytes"

// A Source is a log file that is being read.
type Source struct {
	Name string
	in   *bufio.Reader
	line int  // the number of the line read last, from 1
	Torn bool // that line has no end: its writer was stopped in the middle
	long []byte

	writer string // the node with all events so far; "" if there are several
	begun  bool
	Index  int // of its file
	// Complete: no line of it is missing.
	Complete bool
	// merge, if not nil, takes the events, to merge them with events of other files.
	merge func(*Source, *Entry) error
	// shuffled are the events so far, if they are sorted by time at the end of the file.
	shuffled []Entry
	apart    bool // each line is parsed alone, so that a bad one can be skipped
	live     bool // it is still being written
	ahead    bool // lines are parsed ahead
	Locks    bool // only events of a lock are allowed
}

func newSource(name string, r io.Reader, buffer int) *Source {
	return &Source{Name: name, in: bufio.NewReaderSize(r, buffer)}
}

// place returns the place of the line read last.
func (s *Source) place() Place { return Place{s.Name, s.line} }

// wrong returns an error about the line read last.
func (s *Source) wrong(format string, a ...any) error {
	return &InputError{s.place(), usage.Textf(format, a...)}
}

// at returns a copy of the source whose current line is the given one, with its end.
func (s *Source) at(line int) *Source {
	t := *s
	t.line, t.Torn = line, false
	return &t
}

func (s *Source) note(node string) {
	if !s.begun {
		s.writer, s.begun = node, true
	} else if s.writer != node {
		s.writer = ""
	}
}

// next returns the next line that is not blank, without its end; io.EOF after the last one. The line is valid
// until the next call. A line longer than maxLine is an error, and its rest is not read.
func (s *Source) next() ([]byte, error) {
	for {
		line, err := s.any()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

// any is like next, but also returns blank lines.
func (s *Source) any() ([]byte, error) {
	s.line++
	part, err := s.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		s.long = s.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) && len(s.long) <= maxLine {
			s.long = append(s.long, part...)
			part, err = s.in.ReadSlice('\n')
		}
		s.long = append(s.long, part...)
		part = s.long
	}
	switch {
	case len(part) > maxLine:
		return nil, s.wrong("longer than %d bytes, the longest line allowed", maxLine)
	case errors.Is(err, io.EOF) && len(part) == 0:
		s.line--
		return nil, io.EOF
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Torn = err != nil
	if (s.line == 1 || !s.apart) && bytes.IndexByte(part, 0) >= 0 {
		return nil, s.wrong("not a log: the line has %s", zeroBytes)
	}
	if s.line == 1 {
		part = bytes.TrimPrefix(part, []byte("\ufeff"))
	}
	return bytes.TrimRight(part, "\r\n"), nil
}

// start returns the first n bytes of the file after blanks, or fewer, without consuming them.
func (s *Source) start(n int) []byte {
	b, _ := s.in.Peek(s.ready(n)) // a later read returns the error
	b = bytes.TrimLeft(b, " \t\r\n\ufeff")
	return b[:min(n, len(b))]
}

// ready returns the number of bytes to peek at: the whole buffer, or in a live log the bytes that are
// there once they include a line.
func (s *Source) ready(n int) int {
	if !s.live {
		return s.in.Size()
	}
	for {
		b, _ := s.in.Peek(s.in.Buffered())
		if len(b) >= min(n, s.in.Size()) || bytes.IndexByte(bytes.TrimLeft(b, " \t\r\n\ufeff"), '\n') >= 0 {
			return len(b)
		}
		if _, err := s.in.Peek(len(b) + 1); err != nil {
			return len(b)
		}
	}
}

// atEnd returns nil for the end of a file.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
