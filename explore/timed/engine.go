package timed

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/values"
)

// An event is something that happens at a time.
type event struct {
	at       float64
	seq      uint64
	kind     eventKind
	proc     model.Proc // to whom it happens
	peer     model.Proc // who has crashed; of an event of a link its number
	envelope interp.Envelope
	left     float64 // when the message left its sender
}

type eventKind uint8

const (
	arrives  eventKind = iota // a message has come to the receiver
	received                  // the receiver is done with taking it in
	requests
	releases
	crashes
	noticed
	befalls // an event of a link
	nothing // what was to arrive is lost
)

func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.seq < f.seq }

// A run is a simulation under way.
type run struct {
	s      *Settings
	x      *interp.Interp
	at     *interp.State
	step   interp.Step   // that was found enabled last
	lost   []interp.Lost // in the last step
	marked uint32        // messages, so far
	watch  func()        // sees each step that is taken; nil: nobody does
	r      *rand.Rand
	roles  roles
	// capacity is how many units there are; 0: nobody knows.
	capacity int
	now      float64
	seq      uint64
	queue    []event // a binary heap

	sending, receiving []float64 // per process: until when it is busy so
	latest             []float64 // per ordered pair: when the last message arrives, if they keep their order
	inside             []bool    // per process: it uses units
	asked              []float64 // per process: when it requested; below 0: it does not wait
	blocked            [][]interp.Envelope
	wishes             []bool // per process: it is to request as soon as it can
	slow               []bool // per process; nil: nobody is
	suspects           []values.Group
	planned            []bool    // per process and event of a link, whether it is in the queue
	died               []float64 // per process, when; below 0: not
	dead               []model.Proc
	meter
}

// roles are what the local handlers of a model are for.
type roles struct {
	request, release []int
	others           []int
}

func rolesOf(actions []lts.Action, requests []bool, request, release string) (r roles, err error) {
	for i := range requests {
		switch {
		case requests[i] && request == "" || actions[i].Name == request:
			r.request = append(r.request, i)
		case actions[i].Name == release:
			r.release = append(r.release, i)
		default:
			r.others = append(r.others, i)
		}
	}
	if r.request == nil || r.release == nil {
		return r, fmt.Errorf("the model has no handler that requests, or none that is called %q", release)
	}
	return r, nil
}

// push plans an event.
func (r *run) push(e event) {
	r.seq++
	e.seq = r.seq
	r.queue = append(r.queue, e)
	i := len(r.queue) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !r.queue[i].before(&r.queue[up]) {
			break
		}
		r.queue[i], r.queue[up] = r.queue[up], r.queue[i]
		i = up
	}
}

// pop takes the next event.
func (r *run) pop() event {
	first, n := r.queue[0], len(r.queue)-1
	r.queue[0] = r.queue[n]
	r.queue = r.queue[:n]
	for i := 0; ; {
		least := i
		for _, c := range []int{2*i + 1, 2*i + 2} {
			if c < n && r.queue[c].before(&r.queue[least]) {
				least = c
			}
		}
		if least == i {
			return first
		}
		r.queue[i], r.queue[least] = r.queue[least], r.queue[i]
		i = least
	}
}

// play carries out events until the end of the run, or of the context.
func (r *run) play(ctx context.Context) error {
	r.begin()
	for steps := 0; len(r.queue) > 0 && r.queue[0].at <= r.s.Duration; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := r.pop()
		r.pass(e.at)
		r.now = e.at
		r.happen(&e)
	}
	r.pass(r.s.Duration)
	return nil
}

// begin plans what a run begins with.
func (r *run) begin() {
	n := r.x.N()
	r.at = r.x.Start().Own()
	r.sending, r.receiving = make([]float64, n), make([]float64, n)
	r.inside, r.asked, r.blocked = make([]bool, n), make([]float64, n), make([][]interp.Envelope, n)
	r.died = make([]float64, n)
	r.wishes, r.suspects = make([]bool, n), make([]values.Group, n)
	r.planned = make([]bool, n*r.events())
	r.meter.begin(r.s, n, r.capacity)
	if _, known := r.x.Suspects(r.at.Local(0)); !known {
		r.suspicions = math.NaN()
	}
	if r.s.Network.Slow > 0 {
		r.slow = make([]bool, n)
		for _, p := range r.r.Perm(n)[:r.s.Network.Slow] {
			r.slow[p] = true
		}
	}
	r.underWay()
	if !r.s.Network.Bag {
		r.latest = make([]float64, n*n)
	}
	requesters := r.s.Load.Requesters
	if requesters == 0 {
		requesters = n
	}
	for p := range n {
		r.asked[p], r.died[p] = -1, -1
		if p < requesters {
			r.push(event{at: r.s.Load.First.of(r.r), kind: requests, proc: model.Proc(p)})
		}
	}
	f := &r.s.Faults
	times := slices.Clone([]float64(f.At))
	until := f.Until
	if until == 0 {
		until = r.s.Duration
	}
	for range f.Crashes {
		times = append(times, f.From+(until-f.From)*r.r.Float64())
	}
	for i, p := range r.r.Perm(n - f.Spared) {
		if i < len(times) {
			r.push(event{at: times[i], kind: crashes, proc: model.Proc(f.Spared + p)})
		}
	}
	r.plan()
}

