package bas

import (
	"fmt"

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

// local is the state of one process: that of Raymond's algorithm, and Crashed.
type local struct {
	State     region
	H         model.Counter                // logical clock
	Last      model.Counter                // time of the latest request
	PermCount model.Counter                // permissions for the latest request
	Miss      model.PerProc[model.Counter] // replies that each process still owes
	Defer     model.PerProc[uint32]        // replies owed to each process
	Crashed   values.Group                 // the processes known to have crashed
	Rounds    model.Rounds                 // requests that the process will still make
}

// message is REQUEST(ts) or REPLY(count).
type message struct {
	reply bool
	ts    uint32
	count uint32
}

func isRequest(m message) bool { return !m.reply }
func isReply(m message) bool   { return m.reply }

func (m message) String() string {
	if m.reply {
		return fmt.Sprintf("REPLY(%d)", m.count)
	}
	return fmt.Sprintf("REQUEST(%d)", m.ts)
}

type outbox = model.Outbox[message]

// algorithm holds the parameters.
type algorithm struct {
	n, k     int
	advanceH bool // variant=H
	rounds   []int
	dead     values.Group // from the start
}

func (a *algorithm) init(p model.Proc) local {
	return local{Rounds: model.Rounds(a.rounds[p]), Crashed: a.dead}
}

// others are the processes other than i that l does not know to have crashed.
func (a *algorithm) others(i model.Proc, l *local) values.Group {
	return values.Everybody(a.n).Without(i).Minus(l.Crashed)
}

// request: the process wishes to enter.
func (a *algorithm) request(i model.Proc, l *local, out *outbox) bool {
	if l.State != notRequesting || l.Rounds == 0 {
		return false
	}
	l.Rounds = l.Rounds.Next()
	l.State = requesting
	l.Last = l.H.Plus(1)
	if a.advanceH {
		l.H = l.Last
	}
	l.PermCount = model.Count(0)
	for j := range a.others(i, l).Each() {
		l.Miss.Put(j, l.Miss.At(j).Plus(1))
		out.Send(j, message{ts: l.Last.Value()})
	}
	return true
}

// enter: there are the permissions of all processes but k and the crashed ones.
func (a *algorithm) enter(_ model.Proc, l *local, _ *outbox) bool {
	if l.State != requesting || int(l.PermCount.Value()) < a.n-a.k-l.Crashed.Len() {
		return false
	}
	l.State = cs
	return true
}

// release: the process leaves and pays all the replies that it owes.
func (a *algorithm) release(_ model.Proc, l *local, out *outbox) bool {
	if l.State != cs {
		return false
	}
	for j, n := range l.Defer.Each() {
		out.Send(j, message{reply: true, count: n})
	}
	l.Defer = model.PerProc[uint32]{}
	l.State = notRequesting
	return true
}

// receiveRequest: REQUEST(ts) from j.
func (a *algorithm) receiveRequest(i, j model.Proc, m message, l *local, out *outbox) bool {
	l.H = l.H.Max(m.ts).Plus(1)
	if l.Crashed.Has(j) {
		return true
	}
	if l.State == cs || l.State == requesting && before(l.Last.Value(), i, m.ts, j) {
		l.Defer.Put(j, l.Defer.At(j)+1)
	} else {
		out.Send(j, message{reply: true, count: 1})
	}
	return true
}

// before reports whether (s, i) < (t, j).
func before(s uint32, i model.Proc, t uint32, j model.Proc) bool { return s < t || s == t && i < j }

// receiveReply: REPLY(count) from j.
func (a *algorithm) receiveReply(_, j model.Proc, m message, l *local, _ *outbox) bool {
	if l.Crashed.Has(j) {
		return true
	}
	l.Miss.Put(j, l.Miss.At(j).Minus(m.count))
	if l.State == requesting && l.Miss.At(j).Value() == 0 {
		l.PermCount = l.PermCount.Plus(1)
	}
	return true
}

// notify: j has crashed. Its permission does not count any more, and one less is
// needed; nothing is owed to it or by it.
func (a *algorithm) notify(_, j model.Proc, l *local, _ *outbox) bool {
	if l.Crashed.Has(j) {
		return false
	}
	if l.State == requesting && l.Miss.At(j).Value() == 0 {
		l.PermCount = l.PermCount.Minus(1)
	}
	l.Crashed = l.Crashed.With(j)
	l.Miss.Put(j, model.Count(0))
	l.Defer.Put(j, 0)
	return true
}

// forget leaves of a local state what is read again: as in Raymond's algorithm.
func (a *algorithm) forget(_ model.Proc, l *local) {
	if l.State != requesting {
		l.Last.Forget()
		l.PermCount.Forget()
	}
	if l.Rounds == 0 {
		l.H.Forget()
	}
	if l.Rounds == 0 && l.State != requesting {
		for j := range model.Proc(a.n) {
			owed := l.Miss.At(j)
			owed.Forget()
			l.Miss.Put(j, owed)
		}
	}
}
