package model

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/link"
	"github.com/atmostk/atmostk/model/node"
	"github.com/atmostk/atmostk/model/protocol"
)

// wires are the Wires of a composition.
type wires[L, M, H any] struct {
	of      *nodes[L, M, H]
	dead    Set
	locals  []L
	under   [][]node.Message // per process what is in its link, from the first on
	crashes int
}

func (ps *nodes[L, M, H]) Wires() node.Wires {
	if ps.c.Links == nil {
		return nil
	}
	start := ps.c.start()
	w := &wires[L, M, H]{of: ps, dead: start.dead, locals: start.local, under: make([][]node.Message, ps.c.N)}
	for p, inbox := range start.inbox {
		for i := range inbox {
			from := inbox[i].From
			w.under[from] = append(w.under[from], ps.packet(Sent[M]{Proc(p), inbox[i].M}))
		}
	}
	return w
}

func (w *wires[L, M, H]) link(p Proc) *link.Link { return w.of.c.Links.Of(&w.locals[p]) }

func (w *wires[L, M, H]) Around(p Proc) node.Around {
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
	return node.Around{Dead: w.dead, Learns: all.Of(p, k.Rising)}
}

func (w *wires[L, M, H]) Next(p Proc) (next []node.Message) {
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

func (w *wires[L, M, H]) Done(p Proc, local []byte, from int, sent []node.Message) error {
	after, err := decode[L](local, protocol.MaxProcs)
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

func (ps *nodes[L, M, H]) Restore(p Proc, local []byte) (node.Node, error) {
	l, err := decode[L](local, protocol.MaxProcs)
	if err != nil {
		return nil, fmt.Errorf("the local state of %s: %w", ps.Name(p), err)
	}
	return composedNode[L, M, H]{of: ps, p: p, local: l}, nil
}

func (n composedNode[L, M, H]) Amid(in node.Around, gone []Proc) node.Node {
	n.in, n.local = in, n.of.locals.copied(&n.local)
	for _, p := range gone {
		n.of.c.Links.breaks(&n.local, p)
	}
	return n
}

func (n composedNode[L, M, H]) Local() []byte { return n.of.locals.append(nil, &n.local) }
