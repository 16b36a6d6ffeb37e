package model

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/track"
)

// Inbox 0 belongs to the dead. Its key is no multiple of eight bytes long, so no contents have it.
const (
	closedInbox = "closed"
	dead        = protocol.Closed
)

// composedTrack is the Track of a composition.
type composedTrack[L, M, H any] struct {
	c         *Composition[L, M, H]
	whole     *Composition[L, M, H] // the same without crashes inside handlers
	n         int
	locals    numbering[L]
	vars      [][][]Var // per local state and process; nil: not yet spelled out
	envelopes numbering[Envelope[M]]
	texts     []string                 // per envelope
	inboxes   protocol.Numbers[string] // contents in eight bytes each: envelope, mark
	contents  [][]track.Envelope       // per inbox; To is not filled in
	bytes     int64                    // held by vars, texts and contents
	past      numbering[H]             // histories, if they guard
}

func (pl *worldPlain[L, M, H]) Track() track.Track {
	whole := *pl.c
	whole.Network.CrashSends = NoPart
	t := &composedTrack[L, M, H]{
		c: pl.c, whole: &whole, n: pl.c.N,
		locals:    newNumbering(pl.c.of.local),
		envelopes: newNumbering(codecOf[Envelope[M]]()),
		past:      newNumbering(pl.c.of.history),
	}
	t.inboxes.Of(closedInbox)
	t.contents = append(t.contents, nil)
	t.past.number(&pl.c.History.Init)
	return t
}

func (t *composedTrack[L, M, H]) Names() (names []string) {
	for p := range Proc(t.n) {
		names = append(names, t.c.Names.Of(p))
	}
	return names
}

func (t *composedTrack[L, M, H]) FIFO() bool { return t.c.Network.Channel == FIFO }
func (t *composedTrack[L, M, H]) Overtakes() bool {
	nw := &t.c.Network
	return t.FIFO() && nw.CrashSends == Subset && nw.Crashes > nw.Dead.Len()
}

func (t *composedTrack[L, M, H]) Guards() bool { return t.c.History.Guards }

func (t *composedTrack[L, M, H]) Independent() bool { return t.c.Links == nil }

func (t *composedTrack[L, M, H]) Class(action int) track.Class {
	switch {
	case action < len(t.c.Local):
		return track.OwnStep
	case action < t.c.noticeAction():
		return track.Receipt
	case action < t.c.eventAction():
		return track.CrashNotice
	case action < t.c.crashAction():
		return track.OwnStep
	case action >= t.c.firstFault():
		return track.ChannelFault
	case action == t.c.crashAction():
		return track.CrashStep
	}
	return track.BrokenStep
}

func (t *composedTrack[L, M, H]) Footprint() int64 {
	var l L
	var m Envelope[M]
	const entry = 64 // of a Go map, with the headers of slices
	return t.bytes + int64(len(t.locals.values))*int64(2*sizeOf(l)+entry) +
		int64(len(t.envelopes.values))*int64(2*sizeOf(m)+entry) + int64(len(t.inboxes.Values))*entry
}

func (t *composedTrack[L, M, H]) Start() track.Point {
	w := t.c.start()
	v := make(track.Point, 2*t.n+2)
	for p := range Proc(t.n) {
		v[p], _ = t.locals.number(&w.local[p])
		v[t.n+int(p)] = dead
		if !w.dead.Has(p) {
			var contents []track.Envelope
			for _, envelope := range w.inbox[p] {
				id := t.envelope(envelope)
				contents = append(contents, track.Envelope{From: envelope.From, Text: t.texts[id], ID: id})
			}
			v[t.n+int(p)] = t.inbox(contents)
		}
	}
	return v
}

func (t *composedTrack[L, M, H]) Dead(v track.Point) (s Set) {
	for p := range Proc(t.n) {
		if v[t.n+int(p)] == dead {
			s = s.With(p)
		}
	}
	return s
}

func (t *composedTrack[L, M, H]) Inbox(v track.Point, p Proc) []track.Envelope {
	return t.contents[v[t.n+int(p)]]
}

// local returns the local state of p.
func (t *composedTrack[L, M, H]) local(v track.Point, p Proc) *L { return &t.locals.values[v[p]] }

func (t *composedTrack[L, M, H]) Steps(v track.Point, p Proc, action int) (ms []track.Step) {
	in := t.setting(v, p)
	if in.Dead.Has(p) && !t.c.recovers() {
		return nil
	}
	l := *t.local(v, p)
	add := func(o *outcome[L, M]) { ms = t.add(ms, v, p, -1, o) }
	switch t.Class(action) {
	case track.OwnStep:
		if action < len(t.c.Local) && !in.Dead.Has(p) {
			t.whole.own(p, &l, in, action, add)
		} else if action >= len(t.c.Local) {
			t.whole.linked(p, &l, in, func(o *outcome[L, M]) {
				if o.action == action {
					add(o)
				}
			})
		}
	case track.CrashNotice:
		t.whole.told(p, &l, in, add)
	case track.CrashStep:
		if !t.c.recovers() || int(v[2*t.n+1]) < t.c.Network.Crashes {
			t.whole.crash(p, &l, in, add)
		}
	case track.Receipt:
		for i, content := range t.Inbox(v, p) {
			if t.whole.receiver(t.envelopes.values[content.ID].M) == action-len(t.c.Local) {
				ms = append(ms, t.Receive(v, p, i)...)
			}
		}
	case track.BrokenStep:
		t.broken(v, p, &ms)
	}
	return ms
}

