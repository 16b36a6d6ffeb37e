package timed

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/model/values"
)

// A run is a discrete-event simulation: handlers run at the times at which a load, a network and crashes make
// them run, which are drawn from distributions.
type run struct {
	*interp.Interp
	set   *Settings
	roles roles
	r     *rand.Rand
	now   float64
	agenda
	meter

	state *interp.State
	step  interp.Step             // that is prepared, or was taken last
	found bool                    // a step
	keep  func(*interp.Step) bool // in step
	draw  func(n int) int         // from r
	sent  uint32                  // messages, so far: each is marked by the number of those up to it
	watch func()                  // is called after each step; may be nil

	latest  []float64 // per ordered pair: when the last message arrives, if they keep their order
	planned []bool    // per process and event of a link, whether it is in the queue
	procs   []process
}

// A process has the activities of one process, and what it waits for.
type process struct {
	sending, receiving float64 // until when it is busy so
	inside             bool    // it uses units
	asked              float64 // when it requested; below 0: it does not wait
	blocked            []interp.Envelope
	wantsRequest       bool // it is to request as soon as it can
	slow               bool
	suspects           values.Group
	died               float64 // when; below 0: not
}

// roles has the local handlers of a model by purpose.
type roles struct{ request, release, others []int }

func rolesOf(x *interp.Interp, s *Settings) (r roles, err error) {
	release := cmp.Or(s.Release, "release")
	for i := range x.Requests {
		switch {
		case x.Requests[i] && s.Request == "" || x.Actions[i].Name == s.Request:
			r.request = append(r.request, i)
		case x.Actions[i].Name == release:
			r.release = append(r.release, i)
		default:
			r.others = append(r.others, i)
		}
	}
	if r.request == nil || r.release == nil {
		return r, usage.Errorf("the model has no handler that requests, or none that is called %q", release)
	}
	return r, nil
}

// newRun returns a run of a model, with its first events planned.
func newRun(in model.Instance, s *Settings, r *rand.Rand) *run {
	n := in.Interp.N()
	t := &run{Interp: in.Interp, set: s, r: r, draw: r.IntN,
		state: in.Interp.Start().Own(), procs: make([]process, n),
		meter: meter{capacity: in.Capacity, warmup: s.Warmup, end: s.Duration, live: n}}
	t.keep = t.kept
	t.roles, _ = rolesOf(in.Interp, s) // which Measure has checked
	t.planned = make([]bool, n*t.events())
	if _, known := t.Suspects(t.state.Local(0)); !known {
		t.suspicions = math.NaN()
	}
	if t.set.Network.Slow > 0 {
		for _, p := range t.r.Perm(n)[:t.set.Network.Slow] {
			t.procs[p].slow = true
		}
	}
	for p := range model.Proc(n) { // links have messages under way at the start
		for i := range t.state.Inbox(p) {
			t.state.Mark(p, i, t.mark())
			t.deliver(p, t.state.Inbox(p)[i])
		}
	}
	if !t.set.Network.Bag {
		t.latest = make([]float64, n*n)
	}
	for p := range n {
		t.procs[p].asked, t.procs[p].died = -1, -1
		if p < cmp.Or(t.set.Load.Requesters, n) {
			t.after(&t.set.Load.First, requests, model.Proc(p), 0)
		}
	}
	t.planCrashes(n)
	t.plan()
	return t
}

// mark returns the mark of the next message.
func (t *run) mark() uint32 {
	t.sent++
	return t.sent
}

// after plans an event about a process, and perhaps another one, after a time that is drawn.
func (t *run) after(takes *distribution, kind kind, p, peer model.Proc) {
	t.push(event{at: t.now + takes.of(t.r), kind: kind, proc: p, peer: peer})
}

// planCrashes draws when processes crash, and which.
func (t *run) planCrashes(n int) {
	f := &t.set.Faults
	times := slices.Clone([]float64(f.At))
	for range f.Crashes {
		times = append(times, t.set.Duration*t.r.Float64())
	}
	for i, p := range t.r.Perm(n - f.Spared) {
		if i < len(times) {
			t.push(event{at: times[i], kind: crashes, proc: model.Proc(f.Spared + p)})
		}
	}
}

// play plays the run to its end, or until the context is over.
func (t *run) play(ctx context.Context) Sample {
	for len(t.heap) > 0 && t.heap[0].at <= t.set.Duration && ctx.Err() == nil {
		e := t.pop()
		t.pass(e.at)
		t.now = e.at
		step, urgent := t.happen(&e)
		if step {
			t.take(e.kind)
		}
		if urgent {
			t.settle(ctx, e.proc)
		}
	}
	t.pass(t.set.Duration)
	return t.sample(t.seq)
}

