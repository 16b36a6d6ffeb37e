package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
)

// This reads spans: OTLP as the file exporter of OpenTelemetry's collector writes it in JSON, request after
// request, and what Jaeger's interface downloads. A span is an event with the span's name, from its begin to
// its end; its attributes and those of its resource are the fields. The option stay tells which names are of
// holdings.

// maxDocument is the longest document of spans, in bytes.
const maxDocument = 64 << 20

// A tracedSpan is a span of either format. Times are nanoseconds since 1970.
type tracedSpan struct {
	id         string // within the trace
	trace      string
	name       string
	service    string
	begin, end int64
	after      []string // the spans, by trace and id, that had begun when it began: its parent, and links
	fields     map[string]json.RawMessage
	events     []spanEvent
}

// A spanEvent is something that happened in a span.
type spanEvent struct {
	name   string
	at     int64
	fields map[string]json.RawMessage
}

// key names a span.
func (x *tracedSpan) key() string { return x.trace + "/" + x.id }

// bounded counts what is read of a document.
type bounded struct {
	in   io.Reader
	left int
}

var errLongDocument = fmt.Errorf("longer than %d MiB, which no document of spans is", maxDocument>>20)

func (b *bounded) Read(to []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongDocument
	}
	n, err := b.in.Read(to[:min(len(to), b.left)])
	b.left -= n
	return n, err
}

// spans reads documents of spans, each of which decode takes apart.
func (rd *Reader) spans(s *Source, decode func([]byte) ([]tracedSpan, error)) error {
	in := &bounded{in: s.in}
	d := json.NewDecoder(in)
	names := map[string]bool{} // of spans that mean nothing
	for {
		in.left = maxDocument
		var text json.RawMessage
		err := d.Decode(&text)
		switch {
		case errors.Is(err, io.EOF):
			return rd.nameless(s, names)
		case errors.Is(err, io.ErrUnexpectedEOF):
			s.Torn = true
			return rd.TornLine(s)
		case err != nil:
			return s.Wrong("%v", err)
		}
		s.line++ // a document is one, as they are written line by line
		batch, err := decode(text)
		if err != nil {
			if err := rd.Unreadable(s, err.Error()); err != nil {
				return err
			}
			continue
		}
		if err := rd.batch(s, batch, names); err != nil {
			return err
		}
	}
}

// nameless tells the names of the spans of a log of which nothing was read.
func (rd *Reader) nameless(s *Source, names map[string]bool) error {
	if rd.PerFile[s.Index] > 0 || len(names) == 0 {
		return nil
	}
	list := slices.Sorted(maps.Keys(names))
	return s.Wrong("none of its spans is a stay; %s says which are, by name: %s", usage.Option("map stay"),
		strings.Join(list, ", "))
}

// maxNamed is how many names of spans are told.
const maxNamed = 12

// batch takes the spans of a document.
func (rd *Reader) batch(s *Source, batch []tracedSpan, names map[string]bool) error {
	since, until := beginnings(batch)
	for i := range batch {
		x := &batch[i]
		known, err := rd.spanEvent(s, x, since[i], until[i])
		if err != nil {
			return err
		}
		for k := range x.events {
			also, err := rd.eventIn(s, x, k)
			if err != nil {
				return err
			}
			known = known || also
		}
		if !known {
			rd.Skipped++
			if len(names) < maxNamed {
				names[x.name] = true
			}
		}
	}
	return nil
}

// spanEvent takes a span that is a holding, and reports whether it is one.
func (rd *Reader) spanEvent(s *Source, x *tracedSpan, since, until int64) (bool, error) {
	e, err := rd.spanEntry(s, x, x.name, x.fields)
	if err != nil || e == nil || e.Name != wholeHolding {
		return false, err
	}
	e.Begin, e.End, e.since, e.until = x.begin, x.end, since, until
	return true, rd.mapped(s, e)
}

// eventIn takes an event of a span, if it is one of a lock. The node is the span.
func (rd *Reader) eventIn(s *Source, x *tracedSpan, k int) (bool, error) {
	fields := maps.Clone(x.fields)
	maps.Copy(fields, x.events[k].fields)
	e, err := rd.spanEntry(s, x, x.events[k].name, fields)
	if err != nil || e == nil || RoleOf(e.Name) == Other {
		return false, err
	}
	e.Stamp = x.events[k].at
	return true, rd.mapped(s, e)
}

// ownFields are fields of lines that attributes of spans have to be mapped to, if they mean them.
var ownFields = []string{
	"time", "begin", "end", "duration", "waited", "seq", "clock", "lamport", "from", "to", "id", "message",
	"sent", "state", "maybe",
	"node2", "node3", "msg",
}

