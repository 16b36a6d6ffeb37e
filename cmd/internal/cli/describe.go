package cli

import (
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/papers"
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
		Papers []jsonPaper `json:"papers"` // of which they are models
	}

	// jsonModel is what a spec declares; with what show adds of an instance, and of the paper.
	jsonModel struct {
		Name       string          `json:"name"`
		Title      string          `json:"title"`
		Source     string          `json:"source"`
		Doc        string          `json:"doc"`
		Parameters []jsonParameter `json:"parameters"`
		References []jsonReference `json:"references"`
		Paper      string          `json:"paper,omitempty"` // its name
		Drawn      bool            `json:"drawn"`           // show --draw has a picture
		Instance   *jsonInstance   `json:"instance,omitempty"`
		Claims     []jsonClaimText `json:"claims,omitempty"`
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

	jsonPaper struct {
		Name    string          `json:"name"`
		Authors string          `json:"authors"`
		Title   string          `json:"title"`
		Venue   string          `json:"venue,omitempty"`
		Year    string          `json:"year,omitempty"`
		ID      string          `json:"id,omitempty"`
		URL     string          `json:"url,omitempty"`
		Claims  []jsonClaimText `json:"claims"`
	}

	jsonClaimText struct {
		Key    string `json:"key"`
		Claim  string `json:"claim"`
		Place  string `json:"place"`
		Text   string `json:"text"`
		Ruling string `json:"ruling,omitempty"`
	}
)

// catalogue describes all models and papers of the program.
func (p *Program) catalogue() jsonCatalogue {
	all := jsonCatalogue{Tool: p.Tool(), Models: []jsonModel{}, Papers: []jsonPaper{}}
	for i := range p.Specs {
		all.Models = append(all.Models, describe(&p.Specs[i]))
	}
	for _, paper := range p.papers() {
		s := paper.Source
		all.Papers = append(all.Papers, jsonPaper{
			paper.Name, s.Authors, s.Title, s.Venue, s.Year, s.ID, s.URL, describeClaims(paper),
		})
	}
	return all
}

// describe describes a model.
func describe(spec *model.Spec) jsonModel {
	m := jsonModel{
		Name: spec.Name, Title: spec.Title, Source: spec.Source, Doc: spec.Doc,
		Parameters: []jsonParameter{}, References: []jsonReference{}, Drawn: spec.Draw != nil,
	}
	if spec.Paper != nil {
		m.Paper = spec.Paper.Name
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

// describeClaims lists what a paper claims.
func describeClaims(p *papers.Paper) []jsonClaimText {
	all := []jsonClaimText{}
	for i := range p.Open().Claims {
		c := &p.Claims[i]
		all = append(all, jsonClaimText{c.Key(), c.Name, where(c), c.Text, string(c.Ruling)})
	}
	return all
}

// where is the place of a claim in its paper.
func where(c *papers.Claim) string {
	parts := []string{c.Place}
	if c.Page != "" {
		parts = append(parts, "page "+c.Page)
	}
	if c.Line != "" {
		parts = append(parts, c.Line)
	}
	return strings.Join(parts, ", ")
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
