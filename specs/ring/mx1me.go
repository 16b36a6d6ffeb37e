package ring

import "github.com/atmostk/atmostk/model"

// meState is the part of Mx1ME, and of the basic ME.
type meState struct {
	State   meStep
	InCS    bool
	Entered stamp // token-time=token: the time of the token that let the process in
	Budget  uint8 // requests left to make
	Ticket  uint8 // tickets=on: the place of the request in the order of requests
}

type meStep uint8

const (
	initial meStep = iota // INIT
	released
	wanted
	held
)

func (s meStep) String() string { return [...]string{"INIT", "RELEASED", "WANTED", "HELD"}[s] }

// enterMx1 is Enter: RELEASED -> WANTED, unless the request is ignored, which is no step.
func (r *ring) enterMx1(i model.Proc, l *record, out *output) bool {
	return !r.ignores(l) && r.enterBasic(i, l, out)
}

// ignores reports whether Enter ignores a request in RELEASED: the time is not known.
func (r *ring) ignores(l *record) bool { return l.Mrk.Time == 0 && !r.repairs.remember }

// receiveTokenMx1 receives a token that MrkME, being OFF, lets through.
func (r *ring) receiveTokenMx1(m message, l *record, out *output) {
	switch {
	case l.ME.State == wanted && l.Mrk.Time != 0:
		l.ME.State = held
		l.ME.InCS = true
		if r.sendsEntered {
			l.ME.Entered = m.time
		}
	case l.ME.State == released:
		out.Send(m)
	}
}

// releaseMx1 leaves the critical section and runs Release, unless an election has
// made the process RELEASED in there (after-election=reset).
func (r *ring) releaseMx1(i model.Proc, l *record, out *output) bool {
	if !l.ME.InCS {
		return false
	}
	t := r.tokenTime(l)
	l.ME.InCS, l.ME.Entered = false, 0
	r.releases(i, t, l, out)
	return true
}

// onRelease is MrkME::OnRelease as the paper prints it. t is the time of the token to be sent.
func (r *ring) onRelease(i model.Proc, t stamp, l *record, out *output) { // line 1
	if l.ME.State == held { // line 2
		l.ME.State = released      // line 3
		if l.Mrk.Pending.Present { // line 4
			r.clear(i, l.Mrk.Pending.Time, l, out) // line 5
			l.Mrk.Pending = pendingClear{}         // line 6
		} else { // line 7
			out.Send(message{kind: token, time: t}) // line 8
		} // line 9
	} // line 10
}
