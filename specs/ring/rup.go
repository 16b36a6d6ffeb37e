package ring

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/link"
)

// rupState is the state of algorithm RUP.GD, the check that the ring is closed.
type rupState uint8

const (
	unchecked rupState = iota // INIT
	down
	up
)

func (s rupState) String() string { return [...]string{"INIT", "DOWN", "UP"}[s] }

// rupConnect is RUP::OnOutputConnect, {Ring Check Up First Attempt}.
func (r *ring) rupConnect(i model.Proc, l *record, out *output) {
	l.RUP = down
	out.Send(message{kind: rupToken, id: idOf(i)})
}

// rupDisconnect is RUP::OnOutputDisconnect.
func (r *ring) rupDisconnect(l *record) { l.RUP = down }

// rupError is RUP::OnOutputError.
func (r *ring) rupError(l *record) { l.RUP = down }

// receiveRUP is OnReceiptOf rup(j), or rup(j, list) with AutoList.
func (r *ring) receiveRUP(i model.Proc, m message, l *record, out *output) {
	if r.orphaned(l, m.id) {
		return
	}
	if m.id == idOf(i) {
		if r.repairs.count && int(m.count)+1 < r.minK {
			out.Link.State = link.GivenUp
			l.CEH.Failure = unrecoverable
			return
		}
		l.RUP = up
		r.setList(i, m.list, l)
		r.startElection(i, l, out) // {Distributed Election Entry Point}
		return
	}
	if r.repairs.participant {
		l.E.Participant = false
	}
	if r.autoList() {
		m.list = m.list.add(idOf(i))
	}
	if r.repairs.count {
		m.count++
	}
	out.Send(m)
}

// setList is list.Add(i); ListPIds := list, in the readings of the list.
func (r *ring) setList(i model.Proc, list ids, l *record) {
	switch r.list {
	case listAuto, listLiteral:
		l.CEH.List = list.add(idOf(i))
	case listAutoNoSelf:
		l.CEH.List = list
	}
}

// rupTimer is RUP::OnTimer, {Ring Check Up Next Attempt}. It runs from the first
// attempt until the own token is back; model.Timer sees to it that the channel is
// open and the token lost.
func (r *ring) rupTimer(i model.Proc, l *record, out *output) bool {
	if l.RUP != down || l.INJ.Joining {
		return false
	}
	out.Send(message{kind: rupToken, id: idOf(i)})
	return true
}

// awaitsRUP reports whether m is what the timer of i waits for.
func awaitsRUP(i model.Proc, m message) bool {
	return m.kind == rupToken && m.id == idOf(i)
}
