package model

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// Composed is the plain semantics of a composition, which can be asked about one
// process at a time. Whoever follows a run of which something is known need not
// enumerate all the rest.
type Composed interface {
	Plain
	// StepsOf returns the steps of one process with one action.
	StepsOf(s State, p Proc, action int) []Transition
	// Track returns a new Track, with numbers of its own.
	Track() Track
}

// A Track carries out single steps, picked by process and action. It is made for
// one goroutine. It leaves out constraints, and histories that do not guard: no handler
// reads them.
type Track interface {
	Names() []string // of the processes
	Start() Point
	Dead(v Point) Set
	// Inbox returns everything on its way to p: grouped by sender and each group in
	// its order under FIFO channels.
	Inbox(v Point, p Proc) []Parcel
	// Steps returns what p can do with an action, whatever it receives thereby.
	Steps(v Point, p Proc, action int) []Move
	// Receive returns what p can do with letter i of its inbox: nothing if it is not
	// the one to be received next, or is the copy of another one.
	Receive(v Point, p Proc, i int) []Move
	// Take returns the point after a move. marks are put on the messages sent; nil
	// is no marks.
	Take(v Point, m *Move, marks []uint32) Point
	// Vars returns the variables of p.
	Vars(v Point, p Proc) []Var
	// Units returns the number of units that p uses; a dead process uses none.
	Units(v Point, p Proc) int
	// State spells the point out, with the history that there is at the start.
	State(v Point) State
	// Shows reports whether the point is s, marks and history apart.
	Shows(v Point, s State) bool
	Class(action int) ActionClass
	FIFO() bool // the discipline of the channels
	// Overtakes reports whether a process that crashes while it sends can let a message out
	// without an earlier one to the same process, in channels that keep the order.
	Overtakes() bool
	Guards() bool // whether a history guards steps
	// Independent reports whether steps of different processes commute, of which none receives
	// what the other sends. Under Links they do not: a handler learns of more than is at its process.
	Independent() bool
	// Footprint estimates the bytes held by the numberings.
	Footprint() int64
}

// A Point is a state of a Track in numbers: the local state of each process and
// after them the inbox of each, marks included, the history if it guards, and how many
// crashes there were if processes come up again. Equal points are equal states.
type Point []uint32

// A Parcel is a message on its way. Marks are given by those who follow a run, to
// tell equal messages apart; they mean nothing here.
type Parcel struct {
	From, To Proc
	Text     string
	Mark     uint32

	letter uint32
}

// A Move is a step that a process can take at some point.
type Move struct {
	Proc   Proc
	Action int
	Peer   Proc     // the sender of what is received, the process noticed dead
	Letter int      // what is received, as an index into the inbox; -1: nothing
	Sent   []Parcel // those to dead processes too, which are not stored
	Crash  bool
	// Guarded: it depends on the order of other such steps whether it can be taken.
	Guarded bool

	local   uint32 // afterwards
	history uint32 // likewise
	cut     protocol.Cut
	revives bool
}

// ActionClass says what kind of event starts the steps of an action.
type ActionClass uint8

const (
	// OwnStep is a local handler.
	OwnStep ActionClass = iota
	// Receipt is the receipt of a message.
	Receipt
	// CrashNotice is the notice of a crash.
	CrashNotice
	// CrashStep is a crash between handlers.
	CrashStep
	// BrokenStep is a crash inside a handler.
	BrokenStep
	// ChannelFault is a fault of channels. A Track takes none.
	ChannelFault
)

// Inbox 0 belongs to the dead. Its key is no multiple of eight bytes long, so no parcels have it.
const (
	closedInbox = "closed"
	dead        = protocol.Closed
)

// track is the Track of a composition.
type track[L, M, H any] struct {
	c       *Composition[L, M, H]
	whole   *Composition[L, M, H] // the same without crashes inside handlers
	n       int
	locals  numbering[L]
	vars    [][][]Var // per local state and process; nil: not yet spelled out
	letters numbering[Letter[M]]
	texts   []string                 // per letter
	inboxes protocol.Numbers[string] // parcels in eight bytes each: letter, mark
	parcels [][]Parcel               // per inbox; To is not filled in
	bytes   int64                    // held by vars, texts and parcels
	past    numbering[H]             // histories, if they guard
}

