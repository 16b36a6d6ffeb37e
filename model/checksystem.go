package model

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// maxNamed is how many Processes a system may have: a Proc has one byte.
const maxNamed = 1 << 8

// check returns the first mistake in a system.
func (sys *system) check() error {
	var k check.Checker
	_, why := layoutOf(sys.of.Type)
	k.Demand(why == "", "%s", why)
	for i := range sys.System.Actions {
		sys.System.Actions[i].check(&k, i)
	}
	if k.First != nil {
		return k.Err()
	}
	as := system{System: System[codec.Opaque]{Actions: unfolded(sys.System.Actions)}}
	actions := listed(as.System.Actions)
	k.Demand(len(actions) > 0, "System.Actions is empty, so nothing ever happens")
	property.CheckActions(&k, actions)
	sys.checkProcesses(&k, as.System.Actions)
	for i, sym := range sys.Symmetry {
		k.Demand(sym.Size >= 1, "Symmetry[%d]: Size is %d; allowed is 1 or more", i, sym.Size)
		k.Demand(sym.Colour != nil && sym.Swap != nil,
			"Symmetry[%d]: Colour and Swap are both needed, and one of them is nil", i)
	}
	property.CheckProperties(&k, sys.System.Properties, property.Surroundings{
		Model: "System", Actions: actions, Units: sys.Units != nil,
	})
	property.CheckFairness(&k, sys.System.Fairness, actions, func(a int) (ls []Label) {
		for i := range as.System.Actions[a].Instances {
			ls = append(ls, protocol.InstanceLabel(a, i))
		}
		return ls
	})
	if k.First == nil { // with those beside the actions, which are about their steps
		as.System.Fairness = sys.System.Fairness
		fs := as.conditions()
		k.Names("fairness condition", "Name", len(fs), func(i int) string { return fs[i].Name })
	}
	property.CheckAssume(&k, sys.Assume)
	k.Demand(len(sys.init) > 0, "System.Init is empty: there is no initial state")
	if k.First == nil && sys.Constraint != nil {
		inside := false
		for _, state := range sys.init {
			inside = inside || sys.Constraint(sys.of.Copied(state))
		}
		k.Demand(inside, "Constraint rejects all of System.Init, so there is no state to begin with")
	}
	return k.Err()
}

// check looks for a mistake in action number i.
func (a *SystemAction[S]) check(k *check.Checker, i int) {
	k.Demand(a.Kind <= Fault,
		"Actions[%d] %s: Kind %d does not exist; allowed are Ordinary, Spontaneous, Fault", i, a.Name, a.Kind)
	k.Demand(a.Fair <= StrongFairness,
		"Actions[%d] %s: Fair %d does not exist; allowed are NoFairness, WeakFairness, StrongFairness",
		i, a.Name, a.Fair)
	k.Demand(a.Fair == NoFairness || a.Kind == protocol.Ordinary,
		"Actions[%d] %s: Fair is %v, but only ordinary steps are ever forced", i, a.Name, a.Fair)
	if a.Ranges == nil {
		k.Demand(a.Do != nil, "Actions[%d] %s: Do is nil", i, a.Name)
		k.Demand(a.DoAll == nil,
			"Actions[%d] %s: DoAll is for an action of several parameters, and Ranges is nil: use Do", i,
			a.Name)
		k.Demand(a.Instances >= 0 && a.Instances <= maxInstances,
			"Actions[%d] %s: Instances is %d; allowed is 1 to %d, and 0 for 1", i, a.Name, a.Instances,
			maxInstances)
		return
	}
	k.Demand(a.DoAll != nil, "Actions[%d] %s: DoAll is nil: beside Ranges it stands in place of Do", i,
		a.Name)
	k.Demand(a.Do == nil && a.Instances == 0,
		"Actions[%d] %s: beside Ranges it has Do or Instances, which are not looked at: use DoAll", i, a.Name)
	instances := 1
	for p, n := range a.Ranges {
		if n < 1 || n > maxInstances/instances {
			k.Wrong("Actions[%d] %s: Ranges[%d] is %d; allowed is 1 or more, up to %d instances in all",
				i, a.Name, p, n, maxInstances)
			return
		}
		instances *= n
	}
}

// checkProcesses looks at what a system says of processes; its actions come unfolded.
func (sys *system) checkProcesses(k *check.Checker, actions []SystemAction[codec.Opaque]) {
	k.Demand(len(sys.Processes) <= maxNamed,
		"System.Processes has %d names; allowed are %d", len(sys.Processes), maxNamed)
	k.Names("process", "name", len(sys.Processes), func(p int) string { return sys.Processes[p] })
	for _, f := range []struct {
		name  string
		given bool
	}{{"Units", sys.Units != nil}, {"Dead", sys.Dead != nil}} {
		k.Demand(!f.given || sys.Processes != nil,
			"System.%s is about the processes, and System.Processes, which names them, is nil", f.name)
	}
	property.CheckCapacity(k, "System", sys.Capacity, sys.Units != nil)
	for i := range actions {
		a := &actions[i]
		for x, who := range a.owners {
			if who < 0 || who >= len(sys.Processes) {
				k.Wrong("Actions[%d] %s: the Owner of %s is %d, but System.Processes has %d names",
					i, a.Name, a.text(x), who, len(sys.Processes))
				return
			}
		}
	}
}
