package traces

import (
	"encoding/json"
	"io"
	"maps"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// asShiViz writes a run as a log with vector clocks: the line of the host with
// its clock, and the line of what happened. A receipt knows of the send, and a
// notice of the crash.
func asShiViz(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	printable.Fprintf(w, "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n")
	clocks := map[string]map[string]int{}
	posted := map[string]map[string]int{} // the clock with which a message was sent
	crashed := map[string]map[string]int{}
	for i := range t.Steps[1:] {
		s := &t.Steps[i+1]
		host := hostName(s.lane())
		if clocks[host] == nil {
			clocks[host] = map[string]int{}
		}
		clock := clocks[host]
		if s.Received != nil {
			merge(clock, posted[s.Received.ID])
		}
		merge(clock, crashed[s.Noticed])
		clock[host]++
		for _, m := range s.Sent {
			posted[m.ID] = maps.Clone(clock)
		}
		if s.Crashed {
			crashed[s.Node] = maps.Clone(clock)
		}
		b, err := json.Marshal(clock)
		if err != nil {
			return err
		}
		printable.Fprintf(w, "%s %s\n%s\n", host, b, s.sentence())
	}
	return nil
}

// hostName is a name without spaces, as the log's regular expression wants it.
func hostName(name string) string { return strings.Join(strings.Fields(name), "_") }

// merge brings a clock up to what another knows.
func merge(clock, other map[string]int) {
	for host, n := range other {
		clock[host] = max(clock[host], n)
	}
}
