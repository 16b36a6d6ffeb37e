package model

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// maxProperties is how many properties a model may have: masks have a bit for each.
const maxProperties = 64

// checkTypes returns the mistake that something in a composition is no value.
func (c *composition) checkTypes() error {
	var k checker
	why := cmp.Or(codec.NoValue(c.messages.Type, "the message"),
		codec.NoValue(c.locals.Type, "the local state"), codec.NoValue(c.histories.Type, "the history"))
	k.demand(why == "", "%s", why)
	return k.err()
}

// check returns the first mistake in a composition of values.
func (c *composition) check() error {
	var k checker
	k.demand(c.N >= 1 && c.N <= c.most(), "Composition.N is %d; allowed are 1 to %d processes", c.N, c.most())
	k.demand(c.Init != nil, "Composition.Init is nil: it returns the initial local state of each process")
	k.demand(c.Names.Each == nil || len(c.Names.Each) == c.N,
		"Names.Each has %d names, but Composition.N is %d", len(c.Names.Each), c.N)
	if k.first != nil {
		return k.err()
	}
	for i, h := range c.Local {
		k.demand(h.Do != nil, "Local[%d] %s: Do is nil", i, h.Name)
		k.demand(h.Kind <= Fault,
			"Local[%d] %s: Kind %d does not exist; allowed are Ordinary, Spontaneous, Fault",
			i, h.Name, h.Kind)
	}
	for i, r := range c.Receive {
		k.demand(r.Accepts != nil,
			"Receive[%d] %s: Accepts is nil: it says which messages the handler is for", i, r.Name)
		k.demand(r.Do != nil, "Receive[%d] %s: Do is nil", i, r.Name)
	}
	k.demand(c.Notice == nil || c.Notice.Do != nil, "Notice: Do is nil")
	actions := c.actions()
	k.demand(len(actions) > 0, "Composition.Local and Composition.Receive are empty, so nothing ever happens")
	checkActions(&k, actions)
	c.checkNetwork(&k)
	c.checkLinks(&k)
	k.demand(c.History.Step != nil || !c.History.Guards,
		"History.Guards: there is no History.Step that could exclude a step")
	if cl := c.Clocks; cl != nil {
		k.demand(cl.Local != nil && cl.Message != nil,
			"Clocks: Local and Message have to visit the times, and one of them is nil")
		k.demand(cl.MaxSkew >= 0, "Clocks.MaxSkew is %d; allowed is 0 (no bound) or more", cl.MaxSkew)
		k.demand((cl.Within == nil) == (cl.Limit == ""),
			"Clocks.Within needs Clocks.Limit, which says it in words, and the other way round")
	}
	k.demand(c.Delivery <= lts.StrongDelivery,
		"Composition.Delivery %d does not exist; allowed are AnyDelivery, WeakDelivery, StrongDelivery",
		c.Delivery)
	checkProperties(&k, c.Properties, surroundings{
		"Composition", actions, []string{"crash", "crash while sending", "lose", "copy", "split", "heal",
			"break"}, c.units != nil,
	})
	checkFairness(&k, c.Fairness, actions, func(a int) (ls []Label) {
		for x := range c.N * c.N {
			ls = append(ls, Label{Action: uint16(a), Proc: uint8(x / c.N), Peer: uint8(x % c.N)})
		}
		return ls
	})
	checkAssume(&k, c.Assume)
	checkCapacity(&k, "Composition", c.Capacity, c.units != nil)
	if k.first == nil && c.Constraint != nil {
		first := interp.New(c).Start()
		for p := range Proc(c.N) {
			k.demand(c.Constraint(p, first.Local(p)),
				"Constraint rejects the initial local state of %s, so there is no state to begin with",
				c.Names.Of(p))
		}
	}
	return k.err()
}

func (c *composition) checkNetwork(k *checker) {
	nw := &c.Network
	beyond := (nw.Dead | nw.Crashable) &^ All(c.N)
	k.demand(nw.Channel <= FIFO, "Network.Channel %d does not exist; allowed are Bag, FIFO", nw.Channel)
	k.demand(nw.CrashSends <= Subset,
		"Network.CrashSends %d does not exist; allowed are NoPart, Prefix, Subset", nw.CrashSends)
	k.demand(beyond == 0,
		"Network: Dead or Crashable has %s, but Composition.N is %d", beyond.Format(c.Names.First), c.N)
	k.demand(nw.Crashes >= nw.Dead.Len() && nw.Crashes <= c.N || c.recovers() && nw.Crashes >= 0,
		"Network.Crashes is %d; allowed are %d (those of Network.Dead) to Composition.N=%d",
		nw.Crashes, nw.Dead.Len(), c.N)
	k.demand(!c.mayEver() || nw.Crashable != 0,
		"Network.Crashes is %d, but Network.Crashable is empty, so nobody ever crashes", nw.Crashes)
	k.demand(nw.MaxInFlight >= 0,
		"Network.MaxInFlight is %d; allowed is 0 (no bound) or more", nw.MaxInFlight)
	for i, l := range nw.Limits {
		k.demand(l.Among&^All(c.N) == 0 && l.Crashes >= 0,
			"Network.Limits[%d]: Among has to be processes of the model, and Crashes 0 or more", i)
	}
	f := &nw.Faults
	k.demand(f.Breaks >= 0 && f.Breaks <= math.MaxUint8 && (f.Breaks == 0 || c.Links != nil),
		"Network.Faults.Breaks is %d; allowed are 0 to %d, and only where the medium is Links",
		f.Breaks, math.MaxUint8)
	k.demand(!f.Lasting || f.Breaks > 0,
		"Network.Faults.Lasting is set, but no link breaks: Network.Faults.Breaks is 0")
	k.demand(f.Losses >= 0 && f.Losses <= math.MaxUint8 && f.Copies >= 0 && f.Copies <= math.MaxUint8,
		"Network.Faults: %d losses and %d copies; allowed are 0 to %d each", f.Losses, f.Copies,
		math.MaxUint8)
	k.demand(f.On == nil || len(f.On) == c.N,
		"Network.Faults.On has %d sets, but Composition.N is %d: one for each sender", len(f.On), c.N)
	k.demand(f.Split&^All(c.N) == 0 && (f.Split == 0 || f.Split != All(c.N)),
		"Network.Faults.Split is one side of a partition: some of the processes, not all")
	k.demand(!f.Heals || f.Split != 0, "Network.Faults.Heals: there is no Split that could end")
}

