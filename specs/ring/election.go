package ring

import "github.com/atmostk/atmostk/model"

// electionState is the part of algorithm E.
type electionState struct {
	Participant bool // PARTICIPANT, or NON_PARTICIPANT
	Coordinator id
}

// startElection is E::OnStartElection. It is allowed in any state of the process.
func (r *ring) startElection(i model.Proc, l *record, out *output) {
	l.E = electionState{Participant: true}
	out.Send(message{kind: election, id: idOf(i)})
}

// receiveElection is OnReceiptOf election(j).
func (r *ring) receiveElection(i model.Proc, m message, l *record, out *output) {
	switch me := idOf(i); {
	case r.orphaned(l, m.id):
	case m.id > me:
		l.E = electionState{Participant: true}
		out.Send(m)
	case m.id < me && !l.E.Participant:
		l.E = electionState{Participant: true}
		out.Send(message{kind: election, id: me})
	case m.id == me:
		l.E = electionState{Coordinator: me}
		out.Send(message{kind: elected, id: me})
	}
}

// receiveElected is OnReceiptOf elected(j). Where j = i the state of E does not
// change: a later election may have begun, so that the coordinator is NULL again.
func (r *ring) receiveElected(i model.Proc, m message, l *record, out *output) {
	if r.orphaned(l, m.id) {
		return
	}
	if m.id != idOf(i) {
		l.E = electionState{Coordinator: m.id}
		out.Send(m)
	}
	r.afterElection(i, l, out) // {Distributed Mutual Exclusion Entry Point}
}

// coordinates reports whether the process takes itself for the coordinator.
func (r *ring) coordinates(i model.Proc, l *record) bool { return l.E.Coordinator == idOf(i) }
