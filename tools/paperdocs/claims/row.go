package claims

import (
	"context"
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/experiment"
	"github.com/atmostk/atmostk/traces"
)

// The verdicts of the program.
const (
	holds      = "holds"
	violated   = "violated"
	unknown    = "unknown"
	modelError = "model error"
	complete   = "complete" // Finding.Explored where every reachable state was visited
)

// An Aside is why a row does not count for the verdict on its claim.
type Aside string

// The asides.
const (
	Repaired  Aside = "repaired"                // a repaired reading, not the paper's text
	Contrast  Aside = "for contrast"            // the effect of an assumption, or of a part of a repair
	Unassumed Aside = "outside the assumptions" // of the paper
)

// A Row is one question about one instance, with the answers to it.
type Row struct {
	Spec     string // by name
	Args     string // "n=3 k=2"
	Property string
	Aside    Aside // "": the row counts for its claim
	// Within restricts the instances that can refute the row, beside the claim's: "channel=fifo".
	Within string
	// Experiment and Sentence name an experiment and one of its claims, which the kept measurements answer
	// in place of a search. Spec and Property are empty then.
	Experiment, Sentence string
	Limit                int64 // states after which the search stops; 0: none
	Lost                 bool  // also asks from how many states the goal, a can-... property, is out of reach
	// Computed names a computation in the tests that answers in place of a search, for a claim about sets and
	// numbers and not about runs. How is a command that shows an example.
	Computed string
	How      string
	Remark   string // a sentence

	Number int                   `yaml:"-"` // within the claim, from 1
	Values map[string]cond.Value `yaml:"-"` // all parameters; nil: it is no search
	// Moot is why no algorithm violates the property in this instance; "": one can.
	Moot  string        `yaml:"-"`
	Kept  *Finding      `yaml:"-"` // the answer that is kept; nil: none
	Now   *Finding      `yaml:"-"` // the answer of this run; nil: it was not asked
	Run   *traces.Trace `yaml:"-"` // the counterexample of this run; nil: none
	claim *Claim
	says  string // the sentence of an experiment
	trace string // of the kept answer; see Line
}

// A Finding is the answer to a row.
type Finding struct {
	// Verdict is holds, violated or unknown; of simulated runs one of experiment.Verdicts.
	Verdict string `json:"verdict"`
	// Explored is "complete", the bounds, or where the search stopped.
	Explored string `json:"explored"`
	// States visited; the search ends at a violation of the property.
	States int64 `json:"states"`
	// Length is the number of steps of the shortest counterexample or, for a can-... property that holds,
	// of the shortest run to the goal.
	Length int `json:"steps"`
	// Pruned counts the steps that an assumption on runs forbids, Stuck the states without any other step:
	// they belong to no run that keeps the assumption.
	Pruned int64 `json:"pruned,omitempty"`
	Stuck  int64 `json:"stuck,omitempty"`
	// Detail is an answer besides: "out of reach from 3 of 12 states", or the numbers of an experiment.
	Detail string `json:"detail,omitempty"`
}

// Searches reports whether the row is answered by a search.
func (r *Row) Searches() bool { return r.Computed == "" && r.Experiment == "" }

// open fills in the fields that follow from the question.
func (r *Row) open(root string) error {
	switch {
	case r.Experiment != "":
		e, err := experiment.Find(root, r.Experiment)
		if err != nil {
			return err
		}
		c, err := e.Claim(r.Sentence)
		r.says = c.Sentence
		return err
	case r.Computed != "":
		return nil
	}
	values, moot, err := instance(r.Spec, r.Args)
	r.Values, r.Moot = values, moot[r.Property]
	return err
}

// Command is the command that asks the row; it identifies the row within its paper.
func (r *Row) Command() string {
	switch {
	case r.Computed != "":
		return "go test ./computed -run 'Computed/" + strings.ReplaceAll(r.Computed, " ", "_") + "$'"
	case r.Experiment != "":
		return "paperdocs experiment " + r.Experiment + " # " + r.Sentence
	}
	line := "atmostk check " + r.Question()
	if r.Limit > 0 {
		line += fmt.Sprintf(" --max-states %d", r.Limit)
	}
	return line
}

// Question is the arguments of a search.
func (r *Row) Question() string {
	line := strings.TrimSpace(r.Spec+" "+r.Args) + " --property " + r.Property
	if r.Lost {
		line += " --out-of-reach"
	}
	return line
}

// about describes the question.
func (r *Row) about() string {
	return joined("; ", r.says, r.Property, string(r.Aside), r.Remark, r.How)
}

// finding is the answer of this run, or the kept one; nil: no answer.
func (r *Row) finding() *Finding {
	if r.Now != nil {
		return r.Now
	}
	return r.Kept
}

// is reports whether a row has a verdict.
func (r *Row) is(verdict string) bool {
	f := r.finding()
	return f != nil && f.Verdict == verdict
}

// vacuous says why a row that holds is no evidence; "": it is, or does not hold.
func (r *Row) vacuous() string {
	if !r.is(holds) {
		return ""
	}
	return r.Moot
}

// AsKept reports whether the answer of this run is the kept one.
func (r *Row) AsKept() bool { return r.Kept != nil && *r.Kept == *r.Now }

// Long reports whether a row is known to take more than 5,000 states: quick runs leave it out.
func (r *Row) Long() bool { return r.Kept != nil && r.Kept.States > 5_000 }

// traceName is the name of the file of a counterexample, without its ending: the question.
func (r *Row) traceName() string {
	safe := strings.NewReplacer(" ", "-", "+", "-", ",", "", "=", "", "/", "-", ":", "-")
	return safe.Replace(r.Spec + " " + r.Args + " " + r.Property)
}

// Text is the answer for a person; "": no answer.
func (r *Row) Text() string {
	f := r.finding()
	if f == nil {
		return ""
	}
	text := fmt.Sprintf("%4d  %-8s %s\n      %s\n      %s\n", r.Number, f.Verdict, r.about(), f, r.Command())
	if r.Now != nil && r.Kept != nil && !r.AsKept() {
		text += fmt.Sprintf("      kept: %s, %s\n", r.Kept.Verdict, r.Kept)
	}
	return text
}

// String is the figures of a finding, in a line.
func (f *Finding) String() string {
	some := func(n int64, thing string) string {
		if n == 0 {
			return ""
		}
		return plural(n, thing)
	}
	return joined(", ", some(f.States, "state"), some(int64(f.Length), "step"), f.Explored,
		some(f.Pruned, "pruned step"), some(f.Stuck, "stuck state"), f.Detail)
}

// Ask answers a row, by a search or from the measurements that are kept; the tests compute the others. The
// search stops at a violation.
func (r *Row) Ask(ctx context.Context, root string) error {
	switch {
	case r.Computed != "":
		return nil
	case r.Experiment != "":
		return r.measure(root)
	}
	return r.search(ctx)
}

// measure judges the sentence of an experiment by the numbers that are kept.
func (r *Row) measure(root string) error {
	e, err := experiment.Find(root, r.Experiment)
	if err != nil {
		return err
	}
	v, err := e.Kept(root, r.Sentence)
	if err != nil {
		return err
	}
	r.Now = &Finding{Verdict: v.Word, Explored: v.Simulated, Detail: strings.Join(v.Lines, "\n")}
	return nil
}
