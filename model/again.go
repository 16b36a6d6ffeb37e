package model

import (
	"fmt"
	"slices"
	"strings"
)

// Handlers run once for each situation that comes up, so a handler that is not a function of
// its arguments would do something else than what is remembered of it. Therefore all that was
// learnt is computed once more, after other handlers have run, and compared.

// impure is what is wrong with a function that came to two results.
const impure = "the model is not a function: for the same arguments it came to two results"

// meddling is what is wrong with a function that changes its arguments.
const meddling = "it changes what it is given only to look at"

// learnt is an entry of the tables that was learnt and is still to be computed again.
type learnt struct {
	miss
	learns surrounding
}

// learntLocal is the kind of a local state that was numbered: a is its number.
const learntLocal missKind = 1 << 7

// An author is a state in which something was learnt.
type author struct {
	s    []uint32
	then int // how much was learnt when it had been expanded
}

func (c *learner[L, M, H]) Expand(v []uint32, came Trail, b *Batch) (e Enabled, ok bool) {
	before := len(c.sp.learnt)
	e, ok = c.cursor.Expand(v, came, b)
	if n := len(c.sp.learnt); n > before || n > 0 && len(c.authors) == 0 {
		c.authors = append(c.authors, author{v, n})
	}
	return e, ok
}

func (c *learner[L, M, H]) Verify() (s []uint32, mistake *Error) {
	at := 0
	defer func() {
		if mistake != nil {
			s = c.authors[slices.IndexFunc(c.authors, func(a author) bool { return at < a.then })].s
		}
		c.authors, c.sp.learnt = c.authors[:0], c.sp.learnt[:0]
	}()
	defer Catch(&mistake)
	for at = range c.sp.learnt {
		c.sp.again(&c.sp.learnt[at])
	}
	return nil, nil
}

// again computes an entry of the tables once more.
func (sp *space[L, M, H]) again(x *learnt) {
	switch x.kind {
	case missSituation:
		sp.reruns.begin(sp, x)
	case missHistory:
		sp.rememberAgain(x.a, x.b)
	case learntLocal:
		sp.lookAgain(x.proc, uint32(x.a))
	}
}

// lookAgain asks again what the model says of a local state of p.
func (sp *space[L, M, H]) lookAgain(p Proc, id uint32) {
	t := &sp.procs[p]
	l := t.locals.values[id]
	sp.shown = l
	differ := func(part string, first, second any) {
		panic(&Error{
			Part: part, What: impure, State: spelled(l, sp.c.Names),
			First: fmt.Sprint(first), Second: fmt.Sprint(second),
		})
	}
	if kept := sp.c.keeps(p, &sp.shown); kept == t.outside[id] {
		differ("Constraint", !kept, kept)
	}
	switch before, marked := t.localMarks[id], sp.markLocal(p, &sp.shown); {
	case before&countedUnits != marked&countedUnits:
		differ("Units", before&countedUnits, marked&countedUnits)
	case before != marked:
		var names []string
		for _, i := range sp.byTable.ofLocal {
			names = append(names, sp.c.Properties[i].Name)
		}
		differ("property "+strings.Join(names, " or "), before&broken == 0, marked&broken == 0)
	}
	if sp.settles {
		before := t.localTimes
		sp.timeLocal(t, l)
		if again := t.localTimes[len(before)]; again != before[id] {
			differ("Clocks", before[id], again)
		}
		t.localTimes = before
	}
}

// rememberAgain brings a history up to date once more.
func (sp *space[L, M, H]) rememberAgain(number, event uint64) {
	r, _ := sp.successor.get((number+1)<<32 | event)
	was, o := sp.histories.values[number], sp.events.values[event]
	e := o.Event
	if sp.c.History.Step == nil || r == impossible || e.Note == 0 && !e.Crash {
		return
	}
	then := was.history
	kept := sp.c.remember(&then, e)
	if kept == (r == excluded) || kept && sp.histories.values[r>>2].history != then {
		first, second := "it excluded the step", "it excluded the step"
		if r != excluded {
			first = "it led to " + spelled(sp.histories.values[r>>2].history, sp.c.Names)
		}
		if kept {
			second = "it led to " + spelled(then, sp.c.Names)
		}
		panic(&Error{
			Part: "History.Step", What: impure, State: spelled(was.history, sp.c.Names),
			First: first, Second: second,
		})
	}
}

// A rerun runs the handlers of a situation once more.
type rerun[L, M, H comparable] struct {
	sp    *space[L, M, H]
	run   runner[L, M, H]
	local L
	moves []move // that are known of it, in order
	one   [1]move
	at    int // of them
}

