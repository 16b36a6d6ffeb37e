package traces

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

func asText(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	printable.Fprintf(w, "%s\n%s:\n", t.subject(), t.claims())
	for i := range t.Steps {
		writeStep(w, r, i)
	}
	r.writeCycle(w)
	return nil
}

// shifted reports, as the end of a sentence, a shift of all times between the ends of a cycle; "": none.
func (r *Run) shifted() string {
	first, last := r.States[*r.Trace.CycleAt], r.States[len(r.States)-1]
	if first.Key() == last.Key() && !slices.Equal(first.Vars(), last.Vars()) {
		return ", with all times shifted by one amount"
	}
	return ""
}

// writeStep writes step i of a run: its sentence, its changes, and the verdicts on the properties.
func writeStep(w io.Writer, r *Run, i int) {
	s := &r.Trace.Steps[i]
	printable.Fprintf(w, "%4d  %s\n", i, s.sentence())
	if i == 0 {
		writeState(w, s.Changed)
	} else {
		values := map[string]string{}
		for _, v := range r.claim.variables(r.States[i-1]) {
			values[Var(v).Label()] = v.Value
		}
		for _, line := range s.Changes(values) {
			printable.Fprintf(w, "        %s\n", line)
		}
	}
	if s.Failed != "" {
		printable.Fprintf(w, "        %s\n", oneLine(s.Failed))
		return
	}
	if over := r.Trace.excess(s); over != "" {
		printable.Fprintf(w, "        too many: %s\n", over)
	}
	printable.Fprintf(w, "        [%s]\n", r.verdictLine(i))
}

// writeState writes variables, one line for each owner.
func writeState(w io.Writer, vars []Var) {
	for len(vars) > 0 {
		owner := vars[0].Owner
		var parts []string
		for len(vars) > 0 && vars[0].Owner == owner {
			parts = append(parts, strings.TrimPrefix(vars[0].Name+"="+vars[0].Value, "="))
			vars = vars[1:]
		}
		line := strings.TrimPrefix(owner+": "+strings.Join(parts, " "), ": ")
		printable.Fprintf(w, "        %s\n", oneLine(line))
	}
}

// Changes lists the changes of a step, a line for each variable. values are the values before the step, by
// label; Changes updates them.
func (s *Step) Changes(values map[string]string) (lines []string) {
	for _, v := range s.Changed {
		change := v.Value
		if was, known := values[v.Label()]; known {
			change = was + " -> " + v.Value
		}
		lines = append(lines, oneLine(v.Label()+": "+change))
		values[v.Label()] = v.Value
	}
	for _, v := range s.Gone {
		lines = append(lines, oneLine(v.Label()+": "+v.Value+" -> nothing"))
		delete(values, v.Label())
	}
	return lines
}

// asShiViz writes a run as a log with vector clocks, two lines per step: the host with its clock, and the
// sentence of the step. The clock of a receipt includes the send, the clock of a notice the crash.
func asShiViz(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	printable.Fprintf(w, "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n")
	causes, now := Causes(t.Steps), map[string]map[string]int{}
	at := make([]map[string]int, len(t.Steps)) // the clock after each step
	for i := 1; i < len(t.Steps); i++ {
		// the log's regular expression allows no space
		host := strings.Join(strings.Fields(t.Steps[i].lane()), "_")
		clock := map[string]int{}
		maps.Copy(clock, now[host])
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
