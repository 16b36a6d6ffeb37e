package formats

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/model/usage"
)

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
			if _, known := rd.LeftOut[l.kind]; !known && len(rd.LeftOut) >= maxKinds {
				l.kind = ""
			}
			rd.LeftOut[l.kind]++
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

// sortedLines reads a log in which each line is an event. If the options say so, it takes the events in the
// order of their times.
func (rd *Reader) sortedLines(s *Source, form lineForm) error {
	if err := rd.lines(s, form); err != nil {
		return err
	}
	slices.SortStableFunc(s.shuffled, func(a, b Entry) int { return cmp.Compare(a.Stamp, b.Stamp) })
	for i := range s.shuffled {
		if err := rd.parsed(s.at(s.shuffled[i].Line), &s.shuffled[i]); err != nil {
			return err
		}
	}
	s.shuffled = nil
	return nil
}

func (rd *Reader) parsed(s *Source, e *Entry) error {
	if rd.Opt.Product == nil {
		return rd.mapped(s, e)
	}
	switch {
	case e.as != "more" && (e.Node == "" || rd.Opt.Node == byFile):
		e.Node, rd.Guessed = fileNode(s.Name), rd.Opt.Node != byFile
	case e.as != "more":
	case e.Resource == "" && slices.Contains(oneLined, s.last.as):
		return nil
	default:
		e.Node, e.as = s.last.Node, "unclear"
	}
	s.last = *e
	rd.sessions.pass = func(e *Entry) error {
		if rd.Opt.Product.Leases { // each holding ends by itself
			e.Node += nodePart + e.Resource
		}
		return rd.mapped(s, e)
	}
	rd.sessions.unread = func(line int) {
		rd.Found.Add(Unreadable, []Place{{s.Name, line}}, "which locks the statement at line %d of %s takes "+
			"or gives back is not known, so that nothing is accepted", line, s.Name)
	}
	return rd.sessions.line(e)
}

const sortOption = usage.Option("sort-by time")

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
