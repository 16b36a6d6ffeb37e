package traces

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// version is the version of the format that this package reads and writes.
const version = 1

// Schema describes the lines of a file, as JSON Schema.
//
//go:embed schema.json
var Schema string

// A Trace is the content of a file: a run of a model. Its first step is the initial state.
type Trace struct {
	Header
	Steps []Step
}

// A Header names the model of a run, and the claim that the run shows.
type Header struct {
	Spec       string            `json:"spec"`
	Parameters map[string]string `json:"parameters"`
	Property   string            `json:"property"`
	Typed      []string          `json:"typed,omitempty"` // the parameters that the user gave a value
	// Kind is the kind of the property. Verdict is "reached" for a goal and "violated" for
	// every other property. For a model error both are "model error". Without a property they
	// are "run" and "possible". FromRun fills in both.
	Kind    string `json:"kind"`
	Verdict string `json:"verdict"`
	Tool    string `json:"tool,omitempty"`   // name and version of the program that wrote it
	Folder  string `json:"folder,omitempty"` // working directory of the check that kept it for replay
	// CycleAt is nil for a run that ends. In a run without end the last state equals the
	// state after step CycleAt; it is the index of the last step if the run stays there.
	CycleAt *int `json:"cycle-at,omitempty"`
	// Mistake is the model error that the run shows; nil: the run shows a property.
	// For a model error, Property names the part of the model.
	Mistake *Mistake `json:"mistake,omitempty"`
	// Capacity is the number of units of the resource; 0: unknown. FromRun and Replay take it from the model.
	Capacity int `json:"-"`
}

// A Step is one step of a trace: the event and its changes.
type Step struct {
	Index int `json:"step"`
	// the process that acted; "" for the initial state, or if no process acted
	Node     string `json:"node,omitempty"`
	Event    string `json:"event,omitempty"`  // the action; "" for the initial state
	Source   string `json:"source,omitempty"` // lines of the paper
	Text     string `json:"text,omitempty"`   // the step, for people
	Received *Msg   `json:"received,omitempty"`
	Sent     []Msg  `json:"sent,omitempty"`
	Lost     []Msg  `json:"lost,omitempty"`    // messages sent before that no process will receive
	Noticed  string `json:"noticed,omitempty"` // the process whose crash the node noticed
	Crashed  bool   `json:"crashed,omitempty"` // the node is dead afterwards
	Changed  []Var  `json:"changed"`           // variables that are new or have a new value; in step 0 all
	Gone     []Var  `json:"gone,omitempty"`    // variables that no longer exist, with their last values
	Inside   []Use  `json:"inside,omitempty"`  // users of units of the resource after the step
	Failed   string `json:"failed,omitempty"`  // the model error in the step; only in the last step
}

// A Msg is a message; the send and the receipt of one message have the same ID.
type Msg struct {
	ID   string `json:"id"`
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// collected lists the messages that leave their channels in a step: the one received first.
func (s *Step) collected() (ms []*Msg) {
	if s.Received != nil {
		ms = append(ms, s.Received)
	}
	for i := range s.Lost {
		ms = append(ms, &s.Lost[i])
	}
	return ms
}

// how says in which way a message that is collected leaves its channel.
func (s *Step) how(m *Msg) string {
	return map[bool]string{true: "received", false: "lost"}[m == s.Received]
}

// A Var is a variable with its value as text.
type Var struct {
	Owner string `json:"owner,omitempty"` // the process, "" for a global variable
	Name  string `json:"name,omitempty"`  // "" if the owner has only one variable
	Value string `json:"value"`
}

// Label is OWNER.NAME, or the one of the two that is not empty.
func (v Var) Label() string {
	switch {
	case v.Owner == "":
		return v.Name
	case v.Name == "":
		return v.Owner
	}
	return v.Owner + "." + v.Name
}

// A Use is a process with the units of the resource that it uses.
type Use struct {
	Owner string `json:"owner"`
	Units int    `json:"units"`
}

func (s *Step) units() (n int) {
	for _, u := range s.Inside {
		n += u.Units
	}
	return n
}

// Uses reports whether a process uses units after the step.
func (s *Step) Uses(owner string) bool {
	return slices.ContainsFunc(s.Inside, func(u Use) bool { return u.Owner == owner })
}

// Alive reports whether a process is alive after a step, given whether it was alive before. Each dead process
// has a variable "crashed" in the state of the model, and loses it when it recovers.
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

// digest identifies the model and the claim of a trace. If a header has
// another digest, it was edited, and its run may be a run of another instance.
func (h *Header) digest() string {
	// json.Marshal sorts the keys of maps
	b, err := json.Marshal([]any{version, h.Spec, h.Parameters, h.Property, h.Kind, h.Verdict})
	if err != nil {
		panic(err) // impossible: strings and numbers have a JSON form
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
