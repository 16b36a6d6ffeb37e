package model

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/track"
)

func sizeOf[T any](x T) int { return int(unsafe.Sizeof(x)) }

// envelope returns the number of an envelope.
func (t *composedTrack[L, M, H]) envelope(x Envelope[M]) uint32 {
	id, isNew := t.envelopes.number(&x)
	if isNew {
		text := fmt.Sprint(x.M)
		t.texts = append(t.texts, text)
		t.bytes += int64(len(text))
	}
	return id
}

// inbox returns the number of the inbox with these contents, which it sorts: under
// FIFO channels by sender only.
func (t *composedTrack[L, M, H]) inbox(contents []track.Envelope) uint32 {
	slices.SortStableFunc(contents, func(a, b track.Envelope) int {
		if t.FIFO() {
			return cmp.Compare(a.From, b.From)
		}
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Mark, b.Mark))
	})
	key := make([]byte, 1, 1+8*len(contents)) // not empty, as that of the dead is
	for _, p := range contents {
		key = binary.LittleEndian.AppendUint32(key, p.ID)
		key = binary.LittleEndian.AppendUint32(key, p.Mark)
	}
	id, isNew := t.inboxes.Of(string(key))
	if isNew {
		t.contents = append(t.contents, contents)
		t.bytes += int64(len(contents)) * int64(8+sizeOf(track.Envelope{}))
	}
	return id
}

func (t *composedTrack[L, M, H]) Vars(v track.Point, p Proc) []Var {
	id := int(v[p])
	for id >= len(t.vars) {
		t.vars = append(t.vars, nil)
	}
	if t.vars[id] == nil {
		t.vars[id] = make([][]Var, t.n)
	}
	if t.vars[id][p] == nil {
		t.vars[id][p] = t.c.vars(p, t.locals.values[id])
		for _, x := range t.vars[id][p] {
			t.bytes += int64(sizeOf(x) + len(x.Value))
		}
	}
	return t.vars[id][p]
}

func (t *composedTrack[L, M, H]) State(v track.Point) State { return t.world(v) }

// world spells a point out.
func (t *composedTrack[L, M, H]) world(v track.Point) *world[L, M, H] {
	w := &world[L, M, H]{
		c: t.c, dead: t.Dead(v), history: t.past.values[v[2*t.n]],
		record: protocol.Record{Crashes: uint8(v[2*t.n+1])},
	}
	for p := range Proc(t.n) {
		w.local = append(w.local, *t.local(v, p))
		var envelopes []Envelope[M]
		for _, content := range t.Inbox(v, p) {
			envelopes = append(envelopes, t.envelopes.values[content.ID])
		}
		w.inbox = append(w.inbox, envelopes)
	}
	return w
}

func (t *composedTrack[L, M, H]) Shows(v track.Point, s State) bool {
	w := s.(*world[L, M, H])
	if w.dead != t.Dead(v) {
		return false
	}
	for p := range Proc(t.n) {
		contents := t.Inbox(v, p)
		if !t.c.of.local.equal(&w.local[p], t.local(v, p)) || len(contents) != len(w.inbox[p]) {
			return false
		}
		left := slices.Clone(w.inbox[p])
		for i, content := range contents {
			envelope := t.envelopes.values[content.ID]
			at := 0
			if t.FIFO() {
				if !t.envelopes.of.equal(&w.inbox[p][i], &envelope) {
					return false
				}
				continue
			}
			is := func(l Envelope[M]) bool { return t.envelopes.of.equal(&l, &envelope) }
			if at = slices.IndexFunc(left, is); at < 0 {
				return false
			}
			left = slices.Delete(left, at, at+1)
		}
	}
	return true
}

// StepsOf is Steps for one process and one action: it takes the same outcomes.
func (pl *worldPlain[L, M, H]) StepsOf(s State, p Proc, action int) (ts []lts.Transition) {
	w := s.(*world[L, M, H])
	in := w.setting(p)
	received := -1
	add := func(o *outcome[L, M]) {
		if o.action == action {
			ts = append(ts, pl.take(w, p, received, *o))
		}
	}
	c := pl.c
	if w.dead.Has(p) {
		c.linked(p, &w.local[p], in, add)
		return pl.possible(ts)
	}
	if action >= c.firstFault() {
		return slices.DeleteFunc(pl.faults(w), func(t lts.Transition) bool {
			return t.Action != action ||
				t.Proc != p
		})
	}
	broken := action > c.crashAction()
	switch {
	case action < len(c.Local):
		c.own(p, &w.local[p], in, action, add)
	case !broken && action >= c.noticeAction():
		c.told(p, &w.local[p], in, add)
		c.linked(p, &w.local[p], in, add)
		c.crash(p, &w.local[p], in, add)
	case broken:
		c.idle(p, &w.local[p], in, add)
	}
	for i, envelope := range w.inbox[p] {
		wanted := broken || len(c.Local)+c.receiver(envelope.M) == action
		if wanted && w.deliverable(p, i) {
			received = i
			c.react(p, &w.local[p], envelope, in, add)
		}
	}
	return pl.possible(ts)
}
