//go:build !js

package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore/prove"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Proof is the result of a proof for every number of processes.
type Proof struct {
	*prove.Report
	Model string
	Given []string // arguments
	// Found is the report of the search that has found a violation; nil: none has.
	Found *Check
}

// Text writes the report for a person.
func (p *Proof) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	line(w, "%s %s for every number of processes", term.Bold(p.Model), strings.Join(p.Given, " "))
	line(w, "")
	if p.Found != nil {
		line(w, "A search for a small number of processes finds a run that violates an invariant:")
		line(w, "")
		if err := w.Flush(); err != nil {
			return err
		}
		return p.Found.Text(out)
	}
	for _, name := range p.Safety {
		line(w, "  %s  %s", p.verdict(string(p.Verdict)), name)
	}
	for i := range p.Failed {
		writeFailure(w, &p.Failed[i])
	}
	line(w, "")
	p.figures(w)
	line(w, "%s", p.verdict(string(p.Verdict)))
	return w.Flush()
}

// verdict is a verdict in colour.
func (p *Proof) verdict(text string) printable.Raw {
	if p.Verdict == prove.Proved {
		return term.Good(text)
	}
	return term.Maybe(text)
}

// writeFailure writes a query that refutes the proof, with its counterexample.
func writeFailure(w io.Writer, f *prove.Failure) {
	line(w, "")
	switch {
	case f.Conjunct == "" && f.Step == "":
		line(w, "The invariants contradict each other: no state fulfils them.")
		return
	case f.Conjunct == "":
		line(w, "%s: %s never happens in a state that fulfils the invariants.", f.Where, f.Step)
		return
	case f.Step == "":
		line(w, "%s: %s does not hold at the start.", f.Where, f.Conjunct)
	default:
		line(w, "%s: %s does not keep %s.", f.Where, f.Step, f.Conjunct)
	}
	if f.Before == nil {
		return
	}
	if f.Step != "" {
		line(w, "")
		line(w, "   0  a state that fulfils all invariants")
	}
	for _, text := range f.Before {
		line(w, "        %s", text)
	}
	if f.Step == "" {
		return
	}
	line(w, "   1  %s", f.Mover)
	for _, text := range f.Changes {
		line(w, "        %s", text)
	}
	line(w, "        %s", term.Bad("[violated: "+f.Conjunct+"]"))
}

// figures writes what the verdict stands on.
func (p *Proof) figures(w io.Writer) {
	line(w, "%s, %s", printable.Plural(len(p.Conjuncts), "invariant"), printable.Plural(p.Queries, "query"))
	for _, s := range p.Solvers {
		text := fmt.Sprintf("%s %s: %d answers in %v", s.Name, s.Version, s.Answered,
			s.Elapsed.Round(10*time.Millisecond))
		if s.Unsure > 0 {
			text += fmt.Sprintf(", %d without an answer", s.Unsure)
		}
		line(w, "%s", text)
	}
	for i, text := range p.Open {
		if i == mostPlaces {
			line(w, "  ...")
			break
		}
		line(w, "  %s", text)
	}
	for _, s := range p.Searched {
		extent := "complete"
		if !s.Report.Complete {
			extent = fmt.Sprintf("stopped at depth %d", s.Report.Depth)
		}
		line(w, "searched first: %s, %s, %s", strings.Join(s.Args, " "),
			printable.Plural(s.Report.States, "state"), extent)
	}
	line(w, "the proof allows more than the model:")
	for _, text := range p.Allows {
		line(w, "  %s", text)
	}
}

// JSON writes the report for programs.
func (p *Proof) JSON(out io.Writer) error {
	type solver struct {
		Name     string  `json:"name"`
		Version  string  `json:"version"`
		Answered int     `json:"answered"`
		Unsure   int     `json:"unsure"`
		Seconds  float64 `json:"seconds"`
	}
	type searched struct {
		Args     []string `json:"args"`
		States   int64    `json:"states"`
		Complete bool     `json:"complete"`
		Verdict  string   `json:"verdict"`
	}
	type failure struct {
		Query    string   `json:"query"`
		Conjunct string   `json:"conjunct,omitempty"`
		Step     string   `json:"step,omitempty"`
		Where    string   `json:"where,omitempty"`
		Mover    string   `json:"mover,omitempty"`
		Before   []string `json:"before,omitempty"`
		Changes  []string `json:"changes,omitempty"`
	}
	doc := struct {
		Model      string            `json:"model"`
		Parameters map[string]string `json:"parameters"`
		Verdict    prove.Verdict     `json:"verdict"`
		Safety     []string          `json:"safety"`
		Conjuncts  []string          `json:"conjuncts"`
		Queries    int               `json:"queries"`
		Solvers    []solver          `json:"solvers"`
		Searched   []searched        `json:"searched"`
		Failed     []failure         `json:"failed"`
		Open       []string          `json:"open"`
		Allows     []string          `json:"allows"`
	}{Model: p.Model, Parameters: p.Parameters, Verdict: p.Verdict, Safety: p.Safety, Conjuncts: p.Conjuncts,
		Queries: p.Queries, Open: p.Open, Allows: p.Allows}
	for _, s := range p.Solvers {
		doc.Solvers = append(doc.Solvers,
			solver{s.Name, s.Version, s.Answered, s.Unsure, s.Elapsed.Seconds()})
	}
	for _, s := range p.Searched {
		doc.Searched = append(doc.Searched,
			searched{s.Args, s.Report.States, s.Report.Complete, string(s.Report.Verdict)})
	}
	for _, f := range p.Failed {
		doc.Failed = append(doc.Failed, failure(f))
	}
	return printable.EncodeJSON(out, doc, "  ")
}
