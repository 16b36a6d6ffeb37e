// Package interp is the interpreter of compositions: global states, their enabled steps,
// and the effect of a step. It is slow and simple, and the oracle of the kernel, with which it shares the
// protocol adapter only: the steps of one process, with its types erased ([Processes]).
//
// Its users are replay, explorer and naive search (through lts.Plain), simulation (explore/simulate),
// explanations of logs (traces/explain) and real processes (traces/cluster). They need four
// operations:
//
//	state    Start, Clone, and StateOf for a state of the kernel
//	enabled  Idle and Receipts list possible events, cheaply; Enabled runs one and yields its steps
//	apply    State.Apply carries a step out in place; to undo it, keep a Clone, which shares all values
//	view     Inbox, Vars, Key, Code, Hash, and the values themselves
//
// Media, crashes and faults of channels are here once: deliver, deliverable, drop, lose, crash.
package interp

import (
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// A Value points to a local state, a message or a history, of a type that the model knows. It is never
// changed once it is a part of a state.
type Value = codec.Value

// Processes are the processes of a composition: the protocol adapter.
type Processes interface {
	Declared() *Declared
	// Begin returns the initial local state of p, and UnderWay the messages that it has sent before.
	Begin(p protocol.Proc) Value
	UnderWay(p protocol.Proc) []Sent
	// Run yields the outcomes of an event of a process, until yield returns false. yield may keep the values
	// of an outcome, but not the outcome itself.
	Run(a Ask, yield func(*Outcome) (more bool))
	// Accepts reports whether some action receives a message. Receiver returns the action that receives the
	// message of an Ask.
	Accepts(message Value) bool
	Receiver(a Ask) (action int)
	// MayCrash reports whether the adversary may crash p if some processes are dead; if processes recover the
	// number of crashes so far is another condition.
	MayCrash(p protocol.Proc, dead protocol.Set) bool
	// Reset returns the local state of a process after its crash.
	Reset(p protocol.Proc, local Value) Value
	// Under Links, Link returns the link of a process, Carry redirects or drops messages sent in a step that
	// changes its local state, and Break returns its local state after the crash of another one.
	Link(local Value) *protocol.Link
	Carry(before, after Value, sent []Sent) (carried []Sent, cut protocol.Cut)
	Break(local Value, gone protocol.Proc) Value
	// LocalTrace and MessageTrace return the contributions of values to link views, under Links.
	LocalTrace(local Value) protocol.Trace
	MessageTrace(message Value) protocol.Trace
	// LocalTimes returns the times of a local state, and whether it is beyond the bounds of the model.
	LocalTimes(local Value) (all protocol.Times, beyond bool)
	MessageTimes(message Value) protocol.Times
	// LocalBack and MessageBack return values whose times are earlier by an amount; under Medium.Order, with
	// the protocol.Order.Rank of times among the given stamps.
	LocalBack(local Value, by uint32) Value
	MessageBack(message Value, by uint32) Value
	// Remember returns the history after an event, and whether it keeps the step.
	Remember(history Value, e protocol.Event) (next Value, kept bool)
	// Keeps reports whether the constraint keeps a local state.
	Keeps(p protocol.Proc, local Value) bool
	Units(p protocol.Proc, local Value) int
	Suspects(local Value) (g values.Group, known bool)
	// Owner returns the process to whose request a message belongs.
	Owner(from protocol.Proc, s *Sent) protocol.Proc
	// LocalVars and HistoryVars list variables with their owners.
	LocalVars(p protocol.Proc, local Value) []lts.Var
	HistoryVars(history Value) []lts.Var
}

// Declared has the declarations of a composition.
type Declared struct {
	Names    []string // of all processes
	Actions  []lts.Action
	Requests []bool // per local handler: it is a request of the user
	Medium   protocol.Medium
	Dead     protocol.Set // from the start
	// Mortal: processes crash in runs. Parts: also inside handlers, when they send a part of their messages;
	// AnyPart: not only an initial part.
	Mortal, Parts, AnyPart      bool
	History                     Value // the first
	Locals, Messages, Histories *codec.Kind

	// The actions are the local handlers, receipts, the notice of crashes, events of links, crashes between
	// and inside handlers, and faults of channels, in this order. These are the indices of the first of each
	// kind; a kind without actions has the index of the next kind.
	FirstReceipt, FirstNotice, FirstEvent, FirstCrash, FirstFault int
}

// An Ask is an event with everything that its outcomes depend on.
type Ask struct {
	Proc    protocol.Proc
	Peer    protocol.Proc // the sender of the message, or the process noticed dead
	Action  int
	Local   Value
	Message Value // received; nil: none
	protocol.Context
	How
	Into Value // memory for the local state afterwards, with Draw; nil: it is allocated
}

// Sent is a message on its way into the channel to a process.
type Sent struct {
	To   protocol.Proc
	Mark uint32 // see Envelope
	M    Value
}

// An Outcome is one result of an event at one process.
type Outcome struct {
	Action  int
	Handler int           // the action of the handler that ran; equal to Action except in a crash
	Peer    protocol.Proc // the sender, or the process noticed dead
	Kind    protocol.ActionKind
	Local   Value
	Sent    []Sent
	Note    uint32 // for the history; 0: nothing
	Crash   bool
	Revives bool // the process was dead and comes up
	Fault   protocol.ChannelFault
	Cut     protocol.Cut // messages of the process that are lost, before it sends
	// Exhausted: the handler asked for a fresh number, and all were in use.
	Exhausted bool
}
