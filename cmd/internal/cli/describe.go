package cli

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/cluster"
)

// The forms of `list --format json` and `show --format json`, as catalogue.schema.json has them.
// Fields may be added; these stay.
type (
	jsonCatalogue struct {
		Tool   string      `json:"tool"` // name and version of the program
		Models []jsonModel `json:"models"`
	}

	// jsonModel is what a spec declares; with what show adds of an instance.
	jsonModel struct {
		Name       string          `json:"name"`
		Title      string          `json:"title"`
		Source     string          `json:"source"`
		Doc        string          `json:"doc"`
		Parameters []jsonParameter `json:"parameters"`
		References []jsonReference `json:"references"`
		Paper      string          `json:"paper,omitempty"` // authors, title and year
		Drawn      bool            `json:"drawn"`           // show --draw has a picture
		Instance   *jsonInstance   `json:"instance,omitempty"`
	}

	jsonParameter struct {
		Name    string   `json:"name"`
		Doc     string   `json:"doc"`
		Default string   `json:"default"` // "": it depends on others, or there is none
		About   string   `json:"about"`   // algorithm, network or search
		Form    string   `json:"form"`
		Allowed string   `json:"allowed"`
		Range   *[2]int  `json:"range,omitempty"`
		Words   []string `json:"words,omitempty"`
	}

	jsonReference struct {
		Arguments string         `json:"arguments"`
		States    int            `json:"states"`
		Generated int            `json:"generated,omitempty"`
		Depth     int            `json:"depth"`
		Violated  map[string]int `json:"violated,omitempty"`
		Large     bool           `json:"large,omitempty"`
		From      string         `json:"from"`
	}

	jsonInstance struct {
		Arguments  map[string]string  `json:"arguments"`
		Capacity   int                `json:"capacity,omitempty"` // units that there are
		Bounds     string             `json:"bounds,omitempty"`
		Symmetry   bool               `json:"symmetry"`
		Runnable   bool               `json:"runnable"` // by real processes: the verb run
		Processes  []string           `json:"processes,omitempty"`
		Actions    []jsonActionText   `json:"actions"`
		Properties []jsonPropertyText `json:"properties"`
		Fairness   []jsonFairness     `json:"fairness,omitempty"`
		Delivery   string             `json:"delivery,omitempty"` // fairness to messages
	}

	jsonActionText struct {
		Name    string `json:"name"`
		Source  string `json:"source,omitempty"`
		Kind    string `json:"kind"`
		Receipt bool   `json:"receipt,omitempty"`
	}

	jsonPropertyText struct {
		Name      string      `json:"name"`
		Doc       string      `json:"doc"`
		Source    string      `json:"source,omitempty"`
		Kind      string      `json:"kind"`
		Units     bool        `json:"units,omitempty"` // it looks at the units in use
		OnRequest bool        `json:"on-request,omitempty"`
		Moot      string      `json:"not-asked-because,omitempty"`
		Excuse    string      `json:"vacuous-because,omitempty"`
		Steps     []string    `json:"steps,omitempty"`
		From      []string    `json:"out-of-reach-from,omitempty"`
		Lassos    []jsonLasso `json:"lassos,omitempty"`
		Costs     *jsonCosts  `json:"costs,omitempty"`
	}

	jsonLasso struct {
		Part      string `json:"part,omitempty"`
		Initially bool   `json:"initially,omitempty"` // it starts in an initial state
		Visits    int    `json:"visits"`              // classes of states that it comes to again and again
	}

	jsonCosts struct {
		Opens  []string `json:"opens,omitempty"` // absent: whole runs
		Closes []string `json:"closes,omitempty"`
		Least  int      `json:"least"`
		Most   int      `json:"most,omitempty"` // absent: no limit
	}

	jsonFairness struct {
		Name   string `json:"name"`
		Strong bool   `json:"strong,omitempty"`
	}
)

// catalogue describes all models of the program.
func (p *Program) catalogue() jsonCatalogue {
	all := jsonCatalogue{Tool: p.Tool(), Models: []jsonModel{}}
	for i := range p.Specs {
		all.Models = append(all.Models, describe(&p.Specs[i]))
	}
	return all
}

// describe describes a model.
func describe(spec *model.Spec) jsonModel {
	m := jsonModel{
		Name: spec.Name, Title: spec.Title, Source: spec.Source, Doc: spec.Doc,
		Parameters: []jsonParameter{}, References: []jsonReference{}, Paper: spec.Paper,
		Drawn: spec.Draw != nil,
	}
	about := map[string]string{}
	for _, p := range param.Network("") {
		about[p.Name] = "network"
	}
	for _, p := range param.Endless() {
		about[p.Name] = "search"
	}
	for _, p := range spec.Params {
		j := jsonParameter{
			p.Name, p.Doc, p.Default, "algorithm", p.Type.Form, p.Type.Allowed, p.Type.Range, p.Type.Words,
		}
		if of, known := about[p.Name]; known {
			j.About = of
		}
		m.Parameters = append(m.Parameters, j)
	}
	for _, r := range spec.References {
		m.References = append(m.References, jsonReference{
			r.Args, r.States, r.Generated, r.Depth, r.Violated, r.Large, r.From,
		})
	}
	return m
}

// describeInstance describes an instance of a model.
func describeInstance(in model.Instance, args *model.Args) *jsonInstance {
	j := &jsonInstance{
		Arguments: map[string]string{}, Capacity: in.Capacity, Bounds: in.Space.Bounds(),
		Symmetry: in.Space.Reduced(), Runnable: cluster.Nodes(in) != nil,
		Actions: []jsonActionText{}, Properties: []jsonPropertyText{},
	}
	for _, kv := range args.List() {
		j.Arguments[kv[0]] = kv[1]
	}
	if in.Interp != nil {
		j.Processes = in.Interp.Names
	}
	for _, act := range in.Space.Actions() {
		kind := [...]string{protocol.Ordinary: "ordinary", model.Spontaneous: "spontaneous",
			model.Fault: "fault"}[act.Kind]
		j.Actions = append(j.Actions, jsonActionText{act.Name, act.Source, kind, act.Receipt})
	}
	for _, p := range in.Space.Properties() {
		j.Properties = append(j.Properties, describeProperty(&p))
	}
	for _, f := range in.Space.Fairness() {
		j.Fairness = append(j.Fairness, jsonFairness{f.Name, f.Strong})
	}
	j.Delivery = [...]string{lts.AnyDelivery: "", lts.WeakDelivery: "weak",
		lts.StrongDelivery: "strong"}[in.Space.Delivery()]
	return j
}

// describeProperty describes a property.
func describeProperty(p *model.PropertyInfo) jsonPropertyText {
	j := jsonPropertyText{
		Name: p.Name, Doc: p.Doc, Source: p.Source, Kind: p.Kind.String(), Units: p.OfUse,
		OnRequest: p.OnRequest, Moot: p.Moot, Excuse: p.Excuse, Steps: p.Steps, From: p.Origins,
	}
	for _, l := range p.Lassos {
		j.Lassos = append(j.Lassos, jsonLasso{l.Part, l.Initially, l.Visits})
	}
	if b := p.Bound; b != nil {
		j.Costs = &jsonCosts{b.Opens, b.Closes, b.Least, b.Most}
	}
	return j
}
