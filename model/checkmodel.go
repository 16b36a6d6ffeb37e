package model

import (
	"cmp"
	"math"
	"reflect"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// checkTypes returns the mistake that something in a composition is no value.
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
	actions := c.actions()
	k.Demand(len(actions) > 0, "Composition.Local and Composition.Receive are empty, so nothing ever happens")
	property.CheckActions(&k, actions)
	c.checkNetwork(&k)
	c.checkLinks(&k)
	k.Demand(c.History.Step != nil || !c.History.Guards,
		"History.Guards: there is no History.Step that could exclude a step")
	if cl := c.Clocks; cl != nil {
		k.Demand(cl.Local != nil && cl.Message != nil,
			"Clocks: Local and Message have to visit the times, and one of them is nil")
		k.Demand(cl.MaxSkew >= 0, "Clocks.MaxSkew is %d; allowed is 0 (no bound) or more", cl.MaxSkew)
		k.Demand((cl.Within == nil) == (cl.Limit == ""),
			"Clocks.Within needs Clocks.Limit, which says it in words, and the other way round")
	}
	k.Demand(c.Delivery <= lts.StrongDelivery,
		"Composition.Delivery %d does not exist; allowed are AnyDelivery, WeakDelivery, StrongDelivery",
		c.Delivery)
	property.CheckProperties(&k, c.Properties, property.Surroundings{
		Model: "Composition", Actions: actions, Units: c.Composition.Units != nil,
		Elsewhere: []string{"crash", "crash while sending", "lose", "copy", "split", "heal", "break"},
	})
	property.CheckFairness(&k, c.Fairness, actions, func(a int) (ls []Label) {
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
	k.Demand(nw.Crashes >= nw.Dead.Len() && nw.Crashes <= c.N || c.recovers() && nw.Crashes >= 0,
		"Network.Crashes is %d; allowed are %d (those of Network.Dead) to Composition.N=%d",
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

// checkLinks looks at the medium, if that is links.
func (c *composition) checkLinks(k *check.Checker) {
	links := c.Links
	if links == nil {
		return
	}
	k.Demand(links.Of != nil, "Links.Of is nil: it returns the link of a process, a part of its local state")
	k.Demand(
		len(links.Timers) <= protocol.MaxTimers,
		"Links.Timers has %d; allowed are %d",
		len(links.Timers),
		protocol.MaxTimers,
	)
	k.Demand(c.Network.Channel == FIFO && c.Network.CrashSends == NoPart,
		"Links keep the order of messages, and nobody crashes while sending: "+
			"Network.Channel has to be FIFO and Network.CrashSends NoPart")
	k.Demand(!c.Network.Faults.Moves() && c.Network.Faults.Split == 0,
		"Network.Faults: links break, but do not lose or copy messages, and are not split")
	for i, t := range links.Timers {
		k.Demand(t.Awaits != nil,
			"Links.Timers[%d] %s: Awaits is nil: it says which messages the timer waits for", i, t.Name)
	}
	for _, e := range links.events() {
		k.Demand(e.Do != nil, "the handler %s of an event of Links: Do is nil", e.Name)
	}
	k.Demand(c.Network.Crashes == 0 || c.Crash != nil,
		"Composition.Crash is nil: under Links it says what link a process that crashes leaves")
}

// ofFew reports whether there is a PerProc in a type, so that states are one value each for FewProcs
// processes only.
func ofFew(t reflect.Type) (few bool) {
	codec.Walk(t, 0, func(t reflect.Type, _ uintptr) (inside bool) {
		few = few || t.Implements(reflect.TypeFor[values.IsPerProc]())
		return !few
	})
	return few
}

// most returns how many processes a search takes of the composition.
func (c *composition) most() int {
	if ofFew(c.locals.Type) || ofFew(c.messages.Type) || ofFew(c.histories.Type) {
		return FewProcs
	}
	return protocol.MaxProcs
}
