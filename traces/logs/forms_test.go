package logs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestFormsOfEDNAreReadOrRefused reads an operation with forms of all kinds around it, and refuses forms that
// are none.
func TestFormsOfEDNAreReadOrRefused(t *testing.T) {
	good := `; a comment
[#_ {:type :what} #_ #_ 1 [2 3] #jepsen.history.Op {:type :invoke, :f :acquire, :process 0
  :value {:lock "a\"b\\", :set #{1 2} :chars [\a \] \newline] :re #"x\"[" :inst #inst "2026", "key" 1 #_ :x}}
 {:type :ok :f :acquire :process 0 :value {:units 1N :text "two
lines"}}]`
	opt := formats.Options{Format: "jepsen", Keep: true,
		Mapping: mapped(t, formats.Mapping{Fields: map[string]string{"value.lock": "resource"}})}
	l, err := order.Read(write(t, good), opt)
	if err != nil {
		t.Fatal(err)
	}
	if e := l.History().Events; len(e) != 1 || e[0].Line != 2 || used(l).Resource != `a"b\` {
		t.Errorf("%+v", e)
	}
	for form, want := range map[string]string{
		"{:f}":                              "a key that has no value",
		"{:f # x}":                          "a tag without a name",
		"{:f ]}":                            `']' where a form is expected`,
		strings.Repeat("{:f ", 70):          "nested deeper than 64",
		"{:f [" + strings.Repeat("#_ ", 70): "nested deeper than 64",
		"{:f 1\n":                           "in the middle of a form",
		"7":                                 ":1: not an operation",
	} {
		_, err := order.Read(write(t, form+"\n"), formats.Options{Format: "jepsen"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v", form, err)
		}
	}
}

// TestEndOfOperationSaysMore takes resource and fencing token from the end of an operation, but no units; an
// end that fails or is not known, or is not there, is not one.
func TestEndOfOperationSaysMore(t *testing.T) {
	text := `{:type :invoke :f :acquire :process 0 :value nil}
{:type :ok :f :acquire :process 0 :value {:resource "r" :fence 7 :units 9}}
{:type :invoke :f :acquire :process 1}
{:type :info :f :acquire :process 1 :value {:resource "s"}}
{:type :invoke :f :release :process 0 :value {:resource "r"}}
{:type :fail :f :release :process 0}
{:type :invoke :f :txn :process 2 :value [[:acquire "r" 3] {:f :acquire :resource "t"}]}
{:type :ok :f :txn :process 2}
{:type :invoke :f :acquire :process 3}
`
	m := formats.Mapping{Fields: map[string]string{
		"value.resource": "resource", "value.fence": "fence", "value.units": "units"}}
	opt := formats.Options{Format: "jepsen", Keep: true, Mapping: mapped(t, m)}
	l, err := order.Read(write(t, text), opt)
	if err != nil {
		t.Fatal(err)
	}
	events := l.History().Events
	var got []string
	for _, e := range events {
		maybe := ""
		if e.Maybe {
			maybe = "?"
		}
		got = append(got, l.Nodes[e.Node]+" "+e.Name+maybe)
	}
	want := "0 acquire, 0 release-failed, 1 acquire?, 2 acquire, 2 acquire, 3 acquire?"
	if strings.Join(got, ", ") != want {
		t.Errorf("%q", got)
	}
	units := map[string]int{}
	for _, u := range occupancy.OccupanciesOf(l, func(string) int { return 1 }, occupancy.Reading{}) {
		units[u.Resource] = u.Certainly
	}
	if units["r"] != 4 || units["t"] != 1 || units[""] != 0 {
		t.Errorf("units %v", units)
	}
}

// TestEventsOfShiVizNameTheirFirstLines reports a mistake and a torn event at their lines.
func TestEventsOfShiVizNameTheirFirstLines(t *testing.T) {
	text := "a {\"a\":1}\nenter\nb {\"b\":0}\nenter\n"
	_, err := order.Read(write(t, text), formats.Options{Format: "shiviz"})
	if err == nil || !strings.Contains(err.Error(), ":3: ") {
		t.Errorf("%v", err)
	}
	text = "a {\"a\":1}\nenter\n\na {\"a\":2}\nrelease\nb {\"b\":1}\nenter\nc {\"c"
	l, err := order.Read(write(t, text), formats.Options{Format: "shiviz", Keep: true})
	if err != nil || len(l.Findings) == 0 {
		t.Fatalf("%v %+v", err, l)
	}
	var lines []int
	for _, e := range l.History().Events {
		lines = append(lines, e.Line)
	}
	if len(lines) != 3 || lines[0] != 1 || lines[1] != 4 || lines[2] != 6 {
		t.Errorf("%v", lines)
	}
	for _, f := range l.Findings {
		if f.Kind == formats.Torn && f.Places[0].Line != 8 {
			t.Errorf("%+v", f)
		}
	}
}

// TestJaegerNamesAndUnits reads attributes of processes, times of events, and refuses times out of range.
func TestJaegerNamesAndUnits(t *testing.T) {
	skew := time.Duration(0)
	text := `{"data": [{"spans": [{"traceID": "1", "spanID": "1", "operationName": "work", "startTime": 100,
"duration": 50, "processID": "p", "tags": [{"key": "lock.name", "value": "disk"}], "logs": [
{"timestamp": 110, "fields": [{"key": "event", "value": "acquire"}, {"key": "units", "value": 2}]},
{"timestamp": 130, "fields": [{"key": "event", "value": "release"}]}]}],
"processes": {"p": {"serviceName": "s", "tags": [{"key": "node", "value": "no"},
{"key": "zone", "value": "z"}]}}}]}`
	l, uses := stays(t, formats.Options{Skew: &skew}, text)
	if u := uses[0]; u.Resource != "disk" || u.Certainly != 2 || l.Nodes[0] != "s/1" {
		t.Errorf("%+v %v", u, l.Nodes)
	}
	opt := formats.Options{Mapping: mapped(t, formats.Mapping{Events: map[string]string{"work": "stay"},
		Fields: map[string]string{"zone": "resource"}})}
	if l, err := order.Read(write(t, text), opt); err != nil || used(l).Resource != "z" {
		t.Errorf("attributes of the process: %v", err)
	}
	for _, wrong := range []string{`"duration": 9000000000000000`, `"duration": -1`, `"took": 50`} {
		bad := strings.Replace(text, `"duration": 50`, wrong, 1)
		if _, err := order.Read(write(t, strings.ReplaceAll(bad, "\n", " ")), opt); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
