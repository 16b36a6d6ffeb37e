package cmd

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
	Mistake    *jsonMistake      `json:"model-error,omitempty"`
	Unread     []string          `json:"never-asked-for,omitempty"` // parameters that were given
	Levels     []int64           `json:"levels"`
	Actions    []jsonAction      `json:"actions"`
	Outside    int64             `json:"outside"`
	Beyond     int64             `json:"beyond,omitempty"`
	Pruned     int64             `json:"pruned"`
	Stuck      int64             `json:"rp-stuck"`
	StuckDepth int               `json:"rp-stuck-depth,omitempty"`
	Quiet      int64             `json:"quiet"`
	Reduce     string            `json:"reduce,omitempty"`
	NotAsked   []jsonNotAsked    `json:"not-asked,omitempty"`
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
	Command string          `json:"command,omitempty"` // finds it again
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

type jsonNotAsked struct {
	Name    string `json:"name"`
	Because string `json:"because"`
}

type jsonSpent struct {
	Messages int `json:"messages"`
	Requests int `json:"requests"`
	// a cycle can be repeated: messages are those of a run against the bound
	Endless bool `json:"endless,omitempty"`
}

type jsonLost struct {
	From   string `json:"from"`
	States int64  `json:"states"`
	Lost   int64  `json:"lost"`
}

type jsonAction struct {
	Name  string `json:"name"`
	Fired int64  `json:"fired"`
}

// json writes the report for a program.
func (c *checked) json(out io.Writer) error {
	r := c.report
	j := jsonReport{
		jsonHead: c.head(),
		Spec:     c.spec.Name, Parameters: map[string]string{}, Verdict: r.Verdict, Complete: r.Complete,
		Stopped: r.Stopped,
		States:  r.States, Generated: r.Generated, Depth: r.Depth, Seconds: r.Elapsed.Seconds(),
		Properties: []jsonProperty{}, Unread: c.args.Unread(), Levels: r.Levels, Outside: r.Outside,
		Beyond: r.Beyond, Pruned: r.Pruned,
		Stuck: r.Stuck, StuckDepth: r.StuckDepth, Quiet: r.Quiet, Unchanged: r.Unchanged, Unseen: r.Unseen,
		StateBytes: r.StateBytes, Memory: term.Peak(r.Memory),
		Store: r.Store.String(), Omission: r.Omission, Disk: r.Disk,
	}
	if r.Reduce != (model.Reduction{}) {
		j.Reduce = r.Reduce.String()
	}
	for _, kv := range c.args.List() {
		j.Parameters[kv[0]] = kv[1]
	}
	for i := range r.Properties {
		p := &r.Properties[i]
		jp := jsonProperty{Name: p.Name, Verdict: p.Verdict, Count: p.Count, Part: p.Part, Vacuous: p.Vacuous,
			Whole: p.StateByState}
		if p.Vacuous != nil {
			jp.Excuse = p.Excuse
		}
		if p.Length >= 0 {
			jp.Length = &p.Length
		}
		if c.files != nil {
			jp.Trace = c.files[i]
		}
		if c.runs[i] != nil {
			jp.Sentence, jp.Culprits = c.runs[i].Sentence(), c.runs[i].Culprits()
		}
		if p.Least != nil {
			jp.Least = &jsonSpent{p.Least.Count, p.Least.Requests, p.Least.Endless}
			jp.Most = &jsonSpent{p.Most.Count, p.Most.Requests, p.Most.Endless}
		}
		for _, l := range p.Lost {
			jp.Lost = append(jp.Lost, jsonLost{l.Origin, l.States, l.Lost})
		}
		j.Properties = append(j.Properties, jp)
	}
	for _, p := range r.NotAsked {
		j.NotAsked = append(j.NotAsked, jsonNotAsked{p.Name, p.Moot})
	}
	for i, a := range r.Actions {
		j.Actions = append(j.Actions, jsonAction{a.Name, r.Fired[i]})
	}
	if m := r.Mistake; m != nil {
		j.Mistake = &jsonMistake{m.Part, *traces.NewMistake(m.Error), nil, c.mistakeFile}
		if m.Path != nil {
			j.Mistake.Length = &m.Length
		}
	}
	return printable.EncodeJSON(out, j, "")
}
