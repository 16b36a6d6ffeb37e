package timerfree

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// The printed text with variants and readings. Variants b, c, d and repaired each add to the one
// before: b timed, c advanceH, d awaitMost and once, repaired atEnd.

// changes are the changes that a variant or a reading makes.
type changes struct {
	timed     bool // replies carry the time of the request: from variant b on
	advanceH  bool // a request advances the own clock: from variant c on
	awaitMost bool // line 15 also waits for n-f replies: variants d and repaired
	atEnd     bool // line 37 stands after line 15, line 38 there too: variant repaired
	once      bool // a process's permission is counted once: variants d and repaired, nodup=on
	footnote  bool // order=footnote
	newest    bool // pending=last
	forget    bool // last=forgotten
}

// isPending is in pending for a deferred request where replies have no times.
const isPending = 1

// precedes is the order of requests in line 28: whether (s, i) < (t, j).
func (c *changes) precedes(s uint32, i model.Proc, t uint32, j model.Proc) bool {
	if c.footnote {
		return s < t
	}
	return values.Before(s, i, t, j)
}

// reply is REPLY of lines 18, 29 and 32: an answer, PERM if perm, to the request of a time.
func (c *changes) reply(perm bool, notRecFrom values.Group, time uint32) message {
	if !c.timed {
		time = 0
	}
	return message{reply: true, perm: perm, set: notRecFrom, time: time}
}

// postpone is line 30: it puts j, whose request is of a time, into pending.
func (c *changes) postpone(pending *model.PerProc[uint32], j model.Proc, time uint32) {
	switch {
	case !c.timed:
		time = isPending
	case !c.newest: // of several requests of j the largest time
		time = max(pending.At(j), time)
	}
	pending.Put(j, time)
}

// requests is lines 7 to 14 under the changes: the request is an event, too, and advances the own clock.
func (a *algorithm) requests(i model.Proc, l *local, out *outbox) bool {
	done := a.request(i, l, out)
	if done && a.advanceH {
		l.H = l.Last
	}
	return done
}

// enters is lines 15 and 16 under the changes. The monitor of RP notes the processes that had not answered.
func (a *algorithm) enters(i model.Proc, l *local, out *outbox) bool {
	if a.awaitMost && !a.mostAnswered(l) || !a.enter(i, l, out) {
		return false
	}
	out.Note(invariants.Unanswered(rpT, l.NewNotRecFrom.Set()))
	if a.atEnd {
		a.conclude(l, out)
	}
	if a.forget {
		l.Last, l.PermCount, l.HavePerm = model.Count(0), model.Count(0), values.Group{}
	}
	return true
}

// mostAnswered reports whether n-f replies have come in, the own one included.
func (a *algorithm) mostAnswered(l *local) bool { return l.NewNotRecFrom.Len() <= a.f }

// permitted is the condition of the wait under the changes.
func (a *algorithm) permitted(l *local) bool {
	return a.enough(l) && (!a.awaitMost || a.mostAnswered(l))
}

// conclude is lines 38 and 37 at the end of a request, also if no process has answered. The readings of RP
// agree.
func (a *algorithm) conclude(l *local, out *outbox) {
	l.Crashed = l.Crashed.Union(a.missing(l))
	l.NotRecFrom = l.NewNotRecFrom
	out.Note(invariants.Unanswered(a.rp, l.NewNotRecFrom.Set()))
}

// replies is lines 33 to 41 under the changes. Late answers are dropped if they carry a time;
// line 40 does not count a permission twice; line 37 leaves not_rec_from as it is, or the monitor of RP
// notes the new value.
func (a *algorithm) replies(i, j model.Proc, m message, l *local, out *outbox) bool {
	if a.timed && stale(l, m) {
		return true
	}
	had := l.State == requesting && l.HavePerm.Has(j)
	count, kept := l.PermCount, l.NotRecFrom
	a.receiveReply(i, j, m, l, out)
	if a.once && had {
		l.PermCount = count
	}
	if a.atEnd {
		l.NotRecFrom = kept
	} else if a.mostAnswered(l) {
		out.Note(invariants.Unanswered(rpV, l.NotRecFrom.Set()))
	}
	return true
}

// stale reports whether m answers an earlier request than the latest.
func stale(l *local, m message) bool { return m.time != l.Last.Value() }

// clock and eachTime visit the times: see model.Clocks. Pending has times only where
// replies have times.
func (l *local) clock(visit func(*uint32)) { visit(l.H.Time()) }

func (a *algorithm) eachTime(l *local, visit func(*uint32)) {
	if l.Last.Value() != 0 {
		visit(l.Last.Time())
	}
	if !a.timed {
		return
	}
	for j, time := range l.Pending.Each() {
		visit(&time)
		l.Pending.Put(j, time)
	}
}

func (m *message) eachTime(visit func(*uint32)) {
	if m.time != 0 {
		visit(&m.time)
	}
}

// dead forgets dead variables: the clock without rounds left; the sets in X if that of the process itself is
// empty, as line 38 intersects them; of a request that is granted or over the permissions counted, where
// replies carry no time its time, and where no process is ever found dead who gave the permissions.
func (a *algorithm) dead(i model.Proc, l *local) {
	if l.Rounds == 0 {
		l.H.Forget()
	}
	if own := l.X.At(i); own.Present && own.NotRecFrom.Empty() {
		for j, e := range l.X.Each() {
			if e.Present && j != i {
				e.NotRecFrom.Forget()
				l.X.Put(j, e)
			}
		}
	}
	if l.State == requesting {
		return
	}
	l.PermCount.Forget()
	if !a.timed {
		l.Last.Forget()
	}
	if a.findsNobody() {
		l.HavePerm.Forget()
	}
}

// findsNobody reports whether no process is ever found dead, because none requests twice: not_rec_from is
// empty at line 9, and so is the intersection of line 38.
func (a *algorithm) findsNobody() bool {
	return !slices.ContainsFunc(a.rounds, func(rounds int) bool { return rounds != 0 && rounds != 1 })
}

// deadIn forgets not_rec_from in a REPLY whose receiver will find nobody dead.
func (a *algorithm) deadIn(m *message) {
	if m.reply && a.findsNobody() {
		m.set.Forget()
	}
}
