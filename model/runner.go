package model

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A runner runs the handlers of a process, and yields their outcomes.
type runner struct {
	c *composition
	// yield gets each outcome. A run ends when it returns false.
	yield func(*interp.Outcome) bool
	// again: the memory of an outcome is used again when yield returns. Otherwise yield may keep its values.
	again bool

	interp.Ask
	at   interp.Outcome // the part of an outcome that is known before the handler runs
	o    interp.Outcome // the outcome
	room value          // the local state that handlers change
	out  outbox
	over bool // yield has returned false
}

// outcomes yields all outcomes of process p in local state l for a message that it receives, in a context. If
// e is nil: its own handlers with all their picks, notices, each of them also broken off by a crash, and the
// crash between handlers.
func (r *runner) outcomes(p Proc, l value, e *interp.Envelope, in protocol.Context) {
	r.Ask = interp.Ask{Proc: p, Local: l, Context: in, How: interp.How{Parts: true}}
	switch {
	case e != nil:
		r.Peer, r.Message = e.From, e.M
		r.receive(r.receiver())
		return
	case in.Dead.Has(p):
		r.linked()
		return
	}
	for r.Action = range r.c.Local {
		r.own()
	}
	for r.Peer = range in.Dead.Each() {
		r.notice()
	}
	r.Peer = 0
	r.linked()
	r.breakLink()
	r.crash()
}

func (r *runner) linked() {
	for i := range r.c.events {
		r.event(i)
	}
}

// Run runs the handler of an event.
func (c *composition) Run(a interp.Ask, yield func(*interp.Outcome) bool) {
	r := c.runner()
	r.Ask, r.yield, r.over = a, yield, false
	r.out.choice.Drawn(a.Draw)
	switch first := c.crashAction; {
	case a.Message != nil:
		r.receive(a.Action - len(c.Local))
	case a.Action < len(c.Local):
		r.own()
	case a.Action < c.eventAction:
		r.notice()
	case a.Action < first:
		r.event(a.Action - c.eventAction)
	case a.Action == first && (c.mayEver() || a.Forced):
		r.crash()
	default:
		r.breakLink()
	}
	c.runners.Put(r)
}

// runner returns a runner for one run; after a panic it is not used again.
func (c *composition) runner() *runner {
	if r, some := c.runners.Get().(*runner); some {
		return r
	}
	return &runner{c: c}
}

func (r *runner) event(i int) {
	e := &r.c.events[i]
	if !e.occurs(r.c.Links, r.Dead.Has(r.Proc), r.Local, r.Context) {
		return
	}
	r.at = interp.Outcome{Action: r.c.eventAction + i, Kind: e.Kind, Revives: e.revives}
	r.all(func(l value, out *outbox) bool {
		if !e.revives {
			r.c.Links.Of(l).State = e.after
		}
		return e.Do(r.Proc, l, out)
	})
}

// breakLink yields that the link breaks without a crash, if the channel adversary may break it.
func (r *runner) breakLink() {
	if r.c.Links == nil || r.c.Network.Faults.Breaks == 0 || r.Dead.Has(r.Proc) {
		return
	}
	action := r.c.indexOfFault(protocol.BreakFault)
	r.o = interp.Outcome{Action: action, Handler: action, Kind: Fault, Fault: protocol.BreakFault,
		Local: r.c.locals.Copied(r.Local)}
	output := r.c.Links.Of(r.o.Local)
	if output.State == protocol.OpenLink {
		r.o.Cut = protocol.CutTo(output.To)
		output.State = protocol.BrokenLink
		if r.c.Network.Faults.Lasting {
			output.Cut = output.Cut.With(output.To)
		}
		r.hand()
	}
}

func (r *runner) hand() { r.over = r.over || !r.yield(&r.o) }

func (r *runner) own() {
	h := &r.c.Local[r.Action]
	r.at = interp.Outcome{Action: r.Action, Kind: h.Kind}
	r.all(func(l value, out *outbox) bool { return h.Do(r.Proc, l, out) })
}

func (r *runner) notice() {
	if r.c.Notice == nil {
		return
	}
	r.at = interp.Outcome{Action: r.c.noticeAction, Peer: r.Peer}
	r.all(func(l value, out *outbox) bool { return r.c.Notice.Do(r.Proc, r.Peer, l, out) })
}

// crash yields the crash between handlers, if the adversary may crash the process.
func (r *runner) crash() {
	if !r.Forced && !r.c.MayCrash(r.Proc, r.Dead) {
		return
	}
	action := r.c.crashAction
	r.o = interp.Outcome{Action: action, Handler: action, Kind: Fault, Local: r.c.locals.Copied(r.Local),
		Crash: true}
	if links := r.c.Links; links != nil {
		if output := links.Of(r.Local); output.State == protocol.OpenLink {
			r.o.Cut = protocol.CutTo(output.To)
		}
	}
	r.c.reset(r.Proc, r.o.Local)
	r.hand()
}

