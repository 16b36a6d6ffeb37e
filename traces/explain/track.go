package explain

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A tracker computes steps of runs, picked by process and action, with the interpreter. It leaves out
// constraints, and histories that do not guard: no handler reads them.
type tracker struct {
	*interp.Interp
	start     point
	envelopes map[string]envelope  // by sender and message; Mark and To are not filled in
	vars      map[string][]lts.Var // by process and local state
	bytes     int64                // held by these maps, and by the parts of points
	room      []byte
}

// A point is an immutable state, with marks. Its parts are the canonical bytes of each process with its
// inbox, and then of the history, if it guards, and of the number of crashes. Points with equal parts are
// equal states.
type point struct {
	*interp.State
	parts   []string
	inboxes [][]envelope // in channel order under FIFO, otherwise sorted
}

// An envelope is a message on its way. Marks distinguish equal messages.
type envelope struct {
	interp.Envelope
	To   protocol.Proc // the target, of messages sent
	text string
	id   uint32 // of message and sender
}

// A step is a step that a process can take at some point.
type step struct {
	interp.Step
	sent    []envelope // including messages to dead processes, which are not stored
	guarded bool       // whether it is enabled depends on the order of other guarded steps
}

func newTracker(x *interp.Interp) *tracker {
	forgetful := *x
	forgetful.Forgetful = true
	t := &tracker{Interp: &forgetful, envelopes: map[string]envelope{}, vars: map[string][]lts.Var{}}
	t.start = t.point(point{parts: make([]string, t.N()+1), inboxes: make([][]envelope, t.N())}, t.Start())
	return t
}

// independent reports whether steps of different processes commute if neither receives a message of the
// other. Under Links they do not: a handler reads more than its own process.
func (t *tracker) independent() bool { return !t.Medium.Links }

// point returns the point of a state after a step from v; it reuses the parts that did not change.
func (t *tracker) point(v point, s *interp.State) point {
	w := point{s, slices.Clone(v.parts), slices.Clone(v.inboxes)}
	n := protocol.Proc(t.N())
	for p := range n {
		if v.State != nil && v.Local(p) == s.Local(p) && v.IsDead(p) == s.IsDead(p) &&
			same(v.Inbox(p), s.Inbox(p)) {
			continue
		}
		w.inboxes[p] = t.inbox(s.Inbox(p))
		t.room = t.part(t.room[:0], s, p, w.inboxes[p], true)
		w.parts[p] = string(t.room)
		t.bytes += int64(len(t.room))
	}
	t.room = append(t.room[:0], s.Record().Crashes)
	if t.Medium.Guards {
		t.room = t.Histories.Append(t.room, s.History())
	}
	if w.parts[n] != string(t.room) {
		w.parts[n] = string(t.room)
	}
	return w
}

// same reports whether two inboxes share their memory.
func same(a, b []interp.Envelope) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// part appends the canonical bytes of a process and its inbox, with or without the marks.
func (t *tracker) part(b []byte, s *interp.State, p protocol.Proc, inbox []envelope, marks bool) []byte {
	b = append(b, map[bool]byte{true: 1}[s.IsDead(p)])
	b = binary.LittleEndian.AppendUint16(b, uint16(len(inbox)))
	for i := range inbox {
		b = binary.LittleEndian.AppendUint32(b, inbox[i].id)
		if marks {
			b = binary.LittleEndian.AppendUint32(b, inbox[i].Mark)
		}
	}
	return t.Locals.Append(b, s.Local(p))
}

func (t *tracker) envelope(from protocol.Proc, m interp.Value) envelope {
	t.room = t.Messages.Append(append(t.room[:0], byte(from)), m)
	e, known := t.envelopes[string(t.room)]
	if !known {
		e = envelope{Envelope: interp.Envelope{From: from, M: m}, text: t.Messages.Text(m),
			id: uint32(len(t.envelopes))}
		t.envelopes[string(t.room)] = e
		t.bytes += int64(len(t.room) + len(e.text))
	}
	return e
}

// inbox returns the envelopes of an inbox. If channels are not FIFO it sorts them, and the inbox itself, by
// the order in which such messages first occurred, so that equal states have equal parts.
func (t *tracker) inbox(inbox []interp.Envelope) []envelope {
	list := make([]envelope, len(inbox))
	for i, e := range inbox {
		list[i] = t.envelope(e.From, e.M)
		list[i].Envelope = e
	}
	if t.FIFO() {
		return list
	}
	slices.SortStableFunc(list, func(a, b envelope) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.Mark, b.Mark))
	})
	for i := range list {
		inbox[i] = list[i].Envelope
	}
	return list
}

// steps returns the steps of p with an action, for all messages that it can receive.
func (t *tracker) steps(v point, p protocol.Proc, action int) (ms []step) {
	class := t.Class(action)
	if v.IsDead(p) && !t.Medium.Recovers {
		return nil
	}
	broken := class == interp.BrokenStep // any step may be broken off
	var events []interp.Event
	if class != interp.Receipt {
		events = v.Idle(events, p)
	}
	if class == interp.Receipt || broken {
		events = v.Receipts(events, p)
	}
	for _, e := range events {
		if e.Action == action || broken {
			ms = t.add(ms, v, e, interp.How{Parts: broken})
		}
	}
	return slices.DeleteFunc(ms, func(m step) bool { return m.Action != action })
}

// receive returns the steps of p that receive envelope i of its inbox: none if it is not deliverable, or
// equals an earlier one.
func (t *tracker) receive(v point, p protocol.Proc, i int) []step {
	if !v.Deliverable(p, i) {
		return nil
	}
	return t.add(nil, v, v.Receipt(p, i), interp.How{})
}

func (t *tracker) add(ms []step, v point, e interp.Event, how interp.How) []step {
	v.Enabled(e, how, func(taken *interp.Step) bool {
		m := step{Step: *taken, guarded: t.Medium.Guards && (taken.Note != 0 || taken.Crash)}
		for _, x := range m.Sent {
			sent := t.envelope(m.Proc, x.M)
			sent.To = x.To
			m.sent = append(m.sent, sent)
		}
		ms = append(ms, m)
		return true
	})
	return ms
}

// take returns the point after a step. marks are for the messages sent; nil: no marks.
func (t *tracker) take(v point, m *step, marks []uint32) point {
	s, taken := v.Clone(), m.Step
	if marks != nil {
		taken.Sent = slices.Clone(taken.Sent)
		for i := range taken.Sent {
			taken.Sent[i].Mark = marks[i]
		}
	}
	s.Apply(&taken)
	return t.point(v, s)
}

func (t *tracker) varsOf(v point, p protocol.Proc) []lts.Var {
	t.room = t.Locals.Append(append(t.room[:0], byte(p)), v.Local(p))
	vars, known := t.vars[string(t.room)]
	if !known {
		vars = t.LocalVars(p, v.Local(p))
		t.vars[string(t.room)] = vars
		t.bytes += int64(len(t.room) + 64*len(vars))
	}
	return vars
}

// hasState reports whether a point has a given state, apart from marks and history.
func (t *tracker) hasState(v point, of lts.State) bool {
	s := of.(*interp.State)
	for p := range protocol.Proc(t.N()) {
		inbox := t.inbox(slices.Clone(s.Inbox(p)))
		if string(t.part(nil, v.State, p, v.inboxes[p], false)) != string(t.part(nil, s, p, inbox, false)) {
			return false
		}
	}
	return true
}
