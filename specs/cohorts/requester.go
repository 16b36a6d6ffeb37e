package cohorts

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// requester is the state of a requester, under the names of Figure 1.
type requester struct {
	State region
	Round uint8 // requests made
	TS    uint8 // time of the latest request
	Clock uint8 // clock=lamport
	Index uint8 // i: the cohort being probed
	Left  uint8 // g: primary cohorts still needed; with mode=gather h until the exit
	H     uint8 // units that the latest request asks for; 0 when idle
	G     model.Set
	R     model.Set
	P     model.Set
	// Fixed request sets:
	F model.Set // nodes that serve others first: they sent FAILED, or got the grant back
	I model.Set // nodes whose inquire waits until a node is in F
	// With mode=repaired, until the critical section:
	Answered model.Set // nodes that have answered: granted, or busy
	Asked    model.Set // nodes whose inquire has overtaken their grant
}

type algorithm struct {
	coterie.Structure
	common
	moreThan bool   // probe=more-than
	case2    string // any, fd, never
	surplus  string // at-exit, at-once, never
	yield    string // relinquish=
	gather   bool   // mode=gather or repaired
	repaired bool
}

func (a *algorithm) within(s model.Set, i int) model.Set { return s & a.Cohorts[i-1] }

// start is Get_Quorum up to the requests of the first Probe.
func (a *algorithm) start(p model.Proc, loc *local, out *outbox) bool { // line 1
	if !a.begins(p, loc) {
		return false
	}
	l := &loc.Requester
	l.TS = a.timed(l)
	// lines 2-3: variables of the requester
	l.Left = l.H // line 4
	// line 5: R is empty since the exit
	a.request(loc, len(a.Cohorts), out) // line 6
	return true
}

// request sends the requests of Probe(C_i, g).
func (a *algorithm) request(loc *local, i int, out *outbox) {
	l, nodes := &loc.Requester, a.Cohorts[i-1]&^loc.Down
	l.Index = uint8(i)
	l.P |= nodes
	sendAll(nodes, message{kind: request, ts: l.TS}, out)
}

// A result is the result of Probe(C_i, g) for a number of grants.
type result struct {
	size    int  // of S; 0: it does not return
	primary bool // C_i becomes the primary cohort of one quorum, or C_1 of all the g
}

// probe is the three cases in which Probe(C_i, g) returns.
func (a *algorithm) probe(i, g, granted int) result {
	enough, full := a.counted(granted), a.Primary(i)+g-1
	switch {
	case i == 1 && enough >= g: // case 3
		return result{g, true}
	case i > 1 && enough >= full: // case 1
		return result{full, true}
	case i > 1 && enough >= g && granted < full && a.case2 != "never": // case 2
		return result{g, false}
	}
	return result{}
}

// probeReturn is the return of Probe(C_i, g), the body of the loop, and the next
// Probe up to its requests. With case2=fd it does not do case 2.
func (a *algorithm) probeReturn(_ model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if l.State != waiting {
		return false
	}
	r := a.probe(int(l.Index), int(l.Left), a.within(l.G, int(l.Index)).Len())
	if r.size == 0 || a.case2 == "fd" && !r.primary {
		return false
	}
	a.leaveProbe(loc, r, out)
	return true
}

// probeReturnDown is case 2 with case2=fd. The note is for the oracle, the history
// of the model: the nodes that the requester takes for dead. The oracle excludes the step if it is wrong.
func (a *algorithm) probeReturnDown(_ model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	missing, ok := a.awaited(l)
	if !ok {
		return false
	}
	out.Note(uint32(missing))
	a.leaveProbe(loc, result{int(l.Left), false}, out)
	return true
}

// awaited returns the nodes of C_i that have not granted, if case 2 stands.
func (a *algorithm) awaited(l *requester) (model.Set, bool) {
	if l.State != waiting {
		return 0, false
	}
	granted := a.within(l.G, int(l.Index))
	r := a.probe(int(l.Index), int(l.Left), granted.Len())
	return a.Cohorts[l.Index-1] &^ granted, r.size > 0 && !r.primary
}

// leaveProbe goes on with S, any set of the size that Probe returns.
func (a *algorithm) leaveProbe(loc *local, r result, out *outbox) {
	l := &loc.Requester
	if i := int(l.Index); i > 1 {
		s := a.returned(loc, r.size, out) // line 7
		if r.primary {                    // line 8
			l.R |= s         // line 9
			l.Left--         // line 10
			if l.Left == 0 { // line 11
				l.State = cs
				return
			}
		} else {
			l.R |= s // line 12
		}
		a.request(loc, i-1, out) // line 13
	} else {
		l.R |= a.returned(loc, r.size, out) // line 14
		l.State = cs                        // line 15
	}
	// line 16: End Get_Quorum
}

func (a *algorithm) exit(p model.Proc, loc *local, out *outbox) bool {
	l := &loc.Requester
	if !a.leaves(p, l) {
		return false
	}
	held := l.P
	if a.surplus == "never" {
		held = l.R
	}
	l.leave(held&^loc.Down, out)
	return true
}

// receiveInquire gives the permission back, or leaves the answer to the release.
func (a *algorithm) receiveInquire(_, j model.Proc, m message, loc *local, out *outbox) bool {
	l := &loc.Requester
	l.Clock = max(l.Clock, m.clock)
	if a.yield != "pending" || !l.R.Has(j) {
		l.relinquish(j, m, out)
	}
	return true
}

// relinquish gives the permission of j back, for which m asked, if it is held
// before the critical section.
func (l *requester) relinquish(j model.Proc, m message, out *outbox) {
	if m.ts == l.TS && l.State == waiting && l.G.Has(j) {
		l.G = l.G.Without(j)
		out.Send(j, message{kind: relinquish, ts: l.TS})
	}
}