func (pl *worldPlain[L, M, H]) Track() Track {
	whole := *pl.c
	whole.Network.CrashSends = NoPart
	t := &track[L, M, H]{
		c: pl.c, whole: &whole, n: pl.c.N,
		locals:  newNumbering(pl.c.of.local),
		letters: newNumbering(codecOf[Letter[M]]()),
		past:    newNumbering(pl.c.of.history),
	}
	t.inboxes.Of(closedInbox)
	t.parcels = append(t.parcels, nil)
	t.past.number(&pl.c.History.Init)
	return t
}

func (t *track[L, M, H]) Names() (names []string) {
	for p := range Proc(t.n) {
		names = append(names, t.c.Names.Of(p))
	}
	return names
}

func (t *track[L, M, H]) FIFO() bool { return t.c.Network.Channel == FIFO }
func (t *track[L, M, H]) Overtakes() bool {
	nw := &t.c.Network
	return t.FIFO() && nw.CrashSends == Subset && nw.Crashes > nw.Dead.Len()
}

func (t *track[L, M, H]) Guards() bool { return t.c.History.Guards }

func (t *track[L, M, H]) Independent() bool { return t.c.Links == nil }

func (t *track[L, M, H]) Class(action int) ActionClass {
	switch {
	case action < len(t.c.Local):
		return OwnStep
	case action < t.c.noticeAction():
		return Receipt
	case action < t.c.eventAction():
		return CrashNotice
	case action < t.c.crashAction():
		return OwnStep
	case action >= t.c.firstFault():
		return ChannelFault
	case action == t.c.crashAction():
		return CrashStep
	}
	return BrokenStep
}

func (t *track[L, M, H]) Footprint() int64 {
	var l L
	var m Letter[M]
	const entry = 64 // of a Go map, with the headers of slices
	return t.bytes + int64(len(t.locals.values))*int64(2*sizeOf(l)+entry) +
		int64(len(t.letters.values))*int64(2*sizeOf(m)+entry) + int64(len(t.inboxes.Values))*entry
}

func (t *track[L, M, H]) Start() Point {
	w := t.c.start()
	v := make(Point, 2*t.n+2)
	for p := range Proc(t.n) {
		v[p], _ = t.locals.number(&w.local[p])
		v[t.n+int(p)] = dead
		if !w.dead.Has(p) {
			var parcels []Parcel
			for _, letter := range w.inbox[p] {
				id := t.letter(letter)
				parcels = append(parcels, Parcel{From: letter.From, Text: t.texts[id], letter: id})
			}
			v[t.n+int(p)] = t.inbox(parcels)
		}
	}
	return v
}

func (t *track[L, M, H]) Dead(v Point) (s Set) {
	for p := range Proc(t.n) {
		if v[t.n+int(p)] == dead {
			s = s.With(p)
		}
	}
	return s
}

func (t *track[L, M, H]) Inbox(v Point, p Proc) []Parcel { return t.parcels[v[t.n+int(p)]] }

// local returns the local state of p.
func (t *track[L, M, H]) local(v Point, p Proc) *L { return &t.locals.values[v[p]] }

func (t *track[L, M, H]) Steps(v Point, p Proc, action int) (ms []Move) {
	in := t.setting(v, p)
	if in.Dead.Has(p) && !t.c.recovers() {
		return nil
	}
	l := *t.local(v, p)
	add := func(o *outcome[L, M]) { ms = t.add(ms, v, p, -1, o) }
	switch t.Class(action) {
	case OwnStep:
		if action < len(t.c.Local) && !in.Dead.Has(p) {
			t.whole.own(p, &l, in, action, add)
		} else if action >= len(t.c.Local) {
			t.whole.linked(p, &l, in, func(o *outcome[L, M]) {
				if o.action == action {
					add(o)
				}
			})
		}
	case CrashNotice:
		t.whole.told(p, &l, in, add)
	case CrashStep:
		if !t.c.recovers() || int(v[2*t.n+1]) < t.c.Network.Crashes {
			t.whole.crash(p, &l, in, add)
		}
	case Receipt:
		for i, parcel := range t.Inbox(v, p) {
			if t.whole.receiver(t.letters.values[parcel.letter].M) == action-len(t.c.Local) {
				ms = append(ms, t.Receive(v, p, i)...)
			}
		}
	case BrokenStep:
		t.broken(v, p, &ms)
	}
	return ms
}

