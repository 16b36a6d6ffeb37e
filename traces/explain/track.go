package explain

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A tracker follows partly known runs in numbers: it asks the interpreter for single steps,
// picked by process and action, and not for all others. It leaves out constraints, and histories that do not
// guard: no handler reads them.
type tracker struct {
	*interp.Interp
	n         int
	locals    numbering
	vars      [][][]lts.Var // per local state and process; nil: not yet spelled out
	envelopes map[envelopeKey]uint32
	messages  numbering
	list      []envelope     // by number; To and Mark are not filled in
	values    []interp.Value // the messages, likewise
	inboxes   map[string]uint32
	contents  []contents // by number; the first is the inbox of the dead
	pasts     numbering  // histories, if they guard
	bytes     int64      // held by vars, texts and contents

	at struct { // the parts of the state at hand
		locals  []interp.Value
		inboxes [][]interp.Envelope
	}
	events []interp.Event
}

// A point is a state in numbers: the local state of each process and after them the inbox of each, marks
// included, the history if it guards, and how many crashes there were. Equal points are equal states.
type point []uint32

// An envelope is a message on its way. Marks tell equal messages apart.
type envelope struct {
	From, To protocol.Proc
	text     string
	Mark     uint32
	id       uint32 // of message and sender
}

type envelopeKey struct {
	from    protocol.Proc
	message uint32
}

// contents are the envelopes of an inbox, as the search compares them and as the interpreter has them.
type contents struct {
	shown []envelope
	inbox []interp.Envelope
}

// A step is what a process can take at some point.
type step struct {
	interp.Step
	sent    []envelope // those to dead processes too, which are not stored
	guarded bool       // it depends on the order of other such steps whether it can be taken
	local   uint32     // the number of the local state afterwards
}

// A numbering gives out the numbers 0, 1, 2, .. to distinct values, in the order in which they are first met.
type numbering struct {
	of     *codec.Kind
	values []interp.Value
	index  map[string]uint32
	room   []byte
}

func (t *numbering) number(x interp.Value) (id uint32) {
	t.room = t.of.Append(t.room[:0], x)
	id, known := t.index[string(t.room)]
	if !known {
		id = uint32(len(t.values))
		t.values = append(t.values, x)
		t.index[string(t.room)] = id
	}
	return id
}

func newTracker(x *interp.Interp) *tracker {
	forgetful := *x
	forgetful.Forgetful = true
	numbers := func(of *codec.Kind) numbering { return numbering{of: of, index: map[string]uint32{}} }
	n := x.N()
	t := &tracker{
		Interp: &forgetful, n: n, locals: numbers(x.Locals), messages: numbers(x.Messages),
		pasts: numbers(x.Histories), envelopes: map[envelopeKey]uint32{}, inboxes: map[string]uint32{},
		contents: make([]contents, 1),
	}
	t.at.locals, t.at.inboxes = make([]interp.Value, n), make([][]interp.Envelope, n)
	return t
}

// overtakes reports whether a process that crashes while it sends can let a message out
// without an earlier one to the same process, in channels that keep the order.
func (t *tracker) overtakes() bool { return t.FIFO() && t.Mortal && t.AnyPart }

// independent reports whether steps of different processes commute if none receives a message of the
// other. Under Links they do not: a handler learns of more than is at its process.
func (t *tracker) independent() bool { return !t.Medium.Links }

// footprint estimates the bytes held by the numberings.
func (t *tracker) footprint() int64 {
	const entry = 64 // of a Go map, with the headers of slices
	return t.bytes + int64(len(t.locals.values))*int64(2*t.locals.of.Size()+entry) +
		int64(len(t.list))*int64(2*t.messages.of.Size()+2*entry) + int64(len(t.contents))*entry
}

func (t *tracker) start() point {
	v := make(point, 2*t.n+2)
	for i := range v {
		v[i] = ^uint32(0)
	}
	return t.numbered(v, t.Start())
}