func (r *runner) receive(i int) {
	do := r.c.Receive[i].Do
	r.at = interp.Outcome{Action: len(r.c.Local) + i, Peer: r.Peer}
	r.all(func(l value, out *outbox) bool { return do(r.Proc, r.Peer, r.c.messages.Own(r.Message), l, out) })
}

// all yields the outcomes of one handler: r.at, completed by do, for each
// combination of picks, and each broken off in every way that the adversary may choose.
func (r *runner) all(do func(value, *outbox) bool) {
	r.at.Handler = r.at.Action
	done, took, refused := false, false, false
	defer check.Returns(&done, func() Error { return r.context(r.at.Action) })
	r.out.procs, r.out.of = r.c.N, r.c.messages
	r.out.order, r.out.times = r.c.byOrder(), r.Times
	for again := true; again && !r.over; again = r.Draw == nil && r.out.choice.Again() {
		r.out.sent, r.out.note, r.out.fresh, r.out.exhausted = r.out.sent[:0], 0, r.View.Fresh(), false
		r.out.made = 0
		r.o = r.at
		if r.room == nil {
			r.room = r.c.locals.Fresh()
		}
		r.c.locals.CopyTo(r.room, r.Local)
		r.out.closed = false
		enabled := do(r.room, &r.out)
		r.out.closed = true
		took, refused = took || enabled && r.out.made != 0, refused || !enabled && r.out.made != 0
		if took && refused {
			panic(protocol.Mistake{What: "after it has called Outbox.Later it is enabled with some picks " +
				"only, where times count by their order only"})
		}
		if enabled {
			r.finish()
		}
	}
	done = true
}

// written returns the local state in the room, as a copy: the handler may have kept the room.
func (r *runner) written() value {
	switch {
	case r.again:
		return r.room
	case r.Into != nil && r.Draw != nil:
		r.c.locals.CopyTo(r.Into, r.room)
		return r.Into
	}
	return r.c.locals.Copied(r.room)
}

// finish yields the outcome of a handler that was enabled, and the outcomes in which it is broken off.
func (r *runner) finish() {
	r.o.Local, r.o.Sent, r.o.Note, r.o.Exhausted = r.written(), r.out.sent, r.out.note, r.out.exhausted
	if r.c.Links != nil {
		if to := r.c.Links.Of(r.o.Local).To; int(to) >= r.c.N {
			what := fmt.Sprintf("the link leads to process %d; there are %d, counted from 0", to, r.c.N)
			panic(protocol.Mistake{What: what})
		}
		r.o.Sent, r.o.Cut = r.c.Links.carry(r.Local, r.o.Local, r.out.sent)
	}
	if !r.again {
		r.o.Sent = slices.Clone(r.o.Sent)
	}
	r.hand()
	if r.over || !r.Parts || !r.c.MayCrash(r.Proc, r.Dead) {
		return
	}
	r.o.Local, r.o.Action, r.o.Crash = r.written(), r.c.crashAction+1, true
	r.c.reset(r.Proc, r.o.Local)
	dead := r.Dead.Has
	if r.c.Network.ToDead {
		dead = func(Proc) bool { return false }
	}
	yield := func(part []interp.Sent) bool {
		r.o.Sent = part
		r.hand()
		return !r.over
	}
	parts(r.c.messages, r.c.Network.CrashSends, r.out.sent, dead, r.Draw, yield)
}

func (r *runner) receiver() (i int) {
	done := false
	defer check.Returns(&done, func() Error {
		e := r.context(-1)
		e.Part = "Accepts"
		return e
	})
	i, done = r.c.receiver(r.Message), true
	return i
}

// context is the context of the handler of an action; -1: a receipt whose handler is not known.
func (r *runner) context(action int) Error {
	e := Error{Process: r.c.Names.Of(r.Proc), State: check.Spelled(r.c.locals.Any(r.Local), r.c.Names),
		Label: protocol.Label{Action: uint16(action), Proc: uint8(r.Proc), Peer: uint8(r.Peer)}}
	if action >= 0 {
		e.Action = r.c.actions[action].Name
		e.Part = "handler " + e.Action
	}
	if r.Message != nil {
		e.Receives = lts.Message{From: r.c.Names.Of(r.Peer), To: e.Process,
			Text: r.c.messages.Text(r.Message)}
		e.Message = e.Receives.Text + " from " + e.Receives.From
	}
	return e
}