// happen carries out an event.
func (r *run) happen(e *event) {
	p := e.proc
	if e.kind == befalls {
		r.befall(p, int(e.peer))
		return
	}
	if r.at.IsDead(p) { // and what was under way to it is lost
		return
	}
	switch e.kind {
	case arrives:
		// it has crashed in the middle of its sends
		if died := r.died[e.envelope.From]; died >= 0 && died < e.left {
			if at := r.place(p, e.envelope); at >= 0 {
				r.at.Drop(p, at)
			}
			return
		}
		r.arrive(e)
	case nothing:
	case received:
		r.receive(p, e.envelope)
	case requests:
		r.request(p)
	case releases:
		if r.try(p, r.roles.release) {
			r.push(event{at: r.now + r.s.Load.Think.of(r.r), kind: requests, proc: p})
			r.settle(p)
		}
	case crashes:
		r.crash(p)
	case noticed:
		r.notice(p, e.peer)
	}
}

// arrive lets the receiver take a message in, as soon as it is free to.
func (r *run) arrive(e *event) {
	takes := r.s.Network.Receive.of(r.r)
	begins := r.now
	switch r.s.Network.Host {
	case "parallel":
	case "shared":
		begins = max(begins, r.sending[e.proc])
		r.sending[e.proc] = begins + takes
	default:
		begins = max(begins, r.receiving[e.proc])
		r.receiving[e.proc] = begins + takes
	}
	if takes == 0 && begins == r.now {
		r.receive(e.proc, e.envelope)
		return
	}
	r.push(event{at: begins + takes, kind: received, proc: e.proc, envelope: e.envelope})
}

// receive runs the handler of a message, or keeps it until it can be received.
func (r *run) receive(p model.Proc, m interp.Envelope) {
	if !r.receives(p, m) {
		r.blocked[p] = append(r.blocked[p], m)
		return
	}
	r.commit(p)
	r.settle(p)
}

// request begins a request, or keeps it in mind until the process can.
func (r *run) request(p model.Proc) {
	r.wishes[p] = !r.try(p, r.roles.request)
	r.settle(p)
}

// try takes the first of some handlers that is enabled and changes anything.
func (r *run) try(p model.Proc, handlers []int) bool {
	for _, h := range handlers {
		if r.enabled(interp.Event{Proc: p, Action: h, At: -1}) && !r.idle() {
			if slices.Contains(r.roles.request, h) {
				r.asked[p] = r.now
				r.requested(1)
			}
			r.commit(p)
			return true
		}
	}
	return false
}

// settle lets a process do what is left to do at once: handlers of its own, and messages that it could not
// receive.
func (r *run) settle(p model.Proc) {
	for again := true; again; {
		again = r.try(p, r.roles.others)
		if r.wishes[p] && r.try(p, r.roles.request) {
			r.wishes[p], again = false, true
		}
		for i, m := range r.blocked[p] {
			if r.receives(p, m) {
				r.blocked[p] = slices.Delete(r.blocked[p], i, i+1)
				r.commit(p)
				again = true
				break
			}
		}
	}
}

// enabled reports whether an event can happen, and keeps the step by which it does.
func (r *run) enabled(e interp.Event) (is bool) {
	r.at.Enabled(e, interp.How{Draw: r.r.IntN}, func(t *interp.Step) bool {
		r.step, is = *t, !t.Excluded
		return false
	})
	return is
}

// receives is enabled of the receipt of a message.
func (r *run) receives(p model.Proc, m interp.Envelope) bool {
	a := interp.Ask{Proc: p, Peer: m.From, Local: r.at.Local(p), Message: m.M}
	return r.enabled(interp.Event{Proc: p, Peer: m.From, Action: r.x.Receiver(a), At: r.place(p, m), M: m.M})
}

// place returns where a message is in the inbox of p; -1: inboxes are not kept.
func (r *run) place(p model.Proc, m interp.Envelope) int {
	if r.x.Light {
		return -1
	}
	return slices.IndexFunc(r.at.Inbox(p), func(e interp.Envelope) bool { return e.Mark == m.Mark })
}