// happen lets an event happen: it prepares a step, if the event causes one, and reports whether the process
// has urgent steps to try next.
func (t *run) happen(e *event) (step, urgent bool) {
	p := e.proc
	switch {
	case e.kind == linked:
		k := int(e.peer)
		t.planned[int(p)*t.events()+k] = false
		step = t.enabled(t.event(p, k))
		return step, step
	case t.state.IsDead(p): // messages to it are lost
		return false, false
	}
	switch e.kind {
	case arrives:
		// its sender has crashed in the middle of its sends
		if died := t.procs[e.envelope.From].died; died >= 0 && died < e.left {
			if at := t.place(p, e.envelope); at >= 0 {
				t.state.Drop(p, at)
			}
			return false, false
		}
		step = t.arrive(e)
	case received:
		step = t.receive(p, e.envelope)
	case requests:
		step = t.try(p, t.roles.request)
		t.procs[p].wantsRequest = !step
		return step, true
	case releases:
		step = t.try(p, t.roles.release)
	case crashes:
		return t.prepare(interp.Event{Proc: p, Action: t.FirstCrash, At: -1}, interp.How{Forced: true}), false
	case noticed:
		return t.enabled(interp.Event{Proc: p, Peer: e.peer, Action: t.FirstNotice, At: -1}), true
	}
	return step, step
}

// arrive lets the receiver take a message in, as soon as it is free to.
func (t *run) arrive(e *event) bool {
	takes := t.set.Network.Receive.of(t.r)
	begins := t.now
	if t.set.Network.Host != "parallel" {
		begins = max(begins, t.procs[e.proc].receiving)
		t.procs[e.proc].receiving = begins + takes
	}
	if takes == 0 && begins == t.now {
		return t.receive(e.proc, e.envelope)
	}
	t.push(event{at: begins + takes, kind: received, proc: e.proc, envelope: e.envelope})
	return false
}

// receive prepares the receipt of a message, or keeps the message until it can be received.
func (t *run) receive(p model.Proc, m interp.Envelope) bool {
	if t.receives(p, m) {
		return true
	}
	t.procs[p].blocked = append(t.procs[p].blocked, m)
	return false
}

// try prepares the first of some handlers that is enabled and changes anything.
func (t *run) try(p model.Proc, handlers []int) bool {
	for _, h := range handlers {
		if t.enabled(interp.Event{Proc: p, Action: h, At: -1}) && !t.idle() {
			if slices.Contains(t.roles.request, h) {
				t.procs[p].asked = t.now
				t.waiting++
				t.count(&t.asks)
			}
			return true
		}
	}
	return false
}

// idle reports whether the step at hand changes nothing: such a step can be taken for ever.
func (t *run) idle() bool {
	s := &t.step
	return len(s.Sent) == 0 && t.Locals.Equal(t.state.Local(s.Proc), s.Local)
}

// settle takes the steps that a process takes at once. It tries everything in turn until there is nothing
// left: a handler of the process itself, a request that it could not make, or a message that it could not
// receive.
func (t *run) settle(ctx context.Context, p model.Proc) {
	x := &t.procs[p]
	blocked := func(m interp.Envelope) bool { return t.receives(p, m) }
	for again := true; again && ctx.Err() == nil; {
		if again = t.try(p, t.roles.others); again {
			t.take(received)
		}
		if x.wantsRequest && t.try(p, t.roles.request) {
			x.wantsRequest, again = false, true
			t.take(received)
		}
		if i := slices.IndexFunc(x.blocked, blocked); i >= 0 {
			x.blocked, again = slices.Delete(x.blocked, i, i+1), true
			t.take(received)
		}
	}
}

// enabled reports whether an event can happen, and prepares the step by which it does.
func (t *run) enabled(e interp.Event) bool {
	return t.prepare(e, interp.How{Draw: t.draw})
}

// prepare is enabled with a choice among outcomes.
func (t *run) prepare(e interp.Event, how interp.How) bool {
	t.found = false
	t.state.Enabled(e, how, t.keep)
	return t.found
}

// kept keeps an enabled step, the only one.
func (t *run) kept(s *interp.Step) (more bool) {
	if t.found = !s.Excluded; t.found {
		t.step = *s
	}
	return false
}

// receives is enabled of the receipt of a message.
func (t *run) receives(p model.Proc, m interp.Envelope) bool {
	a := interp.Ask{Proc: p, Peer: m.From, Local: t.state.Local(p), Message: m.M}
	return t.enabled(interp.Event{Proc: p, Peer: m.From, Action: t.Receiver(a), At: t.place(p, m), M: m.M})
}

// place returns where a message is in the inbox of p; -1: inboxes are not kept.
func (t *run) place(p model.Proc, m interp.Envelope) int {
	if t.Light {
		return -1
	}
	return slices.IndexFunc(t.state.Inbox(p), func(e interp.Envelope) bool { return e.Mark == m.Mark })
}

