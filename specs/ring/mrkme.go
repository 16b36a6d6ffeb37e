package ring

import "github.com/atmostk/atmostk/model"

// mrkState is the part of algorithm MrkME, which replaces the token after an
// election in two passes: a clear goes round, so that old tokens are
// absorbed, and then the new token, whose time all processes take over.
type mrkState struct {
	On        bool // from the clear of the first pass to the token of the second
	Time      stamp
	Pending   pendingClear // a clear that came in HELD
	LastClear stamp        // repair=epoch: the time of the last clear seen
}

// pendingClear is strClrPending; repair=epoch keeps the time of the clear too.
type pendingClear struct {
	Present bool
	Time    stamp
}

// afterElectionMrk is the start of MrkME and Mx1ME after an election: the coordinator
// begins the first pass.
func (r *ring) afterElectionMrk(i model.Proc, l *record, out *output) {
	r.released(l)
	if !r.coordinates(i, l) {
		return
	}
	l.Mrk.On = true
	l.Mrk.Time = 0
	m := message{kind: clearing}
	if r.repairs.epoch {
		m.time = stamp(out.Fresh())
		l.Mrk.LastClear = m.time
	}
	out.Send(m)
}

// receiveClear is OnReceiptOf clear: it waits until a process in HELD releases.
func (r *ring) receiveClear(i model.Proc, m message, l *record, out *output) {
	if l.ME.State == held {
		l.Mrk.Pending = pendingClear{true, m.time}
		return
	}
	r.clear(i, m.time, l, out)
}

// clear is Clear(): the coordinator begins the second pass, others pass it on. t is
// the time that the clear carries under repair=epoch.
func (r *ring) clear(i model.Proc, t stamp, l *record, out *output) {
	switch {
	case !r.coordinates(i, l):
		l.Mrk.On = true
		l.Mrk.Time = 0
		l.Mrk.LastClear = t
		out.Send(message{kind: clearing, time: t})
	case !r.repairs.epoch:
		l.Mrk.Time = stamp(out.Fresh())
		out.Send(message{kind: token, time: l.Mrk.Time})
	case t == l.Mrk.LastClear:
		l.Mrk.Time = t
		out.Send(message{kind: token, time: t})
	}
}

// receiveToken is OnReceiptOf token(T). A token that is not sent on is absorbed.
func (r *ring) receiveToken(i model.Proc, m message, l *record, out *output) {
	switch mrk := &l.Mrk; {
	case r.repairs.epoch && m.time != r.expected(mrk):
	case !mrk.On:
		r.receiveTokenMx1(m, l, out)
	case r.coordinates(i, l):
		if m.time == mrk.Time { // the end of the second pass
			mrk.On = r.staysOn
			out.Send(m)
		}
	case mrk.Time == 0:
		mrk.On = false
		mrk.Time = m.time
		out.Send(m)
	case m.time == mrk.Time:
		out.Send(m)
	}
}

// expected is the time of the only token that repair=epoch accepts.
func (r *ring) expected(mrk *mrkState) stamp {
	if mrk.On {
		return mrk.LastClear
	}
	return mrk.Time
}
