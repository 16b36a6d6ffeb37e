package ring

import "github.com/atmostk/atmostk/model"

// The basic algorithm ME: one token, which the coordinator sends after the election.

// afterElectionBasic: the coordinator sends the token.
func (r *ring) afterElectionBasic(i model.Proc, l *record, out *output) {
	r.released(l)
	if r.coordinates(i, l) {
		out.Send(message{kind: meToken})
	}
}

// released is the change that an election makes to the state of the basic algorithm and of Mx1ME.
func (r *ring) released(l *record) {
	if r.resets || l.ME.State == initial {
		l.ME.State = released
	}
}

// enterBasic: RELEASED -> WANTED.
func (r *ring) enterBasic(_ model.Proc, l *record, out *output) bool {
	if l.ME.State != released || l.ME.InCS || l.ME.Budget == 0 {
		return false
	}
	l.ME.State = wanted
	l.ME.Budget--
	if r.tickets {
		l.ME.Ticket = out.Fresh()
	}
	return true
}

// receiveTokenBasic is the receipt of the token.
func (r *ring) receiveTokenBasic(_ model.Proc, m message, l *record, out *output) {
	switch l.ME.State {
	case wanted:
		l.ME.State = held
		l.ME.InCS = true
	case released:
		out.Send(m)
	}
}

// releaseBasic leaves the critical section. After after-election=reset the process
// may be there and not be HELD any more; it only leaves then.
func (r *ring) releaseBasic(_ model.Proc, l *record, out *output) bool {
	if !l.ME.InCS {
		return false
	}
	l.ME.InCS, l.ME.Ticket = false, 0
	if l.ME.State == held {
		l.ME.State = released
		out.Send(message{kind: meToken})
	}
	return true
}
