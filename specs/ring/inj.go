package ring

import (
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// injState is the part of algorithm INJ, by which a process comes into a closed ring.
type injState struct {
	Joining bool // from coming up until the own inj is back
	Retired bool // the process has crashed, and recovered=off
}

// join is the step of a spare that comes up, or of a crashed process that has been
// repaired. Its variables are as after OnInit; the channel opens next.
func (r *ring) join(_ model.Proc, l *record, _ *output) bool {
	if l.INJ.Retired {
		return false
	}
	l.INJ.Joining = true
	return true
}

// injConnect is INJ's handler for the open channel to the successor.
func (r *ring) injConnect(i model.Proc, out *output) {
	out.Send(message{kind: inject, id: idOf(i), before: idOf(out.Link.To)})
}

// injTimer is INJ::OnTimer: the inj is lost, mostly because the process that had to
// turn to the newcomer had closed its channel before it sent the inj on.
func (r *ring) injTimer(i model.Proc, l *record, out *output) bool {
	if !l.INJ.Joining {
		return false
	}
	r.injConnect(i, out)
	return true
}

// awaitsInject reports whether the timer of newcomer i waits for m.
func awaitsInject(i model.Proc, m message) bool { return m.kind == inject && m.id == idOf(i) }

// receiveInject is OnReceiptOf inj(j, k).
func (r *ring) receiveInject(i model.Proc, m message, l *record, out *output) {
	if m.id == idOf(i) {
		l.INJ.Joining = false
		l.RUP = up
		r.startElection(i, l, out)
		return
	}
	l.CEH.Orphans = l.CEH.Orphans.Without(m.id.proc())
	turns := out.Link.To == m.before.proc() && out.Link.State != protocol.GivenUpLink
	if turns && r.repairs.requeue {
		l.CEH.List = insert(l.CEH.List, m.before, 0)
	}
	r.insertBefore(m.id, m.before, l)
	if turns {
		out.Link.State, out.Link.To = protocol.ClosedLink, id(l.CEH.List[0]).proc()
		if !r.headStays {
			l.CEH.List = l.CEH.List[1:]
		}
	}
	out.Send(m)
	if r.startsRUP {
		r.rupConnect(i, l, out)
	}
}

// insertBefore puts j before k into the list. The present neighbour is not in the
// list, since its id was popped: where k is not in it, insert= has the place of j.
func (r *ring) insertBefore(j, k id, l *record) {
	at := strings.IndexByte(string(l.CEH.List), byte(k))
	switch {
	case at >= 0:
	case r.insertsBack:
		at = len(l.CEH.List)
	default:
		at = 0
	}
	l.CEH.List = insert(l.CEH.List, j, at)
}

// insert returns the list with j at a position. An id that was elsewhere in the list
// moves: an inj that is sent again would make lists grow without end otherwise.
func insert(l ids, j id, at int) ids {
	head, tail := without(l[:at], j), without(l[at:], j)
	return head.add(j) + tail
}

func without(l ids, j id) ids {
	return ids(strings.ReplaceAll(string(l), string([]byte{byte(j)}), ""))
}
