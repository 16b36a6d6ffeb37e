package formats

import (
	"encoding/json"
	"fmt"
	"math"
)

// jaegerTags are attributes of spans.
type jaegerTags []struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// fields adds them to fields.
func (tags jaegerTags) fields(fields map[string]json.RawMessage) map[string]json.RawMessage {
	for _, tag := range tags {
		fields[tag.Key] = tag.Value
	}
	return fields
}

// A jaegerTrace is what a trace has that is used here. Times are in microseconds.
type jaegerTrace struct {
	Spans []struct {
		TraceID    string `json:"traceID"`
		SpanID     string `json:"spanID"`
		Name       string `json:"operationName"`
		References []struct {
			TraceID string `json:"traceID"`
			SpanID  string `json:"spanID"`
		} `json:"references"`
		Begin int64      `json:"startTime"`
		Took  int64      `json:"duration"`
		Tags  jaegerTags `json:"tags"`
		Logs  []struct {
			Time   int64      `json:"timestamp"`
			Fields jaegerTags `json:"fields"`
		} `json:"logs"`
		Process string `json:"processID"`
	} `json:"spans"`
	Processes map[string]struct {
		Service string     `json:"serviceName"`
		Tags    jaegerTags `json:"tags"`
	} `json:"processes"`
}

// decodeJaeger takes the spans out of a download.
func decodeJaeger(raw []byte) (batch []tracedSpan, err error) {
	var traces struct {
		Data []jaegerTrace `json:"data"`
	}
	if err := json.Unmarshal(raw, &traces); err != nil {
		return nil, err
	}
	for _, trace := range traces.Data {
		for i := range trace.Spans {
			j := &trace.Spans[i]
			const most = math.MaxInt64 / 1000 / 2
			if j.SpanID == "" || j.Took < 0 || j.Begin < 0 || j.Begin > most || j.Took > most {
				return nil, fmt.Errorf("span %q has no identity, or its times are out of range", j.Name)
			}
			p := trace.Processes[j.Process]
			x := tracedSpan{id: j.SpanID, trace: j.TraceID, name: j.Name, service: p.Service,
				begin: j.Begin * 1000, end: (j.Begin + j.Took) * 1000,
				fields: j.Tags.fields(p.Tags.fields(map[string]json.RawMessage{}))}
			for _, r := range j.References {
				x.after = append(x.after, r.TraceID+"/"+r.SpanID)
			}
			for _, l := range j.Logs {
				event := spanEvent{at: l.Time * 1000, fields: l.Fields.fields(map[string]json.RawMessage{})}
				if err := Text("event", event.fields["event"], &event.name); err != nil {
					return nil, err
				}
				x.events = append(x.events, event)
			}
			batch = append(batch, x)
		}
	}
	return batch, nil
}
