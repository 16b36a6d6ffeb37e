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
	// Begin returns the local state with which p begins, and UnderWay what it has sent by then.
	Begin(p protocol.Proc) Value
	UnderWay(p protocol.Proc) []Sent
	// Run yields what comes of an event of a process, until yield returns false. What an outcome points to is
	// the receiver's, but not the outcome itself.
	Run(a Ask, yield func(*Outcome) (more bool))
	// Accepts reports whether a message is received by some action. Receiver returns which receives that of
	// an Ask, whose Action is yet to be found.
	Accepts(message Value) bool
	Receiver(a Ask) (action int)
	// MayCrash reports whether the adversary may crash p where some processes are dead; the number of crashes
	// so far is another condition where processes recover.
	MayCrash(p protocol.Proc, dead protocol.Set) bool
	// Reset returns what is left of a process that crashes.
	Reset(p protocol.Proc, local Value) Value
	// Link returns the link of a process, under Links, Carry what becomes of messages sent when its local
	// state changes, and Break its local state after the crash of another one.
	Link(local Value) *protocol.Link
	Carry(before, after Value, sent []Sent) (carried []Sent, cut protocol.Cut)
	Break(local Value, gone protocol.Proc) Value
	// LocalTrace and MessageTrace are what values leave in the surroundings, under Links.
	LocalTrace(local Value) protocol.Trace
	MessageTrace(message Value) protocol.Trace
	// LocalTimes returns the times of a local state, and whether it is beyond the bounds of the model.
	LocalTimes(local Value) (all protocol.Times, beyond bool)
	MessageTimes(message Value) protocol.Times
	// LocalBack and MessageBack return values whose times are earlier by so much.
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

// Declared is what a composition says of itself.
type Declared struct {
	Names    []string // of the processes; there are so many
	First    int      // the index of the first process, where sets are shown
	Actions  []lts.Action
	Requests []bool // per local handler: it is a wish of the user's
	Medium   protocol.Medium
	Dead     protocol.Set // from the start
	// Mortal: processes crash in runs. Parts: inside of handlers, too, and a part of their messages gets out
	// then; AnyPart: not only an initial one.
	Mortal, Parts, AnyPart      bool
	History                     Value // the first
	Locals, Messages, Histories *codec.Kind

	// The actions are the local handlers, receipts, the notice of crashes, events of links, crashes between
	// and inside of handlers, and faults of channels, in this order. Each number is that of the first of its
	// kind, where the next kind begins if there is none.
	FirstReceipt, FirstNotice, FirstEvent, FirstCrash, FirstFault int
}

// An Ask is an event with all that what a process does depends on.
type Ask struct {
	Proc protocol.Proc
	Peer protocol.Proc // the sender of the message, or the process noticed dead
	// Action is the handler or the event; Crashes a crash between two handlers.
	Action  int
	Local   Value
	Message Value // that is received; nil: none
	protocol.Context
	Into Value // where the local state afterwards is written, with Draw; nil: it is allocated
	// Forced: a crash is not up to the adversary, which may have none left.
	Forced bool
	// Parts asks also for the outcomes in which the process crashes on the way.
	Parts bool
	// Draw makes each choice; then there is one outcome, and one part. Nil: all are yielded.
	Draw func(n int) int
}

// Sent is a message on its way into the channel to a process.
type Sent struct {
	To   protocol.Proc
	Mark uint32 // see Envelope
	M    Value
}

// An Outcome is one way in which a process can go on by itself.
type Outcome struct {
	Action  int
	Handler int           // the action of the handler that ran; Action itself but in a crash
	Peer    protocol.Proc // the sender, or the process noticed dead
	Kind    protocol.ActionKind
	Local   Value
	Sent    []Sent
	Note    uint32 // for the history; 0: nothing
	Crash   bool
	Revives bool // the process was dead and is not any more
	Fault   protocol.ChannelFault
	Cut     protocol.Cut // what is lost that the process had under way, before it sends
	// Exhausted: the handler asked for a fresh number, and there was none.
	Exhausted bool
}
