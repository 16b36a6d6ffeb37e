package traces

import (
	"encoding/json"
	"io"
	"maps"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// asShiViz writes a run as a log with vector clocks, two lines per step: the host with
// its clock, and the sentence of the step. The clock of a receipt includes the send, the clock
// of a notice the crash.
func asShiViz(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	printable.Fprintf(w, "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n")
	causes, now := Causes(t.Steps), map[string]map[string]int{}
	at := make([]map[string]int, len(t.Steps)) // the clock after each step
	for i := 1; i < len(t.Steps); i++ {
		// the log's regular expression allows no space
		host := strings.Join(strings.Fields(t.Steps[i].lane()), "_")
		clock := maps.Clone(now[host])
		if clock == nil {
			clock = map[string]int{}
		}
		for _, j := range causes[i] {
			for other, n := range at[j] {
				clock[other] = max(clock[other], n)
			}
		}
		clock[host]++
		now[host], at[i] = clock, clock
		b, err := json.Marshal(clock)
		if err != nil {
			return err
		}
		printable.Fprintf(w, "%s %s\n%s\n", host, b, t.Steps[i].sentence())
	}
	return nil
}
