package model

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// mayReceiveAtOnce returns an error if messages cannot be received at once: see kernel.movers.
func (sp *compositionSpace) mayReceiveAtOnce(asked uint64) error {
	switch {
	case sp.c.Links != nil:
		return usage.Errorf("%s movers: under links handlers read what is under way", reduceOption)
	case sp.c.Recover != nil:
		return usage.Errorf("%s movers: a process that comes up again may be sent what it missed",
			reduceOption)
	case sp.c.Clocks != nil || sp.c.Network.MaxInFlight > 0:
		return usage.Errorf("%s movers: bounds of states count times and messages under way; allowed are "+
			"rounds that end, without max-in-flight", reduceOption)
	}
	for i := range sp.c.Properties {
		p := &sp.c.Properties[i]
		if asked>>i&1 == 0 || p.Kind == Quiet || p.Kind == DeadlockFree {
			continue
		}
		if p.Kind != Invariant && p.Kind != Reachable || p.OfUse == nil && p.OfLocal == nil {
			return usage.Errorf("%s movers: %s reads more than local states one by one, the units in use "+
				"or quiet states, so it may see that a message is under way; %s leaves it out", reduceOption,
				p.Name, usage.Option("property"))
		}
	}
	return nil
}

// newMovers returns the movers with which a search begins: all receipts.
func (sp *compositionSpace) newMovers(asked uint64) *protocol.Movers {
	m := &protocol.Movers{MayCrash: true}
	m.Fails = func(run func()) bool { return check.Caught(run) != nil }
	for i, p := range sp.c.Properties {
		m.MayCrash = m.MayCrash && (asked>>i&1 == 0 || p.Kind == Invariant || p.Kind == Reachable)
	}
	for _, a := range sp.actions {
		m.Add(a.Name, a.Receipt)
	}
	return m
}

func (t *adapter) Distinguished(p Proc, a, b uint32) string {
	first, second := t.procs[p].locals[a], t.procs[p].locals[b]
	switch {
	case a == b:
		return ""
	case t.c.Keeps(p, first) != t.c.Keeps(p, second):
		return "the constraint"
	case t.c.Units(p, first) != t.c.Units(p, second):
		return "the count of units"
	}
	for i := range t.c.Properties {
		of := t.c.Properties[i].OfLocal
		if t.asked>>i&1 == 1 && of != nil && t.answer(i, of, p, first) != t.answer(i, of, p, second) {
			return "property " + t.c.Properties[i].Name
		}
	}
	return ""
}

// readsHistory reports whether a property asked for may read the history, where there are movers.
func (sp *compositionSpace) readsHistory() bool {
	for i, p := range sp.c.Properties {
		if sp.asked>>i&1 == 1 && p.Kind == Quiet {
			return true
		}
	}
	return false
}
