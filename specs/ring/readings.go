package ring

import "github.com/atmostk/atmostk/model"

// Readings and repairs of the printed handlers: of CEH.GD, of RUP.GD, and of MrkME::OnRelease.

// opened begins RUP when the channel is open; in a newcomer INJ.
func (r *ring) opened(i model.Proc, l *record, out *output) {
	if l.INJ.Joining {
		r.injConnect(i, out)
	} else {
		r.rupConnect(i, l, out)
	}
}

// listLater reports whether OnInit leaves the list empty: with AutoList, and in schemes without.
func (r *ring) listLater() bool { return !r.degrades() || r.autoList() }

// mayDegrade is the first condition for replacing a neighbour in CEH.GD::OnOutputError; guard=none leaves it
// out.
func (r *ring) mayDegrade(l *record) bool { return r.unguarded || !r.autoList() || l.RUP == up }

// nextNeighbour is PIdNext := ListPIds.PopFront(). The list is empty only where min-k=0 lets it be. With
// repair=orphan the neighbour that is replaced is remembered.
func (r *ring) nextNeighbour(l *record, out *output) {
	if l.CEH.List == "" {
		giveUp(poppedEmpty, l, out)
		return
	}
	if r.repairs.orphan {
		l.CEH.Orphans = l.CEH.Orphans.With(out.Link.To)
	}
	out.Link.To = id(l.CEH.List[0]).proc()
	l.CEH.List = l.CEH.List[1:]
}

// openError is OnOutputError of all layers. CEH reads the state of RUP from before the event.
func (r *ring) openError(i model.Proc, l *record, out *output) bool {
	if r.degrades() {
		r.outputError(i, l, out)
	} else {
		r.outputErrorCEH(i, l, out)
	}
	r.rupError(l)
	return true
}

// orphaned reports whether messages of j are to be absorbed (repair=orphan): j was
// the neighbour and has been replaced, so its messages would go round for ever.
func (r *ring) orphaned(l *record, j id) bool { return l.CEH.Orphans.Has(j.proc()) }

// receivesRUP is RUP.GD::OnReceiptOf with the repairs: orphan absorbs the tokens of a replaced neighbour,
// count gives up a ring that is too small, participant makes processes ready for another election.
func (r *ring) receivesRUP(i model.Proc, m message, l *record, out *output) {
	own := m.id == idOf(i)
	switch {
	case r.orphaned(l, m.id):
		return
	case own && r.repairs.count && int(m.count)+1 < r.minK:
		giveUp(unrecoverable, l, out)
		return
	case own:
	case r.repairs.count:
		m.count++
	}
	if !own && r.repairs.participant {
		l.E.Participant = false
	}
	r.receiveRUP(i, m, l, out)
}

// setList is list.Add(i); ListPIds := list, in the readings of the list.
func (r *ring) setList(i model.Proc, list ids, l *record) {
	switch r.list {
	case "auto", "literal":
		l.CEH.List = list.add(idOf(i))
	case "auto-no-self":
		l.CEH.List = list
	}
}

// tokenTime is the time of the token that a release sends: the process's own, or with token-time=token the
// time of the token that let it in.
func (r *ring) tokenTime(l *record) stamp {
	if r.sendsEntered {
		return l.ME.Entered
	}
	return l.Mrk.Time
}

// releases is OnRelease, in the readings of release= and with the repairs drop and drop2: t is the time of
// the token to be sent.
func (r *ring) releases(i model.Proc, t stamp, l *record, out *output) {
	switch pending := l.Mrk.Pending; {
	case r.release == "rectified" && !r.drops(l, pending):
		r.onRelease(i, t, l, out)
	case l.ME.State == held:
		l.ME.State = released
		if r.sends(i, l, pending) && !r.drops(l, pending) {
			out.Send(message{kind: token, time: t})
		}
		if pending.Present {
			l.Mrk.Pending = pendingClear{}
			r.clear(i, pending.Time, l, out)
		}
	}
}

// sends reports whether a release sends the token, in the readings of release=.
func (r *ring) sends(i model.Proc, l *record, pending pendingClear) bool {
	switch r.release {
	case "rectified":
		return !pending.Present
	case "prose":
		return !pending.Present || !r.coordinates(i, l)
	}
	return true
}

// drops reports whether a release sends no token because another is being made (repair=drop and drop2).
func (r *ring) drops(l *record, pending pendingClear) bool {
	return l.Mrk.On && (r.repairs.drop || r.repairs.drop2 && !pending.Present)
}
