package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
)

// This reads spans: OTLP as the file exporter of OpenTelemetry's collector writes it in JSON, request after
// request, and what Jaeger's interface downloads. A span is an event with the span's name, from its begin to
// its end; its attributes and its resource's are the fields. The option stay says which names are of
// holdings.

// maxDocument is the longest document of spans, in bytes.
const maxDocument = 64 << 20

// A document is what a document of spans has that is used here. Its names are found in either case.
type document struct {
	ResourceSpans []struct { // OTLP
		Resource   struct{ Attributes attributes }
		ScopeSpans []struct{ Spans []span }
	}
	Data []struct { // Jaeger
		Spans     []span
		Processes map[string]struct {
			ServiceName string
			Tags        attributes
		}
	}
}

// A span is one of either format; unify gives those of Jaeger the names and units of OTLP. Times are
// nanoseconds since 1970.
type span struct {
	spanLink
	ParentSpanID                       string
	Name                               string
	StartTimeUnixNano, EndTimeUnixNano integer
	Links                              []spanLink // to spans that had begun when it began
	Attributes                         attributes
	Events                             []spanEvent

	OperationName       string
	StartTime, Duration integer // microseconds
	References          []spanLink
	Tags                attributes
	Logs                []struct {
		Timestamp integer
		Fields    attributes
	}
	ProcessID string

	service string
	fields  map[string]json.RawMessage // its attributes and those of its resource
}

// A spanEvent is something that happened in a span.
type spanEvent struct {
	Name         string
	TimeUnixNano integer
	Attributes   attributes
}

// A spanLink is the identity of a span.
type spanLink struct{ TraceID, SpanID string }

// An integer is a whole number, which may be a text: JSON has no numbers of 64 bits.
type integer int64

// UnmarshalJSON reads either.
func (n *integer) UnmarshalJSON(raw []byte) error {
	x, err := strconv.ParseInt(string(bytes.Trim(raw, `"`)), 10, 64)
	if *n = integer(x); err != nil {
		return fmt.Errorf("%s is no whole number", clip(raw))
	}
	return nil
}

// attributes have values, of OTLP each in an object that names its type.
type attributes []struct {
	Key   string
	Value json.RawMessage
}

// over returns fields with the attributes over them.
func (as attributes) over(fields map[string]json.RawMessage) map[string]json.RawMessage {
	fields = maps.Clone(fields)
	if fields == nil {
		fields = map[string]json.RawMessage{}
	}
	for _, a := range as {
		var typed map[string]json.RawMessage
		if json.Unmarshal(a.Value, &typed) != nil {
			fields[a.Key] = a.Value
		}
		for kind, raw := range typed {
			if kind == "intValue" {
				raw = bytes.Trim(raw, `"`)
			}
			fields[a.Key] = raw
		}
	}
	return fields
}

// spans reads documents of spans.
func (rd *Reader) spans(s *Source) error {
	in := &io.LimitedReader{R: s.in}
	d := json.NewDecoder(in)
	names := map[string]bool{} // of spans that mean nothing
	for {
		in.N = maxDocument
		var text json.RawMessage
		err := d.Decode(&text)
		switch {
		case err != nil && in.N <= 0:
			return s.wrong("longer than %d MiB, which no document of spans is", maxDocument>>20)
		case errors.Is(err, io.EOF) && (rd.PerFile[s.Index] > 0 || len(names) == 0):
			return nil
		case errors.Is(err, io.EOF):
			return s.wrong("none of its spans is a stay; %s says which are, by name: %s",
				usage.Option("map stay"), strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		case errors.Is(err, io.ErrUnexpectedEOF):
			s.Torn = true
			return rd.tornLine(s)
		case err != nil:
			return s.wrong("%v", err)
		}
		s.line++ // a document is one, as they are written line by line
		batch, err := decodeSpans(text)
		if err != nil {
			err = rd.Unreadable(s, err.Error())
		} else {
			err = rd.batch(s, batch, names)
		}
		if err != nil {
			return err
		}
	}
}

// maxNamed is how many names of spans are listed.
const maxNamed = 12

// batch takes the spans of a document that are holdings, and their events that are of a lock.
func (rd *Reader) batch(s *Source, batch []span, names map[string]bool) error {
	since, until := beginnings(batch)
	for i := range batch {
		x := &batch[i]
		e, err := rd.spanEntry(s, x, x.Name, nil)
		if err != nil {
			return err
		}
		known := e != nil && e.Name == wholeHolding
		if known {
			e.Begin, e.End = int64(x.StartTimeUnixNano), int64(x.EndTimeUnixNano)
			e.since, e.until = since[i], until[i]
			if err := rd.mapped(s, e); err != nil {
				return err
			}
		}
		for _, event := range x.Events {
			e, err := rd.spanEntry(s, x, event.Name, event.Attributes)
			if err != nil {
				return err
			}
			if e == nil || RoleOf(e.Name) == Other {
				continue
			}
			known, e.Stamp = true, int64(event.TimeUnixNano)
			if err := rd.mapped(s, e); err != nil {
				return err
			}
		}
		if !known {
			rd.Skipped++
			if len(names) < maxNamed {
				names[x.Name] = true
			}
		}
	}
	return nil
}

// spanEntry is an event with the fields of a span, and more, and the name that it has here; nil if it is left
// out. The node is the span. Attributes that have the name of a field by chance have to be mapped to it.
func (rd *Reader) spanEntry(s *Source, x *span, name string, more attributes) (*Entry, error) {
	if line, _ := json.Marshal(name); !rd.mapping.wants(line) {
		return nil, nil
	}
	fields := more.over(x.fields)
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool {
		_, known := fieldNumbers[name]
		return known && !slices.Contains(lockFields, name)
	})
	for field, value := range map[string]string{"event": name, "node": x.service + "/" + x.SpanID,
		"span.id": x.SpanID, "trace.id": x.TraceID} {
		fields[field], _ = json.Marshal(value)
	}
	e := newEntry(s.line)
	rd.parser.hinted = true
	fields = rd.mapping.fields(fields)
	if err := rd.parser.fill(e, fields, givenIn(fields)); err != nil {
		why := fmt.Sprintf("span %s of trace %s: %v", x.SpanID, x.TraceID, err)
		if s.live {
			return nil, rd.Unreadable(s, why)
		}
		return nil, s.wrong("%s", why)
	}
	if keep, err := rd.mapping.apply(e); err != nil || !keep {
		return nil, err
	}
	return e, nil
}

