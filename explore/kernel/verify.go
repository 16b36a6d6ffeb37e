package kernel

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// A protocol is asked once about each memo key that comes up, so one that is not a function of its arguments
// would differ from its memos. Therefore all questions are asked once more, after others, and the answers are
// compared.

// A filledEntry is still to be asked again.
type filledEntry struct {
	entry
	cause int // as space has it
}

// localEntry is the kind of a local state that was numbered: a is its number, and b the index in facts of the
// facts about it.
const localEntry entryKind = 1 << 7

// An author is a state in which some entry was filled in.
type author struct {
	s    []uint32
	then int // how many entries were filled in when it had been expanded
}

func (c *filler) Expand(v []uint32, came SleepTag, b *Batch) (e Enabled, ok bool) {
	before := len(c.sp.filled)
	if !c.sp.completes {
		e, ok = c.cursor.Expand(v, came, b)
	} else {
		fired, unjudged := b.Fired, b.Unjudged // a copy of 2 KiB, only where a state may be expanded again
		for e, ok = c.cursor.Expand(v, came, b); c.again; e, ok = c.cursor.Expand(v, came, b) {
			c.again, b.Fired, b.Unjudged = false, fired, unjudged
		}
		if !ok {
			b.Fired, b.Unjudged = fired, unjudged
		}
	}
	if n := len(c.sp.filled); n > before || n > 0 && len(c.authors) == 0 {
		c.authors = append(c.authors, author{v, n})
	}
	return e, ok
}

func (c *filler) Verify(in *[]uint32) {
	sp := c.sp
	defer func() {
		if i := slices.IndexFunc(c.authors, func(a author) bool { return sp.cause <= a.then }); i >= 0 {
			*in = c.authors[i].s
		}
		c.authors, sp.filled, sp.facts, sp.cause = c.authors[:0], sp.filled[:0], sp.facts[:0], 0
	}()
	for at := 0; at < len(sp.filled); at++ { // more are filled in where local states are merged
		x := sp.filled[at]
		if x.kind == memoEntry && sp.trusted() {
			continue
		}
		if sp.cause = x.cause; sp.cause == 0 {
			sp.cause = at + 1
		}
		for range sp.timesAsked() {
			sp.recheck(&x)
		}
	}
}

// timesAsked returns how often the next entry is asked about once more.
func (sp *space) timesAsked() int {
	// merged states are asked in many ways
	if sp.asked >= protocol.OftenAsked || sp.decl.Hermetic || sp.decl.Forgets {
		return 1
	}
	sp.asked++
	return protocol.ManyTimes
}

// How many answers of a hermetic protocol about steps are asked again, at first and later.
const (
	trustedFrom = 1 << 10
	oneIn       = 1 << 4
)

// trusted reports whether the model need not be asked again for the next step.
func (sp *space) trusted() bool {
	if !sp.decl.Hermetic || sp.decl.Forgets {
		return false
	}
	sp.memosFilled++
	return sp.memosFilled > trustedFrom && sp.memosFilled%oneIn != 0
}

// recheck asks once more about an entry of the tables.
func (sp *space) recheck(x *filledEntry) {
	switch x.kind {
	case memoEntry:
		s := x.memoKey()
		sp.recheckSteps(s, s.Local)
		if sp.decl.Forgets {
			sp.recheckMerged(s)
		}
	case mergedEntry:
		sp.recheckAll(x.proc, x.a)
	case historyEntry:
		sp.recheckHistory(x.a, x.b)
	case localEntry:
		sp.protocol.LocalAgain(x.proc, x.a, sp.facts[x.b])
	}
}

// recheckHistory asks once more what becomes of a history.
func (sp *space) recheckHistory(history, event uint32) {
	r, _ := sp.successor.get(history, event)
	e := sp.events.values[event].Event
	if !sp.History || r == impossible || e.Note == 0 && !e.Crash {
		return
	}
	var first, second []byte
	if r != excluded {
		h := sp.histories.values[r>>2]
		first = []byte(h[:len(h)-protocol.RecordBytes])
	}
	next, kept := sp.protocol.After(history, e)
	if kept {
		second = next
	}
	if kept == (r == excluded) || string(first) != string(second) {
		sp.protocol.DifferAfter(history, first, second)
	}
}

// A rerun asks once more about a memo key.
type rerun struct {
	sp          *space
	s           protocol.MemoKey // whose transitions are known
	local       uint32           // the local state that is asked: s's, or one merged into it
	transitions []transition     // that are known of it, in order
	at          int              // of them
}

// recheckSteps asks once more about a memo key, or about the same with a local state that is merged
// into the memo key's.
func (sp *space) recheckSteps(s protocol.MemoKey, local uint32) {
	known, r := sp.memos(s.Proc, s.Context), &sp.rerun
	tr := known.of[s.Local].idle
	if s.Message > 0 {
		tr = known.cells.probe(known.of[s.Local].receiving, s.Message-1).value
	}
	r.sp, r.s, r.local, r.transitions, r.at = sp, s, local, r.transitions[:0], 0
	for tr := range sp.all(tr) {
		r.transitions = append(r.transitions, tr)
	}
	s.Local = local
	sp.protocol.Steps(s, r)
	if r.at < len(r.transitions) {
		r.differ(sp.outcome(&r.s, r.transitions[r.at]), nil)
	}
}

// differ reports the first outcome that is another one.
func (r *rerun) differ(first, second *protocol.Outcome) {
	r.sp.protocol.Differ(r.s, r.local, first, second)
}

// Add compares an outcome with the next transition.
func (r *rerun) Add(o *protocol.Outcome) {
	if r.at == len(r.transitions) {
		r.differ(nil, r.spelled(o))
	}
	tr := r.transitions[r.at]
	known := &r.sp.effects.values[tr.kind.effect()]
	if e, local := r.sp.effect(&r.s, o); local != tr.local || e != *known {
		r.differ(r.sp.outcome(&r.s, tr), r.spelled(o))
	}
	r.at++
}

// spelled returns an outcome with the bytes of its local state.
func (r *rerun) spelled(o *protocol.Outcome) *protocol.Outcome {
	if o.Known > 0 {
		o.Local = []byte(r.sp.procs[r.s.Proc].locals.values[o.Known-1])
	}
	return o
}

// outcome writes what a transition stands for.
func (sp *space) outcome(s *protocol.MemoKey, tr transition) *protocol.Outcome {
	e := &sp.effects.values[tr.kind.effect()]
	l := protocol.LabelOf(e.label)
	o := &protocol.Outcome{
		Action: l.Action, Handler: l.Action, Peer: protocol.Proc(l.Peer),
		Local: []byte(sp.procs[s.Proc].locals.values[tr.local]),
	}
	for _, sent := range sp.sendings[e.firstSending:][:e.sendings] {
		t := &sp.procs[sent.to]
		for _, envelope := range t.groups.at(sent.group) {
			if envelope&cutMark == 0 {
				message := []byte(t.envelopes.values[envelope][1:])
				o.Sent = append(o.Sent, protocol.Sent{To: protocol.Proc(sent.to), Message: message})
			}
		}
	}
	return o
}
