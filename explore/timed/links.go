package timed

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/stage"
)

// Models with links: what is lost with a link, and the events of links, each of which takes its time.

// underWay puts under way what there is at the start.
func (r *run) underWay() {
	for p := range model.Proc(r.stage.N()) {
		for _, m := range r.stage.Inbox(p) {
			r.deliver(r.stage.From(m), stage.Dispatch{To: p, Envelope: m})
		}
	}
}

// forget takes out of the queue what the last step has lost with a link.
func (r *run) forget() {
	lost := r.stage.Lost()
	if len(lost) == 0 {
		return
	}
	for i := range r.queue {
		if e := &r.queue[i]; (e.kind == arrives || e.kind == received) && slices.Contains(lost, e.envelope) {
			e.kind = nothing
		}
	}
	for p := range r.blocked {
		r.blocked[p] = slices.DeleteFunc(r.blocked[p], func(m stage.Envelope) bool {
			return slices.Contains(lost, m)
		})
	}
}

// plan puts the events of links into the queue that have become possible.
func (r *run) plan() {
	events := r.stage.Events()
	if events == 0 {
		return
	}
	for p := range model.Proc(r.stage.N()) {
		takes := &r.s.Network.Link
		if !r.stage.Live(p) {
			if takes = &r.s.Faults.Repair; takes.draw == nil { // it stays as it is
				continue
			}
		}
		for i := range events {
			if k := int(p)*events + i; !r.planned[k] && r.stage.Event(p, i) == stage.Enabled {
				r.planned[k] = true
				r.push(event{at: r.now + takes.of(r.r), kind: befalls, proc: p, peer: model.Proc(i)})
			}
		}
	}
}

// befall carries out an event of a link, if it is still possible.
func (r *run) befall(p model.Proc, i int) {
	r.planned[int(p)*r.stage.Events()+i] = false
	lived := r.stage.Live(p)
	if r.stage.Event(p, i) != stage.Enabled {
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
