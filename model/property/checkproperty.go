package property

import (
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Context is the model whose properties are checked.
type Context struct {
	Model     string // "Composition" or "System"
	Actions   []lts.Action
	Elsewhere []string // actions of other instances
	Units     bool     // processes use units of a resource
}

// stateForms are the fields of a Property that judge states: a property of states needs one of them.
// The last three are for a Composition.
var stateForms = []string{"Holds", "OfUse", "OfLocal", "OfInbox", "OfCount"}

// formsOf has the fields that a property of a kind may have.
var formsOf = [numKinds][]string{
	Invariant:     {"Holds", "OfUse", "OfLocal", "OfInbox", "OfCount", "Clear"},
	Reachable:     {"Holds", "OfUse", "OfLocal", "OfInbox", "Origins"},
	Quiet:         stateForms,
	DeadlockFree:  nil,
	StepInvariant: {"HoldsStep", "Steps"},
	Liveness:      {"Lassos"},
	Costs:         {"Cost"},
}

// forms returns the names of the fields with demands that are set.
func (p *Property[S]) forms() (given []string) {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		empty := f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0
		if name == "Each" && !f.IsZero() || !empty && slices.Contains(slices.Concat(formsOf[:]...), name) {
			given = append(given, name)
		}
	}
	return given
}

// CheckProperties checks the properties of a model.
func CheckProperties(c *check.Checker, ps []Erased, in Context) {
	c.Demand(len(ps) <= lts.MaxProperties, "%d properties; allowed are %d", len(ps), lts.MaxProperties)
	c.Names("property", "Name", len(ps), func(i int) string { return ps[i].Name })
	for i := range ps {
		p := &ps[i]
		c.Word("property", "Name", p.Name)
		if p.Each == nil {
			checkProperty(c, "property "+p.Name, p, in)
			continue
		}
		checkEach(c, "property "+p.Name, p, in)
	}
}

func checkEach(c *check.Checker, where string, p *Erased, in Context) {
	c.Demand(len(p.Each) > 0, "%s: Each is of no property", where)
	c.Demand(len(p.forms()) == 1, "%s: beside Each it has %s, which is ignored",
		where, strings.Join(p.forms()[:len(p.forms())-1], ", "))
	c.Demand(p.Kind != Reachable && p.Kind != Costs && p.Kind != DeadlockFree,
		"%s: Each is of properties of kind %v, which cannot be one: ask for them one by one", where, p.Kind)
	for k := range p.Each {
		part := &p.Each[k]
		c.Demand(part.Kind == p.Kind,
			"%s: Each is of properties of different kinds, %v and %v: ask for them one by one",
			where, p.Kind, part.Kind)
		c.Demand(part.Each == nil, "%s: Each is of a property made by Each", where)
		c.Demand(slices.Equal(part.Steps, p.Each[0].Steps),
			"%s: Each is of properties with different Steps: ask for them one by one", where)
		checkProperty(c, where+", its part "+part.Name, part, in)
	}
}

func checkProperty(c *check.Checker, where string, p *Erased, in Context) {
	if p.Kind >= numKinds {
		c.Wrong("%s: Kind %d does not exist; allowed are Invariant to Costs", where, p.Kind)
		return
	}
	c.Demand(p.Idle == "" || p.Kind == Quiet, "%s: it has Idle, which a property of kind %v does not use",
		where, p.Kind)
	given := p.forms()
	var state []string
	for _, f := range given {
		c.Demand(slices.Contains(formsOf[p.Kind], f),
			"%s: it has %s, which a property of kind %v does not use; allowed: %s",
			where, f, p.Kind, check.OrNone(formsOf[p.Kind]))
		if slices.Contains(stateForms, f) {
			state = append(state, f)
		}
		composed := f == "Clear" || slices.Contains(stateForms[2:], f)
		c.Demand(!composed || in.Model == "Composition",
			"%s: %s is for a Composition, in a %s it is ignored: use Holds", where, f, in.Model)
	}
	switch p.Kind {
	case Invariant, Reachable, Quiet:
		c.Demand(len(state) > 0, "%s: it has none of %s, so there is nothing to judge states by",
			where, strings.Join(stateForms, ", "))
		c.Demand(len(state) <= 1,
			"%s: it has %s, and only one of them would be used", where, strings.Join(state, " and "))
		c.Demand(p.OfCount == nil || p.OfCount.Local != nil || p.OfCount.Inbox != nil,
			"%s: OfCount has neither Local nor Inbox, so nothing is counted", where)
		c.Demand(p.Clear == nil || p.Holds != nil, "%s: Clear stands beside Holds, which is missing", where)
		c.Demand(p.OfUse == nil || in.Units,
			"%s: OfUse reads the units in use, but %s.Units is nil, so none ever is", where, in.Model)
	case StepInvariant:
		c.Demand(p.HoldsStep != nil, "%s: HoldsStep is nil, so there is nothing to judge steps by", where)
		c.Demand(len(p.Steps) > 0, "%s: Steps names no action, so no step is judged", where)
		if !slices.Equal(p.Steps, []string{AnyStep}) {
			c.Named(where+": Steps", p.Steps, in.Actions, in.Elsewhere...)
		}
	case Liveness:
		c.Demand(len(p.Lassos) > 0, "%s: it has no Lassos, so no run violates it", where)
		for k, l := range p.Lassos {
			c.Demand(len(l.Visits) <= lts.MaxFair, "%s: Lassos[%d] visits %d kinds of states; allowed are %d",
				where, k, len(l.Visits), lts.MaxFair)
			for v, visit := range l.Visits {
				c.Demand(visit != nil, "%s: Lassos[%d].Visits[%d] is nil", where, k, v)
			}
		}
	case Costs:
		checkCost(c, where, p.Cost, p.Trivial, in)
	}
	for i, o := range p.Origins {
		c.Demand(o.In != nil && o.Name != "", "%s: Origins[%d] needs a Name and In", where, i)
	}
}