// idle reports whether the step at hand changes nothing: such a step can be taken for ever.
func (r *run) idle() bool {
	return len(r.step.Sent) == 0 && r.x.Locals.Equal(r.at.Local(r.step.Proc), r.step.Local)
}

// apply takes the step at hand, and returns what it sends: messages to the dead take time, too, if they are
// carried here.
func (r *run) apply() (sent []interp.Sent) {
	for i := range r.step.Sent {
		r.marked++
		r.step.Sent[i].Mark = r.marked
	}
	r.lost = r.at.Apply(&r.step)
	if r.watch != nil {
		r.watch()
	}
	if r.x.Light {
		return r.step.Sent
	}
	return slices.DeleteFunc(r.step.Sent, func(m interp.Sent) bool { return r.at.IsDead(m.To) })
}

// commit takes a step, sends what it sends, and notes whether the process uses units now.
func (r *run) commit(p model.Proc) {
	sent := r.apply()
	r.forget()
	for i := range sent {
		r.send(p, &sent[i])
	}
	r.plan()
	inside := r.at.Units(p) > 0
	switch {
	case inside && !r.inside[p]:
		r.entered(r.now - r.asked[p])
		r.asked[p] = -1
		r.push(event{at: r.now + r.s.Load.Use.of(r.r), kind: releases, proc: p})
	case !inside && r.inside[p]:
		r.left()
	}
	r.inside[p] = inside
	r.detect(p)
}

// detect notes which crashes a process has come to know of, and whom it takes for dead without a crash.
func (r *run) detect(p model.Proc) {
	if r.at.IsDead(p) {
		return
	}
	known, ok := r.x.Suspects(r.at.Local(p))
	if !ok || known == r.suspects[p] && len(r.dead) == 0 {
		return
	}
	for _, j := range r.dead {
		if known.Has(j) {
			r.knows(p, j, r.now)
		}
	}
	wrong := 0
	for j := range known.Minus(r.suspects[p]).Each() {
		if !r.at.IsDead(j) {
			wrong++
		}
	}
	r.suspects[p] = known
	r.suspected(wrong)
}

// send puts a message under way that a process has sent.
func (r *run) send(from model.Proc, m *interp.Sent) {
	r.sent()
	r.deliver(m.To, interp.Envelope{From: from, Mark: m.Mark, M: m.M})
}

// deliver plans when a message arrives.
func (r *run) deliver(to model.Proc, m interp.Envelope) {
	from := m.From
	nw := &r.s.Network
	r.sending[from] = max(r.now, r.sending[from]) + nw.Send.of(r.r)
	at := r.sending[from] + r.between(from, to)
	if r.slow != nil && r.slow[from] {
		at += nw.Late.of(r.r)
	}
	if r.latest != nil {
		last := &r.latest[int(from)*r.x.N()+int(to)]
		at = max(at, *last)
		*last = at
	}
	r.push(event{at: at, kind: arrives, proc: to, envelope: m, left: r.sending[from]})
}

// between draws how long a message is under way.
func (r *run) between(from, to model.Proc) float64 {
	nw := &r.s.Network
	if nw.Pairs != nil {
		if d, known := nw.Pairs[fmt.Sprintf("%d-%d", from, to)]; known {
			return d.of(r.r)
		}
	}
	if size := r.x.N() / max(nw.Clusters, 1); nw.Clusters > 0 && int(from)/size != int(to)/size {
		return nw.Apart.of(r.r)
	}
	return nw.Transmit.of(r.r)
}

// crash crashes a process, and plans when the others are told.
func (r *run) crash(p model.Proc) {
	e := interp.Event{Proc: p, Action: r.x.FirstCrash, At: -1}
	r.at.Enabled(e, interp.How{Forced: true}, func(t *interp.Step) bool {
		r.step = *t
		return false
	})
	r.apply()
	r.forget()
	r.wishes[p] = false
	if r.inside[p] {
		r.inside[p] = false
		r.left()
	}
	if r.asked[p] >= 0 {
		r.asked[p] = -1
		r.gaveUp()
	}
	r.dead, r.died[p] = append(r.dead, p), r.now
	r.crashed(p, r.now)
	for q := range model.Proc(r.x.N()) {
		if !r.at.IsDead(q) && r.x.FirstNotice < r.x.FirstEvent {
			r.push(event{at: r.now + r.s.Faults.Notice.of(r.r), kind: noticed, proc: q, peer: p})
		}
	}
	r.plan()
}

// notice tells a process of a crash.
func (r *run) notice(p, dead model.Proc) {
	if r.x.FirstNotice < r.x.FirstEvent &&
		r.enabled(interp.Event{Proc: p, Peer: dead, Action: r.x.FirstNotice, At: -1}) {
		r.commit(p)
	}
	r.settle(p)
}
