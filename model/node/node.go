// Package node is a process of a composition as it is outside of a search: by itself, where others carry the
// messages and crash it. See Nodes of package model.
package node

import (
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Node is one process in one local state. Its methods run the handlers that are
// explored. A Node does not change: to go on is to take the Next of a Step.
type Node interface {
	// Own returns the steps that the process can take by itself, one for each
	// combination of picks. Steps that change nothing and send nothing are left out.
	Own() []Step
	// Receive returns the steps by which it can receive a message, as bytes of a
	// Message from process from: none, if it cannot be received now. It is an error if
	// the bytes are not a message of the algorithm, and an Error if no handler can work with it.
	Receive(from protocol.Proc, message []byte) ([]Step, error)
	// Notice returns the steps by which it can learn of a crash: none, if it knows
	// already or cannot be told now.
	Notice(dead protocol.Proc) ([]Step, error)
	// Amid returns the process with what there is around it, after others have crashed since its
	// last step. It is for nodes with Wires.
	Amid(in Around, gone []protocol.Proc) Node
	// Local returns the local state in bytes.
	Local() []byte
	// Units is the number of units of the resource that the process uses.
	Units() int
	// Vars lists the variables.
	Vars() []lts.Var
}

// A Step is what a process can do.
type Step struct {
	Action   lts.Action
	Received *Message // nil: nothing
	Sent     []Message
	Next     Node
	// Outside: Next violates the constraint on local states, or a number was asked for that
	// nobody uses, and there is none.
	Outside bool
}

// A Message is one with the process at its other end: the one that it goes to if it
// is sent, the one that it comes from if it is received.
type Message struct {
	Peer    protocol.Proc
	Text    string // as a person reads it
	Message []byte
	Tag     any // what somebody has written on it who carries it
}

// Around is what there is around a process when it takes a step: who is dead, and what it can
// learn of messages and numbers elsewhere.
type Around = protocol.Setting

// Wires are the links between nodes whose medium is Links. One of them keeps them for all nodes,
// which take their steps one after the other. For a link breaks in the moment in which the process
// at its end crashes, a timer fires as soon as nothing that it waits for is under way, and a fresh
// number is one that nobody uses: no process could know that by itself.
type Wires interface {
	// Around returns what there is around p.
	Around(p protocol.Proc) Around
	// Next returns what p can receive next: the first message in each link that leads to p.
	Next(p protocol.Proc) []Message
	// Local returns the local state of p in bytes: see Nodes.Restore.
	Local(p protocol.Proc) []byte
	// Done enters a step of p, which is alive afterwards: its local state then, the sender of the
	// message received (-1: nothing was), and what it has sent.
	Done(p protocol.Proc, local []byte, from int, sent []Message) error
	// MayCrash reports whether p is alive and the adversary may crash it.
	MayCrash(p protocol.Proc) bool
	// Crash crashes p. The links of others that lead there break: see Node.Amid.
	Crash(p protocol.Proc)
	// Rises reports whether p is dead and can come up.
	Rises(p protocol.Proc) bool
}
