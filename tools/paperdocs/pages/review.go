// Package pages judges what papers claim, and writes the pages about it: rows are asked of the program
// atmostk by the very commands that the pages name, kept as data, and rendered as Markdown.
package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/experiment"
	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

// The verdicts of the program.
const (
	holds      = "holds"
	violated   = "violated"
	unknown    = "unknown"
	modelError = "model error"
	complete   = "complete" // what Finding.Explored says if every reachable state was visited
)

// A Review is a paper with what was found of its claims, now or before, and with its tables.
type Review struct {
	*paper.Paper
	Claims []*Claim
	Rows   []*Instance // of the tables
	root   string      // of the repository
}

// A Claim is a claim of a paper with its rows.
type Claim struct {
	*paper.Claim
	Paper string
	Rows  []*Row
}

// A Row is a trial with the answers to it.
type Row struct {
	*paper.Trial
	Claim  *Claim
	Number int                   // within the claim, from 1
	Values map[string]cond.Value // all parameters; nil: it is no search
	Idle   string                // why no algorithm violates the property in this instance; "": one can
	Says   string                // the sentence of an experiment; "" of other rows
	Kept   *Kept                 // the finding of before; nil: none
	Now    *Answer               // the answer of this run; nil: it was not asked
}

// A Kept row is a finding as it is kept, a line of JSON each.
type Kept struct {
	Claim    string `json:"claim"`
	Question string `json:"question"` // identifies it
	Finding
	Trace string `json:"trace,omitempty"` // the file of the counterexample, without its ending
}

// A Finding is the answer to a trial.
type Finding struct {
	// Verdict is holds, violated or unknown; of simulated runs reproduced, not reproduced, depends or
	// undecided.
	Verdict string `json:"verdict"`
	// Explored says how much was visited: "complete", within which bounds, or where the search stopped.
	Explored string `json:"explored"`
	// States visited; the search ends at a violation of the property asked about.
	States int64 `json:"states"`
	// Length is the number of steps of the shortest counterexample or, for a can-... property that holds,
	// of the shortest run to the goal.
	Length int `json:"steps"`
	// Pruned counts the steps that an assumption on runs forbids, Stuck the states that are left with no
	// other: they belong to no run that keeps the assumption.
	Pruned int64 `json:"pruned,omitempty"`
	Stuck  int64 `json:"stuck,omitempty"`
	// Detail is what else was asked for: "out of reach from 3 of 12 states", or the numbers of an
	// experiment, in lines.
	Detail string `json:"detail,omitempty"`
}

// Open puts the claims of a paper together with the findings and tables that are kept in the repository at
// root.
func Open(root, name string) (*Review, error) {
	p, err := paper.Read(root, name)
	if err != nil {
		return nil, err
	}
	return Put(root, p)
}

// Put is Open for a paper that was read.
func Put(root string, p *paper.Paper) (*Review, error) {
	r := &Review{Paper: p, root: root}
	kept, err := lines[Kept](r.path("-found.ndjson"))
	if err != nil {
		return nil, err
	}
	found := map[string]Kept{}
	for _, k := range kept {
		found[k.Question] = k
	}
	for _, c := range p.All() {
		claim := &Claim{Claim: c, Paper: p.Name}
		for i := range c.Trials {
			row := &Row{Trial: &c.Trials[i], Claim: claim, Number: i + 1}
			if err := row.open(root); err != nil {
				return nil, fmt.Errorf("%s, row %d: %w", c.Name, row.Number, err)
			}
			if k, ok := found[row.Question()]; ok {
				k.Claim = c.Key() // another claim may ask the same
				row.Kept = &k
			}
			claim.Rows = append(claim.Rows, row)
		}
		r.Claims = append(r.Claims, claim)
	}
	r.Rows, err = r.readTables()
	return r, err
}

// open fills in what a row says of itself.
func (r *Row) open(root string) error {
	if r.Experiment != "" {
		e, err := experiment.Find(root, r.Experiment)
		if err != nil {
			return err
		}
		c, err := e.Claim(r.Sentence)
		r.Says = c.Sentence
		return err
	}
	if !r.Searches() {
		return nil
	}
	values, trivial, err := instance(r.Spec, r.Args)
	r.Values, r.Idle = values, trivial[r.Property]
	return err
}

// path is a file of the paper among the pages: with the ending, or below the folder of the paper.
func (r *Review) path(end string) string { return filepath.Join(r.root, "docs", "claims", r.Name+end) }

// lines reads a file of JSON, a value in each line; none if there is no file.
func lines[T any](file string) (all []T, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for d := json.NewDecoder(bytes.NewReader(text)); err == nil && d.More(); {
		var v T
		if err = d.Decode(&v); err != nil {
			err = fmt.Errorf("%s, value %d: %w", file, len(all)+1, err)
		}
		all = append(all, v)
	}
	return all, err
}

