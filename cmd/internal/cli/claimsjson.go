//go:build !js

package cli

import (
	"io"
	"runtime/debug"

	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/traces/printable"
)

// jsonClaim is a claim and what was found of it in JSON.
type jsonClaim struct {
	Paper   string          `json:"paper"`
	Claim   string          `json:"claim"`
	Key     string          `json:"key"`
	Place   string          `json:"place"`
	Text    string          `json:"text"`
	Label   string          `json:"label"`
	Because string          `json:"because,omitempty"`
	Verdict string          `json:"verdict"`
	Rows    []jsonClaimRow  `json:"rows"`
	Tables  []jsonStatement `json:"tables,omitempty"`
	Commit  string          `json:"commit"`
}

type jsonClaimRow struct {
	Row       int    `json:"row"`
	Spec      string `json:"spec,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Property  string `json:"property,omitempty"`
	Remark    string `json:"remark,omitempty"`
	// Experiment and Sentence are of rows that are judged by simulation.
	Experiment string `json:"experiment,omitempty"`
	Sentence   string `json:"sentence,omitempty"`
	Label      string `json:"label"`
	papers.Finding
	Vacuous string   `json:"vacuous,omitempty"` // why no algorithm violates the property
	AsKept  bool     `json:"as-kept"`
	Seconds float64  `json:"seconds"`
	Memory  int64    `json:"memory"`
	Command []string `json:"commands"`
}

// jsonStatement is a sentence about the tables.
type jsonStatement struct {
	Says       string   `json:"says"`
	Where      string   `json:"where"`
	Verdict    string   `json:"verdict"`
	Complete   int      `json:"complete"`
	Bounded    int      `json:"bounded"`
	Undecided  int      `json:"undecided"`
	Largest    string   `json:"largest,omitempty"`
	Refuted    []string `json:"refuted,omitempty"`
	Properties []string `json:"properties"`
	// Vacuous counts, by property, the instances in which no algorithm violates it.
	Vacuous map[string]int `json:"vacuous,omitempty"`
}

// json writes an array of the claims that were asked, in one line.
func (j *review) json(w io.Writer) error {
	claims := []jsonClaim{}
	for i := range j.claims {
		c := &j.claims[i]
		out := jsonClaim{
			Paper: j.paper.Name, Claim: c.Name, Key: c.Key(), Place: where(c.Claim), Text: c.Text,
			Label:   string(c.Ruling),
			Because: c.Because, Verdict: c.verdict(), Rows: []jsonClaimRow{}, Commit: commit(),
		}
		for k := range c.rows {
			r := &c.rows[k]
			if r.now == nil {
				continue
			}
			out.Rows = append(out.Rows, jsonClaimRow{
				r.number, r.Spec, r.Args, r.Property, r.Remark, r.Experiment, r.says, c.label(r),
				r.now.Finding, r.vacuous(), r.asKept(),
				r.now.elapsed.Seconds(), r.now.memory, c.commands(r),
			})
		}
		for k := range c.Statements {
			out.Tables = append(out.Tables, j.tally(&c.Statements[k]).json())
		}
		if len(out.Rows) > 0 {
			claims = append(claims, out)
		}
	}
	return printable.EncodeJSON(w, claims, "")
}

func (t *tally) json() jsonStatement {
	s := jsonStatement{
		t.says.Says, t.says.Where, string(t.says.Verdict), t.complete, t.bounded, t.undecided, "", t.refuted,
		t.properties, t.vacuous,
	}
	if t.largest != nil {
		s.Largest = t.largest.args
	}
	return s
}

// commit is the revision that the program was built from; "" if unknown.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
