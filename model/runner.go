package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/link"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A runner runs the handlers of a process in some memo key, and yields what comes of it.
type runner[L, M, H any] struct {
	c     *Composition[L, M, H]
	yield func(*outcome[L, M]) // which keeps no pointer to it
	// again: the runner is used again and again, and what an outcome sends is gone when yield
	// returns. So nothing need be allocated for handlers to write to.
	again bool
	under *underway // where it tells what it calls; nil: nowhere

	p        Proc
	l        *L
	in       protocol.Setting
	envelope *Envelope[M]  // what is received; nil: nothing
	received Envelope[M]   // what it points to
	at       outcome[L, M] // what is known of an outcome of the handler at hand before it runs
	o        outcome[L, M] // what it does
	out      Outbox[M]
}

// idle yields everything that process p can do in local state l without
// receiving anything, in a setting: its own handlers with
// all their picks, notices, each of them also broken off by a crash, and the
// crash between handlers.
func (r *runner[L, M, H]) idle(p Proc, l *L, in protocol.Setting) {
	r.p, r.l, r.in, r.envelope = p, l, in, nil
	if in.Dead.Has(p) {
		r.linked()
		return
	}
	for i := range r.c.Local {
		r.own(i)
	}
	r.told()
	r.linked()
	r.crash()
}

// linked yields the outcomes of events of the link.
func (r *runner[L, M, H]) linked() {
	for i, e := range r.c.Links.events() {
		if e.revives != r.in.Dead.Has(r.p) || !e.occurs(*r.c.Links.Of(r.l), r.in.Dead, r.in.Learns) {
			continue
		}
		r.at = outcome[L, M]{action: r.c.eventAction() + i, kind: e.Kind, revives: e.revives}
		r.all(func(l *L, out *Outbox[M]) bool {
			if e.changes {
				r.c.Links.Of(l).State = e.after
			}
			return e.Do(r.p, l, out)
		})
	}
	r.breakLink()
}

// breakLink yields that the link breaks though nobody crashes, if the channel adversary may.
func (r *runner[L, M, H]) breakLink() {
	if r.c.Links == nil || r.c.Network.Faults.Breaks == 0 || r.in.Dead.Has(r.p) {
		return
	}
	action := r.c.indexOfFault(protocol.BreakFault)
	r.o = outcome[L, M]{
		action: action, handler: action, kind: Fault, fault: protocol.BreakFault,
		local: r.c.of.local.copied(r.l),
	}
	output := r.c.Links.Of(&r.o.local)
	if output.State == link.Open {
		r.o.cut = protocol.CutTo(output.To)
		output.State = link.Broken
		if r.c.Network.Faults.Lasting {
			output.Cut = output.Cut.With(output.To)
		}
		r.yield(&r.o)
	}
}

// own yields the outcomes of the local handler i.
func (r *runner[L, M, H]) own(i int) {
	h := &r.c.Local[i]
	r.at = outcome[L, M]{action: i, kind: h.Kind}
	r.all(func(l *L, out *Outbox[M]) bool {
		return h.Do(r.p, l, out)
	})
}

// told yields the outcomes of notices.
func (r *runner[L, M, H]) told() {
	if r.c.Notice == nil {
		return
	}
	for j := range r.in.Dead.Each() {
		r.at = outcome[L, M]{action: r.c.noticeAction(), peer: j}
		r.all(func(l *L, out *Outbox[M]) bool {
			return r.c.Notice.Do(r.p, j, l, out)
		})
	}
}

// crash yields the crash between handlers, if the adversary may.
func (r *runner[L, M, H]) crash() {
	if !r.c.mayCrash(r.p, r.in.Dead) {
		return
	}
	action := r.c.crashAction()
	r.o = outcome[L, M]{
		action: action, handler: action, kind: Fault, local: r.c.of.local.copied(r.l), crash: true,
	}
	if links := r.c.Links; links != nil {
		if output := links.Of(r.l); output.State == link.Open {
			r.o.cut = protocol.CutTo(output.To)
		}
	}
	r.c.reset(r.p, &r.o.local)
	r.yield(&r.o)
}

