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
