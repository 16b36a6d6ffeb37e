package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/atmostk/atmostk/model/usage"
)

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

	last   Entry  // of a product: the line before, without further lines of its statement
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
	return bytes.TrimRight(part, "\r\n"), nil
}

// start returns the first n bytes of the file after blanks, or fewer, without consuming them.
func (s *Source) start(n int) []byte {
	b, _ := s.in.Peek(s.ready(n)) // Reader.source returns the error
	b = bytes.TrimLeft(b, " \t\r\n")
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
