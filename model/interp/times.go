package interp

import (
	"fmt"

	"github.com/atmostk/atmostk/model/protocol"
)

// Times returns the least and the greatest time of live processes and of messages to them.
func (s *State) Times() protocol.Times {
	all := protocol.NoTimes()
	for p := range protocol.Proc(len(s.locals)) {
		if !s.x.Medium.Clocks || s.IsDead(p) {
			continue
		}
		times, _ := s.x.LocalTimes(s.locals[p])
		all.Merge(times)
		for i := range s.inboxes[p] {
			all.Merge(s.x.MessageTimes(s.inboxes[p][i].M))
		}
	}
	return all
}

// Settled returns the state that is stored for s: the same, with its least time 1, or with all times ranked.
func (s *State) Settled() *State {
	all := s.Times()
	switch {
	case s.x.Medium.Order:
		if all.Order.Count() <= protocol.MaxTimes && !all.Order.Canonical() {
			return s.moved(all.Order.Stamps)
		}
	case all != protocol.NoTimes() && all.Least != 1:
		return s.moved(all.Least - 1)
	}
	return s
}

// moved returns the state with all times of live processes, and of messages to them, moved back by an amount,
// modulo 2^32, or ranked: see Processes.LocalBack.
func (s *State) moved(by uint32) *State {
	t := s.Clone()
	for p := range protocol.Proc(len(t.locals)) {
		if t.IsDead(p) {
			continue
		}
		t.locals[p] = t.x.LocalBack(t.locals[p], by)
		t.inboxes[p] = append([]Envelope(nil), t.inboxes[p]...)
		for i := range t.inboxes[p] {
			t.inboxes[p][i].M = t.x.MessageBack(t.inboxes[p][i].M, by)
		}
	}
	return t
}

// Beyond reports whether the state, to which a step of p led, is beyond the bounds of the model (times too
// far apart, too many messages under way), or the constraint rejects it. A run does not go on from there.
func (s *State) Beyond(p protocol.Proc) bool {
	x := s.x
	if s.depleted || !x.Keeps(p, s.locals[p]) {
		return true
	}
	if most := int(x.Medium.InFlight); most > 0 {
		envelopes := 0
		for q := range s.inboxes {
			envelopes += len(s.inboxes[q])
		}
		if envelopes > most {
			return true
		}
	}
	if !x.Medium.Clocks {
		return false
	}
	for q := range protocol.Proc(len(s.locals)) {
		if !s.IsDead(q) {
			if _, beyond := x.LocalTimes(s.locals[q]); beyond {
				return true
			}
		}
	}
	all := s.Times()
	all.Order.Check(s.mostTimed(all.Order.Count()))
	return x.Medium.Skew > 0 && all != protocol.NoTimes() && all.Greatest-all.Least > x.Medium.Skew
}

// mostTimed names the part of a state in which most of its different stamps are, if there are too many.
func (s *State) mostTimed(count int) (where string) {
	most := 0
	for p := range protocol.Proc(len(s.locals)) {
		if count <= protocol.MaxTimes || s.IsDead(p) {
			continue
		}
		times, _ := s.x.LocalTimes(s.locals[p])
		if n := times.Order.Count(); n > most {
			most, where = n, fmt.Sprintf(", %d in the local state of %s", n, s.x.Names[p])
		}
		times = protocol.NoTimes()
		for i := range s.inboxes[p] {
			times.Merge(s.x.MessageTimes(s.inboxes[p][i].M))
		}
		if n := times.Order.Count(); n > most {
			most, where = n, fmt.Sprintf(", %d in messages under way to %s", n, s.x.Names[p])
		}
	}
	return where
}
