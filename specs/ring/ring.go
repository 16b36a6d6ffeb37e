package ring

import "github.com/atmostk/atmostk/model"

type (
	linked = model.Linked[record, message]
	global = model.LinkedGlobal[record, message]
	output = model.Output[message]
)

// record is the local state of a process: the records of the layers.
type record struct {
	CEH    cehState
	RUP    rupState
	E      electionState
	Mrk    mrkState
	ME     meState
	INJ    injState
	Starts uint8 // ring-election: elections left to start; ring-basic: whether OnRingUp is still to come
}

// ring holds what is the same for all processes: sizes, readings and repairs.
type ring struct {
	n          int  // processes, spares included
	members    int  // of the ring to begin with
	descending bool // the ids descend round the ring

	afterElection func(i model.Proc, l *record, out *output)
	resets        bool // after-election=reset
	tickets       bool // ring-basic: requests are numbered in their order

	scheme       int
	list         listReading
	unguarded    bool // guard=none
	minK         int
	staysOn      bool // coordinator-off=no
	sendsEntered bool // token-time=token
	release      releaseReading
	repairs      repairs
	warm         bool
	rounds       []int
	crashes      int

	// Scheme 3:
	recovered   bool // crashed processes come back
	insertsBack bool // insert=back
	headStays   bool // head=front
	startsRUP   bool // rup-start=all
}

// listReading says how ListPIds comes about.
type listReading string

const (
	listStatic     listReading = "static"
	listAuto       listReading = "auto"
	listAutoNoSelf listReading = "auto-no-self"
	listLiteral    listReading = "literal"
)

// releaseReading says which of a pending clear and the token a release sends.
type releaseReading string

const (
	releaseRectified releaseReading = "rectified"
	releaseCode      releaseReading = "code"
	releaseProse     releaseReading = "prose"
)

// repairs are changes of ours to the algorithm.
type repairs struct{ participant, orphan, drop, drop2, epoch, requeue bool }

// successor returns the process after i in the ring; of a spare, the process before
// which it is to come in.
func (r *ring) successor(i model.Proc) model.Proc {
	switch {
	case r.descending:
		return model.Proc((int(i) + r.members - 1) % r.members)
	case int(i) < r.members:
		return model.Proc((int(i) + 1) % r.members)
	}
	return model.Proc((int(i) + 1) % r.n)
}

// degrades reports whether the scheme replaces neighbours: CEH.GD and RUP.GD, not
// CEH and RUP.
func (r *ring) degrades() bool { return r.scheme >= 2 }

// autoList is the constant AutoList.
func (r *ring) autoList() bool {
	return r.degrades() && (r.list == listAuto || r.list == listAutoNoSelf)
}

// fairnessParam declares which runs without end count.
var fairnessParam = model.Param{
	Name:    "fairness",
	Doc:     "which runs without end are considered: weak, where neither a step of a process, requests apart, nor the next message of a channel is put off for ever; none, all",
	Default: "weak", Type: model.OneOf("weak", "none"),
}

// fair gives a model the fairness that is asked for.
func fair(a *model.Args, c linked) linked {
	if a.Is("fairness", "weak") {
		c.Fairness = c.WeakFairness()
	}
	return c
}

// receives makes the receiver of one kind of message.
func receives(name, source string, k kind, do func(model.Proc, message, *record, *output)) model.LinkReceiver[record, message] {
	return model.LinkReceiver[record, message]{
		Name: name, Source: source, Do: do, Accepts: func(m message) bool { return m.kind == k },
	}
}
