package formats

import (
	"fmt"
	"strings"
	"time"
)

// add takes an event that was read.
func (rd *Reader) add(s *Source, e *Entry) error {
	keep, err := rd.mapping.apply(e)
	if err != nil {
		return s.at(e.Line).wrong("%v", err)
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

// moments sets the interval in which an event happened, by the lines or time stamps if they are an order.
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

// wholeHolding is the event of a line that tells a holding as a whole, from begin to end.
const wholeHolding = "stay"

// spanOf takes the begin and the end of such a line as two events. They need not be in the order of
// the other events of its node, which may have several holdings at once.
func (rd *Reader) spanOf(s *Source, e *Entry) error {
	from, to := e.Begin, e.End
	if e.Stamp != Ever && to == Ever {
		to = e.Stamp
	}
	if e.took != Ever {
		switch {
		case from == Never && to != Ever:
			from = to - e.took
		case from != Never && to == Ever:
			to = from + e.took
		}
	}
	if to != Ever && from > to {
		return s.at(e.Line).wrong("the holding ends before it begins")
	}
	first, last := *e, *e
	first.Name, first.Begin, first.End, first.Stamp = "acquire", Never, Ever, from
	last.Name, last.Begin, last.End, last.Stamp = "release", Never, Ever, to
	if from == Never {
		first.Stamp = Ever
	}
	first.Span, last.Span = true, true
	last.Waited, first.Seq, last.Seq = Ever, 0, 0
	rd.moments(s, &first)
	rd.moments(s, &last)
	if skew := rd.Opt.Skew; skew != nil {
		rd.beside(s, &first, int64(*skew))
	}
	first.End, last.Begin = min(first.End, last.End), max(first.Begin, last.Begin)
	if err := rd.pass(s, &first); err != nil {
		return err
	}
	return rd.pass(s, &last)
}

// beside narrows when a span began by the stamps of those that began before it and after it.
func (rd *Reader) beside(s *Source, e *Entry, skew int64) {
	low, high := e.Begin, e.End
	if e.since != Never {
		low = max(low, e.since-skew)
	}
	if e.until != Ever {
		high = min(high, e.until+skew)
	}
	if low > high {
		rd.Found.Add(Backwards, []Place{s.at(e.Line).place()},
			"%s begins %v before what it comes after: clocks are further apart than the %v allowed for",
			e.Node, time.Duration(low-high), time.Duration(skew))
		return
	}
	e.Begin, e.End = low, high
}

// nodePart stands between the name of a node and what tells a part of it that is no node of the log.
const nodePart = "\x00"

// SpanNode names the part of a node that is a holding given by a line as a whole.
func SpanNode(node string, file, line int) string {
	return fmt.Sprintf("%s%s%d:%d", node, nodePart, file, line)
}

// Shown is the name of a node for a report.
func Shown(name string) string {
	name, _, _ = strings.Cut(name, nodePart)
	return name
}
