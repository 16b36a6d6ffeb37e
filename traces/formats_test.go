package traces_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces"
)

// An event is an entry of a log for ShiViz.
type event struct {
	host, text string
	clock      map[string]int
}

// parseShiViz reads a log by the rules of the format: the first line is a regular
// expression with named groups, the second the delimiter of executions (here
// there is none), and the rest is matches of the expression.
func parseShiViz(log string) (events []event, err error) {
	parts := strings.SplitN(log, "\n", 3)
	if len(parts) < 3 || parts[1] != "" {
		return nil, errors.New("no expression and empty delimiter in front")
	}
	re, err := regexp.Compile("^" + parts[0] + "\n")
	if err != nil {
		return nil, err
	}
	for rest := parts[2]; rest != ""; {
		m := re.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("no entry: %.80q", rest)
		}
		e := event{host: m[re.SubexpIndex("host")], text: m[re.SubexpIndex("event")]}
		if err := json.Unmarshal([]byte(m[re.SubexpIndex("clock")]), &e.clock); err != nil {
			return nil, err
		}
		events = append(events, e)
		rest = rest[len(m[0]):]
	}
	return events, nil
}

// TestShiVizClocksAreVectorClocks checks the clocks: those of a host start at 1 and step by 1, and
// what they say of others has happened before.
func TestShiVizClocksAreVectorClocks(t *testing.T) {
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		events, err := parseShiViz(rendered(t, "shiviz", r, 0))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(events) != len(r.Taken) {
			t.Errorf("%s: %d events, want %d", name, len(events), len(r.Taken))
		}
		now := map[string]map[string]int{}
		for i, e := range events {
			if e.host == "" || e.text == "" || e.clock[e.host] != now[e.host][e.host]+1 {
				t.Errorf("%s: event %d: %v after %v", name, i, e, now[e.host])
			}
			for host, n := range e.clock {
				if host != e.host && (n < 1 || n > now[host][host]) {
					t.Errorf("%s: event %d knows of %s:%d, which was not yet", name, i, host, n)
				}
			}
			for host, n := range now[e.host] {
				if e.clock[host] < n {
					t.Errorf("%s: event %d has forgotten %s:%d", name, i, host, n)
				}
			}
			now[e.host] = e.clock
		}
	})
}

// TestITFHasOneTypeForEachVariable reads the states back: every variable has an identifier as its name, and
// values of one type.
func TestITFHasOneTypeForEachVariable(t *testing.T) {
	identifier := regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		var doc struct {
			Vars   []string
			Params []string
			States []map[string]any
		}
		if err := json.Unmarshal([]byte(rendered(t, "itf", r, 0)), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(doc.States) != len(r.States) || len(doc.Vars) == 0 || doc.Params == nil {
			t.Errorf("%s: %d states of %v", name, len(doc.States), doc.Vars)
		}
		shapes := map[string]string{}
		for i, state := range doc.States {
			if len(state) != len(doc.Vars)+1 {
				t.Errorf("%s: state %d has %d variables, want %d", name, i, len(state)-1, len(doc.Vars))
			}
			for _, v := range doc.Vars {
				if !identifier.MatchString(v) {
					t.Errorf("%s: %q is no identifier", name, v)
				}
				shape := shapeOf(t, state[v])
				if shapes[v] = common(shapes[v], shape); strings.Contains(shapes[v], "!") {
					t.Errorf("%s: %s is a %s in state %d, which is another type", name, v, shape, i)
				}
			}
		}
	})
	got := rendered(t, "itf", source{"die-hard", "", "big-not-4", 6}.runs(t)[0].run, 0)
	if want := "\"Big\": {\n    \"#bigint\": \"4\"\n   }"; !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}

// shapeOf names the type of an ITF value, and fails for what is none.
func shapeOf(t *testing.T, v any) string {
	t.Helper()
	switch v := v.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case map[string]any:
		if _, ok := v["#bigint"].(string); ok && len(v) == 1 {
			return "int"
		}
		if pairs, ok := v["#map"].([]any); ok && len(v) == 1 {
			shape := ""
			for _, p := range pairs {
				shape = common(shape, shapeOf(t, p.([]any)[1]))
			}
			return "map to " + shape
		}
	}
	t.Fatalf("%v is no ITF value", v)
	return ""
}

// common is the type that two values have, where one may be a part of the other as it holds nothing; with a !
// if there is none.
func common(a, b string) string {
	switch {
	case strings.HasPrefix(a, b):
		return a
	case strings.HasPrefix(b, a):
		return b
	}
	return "!"
}
