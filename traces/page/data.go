// Package page shows runs and logs in a browser.
//
// A [Data] is the content of a page: all states of a run, the steps enabled in each, and the verdicts on
// the properties; or the lines of a log. Of makes the Data of a run. Write writes a page as one file
// that loads nothing from elsewhere. Server.Handler serves the same page live;
// there users can take other steps from every state.
//
// The program in front/ builds the front end, one script and one style sheet, from the sources there. A
// test compares the result with the files here.
package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// About describes the model of a run on a page.
type About struct {
	Title   string   `json:"title"`           // of the model, a few words
	Source  string   `json:"source"`          // paper or published model
	Set     []string `json:"set"`             // parameters that differ from their defaults: "n=3"
	Default []string `json:"default"`         // the other parameters that have a value
	Command string   `json:"command"`         // a command that finds the same run; "": none
	Args    string   `json:"args,omitempty"`  // the model with its parameters, as on the command line
	Notes   []string `json:"notes,omitempty"` // further sentences for the head of the page
}

// Data is the content of a page. All strings are plain text, not HTML.
type Data struct {
	Schema   int    `json:"schema"` // 1
	Kind     string `json:"kind"`   // run, live or log
	Sentence string `json:"sentence"`
	// violated, reached, possible, model error, or the verdict on a log
	Verdict string `json:"verdict"`
	Says    string `json:"says"`  // the sentence of the property
	Part    string `json:"part"`  // the part of the property that is violated; see traces.Run.Part
	Model   string `json:"model"` // name
	// index of the property that the run shows; -1: none
	Shown      int        `json:"shown"`
	Culprits   []string   `json:"culprits"`           // processes; see traces.Run.Culprits
	Lanes      []string   `json:"lanes"`              // processes, in the order of the model
	Capacity   int        `json:"capacity"`           // units of the resource; 0: unknown
	Uses       bool       `json:"uses"`               // some process uses units
	Properties []Property `json:"properties"`         // of the model
	Actions    []Action   `json:"actions"`            // of the model
	Steps      []Step     `json:"steps"`              // the first is the initial state
	Roots      []int      `json:"roots"`              // the steps that cause the finding
	Why        string     `json:"why,omitempty"`      // its cause, in a few sentences
	Order      []int      `json:"order,omitempty"`    // the steps of its cause
	Cycle      *Cycle     `json:"cycle"`              // of a run without end
	Points     []Point    `json:"points,omitempty"`   // findings about a log
	Tool       string     `json:"tool"`               // name and version of the program
	API        string     `json:"api,omitempty"`      // of a live page: the address of its questions
	Start      int        `json:"start,omitempty"`    // of a log: the row to begin at; -1: the last one
	Path       []int      `json:"path,omitempty"`     // of a live page: the choices taken
	Initial    int        `json:"initial,omitempty"`  // index of the initial state
	Initials   int        `json:"initials,omitempty"` // number of initial states
	Example    string     `json:"example,omitempty"`  // of a live page: a condition that some run meets
	// of a live page: the names of the steps taken, for a link, and conditions that states meet
	Labels     []string `json:"labels,omitempty"`
	Conditions []string `json:"conditions,omitempty"`
	About
}

// A Property is a property of the model.
type Property struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	Kind string `json:"kind"`
}

// An Action is a kind of step.
type Action struct {
	Name   string `json:"name"`
	Source string `json:"source"` // lines of the paper
	Fault  bool   `json:"fault"`  // the network or the crash adversary takes it
	Takes  bool   `json:"takes"`  // it receives a message
}

// A Step is a row of the diagram: a step of a run, or a line of a log.
type Step struct {
	traces.Step
	Verdicts string   `json:"verdicts,omitempty"` // a letter for each property: v, r, h or -
	Causes   []int    `json:"causes,omitempty"`   // its direct causes, indices of steps
	Choices  []Choice `json:"choices"`            // the steps enabled after it; nil: not given
	Taken    int      `json:"taken"`              // index of the choice that the run takes; -1: none
	Where    string   `json:"where,omitempty"`    // file and line; of a log
	Mark     string   `json:"mark,omitempty"`     // unexplained, missing or departs; of a log
	// Picture shows the state; nil: the model has no pictures.
	Picture *drawing.Drawing `json:"picture,omitempty"`
	Outside bool             `json:"outside,omitempty"` // it leaves the constraint: nothing follows
}

