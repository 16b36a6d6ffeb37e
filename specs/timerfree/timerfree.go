package timerfree

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// region is where a process is with respect to the critical section.
type region uint8

const (
	notRequesting region = iota
	requesting
	cs
)

func (r region) String() string { return [...]string{"not requesting", "requesting", "CS"}[r] }

// local is the state of one process, under the paper's names. The zero value is
// the state after lines 1-6.
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
	Pending       model.PerProc[uint32] // time of the request deferred, or isPending; 0: none
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
	time  uint32       // of the request, also in replies; 0 in replies of variant a
	set   values.Group // crashed, or not_rec_from
}

func isRequest(m message) bool { return !m.reply }
func isReply(m message) bool   { return m.reply }

func (m message) String() string {
	ack := "NOPERM"
	if m.perm {
		ack = "PERM"
	}
	switch {
	case !m.reply:
		return fmt.Sprintf("REQUEST(%d, %v)", m.time, m.set)
	case m.time == 0:
		return fmt.Sprintf("REPLY(%s, %v)", ack, m.set)
	}
	return fmt.Sprintf("REPLY(%s, %v, %d)", ack, m.set, m.time)
}

type outbox = model.Outbox[message]

// algorithm is Algorithm 1 as it is printed. Variants and readings are in variants.go: handlers
// around the printed ones, and the functions that these call.
type algorithm struct {
	n, k, f int
	rounds  []int
	changes

	rp      uint8 // one of the readings below
	checkRP bool  // RP is judged, not assumed
}

// The readings of RP: when is a process without the answer of another?
const (
	rpOff = iota // RP is neither assumed nor judged
	rpV          // whenever line 37 sets the variable not_rec_from
	rpT          // when the request terminates, at line 16
)

func (a *algorithm) init(p model.Proc) local { // lines 1-6
	return local{Rounds: model.Rounds(a.rounds[p])}
}

// request is Request_resource() up to the wait.
func (a *algorithm) request(i model.Proc, l *local, out *outbox) bool {
	if l.State != notRequesting || l.Rounds == 0 {
		return false
	}
	l.Rounds = l.Rounds.Next()
	l.State = requesting                               // line 7
	l.NewNotRecFrom = values.Everybody(a.n).Without(i) // line 8
	l.X = model.PerProc[entry]{}
	l.X.Put(i, entry{true, l.NotRecFrom})                          // line 9
	l.Last = model.Count(out.Later(l.H.Value()))                   // line 10
	l.HavePerm = values.Group{}                                    // line 11
	l.PermCount = model.Count(0)                                   // line 12
	for j := range values.Everybody(a.n).Minus(l.Crashed).Each() { // line 13
		if j != i {
			out.Send(j, message{time: l.Last.Value(), set: l.Crashed}) // line 14
		}
	}
	return true
}

// enter is the end of the wait of Request_resource().
func (a *algorithm) enter(_ model.Proc, l *local, _ *outbox) bool {
	if l.State != requesting || !a.enough(l) { // line 15
		return false
	}
	l.State = cs // line 16
	return true
}

// enough is the condition of line 15.
func (a *algorithm) enough(l *local) bool {
	return int(l.PermCount.Value()) >= a.n-l.Crashed.Len()-a.k
}

// release is Release_resource().
func (a *algorithm) release(i model.Proc, l *local, out *outbox) bool {
	if l.State != cs {
		return false
	}
	for j, time := range l.Pending.Each() { // line 17
		if j != i && !l.Crashed.Has(j) {
			out.Send(j, a.reply(true, l.NotRecFrom, time)) // line 18
		}
	}
	l.Pending = model.PerProc[uint32]{} // line 19
	l.State = notRequesting             // line 20
	return true
}

// receiveRequest: REQUEST(H_j, crashed_j) from j.
func (a *algorithm) receiveRequest(i, j model.Proc, m message, l *local, out *outbox) bool { // line 21
	l.H = l.H.Max(m.time).Plus(out.Tick())         // line 22
	for k := range m.set.Minus(l.Crashed).Each() { // line 23
		if l.HavePerm.Has(k) { // line 24
			l.PermCount = l.PermCount.Minus(1) // line 25
			l.HavePerm = l.HavePerm.Without(k) // line 26
		}
	}
	l.Crashed = l.Crashed.Union(m.set)                                                      // line 27
	if l.State == cs || l.State == requesting && a.precedes(l.Last.Value(), i, m.time, j) { // line 28
		out.Send(j, a.reply(false, l.NotRecFrom, m.time)) // line 29
		a.postpone(&l.Pending, j, m.time)                 // line 30
	} else { // line 31
		out.Send(j, a.reply(true, l.NotRecFrom, m.time)) // line 32
	}
	return true
}

// receiveReply: REPLY(ack, not_rec_from_j) from j.
func (a *algorithm) receiveReply(_, j model.Proc, m message, l *local, _ *outbox) bool { // line 33
	l.NewNotRecFrom = l.NewNotRecFrom.Without(j) // line 34
	l.X.Put(j, entry{true, m.set})               // line 35
	if l.NewNotRecFrom.Len() <= a.f {            // line 36
		l.NotRecFrom = l.NewNotRecFrom            // line 37
		l.Crashed = l.Crashed.Union(a.missing(l)) // line 38
	}
	if l.State == requesting && m.perm && !l.Crashed.Has(j) { // line 39
		l.PermCount = l.PermCount.Plus(1) // line 40
		l.HavePerm = l.HavePerm.With(j)   // line 41
	}
	return true
}

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
