//go:build !js

package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore/prove"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Proof is the result of a proof for every number of processes.
type Proof struct {
	*prove.Report
	// Found is the report of the search that has found a violation; nil: none has.
	Found *Check
}

// Text writes the report for a person.
func (p *Proof) Text(out io.Writer) error {
	if p.Found != nil {
		if err := p.Found.Text(out); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(out)
	line(w, "%s %sfor every n", term.Bold(p.Model), strings.Join(append(p.Chosen, ""), " "))
	for i := range p.Failed {
		writeFailure(w, &p.Failed[i])
	}
	if p.Proposed != nil {
		proved := map[bool]string{false: ", not proved yet"}[p.Verdict == prove.Proved]
		line(w, "\nproposed for the properties of the file%s:", proved)
	}
	lineEach(w, "        %s", p.Proposed)
	line(w, "\n%s, %d queries", printable.Plural(len(p.Invariants), "invariant"), p.Queries)
	for _, s := range p.Solvers {
		line(w, "%s %s: %d answered, %d not, %.1f s", s.Name, s.Version, s.Answered, s.Unsure, s.Seconds)
	}
	lineEach(w, "  %s", p.Open[:min(len(p.Open), mostPlaces)])
	for _, s := range p.Searched {
		how := map[bool]string{true: "complete", false: fmt.Sprintf("up to depth %d", s.Depth)}[s.Complete]
		if never := s.Report.Never(); never != nil { // what is proved may be true for want of these steps
			how += "; never happened: " + strings.Join(never, ", ")
		}
		line(w, "searched: %s: %s, %s", strings.Join(s.Args, " "), printable.Plural(s.States, "state"), how)
	}
	line(w, "what the proof allows more than the model, and which properties it is not about:")
	lineEach(w, "  %s", p.Allows)
	last := string(p.Verdict)
	if p.Verdict == prove.Proved {
		last += ": " + strings.Join(p.Invariants, ", ")
	}
	line(w, "%s", term.Verdict(p.Verdict, last))
	return w.Flush()
}

// writeFailure writes a query that refutes the proof, with its counterexample.
func writeFailure(w io.Writer, f *prove.Failure) {
	switch {
	case f.Conjunct == "" && f.Step == "":
		line(w, "\nThe invariants contradict each other: no state fulfils them.")
	case f.Conjunct == "":
		line(w, "\n%s: %s never happens in states that fulfil the invariants", f.Where, f.Step)
	case f.Step == "":
		line(w, "\n%s: %s does not hold at the start", f.Where, f.Conjunct)
	default:
		line(w, "\n%s: %s does not keep %s", f.Where, f.Step, f.Conjunct)
	}
	if f.Before != nil && f.Step != "" {
		line(w, "   0  a state that fulfils all invariants")
	}
	lineEach(w, "        %s", f.Before)
	if f.Mover == "" {
		return
	}
	line(w, "   1  %s", f.Mover)
	lineEach(w, "        %s", f.Changes)
	line(w, "        %s", term.Bad("[violated: "+f.Conjunct+"]"))
	if f.Reach != nil {
		r := f.Reach
		extent := fmt.Sprintf("%s: %s", strings.Join(r.Args, " "), printable.Plural(r.States, "state"))
		switch {
		case r.Verdict == "not reached":
			line(w, "No run reaches such a state: %s, complete. So an invariant is missing,", extent)
			line(w, "or the run has more requests, crashes or losses than this search.")
		case r.Args == nil:
			line(w, "Whether a run reaches such a state is unknown: 2 to 4 processes are searched.")
		case r.Verdict == "unknown":
			line(w, "Whether a run reaches such a state is unknown: %s, not complete.", extent)
		default:
			line(w, "A run reaches such a state; no step of the model from there was found to violate")
			line(w, "an invariant, so that step 1 may be one of the proof only: %s.", extent)
		}
	}
}

// JSON writes the report for programs.
func (p *Proof) JSON(out io.Writer) error { return printable.EncodeJSON(out, p.Report, "  ") }