// numbered returns the point of a state that was come to from v, most of whose parts are as they were.
func (t *tracker) numbered(v point, s *interp.State) point {
	w := slices.Clone(v)
	for p := range protocol.Proc(t.n) {
		if l := s.Local(p); int(v[p]) >= len(t.locals.values) || t.locals.values[v[p]] != l {
			w[p] = t.locals.number(l)
		}
		number, inbox := &w[t.n+int(p)], s.Inbox(p)
		switch {
		case s.IsDead(p):
			*number = protocol.Closed
		case *number == protocol.Closed, int(*number) >= len(t.contents),
			!same(t.contents[*number].inbox, inbox):
			*number = t.inbox(inbox)
		}
	}
	if t.Medium.Guards {
		w[2*t.n] = t.pasts.number(s.History())
	} else {
		w[2*t.n] = 0
	}
	w[2*t.n+1] = uint32(s.Record().Crashes)
	return w
}

// same reports whether two inboxes are one in memory.
func same(a, b []interp.Envelope) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// envelope returns the number of a message with its sender.
func (t *tracker) envelope(from protocol.Proc, m interp.Value) uint32 {
	key := envelopeKey{from, t.messages.number(m)}
	id, known := t.envelopes[key]
	if !known {
		id = uint32(len(t.list))
		text := t.Messages.Text(m)
		t.envelopes[key], t.list = id, append(t.list, envelope{From: from, text: text, id: id})
		t.values = append(t.values, t.messages.values[key.message])
		t.bytes += int64(len(text))
	}
	return id
}

// inbox returns the number of an inbox: under FIFO channels in its order, else in the order of numbers.
func (t *tracker) inbox(inbox []interp.Envelope) uint32 {
	var c contents
	for _, e := range inbox {
		shown := t.list[t.envelope(e.From, e.M)]
		shown.Mark = e.Mark
		c.shown = append(c.shown, shown)
	}
	if !t.FIFO() {
		slices.SortStableFunc(c.shown, func(a, b envelope) int {
			return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.Mark, b.Mark))
		})
	}
	key := make([]byte, 0, 8*len(inbox))
	for _, e := range c.shown {
		key = binary.LittleEndian.AppendUint32(key, e.id)
		key = binary.LittleEndian.AppendUint32(key, e.Mark)
	}
	if id, known := t.inboxes[string(key)]; known {
		return id
	}
	for _, e := range c.shown {
		c.inbox = append(c.inbox, interp.Envelope{From: e.From, Mark: e.Mark, M: t.values[e.id]})
	}
	id := uint32(len(t.contents))
	t.inboxes[string(key)], t.contents = id, append(t.contents, c)
	t.bytes += int64(len(key)) + int64(len(inbox))*88
	return id
}

func (t *tracker) dead(v point) (dead protocol.Set) {
	for p := range protocol.Proc(t.n) {
		if v[t.n+int(p)] == protocol.Closed {
			dead = dead.With(p)
		}
	}
	return dead
}

// inboxOf returns everything on its way to p: grouped by sender and each group in its order under FIFO
// channels.
func (t *tracker) inboxOf(v point, p protocol.Proc) []envelope {
	return t.contents[v[t.n+int(p)]].shown
}

// state spells a point out, with the history that there is at the start if it guards nothing. The next one
// takes its place.
func (t *tracker) state(v point) *interp.State {
	for p := range t.n {
		t.at.locals[p], t.at.inboxes[p] = t.locals.values[v[p]], t.contents[v[t.n+p]].inbox
	}
	history := t.History
	if t.Medium.Guards {
		history = t.pasts.values[v[2*t.n]]
	}
	r := protocol.Record{Crashes: uint8(v[2*t.n+1])}
	return t.StateOf(t.dead(v), t.at.locals, t.at.inboxes, history, r)
}

