package model

import (
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// plain is the plain semantics of a composition: the interpreter, with the properties.
type plain struct {
	*interp.Interp
	property.PlainJudge
	forgets bool // states of the search are normal forms
}

func newPlain(x *interp.Interp, j property.Judges, forgets bool) *plain {
	pl := &plain{Interp: x, forgets: forgets}
	by := func(t *lts.Transition) Proc { return t.Proc }
	pl.PlainJudge = property.PlainJudge{Judges: j, Shown: x.Processes.(*composition).copied, By: by}
	return pl
}

// A stateView shows a state of the interpreter to properties.
type stateView struct {
	c *composition
	*interp.State
	rooms []envelopes // for inboxes, which are shown for a moment; nil: each is a slice of its own
}

func (v stateView) local(p Proc) value { return v.Local(p) }

func (v stateView) history() value { return v.History() }

func (v stateView) inbox(p Proc) envelopes {
	if v.rooms == nil {
		return v.c.inbox(v.Inbox(p), nil)
	}
	v.rooms[p] = v.c.inbox(v.Inbox(p), v.rooms[p])
	return v.rooms[p]
}

func (v stateView) inUse(dead Set) (n int) {
	for p := range Proc(v.c.N) {
		if !dead.Has(p) {
			n += v.c.Units(p, v.Local(p))
		}
	}
	return n
}

func (pl *plain) InUse(s State) (uses []lts.Use) {
	for p, name := range pl.Names {
		at := s.(*interp.State)
		if n := pl.Units(Proc(p), at.Local(Proc(p))); n > 0 && !at.IsDead(Proc(p)) {
			uses = append(uses, lts.Use{Owner: name, Units: n})
		}
	}
	return uses
}

func (pl *plain) Stands(stored, s State) bool {
	if pl.forgets {
		c, at := pl.Processes.(*composition), s.(*interp.State).Clone()
		for p := range Proc(c.N) {
			at.SetLocal(p, c.forget(p, at.Local(p)))
		}
		s = at
	}
	return stored.Key() == s.Key()
}
