package ring

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/link"
)

// cehState is the part of algorithm CEH.GD, output channel error handling. Whether
// the channel is open, and to whom, belongs to the link.
type cehState struct {
	List    ids    // ListPIds: whom to try next; empty in schemes without
	Failure defect // why the channel is given up
	Errors  uint8  // ErrorCounter
	// Orphans are the neighbours that were replaced (repair=orphan).
	Orphans model.Set
}

// A defect is a reason to give up the channel.
type defect uint8

const (
	none          defect = iota
	unrecoverable        // {UNRECOVERABLE FAILURE}
	poppedEmpty          // ListPIds.PopFront() of an empty list: min-k=0 lets it happen
)

// initCEH is CEH::OnInit: the list and the first neighbour.
func (r *ring) initCEH(i model.Proc) (cehState, link.Link) {
	link := link.Link{State: link.Closed, To: r.successor(i)}
	if !r.degrades() || r.list == listAuto || r.list == listAutoNoSelf {
		return cehState{}, link
	}
	return cehState{List: r.round(i)[1:]}, link
}

// round lists the ring from the successor of i round to i itself. A spare comes
// behind the last member of the ring, which knows nothing of it.
func (r *ring) round(i model.Proc) (l ids) {
	for j := r.successor(i); ; j = r.successor(j) {
		if l = l.add(idOf(j)); len(l) == r.members || j == i {
			break
		}
	}
	return without(l, idOf(i)).add(idOf(i))
}

// outputConnect is OnOutputConnect: the channel is open, RUP starts; in a newcomer INJ.
func (r *ring) outputConnect(i model.Proc, l *record, out *output) bool {
	l.CEH.Errors = 0
	if l.INJ.Joining {
		r.injConnect(i, out)
	} else {
		r.rupConnect(i, l, out)
	}
	return true
}

// outputDisconnect is OnOutputDisconnect: the channel is closed, the timer will open it again.
func (r *ring) outputDisconnect(_ model.Proc, l *record, _ *output) bool {
	l.CEH.Errors = 0
	r.rupDisconnect(l)
	return true
}

// outputError is CEH.GD::OnOutputError, and in scheme 1 CEH::OnOutputError.
func (r *ring) outputError(_ model.Proc, l *record, out *output) bool {
	ready := !r.autoList() || l.RUP == up || r.unguarded
	r.rupError(l)
	if l.CEH.Errors++; int(l.CEH.Errors) < r.maxErr {
		return true // the timer tries again
	}
	l.CEH.Errors = 0
	switch {
	case !r.degrades() || !ready || len(l.CEH.List) < r.minK:
		out.Link.State = link.GivenUp
		l.CEH.Failure = unrecoverable
	case l.CEH.List == "":
		out.Link.State = link.GivenUp
		l.CEH.Failure = poppedEmpty
	default:
		if r.repairs.orphan {
			l.CEH.Orphans = l.CEH.Orphans.With(out.Link.To)
		}
		out.Link.To = id(l.CEH.List[0]).proc() // PIdNext := ListPIds.PopFront()
		l.CEH.List = l.CEH.List[1:]
	}
	return true
}

// orphaned reports whether messages of j are to be absorbed (repair=orphan): j was
// the neighbour and has been replaced, so its messages would go round for ever.
func (r *ring) orphaned(l *record, j id) bool { return l.CEH.Orphans.Has(j.proc()) }
