package cluster

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// A referee lets the processes of a model with links take their steps, one after the other, and keeps the
// links: what is sent lies here until it is received. For what such a model asks of its medium no process can
// do by itself: a link breaks in the moment in which the process at its end crashes, a timer fires as soon as
// nothing that it waits for is under way, and a fresh number is one that nobody uses.
type referee struct {
	*supervisor
	state   *interp.State
	under   map[uint32]*waiting // envelopes by the marks of their messages
	marked  uint32
	due     []time.Time    // per process: when it tries a step of its own; zero: that is not decided
	units   []int          // per process, that it uses
	gone    [][]model.Proc // per process: who has crashed since its last turn
	idle    model.Set      // those that have no step of their own as things are
	refused model.Set      // those whose messages are not received as things are
}

// A waiting envelope is in a link.
type waiting struct {
	envelope
	ready time.Time // when it may be received
}

func newReferee(s *supervisor) *referee {
	n := s.Nodes.N()
	return &referee{
		supervisor: s, state: s.Nodes.Start().Own(), under: map[uint32]*waiting{},
		due: make([]time.Time, n), units: make([]int, n), gone: make([][]model.Proc, n),
	}
}

// A chance is something that can be done.
type chance struct {
	at       time.Time
	proc     model.Proc
	from     int // the sender of what it receives; -1: nothing
	envelope envelope
}

// advance does the next thing that there is to do when it is time for it.
func (r *referee) advance(ctx context.Context) error {
	next, some := r.next()
	victims, kill := r.supervisor.due(time.Now(), !some)
	for _, p := range victims {
		if err := r.kill(p); err != nil {
			return err
		}
	}
	switch r.result.End = r.end(); {
	case r.result.End != "" || len(victims) > 0:
		return nil
	case !some && len(r.plan) == 0:
		r.result.End = Quiet
		return nil
	case some && next.at.Before(kill):
		kill = next.at
	default:
		some = false
	}
	timer := time.NewTimer(time.Until(kill))
	defer timer.Stop()
	select {
	case n := <-r.news:
		return r.hear(n)
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	}
	if !some {
		return nil
	}
	return r.turn(ctx, &next)
}

// next returns what can be done first: a step of a process by itself, the receipt of an envelope, or
// the return of a dead process.
func (r *referee) next() (first chance, some bool) {
	offer := func(c chance) {
		if !some || c.at.Before(first.at) {
			first, some = c, true
		}
	}
	for p := range model.Proc(r.Nodes.N()) {
		up := r.up(p)
		if up && !r.idle.Has(p) || !up && r.rises(p) {
			if r.due[p].IsZero() {
				r.due[p] = time.Now().Add(r.about(p))
			}
			offer(chance{at: r.due[p], proc: p, from: -1})
		}
		if !up {
			continue
		}
		for i, m := range r.state.Inbox(p) {
			if r.refused.Has(m.From) || !r.state.Deliverable(p, i) {
				continue
			}
			w := r.under[m.Mark]
			if w == nil { // it was under way at the start
				w = &waiting{envelope: envelope{Message: r.Nodes.Messages.Append(nil, m.M)}, ready: r.begun}
			}
			offer(chance{at: w.ready, proc: p, from: int(m.From), envelope: w.envelope})
		}
	}
	return first, some
}

// up reports whether a process runs.
func (r *referee) up(p model.Proc) bool { return r.children[p] != nil && !r.children[p].exited }

// about returns how long a process waits before its next step.
func (r *referee) about(p model.Proc) time.Duration {
	mean := r.Pace.Think
	if r.units[p] > 0 {
		mean = r.Pace.Stay
	}
	return r.random(mean)
}

// random returns a random duration with the given mean.
func (r *referee) random(mean time.Duration) time.Duration {
	return time.Duration(r.rng.Int64N(int64(2*mean) + 1))
}

