package formats

import (
	"encoding/json"
	"fmt"
	"math"
)

// What Jaeger's interface downloads that is used here. Times are in microseconds.
type (
	jaegerTraces struct {
		Data []struct {
			Spans     []jaegerSpan `json:"spans"`
			Processes map[string]struct {
				Service string      `json:"serviceName"`
				Tags    []jaegerTag `json:"tags"`
			} `json:"processes"`
		} `json:"data"`
	}
	jaegerSpan struct {
		TraceID    string `json:"traceID"`
		SpanID     string `json:"spanID"`
		Name       string `json:"operationName"`
		References []struct {
			TraceID string `json:"traceID"`
			SpanID  string `json:"spanID"`
		} `json:"references"`
		Begin   int64       `json:"startTime"`
		Took    int64       `json:"duration"`
		Tags    []jaegerTag `json:"tags"`
		Logs    []jaegerLog `json:"logs"`
		Process string      `json:"processID"`
	}
	jaegerLog struct {
		Time   int64       `json:"timestamp"`
		Fields []jaegerTag `json:"fields"`
	}
	jaegerTag struct {
		Key   string          `json:"key"`
		Value json.RawMessage `json:"value"`
	}
)

func jaegerFields(lists ...[]jaegerTag) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	for _, list := range lists {
		for _, tag := range list {
			fields[tag.Key] = tag.Value
		}
	}
	return fields
}

// decodeJaeger takes the spans out of a download.
func decodeJaeger(raw []byte) (batch []tracedSpan, err error) {
	var traces jaegerTraces
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
			x := tracedSpan{
				id: j.SpanID, trace: j.TraceID, name: j.Name, service: p.Service,
				begin: j.Begin * 1000, end: (j.Begin + j.Took) * 1000, fields: jaegerFields(p.Tags, j.Tags),
			}
			for _, r := range j.References {
				x.after = append(x.after, r.TraceID+"/"+r.SpanID)
			}
			for k := range j.Logs {
				l := spanEvent{at: j.Logs[k].Time * 1000, fields: jaegerFields(j.Logs[k].Fields)}
				if err := Text(l.fields, "event", &l.name); err != nil {
					return nil, err
				}
				x.events = append(x.events, l)
			}
			batch = append(batch, x)
		}
	}
	return batch, nil
}
