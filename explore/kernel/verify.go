package kernel

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// A protocol is asked once about each memo key that comes up, so one that is not a function of
// its arguments would do something else than what is remembered of it. Therefore all that was
// learnt is asked once more, after other things have been, and compared.

// learnt is an entry of the tables that was learnt and is still to be asked again.
type learnt struct {
	miss
	cause int // as space has it
}

// learntLocal is the kind of a local state that was numbered: a is its number, and b where in
// facts stands what was said of it.
const learntLocal missKind = 1 << 7

// An author is a state in which something was learnt.
type author struct {
	s    []uint32
	then int // how much was learnt when it had been expanded
}

func (c *learner) Expand(v []uint32, came SleepTag, b *Batch) (e Enabled, ok bool) {
	before := len(c.sp.learnt)
	e, ok = c.cursor.Expand(v, came, b)
	if n := len(c.sp.learnt); n > before || n > 0 && len(c.authors) == 0 {
		c.authors = append(c.authors, author{v, n})
	}
	return e, ok
}

func (c *learner) Verify(in *[]uint32) {
	sp := c.sp
	defer func() {
		if i := slices.IndexFunc(c.authors, func(a author) bool { return sp.cause <= a.then }); i >= 0 {
			*in = c.authors[i].s
		}
		c.authors, sp.learnt, sp.facts, sp.cause = c.authors[:0], sp.learnt[:0], sp.facts[:0], 0
	}()
	for at := 0; at < len(sp.learnt); at++ { // more are learnt where local states are merged
		x := sp.learnt[at]
		if x.kind == missMemo && sp.trusted() {
			continue
		}
		if sp.cause = x.cause; sp.cause == 0 {
			sp.cause = at + 1
		}
		sp.again(&x)
	}
}

// Of what a hermetic protocol says of steps so many are asked again, at first and later.
const (
	trustedFrom = 1 << 10
	oneIn       = 1 << 4
)

// trusted reports whether the next step need not be asked about again.
func (sp *space) trusted() bool {
	if !sp.decl.Hermetic || sp.decl.Forgets {
		return false
	}
	sp.learntOf++
	return sp.learntOf > trustedFrom && sp.learntOf%oneIn != 0
}

// again asks once more about an entry of the tables.
func (sp *space) again(x *learnt) {
	switch x.kind {
	case missMemo:
		s := x.memoKey()
		sp.stepsAgain(s, s.Local)
		if sp.decl.Forgets {
			sp.askMerged(s)
		}
	case learntMerged:
		sp.askAll(x.proc, uint32(x.a))
	case missHistory:
		sp.historyAgain(x.a, x.b)
	case learntLocal:
		sp.protocol.LocalAgain(x.proc, uint32(x.a), sp.facts[x.b])
	}
}

// historyAgain asks once more what becomes of a history.
func (sp *space) historyAgain(history, event uint64) {
	r, _ := sp.successor.get((history+1)<<32 | event)
	e := sp.events.Values[event].Event
	if !sp.decl.Medium.History || r == impossible || e.Note == 0 && !e.Crash {
		return
	}
	var first, second []byte
	if r != excluded {
		h := sp.histories.values[r>>2]
		first = []byte(h[:len(h)-protocol.RecordBytes])
	}
	next, kept := sp.protocol.After(uint32(history), e)
	if kept {
		second = next
	}
	if kept == (r == excluded) || string(first) != string(second) {
		sp.protocol.DifferAfter(uint32(history), first, second)
	}
}

// A rerun asks once more about a memo key.
type rerun struct {
	sp    *space
	s     protocol.MemoKey // of which the moves are known
	local uint32           // the local state that is asked: that of s, or one merged into it
	moves []move           // that are known of it, in order
	one   [1]move
	at    int // of them
}

// stepsAgain asks once more about a memo key, or about the same with a local state that is merged
// into that of the memo key.
func (sp *space) stepsAgain(s protocol.MemoKey, local uint32) {
	known, r := sp.memos(s.Proc, s.Setting), &sp.rerun
	mv := known.of[s.Local].idle
	if s.Message > 0 {
		mv = *known.cells.find(known.of[s.Local].receiving, s.Message-1)
	}
	r.sp, r.s, r.local, r.moves, r.at = sp, s, local, r.list(sp, mv), 0
	s.Local = local
	sp.protocol.Steps(s, r)
	if r.at < len(r.moves) {
		r.differ(sp.outcome(&r.s, r.moves[r.at]), nil)
	}
}