// react yields what p can do with an envelope that it receives.
func (r *runner[L, M, H]) react(p Proc, l *L, envelope Envelope[M], in protocol.Setting) {
	r.p, r.l, r.in, r.received = p, l, in, envelope
	r.envelope = &r.received
	i := r.receiver()
	do := r.c.Receive[i].Do
	r.at = outcome[L, M]{action: len(r.c.Local) + i, peer: envelope.From}
	r.all(func(l *L, out *Outbox[M]) bool {
		return do(r.p, r.received.From, r.c.of.message.copied(&r.received.M), l, out)
	})
}

// all yields the outcomes of one handler: r.at, completed by what do does, for each
// combination of picks, and each broken off in every way the adversary can.
func (r *runner[L, M, H]) all(do func(*L, *Outbox[M]) bool) {
	r.at.handler = r.at.action
	done := false
	defer returns(&done, func() Error { return r.context(r.at.action) })
	r.out.procs, r.out.of = r.c.N, &r.c.of.message
	r.under.begin(r.p, r.at.action)
	for again := true; again; again = r.out.choice.Again() {
		r.out.sent, r.out.note, r.out.fresh, r.out.exhausted = r.out.sent[:0], 0, r.in.Learns.Fresh(), false
		if !r.again {
			r.out.sent = nil
		}
		r.o = r.at
		r.c.of.local.copyTo(&r.o.local, r.l)
		r.out.closed = false
		enabled := do(&r.o.local, &r.out)
		if r.out.closed = true; !enabled {
			continue
		}
		r.o.sent, r.o.note, r.o.exhausted = r.out.sent, r.out.note, r.out.exhausted
		if r.c.Links != nil {
			if to := r.c.Links.Of(&r.o.local).To; int(to) >= r.c.N {
				panic(mistaken(fmt.Sprintf("the link leads to process %d; there are %d, counted from 0", to,
					r.c.N)))
			}
			r.o.sent, r.o.cut = r.c.Links.carry(r.l, &r.o.local, r.out.sent)
		}
		r.yield(&r.o)
		if r.c.mayCrash(r.p, r.in.Dead) {
			r.broken()
		}
	}
	r.under.end()
	done = true
}

// broken yields the outcomes in which the process crashes on the way to the one at hand.
func (r *runner[L, M, H]) broken() {
	r.o.action, r.o.crash = r.c.crashAction()+1, true
	r.c.reset(r.p, &r.o.local)
	none := r.in.Dead
	if r.c.Network.ToDead {
		none = 0
	}
	parts(&r.c.of.message, r.c.Network.CrashSends, r.out.sent, none, func(part []Sent[M]) {
		r.o.sent = part
		r.yield(&r.o)
	})
}

// receiver returns the index of the handler of the message at hand.
func (r *runner[L, M, H]) receiver() (i int) {
	done := false
	defer returns(&done, func() Error {
		e := r.context(-1)
		e.Part = "Accepts"
		return e
	})
	i, done = r.c.receiver(r.envelope.M), true
	return i
}

// context says what is under way when the handler of an action runs; -1 is the action of a
// receipt of which the handler is not known.
func (r *runner[L, M, H]) context(action int) Error {
	e := Error{Process: r.c.Names.Of(r.p), State: spelled(*r.l, r.c.Names), action: action, proc: r.p}
	if action >= 0 {
		e.Action = r.c.actions()[action].Name
		e.Part = "handler " + e.Action
	}
	if r.envelope != nil {
		e.receives = lts.Message{
			From: r.c.Names.Of(r.envelope.From),
			To:   e.Process,
			Text: fmt.Sprint(r.envelope.M),
		}
		e.Message = e.receives.Text + " from " + e.receives.From
	}
	return e
}
