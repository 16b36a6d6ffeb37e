package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/protocol"
)

// Nodes are the processes of a composition as they are outside of a search:
// each by itself, where others carry the messages and crash it.
type Nodes interface {
	N() int
	Name(p Proc) string
	// Network says how messages are to be carried, and who may crash.
	Network() Network
	// Noticed reports whether the processes are to be told of crashes.
	Noticed() bool
	// Start returns process p in its initial state.
	Start(p Proc) Node
	// Restore returns process p in the local state that Node.Local has written.
	Restore(p Proc, local []byte) (Node, error)
	// Wires returns the links between the nodes at the start; nil: each process has a channel to
	// each other, and takes its steps whenever it likes.
	Wires() Wires
}

// A Node is one process in one local state. Its methods run the handlers that are
// explored. A Node does not change: to go on is to take the Next of a NodeStep.
type Node interface {
	// Own returns the steps that the process can take by itself, one for each
	// combination of picks. Steps that change nothing and send nothing are left out.
	Own() []NodeStep
	// Receive returns the steps by which it can receive a message, as bytes of a
	// Packet from process from: none, if it cannot be received now. It is an error if
	// the bytes are not a message of the algorithm, and an Error if no handler can work with it.
	Receive(from Proc, message []byte) ([]NodeStep, error)
	// Notice returns the steps by which it can learn of a crash: none, if it knows
	// already or cannot be told now.
	Notice(dead Proc) ([]NodeStep, error)
	// Amid returns the process with what there is around it, after others have crashed since its
	// last step. It is for nodes with Wires.
	Amid(in Around, gone []Proc) Node
	// Local returns the local state in bytes.
	Local() []byte
	// Units is the number of units of the resource that the process uses.
	Units() int
	// Vars lists the variables.
	Vars() []Var
}

// A NodeStep is what a process can do.
type NodeStep struct {
	Action   Action
	Received *Packet // nil: nothing
	Sent     []Packet
	Next     Node
	// Outside: Next violates the constraint on local states, or a number was asked for that
	// nobody uses, and there is none.
	Outside bool
}

// A Packet is a message with the process at its other end: the one that it goes to if it
// is sent, the one that it comes from if it is received.
type Packet struct {
	Peer    Proc
	Text    string // as a person reads it
	Message []byte
	Tag     any // what somebody has written on it who carries it
}

// nodes are the Nodes of a composition.
type nodes[L, M, H any] struct {
	c *Composition[L, M, H] // without an adversary
	// network is that of the composition, with the adversary
	network  Network
	actions  []Action
	messages *codec[M]
	locals   *codec[L]
}

// newNodes returns nil if a history guards steps, or channels fail by themselves: real processes
// do not have that.
func newNodes[L, M, H any](c Composition[L, M, H]) Nodes {
	if c.History.Guards || c.Network.Faults.Some() {
		return nil
	}
	network := c.Network
	if c.recovers() { // crashes are counted then, and not who is dead
		network.Crashes += network.Dead.Len()
	}
	actions := c.actions()
	c.Network.Crashes = 0
	return &nodes[L, M, H]{
		c: &c, network: network, actions: actions, messages: &c.of.message, locals: &c.of.local,
	}
}

func (ps *nodes[L, M, H]) N() int             { return ps.c.N }
func (ps *nodes[L, M, H]) Name(p Proc) string { return ps.c.Names.Of(p) }
func (ps *nodes[L, M, H]) Network() Network   { return ps.network }
func (ps *nodes[L, M, H]) Noticed() bool      { return ps.c.Notice != nil }

func (ps *nodes[L, M, H]) Start(p Proc) Node {
	return node[L, M, H]{of: ps, p: p, local: ps.c.init(p)}
}

// node is a Node.
type node[L, M, H any] struct {
	of    *nodes[L, M, H]
	p     Proc
	local L
	in    Around // under Links
}

func (n node[L, M, H]) Own() []NodeStep {
	var steps []NodeStep
	n.of.c.idle(n.p, &n.local, n.in, func(o *outcome[L, M]) {
		if o.revives || !n.of.c.of.local.equal(&o.local, &n.local) || len(o.sent) > 0 {
			steps = append(steps, n.step(o, nil))
		}
	})
	return steps
}

func (n node[L, M, H]) Receive(from Proc, message []byte) (steps []NodeStep, err error) {
	m, err := decode[M](message, n.of.c.N)
	if err != nil {
		return nil, err
	}
	accepted := false
	for _, r := range n.of.c.Receive {
		accepted = accepted || r.Accepts(n.of.messages.own(m))
	}
	if !accepted || int(from) >= n.of.c.N {
		return nil, fmt.Errorf("no handler of %s accepts %v", n.of.Name(n.p), m)
	}
	var mistake *Error
	defer func() {
		if mistake != nil { // or bytes that decode and still are no message of any run
			steps, err = nil, mistake
		}
	}()
	defer Catch(&mistake)
	n.of.c.react(n.p, &n.local, Letter[M]{from, m}, n.in, func(o *outcome[L, M]) {
		steps = append(steps, n.step(o, &Packet{Peer: from, Text: fmt.Sprint(m), Message: message}))
	})
	return steps, nil
}

func (n node[L, M, H]) Notice(dead Proc) (steps []NodeStep, err error) {
	if n.of.c.Notice == nil || int(dead) >= n.of.c.N || dead == n.p {
		return nil, fmt.Errorf("%s cannot be told that process %d is dead", n.of.Name(n.p), dead)
	}
	own := n.of.c.noticeAction()
	n.of.c.idle(n.p, &n.local, protocol.Setting{Dead: SetOf(dead)}, func(o *outcome[L, M]) {
		if o.action == own {
			steps = append(steps, n.step(o, nil))
		}
	})
	return steps, nil
}

// step shows an outcome to those who do not know L and M.
func (n node[L, M, H]) step(o *outcome[L, M], received *Packet) NodeStep {
	next := node[L, M, H]{of: n.of, p: n.p, local: n.of.locals.copied(&o.local)}
	s := NodeStep{
		Action: n.of.actions[o.action], Received: received, Next: next,
		Outside: o.exhausted || !n.of.c.keeps(n.p, &next.local),
	}
	for _, sent := range o.sent {
		s.Sent = append(s.Sent, n.of.packet(sent))
	}
	return s
}

// packet shows a message to those who do not know M.
func (ps *nodes[L, M, H]) packet(s Sent[M]) Packet {
	return Packet{Peer: s.To, Text: fmt.Sprint(s.M), Message: ps.messages.append(nil, &s.M)}
}

func (n node[L, M, H]) Units() int { return n.of.c.holds(&n.local) }

func (n node[L, M, H]) Vars() []Var { return n.of.c.vars(n.p, n.local) }
