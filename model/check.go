package model

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// CheckNames returns an *Error if two specs have the same name, or one has none.
func CheckNames(specs []Spec) error {
	var c check.Checker
	c.Names("model", "Name", len(specs), func(i int) string { return specs[i].Name })
	return c.Err()
}

// Check returns the first mistake in what a spec declares, an *Error, or nil. The models that
// it builds are checked by Instantiate.
func (s *Spec) Check() error {
	s = s.Loaded()
	c := check.Checker{Of: "model " + s.Name}
	c.Word("model", "Name", s.Name)
	c.Demand(s.Build != nil, "Build is nil: it returns the instance that the arguments describe")
	c.Names("parameter", "Name", len(s.Params), func(i int) string { return s.Params[i].Name })
	for _, p := range s.Params {
		c.Word("parameter", "Name", p.Name)
		c.Demand(!strings.Contains(p.Name, "="),
			"parameter %q: Name holds =, so key=value cannot give it", p.Name)
		if !p.Type.Declared() {
			c.Wrong("parameter %s has no Type: allowed are IntRange, OneOf, Processes and the others "+
				"of package param", p.Name)
		} else if p.Default != "" && !p.Type.Allows(p.Default, false) {
			c.Wrong("parameter %s: Default %q is not among what its Type allows: %s",
				p.Name, p.Default, p.Type.Allowed)
		}
	}
	return c.Err()
}

// checkTypes returns the mistake that a state cannot hold a type of the composition.
func (c *composition) checkTypes() error {
	var k check.Checker
	why := cmp.Or(codec.NoValue(c.messages.Type, "the message"),
		codec.NoValue(c.locals.Type, "the local state"), codec.NoValue(c.histories.Type, "the history"))
	k.Demand(why == "", "%s", why)
	return k.Err()
}

// check returns the first mistake in a composition of values.
func (c *composition) check() error {
	var k check.Checker
	k.Demand(c.N >= 1 && c.N <= c.most(), "Composition.N is %d; allowed are 1 to %d processes", c.N, c.most())
	k.Demand(c.Init != nil, "Composition.Init is nil: it returns the initial local state of each process")
	k.Demand(c.Names.Each == nil || len(c.Names.Each) == c.N,
		"Names.Each has %d names, but Composition.N is %d", len(c.Names.Each), c.N)
	if k.First != nil {
		return k.Err()
	}
	for i, h := range c.Local {
		k.Demand(h.Do != nil, "Local[%d] %s: Do is nil", i, h.Name)
		k.Demand(h.Kind <= Fault,
			"Local[%d] %s: Kind %d does not exist; allowed are Ordinary, Spontaneous, Fault",
			i, h.Name, h.Kind)
	}
	for i, r := range c.Receive {
		k.Demand(r.Accepts != nil,
			"Receive[%d] %s: Accepts is nil: it says which messages the handler is for", i, r.Name)
		k.Demand(r.Do != nil, "Receive[%d] %s: Do is nil", i, r.Name)
	}
	k.Demand(c.Notice == nil || c.Notice.Do != nil, "Notice: Do is nil")
	k.Demand(len(c.actions) > 0,
		"Composition.Local and Composition.Receive are empty, so nothing ever happens")
	property.CheckActions(&k, c.actions)
	c.checkNetwork(&k)
	all := Set(0)
	for i, s := range c.Symmetry {
		k.Demand(s&^All(c.N) == 0 && s&all == 0,
			"Symmetry[%d] is %s; allowed are processes of the model, each in one set", i,
			s.Format(c.Names.First))
		all |= s
	}
	c.checkLinks(&k)
	k.Demand(c.History.Step != nil || !c.History.Guards,
		"History.Guards: there is no History.Step that could exclude a step")
	if cl := c.Clocks; cl != nil {
		k.Demand(cl.Local != nil && cl.Message != nil,
			"Clocks: Local and Message have to visit the times, and one of them is nil")
		k.Demand(!cl.ByOrder || cl.Seen != nil && cl.MaxSkew == 0 && c.Links == nil,
			"Clocks.ByOrder needs Clocks.Seen, which visits the clocks, MaxSkew 0, and channels for Links")
		k.Demand(cl.MaxSkew >= 0, "Clocks.MaxSkew is %d; allowed is 0 (no bound) or more", cl.MaxSkew)
		k.Demand((cl.Within == nil) == (cl.Limit == ""),
			"Clocks.Within needs Clocks.Limit, which says it in words, and the other way round")
	}
	k.Demand(c.Delivery <= lts.StrongDelivery,
		"Composition.Delivery %d does not exist; allowed are AnyDelivery, WeakDelivery, StrongDelivery",
		c.Delivery)
	property.CheckProperties(&k, c.Properties, property.Context{
		Model: "Composition", Actions: c.actions, Units: c.Composition.Units != nil,
		Elsewhere: []string{"crash", "crash while sending", "lose", "copy", "split", "heal", "break"},
	})
	property.CheckFairness(&k, c.Fairness, c.actions, func(a int) (ls []Label) {
		for x := range c.N * c.N {
			ls = append(ls, Label{Action: uint16(a), Proc: uint8(x / c.N), Peer: uint8(x % c.N)})
		}
		return ls
	})
	property.CheckAssume(&k, c.Assume)
	property.CheckCapacity(&k, "Composition", c.Capacity, c.Composition.Units != nil)
	if k.First == nil && c.Constraint != nil {
		first := interp.New(c).Start()
		for p := range Proc(c.N) {
			k.Demand(c.Constraint(p, first.Local(p)),
				"Constraint rejects the initial local state of %s, so there is no state to begin with",
				c.Names.Of(p))
		}
	}
	return k.Err()
}