// turn gives a process its turn, and enters what it does.
func (r *referee) turn(ctx context.Context, c *chance) error {
	p := c.proc
	if !r.up(p) {
		if err := r.raise(ctx, p); err != nil {
			return err
		}
	}
	r.children[p].tell(order{Turn: &turn{Around: r.state.Context(p), Gone: r.gone[p], From: c.from,
		Envelope: c.envelope}})
	r.gone[p], r.due[p] = nil, time.Time{}
	var done *turned
	for done == nil {
		select {
		case n := <-r.news:
			if n.from != p || n.report.Turned == nil {
				if err := r.hear(n); err != nil {
					return err
				}
				continue
			}
			done, r.children[p].progress = n.report.Turned, n.report.progress
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	switch {
	case done.Stepped:
		return r.enter(c, done)
	case c.from >= 0:
		r.refused = r.refused.With(model.Proc(c.from))
	default:
		r.idle = r.idle.With(p)
	}
	return nil
}

// enter enters a step into the links.
func (r *referee) enter(c *chance, done *turned) error {
	sent := make([]interp.Sent, len(done.Sent))
	for i, s := range done.Sent {
		m, err := r.Nodes.Messages.Read(s.Envelope.Message, r.Nodes.N())
		if err != nil {
			return err
		}
		r.marked++
		ready := time.Now().Add(r.random(r.Pace.Delay + r.Pace.Slow[c.proc]))
		r.under[r.marked] = &waiting{s.Envelope, ready}
		sent[i] = interp.Sent{To: s.To, Mark: r.marked, M: m}
	}
	r.units[c.proc], r.idle, r.refused = done.Units, 0, 0
	return r.step(c.proc, done.Local, c.from, sent)
}

// step takes a step of p, which is alive afterwards: to a local state, receiving from a process (-1: from
// none).
func (r *referee) step(p model.Proc, local []byte, from int, sent []interp.Sent) error {
	after, err := r.Nodes.Locals.Read(local, protocol.MaxProcs)
	if err != nil {
		return err
	}
	t := interp.Step{Proc: p, At: -1, History: r.state.History(), Record: r.state.Record()}
	t.Local, t.Sent, t.Revives = after, sent, r.state.IsDead(p)
	if from >= 0 {
		t.At = slices.IndexFunc(r.state.Inbox(p), func(e interp.Envelope) bool { return int(e.From) == from })
		delete(r.under, r.state.Inbox(p)[t.At].Mark)
	}
	_, t.Cut = r.Nodes.Carry(r.state.Local(p), after, nil)
	r.state.Apply(&t)
	return nil
}

// mayCrash reports whether p is alive and the adversary may crash it.
func (r *referee) mayCrash(p model.Proc) bool {
	left := !r.Nodes.Medium.Recovers || int(r.state.Record().Crashes) < r.Nodes.Medium.Crashes
	return left && !r.state.IsDead(p) && r.Nodes.MayCrash(p, r.state.Dead)
}

// crash crashes p. The links of others that lead there break.
func (r *referee) crash(p model.Proc) {
	e := interp.Event{Proc: p, Action: r.Nodes.FirstCrash, At: -1}
	r.state.Enabled(e, interp.How{Forced: true}, func(t *interp.Step) bool {
		r.state.Apply(t)
		return false
	})
}

// rises reports whether p is dead and can come up.
func (r *referee) rises(p model.Proc) (rises bool) {
	for _, e := range r.state.Idle(nil, p) {
		if r.state.IsDead(p) {
			r.state.Enabled(e, interp.How{}, func(*interp.Step) bool {
				rises = true
				return false
			})
		}
	}
	return rises
}

// raise starts a dead process again.
func (r *referee) raise(ctx context.Context, p model.Proc) error {
	if c := r.children[p]; c != nil {
		r.result.Entries += c.Entries
		r.result.Steps += c.Steps
		r.result.States = append(r.result.States, c.cmd.ProcessState)
	}
	return r.spawn(ctx, p, "", r.Nodes.Locals.Append(nil, r.state.Local(p)))
}

// kill ends a process, if it is alive and may crash, and waits until it has ended: its links break
// in this moment.
func (r *referee) kill(p model.Proc) error {
	if !r.up(p) || !r.mayCrash(p) {
		return nil
	}
	r.supervisor.kill(p)
	for r.up(p) {
		if err := r.hear(<-r.news); err != nil {
			return err
		}
	}
	if r.children[p].ended {
		return fmt.Errorf("process %s ended by itself", r.Nodes.Names[p])
	}
	r.crash(p)
	r.gone[p], r.due[p], r.units[p], r.idle, r.refused = nil, time.Time{}, 0, 0, 0
	for q := range r.gone {
		if r.up(model.Proc(q)) {
			r.gone[q] = append(r.gone[q], p)
		}
	}
	return nil
}