// take takes the prepared step, and draws and notes what follows from it.
func (t *run) take(kind kind) {
	p := t.step.Proc
	revives := kind == linked && t.state.IsDead(p)
	for i := range t.step.Sent {
		t.step.Sent[i].Mark = t.mark()
	}
	t.forget(t.state.Apply(&t.step))
	if t.watch != nil {
		t.watch()
	}
	if kind == crashes {
		t.afterCrash(p)
		return
	}
	t.send(p)
	t.plan()
	x, inside := &t.procs[p], t.state.Units(p) > 0
	switch {
	case inside && !x.inside:
		t.entered(t.now - x.asked)
		x.asked = -1
		t.after(&t.set.Load.Use, releases, p, 0)
	case !inside && x.inside:
		t.using--
	}
	x.inside = inside
	t.detect(p)
	if revives {
		x.died = -1
		t.live++
	}
	if revives || kind == releases {
		t.after(&t.set.Load.Think, requests, p, 0)
	}
}

// detect notes which crashes a process knows of now, and which live processes it takes for dead.
func (t *run) detect(p model.Proc) {
	if t.state.IsDead(p) {
		return
	}
	known, ok := t.Suspects(t.state.Local(p))
	before := t.procs[p].suspects
	if !ok || known == before && len(t.crashes) == 0 {
		return
	}
	t.procs[p].suspects = known
	for i := range t.crashes {
		if c := &t.crashes[i]; known.Has(c.of) && t.state.IsDead(c.of) {
			c.who[p] = true
			t.complete(c, t.now)
		}
	}
	for j := range known.Minus(before).Each() {
		if !t.state.IsDead(j) {
			t.count(&t.suspicions)
		}
	}
}

// send plans the messages of the last step. Messages to the dead take time, too, where inboxes are not kept.
func (t *run) send(from model.Proc) {
	for i := range t.step.Sent {
		if m := &t.step.Sent[i]; t.Light || !t.state.IsDead(m.To) {
			t.count(&t.messages)
			t.deliver(m.To, interp.Envelope{From: from, Mark: m.Mark, M: m.M})
		}
	}
}

// deliver plans when a message arrives.
func (t *run) deliver(to model.Proc, m interp.Envelope) {
	from := m.From
	nw := &t.set.Network
	x := &t.procs[from]
	x.sending = max(t.now, x.sending) + nw.Send.of(t.r)
	at := x.sending + t.between(from, to)
	if x.slow {
		at += nw.Late.of(t.r)
	}
	if t.latest != nil {
		last := &t.latest[int(from)*t.N()+int(to)]
		at = max(at, *last)
		*last = at
	}
	t.push(event{at: at, kind: arrives, proc: to, envelope: m, left: x.sending})
}

// between draws how long a message is under way.
func (t *run) between(from, to model.Proc) float64 {
	nw := &t.set.Network
	if size := t.N() / max(nw.Clusters, 1); nw.Clusters > 0 && int(from)/size != int(to)/size {
		return nw.Apart.of(t.r)
	}
	return nw.Transmit.of(t.r)
}

// afterCrash notes that a process has crashed, and plans when the others notice.
func (t *run) afterCrash(p model.Proc) {
	x := &t.procs[p]
	if x.inside {
		t.using--
	}
	if x.asked >= 0 {
		t.waiting--
	}
	x.wantsRequest, x.inside, x.asked, x.died = false, false, -1, t.now
	t.crashed(p, t.now)
	for q := range model.Proc(t.N()) {
		if !t.state.IsDead(q) && t.FirstNotice < t.FirstEvent {
			t.after(&t.set.Faults.Notice, noticed, q, p)
		}
	}
	t.plan()
}

// forget takes messages out of the queue that a step has lost with a link.
func (t *run) forget(lost []interp.Lost) {
	if len(lost) == 0 {
		return
	}
	gone := func(m interp.Envelope) bool {
		return slices.ContainsFunc(lost, func(l interp.Lost) bool { return l.Mark == m.Mark })
	}
	for i := range t.heap {
		e := &t.heap[i]
		if (e.kind == arrives || e.kind == received) && gone(e.envelope) {
			e.kind = nothing
		}
	}
	for p := range t.procs {
		t.procs[p].blocked = slices.DeleteFunc(t.procs[p].blocked, gone)
	}
}

// events is how many events a link has, and event one of them.
func (t *run) events() int { return t.FirstCrash - t.FirstEvent }

func (t *run) event(p model.Proc, i int) interp.Event {
	return interp.Event{Proc: p, Action: t.FirstEvent + i, At: -1}
}

// plan plans the events of links that have become possible.
func (t *run) plan() {
	events := t.events()
	if events == 0 {
		return
	}
	for p := range model.Proc(t.N()) {
		takes := &t.set.Network.Link
		if t.state.IsDead(p) {
			if takes = &t.set.Faults.Repair; takes.draw == nil { // it stays as it is
				continue
			}
		}
		for i := range events {
			if k := int(p)*events + i; !t.planned[k] && t.enabled(t.event(p, i)) {
				t.planned[k] = true
				t.after(takes, linked, p, model.Proc(i))
			}
		}
	}
}