// Question identifies a row among the rows of its paper: of a search, it is what a user types after the
// verb check.
func (r *Row) Question() string {
	switch {
	case r.Computed != "":
		return r.Claim.Key() + ": " + r.Remark
	case r.Experiment != "":
		return "experiment " + r.Experiment + ": " + r.Sentence
	}
	line := strings.TrimSpace(r.Spec+" "+r.Args) + " --property " + r.Property
	if r.Lost {
		line += " --out-of-reach"
	}
	if r.Limit > 0 {
		line += fmt.Sprintf(" --max-states %d", r.Limit)
	}
	return line
}

// Finding is what is known of a row; nil: nothing.
func (r *Row) Finding() *Finding {
	switch {
	case r.Now != nil:
		return &r.Now.Finding
	case r.Kept != nil:
		return &r.Kept.Finding
	}
	return nil
}

// is reports whether a row is known to have a verdict.
func (r *Row) is(verdict string) bool {
	f := r.Finding()
	return f != nil && f.Verdict == verdict
}

// Vacuous says why it is no evidence that a row holds; "" if it is some.
func (r *Row) Vacuous() string {
	if !r.is(holds) {
		return ""
	}
	return r.Idle
}

// AsKept reports whether this run found what was found before.
func (r *Row) AsKept() bool { return r.Kept != nil && r.Kept.Finding == r.Now.Finding }

// quickStates is up to how many states a row is part of the quick run.
const quickStates = 5_000

// Long reports whether a row is known to take more than that.
func (r *Row) Long() bool { return r.Kept != nil && r.Kept.States > quickStates }

// Trace is the name of the file of a counterexample, without its ending: the question, as far as it fits a
// name.
func (r *Row) Trace() string {
	safe := strings.NewReplacer(" ", "-", "+", "-", ",", "", "=", "", "/", "-", ":", "-")
	return safe.Replace(r.Spec + " " + r.Args + " " + r.Property)
}

// Commands are what a user types to get a row, and to see an example or all of it.
func (r *Row) Commands() []string {
	switch {
	case r.Searches():
		return []string{"atmostk check " + r.Question()}
	case r.Experiment != "":
		return []string{"paperdocs experiment " + r.Experiment}
	}
	all := []string{"go test ./computed -run 'Computed/" + strings.ReplaceAll(r.Computed, " ", "_") + "$'"}
	if r.How != "" {
		all = append(all, r.How)
	}
	return all
}

// Verdict sums up the rows of the claim itself.
func (c *Claim) Verdict() string {
	if c.Ruling == paper.Simulated {
		return c.simulated()
	}
	v := "not asked"
	for _, r := range c.Rows {
		switch f := r.Finding(); {
		case r.Aside != "" || f == nil:
		case f.Verdict == violated || f.Verdict == modelError:
			return f.Verdict
		case f.Verdict == unknown:
			v = "undecided"
		case v == "not asked":
			v = f.Verdict
		}
	}
	return v
}

// simulated counts the verdicts on the sentences of a claim that is judged by simulation.
func (c *Claim) simulated() string {
	var parts []string
	for _, word := range experiment.Verdicts {
		n := 0
		for _, r := range c.Rows {
			n += one(r.is(word))
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	if parts == nil {
		return "not asked"
	}
	return "of " + plural(len(c.Rows), "sentence") + " " + strings.Join(parts, ", ")
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// number writes a whole number with commas between thousands.
func number(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural writes a number with a noun.
func plural(n any, noun string) string {
	if text := number(n); text != "1" {
		return text + " " + noun + "s"
	}
	return "1 " + noun
}

// Choose returns the claims whose key begins so, all for ""; a row is asked for of one claim that has it.
func (r *Review) Choose(begin string, row int) (chosen []*Claim, err error) {
	var keys []string
	for _, c := range r.Claims {
		if keys = append(keys, c.Key()); c.Key() == begin {
			chosen = []*Claim{c}
			break
		}
		if strings.HasPrefix(c.Key(), begin) {
			chosen = append(chosen, c)
		}
	}
	switch {
	case len(chosen) == 0:
		return nil, usage.Errorf("--claim=%s: %s has no such claim%s; it has %s", begin, r.Name,
			usage.Nearest(begin, keys), strings.Join(keys, ", "))
	case row > 0 && (len(chosen) > 1 || row > len(chosen[0].Rows)):
		return nil, usage.Errorf("--row=%d needs --claim with the key of one claim that has so many rows",
			row)
	}
	return chosen, nil
}