// spanEntry is an event with the fields of a span and the name that it has here; nil if it is left out.
func (rd *Reader) spanEntry(s *Source, x *tracedSpan, name string, fields map[string]json.RawMessage) (*Entry,
	error) {
	line, _ := json.Marshal(name) // a text can be written
	if !rd.mapping.wants(line) {
		return nil, nil
	}
	fields = maps.Clone(fields)
	for _, own := range ownFields {
		delete(fields, own)
	}
	for field, value := range map[string]string{"event": name, "node": x.service + "/" + x.id,
		"span.id": x.id, "trace.id": x.trace} {
		fields[field], _ = json.Marshal(value)
	}
	e := newEntry(s.line)
	rd.parser.hinted = true
	if err := rd.parser.fill(e, rd.mapping.fields(fields)); err != nil {
		why := fmt.Sprintf("span %s of trace %s: %v", x.id, x.trace, err)
		if s.live {
			return nil, rd.Unreadable(s, why)
		}
		return nil, s.Wrong("%s", why)
	}
	keep, err := rd.mapping.apply(e)
	if err != nil || !keep {
		return nil, err
	}
	return e, nil
}

// beginnings bounds when spans have begun, by the time stamps of others: not before those that each names as
// its parent or links to, and not after those that name it.
func beginnings(batch []tracedSpan) (since, until []int64) {
	at := map[string]int{}
	for i := range batch {
		at[batch[i].key()] = i
		since, until = append(since, batch[i].begin), append(until, batch[i].begin)
	}
	for changed, rounds := true, 0; changed && rounds <= len(batch); rounds++ {
		changed = false
		for i := range batch {
			for _, key := range batch[i].after {
				p, known := at[key]
				if !known || p == i {
					continue
				}
				if since[p] > since[i] {
					since[i], changed = since[p], true
				}
				if until[i] < until[p] {
					until[p], changed = until[i], true
				}
			}
		}
	}
	return since, until
}

// A lenientInt is a whole number, which JSON may have as a text.
type lenientInt int64

// UnmarshalJSON reads either.
func (i *lenientInt) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseInt(string(bytes.Trim(b, `"`)), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no whole number", clip(b))
	}
	*i = lenientInt(x)
	return nil
}

// What OTLP in JSON has that is used here.
type (
	otlpTraces struct {
		ResourceSpans []otlpResourceSpans `json:"resourceSpans"`
	}
	otlpResourceSpans struct {
		Resource struct {
			Attributes []otlpAttribute `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []otlpScopeSpans `json:"scopeSpans"`
	}
	otlpScopeSpans struct {
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		Parent     string          `json:"parentSpanId"`
		Name       string          `json:"name"`
		Begin      lenientInt      `json:"startTimeUnixNano"`
		End        lenientInt      `json:"endTimeUnixNano"`
		Links      []otlpLink      `json:"links"`
		Attributes []otlpAttribute `json:"attributes"`
		Events     []otlpEvent     `json:"events"`
	}
	otlpLink struct {
		TraceID string `json:"traceId"`
		SpanID  string `json:"spanId"`
	}
	otlpEvent struct {
		Name       string          `json:"name"`
		Time       lenientInt      `json:"timeUnixNano"`
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpAttribute struct {
		Key   string                     `json:"key"`
		Value map[string]json.RawMessage `json:"value"` // by its type
	}
)

// field puts an attribute among fields. Of whole numbers the text is taken, which JSON has for 64 bits.
func (a *otlpAttribute) field(fields map[string]json.RawMessage) {
	for kind, raw := range a.Value {
		if kind == "intValue" {
			raw = bytes.Trim(raw, `"`)
		}
		fields[a.Key] = raw
	}
}

func otlpFields(lists ...[]otlpAttribute) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	for _, list := range lists {
		for i := range list {
			list[i].field(fields)
		}
	}
	return fields
}

// decodeOTLP takes the spans out of a request to export them.
func decodeOTLP(text []byte) (batch []tracedSpan, err error) {
	var traces otlpTraces
	if err := json.Unmarshal(text, &traces); err != nil {
		return nil, err
	}
	for i := range traces.ResourceSpans {
		r := &traces.ResourceSpans[i]
		for k := range r.ScopeSpans {
			for j := range r.ScopeSpans[k].Spans {
				x, err := r.ScopeSpans[k].Spans[j].traced(r.Resource.Attributes)
				if err != nil {
					return nil, err
				}
				batch = append(batch, x)
			}
		}
	}
	return batch, nil
}

// traced is a span with the attributes of its resource.
func (o *otlpSpan) traced(resource []otlpAttribute) (tracedSpan, error) {
	if o.SpanID == "" || o.End < o.Begin {
		return tracedSpan{}, fmt.Errorf("span %q has no identity, or ends before it begins", o.Name)
	}
	x := tracedSpan{id: o.SpanID, trace: o.TraceID, name: o.Name, begin: int64(o.Begin), end: int64(o.End)}
	x.fields = otlpFields(resource, o.Attributes)
	one := map[string]json.RawMessage{"service": x.fields["service.name"]}
	if len(one["service"]) > 0 {
		if err := Text(one, "service", &x.service); err != nil {
			return x, err
		}
	}
	if o.Parent != "" {
		x.after = append(x.after, o.TraceID+"/"+o.Parent)
	}
	for _, l := range o.Links {
		x.after = append(x.after, l.TraceID+"/"+l.SpanID)
	}
	for i := range o.Events {
		x.events = append(x.events, spanEvent{o.Events[i].Name, int64(o.Events[i].Time),
			otlpFields(o.Events[i].Attributes)})
	}
	return x, nil
}
