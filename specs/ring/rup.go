package ring

import "github.com/atmostk/atmostk/model"

// rupState is the state of algorithm RUP.GD, the check that the ring is closed.
type rupState uint8

const (
	unchecked rupState = iota // INIT
	down
	up
)

func (s rupState) String() string { return [...]string{"INIT", "DOWN", "UP"}[s] }

// initRUP is RUP.GD::OnInit; the timer is a timer of the link.
func initRUP() rupState { return unchecked } // lines 1-3

// rupConnect is RUP.GD::OnOutputConnect, {Ring Check Up First Attempt}. There is one kind of message, which
// has an empty list without AutoList.
func (r *ring) rupConnect(i model.Proc, l *record, out *output) { // lines 4-5
	l.RUP = down                                   // line 6
	out.Send(message{kind: rupToken, id: idOf(i)}) // lines 7-11
	// line 12: the timer runs while RUP is DOWN
}

// rupDisconnect is RUP.GD::OnOutputDisconnect.
func (r *ring) rupDisconnect(l *record) { l.RUP = down } // lines 13-14

// rupError is RUP.GD::OnOutputError.
func (r *ring) rupError(l *record) { l.RUP = down } // lines 15-16

// receiveRUP is RUP.GD::OnReceiptOf rup(j), or rup(j, list) with AutoList.
func (r *ring) receiveRUP(i model.Proc, m message, l *record, out *output) { // line 17
	if m.id == idOf(i) { // line 18
		// line 19: the timer runs while RUP is DOWN
		l.RUP = up              // line 20
		r.setList(i, m.list, l) // lines 21-22
		// line 23: {Distributed Election Entry Point}
		r.startElection(i, l, out) // line 24
	} else { // line 25
		if r.autoList() { // line 26
			m.list = m.list.add(idOf(i)) // line 27
		} // line 28
		out.Send(m) // line 29
		// line 30: EndIf
	} // line 31
}

// rupTimer is RUP.GD::OnTimer, {Ring Check Up Next Attempt}. It runs from the first attempt until the own
// token is back; model.Timer guarantees that the channel is open and the token lost.
func (r *ring) rupTimer(i model.Proc, l *record, out *output) bool { // line 32
	if l.RUP != down || l.INJ.Joining {
		return false
	}
	// lines 33-34: the timer has run
	out.Send(message{kind: rupToken, id: idOf(i)}) // lines 35-39
	// line 40: the timer runs while RUP is DOWN
	return true
}

// awaitsRUP reports whether the timer of i waits for m.
func awaitsRUP(i model.Proc, m message) bool {
	return m.kind == rupToken && m.id == idOf(i)
}
