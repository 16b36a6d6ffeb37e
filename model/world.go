package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// world is a global state of a composition, spelled out. It is what a vector of
// the search stands for.
type world[L, M, H any] struct {
	c       *Composition[L, M, H]
	dead    Set
	local   []L
	inbox   [][]Envelope[M] // FIFO: grouped by sender; Bag: in the order of sending
	history H
	record  protocol.Record
}

// Key spells out everything; the envelopes of a bag in the order of their spelling,
// and times as they are in the state with the same differences and a least one of 1.
func (w *world[L, M, H]) Key() string {
	w = w.settled()
	var b strings.Builder
	fmt.Fprintf(&b, "%v %#v", uint64(w.dead), w.history)
	if w.record != (protocol.Record{}) {
		fmt.Fprintf(&b, " %v", w.record)
	}
	for p := range w.local {
		fmt.Fprintf(&b, "\n%#v", w.local[p])
		envelopes := make([]string, len(w.inbox[p]))
		for i, envelope := range w.inbox[p] {
			envelopes[i] = fmt.Sprintf("%#v", envelope)
		}
		if w.c.Network.Channel == Bag {
			slices.Sort(envelopes)
		}
		b.WriteString(strings.Join(envelopes, " "))
	}
	return b.String()
}

func (w *world[L, M, H]) Vars() (vars []Var) {
	names := w.c.Names
	for p := range Proc(w.c.N) {
		owner := names.Of(p)
		if w.dead.Has(p) {
			vars = append(vars, Var{Owner: owner, Name: "crashed", Value: "true"})
		}
		vars = append(vars, w.c.vars(p, w.local[p])...)
		if w.c.Links != nil {
			vars = append(vars, Var{Owner: owner, Name: "out", Value: w.output(p)})
			continue
		}
		envelopes := make([]string, len(w.inbox[p]))
		for i, envelope := range w.inbox[p] {
			envelopes[i] = fmt.Sprintf("%v from %s", envelope.M, names.Of(envelope.From))
		}
		slices.Sort(envelopes)
		vars = append(
			vars,
			Var{Owner: owner, Name: "inbox", Value: "[" + strings.Join(envelopes, ", ") + "]"},
		)
	}
	if w.c.History.Step != nil {
		defer named(shower("the history", "", w.history))
		vars = append(vars, fields("history", w.history, names)...)
	}
	return append(vars, recorded(&w.record, &w.c.Network.Faults)...)
}

// output describes the link of p.
func (w *world[L, M, H]) output(p Proc) string {
	link := w.c.Links.Of(&w.local[p])
	var texts []string
	for _, envelope := range w.inbox[link.To] {
		if envelope.From == p {
			texts = append(texts, fmt.Sprint(envelope.M))
		}
	}
	text := fmt.Sprintf("%s to %s [%s]", link.State, w.c.Names.Of(link.To), strings.Join(texts, ", "))
	if link.Cut != 0 {
		text += " cut off from " + w.c.Names.list(link.Cut)
	}
	return text
}

// vars lists the variables of p in local state l.
func (c *Composition[L, M, H]) vars(p Proc, l L) []Var {
	owner := c.Names.Of(p)
	if c.Vars == nil {
		defer named(shower("the local state", owner, l))
		return fields(owner, l, c.Names)
	}
	defer named(func() Error { return Error{Part: "Vars", Process: owner, State: spelled(l, c.Names)} })
	vars := c.Vars(&l)
	for i := range vars {
		vars[i].Owner = owner
	}
	return vars
}

// setting is what p has around it.
func (w *world[L, M, H]) setting(p Proc) protocol.Setting {
	in := protocol.Setting{Dead: w.dead}
	if w.c.Links == nil {
		return in
	}
	var all protocol.Trace
	for q := range w.local {
		own, inbox := w.c.Links.ofLocal(&w.local[q]), w.c.traceOf(w.inbox[q])
		all.Merge(&own)
		all.Merge(&inbox)
	}
	in.Learns = all.Of(p, w.c.Links.Rising)
	return in
}

// global shows the world to a property.
func (w *world[L, M, H]) global() *Global[L, M, H] {
	return &Global[L, M, H]{N: w.c.N, Dead: w.dead, view: worldView[L, M, H]{w}}
}

type worldView[L, M, H any] struct{ w *world[L, M, H] }

func (v worldView[L, M, H]) local(p Proc) *L            { return &v.w.local[p] }
func (v worldView[L, M, H]) inbox(p Proc) []Envelope[M] { return v.w.inbox[p] }
func (v worldView[L, M, H]) history() *H                { return &v.w.history }

func (v worldView[L, M, H]) inUse(dead Set) (n int) {
	for p := range v.w.local {
		if !dead.Has(Proc(p)) {
			n += v.w.c.units(&v.w.local[p])
		}
	}
	return n
}

