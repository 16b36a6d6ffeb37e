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

// This file reads spans: OTLP as the file exporter of OpenTelemetry's collector writes it in JSON, request
// after request, and the downloads of Jaeger's interface. A span is an event with the span's name, from its
// begin to its end; its attributes and its resource's are the fields. A mapping of names to stay selects the
// spans that are holdings.

// maxDocument is the longest document of spans, in bytes.
const maxDocument = 64 << 20

// A document has the used parts of a document of spans. Case does not matter in the names of its members.
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

// A span is a span of either format; unify gives spans of Jaeger the names and units of OTLP. Times are
// nanoseconds since 1970.
type span struct {
	spanLink
	ParentSpanID                       string
	Name                               string
	StartTimeUnixNano, EndTimeUnixNano integer
	Links                              []spanLink // to spans that had begun when it began
	Attributes                         attributes
	Events                             []spanEvent

	OperationName string
	StartTime     integer // microseconds
	Duration      *integer
	References    []spanLink
	Tags          attributes
	Logs          []struct {
		Timestamp integer
		Fields    attributes
	}
	ProcessID string

	service string
	fields  map[string]json.RawMessage // its attributes, and its resource's
}

type spanEvent struct {
	Name         string
	TimeUnixNano integer
	Attributes   attributes
}

type spanLink struct{ TraceID, SpanID string }

// An integer is a whole number in JSON, or a text of one: OTLP writes 64-bit numbers as texts.
type integer int64

// UnmarshalJSON reads a number or a text.
func (n *integer) UnmarshalJSON(raw []byte) error {
	x, err := strconv.ParseInt(string(bytes.Trim(raw, `"`)), 10, 64)
	if *n = integer(x); err != nil {
		return fmt.Errorf("%s is not a whole number", clip(raw))
	}
	return nil
}

// attributes are keys with values; in OTLP a value is an object whose key is its type.
type attributes []struct {
	Key   string
	Value json.RawMessage
}

// mergedInto returns a copy of fields with the attributes; they replace fields of the same name.
func (as attributes) mergedInto(fields map[string]json.RawMessage) map[string]json.RawMessage {
	merged := map[string]json.RawMessage{}
	maps.Copy(merged, fields)
	for _, a := range as {
		var typed map[string]json.RawMessage
		if json.Unmarshal(a.Value, &typed) != nil {
			merged[a.Key] = a.Value
		}
		for kind, raw := range typed {
			if kind == "intValue" {
				raw = bytes.Trim(raw, `"`)
			}
			merged[a.Key] = raw
		}
	}
	return merged
}

func (rd *Reader) spans(s *Source) error {
	in := &io.LimitedReader{R: s.in}
	d := json.NewDecoder(in)
	names := map[string]bool{} // of spans without an event
	for {
		in.N = maxDocument
		var text json.RawMessage
		err := d.Decode(&text)
		switch {
		case err != nil && in.N <= 0:
			return s.wrong("longer than %d MiB, the longest document of spans allowed", maxDocument>>20)
		case errors.Is(err, io.EOF) && (rd.PerFile[s.Index] > 0 || len(names) == 0):
			return nil
		case errors.Is(err, io.EOF):
			return s.wrong("no span is a holding; %s selects them by name; the log has %s",
				usage.Option("map stay"), strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		case errors.Is(err, io.ErrUnexpectedEOF):
			s.Torn = true
			return rd.tornLine(s)
		case err != nil:
			return s.at(s.line+1).wrong("%v", err)
		}
		s.line++ // each document is one line
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

// maxNamed is the number of span names that an error lists.
const maxNamed = 12

// batch takes the spans of a document that are holdings, and the events in spans that are about a lock.
func (rd *Reader) batch(s *Source, batch []span, names map[string]bool) error {
	since, until := beginBounds(batch)
	for i := range batch {
		x := &batch[i]
		known := false
		for k, event := range append([]spanEvent{{Name: x.Name}}, x.Events...) { // the span, and events in it
			e, err := rd.spanEntry(s, x, event.Name, event.Attributes)
			switch {
			case err != nil:
				return err
			case e != nil && k == 0 && e.Name == wholeHolding:
				e.Begin, e.End = int64(x.StartTimeUnixNano), int64(x.EndTimeUnixNano)
				e.since, e.until = since[i], until[i]
			case e != nil && k > 0 && RoleOf(e.Name) != Other:
				e.Stamp = int64(event.TimeUnixNano)
			default:
				continue
			}
			if known, err = true, rd.mapped(s, e); err != nil {
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

// spanEntry makes an event of a span, or of an event in it, whose attributes are in more; nil: the mapping
// leaves it out. The node is the span. An attribute with the name of a field counts only if it is in
// lockFields or mapped, because others have such names by chance.
func (rd *Reader) spanEntry(s *Source, x *span, name string, more attributes) (*Entry, error) {
	if line, _ := json.Marshal(name); !rd.mapping.selects(line) {
		return nil, nil
	}
	fields := more.mergedInto(x.fields)
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

// beginBounds bounds the begin of each span by the time stamps of others: not before its parent and the spans
// it links to, and not after the spans that name it so.
func beginBounds(batch []span) (since, until []int64) {
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

func decodeSpans(text []byte) (batch []span, err error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	for _, r := range d.ResourceSpans {
		resource := r.Resource.Attributes.mergedInto(nil)
		service := ""
		err = errors.Join(err, Text("service", resource["service.name"], &service))
		for _, scope := range r.ScopeSpans {
			for _, x := range scope.Spans {
				x.service, x.fields = service, x.Attributes.mergedInto(resource)
				batch = append(batch, x)
			}
		}
	}
	for _, trace := range d.Data {
		for _, x := range trace.Spans {
			p := trace.Processes[x.ProcessID]
			x.service, x.fields = p.ServiceName, x.Tags.mergedInto(p.Tags.mergedInto(nil))
			err = errors.Join(err, x.unify())
			batch = append(batch, x)
		}
	}
	for i := range batch {
		x := &batch[i]
		if x.SpanID == "" || x.StartTimeUnixNano <= 0 || x.EndTimeUnixNano < x.StartTimeUnixNano {
			err = errors.Join(err, fmt.Errorf("span %q has no id or begin, or ends before it begins", x.Name))
		}
		if x.ParentSpanID != "" {
			x.Links = append(x.Links, spanLink{x.TraceID, x.ParentSpanID})
		}
	}
	return batch, err
}

// unify fills in the OTLP fields of a span of Jaeger, in nanoseconds.
func (x *span) unify() error {
	const most = math.MaxInt64 / 1000 / 2
	if x.StartTime < 0 || x.StartTime > most || x.Duration == nil || *x.Duration > most {
		return fmt.Errorf("the times of span %q are missing or out of range", x.OperationName)
	}
	x.Name, x.Links = x.OperationName, x.References
	x.StartTimeUnixNano, x.EndTimeUnixNano = x.StartTime*1000, (x.StartTime+*x.Duration)*1000
	for _, l := range x.Logs {
		e := spanEvent{TimeUnixNano: l.Timestamp * 1000, Attributes: l.Fields}
		if err := Text("event", l.Fields.mergedInto(nil)["event"], &e.Name); err != nil {
			return err
		}
		x.Events = append(x.Events, e)
	}
	return nil
}