// broken adds the steps in which p crashes inside a handler.
func (t *composedTrack[L, M, H]) broken(v track.Point, p Proc, ms *[]track.Step) {
	in, l, envelope := t.setting(v, p), *t.local(v, p), -1
	add := func(o *outcome[L, M]) {
		if t.Class(o.action) == track.BrokenStep {
			*ms = t.add(*ms, v, p, envelope, o)
		}
	}
	t.c.idle(p, &l, in, add)
	for i, content := range t.Inbox(v, p) {
		if t.next(v, p, i) {
			envelope = i
			t.c.react(p, &l, t.envelopes.values[content.ID], in, add)
		}
	}
}

func (t *composedTrack[L, M, H]) Receive(v track.Point, p Proc, i int) (ms []track.Step) {
	if !t.next(v, p, i) {
		return nil
	}
	l := *t.local(v, p)
	envelope := t.envelopes.values[t.Inbox(v, p)[i].ID]
	t.whole.react(p, &l, envelope, t.setting(v, p), func(o *outcome[L, M]) { ms = t.add(ms, v, p, i, o) })
	return ms
}

// next reports whether envelope i may be received next and is not an equal copy of
// an earlier one, mark included.
func (t *composedTrack[L, M, H]) next(v track.Point, p Proc, i int) bool {
	inbox := t.Inbox(v, p)
	for _, earlier := range inbox[:i] {
		if t.FIFO() && earlier.From == inbox[i].From || earlier == inbox[i] {
			return false
		}
	}
	return true
}

// add puts an outcome into numbers, unless the history guards against it.
func (t *composedTrack[L, M, H]) add(
	ms []track.Step,
	v track.Point,
	p Proc,
	envelope int,
	o *outcome[L, M],
) []track.Step {
	m := track.Step{
		Proc: p, Action: o.action, Peer: o.peer, Envelope: envelope, Crash: o.crash,
		History: v[2*t.n], Cut: o.cut, Revives: o.revives,
	}
	if t.c.History.Guards && (o.note != 0 || o.crash) {
		gone := t.Dead(v)
		if o.crash {
			gone = gone.With(p)
		}
		h := t.c.of.history.copied(&t.past.values[m.History])
		if !t.c.remember(&h, Event{Proc: p, Note: o.note, Crash: o.crash, Dead: gone}) {
			return ms
		}
		m.Guarded = true
		m.History, _ = t.past.number(&h)
	}
	m.Local, _ = t.locals.number(&o.local)
	for _, s := range o.sent {
		id := t.envelope(Envelope[M]{p, s.M})
		m.Sent = append(m.Sent, track.Envelope{From: p, To: s.To, Text: t.texts[id], ID: id})
	}
	return append(ms, m)
}

func (t *composedTrack[L, M, H]) Take(v track.Point, m *track.Step, marks []uint32) track.Point {
	w := append(track.Point(nil), v...)
	own := t.n + int(m.Proc)
	w[m.Proc], w[2*t.n] = m.Local, m.History
	if m.Envelope >= 0 {
		rest := append([]track.Envelope(nil), t.contents[v[own]][:m.Envelope]...)
		w[own] = t.inbox(append(rest, t.contents[v[own]][m.Envelope+1:]...))
	}
	if m.Cut > 0 {
		t.lose(w, m.Proc, Proc(m.Cut-1))
	}
	if m.Revives {
		w[own] = t.inbox(nil)
	}
	if m.Crash {
		t.crash(w, m.Proc)
	}
	for i, s := range m.Sent {
		to := t.n + int(s.To)
		if w[to] == dead {
			continue
		}
		s.To = 0
		if marks != nil {
			s.Mark = marks[i]
		}
		w[to] = t.inbox(append(append([]track.Envelope(nil), t.contents[w[to]]...), s))
	}
	return w
}

// setting is what p has around it.
func (t *composedTrack[L, M, H]) setting(v track.Point, p Proc) protocol.Setting {
	if t.c.Links == nil {
		return protocol.Setting{Dead: t.Dead(v)}
	}
	return t.world(v).setting(p)
}

// lose takes what is under way from one process to another out of v.
func (t *composedTrack[L, M, H]) lose(v track.Point, from, to Proc) {
	if at := t.n + int(to); v[at] != dead {
		v[at] = t.inbox(slices.DeleteFunc(slices.Clone(t.contents[v[at]]),
			func(p track.Envelope) bool { return p.From == from }))
	}
}

// crash makes p dead in v, and breaks the links that lead to it.
func (t *composedTrack[L, M, H]) crash(v track.Point, p Proc) {
	v[t.n+int(p)] = dead
	if t.c.recovers() {
		v[2*t.n+1]++
	}
	for q := range Proc(t.n) {
		if t.c.Links == nil || v[t.n+int(q)] == dead {
			continue
		}
		if l := t.c.of.local.copied(t.local(v, q)); t.c.Links.breaks(&l, p) {
			v[q], _ = t.locals.number(&l)
		}
	}
}

func (t *composedTrack[L, M, H]) Units(v track.Point, p Proc) int {
	if v[t.n+int(p)] == dead {
		return 0
	}
	return t.c.units(t.local(v, p))
}
