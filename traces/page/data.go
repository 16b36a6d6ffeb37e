// Package page shows runs and logs in a browser.
//
// A [Data] is the content of a page: all states of a run, the steps enabled in each, and the verdicts of
// the properties; or the lines of a log. Of makes it of a run. Write puts it into one file
// that loads nothing from anywhere; Handler serves the same page live,
// where one can go on from every state.
//
// The front end, one script and one style sheet, is made from the sources in front/ by the program
// there, which a test compares with what stands here.
package page

import (
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces"
)

// About is what a page says of a model besides a run of it.
type About struct {
	Title   string   `json:"title"`           // of the model, a few words
	Source  string   `json:"source"`          // paper or published model
	Set     []string `json:"set"`             // parameters that differ from their defaults: "n=3"
	Default []string `json:"default"`         // the others that have a value
	Command string   `json:"command"`         // shows the same again; "": nothing does
	Args    string   `json:"args,omitempty"`  // the model with its parameters, as on the command line
	Notes   []string `json:"notes,omitempty"` // further sentences for the head of the page
}

// Data is what a page shows. Everything in it is text to be shown as such.
type Data struct {
	Schema   int    `json:"schema"` // 1
	Kind     string `json:"kind"`   // run, live or log
	Sentence string `json:"sentence"`
	// violated, reached, possible, model error, or the verdict on a log
	Verdict string `json:"verdict"`
	Says    string `json:"says"`  // the sentence of the property
	Part    string `json:"part"`  // for which of several properties in one
	Model   string `json:"model"` // name
	// index of the property that the run is shown for; -1: none
	Shown      int        `json:"shown"`
	Culprits   []string   `json:"culprits"`           // lanes
	Lanes      []string   `json:"lanes"`              // processes, in the order of the model
	Capacity   int        `json:"capacity"`           // units that there are; 0: it is not known
	Uses       bool       `json:"uses"`               // some process uses units
	Properties []Property `json:"properties"`         // of the model
	Actions    []Action   `json:"actions"`            // of the model
	Steps      []Step     `json:"steps"`              // the first is the initial state
	Roots      []int      `json:"roots"`              // the steps that the finding consists of
	Cycle      *Cycle     `json:"cycle"`              // of a run without end
	Points     []Point    `json:"points,omitempty"`   // findings about a log
	Tool       string     `json:"tool"`               // name and version of the program
	API        string     `json:"api,omitempty"`      // of a live page: where it asks
	Start      int        `json:"start,omitempty"`    // of a log: the row to begin at; -1: the last one
	Path       []int      `json:"path,omitempty"`     // of a live page: the choices taken
	Initial    int        `json:"initial,omitempty"`  // the number of the initial state
	Initials   int        `json:"initials,omitempty"` // how many there are
	Example    string     `json:"example,omitempty"`  // of a live page: a condition that a run leads to
	About
}

// A Property is one of the model's.
type Property struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	Kind string `json:"kind"`
}

// An Action is a kind of step, with where the paper prints it.
type Action struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Fault  bool   `json:"fault"` // the network's or the crash adversary's
	Takes  bool   `json:"takes"` // it receives a message
}

// A Step is a row of the diagram: a step of a run, or a line of a log.
type Step struct {
	traces.Step
	Verdicts string   `json:"verdicts,omitempty"` // a letter for each property: v, r, h or -
	Causes   []int    `json:"causes,omitempty"`   // the steps that it directly follows from
	Choices  []Choice `json:"choices"`            // the steps enabled after it; nil: not given
	Taken    int      `json:"taken"`              // which of the choices the run takes; -1: none
	Where    string   `json:"where,omitempty"`    // file and line; of a log
	Mark     string   `json:"mark,omitempty"`     // unexplained, missing or departs; of a log
	// Picture is of the state, where the model has one.
	Picture *drawing.Drawing `json:"picture,omitempty"`
	Outside bool             `json:"outside,omitempty"` // it leaves the constraint: nothing follows
}

// A Choice is a step that is enabled.
type Choice struct {
	traces.Step
	Breaks  []int `json:"breaks,omitempty"`  // properties that do not hold afterwards
	Reaches []int `json:"reaches,omitempty"` // goals that are reached
	Fault   bool  `json:"fault,omitempty"`   // of the adversary
	Outside bool  `json:"outside,omitempty"` // it leaves the constraint: nothing follows
}

// A Cycle is how a run without end goes on.
type Cycle struct {
	At       int         `json:"at"`
	Fairness []Condition `json:"fairness"`
}

// A Condition is one of fairness, with what satisfies it in the cycle.
type Condition struct {
	Name string `json:"name"`
	Step int    `json:"step"` // that satisfies it, being one of those it is about, or where none is enabled
	How  string `json:"how"`
}

// A Point is something to be said of a log.
type Point struct {
	Level   string   `json:"level"`
	Text    string   `json:"text"`
	Details []string `json:"details,omitempty"`
	Row     int      `json:"row"` // the row that it is about; -1: none in particular
}

