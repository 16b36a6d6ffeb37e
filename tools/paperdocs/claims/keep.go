package claims

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/tools/paperdocs/rows"
	"github.com/atmostk/atmostk/traces"
)

// A Judged claim is a line of PAPER-claims.ndjson.
type Judged struct {
	ID      string `json:"id"` // the key of the claim
	Claim   string `json:"claim"`
	Place   string `json:"place"`
	Says    string `json:"says"`
	Verdict string `json:"verdict"`
	Because string `json:"because,omitempty"`
}

// A Line is a row in PAPER-rows.ndjson: one of a claim, or a statement about the tables.
type Line struct {
	ID      string `json:"id"` // the key of the claim and the number of the row, or of the statement: "lemma-1-s2"
	About   string `json:"about"`
	Command string `json:"command"` // that asks it
	Finding
	// Vacuous is why a row that holds is no evidence.
	Vacuous string `json:"vacuous,omitempty"`
	Trace   string `json:"trace,omitempty"` // the file of the counterexample, without its ending
}

// Judged are the lines of PAPER-claims.ndjson.
func (p *Paper) Judged() (all []Judged) {
	for _, c := range p.Claims {
		all = append(all, Judged{c.Key(), c.Name, c.where(), c.Text, c.Verdict(), c.Because})
	}
	return all
}

// Lines are the lines of PAPER-rows.ndjson.
func (p *Paper) Lines() (all []Line) {
	for _, c := range p.Claims {
		for _, r := range c.Rows {
			if f := r.finding(); f != nil {
				id := fmt.Sprintf("%s-%d", c.Key(), r.Number)
				all = append(all, Line{id, r.about(), r.Command(), *f, r.vacuous(), r.trace})
			}
		}
		for i, s := range c.Statements {
			all = append(all, p.Tally(s).line(fmt.Sprintf("%s-s%d", c.Key(), i+1)))
		}
	}
	return all
}

// Write keeps verdicts, rows and counterexamples. Counterexamples that no row names any more are removed.
func (p *Paper) Write() error {
	if err := os.MkdirAll(p.path(""), 0o755); err != nil {
		return err
	}
	named := []string{}
	for _, c := range p.Claims {
		for _, row := range c.Rows {
			if row.Now != nil {
				row.trace = ""
			}
			if row.Run != nil {
				row.trace = row.traceName()
				file := filepath.Join(p.path(""), row.trace+".ndjson")
				if err := traces.WriteFile(file, row.Run); err != nil {
					return err
				}
			}
			named = append(named, row.trace)
		}
	}
	files, err := filepath.Glob(filepath.Join(p.path(""), "*.ndjson"))
	for _, file := range files {
		if err == nil && !slices.Contains(named, strings.TrimSuffix(filepath.Base(file), ".ndjson")) {
			err = os.Remove(file)
		}
	}
	if err == nil {
		err = rows.Write(p.path("-rows.ndjson"), p.Lines())
	}
	if err == nil {
		err = rows.Write(p.path("-claims.ndjson"), p.Judged())
	}
	return err
}

// WriteTables keeps the rows of the tables.
func (p *Paper) WriteTables() error { return rows.Write(p.path("-tables.ndjson"), p.Instances) }
