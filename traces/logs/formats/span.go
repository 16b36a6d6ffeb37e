package formats

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
)

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
		return s.At(e.Line).Wrong("the holding ends before it begins")
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
		rd.Found.Add(Backwards, []Place{s.At(e.Line).place()},
			"%s begins %v before what it comes after: clocks are further apart than the %v allowed for",
			e.Node, time.Duration(low-high), time.Duration(skew))
		return
	}
	e.Begin, e.End = low, high
}

// NodePart stands between the name of a node and what tells a part of it that is no node of the log.
const NodePart = "\x00"

// SpanNode names the part of a node that is a holding given by a line as a whole.
func SpanNode(node string, file, line int) string {
	return fmt.Sprintf("%s%s%d:%d", node, NodePart, file, line)
}

// Shown is the name of a node for a report.
func Shown(name string) string {
	name, _, _ = strings.Cut(name, NodePart)
	return name
}

// durations says in errors which durations are allowed.
const durations = "durations such as 1.5s or 20 ms, and seconds with a decimal point"

// unit is that of whole numbers in a field that is a duration, in nanoseconds, and the key of the mapping that
// says it; 0: it is not said. The unit of times is not that of a lease, whose length another program has chosen
// than that which writes the times.
func (m *Mapping) unit(name string) (unit int64, key string) {
	if name == "lease_lasts" {
		return int64(timeUnits[m.LeaseUnit]), "lease_unit"
	}
	if m.DurationUnit == "" && m.timeForm != nil {
		return m.timeForm.unit, "duration_unit"
	}
	return int64(timeUnits[m.DurationUnit]), "duration_unit"
}

// spell reads a field that is a duration.
func (m *Mapping) spell(name string, raw json.RawMessage, to *int64) error {
	value := ""
	if err := Text(name, raw, &value); err != nil || value == "" {
		return err
	}
	wrong := func(why string) error { return fmt.Errorf("field %q is %s%s", name, clip([]byte(value)), why) }
	d, err := time.ParseDuration(strings.ReplaceAll(value, " ", ""))
	if *to = int64(d); err != nil {
		err = number(value, to)
		if strings.Trim(value, "0123456789") == "" {
			unit, key := m.unit(name)
			switch {
			case unit == 0:
				return wrong(", and its unit is not said; allowed are " + durations +
					", and whole numbers if the mapping has " + key + ": ns, us, ms or s")
			case err != nil || *to > math.MaxInt64/2/unit:
				return wrong("; that is too long")
			}
			*to *= unit
		}
	}
	if err != nil || *to < 0 || *to > math.MaxInt64/2 {
		return wrong("; allowed are " + durations)
	}
	return nil
}