// choicesBudget is the most choices that a page holds: where there are more, the last states keep
// theirs. One takes some 300 bytes.
const choicesBudget = 20_000

// Of returns what a page shows of a run.
func Of(r *traces.Run, about About) *Data { return dataOf(r, about, 0) }

// dataOf returns what a page shows of a run, with the rows from a step on.
func dataOf(r *traces.Run, about About, from int) *Data {
	t, in := r.Trace, r.Instance()
	about.Set, about.Default = append([]string{}, about.Set...), append([]string{}, about.Default...)
	d := &Data{
		Schema: 1, Kind: "run", Sentence: r.Sentence(), Verdict: t.Verdict, Part: r.Part(), Model: t.Spec,
		Shown: -1, Culprits: append([]string{}, r.Culprits()...), Properties: []Property{},
		Actions: []Action{}, Capacity: in.Capacity, Tool: t.Tool, About: about,
	}
	for i, p := range in.Space.Properties() {
		d.Properties = append(d.Properties, Property{p.Name, p.Doc, p.Kind.String()})
		if p.Name == t.Property {
			d.Shown, d.Says = i, p.Doc
		}
	}
	for _, a := range in.Space.Actions() {
		d.Actions = append(d.Actions, Action{a.Name, a.Source, a.Kind == protocol.Fault, a.Receipt})
	}
	if t.Mistake != nil {
		d.Says = t.Mistake.What
	}
	d.Steps = stepsOf(r, from)
	d.limitChoices()
	d.Lanes = append([]string{}, lanes(t.Steps, d.Steps)...)
	d.Uses = in.Capacity > 0 || slices.ContainsFunc(t.Steps,
		func(s traces.Step) bool { return len(s.Inside) > 0 })
	d.Roots = roots(t.Steps, d.Culprits)
	if t.CycleAt != nil {
		d.Cycle = cycle(r)
		for i := max(0, *t.CycleAt-from); d.Shown >= 0 && i < len(d.Steps); i++ {
			d.Steps[i].Verdicts = d.Steps[i].Verdicts[:d.Shown] + "v" + d.Steps[i].Verdicts[d.Shown+1:]
		}
	}
	return d
}

// limitChoices leaves out choices of the first states where there are too many.
func (d *Data) limitChoices() {
	left := choicesBudget
	for i := len(d.Steps) - 1; i >= 0; i-- {
		if left -= len(d.Steps[i].Choices); left < 0 {
			d.Steps[i].Choices = nil
		}
	}
}

// stepsOf returns the rows of a run from a step on, with the steps enabled after each.
func stepsOf(r *traces.Run, from int) []Step {
	t := r.Trace
	causes := causesOf(t.Steps)
	steps := make([]Step, 0, len(t.Steps)-from)
	for i := from; i < len(t.Steps); i++ {
		s := Step{Step: t.Steps[i], Causes: causes[i], Taken: -1}
		if s.Failed == "" {
			if draw := r.Instance().Picture; draw != nil {
				d := draw(r.States[i])
				d.Nodes, d.Links = append([]drawing.Node{}, d.Nodes...), append([]drawing.Link{}, d.Links...)
				s.Picture = &d
			}
			s.Verdicts, s.Choices = letters(r.Verdicts(i)), []Choice{}
			if s.Outside = i > 0 && r.Taken[i-1].Outside; !s.Outside {
				s.Choices, s.Taken = choices(r, i)
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// choices returns the steps enabled after a step of a run, and which of them the run takes.
func choices(r *traces.Run, i int) (all []Choice, taken int) {
	var e *model.Error // where the model fails there is nothing to choose
	defer model.Catch(&e)
	in, enabled := r.Instance(), r.Enabled(i)
	actions := in.Space.Actions()
	all, taken = []Choice{}, -1
	was := letters(r.Verdicts(i))
	for k, s := range r.Choices(i, enabled) {
		t := &enabled[k]
		c := Choice{Step: s, Fault: actions[t.Action].Kind == protocol.Fault, Outside: t.Outside}
		for p, v := range traces.Verdicts(in, r.States[i], t, t.Next) {
			switch {
			case v == traces.Violated && was[p] != 'v':
				c.Breaks = append(c.Breaks, p)
			case v == traces.Reached && was[p] != 'r':
				c.Reaches = append(c.Reaches, p)
			}
		}
		if i < len(r.Taken) && taken < 0 && same(t, &r.Taken[i]) {
			taken = k
		}
		all = append(all, c)
	}
	return all, taken
}

// same reports whether two steps from one state are the same.
func same(a, b *lts.Transition) bool {
	return a.Label() == b.Label() && a.Text() == b.Text() && a.Next.Key() == b.Next.Key()
}

// letters writes verdicts, a letter each.
func letters(verdicts []string) string {
	var b strings.Builder
	for _, v := range verdicts {
		switch v {
		case traces.Violated:
			b.WriteByte('v')
		case traces.Reached:
			b.WriteByte('r')
		case traces.Holds:
			b.WriteByte('h')
		default:
			b.WriteByte('-')
		}
	}
	return b.String()
}
