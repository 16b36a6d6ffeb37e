package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/atmostk/atmostk/model/usage"
)

// maxLine is the longest line of a log, in bytes, and the longest entry that
// takes several lines. Some programs log whole messages.
const maxLine = 12 << 20

// zeroBytes are what a file system leaves where it has lost what was written.
const zeroBytes = "zero bytes"

// A Source is a log file that is being read.
type Source struct {
	Name string
	in   *bufio.Reader
	line int  // the one read last
	Torn bool // it has no end: the writer was stopped in the middle of it
	long []byte

	writer string // the node whose events these are; "" if there are several
	begun  bool
	Index  int // of its file
	// Complete: no line of it is missing.
	Complete bool
	// merge, if it is not nil, takes the events until the events of other files are known.
	merge func(*Source, *Entry) error
	apart bool // each of its lines is parsed by itself, so that one may make no sense
	live  bool // it is still being written
	ahead bool // its lines are parsed ahead
	Locks bool // only events of a lock are expected
}

func newSource(name string, r io.Reader, buffer int) *Source {
	return &Source{Name: name, in: bufio.NewReaderSize(r, buffer)}
}

// place is the line read last.
func (s *Source) place() Place { return Place{s.Name, s.line} }

// wrong returns an error about the present line.
func (s *Source) wrong(format string, a ...any) error {
	return &InputError{s.place(), usage.Textf(format, a...)}
}

// at is the source with another line, a whole one, as the current one.
func (s *Source) at(line int) *Source {
	t := *s
	t.line, t.Torn = line, false
	return &t
}

// note keeps whose log it is.
func (s *Source) note(node string) {
	if !s.begun {
		s.writer, s.begun = node, true
	} else if s.writer != node {
		s.writer = ""
	}
}

// next returns the next line that is not blank, without its end; io.EOF after the
// last one. It is valid until the next call. Of a line that is too long no more is
// read than shows that it is.
func (s *Source) next() ([]byte, error) {
	for {
		line, err := s.any()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

// any is next for lines that may be blank.
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
		return nil, s.wrong("longer than %d bytes, which no line of a log is", maxLine)
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

// start returns the first bytes of the file that are not blank, without taking
// them; fewer if there are no more.
func (s *Source) start(n int) []byte {
	b, _ := s.in.Peek(s.ready(n)) // what cannot be read shows later
	b = bytes.TrimLeft(b, " \t\r\n\ufeff")
	return b[:min(n, len(b))]
}

// ready is the number of bytes to be looked at: as many as fit, or of a log that is still being
// written those that are there, once there is a line.
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

// atEnd turns the end of a file into no error.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