// beginnings bounds when spans have begun, by the time stamps of others: not before those that each names as
// its parent or links to, and not after those that name it.
func beginnings(batch []span) (since, until []int64) {
	at := map[spanLink]int{}
	for i := range batch {
		at[batch[i].spanLink] = i
		begin := int64(batch[i].StartTimeUnixNano)
		since, until = append(since, begin), append(until, begin)
	}
	for changed, rounds := true, 0; changed && rounds <= len(batch); rounds++ {
		changed = false
		for i := range batch {
			for _, key := range batch[i].Links {
				p, known := at[key]
				if !known || p == i {
					continue
				}
				changed = changed || since[p] > since[i] || until[i] < until[p]
				since[i], until[p] = max(since[i], since[p]), min(until[p], until[i])
			}
		}
	}
	return since, until
}

// decodeSpans takes the spans out of a document.
func decodeSpans(text []byte) (batch []span, err error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	for _, r := range d.ResourceSpans {
		resource := r.Resource.Attributes.over(nil)
		service := ""
		err = errors.Join(err, Text("service", resource["service.name"], &service))
		for _, scope := range r.ScopeSpans {
			for _, x := range scope.Spans {
				x.service, x.fields = service, x.Attributes.over(resource)
				batch = append(batch, x)
			}
		}
	}
	for _, trace := range d.Data {
		for _, x := range trace.Spans {
			p := trace.Processes[x.ProcessID]
			x.service, x.fields = p.ServiceName, x.Tags.over(p.Tags.over(nil))
			err = errors.Join(err, x.unify())
			batch = append(batch, x)
		}
	}
	for i := range batch {
		x := &batch[i]
		if x.SpanID == "" || x.EndTimeUnixNano < x.StartTimeUnixNano {
			err = errors.Join(err, fmt.Errorf("span %q has no identity, or ends before it begins", x.Name))
		}
		if x.ParentSpanID != "" {
			x.Links = append(x.Links, spanLink{x.TraceID, x.ParentSpanID})
		}
	}
	return batch, err
}

// unify gives a span of Jaeger the names and units of OTLP.
func (x *span) unify() error {
	const most = math.MaxInt64 / 1000 / 2
	if x.StartTime < 0 || x.StartTime > most || x.Duration > most {
		return fmt.Errorf("the times of span %q are out of range", x.OperationName)
	}
	x.Name, x.Links = x.OperationName, x.References
	x.StartTimeUnixNano, x.EndTimeUnixNano = x.StartTime*1000, (x.StartTime+x.Duration)*1000
	for _, l := range x.Logs {
		e := spanEvent{TimeUnixNano: l.Timestamp * 1000, Attributes: l.Fields}
		if err := Text("event", l.Fields.over(nil)["event"], &e.Name); err != nil {
			return err
		}
		x.Events = append(x.Events, e)
	}
	return nil
}