func (c *composition) checkNetwork(k *check.Checker) {
	nw := &c.Network
	beyond := (nw.Dead | nw.Crashable) &^ All(c.N)
	k.Demand(nw.Channel <= FIFO, "Network.Channel %d does not exist; allowed are Bag, FIFO", nw.Channel)
	k.Demand(nw.CrashSends <= Subset,
		"Network.CrashSends %d does not exist; allowed are NoPart, Prefix, Subset", nw.CrashSends)
	k.Demand(beyond == 0,
		"Network: Dead or Crashable has %s, but Composition.N is %d", beyond.Format(c.Names.First), c.N)
	recurring := c.recovers() && nw.Crashes >= 0 && nw.Crashes <= math.MaxUint8
	k.Demand(nw.Crashes >= nw.Dead.Len() && nw.Crashes <= c.N || recurring,
		"Network.Crashes is %d; allowed are %d (those of Network.Dead) to Composition.N=%d, and with "+
			"Recover 0 to 255",
		nw.Crashes, nw.Dead.Len(), c.N)
	k.Demand(!c.mayEver() || nw.Crashable != 0,
		"Network.Crashes is %d, but Network.Crashable is empty, so nobody ever crashes", nw.Crashes)
	k.Demand(nw.MaxInFlight >= 0,
		"Network.MaxInFlight is %d; allowed is 0 (no bound) or more", nw.MaxInFlight)
	for i, l := range nw.Limits {
		k.Demand(l.Among&^All(c.N) == 0 && l.Crashes >= 0,
			"Network.Limits[%d]: Among has to be processes of the model, and Crashes 0 or more", i)
	}
	f := &nw.Faults
	k.Demand(f.Breaks >= 0 && f.Breaks <= math.MaxUint8 && (f.Breaks == 0 || c.Links != nil),
		"Network.Faults.Breaks is %d; allowed are 0 to %d, and only where the medium is Links",
		f.Breaks, math.MaxUint8)
	k.Demand(!f.Lasting || f.Breaks > 0,
		"Network.Faults.Lasting is set, but no link breaks: Network.Faults.Breaks is 0")
	k.Demand(f.Losses >= 0 && f.Losses <= math.MaxUint8 && f.Copies >= 0 && f.Copies <= math.MaxUint8,
		"Network.Faults: %d losses and %d copies; allowed are 0 to %d each", f.Losses, f.Copies,
		math.MaxUint8)
	k.Demand(f.On == nil || len(f.On) == c.N,
		"Network.Faults.On has %d sets, but Composition.N is %d: one for each sender", len(f.On), c.N)
	k.Demand(f.Split&^All(c.N) == 0 && (f.Split == 0 || f.Split != All(c.N)),
		"Network.Faults.Split is one side of a partition: some of the processes, not all")
	k.Demand(!f.Heals || f.Split != 0, "Network.Faults.Heals: there is no Split that could end")
}

// checkLinks checks the medium, if that is links.
func (c *composition) checkLinks(k *check.Checker) {
	for _, e := range c.events {
		k.Demand(e.Do != nil, "the handler %s of an event of Links, or of Recover: Do is nil", e.Name)
	}
	links := c.Links
	if links == nil {
		return
	}
	k.Demand(links.Of != nil, "Links.Of is nil: it returns the link of a process, a part of its local state")
	k.Demand(len(links.Timers) <= protocol.MaxTimers, "Links.Timers has %d; allowed are %d",
		len(links.Timers), protocol.MaxTimers)
	k.Demand(c.Network.Channel == FIFO && c.Network.CrashSends == NoPart,
		"Links keep the order of messages, and nobody crashes while sending: "+
			"Network.Channel has to be FIFO and Network.CrashSends NoPart")
	k.Demand(!c.Network.Faults.Moves() && c.Network.Faults.Split == 0,
		"Network.Faults: links break, but do not lose or copy messages, and are not split")
	for i, t := range links.Timers {
		k.Demand(t.Awaits != nil,
			"Links.Timers[%d] %s: Awaits is nil: it says which messages the timer waits for", i, t.Name)
	}
	k.Demand(c.Network.Crashes == 0 || c.Crash != nil,
		"Composition.Crash is nil: under Links it says what link a process that crashes leaves")
}

