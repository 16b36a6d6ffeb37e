package cluster

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// crashable returns the processes that may crash next, after the processes in dead crashed.
func crashable(x *interp.Interp, dead model.Set) (may []model.Proc) {
	for p := range model.Proc(x.N()) {
		spent := x.Medium.Recovers && (dead&^x.Dead).Len() >= x.Medium.Crashes
		if !dead.Has(p) && !spent && x.MayCrash(p, dead) {
			may = append(may, p)
		}
	}
	return may
}

// read decodes the local state and the message of a turn. It is an error if the bytes are not values of the
// algorithm, or no handler accepts the message.
func (t *turn) read(x *interp.Interp, p model.Proc) (a interp.Ask, err error) {
	a = interp.Ask{Proc: p, Peer: t.Peer, Action: t.Action, Context: t.Context}
	if a.Local, err = x.Locals.Read(t.Local, protocol.MaxProcs); err != nil {
		return a, fmt.Errorf("the local state of %s: %w", x.Names[p], err)
	}
	if t.Envelope == nil {
		return a, nil
	}
	if a.Message, err = x.Messages.Read(t.Envelope.Message, x.N()); err != nil {
		return a, err
	}
	if int(t.Peer) >= x.N() || !x.Accepts(a.Message) {
		return a, fmt.Errorf("no handler of %s accepts %s", x.Names[p], x.Messages.Text(a.Message))
	}
	a.Action = x.Receiver(a)
	return a, nil
}

// steps returns the steps of an event; none if it is not enabled. A process knows the others that are dead
// only under Links; with a notice it knows the process that crashed. steps leaves out a process's own steps
// that change nothing and send nothing.
func steps(x *interp.Interp, a interp.Ask) (all []interp.Outcome) {
	class := x.Class(a.Action)
	if !x.Medium.Links {
		a.Context = protocol.Context{Dead: a.Dead & model.SetOf(a.Proc)}
	}
	if class == interp.CrashNotice {
		a.Context = protocol.Context{Dead: model.SetOf(a.Peer)}
	}
	x.Run(a, func(o *interp.Outcome) bool {
		changes := o.Revives || len(o.Sent) > 0 || !x.Locals.Equal(o.Local, a.Local)
		if class != interp.OwnStep || changes {
			all = append(all, *o)
		}
		return true
	})
	return all
}
