package ring

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// cehState is the part of algorithm CEH.GD, output channel error handling. Whether
// the channel is open, and its target, belongs to the link.
type cehState struct {
	List    ids    // ListPIds: the processes to try next; empty in schemes without it
	Failure defect // the reason why the channel is given up
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

// initCEH is CEH.GD::OnInit, and OnShow, which opens the channel: a closed link opens by itself.
func (r *ring) initCEH(i model.Proc) (cehState, protocol.Link) { // line 1
	// lines 2-5: the zero value; the timer is a part of the link
	link := protocol.Link{State: protocol.ClosedLink, To: r.successor(i)}
	if r.listLater() { // line 6
		return cehState{}, link // lines 7-8
	} // line 9
	// line 10: the list runs round the ring
	return cehState{List: r.round(i)[1:]}, link // line 11
	// line 12: End If
	// lines 13-15: OnShow; a closed link opens by itself
}

// round lists the ring from the successor of i round to i itself. A spare comes
// behind the last member of the ring, which does not have it in its list.
func (r *ring) round(i model.Proc) (l ids) {
	for j := r.successor(i); ; j = r.successor(j) {
		if l = l.add(idOf(j)); len(l) == r.members || j == i {
			break
		}
	}
	return without(l, idOf(i)).add(idOf(i))
}

// outputConnect is CEH.GD::OnOutputConnect.
func (r *ring) outputConnect(i model.Proc, l *record, out *output) bool { // line 16
	// line 17: the link is open
	l.CEH.Errors = 0    // line 18
	r.opened(i, l, out) // line 19
	return true
}

// outputDisconnect is CEH.GD::OnOutputDisconnect and RUP.GD::OnOutputDisconnect.
func (r *ring) outputDisconnect(_ model.Proc, l *record, _ *output) bool { // line 20
	// line 21: the link is closed
	l.CEH.Errors = 0 // line 22
	// line 23: a closed link opens by itself
	r.rupDisconnect(l)
	return true
}

// outputError is CEH.GD::OnOutputError.
//
//nolint:unparam // it returns what every handler returns
func (r *ring) outputError(_ model.Proc, l *record, out *output) bool { // line 24
	// line 25: the link is closed
	l.CEH.Errors++                    // line 26
	if int(l.CEH.Errors) < r.maxErr { // line 27
		return true // line 28
	} // line 29
	if r.mayDegrade(l) && len(l.CEH.List) >= r.minK { // line 30
		r.nextNeighbour(l, out) // line 31
		l.CEH.Errors = 0        // line 32
		// line 33: a closed link opens by itself
	} else { // line 34
		giveUp(unrecoverable, l, out) // line 35
	}
	// lines 36-37: End If
	// lines 38-40: OnTimer; a closed link opens by itself
	return true
}

// outputErrorCEH is CEH::OnOutputError, in scheme 1.
func (r *ring) outputErrorCEH(_ model.Proc, l *record, out *output) bool {
	if l.CEH.Errors++; int(l.CEH.Errors) >= r.maxErr {
		giveUp(unrecoverable, l, out)
	}
	return true
}

// giveUp gives the channel up. No handler reads the counter any more.
func giveUp(why defect, l *record, out *output) {
	out.Link.State = protocol.GivenUpLink
	l.CEH.Failure, l.CEH.Errors = why, 0
}
