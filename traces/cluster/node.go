package cluster

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// Nodes returns the interpreter of a model whose processes can run by themselves. It is nil for a system, and
// where a history guards steps or channels fail by themselves: real processes do not have that.
func Nodes(in model.Instance) *interp.Interp {
	if x := in.Interp; x != nil && !x.Medium.Guards && !x.Medium.Faults.Some() {
		return x
	}
	return nil
}

// noticed reports whether the processes are notified of crashes.
func noticed(x *interp.Interp) bool { return x.FirstNotice < x.FirstEvent }

// crashable returns the processes that may crash after others, where those in dead are or were dead.
func crashable(x *interp.Interp, dead model.Set) (may []model.Proc) {
	for p := range model.Proc(x.N()) {
		spent := x.Medium.Recovers && (dead&^x.Dead).Len() >= x.Medium.Crashes
		if !dead.Has(p) && !spent && x.MayCrash(p, dead) {
			may = append(may, p)
		}
	}
	return may
}

// A node is one process in one local state, by itself: others carry the messages and crash it. It does not
// change.
type node struct {
	x     *interp.Interp
	p     model.Proc
	local interp.Value
	in    protocol.Context // under Links
}

// A step is what a node can do.
type step struct {
	interp.Outcome
	received *message // nil: nothing
	next     node
	// outside: next violates the constraint on local states, or a number was asked for that
	// no process uses, and all are in use.
	outside bool
}

// A message is one that is received.
type message struct {
	peer model.Proc // its sender
	text string
}

func startOf(x *interp.Interp, p model.Proc) node { return node{x: x, p: p, local: x.Begin(p)} }

// restored returns a node in the local state that node.bytes has written.
func restored(x *interp.Interp, p model.Proc, local []byte) (n node, err error) {
	l, err := x.Locals.Read(local, protocol.MaxProcs)
	if err != nil {
		return n, fmt.Errorf("the local state of %s: %w", x.Names[p], err)
	}
	return node{x: x, p: p, local: l}, nil
}

// amid returns the node in its context, after others have crashed since its last step.
func (n node) amid(in protocol.Context, gone []model.Proc) node {
	n.in = in
	for _, p := range gone {
		n.local = n.x.Break(n.local, p)
	}
	return n
}

// enabled returns the steps that a process can take in its turn.
func (n node) enabled(t *turn) ([]step, error) {
	switch {
	case t.Envelope != nil:
		return n.receive(t.From, t.Envelope.Message)
	case t.Notice != nil:
		return n.notice(*t.Notice)
	}
	return n.own(), nil
}

// own returns the steps that the process can take by itself, one for each combination of picks. Steps that
// change nothing and send nothing are left out.
func (n node) own() (steps []step) {
	add := func(s step) {
		if s.Revives || !n.x.Locals.Equal(s.Local, n.local) || len(s.Sent) > 0 {
			steps = append(steps, s)
		}
	}
	for a := 0; a < n.x.FirstReceipt && !n.in.Dead.Has(n.p); a++ {
		n.run(interp.Ask{Action: a}, nil, add)
	}
	for a := n.x.FirstEvent; a < n.x.FirstCrash; a++ {
		n.run(interp.Ask{Action: a}, nil, add)
	}
	return steps
}

// receive returns the steps by which the process can receive the bytes of a message: none, if it cannot be
// received now. It is an error if they are no message of the algorithm, or no handler can work with it.
func (n node) receive(from model.Proc, bytes []byte) (steps []step, err error) {
	m, err := n.x.Messages.Read(bytes, n.x.N())
	if err != nil {
		return nil, err
	}
	text := n.x.Messages.Text(m)
	if int(from) >= n.x.N() || !n.x.Accepts(m) {
		return nil, fmt.Errorf("no handler of %s accepts %s", n.x.Names[n.p], text)
	}
	var mistake *model.Error
	defer func() {
		if mistake != nil { // or bytes that can be read and still are no message of any run
			steps, err = nil, mistake
		}
	}()
	defer model.Catch(&mistake)
	a := interp.Ask{Proc: n.p, Peer: from, Local: n.local, Message: m}
	a.Action = n.x.Receiver(a)
	n.run(a, &message{from, text}, func(s step) { steps = append(steps, s) })
	return steps, nil
}

// notice returns the steps by which the process can learn of a crash: none, if it knows
// already or cannot be notified now.
func (n node) notice(dead model.Proc) (steps []step, err error) {
	if !noticed(n.x) || int(dead) >= n.x.N() || dead == n.p {
		return nil, fmt.Errorf("%s cannot be notified of the crash of process %d", n.x.Names[n.p], dead)
	}
	n.in = protocol.Context{Dead: model.SetOf(dead)}
	n.run(interp.Ask{Action: n.x.FirstNotice, Peer: dead}, nil, func(s step) { steps = append(steps, s) })
	return steps, nil
}

// run runs an event of the process.
func (n node) run(a interp.Ask, received *message, add func(step)) {
	a.Proc, a.Local, a.Context = n.p, n.local, n.in
	n.x.Run(a, func(o *interp.Outcome) bool {
		s := step{Outcome: *o, received: received, next: node{x: n.x, p: n.p, local: o.Local}}
		s.outside = o.Exhausted || !n.x.Keeps(n.p, o.Local)
		add(s)
		return true
	})
}

func (n node) bytes() []byte     { return n.x.Locals.Append(nil, n.local) }
func (n node) units() int        { return n.x.Units(n.p, n.local) }
func (n node) vars() []model.Var { return n.x.LocalVars(n.p, n.local) }
