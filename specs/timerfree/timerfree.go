package timerfree

import (
	"fmt"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// region says where a process is with respect to the critical section.
type region uint8

const (
	notRequesting region = iota
	requesting
	cs
)

func (r region) String() string { return [...]string{"not requesting", "requesting", "CS"}[r] }

// local is the state of one process, under the paper's names. The zero value is
// what lines 1-6 set up.
type local struct {
	State         region
	H             model.Counter // logical clock
	Last          model.Counter // time of the latest request; 0: never
	Crashed       values.Group
	NotRecFrom    values.Group
	NewNotRecFrom values.Group
	X             model.PerProc[entry]
	PermCount     model.Counter // permissions counted for the latest request
	HavePerm      values.Group
	Pending       model.PerProc[uint32] // time of the request deferred, 1 where replies have no time; 0: none
	Rounds        model.Rounds          // requests that the process will still make
}

// entry is what X holds of one process: absent, or a set not_rec_from.
type entry struct {
	Present    bool
	NotRecFrom values.Group
}

func (e entry) String() string {
	if !e.Present {
		return "absent"
	}
	return e.NotRecFrom.String()
}

// message is REQUEST(time, crashed) or REPLY(ack, not_rec_from, time).
type message struct {
	reply bool
	perm  bool         // ack: PERM or NOPERM
	time  uint32       // of the request, also in replies; 0 in those of variant a
	set   values.Group // crashed, or not_rec_from
}

func isRequest(m message) bool { return !m.reply }
func isReply(m message) bool   { return m.reply }

func (m message) String() string {
	switch {
	case !m.reply:
		return fmt.Sprintf("REQUEST(%d, %v)", m.time, m.set)
	case m.perm:
		return "REPLY(PERM" + m.rest()
	}
	return "REPLY(NOPERM" + m.rest()
}

// rest writes a reply from its second field on.
func (m message) rest() string {
	if m.time == 0 {
		return fmt.Sprintf(", %v)", m.set)
	}
	return fmt.Sprintf(", %v, %d)", m.set, m.time)
}

// eachTime visits the times: see model.Clocks. What is pending has times only where
// replies have.
func (a *algorithm) eachTime(l *local, visit func(*uint32)) {
	visit(l.H.Time())
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

type outbox = model.Outbox[message]

// algorithm holds the parameters.
type algorithm struct {
	n, k, f int
	rounds  []int

	timed     bool // replies carry the time of the request: variant b and those after it
	advanceH  bool // a request advances the own clock: variant c and those after it
	awaitMost bool // line 15 also waits for n-f replies: variants d and repaired
	atEnd     bool // line 37 stands after line 15, line 38 there too: variant repaired
	once      bool // a process's permission is counted once: variants d and repaired, nodup=on
	footnote  bool // order=footnote
	newest    bool // pending=last
	forget    bool // last=forgotten

	rp      uint8 // one of the readings below
	checkRP bool  // RP is judged, not assumed
}

// The readings of RP say when a process is without the answer of another.
const (
	rpOff = iota // not of interest
	rpV          // whenever line 37 sets the variable not_rec_from
	rpT          // when the request terminates, at line 16
)

func (a *algorithm) init(p model.Proc) local { return local{Rounds: model.Rounds(a.rounds[p])} }

// request is Request_resource() up to the wait.
func (a *algorithm) request(i model.Proc, l *local, out *outbox) bool {
	if l.State != notRequesting || l.Rounds == 0 {
		return false
	}
	l.Rounds = l.Rounds.Next()
	l.State = requesting                               // 7
	l.NewNotRecFrom = values.Everybody(a.n).Without(i) // 8
	l.X = model.PerProc[entry]{}
	l.X.Put(i, entry{true, l.NotRecFrom})                          // 9
	l.Last = l.H.Plus(1)                                           // 10
	l.HavePerm = values.Group{}                                    // 11
	l.PermCount = model.Count(0)                                   // 12
	for j := range values.Everybody(a.n).Minus(l.Crashed).Each() { // 13
		if j != i {
			out.Send(j, message{time: l.Last.Value(), set: l.Crashed}) // 14
		}
	}
	if a.advanceH {
		l.H = l.Last
	}
	return true
}

// enter is the end of the wait of Request_resource().
func (a *algorithm) enter(_ model.Proc, l *local, out *outbox) bool {
	if l.State != requesting || !a.permitted(l) {
		return false
	}
	l.State = cs // 16
	out.Note(invariants.Unanswered(rpT, l.NewNotRecFrom.Set()))
	if a.atEnd {
		l.Crashed = l.Crashed.Union(a.missing(l))                    // 38, also if nobody has answered
		l.NotRecFrom = l.NewNotRecFrom                               // 37
		out.Note(invariants.Unanswered(a.rp, l.NewNotRecFrom.Set())) // the readings of RP agree
	}
	if a.forget {
		l.Last, l.PermCount, l.HavePerm = model.Count(0), model.Count(0), values.Group{}
	}
	return true
}

// permitted is the condition of line 15.
func (a *algorithm) permitted(l *local) bool {
	return int(l.PermCount.Value()) >= a.n-l.Crashed.Len()-a.k &&
		(!a.awaitMost || l.NewNotRecFrom.Len() <= a.f)
}

// release is Release_resource().
func (a *algorithm) release(i model.Proc, l *local, out *outbox) bool {
	if l.State != cs {
		return false
	}
	for j, time := range l.Pending.Each() { // 17
		if j != i && !l.Crashed.Has(j) {
			out.Send(j, a.reply(l, true, time)) // 18
		}
	}
	l.Pending = model.PerProc[uint32]{} // 19
	l.State = notRequesting             // 20
	return true
}

// receiveRequest: REQUEST(H_j, crashed_j) from j.
func (a *algorithm) receiveRequest(i, j model.Proc, m message, l *local, out *outbox) bool {
	l.H = l.H.Max(m.time).Plus(1)                  // 22
	for k := range m.set.Minus(l.Crashed).Each() { // 23
		if l.HavePerm.Has(k) { // 24
			l.PermCount = l.PermCount.Minus(1) // 25
			l.HavePerm = l.HavePerm.Without(k) // 26
		}
	}
	l.Crashed = l.Crashed.Union(m.set)                                                    // 27
	if l.State == cs || l.State == requesting && a.before(l.Last.Value(), i, m.time, j) { // 28
		out.Send(j, a.reply(l, false, m.time)) // 29
		a.postpone(l, j, m.time)               // 30
	} else {
		out.Send(j, a.reply(l, true, m.time)) // 32
	}
	return true
}

// before reports whether (s, i) < (t, j).
func (a *algorithm) before(s uint32, i model.Proc, t uint32, j model.Proc) bool {
	return s < t || s == t && i < j && !a.footnote
}

// postpone puts j into pending.
func (a *algorithm) postpone(l *local, j model.Proc, time uint32) {
	switch {
	case !a.timed:
		l.Pending.Put(j, 1)
	case a.newest:
		l.Pending.Put(j, time)
	default:
		l.Pending.Put(j, max(l.Pending.At(j), time))
	}
}

// reply answers the request of the given time.
func (a *algorithm) reply(l *local, perm bool, time uint32) message {
	if !a.timed {
		time = 0
	}
	return message{reply: true, perm: perm, time: time, set: l.NotRecFrom}
}

// receiveReply: REPLY(ack, not_rec_from_j) from j.
func (a *algorithm) receiveReply(_, j model.Proc, m message, l *local, out *outbox) bool {
	if a.stale(l, m) {
		return true
	}
	l.NewNotRecFrom = l.NewNotRecFrom.Without(j) // 34
	l.X.Put(j, entry{true, m.set})               // 35
	if l.NewNotRecFrom.Len() <= a.f {            // 36
		if !a.atEnd {
			l.NotRecFrom = l.NewNotRecFrom // 37
			out.Note(invariants.Unanswered(rpV, l.NotRecFrom.Set()))
		}
		l.Crashed = l.Crashed.Union(a.missing(l)) // 38
	}
	if l.State == requesting && m.perm && !l.Crashed.Has(j) { // 39
		if !a.once || !l.HavePerm.Has(j) {
			l.PermCount = l.PermCount.Plus(1) // 40
		}
		l.HavePerm = l.HavePerm.With(j) // 41
	}
	return true
}

// stale reports whether m answers an earlier request than the latest.
func (a *algorithm) stale(l *local, m message) bool { return a.timed && m.time != l.Last.Value() }

// missing is the intersection of the sets in X.
func (a *algorithm) missing(l *local) values.Group {
	s := values.Everybody(a.n)
	for _, e := range l.X.Each() {
		if e.Present {
			s = s.Meet(e.NotRecFrom)
		}
	}
	return s
}

// dead leaves of a local state what is read again: of a request that is granted or over neither the
// permissions counted nor, where no reply is told to be late by it, its time; and no clock where no
// other request follows.
func (a *algorithm) dead(_ model.Proc, l *local) {
	if l.Rounds == 0 {
		l.H.Forget()
	}
	if l.State == requesting {
		return
	}
	l.PermCount.Forget()
	if !a.timed {
		l.Last.Forget()
	}
}
