package formats

import (
	"fmt"
	"strings"
	"time"
)

// add renames an event by the mapping and passes it on.
func (rd *Reader) add(s *Source, e *Entry) error {
	keep, err := rd.mapping.apply(e)
	if err != nil {
		return s.at(e.Line).wrong("%v", err)
	}
	e.Ignored = !keep
	return rd.mapped(s, e)
}

// mapped takes an event after its mapping. It makes two events of a line for a whole holding.
func (rd *Reader) mapped(s *Source, e *Entry) error {
	if e.Name == wholeHolding && !e.Ignored && !rd.Opt.Modelled {
		return rd.spanOf(s, e)
	}
	rd.setInterval(s, e)
	return rd.pass(s, e)
}

// setInterval sets the interval of an event by its line or its time stamp, if the options order by these.
func (rd *Reader) setInterval(s *Source, e *Entry) {
	if rd.Opt.Lines && !s.Complete {
		e.Begin, e.End = int64(e.Line), int64(e.Line)
	}
	if s.live && (e.Clock != nil || e.ID != "") && rd.Opt.Skew == nil && !rd.Opt.Lines {
		e.Begin, e.End = Never, Ever // a watch takes no clocks and messages, which outrank times
	}
	if skew := rd.Opt.Skew; skew != nil && e.Begin == Never && e.End == Ever && e.Stamp != Ever {
		e.Begin, e.End = e.Stamp-int64(*skew), e.Stamp+int64(*skew)
	}
	if e.Waits { // it may get its units at any time before the node's next line
		e.End = Ever
	}
}

func (rd *Reader) pass(s *Source, e *Entry) error {
	if s.merge != nil {
		return s.merge(s, e)
	}
	return rd.Event(s, e)
}

// wholeHolding is the event name of a line that stands for a whole holding, from begin to end.
const wholeHolding = "stay"

// spanOf makes an acquisition and a release of such a line. They need not be in the order of the other events
// of the node, which may have several holdings at once. The acquisition has the count of the line; clocks and
// messages order neither of them.
func (rd *Reader) spanOf(s *Source, e *Entry) error {
	from, to := e.Begin, e.End
	if e.Stamp != Ever && to == Ever {
		to = e.Stamp
	}
	switch {
	case e.took == Ever:
	case from == Never && to != Ever:
		from = to - e.took
	case from != Never && to == Ever:
		to = from + e.took
	}
	if to != Ever && from > to {
		return s.at(e.Line).wrong("the holding ends before it begins")
	}
	e.Seq, e.Clock, e.Lamport, e.From, e.ID, e.Sent = int64(e.Own()), nil, 0, "", "", nil
	first, last := *e, *e
	first.Name, first.Begin, first.End, first.Stamp = "acquire", Never, Ever, from
	last.Name, last.Begin, last.End, last.Stamp = "release", Never, Ever, to
	if from == Never {
		first.Stamp = Ever
	}
	first.Span, last.Span = true, true
	last.Waited, last.Seq = Ever, 0
	rd.setInterval(s, &first)
	rd.setInterval(s, &last)
	if skew := rd.Opt.Skew; skew != nil {
		rd.narrowBegin(s, &first, int64(*skew))
	}
	first.End, last.Begin = min(first.End, last.End), max(first.Begin, last.Begin)
	if err := rd.pass(s, &first); err != nil {
		return err
	}
	return rd.pass(s, &last)
}

// narrowBegin narrows the begin of a span by the time stamps of its parents, links and children.
func (rd *Reader) narrowBegin(s *Source, e *Entry, skew int64) {
	low, high := e.Begin, e.End
	if e.since != Never {
		low = max(low, e.since-skew)
	}
	if e.until != Ever {
		high = min(high, e.until+skew)
	}
	if low > high {
		rd.Found.Add(Backwards, []Place{s.at(e.Line).place()},
			"%s begins %v before an event that has to be earlier: clocks differ by more than the %v "+
				"allowed for", e.Node, time.Duration(low-high), time.Duration(skew))
		return
	}
	e.Begin, e.End = low, high
}

// nodePart separates the name of a node from the identity of one of its whole holdings. No log has it: JSON
// has no byte 255, and no line of another format has a byte 0.
const nodePart = "\xff\x00"

// SpanNode is the name under which a holding with a single line is ordered, as if it were a node.
func SpanNode(node string, file, line int) string {
	return fmt.Sprintf("%s%s%d:%d", node, nodePart, file, line)
}

// Shown returns the node's name for a report.
func Shown(name string) string {
	name, _, _ = strings.Cut(name, nodePart)
	return name
}