// broken adds the steps in which p crashes inside a handler.
func (t *track[L, M, H]) broken(v Point, p Proc, ms *[]Move) {
	in, l, letter := t.setting(v, p), *t.local(v, p), -1
	add := func(o *outcome[L, M]) {
		if t.Class(o.action) == BrokenStep {
			*ms = t.add(*ms, v, p, letter, o)
		}
	}
	t.c.idle(p, &l, in, add)
	for i, parcel := range t.Inbox(v, p) {
		if t.next(v, p, i) {
			letter = i
			t.c.react(p, &l, t.letters.values[parcel.letter], in, add)
		}
	}
}

func (t *track[L, M, H]) Receive(v Point, p Proc, i int) (ms []Move) {
	if !t.next(v, p, i) {
		return nil
	}
	l := *t.local(v, p)
	letter := t.letters.values[t.Inbox(v, p)[i].letter]
	t.whole.react(p, &l, letter, t.setting(v, p), func(o *outcome[L, M]) { ms = t.add(ms, v, p, i, o) })
	return ms
}

// next reports whether letter i may be received next and is not an equal copy of
// an earlier one, mark included.
func (t *track[L, M, H]) next(v Point, p Proc, i int) bool {
	inbox := t.Inbox(v, p)
	for _, earlier := range inbox[:i] {
		if t.FIFO() && earlier.From == inbox[i].From || earlier == inbox[i] {
			return false
		}
	}
	return true
}

// add puts an outcome into numbers, unless the history guards against it.
func (t *track[L, M, H]) add(ms []Move, v Point, p Proc, letter int, o *outcome[L, M]) []Move {
	m := Move{
		Proc: p, Action: o.action, Peer: o.peer, Letter: letter, Crash: o.crash,
		history: v[2*t.n], cut: o.cut, revives: o.revives,
	}
	if t.c.History.Guards && (o.note != 0 || o.crash) {
		gone := t.Dead(v)
		if o.crash {
			gone = gone.With(p)
		}
		h := t.c.of.history.copied(&t.past.values[m.history])
		if !t.c.remember(&h, Event{Proc: p, Note: o.note, Crash: o.crash, Dead: gone}) {
			return ms
		}
		m.Guarded = true
		m.history, _ = t.past.number(&h)
	}
	m.local, _ = t.locals.number(&o.local)
	for _, s := range o.sent {
		id := t.letter(Letter[M]{p, s.M})
		m.Sent = append(m.Sent, Parcel{From: p, To: s.To, Text: t.texts[id], letter: id})
	}
	return append(ms, m)
}

func (t *track[L, M, H]) Take(v Point, m *Move, marks []uint32) Point {
	w := append(Point(nil), v...)
	own := t.n + int(m.Proc)
	w[m.Proc], w[2*t.n] = m.local, m.history
	if m.Letter >= 0 {
		rest := append([]Parcel(nil), t.parcels[v[own]][:m.Letter]...)
		w[own] = t.inbox(append(rest, t.parcels[v[own]][m.Letter+1:]...))
	}
	if m.cut > 0 {
		t.lose(w, m.Proc, Proc(m.cut-1))
	}
	if m.revives {
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
		w[to] = t.inbox(append(append([]Parcel(nil), t.parcels[w[to]]...), s))
	}
	return w
}

// setting is what p has around it.
func (t *track[L, M, H]) setting(v Point, p Proc) protocol.Setting {
	if t.c.Links == nil {
		return protocol.Setting{Dead: t.Dead(v)}
	}
	return t.world(v).setting(p)
}

// lose takes what is under way from one process to another out of v.
func (t *track[L, M, H]) lose(v Point, from, to Proc) {
	if at := t.n + int(to); v[at] != dead {
		v[at] = t.inbox(slices.DeleteFunc(slices.Clone(t.parcels[v[at]]),
			func(p Parcel) bool { return p.From == from }))
	}
}

// crash makes p dead in v, and breaks the links that lead to it.
func (t *track[L, M, H]) crash(v Point, p Proc) {
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

func (t *track[L, M, H]) Units(v Point, p Proc) int {
	if v[t.n+int(p)] == dead {
		return 0
	}
	return t.c.units(t.local(v, p))
}