func (r *rerun[L, M, H]) begin(sp *space[L, M, H], x *learnt) {
	if r.sp == nil {
		r.sp = sp
		r.run = runner[L, M, H]{c: sp.c, again: true, yield: r.compare}
	}
	t := &sp.procs[x.proc]
	local, letter, in := uint32(x.a>>40)&(maxLocals-1), uint32(x.a>>16)&maxLetters, setting{Set(x.a), x.learns}
	s := sp.situations(x.proc, in)
	mv := s.of[local].idle
	if letter > 0 {
		mv = *s.cells.find(s.of[local].receiving, letter-1)
	}
	r.moves, r.at = r.list(mv), 0
	r.local = t.locals.values[local]
	if letter == 0 {
		r.run.idle(x.proc, &r.local, in)
	} else {
		r.run.react(x.proc, &r.local, t.letters.values[letter-1], in)
	}
	if r.at < len(r.moves) {
		r.differ(nil)
	}
}

// list returns the moves that are stored as one.
func (r *rerun[L, M, H]) list(mv move) []move {
	switch {
	case mv.kind == noMoves:
		return nil
	case mv.kind&moveList == 0:
		r.one[0] = mv
		return r.one[:]
	}
	end := mv.local
	for r.sp.moves[end].kind&lastMove == 0 {
		end++
	}
	return r.sp.moves[mv.local : end+1]
}

// compare compares an outcome with the next move.
func (r *rerun[L, M, H]) compare(o outcome[L, M]) {
	if r.at == len(r.moves) {
		r.differ(&o)
	}
	sp, mv := r.sp, r.moves[r.at]
	e := &sp.effects.values[mv.kind.effect()]
	noted := true
	if sp.c.History.Step != nil {
		note := uint32(0)
		if e.event > 0 {
			note = sp.events.values[e.event-1].Note
		}
		noted = note == o.note
	}
	if !noted || e.label != (Label{uint16(o.action), uint8(r.run.p), uint8(o.peer)}).word() ||
		sp.procs[r.run.p].locals.values[mv.local] != o.local || !r.sends(e, &o) {
		r.differ(&o)
	}
	r.at++
}

// sends reports whether an effect sends what an outcome does, and charges the same for it.
func (r *rerun[L, M, H]) sends(e *effect, o *outcome[L, M]) bool {
	sp, dead, left := r.sp, r.run.in.dead, 0
	if o.crash {
		dead = dead.With(r.run.p)
	}
	if o.revives {
		dead = dead.Without(r.run.p)
	}
	var charges Charges
	for _, s := range o.sent {
		if !dead.Has(s.To) {
			left++
			if sp.c.Charge != nil {
				sp.c.charge(&charges, r.run.p, s)
			}
		}
	}
	for _, post := range sp.posts[e.firstPost:][:e.posts] {
		t := &sp.procs[post.to]
		bundle := t.bundles.at(post.bundle)
		for len(bundle) > 0 && bundle[0]&cutMark != 0 {
			bundle = bundle[1:]
		}
		for _, s := range o.sent {
			if s.To != Proc(post.to) {
				continue
			}
			if len(bundle) == 0 || t.letters.values[bundle[0]].M != s.M {
				return false
			}
			bundle = bundle[1:]
			left--
		}
		if len(bundle) > 0 {
			return false
		}
	}
	return left == 0 && (sp.c.Charge == nil || charges == sp.charges.values[e.charges])
}

// differ tells that the handlers came to an outcome, or to no other one if it is nil, where they
// came to the move at hand before, or to no other one.
func (r *rerun[L, M, H]) differ(o *outcome[L, M]) {
	const nothing = "it was not enabled"
	names := r.sp.c.Names
	first, second, action := nothing, nothing, 0
	label := Label{Action: maxActions}
	if r.at < len(r.moves) {
		mv := r.moves[r.at]
		e := &r.sp.effects.values[mv.kind.effect()]
		label = labelOf(e.label)
		first, action = r.text(r.sp.procs[r.run.p].locals.values[mv.local], r.letters(e)), int(label.Action)
	}
	if o != nil && o.handler <= int(label.Action) {
		second, action = r.text(o.local, o.sent), o.handler
		if o.handler < int(label.Action) && o.action < int(label.Action) {
			first = nothing
		}
	}
	e := r.run.context(action)
	e.What, e.First, e.Second, e.State = impure, first, second, spelled(*r.run.l, names)
	panic(&e)
}

// letters returns what an effect sends.
func (r *rerun[L, M, H]) letters(e *effect) (sent []Sent[M]) {
	for _, post := range r.sp.posts[e.firstPost:][:e.posts] {
		t := &r.sp.procs[post.to]
		for _, letter := range t.bundles.at(post.bundle) {
			if letter&cutMark == 0 {
				sent = append(sent, Sent[M]{Proc(post.to), t.letters.values[letter].M})
			}
		}
	}
	return sent
}

// text says what came of a handler.
func (r *rerun[L, M, H]) text(l L, sent []Sent[M]) string {
	parts := []string{spelled(l, r.sp.c.Names)}
	for _, s := range sent {
		parts = append(parts, fmt.Sprintf("sends %v to %s", s.M, r.sp.c.Names.Of(s.To)))
	}
	return strings.Join(parts, ", ")
}
