package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// otlpLine is a request with one span, as the collector's file exporter writes it.
func otlpLine(service, id, parent, name string, begin, end int, more string) string {
	return fmt.Sprintf(
		`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":%q}}]},`+
			`"scopeSpans":[{"scope":{"name":"lib"},"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":%q,"parentSpanId":%q,`+
			`"name":%q,"kind":1,"startTimeUnixNano":"%d","endTimeUnixNano":"%d",%s"status":{}}]}]}]}`,
		service, id, parent, name, begin, end, more)
}

// holdings asks logs for the holdings of spans called hold.
func stays(t *testing.T, opt formats.Options, text string) (*order.Log, []*occupancy.Occupancy) {
	t.Helper()
	opt.Mapping = mapped(t, formats.Mapping{Events: map[string]string{"hold": "stay"},
		Fields: map[string]string{"lock.name": "resource"}})
	how := occupancy.Judging{Units: func(formats.Header) (func(string) int, error) {
		return func(string) int {
			return 1
		}, nil
	}}
	l, uses, err := occupancy.Judge(write(t, text), opt, how)
	if err != nil {
		t.Fatal(err)
	}
	return l, uses
}

// TestOTLPSpansAreHoldings reads spans as holdings, with attributes for resource and units, and events of
// spans.
func TestOTLPSpansAreHoldings(t *testing.T) {
	skew := time.Duration(0)
	attributes :=
		`"attributes":[{"key":"lock.name","value":{"stringValue":"disk"}},{"key":"units","value":{"intValue":"2"}},{"key":"state","value":{"boolValue":true}}],`
	text := otlpLine("a", "01", "", "hold", 100, 200, attributes) + "\n" + otlpLine("b", "02", "01", "GET /",
		110, 120, "") + "\n" +
		otlpLine("b", "03", "", "hold", 150, 160, attributes) + "\n" + otlpLine("b", "04", "", "hold", 200,
		260, "") + "\n"
	l, uses := stays(t, formats.Options{Skew: &skew}, text)
	if len(uses) != 2 || l.Formats[0] != "otlp" || l.Skipped != 1 ||
		strings.Join(l.Nodes, " ") != "a/01 b/03 b/04" {
		t.Fatalf("%+v", l)
	}
	if u := uses[1]; u.Resource != "disk" || u.Certainly != 4 || u.Holdings != 2 || u.Count == 0 {
		t.Errorf("%+v", u)
	}
	text = otlpLine("a", "01", "", "work", 100, 200,
		`"events":[{"timeUnixNano":"110","name":"acquire"},{"timeUnixNano":"120","name":"tick"},`+
			`{"timeUnixNano":"150","name":"release"}],`) + "\n" + otlpLine("a", "02", "", "hold", 140, 160,
		"") + "\n"
	if _, uses := stays(t, formats.Options{Skew: &skew}, text); uses[0].Certainly != 2 ||
		uses[0].Holdings != 2 {
		t.Errorf("%+v", uses[0])
	}
}

// TestSpanBeginsAfterItsParent narrows when spans began by those that they are children of or link to: the
// clock of b is behind that of its parent, which has begun before it, and so early enough to overlap for
// certain.
func TestSpanBeginsAfterItsParent(t *testing.T) {
	skew := 50 * time.Nanosecond
	pair := func(parent string) string {
		a := otlpLine("a", "01", "", "hold", 200, 400, "")
		b := otlpLine("b", "02", parent, "hold", 180, 295, "")
		return strings.TrimSuffix(a, "]}") + "," + strings.TrimPrefix(b, `{"resourceSpans":[`) + "\n"
	}
	for parent, want := range map[string]int{"": 1, "01": 2} {
		_, uses := stays(t, formats.Options{Skew: &skew}, pair(parent))
		if uses[0].Certainly != want {
			t.Errorf("parent %q: %+v", parent, uses[0])
		}
	}
	early := otlpLine("a", "01", "", "hold", 1000, 2000, "")
	child := otlpLine("b", "02", "01", "hold", 100, 300, "")
	l, _ := stays(t, formats.Options{Skew: &skew},
		strings.TrimSuffix(early, "]}")+","+strings.TrimPrefix(child, `{"resourceSpans":[`)+"\n")
	if !l.Contradictory() {
		t.Errorf("a child began 900 ns before its parent, by clocks that are 50 ns apart at most: %+v",
			l.Findings)
	}
}

// TestJaegerDownloadIsRead reads what Jaeger's interface downloads.
func TestJaegerDownloadIsRead(t *testing.T) {
	skew := time.Duration(0)
	text := `{"data": [{"traceID": "5b8e", "spans": [
  {"traceID": "5b8e", "spanID": "01", "operationName": "hold", "references": [], "startTime": 100, "duration": 50, "tags": [], "logs": [], "processID": "p1"},
  {"traceID": "5b8e", "spanID": "02", "operationName": "hold", "references": [{"refType": "CHILD_OF", "traceID": "5b8e", "spanID": "01"}],
   "startTime": 120, "duration": 10, "tags": [{"key": "units", "type": "int64", "value": 3}], "logs": [], "processID": "p2"}],
  "processes": {"p1": {"serviceName": "a", "tags": []}, "p2": {"serviceName": "b", "tags": []}}}], "total": 0}`
	l, uses := stays(t, formats.Options{Skew: &skew}, text)
	if u := uses[0]; l.Formats[0] != "jaeger" || u.Certainly != 4 || u.Holdings != 2 {
		t.Errorf("%+v %+v", l, u)
	}
}

// TestSpansWithoutHoldingAreRefused looks at documents that are none, and at spans of which none is a
// holding.
func TestSpansWithoutHoldingAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		otlpLine("a", "01", "", "other", 1, 2,
			""): `; map stay selects them by name; the log has other`,
		otlpLine("a", "", "", "hold", 1, 2, ""):                                     "has no id",
		otlpLine("a", "01", "", "hold", 3, 2, ""):                                   "ends before it begins",
		otlpLine("a", "01", "", "hold", 0, 0, ""):                                   "has no id or begin",
		`{"resourceSpans":[]} what`:                                                 "invalid character",
		strings.Replace(otlpLine("a", "01", "", "hold", 1, 2, ""), `"1"`, `"x"`, 1): "not a whole number",
	} {
		opt := formats.Options{Mapping: mapped(t, formats.Mapping{Events: map[string]string{"hold": "stay"}})}
		if _, err := order.Read(write(t, text+"\n"), opt); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
