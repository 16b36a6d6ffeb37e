package timed

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
)

// Models with links: what is lost with a link, and the events of links, each of which takes its time.

// underWay puts under way what there is at the start.
func (r *run) underWay() {
	for p := range model.Proc(r.x.N()) {
		for i := range r.at.Inbox(p) {
			r.marked++
			r.at.Mark(p, i, r.marked)
			r.deliver(p, r.at.Inbox(p)[i])
		}
	}
}

// forget takes out of the queue what the last step has lost with a link.
func (r *run) forget() {
	if len(r.lost) == 0 {
		return
	}
	gone := func(m *interp.Envelope) bool {
		return slices.ContainsFunc(r.lost, func(l interp.Lost) bool { return l.Mark == m.Mark })
	}
	for i := range r.queue {
		if e := &r.queue[i]; (e.kind == arrives || e.kind == received) && gone(&e.envelope) {
			e.kind = nothing
		}
	}
	for p := range r.blocked {
		r.blocked[p] = slices.DeleteFunc(r.blocked[p], func(m interp.Envelope) bool { return gone(&m) })
	}
}

// events is how many events a link has, and event one of them.
func (r *run) events() int { return r.x.FirstCrash - r.x.FirstEvent }

func (r *run) event(p model.Proc, i int) interp.Event {
	return interp.Event{Proc: p, Action: r.x.FirstEvent + i, At: -1}
}

// plan puts the events of links into the queue that have become possible.
func (r *run) plan() {
	events := r.events()
	if events == 0 {
		return
	}
	for p := range model.Proc(r.x.N()) {
		takes := &r.s.Network.Link
		if r.at.IsDead(p) {
			if takes = &r.s.Faults.Repair; takes.draw == nil { // it stays as it is
				continue
			}
		}
		for i := range events {
			if k := int(p)*events + i; !r.planned[k] && r.enabled(r.event(p, i)) {
				r.planned[k] = true
				r.push(event{at: r.now + takes.of(r.r), kind: befalls, proc: p, peer: model.Proc(i)})
			}
		}
	}
}

// befall carries out an event of a link, if it is still possible.
func (r *run) befall(p model.Proc, i int) {
	r.planned[int(p)*r.events()+i] = false
	lived := !r.at.IsDead(p)
	if !r.enabled(r.event(p, i)) {
		return
	}
	r.commit(p)
	if !lived {
		r.dead = slices.DeleteFunc(r.dead, func(q model.Proc) bool { return q == p })
		r.died[p] = -1
		r.live++
		r.push(event{at: r.now + r.s.Load.Think.of(r.r), kind: requests, proc: p})
	}
	r.settle(p)
}
