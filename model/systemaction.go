package model

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// A SystemAction is a family of steps, one for each instance that is enabled.
type SystemAction[S comparable] struct {
	Name   string
	Source string
	Kind   protocol.ActionKind
	// Fair holds for each instance by itself.
	Fair Strength

	Instances int // up to 65,536; 0 means 1
	// Do carries out instance i of the action in s and returns true, or returns
	// false if the instance is not enabled: its changes are discarded then.
	Do func(s *S, i int, c *Choice) bool

	// Traced does the same, and sets in touched the bits of a state, as it stands in memory, that Do reads or
	// changes; nil: they are not known. If all actions have it, the search executes an instance once for each
	// value of these bits.
	Traced func(s *S, i int, c *Choice, touched []uint32) bool

	// Owner returns the process that takes an instance, as an index into System.Processes; nil: none
	// in particular.
	Owner func(i int) int
	// Text describes an instance; nil: the name, followed by the number of the instance where there are
	// several.
	Text func(i int) string

	owners []int // per instance; nil: none in particular
}

const maxInstances = 1 << 16

// unfolded returns actions in the form for the search: numbered instances.
func unfolded[S comparable](actions []SystemAction[S]) []SystemAction[S] {
	actions = slices.Clone(actions)
	for i := range actions {
		a := &actions[i]
		a.Instances = max(1, a.Instances)
		for i := 0; i < a.Instances && a.Owner != nil; i++ {
			a.owners = append(a.owners, a.ask(i))
		}
	}
	return actions
}

func (a *SystemAction[S]) ask(i int) int {
	defer check.Named(func() Error { return Error{Part: "Owner of action " + a.Name} })
	return a.Owner(i)
}

func (a *SystemAction[S]) text(i int) string {
	switch {
	case a.Text != nil:
		return a.Text(i)
	case a.Instances > 1:
		return fmt.Sprintf("%s(%d)", a.Name, i)
	}
	return a.Name
}

// owner returns the process that takes instance i; -1: none in particular.
func (a *SystemAction[S]) owner(i int) int {
	if a.owners == nil {
		return -1
	}
	return a.owners[i]
}

// conditions returns all fairness conditions of steps. The actions are unfolded.
func (sys *system) conditions() []Fairness {
	fs := slices.Clip(sys.System.Fairness)
	for k := range sys.System.Actions {
		a := &sys.System.Actions[k]
		for i := 0; a.Fair != NoFairness && i < a.Instances; i++ {
			l := protocol.InstanceLabel(k, i)
			fs = append(fs, Fairness{
				Name: fmt.Sprintf("%v fairness of %s", a.Fair, a.text(i)), Strong: a.Fair == StrongFairness,
				Has: func(taken Label) bool { return taken == l },
			})
		}
	}
	return fs
}

func (sys *system) dead(s value, p int) bool { return sys.Dead != nil && sys.Dead(s, p) }

func (sys *system) crashes(from, to *systemState, p int) bool {
	defer check.Named(func() Error { return Error{Part: "Dead", State: check.Described(to)} })
	return sys.dead(to.s, p) && !sys.dead(from.s, p)
}

func (sys *system) units(s value, p int) int {
	if sys.Units == nil || sys.dead(s, p) {
		return 0
	}
	n := sys.Units(s, p)
	if n < 0 || n > largestUse {
		e := noUnits(n, largestUse, sys.Units)
		e.Process = sys.Processes[p]
		panic(e)
	}
	return n
}

func (sys *system) use(s value) (used, live int) {
	for p := range sys.Processes {
		if !sys.dead(s, p) {
			used, live = used+sys.units(s, p), live+1
		}
	}
	return used, live
}

// taking is the context of a step with a label.
func (sys *system) taking(l Label) Error {
	action := &sys.System.Actions[l.Action]
	e := Error{Part: "action " + action.text(l.Instance()), Action: action.Name, Label: l}
	if owner := action.owner(l.Instance()); owner >= 0 {
		e.Process = sys.Processes[owner]
	}
	return e
}

// by returns the process that takes the steps with a label: the owner, or the low byte of the instance.
func (sys *system) by(l Label) Proc {
	if owner := sys.System.Actions[l.Action].owner(l.Instance()); owner >= 0 {
		return Proc(owner)
	}
	return Proc(l.Proc)
}

func (sys *system) vars(st *systemState) []Var {
	if sys.Vars != nil {
		defer check.Named(func() Error { return Error{Part: "Vars", State: st.Key()} })
		return grouped(sys.Vars(sys.of.Copied(st.s)))
	}
	defer check.Named(check.Shower("the state", "", sys.of.Any(st.s)))
	return values.Fields("", sys.of.Any(st.s), Names{})
}

// grouped puts the variables of each owner together, owners in the order of their first variable.
func grouped(vars []Var) []Var {
	first := map[string]int{}
	for i, v := range vars {
		if _, known := first[v.Owner]; !known {
			first[v.Owner] = i
		}
	}
	slices.SortStableFunc(vars, func(a, b Var) int { return first[a.Owner] - first[b.Owner] })
	return vars
}
