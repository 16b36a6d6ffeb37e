package model

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A setting is what the handlers of a process can learn of its surroundings.
type setting struct {
	endDead bool            // the process at the end of the link is dead
	due     [MaxTimers]bool // per timer: what the process awaits is in no link
	fresh   uint8           // the number that Output.Fresh gives out; 0: there is none
}

// fresh returns the number to be given out when those in used are in use, 0 if there is none.
func (c *Linked[L, M]) fresh(used uint64) uint8 {
	if c.Rising {
		return uint8(bits.Len64(used|1) & 63)
	}
	return uint8(bits.TrailingZeros64(^(used | 1)) & 63)
}

var errExhausted = errors.New("all of the numbers 1 to 63 are in use that a handler can take to tell things apart")

// A linkOutcome is one way in which a process can go on.
type linkOutcome[L, M comparable] struct {
	action int
	kind   ActionKind
	local  L
	link   Link
	queue  []M // all that is in the link afterwards
	sent   []M // the end of it
	// exhausted: the handler asked for a fresh number, and there was none.
	exhausted bool
}

// The actions of a Linked are its handlers in the order Local, Receive,
// Disconnect, Connect, OpenError, Timers, Recover, followed by the crash.
func (c *Linked[L, M]) actions() (as []Action) {
	for _, h := range c.Local {
		as = append(as, Action{Name: h.Name, Source: h.Source, Kind: h.Kind})
	}
	for _, r := range c.Receive {
		as = append(as, Action{Name: r.Name, Source: r.Source, Receipt: true})
	}
	for _, e := range c.events() {
		as = append(as, Action{Name: e.Name, Source: e.Source, Kind: e.Kind})
	}
	if c.Crashes > 0 {
		as = append(as, Action{Name: "crash", Kind: Fault})
	}
	return as
}

// A linkEvent is a handler with the condition of its event.
type linkEvent[L, M comparable] struct {
	*LinkHandler[L, M]
	revives bool // it is a step of the dead
	occurs  func(link Link, s setting) bool
	after   func(link *Link) // what the event does to the link before the handler
}

// events lists the events of links that there are.
func (c *Linked[L, M]) events() (es []linkEvent[L, M]) {
	add := func(e linkEvent[L, M]) {
		if e.LinkHandler != nil {
			es = append(es, e)
		}
	}
	stays := func(*Link) {}
	add(linkEvent[L, M]{c.Disconnect, false,
		func(link Link, _ setting) bool { return link.State == LinkBroken },
		func(link *Link) { link.State = LinkClosed }})
	add(linkEvent[L, M]{c.Connect, false,
		func(link Link, s setting) bool { return link.State == LinkClosed && !s.endDead },
		func(link *Link) { link.State = LinkOpen }})
	add(linkEvent[L, M]{c.OpenError, false,
		func(link Link, s setting) bool { return link.State == LinkClosed && s.endDead }, stays})
	for i := range c.Timers {
		add(linkEvent[L, M]{&c.Timers[i].LinkHandler, false,
			func(link Link, s setting) bool { return link.State == LinkOpen && s.due[i] }, stays})
	}
	add(linkEvent[L, M]{c.Recover, true, func(Link, setting) bool { return true }, stays})
	return es
}

// crashAction is the index of the action "crash".
func (c *Linked[L, M]) crashAction() int { return len(c.Local) + len(c.Receive) + len(c.events()) }

// mayCrash reports whether p may crash when the processes in dead are dead, after
// so many crashes.
func (c *Linked[L, M]) mayCrash(p Proc, dead Set, crashes int) bool {
	return crashes < c.Crashes && !dead.Has(p) && (!c.LastStays || dead.Len() < c.N-1)
}

// idle yields what process p can do without receiving anything.
func (c *Linked[L, M]) idle(p Proc, isDead bool, l *L, link Link, queue []M, s setting, yield func(linkOutcome[L, M])) {
	run := func(action int, h *LinkHandler[L, M], link Link) {
		local, out := *l, Output[M]{Link: link, was: link, fresh: s.fresh}
		if h.Do(p, &local, &out) {
			yield(finish(action, h.Kind, local, queue, &out))
		}
	}
	if !isDead {
		for i := range c.Local {
			run(i, &c.Local[i], link)
		}
	}
	for i, e := range c.events() {
		if e.revives == isDead && e.occurs(link, s) {
			changed := link
			e.after(&changed)
			run(len(c.Local)+len(c.Receive)+i, e.LinkHandler, changed)
		}
	}
}

// react returns what p does with a message that it receives.
func (c *Linked[L, M]) react(p Proc, l *L, link Link, queue []M, m M, s setting) linkOutcome[L, M] {
	for i, r := range c.Receive {
		if r.Accepts(m) {
			local, out := *l, Output[M]{Link: link, was: link, fresh: s.fresh}
			r.Do(p, m, &local, &out)
			return finish(len(c.Local)+i, Ordinary, local, queue, &out)
		}
	}
	panic(fmt.Sprintf("model: no handler for message %v", m))
}

// finish makes an outcome of what a handler has left, with queue in the link before.
func finish[L, M comparable](action int, kind ActionKind, local L, queue []M, out *Output[M]) linkOutcome[L, M] {
	if out.Link.State != LinkOpen {
		out.sent = nil
	}
	if out.Link != out.was || out.Link.State != LinkOpen {
		queue = nil
	}
	return linkOutcome[L, M]{action, kind, local, out.Link, slices.Concat(queue, out.sent), out.sent, out.exhausted}
}

// numbers returns the numbers used by a process and what it has under way.
func (c *Linked[L, M]) numbers(l *L, queue []M) uint64 {
	if c.Numbers == nil {
		return 0
	}
	return c.Numbers(l, queue)
}

// units returns how many units a process in local state l uses.
func (c *Linked[L, M]) units(l *L) int {
	if c.Units == nil {
		return 0
	}
	return c.Units(l)
}

// WeakFairness returns the conditions that no handler of a process rests for ever
// while it is enabled, and no message that is next in its link: one for each process
// and each ordinary handler, and one for each link.
func (c *Linked[L, M]) WeakFairness() (fs []Fairness) {
	actions := c.actions()
	receives := func(a int) bool { return a >= len(c.Local) && a < len(c.Local)+len(c.Receive) }
	for p := range Proc(c.N) {
		fs = append(fs, Fairness{
			Name: "messages of " + c.Names.Of(p) + " are received",
			Has:  func(l Label) bool { return receives(int(l.Action)) && Proc(l.Peer) == p },
		})
		for a, action := range actions {
			if action.Kind == Ordinary && !receives(a) {
				fs = append(fs, Fairness{
					Name: c.Names.Of(p) + " " + action.Name,
					Has:  func(l Label) bool { return int(l.Action) == a && Proc(l.Proc) == p },
				})
			}
		}
	}
	return fs
}
