package model

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// Around is what there is around a process when it takes a step: who is dead, and what it can
// learn of messages and numbers elsewhere.
type Around = protocol.Setting

// Wires are the links between nodes whose medium is Links. One of them keeps them for all nodes,
// which take their steps one after the other. For a link breaks in the moment in which the process
// at its end crashes, a timer fires as soon as nothing that it waits for is under way, and a fresh
// number is one that nobody uses: no process could know that by itself.
type Wires interface {
	// Around returns what there is around p.
	Around(p Proc) Around
	// Next returns what p can receive next: the first message in each link that leads to p.
	Next(p Proc) []Packet
	// Local returns the local state of p in bytes: see Nodes.Restore.
	Local(p Proc) []byte
	// Done enters a step of p, which is alive afterwards: its local state then, the sender of the
	// message received (-1: nothing was), and what it has sent.
	Done(p Proc, local []byte, from int, sent []Packet) error
	// MayCrash reports whether p is alive and the adversary may crash it.
	MayCrash(p Proc) bool
	// Crash crashes p. The links of others that lead there break: see Node.Amid.
	Crash(p Proc)
	// Rises reports whether p is dead and can come up.
	Rises(p Proc) bool
}

// wires are the Wires of a composition.
type wires[L, M, H any] struct {
	of      *nodes[L, M, H]
	dead    Set
	locals  []L
	under   [][]Packet // per process what is in its link, from the first on
	crashes int
}

func (ps *nodes[L, M, H]) Wires() Wires {
	if ps.c.Links == nil {
		return nil
	}
	start := ps.c.start()
	w := &wires[L, M, H]{of: ps, dead: start.dead, locals: start.local, under: make([][]Packet, ps.c.N)}
	for p, inbox := range start.inbox {
		for i := range inbox {
			from := inbox[i].From
			w.under[from] = append(w.under[from], ps.packet(Sent[M]{Proc(p), inbox[i].M}))
		}
	}
	return w
}

func (w *wires[L, M, H]) link(p Proc) *Link { return w.of.c.Links.Of(&w.locals[p]) }

func (w *wires[L, M, H]) Around(p Proc) Around {
	k := w.of.c.Links
	var all protocol.Trace
	for q := range w.locals {
		t := k.ofLocal(&w.locals[q])
		all.Merge(&t)
		for _, packet := range w.under[q] {
			m, err := decode[M](packet.Message, w.of.c.N)
			if err != nil {
				panic(err) // Done has looked at it
			}
			t := k.ofMessage(&m, w.of.c.N)
			all.Merge(&t)
		}
	}
	return Around{Dead: w.dead, Learns: all.Of(p, k.Rising)}
}

func (w *wires[L, M, H]) Next(p Proc) (next []Packet) {
	for q := range w.under {
		if len(w.under[q]) > 0 && w.link(Proc(q)).To == p {
			packet := w.under[q][0]
			packet.Peer = Proc(q)
			next = append(next, packet)
		}
	}
	return next
}

func (w *wires[L, M, H]) Local(p Proc) []byte { return w.of.locals.append(nil, &w.locals[p]) }

func (w *wires[L, M, H]) Done(p Proc, local []byte, from int, sent []Packet) error {
	after, err := decode[L](local, MaxProcs)
	if err != nil {
		return err
	}
	for _, packet := range sent {
		if _, err := decode[M](packet.Message, w.of.c.N); err != nil {
			return err
		}
	}
	if from >= 0 {
		w.under[from] = slices.Delete(w.under[from], 0, 1)
	}
	if _, cut := w.of.c.Links.carry(&w.locals[p], &after, nil); cut > 0 {
		w.under[p] = nil
	}
	w.locals[p], w.dead = after, w.dead.Without(p)
	for _, packet := range sent {
		if !w.dead.Has(packet.Peer) {
			w.under[p] = append(w.under[p], packet)
		}
	}
	return nil
}

func (w *wires[L, M, H]) MayCrash(p Proc) bool {
	counted := !w.of.c.recovers() || w.crashes < w.of.network.Crashes-w.of.network.Dead.Len()
	c := *w.of.c
	c.Network = w.of.network
	return counted && !w.dead.Has(p) && c.mayCrash(p, w.dead)
}

func (w *wires[L, M, H]) Crash(p Proc) {
	w.crashes++
	w.dead, w.under[p] = w.dead.With(p), nil
	w.of.c.reset(p, &w.locals[p])
	for q := range w.locals {
		if !w.dead.Has(Proc(q)) && w.of.c.Links.breaks(&w.locals[q], p) {
			w.under[q] = nil
		}
	}
}

func (w *wires[L, M, H]) Rises(p Proc) (rises bool) {
	if w.dead.Has(p) {
		w.of.c.linked(p, &w.locals[p], w.Around(p), func(*outcome[L, M]) { rises = true })
	}
	return rises
}

func (ps *nodes[L, M, H]) Restore(p Proc, local []byte) (Node, error) {
	l, err := decode[L](local, MaxProcs)
	if err != nil {
		return nil, fmt.Errorf("the local state of %s: %w", ps.Name(p), err)
	}
	return node[L, M, H]{of: ps, p: p, local: l}, nil
}

func (n node[L, M, H]) Amid(in Around, gone []Proc) Node {
	n.in, n.local = in, n.of.locals.copied(&n.local)
	for _, p := range gone {
		n.of.c.Links.breaks(&n.local, p)
	}
	return n
}

func (n node[L, M, H]) Local() []byte { return n.of.locals.append(nil, &n.local) }