// ofFew reports whether a type holds a PerProc: in a search it has room for the values of FewProcs processes
// only.
func ofFew(t reflect.Type) (few bool) {
	codec.Walk(t, 0, func(t reflect.Type, _ uintptr) (inside bool) {
		few = few || t.Implements(reflect.TypeFor[values.IsPerProc]())
		return !few
	})
	return few
}

// most returns the largest number of processes with which the composition can be searched.
func (c *composition) most() int {
	if ofFew(c.locals.Type) || ofFew(c.messages.Type) || ofFew(c.histories.Type) {
		return FewProcs
	}
	return protocol.MaxProcs
}

// maxNamed is the largest number of Processes of a system: Label.Proc has one byte.
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
	property.CheckProperties(&k, sys.System.Properties, property.Context{
		Model: "System", Actions: actions, Units: sys.Units != nil,
	})
	property.CheckFairness(&k, sys.System.Fairness, actions, func(a int) (ls []Label) {
		for i := range as.System.Actions[a].Instances {
			ls = append(ls, protocol.InstanceLabel(a, i))
		}
		return ls
	})
	if k.First == nil { // with the conditions of System.Fairness
		as.System.Fairness = sys.System.Fairness
		fs := as.conditions()
		k.Names("fairness condition", "Name", len(fs), func(i int) string { return fs[i].Name })
	}
	property.CheckAssume(&k, sys.Assume)
	k.Demand(len(sys.init) > 0, "System.Init is empty: there is no initial state")
	if k.First == nil && sys.Constraint != nil {
		keeps := func(state value) bool { return sys.Constraint(sys.of.Copied(state)) }
		k.Demand(slices.ContainsFunc(sys.init, keeps),
			"Constraint rejects all of System.Init, so there is no state to begin with")
	}
	return k.Err()
}

// check checks action number i.
func (a *SystemAction[S]) check(k *check.Checker, i int) {
	k.Demand(a.Kind <= Fault,
		"Actions[%d] %s: Kind %d does not exist; allowed are Ordinary, Spontaneous, Fault", i, a.Name, a.Kind)
	k.Demand(a.Fair <= StrongFairness,
		"Actions[%d] %s: Fair %d does not exist; allowed are NoFairness, WeakFairness, StrongFairness",
		i, a.Name, a.Fair)
	k.Demand(a.Fair == NoFairness || a.Kind == protocol.Ordinary,
		"Actions[%d] %s: Fair is %v, but only ordinary steps are ever forced", i, a.Name, a.Fair)
	k.Demand(a.Do != nil, "Actions[%d] %s: Do is nil", i, a.Name)
	k.Demand(a.Instances >= 0 && a.Instances <= maxInstances,
		"Actions[%d] %s: Instances is %d; allowed is 1 to %d, and 0 for 1", i, a.Name, a.Instances,
		maxInstances)
}

// checkProcesses checks the declarations about processes; the actions are unfolded.
func (sys *system) checkProcesses(k *check.Checker, actions []SystemAction[codec.Opaque]) {
	k.Demand(len(sys.Processes) <= maxNamed,
		"System.Processes has %d names; allowed are %d", len(sys.Processes), maxNamed)
	k.Names("process", "name", len(sys.Processes), func(p int) string { return sys.Processes[p] })
	const unnamed = "System.%s is about the processes, and System.Processes, which names them, is nil"
	k.Demand(sys.Units == nil || sys.Processes != nil, unnamed, "Units")
	k.Demand(sys.Dead == nil || sys.Processes != nil, unnamed, "Dead")
	property.CheckCapacity(k, "System", sys.Capacity, sys.Units != nil)
	for i := range actions {
		a := &actions[i]
		for x, owner := range a.owners {
			if owner < 0 || owner >= len(sys.Processes) {
				k.Wrong("Actions[%d] %s: the Owner of %s is %d, but System.Processes has %d names",
					i, a.Name, a.text(x), owner, len(sys.Processes))
				return
			}
		}
	}
}