// merged reports whether it is a local state merged into another one that is asked.
func (r *rerun) merged() bool { return r.local != r.s.Local }

// differ tells of the first outcome that is another one.
func (r *rerun) differ(first, second *protocol.Outcome) {
	if r.merged() {
		r.sp.protocol.DifferMerged(r.s, r.local, first, second)
	}
	r.sp.protocol.Differ(r.s, first, second)
}

// list returns the moves that are stored as one.
func (r *rerun) list(sp *space, mv move) []move {
	switch {
	case mv.kind == noMoves:
		return nil
	case mv.kind&moveList == 0:
		r.one[0] = mv
		return r.one[:]
	}
	end := mv.local
	for sp.moves[end].kind&lastMove == 0 {
		end++
	}
	return sp.moves[mv.local : end+1]
}

// Add compares an outcome with the next move.
func (r *rerun) Add(o *protocol.Outcome) {
	if r.at == len(r.moves) {
		r.differ(nil, r.spelled(o))
	}
	if mv := r.moves[r.at]; !r.agrees(mv, o) {
		r.differ(r.sp.outcome(&r.s, mv), r.spelled(o))
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

// agrees reports whether an outcome is what a move stands for.
func (r *rerun) agrees(mv move, o *protocol.Outcome) bool {
	sp, s := r.sp, &r.s
	e := &sp.effects.Values[mv.kind.effect()]
	if sp.decl.Medium.History {
		note := uint32(0)
		if e.event > 0 {
			note = sp.events.Values[e.event-1].Note
		}
		if note != o.Note {
			return false
		}
	}
	return e.label == labelOf(s, o).Word() && sp.sends(s, e, o) && r.leads(mv.local, o)
}

// leads reports whether an outcome leads to a local state, or to one that is merged into it.
func (r *rerun) leads(local uint32, o *protocol.Outcome) bool {
	switch {
	case o.Known > 0:
		return o.Known-1 == local
	case r.sp.decl.Forgets:
		return r.sp.local(r.s.Proc, o.Local) == local
	}
	return r.sp.procs[r.s.Proc].locals.values[local] == string(o.Local)
}

// sends reports whether an effect sends what an outcome does, and charges the same for it.
func (sp *space) sends(s *protocol.MemoKey, e *effect, o *protocol.Outcome) bool {
	dead, left := deadAfter(s, o), 0
	for i := range o.Sent {
		if !dead.Has(o.Sent[i].To) {
			left++
		}
	}
	for _, post := range sp.posts[e.firstPost:][:e.posts] {
		t := &sp.procs[post.to]
		group := t.groups.at(post.group)
		for len(group) > 0 && group[0]&cutMark != 0 {
			group = group[1:]
		}
		for i := range o.Sent {
			if o.Sent[i].To != protocol.Proc(post.to) {
				continue
			}
			if len(group) == 0 || t.envelopes.values[group[0]][1:] != string(o.Sent[i].Message) {
				return false
			}
			group = group[1:]
			left--
		}
		if len(group) > 0 {
			return false
		}
	}
	return left == 0 && (!sp.decl.Charged || chargesOf(o, dead) == sp.charges.Values[e.charges])
}

// outcome writes what a move stands for.
func (sp *space) outcome(s *protocol.MemoKey, mv move) *protocol.Outcome {
	e := &sp.effects.Values[mv.kind.effect()]
	l := protocol.LabelOf(e.label)
	o := &protocol.Outcome{
		Action: l.Action, Handler: l.Action, Peer: protocol.Proc(l.Peer),
		Local: []byte(sp.procs[s.Proc].locals.values[mv.local]),
	}
	for _, post := range sp.posts[e.firstPost:][:e.posts] {
		t := &sp.procs[post.to]
		for _, envelope := range t.groups.at(post.group) {
			if envelope&cutMark == 0 {
				message := []byte(t.envelopes.values[envelope][1:])
				o.Sent = append(o.Sent, protocol.Sent{To: protocol.Proc(post.to), Message: message})
			}
		}
	}
	return o
}