func checkCost(c *check.Checker, where string, cost *Cost[codec.Opaque], trivial string, in Context) {
	if cost == nil {
		c.Wrong("%s: Cost is nil, so there is nothing to count", where)
		return
	}
	c.Demand(in.Model == "Composition", "%s: a %s sends no messages that Cost could count", where, in.Model)
	b := &cost.Bound
	c.Demand(len(b.Opens) > 0 == (len(b.Closes) > 0),
		"%s: Cost.Opens and Cost.Closes name actions both, or neither does", where)
	c.Named(where+": Cost.Opens", b.Opens, in.Actions, in.Elsewhere...)
	c.Named(where+": Cost.Closes", b.Closes, in.Actions, in.Elsewhere...)
	c.Demand(b.Whole() == (cost.Served != nil),
		"%s: Cost.Served is for bounds on whole runs, which name no actions, and they need it", where)
	c.Demand(b.Least >= 0 && b.Most >= 0 && (b.Most == 0 || b.Least <= b.Most),
		"%s: Cost.Least is %d and Cost.Most %d; allowed is 0 or more, Most 0 (no limit) or not below Least",
		where, b.Least, b.Most)
	c.Demand(b.Least > 0 || b.Most > 0 || trivial != "",
		"%s: Cost.Least and Cost.Most are 0, so any number of messages is within the bounds", where)
}

// CheckActions checks actions of any model.
func CheckActions(k *check.Checker, actions []lts.Action) {
	k.Demand(len(actions) <= protocol.MaxActions, "%d actions; allowed are %d", len(actions),
		protocol.MaxActions)
	k.Names("action", "Name", len(actions), func(i int) string { return actions[i].Name })
}

// CheckFairness demands that each condition is about at least one step. labels returns the labels that
// an action can have.
func CheckFairness(k *check.Checker, conditions []Fairness, actions []lts.Action,
	labels func(a int) []protocol.Label,
) {
	k.Names("fairness condition", "Name", len(conditions), func(i int) string { return conditions[i].Name })
	var all []protocol.Label
	for a := 0; a < len(actions) && conditions != nil; a++ {
		all = append(all, labels(a)...)
	}
	for i := range conditions {
		f := &conditions[i]
		if f.Has == nil {
			k.Wrong("Fairness[%d] %s: Has is nil: it says which steps the condition is about", i, f.Name)
			return
		}
		k.Demand(slices.ContainsFunc(all, f.Has),
			"Fairness[%d] %s: Has holds of no label, so it forces nothing; actions are numbered from 0 to "+
				"%d, processes and instances from 0",
			i, f.Name, len(actions)-1)
		k.Demand(slices.ContainsFunc(all, func(l protocol.Label) bool { return f.Forces(l, actions) }),
			"Fairness[%d] %s: it is about no ordinary step, and only those are ever forced", i, f.Name)
	}
}

// CheckAssume checks fairness about states.
func CheckAssume(k *check.Checker, conditions []StateFairness[codec.Opaque]) {
	for i, c := range conditions {
		k.Demand(c.Then != nil, "Assume[%d]: Then is nil: it says what holds again and again", i)
	}
}

// CheckCapacity checks that a capacity is not negative and has units to count.
func CheckCapacity(k *check.Checker, model string, capacity int, units bool) {
	k.Demand(capacity >= 0, "%s.Capacity is %d; allowed is 0 (not known) or more", model, capacity)
	k.Demand(capacity == 0 || units,
		"%s.Capacity is %d, but %s.Units is nil, so no unit is ever in use", model, capacity, model)
}