// steps returns what p can do with an action, whatever it receives thereby.
func (t *tracker) steps(v point, p protocol.Proc, action int) (ms []step) {
	s, class := t.state(v), t.Class(action)
	if s.IsDead(p) && !t.Medium.Recovers {
		return nil
	}
	broken := class == interp.BrokenStep // whatever runs may be broken off
	t.events = t.events[:0]
	if class != interp.Receipt {
		t.events = s.Idle(t.events, p)
	}
	if class == interp.Receipt || broken {
		t.events = s.Receipts(t.events, p)
	}
	for i := range t.events {
		if e := &t.events[i]; e.Action == action || broken {
			ms = t.add(ms, s, e, interp.How{Parts: broken})
		}
	}
	return slices.DeleteFunc(ms, func(m step) bool { return m.Action != action })
}

// receive returns what p can do with envelope i of its inbox: nothing if it is not
// the one to be received next, or is the copy of another one.
func (t *tracker) receive(v point, p protocol.Proc, i int) []step {
	s := t.state(v)
	if !s.Deliverable(p, i) {
		return nil
	}
	e := s.Receipt(p, i)
	return t.add(nil, s, &e, interp.How{})
}

// add appends the steps of an event, in numbers.
func (t *tracker) add(ms []step, s *interp.State, e *interp.Event, how interp.How) []step {
	s.Enabled(*e, how, func(taken *interp.Step) bool {
		m := step{Step: *taken, guarded: t.Medium.Guards && (taken.Note != 0 || taken.Crash)}
		m.local = t.locals.number(m.Local)
		m.Local = t.locals.values[m.local]
		for i := range m.Sent {
			id := t.envelope(m.Proc, m.Sent[i].M)
			sent := t.list[id]
			sent.To, m.Sent[i].M = m.Sent[i].To, t.values[id]
			m.sent = append(m.sent, sent)
		}
		ms = append(ms, m)
		return true
	})
	return ms
}

// take returns the point after a step. marks are put on the messages sent; nil is no marks.
func (t *tracker) take(v point, m *step, marks []uint32) point {
	s, taken := t.state(v), m.Step
	if marks != nil {
		taken.Sent = slices.Clone(taken.Sent)
		for i := range taken.Sent {
			taken.Sent[i].Mark = marks[i]
		}
	}
	s.Apply(&taken)
	w := slices.Clone(v)
	w[m.Proc] = m.local
	return t.numbered(w, s)
}

// varsOf returns the variables of p.
func (t *tracker) varsOf(v point, p protocol.Proc) []lts.Var {
	id := int(v[p])
	for id >= len(t.vars) {
		t.vars = append(t.vars, nil)
	}
	if t.vars[id] == nil {
		t.vars[id] = make([][]lts.Var, t.n)
	}
	if t.vars[id][p] == nil {
		t.vars[id][p] = t.LocalVars(p, t.locals.values[id])
		for _, x := range t.vars[id][p] {
			t.bytes += int64(48 + len(x.Value))
		}
	}
	return t.vars[id][p]
}

// unitsOf returns the number of units that p uses; a dead process uses none.
func (t *tracker) unitsOf(v point, p protocol.Proc) int {
	if v[t.n+int(p)] == protocol.Closed {
		return 0
	}
	return t.Units(p, t.locals.values[v[p]])
}

// shows reports whether a point is a state, marks and history apart.
func (t *tracker) shows(v point, of lts.State) bool {
	s := of.(*interp.State)
	if s.Dead != t.dead(v) {
		return false
	}
	for p := range protocol.Proc(t.n) {
		if !t.Locals.Equal(s.Local(p), t.locals.values[v[p]]) {
			return false
		}
		var here, there []uint32
		for _, e := range s.Inbox(p) {
			here = append(here, t.envelope(e.From, e.M))
		}
		for _, e := range t.inboxOf(v, p) {
			there = append(there, e.id)
		}
		if !t.FIFO() {
			slices.Sort(here)
			slices.Sort(there)
		}
		if !slices.Equal(here, there) {
			return false
		}
	}
	return true
}
