package traces

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// version is the version of the format that this package reads and writes.
const version = 1

// Schema describes the lines of a file, as JSON Schema.
//
//go:embed schema.json
var Schema string

// A Trace is a run of a model as it stands in a file. Its first step is the
// initial state.
type Trace struct {
	Header
	Steps []Step
}

// A Header names the model of a run, and the claim that the run shows.
type Header struct {
	Spec       string            `json:"spec"`
	Parameters map[string]string `json:"parameters"`
	Property   string            `json:"property"`
	// Kind is the property's kind and Verdict is "reached" for a goal and "violated"
	// for every other property; both are "model error" for a mistake. Without a property they are
	// "run" and "possible". FromRun fills in both.
	Kind    string `json:"kind"`
	Verdict string `json:"verdict"`
	Tool    string `json:"tool,omitempty"`   // name and version of the program that wrote it
	Folder  string `json:"folder,omitempty"` // in which it was found, where that is kept
	// CycleAt is, for a run without end, the index of the step to whose state the
	// last one returns; its own index if the run stays there; nil for a run that ends.
	CycleAt *int `json:"cycle-at,omitempty"`
	// Mistake is an error in the model, where the run shows that in place of a property;
	// Property is the part of the model then.
	Mistake *Mistake `json:"mistake,omitempty"`
	// Capacity is how many units of the resource there are; 0: it is not known. FromRun and Replay
	// have it from the model.
	Capacity int `json:"-"`
}

// continuation says in a few words how a run without end goes on.
func (t *Trace) continuation() string {
	if *t.CycleAt == len(t.Steps)-1 {
		return "and nothing more for ever"
	}
	return fmt.Sprintf("and again from step %d", *t.CycleAt)
}

// A Step is one step of a trace: the event and its changes.
type Step struct {
	Index int `json:"step"`
	// the process that acted; "" for the initial state, or if none did
	Node     string `json:"node,omitempty"`
	Event    string `json:"event,omitempty"`  // the action; "" for the initial state
	Source   string `json:"source,omitempty"` // where the paper has it
	Text     string `json:"text,omitempty"`   // all of it in words
	Received *Msg   `json:"received,omitempty"`
	Sent     []Msg  `json:"sent,omitempty"`
	Lost     []Msg  `json:"lost,omitempty"`    // messages sent before that no process will receive
	Noticed  string `json:"noticed,omitempty"` // the process whose crash the node noticed
	Crashed  bool   `json:"crashed,omitempty"` // the node is dead afterwards
	Changed  []Var  `json:"changed"`           // variables that differ from the step before; of step 0 all
	Gone     []Var  `json:"gone,omitempty"`    // variables that are no more, with the values they had
	Inside   []Use  `json:"inside,omitempty"`  // users of units of the resource after the step
	Failed   string `json:"failed,omitempty"`  // what went wrong in the step, which is the last
}

// A Msg is a message; the send and the receipt of one message have the same ID.
type Msg struct {
	ID   string `json:"id"`
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// A Var is a variable with its value, in words.
type Var struct {
	Owner string `json:"owner,omitempty"` // the process, "" for a global variable
	Name  string `json:"name,omitempty"`  // "" if the owner has but one variable
	Value string `json:"value"`
}

// label is the variable's name with its owner.
func (v Var) label() string {
	switch {
	case v.Owner == "":
		return v.Name
	case v.Name == "":
		return v.Owner
	}
	return v.Owner + "." + v.Name
}

// A Use is what a process uses of the resource.
type Use struct {
	Owner string `json:"owner"`
	Units int    `json:"units"`
}

// units returns the number of units in use after the step.
func (s *Step) units() (n int) {
	for _, u := range s.Inside {
		n += u.Units
	}
	return n
}

// uses reports whether a process uses units after the step.
func (s *Step) uses(owner string) bool {
	for _, u := range s.Inside {
		if u.Owner == owner {
			return true
		}
	}
	return false
}

// Alive reports whether a process is alive after a step, given whether it was before. The state of a model
// has the variable "crashed" of each process that is dead, so that one that recovers has it no more.
func (s *Step) Alive(name string, before bool) bool {
	of := func(v Var) bool { return v.Owner == name && v.Name == "crashed" }
	switch i := slices.IndexFunc(s.Changed, of); {
	case i >= 0:
		return s.Changed[i].Value != "true"
	case slices.ContainsFunc(s.Gone, of):
		return true
	}
	return before && (!s.Crashed || s.Node != name)
}

// dead lists the processes that are dead at the end of a run, among some.
func (t *Trace) dead(lanes []string) []string {
	return slices.DeleteFunc(slices.Clone(lanes), func(name string) bool {
		alive := true
		for i := range t.Steps {
			alive = t.Steps[i].Alive(name, alive)
		}
		return alive
	})
}

// digest identifies the model and the claim of a trace. A header with
// another digest was edited, and its run may be a run of another model.
func (h *Header) digest() string {
	// maps are written in order
	b, err := json.Marshal([]any{version, h.Spec, h.Parameters, h.Property, h.Kind, h.Verdict})
	if err != nil {
		panic(err) // strings can be written
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
