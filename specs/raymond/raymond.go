package raymond

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

// local is the state of one process, under the names of the 1989 paper as far as
// the comparison of 2009 uses them.
type local struct {
	State     region
	H         model.Counter                // logical clock
	Last      model.Counter                // time of the latest request; 0: never
	PermCount model.Counter                // permissions for the latest request
	Miss      model.PerProc[model.Counter] // replies that each process still owes, dead or not
	Defer     model.PerProc[uint32]        // replies owed to each process
	Rounds    model.Rounds                 // requests that the process will still make
}

// waits reports whether the process is between a request and the critical section.
func (l *local) waits() bool { return l.State == requesting }

func (l *local) inside() bool { return l.State == cs }

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

// eachTime and clock visit the times: see model.Clocks.
func (l *local) eachTime(visit func(*uint32)) {
	if l.Last.Value() != 0 {
		visit(l.Last.Time())
	}
}

func (l *local) clock(visit func(*uint32)) { visit(l.H.Time()) }

// clocks declares the times, and maxOwed, the bound on replies owed by one process to another; 0: no bound.
func clocks(maxOwed int) model.Clocks[local, message] {
	c := model.Clocks[local, message]{Local: (*local).eachTime, Message: (*message).eachTime,
		Seen: (*local).clock}
	if maxOwed > 0 {
		c.Limit = fmt.Sprintf("at most %d replies owed by one process to another", maxOwed)
		c.Within = func(l *local) bool {
			most := uint32(0)
			for _, owed := range l.Miss.Each() {
				most = max(most, owed.Value())
			}
			for _, owed := range l.Defer.Each() {
				most = max(most, owed)
			}
			return int(most) <= maxOwed
		}
	}
	return c
}

func (m *message) eachTime(visit func(*uint32)) {
	if !m.reply {
		visit(&m.ts)
	}
}

type outbox = model.Outbox[message]

// algorithm holds the parameters. The paper of 1989 is not at hand; other papers quote it:
//
//  1. a request goes to the n-1 others (the report of 2009, section 5; the paper on VCube, introduction and
//     section 8: to every other process directly);
//  2. a process enters with n-k permissions (both);
//  3. the permissions that a process has deferred for another go in one REPLY (the report, section 5),
//  4. when it leaves the critical section (the report, section 5).
//
// These are lines 1 to 4 of the handlers. The order of requests is the one of Ricart and Agrawala; no paper
// quotes it.
type algorithm struct {
	n, k     int
	advanceH bool // variant=H
	rounds   []int
	forget   bool // last=forgotten
}

func (a *algorithm) init(p model.Proc) local { return local{Rounds: model.Rounds(a.rounds[p])} }

func (a *algorithm) made(p model.Proc, l *local) int { return a.rounds[p] - int(l.Rounds) }

const noteRequest = 1

// request: the process wishes to enter.
func (a *algorithm) request(i model.Proc, l *local, out *outbox) bool {
	out.Note(noteRequest)
	return a.ask(values.Everybody(a.n).Without(i), l, out)
}

func (a *algorithm) ask(others values.Group, l *local, out *outbox) bool {
	if l.State != notRequesting || l.Rounds == 0 {
		return false
	}
	l.Rounds = l.Rounds.Next()
	l.State = requesting
	l.Last = a.tick(l, out)
	l.PermCount = model.Count(0)
	for j := range others.Each() { // line 1
		l.Miss.Put(j, l.Miss.At(j).Plus(1))
		out.Send(j, message{ts: l.Last.Value()})
	}
	return true
}

// tick returns the time of a new request. With variant=H it advances the process's own clock.
func (a *algorithm) tick(l *local, out *outbox) model.Counter {
	time := model.Count(out.Later(l.H.Value()))
	if a.advanceH {
		l.H = time
	}
	return time
}

// enter: the wait for n-k permissions is over.
func (a *algorithm) enter(_ model.Proc, l *local, _ *outbox) bool {
	if l.State != requesting || int(l.PermCount.Value()) < a.n-a.k { // line 2
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
		out.Send(j, message{reply: true, count: n}) // line 3
	}
	l.Defer = model.PerProc[uint32]{}
	l.State = notRequesting // line 4
	return true
}

// releaseForgetting is last=forgotten: no step reads the time of a request that is over.
func (a *algorithm) releaseForgetting(i model.Proc, l *local, out *outbox) bool {
	done := a.release(i, l, out)
	if done {
		l.Last = model.Count(0)
	}
	return done
}

// receiveRequest: REQUEST(ts) from j.
func (a *algorithm) receiveRequest(i, j model.Proc, m message, l *local, out *outbox) bool {
	l.H = l.H.Max(m.ts).Plus(out.Tick())
	if l.State == cs || l.State == requesting && values.Before(l.Last.Value(), i, m.ts, j) {
		l.Defer.Put(j, l.Defer.At(j)+1)
	} else {
		out.Send(j, message{reply: true, count: 1})
	}
	return true
}

// receiveReply: REPLY(count) from j.
func (a *algorithm) receiveReply(_, j model.Proc, m message, l *local, _ *outbox) bool {
	l.Miss.Put(j, l.Miss.At(j).Minus(m.count))
	if l.State == requesting && l.Miss.At(j).Value() == 0 {
		l.PermCount = l.PermCount.Plus(1)
	}
	return true
}

// named and namedBy name the process that requests or will do so, and the sender of a request under way:
// requests of equal times are ordered by processes.
func (*algorithm) named(p model.Proc, l *local) (s model.Set) {
	if l.State != notRequesting || l.Rounds > 0 {
		s = s.With(p)
	}
	return s
}

func (*algorithm) namedBy(from model.Proc, m *message) (s model.Set) {
	if !m.reply {
		s = s.With(from)
	}
	return s
}

// dead forgets dead variables: time and permissions of a request that is granted or over, and without rounds
// left the clock and, where no request waits, the missing replies.
func (a *algorithm) dead(_ model.Proc, l *local) {
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