// init returns how process p begins.
func (c *Composition[L, M, H]) init(p Proc) L {
	defer named(func() Error { return Error{Part: "Init", Process: c.Names.Of(p)} })
	l := c.Init(p)
	return c.of.local.copied(&l)
}

// keeps reports whether the constraint keeps local state l of process p.
func (c *Composition[L, M, H]) keeps(p Proc, l *L) bool {
	if c.Constraint == nil {
		return true
	}
	defer named(func() Error { return Error{Part: "Constraint", State: spelled(*l, c.Names)} })
	return c.Constraint(p, l)
}

// remember brings history h up to date.
func (c *Composition[L, M, H]) remember(h *H, e Event) bool {
	defer named(func() Error { return Error{Part: "History.Step", State: spelled(*h, c.Names)} })
	kept := c.History.Step(h, e)
	if !kept && c.History.Watches {
		panic(mistaken("it excludes a step, although it is said only to watch"))
	}
	return kept
}

// holds is units of process p, where it is called for the first time.
func (c *Composition[L, M, H]) holds(p Proc, l *L) int {
	defer named(func() Error {
		return Error{Part: "Units", Process: c.Names.Of(p), State: spelled(*l, c.Names)}
	})
	return c.units(l)
}

// units returns how many units a process in local state l uses.
func (c *Composition[L, M, H]) units(l *L) int {
	if c.Units == nil {
		return 0
	}
	n := c.Units(l)
	if n < 0 || n > largestUse {
		panic(noUnits(n, c.Units))
	}
	return n
}

// largestUse is the largest number of units that a process may use: sums over all processes fit 32 bits.
const largestUse = 1 << 20

// noUnits is the mistake that a process uses a number of units that there cannot be.
func noUnits(n int, units any) *Error {
	return &Error{
		Part: "Units", What: fmt.Sprintf("%d units are in use; allowed are 0 to %d", n, largestUse),
		Where: declaredAt(units),
	}
}

// eachTime calls visit for all times of live processes and of messages to them.
func (w *world[L, M, H]) eachTime(visit func(*uint32)) {
	for p := range w.local {
		if w.dead.Has(Proc(p)) || w.c.Clocks == nil {
			continue
		}
		w.c.Clocks.Local(&w.local[p], visit)
		for i := range w.inbox[p] {
			w.c.Clocks.Message(&w.inbox[p][i].M, visit)
		}
	}
}

// times returns the least and the greatest time, and whether there is any.
func (w *world[L, M, H]) times() (least, greatest uint32, some bool) {
	w.eachTime(func(time *uint32) {
		if !some {
			least, greatest, some = *time, *time, true
		}
		least, greatest = min(least, *time), max(greatest, *time)
	})
	return least, greatest, some
}

// settled returns the state that is stored for w: the same, with its least time 1.
func (w *world[L, M, H]) settled() *world[L, M, H] {
	least, _, some := w.times()
	if !some || least == 1 {
		return w
	}
	v := w.clone()
	for p := range v.inbox {
		v.inbox[p] = w.c.of.message.envelopes(v.inbox[p])
	}
	v.eachTime(func(time *uint32) { *time = *time - least + 1 })
	return v
}

// beyondBounds reports whether w has times too far apart or too many messages under way, or
// is beyond the bound of the model itself.
func (w *world[L, M, H]) beyondBounds() bool {
	least, greatest, _ := w.times()
	envelopes := 0
	for p := range w.inbox {
		envelopes += len(w.inbox[p])
	}
	skew, envelope := 0, w.c.Network.MaxInFlight
	if c := w.c.Clocks; c != nil {
		skew = c.MaxSkew
		for p := range w.local {
			if c.Within != nil && !w.dead.Has(Proc(p)) && !c.Within(&w.local[p]) {
				return true
			}
		}
	}
	return skew > 0 && greatest-least > uint32(skew) || envelope > 0 && envelopes > envelope
}

// clone returns a copy that can be changed.
func (w *world[L, M, H]) clone() *world[L, M, H] {
	v := *w
	v.local, v.inbox = slices.Clone(w.local), slices.Clone(w.inbox)
	v.history = w.c.of.history.copied(&w.history)
	if of := &w.c.of.local; !of.flat {
		for p := range v.local {
			v.local[p] = of.copied(&v.local[p])
		}
	}
	return &v
}

// deliver puts a message into the channel to a process, if that is alive.
func (w *world[L, M, H]) deliver(from Proc, s Sent[M]) bool {
	if w.dead.Has(s.To) {
		return false
	}
	at := len(w.inbox[s.To])
	if w.c.Network.Channel == FIFO { // behind the last envelope of its sender or of a smaller one
		for at > 0 && w.inbox[s.To][at-1].From > from {
			at--
		}
	}
	w.inbox[s.To] = slices.Insert(slices.Clone(w.inbox[s.To]), at, Envelope[M]{from, s.M})
	return true
}
