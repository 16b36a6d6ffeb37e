package model

import (
	"fmt"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/node"
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
	Start(p Proc) node.Node
	// Restore returns process p in the local state that Node.Local has written.
	Restore(p Proc, local []byte) (node.Node, error)
	// Wires returns the links between the nodes at the start; nil: each process has a channel to
	// each other, and takes its steps whenever it likes.
	Wires() node.Wires
}

// nodes are the Nodes of a composition.
type nodes[L, M, H any] struct {
	c *Composition[L, M, H] // without an adversary
	// network is that of the composition, with the adversary
	network  Network
	actions  []lts.Action
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

func (ps *nodes[L, M, H]) Start(p Proc) node.Node {
	return composedNode[L, M, H]{of: ps, p: p, local: ps.c.init(p)}
}

// composedNode is a Node.
type composedNode[L, M, H any] struct {
	of    *nodes[L, M, H]
	p     Proc
	local L
	in    node.Around // under Links
}

func (n composedNode[L, M, H]) Own() []node.Step {
	var steps []node.Step
	n.of.c.idle(n.p, &n.local, n.in, func(o *outcome[L, M]) {
		if o.revives || !n.of.c.of.local.equal(&o.local, &n.local) || len(o.sent) > 0 {
			steps = append(steps, n.step(o, nil))
		}
	})
	return steps
}

func (n composedNode[L, M, H]) Receive(from Proc, message []byte) (steps []node.Step, err error) {
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
	n.of.c.react(n.p, &n.local, Envelope[M]{from, m}, n.in, func(o *outcome[L, M]) {
		steps = append(steps, n.step(o, &node.Message{Peer: from, Text: fmt.Sprint(m), Message: message}))
	})
	return steps, nil
}

func (n composedNode[L, M, H]) Notice(dead Proc) (steps []node.Step, err error) {
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
func (n composedNode[L, M, H]) step(o *outcome[L, M], received *node.Message) node.Step {
	next := composedNode[L, M, H]{of: n.of, p: n.p, local: n.of.locals.copied(&o.local)}
	s := node.Step{
		Action: n.of.actions[o.action], Received: received, Next: next,
		Outside: o.exhausted || !n.of.c.keeps(n.p, &next.local),
	}
	for _, sent := range o.sent {
		s.Sent = append(s.Sent, n.of.packet(sent))
	}
	return s
}

// packet shows a message to those who do not know M.
func (ps *nodes[L, M, H]) packet(s Sent[M]) node.Message {
	return node.Message{Peer: s.To, Text: fmt.Sprint(s.M), Message: ps.messages.append(nil, &s.M)}
}

func (n composedNode[L, M, H]) Units() int { return n.of.c.holds(n.p, &n.local) }

func (n composedNode[L, M, H]) Vars() []Var { return n.of.c.vars(n.p, n.local) }
