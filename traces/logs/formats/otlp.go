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
// its end; its attributes and its resource's are the fields. The option stay says which names are of
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

// spans reads documents of spans, which decode takes apart.
func (rd *Reader) spans(s *Source, decode func([]byte) ([]tracedSpan, error)) error {
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
		batch, err := decode(text)
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
func (rd *Reader) batch(s *Source, batch []tracedSpan, names map[string]bool) error {
	since, until := beginnings(batch)
	for i := range batch {
		x := &batch[i]
		e, err := rd.spanEntry(s, x, x.name, nil)
		if err != nil {
			return err
		}
		known := e != nil && e.Name == wholeHolding
		if known {
			e.Begin, e.End, e.since, e.until = x.begin, x.end, since[i], until[i]
			if err := rd.mapped(s, e); err != nil {
				return err
			}
		}
		for _, event := range x.events {
			e, err := rd.spanEntry(s, x, event.name, event.fields)
			if err != nil {
				return err
			}
			if e == nil || RoleOf(e.Name) == Other {
				continue
			}
			known, e.Stamp = true, event.at
			if err := rd.mapped(s, e); err != nil {
				return err
			}
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

// spanEntry is an event with the fields of a span, and more, and the name that it has here; nil if it is left
// out. The node is the span. Attributes that have the name of a field by chance have to be mapped to it.
func (rd *Reader) spanEntry(s *Source, x *tracedSpan, name string, more map[string]json.RawMessage) (*Entry,
	error) {
	if line, _ := json.Marshal(name); !rd.mapping.wants(line) {
		return nil, nil
	}
	fields := maps.Clone(x.fields)
	maps.Copy(fields, more)
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool {
		_, known := fieldNumbers[name]
		return known && !slices.Contains(lockFields, name)
	})
	for field, value := range map[string]string{"event": name, "node": x.service + "/" + x.id,
		"span.id": x.id, "trace.id": x.trace} {
		fields[field], _ = json.Marshal(value)
	}
	e := newEntry(s.line)
	rd.parser.hinted = true
	fields = rd.mapping.fields(fields)
	if err := rd.parser.fill(e, fields, givenIn(fields)); err != nil {
		why := fmt.Sprintf("span %s of trace %s: %v", x.id, x.trace, err)
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
func beginnings(batch []tracedSpan) (since, until []int64) {
	at := map[string]int{}
	for i := range batch {
		at[batch[i].trace+"/"+batch[i].id] = i
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
				changed = changed || since[p] > since[i] || until[i] < until[p]
				since[i], until[p] = max(since[i], since[p]), min(until[p], until[i])
			}
		}
	}
	return since, until
}

// otlpAttributes are attributes by their keys; each value is an object with its type.
type otlpAttributes []struct {
	Key   string                     `json:"key"`
	Value map[string]json.RawMessage `json:"value"`
}

// fields adds them to fields. Of whole numbers the text is taken, which JSON has for 64 bits.
func (as otlpAttributes) fields(fields map[string]json.RawMessage) map[string]json.RawMessage {
	for _, a := range as {
		for kind, raw := range a.Value {
			if kind == "intValue" {
				raw = bytes.Trim(raw, `"`)
			}
			fields[a.Key] = raw
		}
	}
	return fields
}

// An otlpSpan is what a span of OTLP in JSON has that is used here. Numbers may be texts.
type otlpSpan struct {
	otlpLink
	Parent     string          `json:"parentSpanId"`
	Name       string          `json:"name"`
	Begin      json.RawMessage `json:"startTimeUnixNano"`
	End        json.RawMessage `json:"endTimeUnixNano"`
	Links      []otlpLink      `json:"links"`
	Attributes otlpAttributes  `json:"attributes"`
	Events     []struct {
		Name       string          `json:"name"`
		Time       json.RawMessage `json:"timeUnixNano"`
		Attributes otlpAttributes  `json:"attributes"`
	} `json:"events"`
}

type otlpLink struct {
	TraceID string `json:"traceId"`
	SpanID  string `json:"spanId"`
}

// decodeOTLP takes the spans out of a request to export them.
func decodeOTLP(text []byte) (batch []tracedSpan, err error) {
	var traces struct {
		ResourceSpans []struct {
			Resource struct {
				Attributes otlpAttributes `json:"attributes"`
			} `json:"resource"`
			ScopeSpans []struct {
				Spans []otlpSpan `json:"spans"`
			} `json:"scopeSpans"`
		} `json:"resourceSpans"`
	}
	if err := json.Unmarshal(text, &traces); err != nil {
		return nil, err
	}
	for _, r := range traces.ResourceSpans {
		for _, scope := range r.ScopeSpans {
			for i := range scope.Spans {
				x, err := scope.Spans[i].traced(r.Resource.Attributes)
				if err != nil {
					return nil, err
				}
				batch = append(batch, x)
			}
		}
	}
	return batch, nil
}

// nanoseconds reads a time; none is 0.
func nanoseconds(raw json.RawMessage, to *int64) (err error) {
	if len(raw) == 0 {
		return nil
	}
	if *to, err = strconv.ParseInt(string(bytes.Trim(raw, `"`)), 10, 64); err != nil {
		err = fmt.Errorf("%s is no whole number", clip(raw))
	}
	return err
}

// traced is a span with the attributes of its resource.
func (o *otlpSpan) traced(resource otlpAttributes) (tracedSpan, error) {
	x := tracedSpan{id: o.SpanID, trace: o.TraceID, name: o.Name}
	err := errors.Join(nanoseconds(o.Begin, &x.begin), nanoseconds(o.End, &x.end))
	if err == nil && (o.SpanID == "" || x.end < x.begin) {
		err = fmt.Errorf("span %q has no identity, or ends before it begins", o.Name)
	}
	x.fields = o.Attributes.fields(resource.fields(map[string]json.RawMessage{}))
	if err == nil {
		err = Text("service", x.fields["service.name"], &x.service)
	}
	if o.Parent != "" {
		x.after = append(x.after, o.TraceID+"/"+o.Parent)
	}
	for _, l := range o.Links {
		x.after = append(x.after, l.TraceID+"/"+l.SpanID)
	}
	for _, e := range o.Events {
		event := spanEvent{name: e.Name, fields: e.Attributes.fields(map[string]json.RawMessage{})}
		err = errors.Join(err, nanoseconds(e.Time, &event.at))
		x.events = append(x.events, event)
	}
	return x, err
}