// A Choice is a step that is enabled.
type Choice struct {
	traces.Step
	Breaks  []int `json:"breaks,omitempty"`  // properties that it violates and the state before did not
	Reaches []int `json:"reaches,omitempty"` // goals that it reaches and the state before did not
	Fault   bool  `json:"fault,omitempty"`   // the network or the crash adversary takes it
	Outside bool  `json:"outside,omitempty"` // it leaves the constraint: nothing follows
}

// A Cycle is the cycle of a run without end.
type Cycle struct {
	At       int         `json:"at"` // the last state equals the state after this step
	Fairness []Condition `json:"fairness"`
}

// A Condition is a fairness condition that a cycle satisfies.
type Condition struct {
	Name string `json:"name"`
	Step int    `json:"step"` // a step that the condition forces, or after which no such step is enabled
	How  string `json:"how"`  // the same as text
}

// A Point is a finding about a log.
type Point struct {
	Level   string   `json:"level"`
	Text    string   `json:"text"`
	Details []string `json:"details,omitempty"`
	Row     int      `json:"row"` // the row that it is about; -1: no single row
}

// choicesBudget is the most choices of a page, some 300 bytes each; beyond it the last states keep theirs.
const choicesBudget = 20_000

// Of returns the content of the page of a run.
func Of(r *traces.Run, about About) *Data { return dataOf(r, about, 0) }

// dataOf returns the content of the page of a run, with the rows from step from on.
func dataOf(r *traces.Run, about About, from int) *Data {
	t, in := r.Trace, r.Instance()
	about.Set, about.Default = append([]string{}, about.Set...), append([]string{}, about.Default...)
	d := &Data{
		Schema: 1, Kind: "run", Model: t.Spec, Shown: -1, Capacity: in.Capacity, Tool: t.Tool, About: about,
	}
	d.Properties = printable.Each(in.Space.Properties(), func(p *model.PropertyInfo) Property {
		return Property{p.Name, p.Doc, p.Kind.String()}
	})
	d.show(r)
	d.Actions = printable.Each(in.Space.Actions(), func(a *lts.Action) Action {
		return Action{a.Name, a.Source, a.Kind == protocol.Fault, a.Receipt}
	})
	if t.Mistake != nil {
		d.Says = t.Mistake.What
	}
	d.Steps = stepsOf(r, from)
	d.Lanes = append([]string{}, lanes(t.Steps, d.Steps)...)
	d.Uses = in.Capacity > 0 || slices.ContainsFunc(t.Steps,
		func(s traces.Step) bool { return len(s.Inside) > 0 })
	if t.CycleAt != nil {
		d.Cycle = cycle(r)
		for i := max(0, *t.CycleAt-from); d.Shown >= 0 && i < len(d.Steps); i++ {
			d.Steps[i].Verdicts = d.Steps[i].Verdicts[:d.Shown] + "v" + d.Steps[i].Verdicts[d.Shown+1:]
		}
	}
	return d
}

// show adds the verdict that a run shows, the property with its sentence and its violated part, and the order
// that the violation needs, if one is known.
func (d *Data) show(r *traces.Run) {
	d.Sentence, d.Verdict, d.Part = r.Sentence(), r.Trace.Verdict, r.Part()
	d.Culprits = append([]string{}, r.Culprits()...)
	d.Roots = roots(r.Trace.Steps, d.Culprits)
	for i := range d.Properties {
		if p := &d.Properties[i]; p.Name == r.Trace.Property {
			d.Shown, d.Says = i, p.Doc
		}
	}
	c := r.Cause()
	d.Why, d.Order = c.Text, c.Steps
}

