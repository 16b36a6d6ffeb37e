package report

import (
	"io"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// jsonReport is the report in JSON. Fields may be added; these stay.
type jsonReport struct {
	jsonHead
	Spec       string            `json:"spec"`
	Parameters map[string]string `json:"parameters"`
	Verdict    explore.Verdict   `json:"verdict"`
	Complete   bool              `json:"complete"`
	Stopped    string            `json:"stopped,omitempty"`
	States     int64             `json:"states"`
	Generated  int64             `json:"generated"`
	Depth      int               `json:"depth"`
	Seconds    float64           `json:"seconds"`
	Properties []jsonProperty    `json:"properties"`
	Mistake    *mistake          `json:"model-error,omitempty"`
	Unread     []string          `json:"never-asked-for,omitempty"` // parameters that were given
	Levels     []int64           `json:"levels"`
	Actions    []action          `json:"actions"`
	Outside    int64             `json:"outside"`
	Beyond     int64             `json:"beyond,omitempty"`
	Pruned     int64             `json:"pruned"`
	Stuck      int64             `json:"rp-stuck"`
	StuckDepth int               `json:"rp-stuck-depth,omitempty"`
	Quiet      int64             `json:"quiet"`
	Reduce     string            `json:"reduce,omitempty"`
	NotAsked   []notAsked        `json:"not-asked,omitempty"`
	Unchanged  []string          `json:"never-changed,omitempty"`
	Unseen     []string          `json:"fairness-never-enabled,omitempty"`
	StateBytes int               `json:"state-bytes"`
	Memory     int64             `json:"memory"`
	Store      string            `json:"store"`
	// probability, at most, that a state was left out
	Omission float64 `json:"omission,omitempty"`
	Disk     int64   `json:"disk,omitempty"`
}

type jsonProperty struct {
	Name    string          `json:"name"`
	Verdict explore.Verdict `json:"verdict"`
	Because string          `json:"unknown-because,omitempty"`
	Length  *int            `json:"length,omitempty"`
	Trace   string          `json:"trace,omitempty"`
	Part    string          `json:"part,omitempty"` // which of several properties in one is violated
	Count   int64           `json:"count"`
	Vacuous []string        `json:"vacuous,omitempty"` // what it is about and did not come up
	Excuse  string          `json:"vacuous-because,omitempty"`
	Whole   bool            `json:"state-by-state,omitempty"` // it is asked about each state as a whole
	Lost    []jsonLost      `json:"out-of-reach,omitempty"`
	Least   *jsonSpent      `json:"least,omitempty"` // of a property of kind costs
	Most    *jsonSpent      `json:"most,omitempty"`
	// Of a run that shows it:
	Sentence string   `json:"sentence,omitempty"`
	Culprits []string `json:"culprits,omitempty"`
}

// jsonSpent is an explore.Extreme.
type jsonSpent struct {
	Count    int `json:"messages"`
	Requests int `json:"requests"`
	// a cycle can be repeated: messages are those of a run against the bound
	Endless bool           `json:"endless,omitempty"`
	Path    []explore.Step `json:"-"`
}

type jsonLost struct {
	From   string `json:"from"`
	States int64  `json:"states"`
	Lost   int64  `json:"lost"`
}

// JSON writes the report for a program.
func (c *Check) JSON(out io.Writer) error {
	r := c.Report
	j := jsonReport{
		jsonHead: c.head(), Spec: c.Spec.Name, Parameters: c.Parameters(),
		Verdict: r.Verdict, Complete: r.Complete, Stopped: r.Stopped,
		States: r.States, Generated: r.Generated, Depth: r.Depth, Seconds: r.Elapsed.Seconds(),
		Properties: []jsonProperty{}, Unread: c.Args.Unread(),
		Levels: r.Levels, Actions: fired(r.Actions, r.Fired), Outside: r.Outside, Beyond: r.Beyond,
		Pruned: r.Pruned, Stuck: r.Stuck, StuckDepth: r.StuckDepth, Quiet: r.Quiet,
		NotAsked: moot(r), Unchanged: r.Unchanged, Unseen: r.Unseen,
		StateBytes: r.StateBytes, Memory: term.Peak(r.Memory), Store: r.Store.String(), Omission: r.Omission,
		Disk: r.Disk,
	}
	if r.Reduce != (model.Reduction{}) {
		j.Reduce = r.Reduce.String()
	}
	for i := range r.Properties {
		j.Properties = append(j.Properties, c.property(&r.Properties[i], c.Runs[i]))
	}
	if m := r.Mistake; m != nil {
		j.Mistake = &mistake{m.Part, traces.NewMistake(m.Error), nil, c.Mistaken.Written()}
		if m.Path != nil {
			j.Mistake.Length = &m.Length
		}
	}
	return printable.EncodeJSON(out, j, "")
}

// property puts the result of a property into its form for programs.
func (c *Check) property(p *explore.Result, run *Shown) jsonProperty {
	j := jsonProperty{Name: p.Name, Verdict: p.Verdict, Count: p.Count, Part: p.Part, Vacuous: p.Vacuous,
		Because: c.undecided(p), Whole: p.StateByState, Trace: run.Written(),
		Least: (*jsonSpent)(p.Least), Most: (*jsonSpent)(p.Most)}
	if p.Vacuous != nil {
		j.Excuse = p.Excuse
	}
	if p.Length >= 0 {
		j.Length = &p.Length
	}
	if run != nil {
		j.Sentence, j.Culprits = run.Sentence(), run.Culprits()
	}
	for _, l := range p.Lost {
		j.Lost = append(j.Lost, jsonLost{l.Origin, l.States, l.Lost})
	}
	return j
}

// A jsonHead is what a report in JSON begins with: what the first run that violates something shows, and of
// which model.
type jsonHead struct {
	Sentence string   `json:"sentence,omitempty"`
	Says     string   `json:"says,omitempty"` // what the property demands
	Culprits []string `json:"culprits,omitempty"`
	Title    string   `json:"title"`
	Source   string   `json:"source"`
	Set      []string `json:"set"`               // parameters that are not as by default
	Command  string   `json:"command,omitempty"` // finds it again
}

// head returns the beginning of a report in JSON.
func (c *Check) head() jsonHead {
	r := c.Counterexample()
	if r == nil {
		a := c.Program.About(&traces.Trace{Header: c.Header("")})
		return jsonHead{Title: a.Title, Source: a.Source, Set: a.Set}
	}
	a := c.Program.About(r.Trace)
	h := jsonHead{Sentence: r.Sentence(), Culprits: r.Culprits(), Title: a.Title, Source: a.Source,
		Set: a.Set, Command: a.Command}
	for _, p := range c.Space.Properties() {
		if p.Name == r.Trace.Property {
			h.Says = p.Doc
		}
	}
	return h
}