// checkLinks looks at the medium, if that is links.
func (c *composition) checkLinks(k *checker) {
	links := c.Links
	if links == nil {
		return
	}
	k.demand(links.Of != nil, "Links.Of is nil: it returns the link of a process, a part of its local state")
	k.demand(
		len(links.Timers) <= protocol.MaxTimers,
		"Links.Timers has %d; allowed are %d",
		len(links.Timers),
		protocol.MaxTimers,
	)
	k.demand(c.Network.Channel == FIFO && c.Network.CrashSends == NoPart,
		"Links keep the order of messages, and nobody crashes while sending: "+
			"Network.Channel has to be FIFO and Network.CrashSends NoPart")
	k.demand(!c.Network.Faults.Moves() && c.Network.Faults.Split == 0,
		"Network.Faults: links break, but do not lose or copy messages, and are not split")
	for i, t := range links.Timers {
		k.demand(t.Awaits != nil,
			"Links.Timers[%d] %s: Awaits is nil: it says which messages the timer waits for", i, t.Name)
	}
	for _, e := range links.events() {
		k.demand(e.Do != nil, "the handler %s of an event of Links: Do is nil", e.Name)
	}
	k.demand(c.Network.Crashes == 0 || c.Crash != nil,
		"Composition.Crash is nil: under Links it says what link a process that crashes leaves")
}

// checkActions checks what all models have of actions.
func checkActions(k *checker, actions []lts.Action) {
	k.demand(len(actions) <= protocol.MaxActions, "%d actions; allowed are %d", len(actions),
		protocol.MaxActions)
	k.names("action", "Name", len(actions), func(i int) string { return actions[i].Name })
}

// checkFairness demands of each condition that it is about some step. labels returns those that
// an action can have.
func checkFairness(k *checker, conditions []Fairness, actions []lts.Action, labels func(a int) []Label) {
	k.names("fairness condition", "Name", len(conditions), func(i int) string { return conditions[i].Name })
	var all []Label
	for a := 0; a < len(actions) && conditions != nil; a++ {
		all = append(all, labels(a)...)
	}
	for i := range conditions {
		f := &conditions[i]
		if f.Has == nil {
			k.wrong("Fairness[%d] %s: Has is nil: it says which steps the condition is about", i, f.Name)
			return
		}
		k.demand(slices.ContainsFunc(all, f.Has),
			"Fairness[%d] %s: Has holds of no label, so it forces nothing; actions are numbered from 0 to "+
				"%d, processes and instances from 0",
			i, f.Name, len(actions)-1)
		k.demand(slices.ContainsFunc(all, func(l Label) bool { return f.Forces(l, actions) }),
			"Fairness[%d] %s: it is about no ordinary step, and only those are ever forced", i, f.Name)
	}
}

// checkAssume checks fairness about states.
func checkAssume(k *checker, conditions []StateFairness[codec.Opaque]) {
	for i, c := range conditions {
		k.demand(c.Then != nil, "Assume[%d]: Then is nil: it says what holds again and again", i)
	}
}

func checkCapacity(k *checker, model string, capacity int, units bool) {
	k.demand(capacity >= 0, "%s.Capacity is %d; allowed is 0 (not known) or more", model, capacity)
	k.demand(capacity == 0 || units,
		"%s.Capacity is %d, but %s.Units is nil, so no unit is ever in use", model, capacity, model)
}

// ofFew reports whether there is a PerProc in a type, so that states are one value each for FewProcs
// processes only.
func ofFew(t reflect.Type) bool {
	switch {
	case t.Implements(reflect.TypeFor[values.IsPerProc]()):
		return true
	case t.Kind() == reflect.Struct:
		return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
			return ofFew(f.Type)
		})
	case t.Kind() == reflect.Array:
		return ofFew(t.Elem())
	}
	return false
}

// most returns how many processes a search takes of the composition.
func (c *composition) most() int {
	if ofFew(c.locals.Type) || ofFew(c.messages.Type) || ofFew(c.histories.Type) {
		return FewProcs
	}
	return protocol.MaxProcs
}