// stepsOf returns the rows of a run from step from on, with the steps enabled after each.
func stepsOf(r *traces.Run, from int) []Step {
	t := r.Trace
	causes := causesOf(t.Steps)
	steps, left := make([]Step, len(t.Steps)-from), choicesBudget
	for i := len(t.Steps) - 1; i >= from; i-- { // the last ones keep their choices
		s := Step{Step: t.Steps[i], Causes: causes[i], Taken: -1}
		if s.Failed == "" {
			if draw := r.Instance().Picture; draw != nil {
				d := draw(r.States[i])
				d.Nodes, d.Links = append([]drawing.Node{}, d.Nodes...), append([]drawing.Link{}, d.Links...)
				s.Picture = &d
			}
			s.Verdicts, s.Choices = letters(r.Verdicts(i)), []Choice{}
			if s.Outside = i > 0 && r.Taken[i-1].Outside; !s.Outside {
				s.Choices, s.Taken = choices(r, i, left)
				left -= len(s.Choices)
			}
		}
		steps[i-from] = s
	}
	return steps
}

// choices returns the steps enabled after step i of a run, and the index of the one taken; -1: none. It
// returns no steps, and -1, if there are more than left.
func choices(r *traces.Run, i, left int) (all []Choice, taken int) {
	defer model.Catch(new(*model.Error)) // if the model fails, there is nothing to choose
	in, enabled := r.Instance(), r.Enabled(i)
	if enabled == nil {
		if e, _ := in.Examine(r.States[i], 0); e != nil { // to take this step is an error
			return []Choice{{Step: traces.Step{Text: e.Error()}}}, -1
		}
	}
	if len(enabled) > left {
		return nil, -1
	}
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

// letters returns a letter for each verdict: v, r, h, or - for others.
func letters(verdicts []string) string {
	var b strings.Builder
	for _, v := range verdicts {
		b.WriteString(strings.Replace(cmp.Or(v, "-")[:1], "f", "-", 1))
	}
	return b.String()
}

// lanes returns the processes of a run, and the processes that have an inbox or could act in one of the rows.
func lanes(steps []traces.Step, rows []Step) []string {
	var further []string
	for _, v := range steps[0].Changed {
		if v.Name == "inbox" || v.Name == "out" {
			further = append(further, v.Owner)
		}
	}
	for i := range rows {
		for k := range rows[i].Choices {
			further = append(further, rows[i].Choices[k].Node)
		}
	}
	return traces.Lanes(steps, further...)
}

// causesOf lists the direct causes of each step. The cause of a step of no process is the step before.
func causesOf(steps []traces.Step) [][]int {
	causes := traces.Causes(steps)
	for i := range steps {
		if i > 0 && steps[i].Node == "" {
			causes[i] = []int{i - 1}
		}
	}
	return causes
}

// roots returns the steps that cause a finding: the last step of the run, and the steps in which the
// culprits began to use units.
func roots(steps []traces.Step, culprits []string) []int {
	n := len(steps) - 1
	at := []int{n}
	for _, u := range steps[n].Inside {
		if !slices.Contains(culprits, u.Owner) {
			continue
		}
		since := n
		for since > 0 && steps[since-1].Uses(u.Owner) {
			since--
		}
		at = append(at, since)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// cycle returns the cycle of a run, with the reasons why it satisfies each fairness condition.
func cycle(r *traces.Run) *Cycle {
	at := *r.Trace.CycleAt
	in := r.Instance()
	return &Cycle{At: at, Fairness: printable.Each(in.Space.Fairness(), func(f *model.Fairness) Condition {
		return keeps(r, in, *f, at)
	})}
}

// keeps returns the reason why the cycle from step at satisfies a fairness condition.
func keeps(r *traces.Run, in model.Instance, f model.Fairness, at int) Condition {
	actions := in.Space.Actions()
	for i := at; i < len(r.Taken); i++ {
		if f.Forces(r.Taken[i].Label(), actions) && r.States[i].Key() != r.States[i+1].Key() {
			return Condition{f.Name, i + 1, fmt.Sprintf("step %d is one", i+1)}
		}
	}
	never, where := true, at
	for i := at; i < max(at+1, len(r.States)-1); i++ {
		key := r.States[i].Key()
		enabled := slices.ContainsFunc(r.Enabled(i), func(t lts.Transition) bool {
			return f.Forces(t.Label(), actions) && t.Next.Key() != key
		})
		if never = never && !enabled; !enabled {
			where = i
		}
	}
	if never {
		return Condition{f.Name, where, "never enabled in the cycle"}
	}
	return Condition{f.Name, where, fmt.Sprintf("not enabled after step %d", where)}
}
