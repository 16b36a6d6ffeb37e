package model

import "github.com/atmostk/atmostk/model/lts"

// Like returns the steps of a process with an action, and from a peer if it is a receipt.
func (pl *worldPlain[L, M, H]) Like(s State, l Label) (ts []lts.Transition) {
	w, p := s.(*world[L, M, H]), Proc(l.Proc)
	if int(p) >= pl.c.N || w.dead.Has(p) && !pl.c.recovers() {
		return nil
	}
	in, c := w.setting(p), *pl.c
	if action := int(l.Action); action < len(c.Local)+len(c.Receive) {
		// the handler is not broken off: parts of what it sends need not be found
		c.Network.Crashes = w.dead.Len()
	}
	take := func(received int) func(o *outcome[L, M]) {
		return func(o *outcome[L, M]) {
			if o.action == int(l.Action) && o.peer == Proc(l.Peer) {
				ts = append(ts, pl.take(w, p, received, *o))
			}
		}
	}
	c.idle(p, &w.local[p], in, take(-1))
	for i, envelope := range w.inbox[p] {
		if envelope.From == Proc(l.Peer) && w.deliverable(p, i) {
			c.react(p, &w.local[p], envelope, in, take(i))
		}
	}
	for _, t := range pl.faults(w) {
		if t.Label() == l {
			ts = append(ts, t)
		}
	}
	return pl.possible(ts)
}
