package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
)

// A lineParser makes an event of each line of a file by that line alone, so that lines can be parsed
// side by side, ahead of where they are judged.
type lineParser struct {
	mapping  *Mapping
	resource string                     // Options.Resource
	fields   map[string]json.RawMessage // of the line that is parsed
	hinted   bool                       // some of them may name its resource
}

// A lineForm parses a line of one format.
type lineForm func(p *lineParser, text []byte, l *parsedLine)

// A parsedLine is what a line says: an event, unless one of the other fields says what else it is.
type parsedLine struct {
	Entry
	first   bool    // of its file
	blank   bool    // a comment
	leftOut bool    // by the conditions of the mapping
	header  *Header // what it says of the run
	why     error   // what is wrong with it
	// refuses: what is wrong with it makes the log unusable, unless it is watched.
	refuses bool
	// cut: if the log ends in the middle of this line, that is what is wrong with it.
	cut bool
}

func (rd *Reader) newParser() *lineParser {
	return &lineParser{mapping: rd.mapping, resource: rd.Opt.Resource, fields: map[string]json.RawMessage{}}
}

// fill takes the fields of an event, and notes those that may name its resource.
func (p *lineParser) fill(e *Entry, fields map[string]json.RawMessage) error {
	if err := e.take(fields, p.mapping); err != nil {
		return err
	}
	if p.hinted || p.resource == oneResource {
		p.suspect(e, fields)
	}
	return nil
}

// parse parses the line of a number.
func (p *lineParser) parse(form lineForm, text []byte, number int, l *parsedLine) {
	*l = parsedLine{Entry: *newEntry(number), first: l.first}
	if bytes.IndexByte(text, 0) >= 0 {
		l.why, l.cut = errors.New("it has "+zeroBytes), true
		return
	}
	if l.leftOut = !p.mapping.wants(text); l.leftOut {
		return
	}
	if form(p, text, l); l.leftOut || l.blank || l.header != nil || l.why != nil {
		return
	}
	keep, err := p.mapping.apply(&l.Entry)
	l.why, l.refuses, l.Ignored = err, err != nil, !keep
}

// lines reads a log whose lines can each be parsed by itself.
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

// line takes a line that was parsed. It returns false after a line in whose middle the log ends.
func (rd *Reader) line(s *Source, l *parsedLine) (more bool, err error) {
	switch {
	case l.leftOut:
		rd.Skipped++
		return true, nil
	case l.blank:
		return true, nil
	case l.header != nil:
		return true, rd.setHeader(s, *l.header)
	case l.why == nil:
		return true, rd.mapped(s, &l.Entry)
	case l.cut && s.Torn:
		return false, rd.TornLine(s)
	case l.refuses && !s.live:
		return false, s.Wrong("%v", l.why)
	}
	return true, rd.Unreadable(s, l.why.Error())
}

// batchBytes is the text that is parsed at once. The events of a batch take some ten times as much.
// Of more than maxParsers parsers most would wait for where events are judged.
const (
	batchBytes = 1 << 15
	maxParsers = 8
)

// A lineBatch is some lines of a file.
type lineBatch struct {
	p       *lineParser
	text    []byte
	ends    []int // of the lines, in text
	numbers []int
	lines   []parsedLine
	torn    bool  // the last line has no end
	err     error // why there are no more
	first   bool  // it begins its file
	done    chan struct{}
}

// fill reads lines.
func (b *lineBatch) fill(s *Source) {
	if cap(b.text) > 16*batchBytes {
		b.text = nil // a long line is not kept
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

// parse parses them.
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

// linesAhead reads a file, and parses batches of its lines side by side while those before are judged.
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
