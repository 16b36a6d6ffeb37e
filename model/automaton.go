package model

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// A Composition is a set of processes that react to events with local handlers. Channels, the crash
// adversary, failure notices and histories are not part of an algorithm: generic code adds them.
//
// L is the local state of a process, M a message, H a history (None if there is
// none). A handler reads and writes its own process's local state only and is a
// function of its arguments, so it has to run only once for equal arguments.
type Composition[L, M, H any] struct {
	N     int   // processes, 1 to MaxProcs
	Names Names // the paper's names of them

	Init    func(p Proc) L
	Local   []Handler[L, M]
	Receive []Receiver[L, M] // the first that accepts a message handles it
	Notice  *Notice[L, M]    // perfect failure detection; nil: none
	// Units returns the number of units of the resource that a process in local state l uses: in
	// mutual exclusion 1 in the critical section. Nil: the model has no resource.
	Units func(l *L) int
	// Capacity is the number of units of the resource: drawings mark where more are in use, and
	// logs are judged by it. 0: not known.
	Capacity int
	// Suspects returns the processes that a process in local state l suspects, to measure how long detection
	// takes; nil: not known.
	Suspects func(l *L) values.Group
	// Crash changes l to the local state after a crash; nil: the zero L.
	Crash func(p Proc, l *L)
	// Forget changes a local state to its normal form: each dead variable gets a fixed value. A variable is
	// dead if no step, property or function of the model reads it before it is written again. Forget changes
	// no normal form.
	// Local states with the same normal form are one in a search with Reduction.Dead, and only there. Nil:
	// nothing is forgotten.
	Forget func(p Proc, l *L)
	// ForgetMessage forgets Counters and Groups of a message that no receiver reads, and changes nothing
	// else. Reduction.Dead uses it as it uses Forget, without which it has no effect. Nil: nothing is
	// forgotten.
	ForgetMessage func(m *M)

	// Symmetry has disjoint sets of interchangeable processes: renaming them maps steps to steps, and no
	// property distinguishes them. With Reduction.Symmetry a search checks that for all that handlers do.
	Symmetry []Set
	// Rename and RenameMessage rename processes in a value. Nil: each Proc and Set, and the places of each
	// PerProc, are renamed, in fields and elements of arrays and slices, but not in maps.
	Rename        func(l *L, to func(Proc) Proc)
	RenameMessage func(m *M, to func(Proc) Proc)
	// Named and NamedBy return processes that are not exchanged in states with this local state of p, or with
	// this message under way. They are for processes that break ties by their names while they compete. A
	// step names no process that neither the local state nor the message received names. Nil: none is named.
	Named   func(p Proc, l *L) Set
	NamedBy func(from Proc, m *M) Set

	// Charge returns the process whose request a message is charged to, for Costs; nil: its sender.
	Charge func(from, to Proc, m M) Proc

	Network Network
	// Recover is the step by which a dead process comes up, also one that is
	// dead from the start; nil: none does. It begins with what Crash left. With Recover,
	// Network.Crashes bounds the crashes of a run, not the processes that are dead at once.
	Recover *Handler[L, M]
	// Links, if not nil, is the medium in place of a channel from each process to each other.
	// Network.Channel has to be FIFO then, and Network.CrashSends NoPart.
	Links *Links[L, M]
	// UnderWay returns the messages that a process has under way in the initial state; nil: none.
	UnderWay func(p Proc) []Sent[M]
	Clocks   *Clocks[L, M] // logical clocks that grow for ever; nil: times are values like any other
	// Constraint reports whether a local state is of interest; nil: all are. As in TLC, a rejected
	// state is judged by invariants and counted apart, as outside, but not expanded.
	Constraint func(p Proc, l *L) bool
	// Vars lists the variables of a process, without their owner; nil: the fields of L.
	Vars func(l *L) []Var
	// Shown returns a value, with a method Vars or String, to show in place of a local state, a message
	// or a history. Nil: the value itself is shown.
	Shown      func(x any) any
	Properties []Property[Global[L, M, H]]
	Fairness   []Fairness
	Assume     []StateFairness[Global[L, M, H]] // fairness about states
	Delivery   lts.Delivery
	// Hermetic: handlers run in an interpreter that shows them nothing but their arguments. Then
	// the purity checks of a search cover only a sample of them.
	Hermetic bool
	History  History[H] // at the end, as its size depends on H
}

// None is the history of an algorithm without one.
type None struct{}

// A Handler is a local step: a procedure of the paper that a process starts by itself.
type Handler[L, M any] struct {
	Name   string
	Source string // the paper's lines
	Kind   protocol.ActionKind
	// Request: the step is a request of the user, which fairness never forces.
	Request bool
	// Do changes l and sends messages, or returns false if the step is not enabled; its
	// changes and messages are discarded then.
	Do func(p Proc, l *L, out *Outbox[M]) bool
}

// A Receiver is the handler of one type of message.
type Receiver[L, M any] struct {
	Name    string
	Source  string
	Accepts func(m M) bool
	// Do changes l and sends messages, or returns false if m cannot be received
	// now and stays in its channel; its changes and messages are discarded then.
	Do func(p, from Proc, m M, l *L, out *Outbox[M]) bool
}

// A Notice is the handler by which a process learns that another has crashed:
// a step of its own, at any time after the crash.
type Notice[L, M any] struct {
	Name   string
	Source string
	// Do returns false if p knows already, or is not ready for the notice.
	Do func(p, dead Proc, l *L, out *Outbox[M]) bool
}

// An Outbox takes the messages, picks and notes of a handler.
type Outbox[M any] struct {
	of        *codec.Kind // of messages
	choice    Choice
	sent      []interp.Sent
	note      uint32
	fresh     uint8
	exhausted bool   // Fresh found no unused number
	procs     int    // number of processes; 0: not known
	order     bool   // times count by their order only
	times     uint8  // then: the different times in the state
	made      uint32 // then: the times that Later has returned, as bits
	closed    bool   // its handler has returned
}

// With Clocks.ByOrder times count by their order only. A process makes a new stamp that is above its clock;
// whether it is below, equal to, between or above the stamps of others, numbers decide by what happened
// before. Here each of these is a successor. So every run with numbers is a run here, with the same steps and
// comparisons, for any number of requests, and there are more runs.

// Later returns the time of a new request of a process whose clock is t: t+1. With Clocks.ByOrder it returns
// any time above t, so the step has a successor for each place of it among the times of the state.
func (o *Outbox[M]) Later(t uint32) uint32 {
	if !o.order {
		return t + 1
	}
	if o.made != 0 {
		panic(protocol.Mistake{What: "it calls Outbox.Later twice in a step; where times count by their " +
			"order only, a step makes one"})
	}
	t += 1 + uint32(o.Pick(2*int(o.times)+1-int(t)))
	o.made |= 1 << t
	return t
}

// Tick returns the amount by which a clock goes beyond a time that it has seen: 1. With Clocks.ByOrder it is
// 0, as each time that Later returns is above the clock anyhow.
func (o *Outbox[M]) Tick() uint32 {
	if o.order {
		return 0
	}
	return 1
}

// Sent is a message on its way into the channel to a process.
type Sent[M any] struct {
	To Proc
	M  M
}

// Send sends m, as it is now, to process to. The order of sends is the order in FIFO channels.
// Process to must exist.
func (o *Outbox[M]) Send(to Proc, m M) {
	if o.closed {
		panic(protocol.Mistake{What: "it sends by the Outbox of a handler that has returned: use the one " +
			"that is passed to it"})
	}
	if o.procs > 0 && int(to) >= o.procs {
		panic(protocol.Mistake{What: fmt.Sprintf("%v is sent to process %d; there are %d, counted from 0", m,
			to, o.procs)})
	}
	o.sent = append(o.sent, interp.Sent{To: to, M: o.of.Own(value(unsafe.Pointer(&m)))})
}

// Pick returns a number from 0 to n-1; the step has a successor for each of them.
func (o *Outbox[M]) Pick(n int) int { return o.choice.Pick(n) }

// Note passes a note about this step, a number other than 0, to the history.
func (o *Outbox[M]) Note(note uint32) { o.note = note }

// Fresh returns a positive number that, before the step, no process and no message used:
// see Links. If all numbers are in use the search stops, undecided.
func (o *Outbox[M]) Fresh() uint8 {
	o.exhausted = o.exhausted || o.fresh == 0
	return o.fresh
}

// A History is a monitor: a part of the state that no handler reads.
type History[H any] struct {
	// Step updates h after a step with a note, or with a crash. It
	// returns false if an assumption on runs excludes the step: it is not
	// taken then. Nil: there is no history.
	Step func(h *H, e Event) bool
	// Guards: steps that Step excludes are not enabled, as if their guards were false. It
	// is not an assumption on runs but a part of the model, such as a failure detector.
	Guards bool
	// Watches: Step never excludes a step.
	Watches bool
	Init    H // at the end, as its size depends on H
}

// An Envelope is a message in the channel to some process.
type Envelope[M any] struct {
	From Proc
	M    M
}

// A Global is a global state of a composition, as properties see it.
type Global[L, M, H any] struct {
	N    int
	Dead Set
	view *view
}

// A view gives access to the parts of a state, whatever its form.
type view struct {
	local   func(p Proc) value
	inbox   func(p Proc) envelopes
	units   func(p Proc) int // in use
	history func() value
}

// Live reports whether p has not crashed.
func (g *Global[L, M, H]) Live(p Proc) bool { return !g.Dead.Has(p) }

// Local returns the local state of p; after a crash, the one that Crash left. It must not be changed.
func (g *Global[L, M, H]) Local(p Proc) *L { return (*L)(unsafe.Pointer(g.view.local(p))) }

// Inbox returns the messages on their way to p: grouped by sender and each
// group in its order under FIFO channels, in no particular order otherwise.
func (g *Global[L, M, H]) Inbox(p Proc) []Envelope[M] { return *(*[]Envelope[M])(g.view.inbox(p)) }

// UnderWay returns the number of messages on their way to any process that satisfy f.
func (g *Global[L, M, H]) UnderWay(f func(from, to Proc, m M) bool) (n int) {
	for p := range Proc(g.N) {
		for _, envelope := range g.Inbox(p) {
			if f(envelope.From, p, envelope.M) {
				n++
			}
		}
	}
	return n
}

// History returns the history.
func (g *Global[L, M, H]) History() *H { return (*H)(unsafe.Pointer(g.view.history())) }

// InUse returns the number of units that live processes use. A unit held by a
// process that crashes is free.
func (g *Global[L, M, H]) InUse() (n int) {
	for p := range Proc(g.N) {
		if !g.Dead.Has(p) {
			n += g.view.units(p)
		}
	}
	return n
}

// Every reports whether f is true for every live process.
func (g *Global[L, M, H]) Every(f func(p Proc) bool) bool {
	for p := range Proc(g.N) {
		if g.Live(p) && !f(p) {
			return false
		}
	}
	return true
}

// Count returns the number of live processes whose local state satisfies f.
func (g *Global[L, M, H]) Count(f func(l *L) bool) (n int) {
	for p := range Proc(g.N) {
		if !g.Dead.Has(p) && f(g.Local(p)) {
			n++
		}
	}
	return n
}

// Clocks declares logical clocks, such as Lamport's. They grow for ever where runs
// go on for ever, but if handlers only compare times, and make new ones by adding
// to some, then only differences matter: states are stored up to a common shift of
// all times of all processes that live or may come up again, and of all messages
// under way. Two states count as one if and only if they differ only by such a shift.
//
// A value that means "never" is no time; a time is never confused with it, as the
// least time of a stored state is 1. Histories hold no times.
//
// With ByOrder times count by their order only, so that requests without end have finitely many states if
// finitely many times are alive: see Outbox.Later.
type Clocks[L, M any] struct {
	// Local calls visit for each time in l, Message for each time in m.
	Local   func(l *L, visit func(*uint32))
	Message func(m *M, visit func(*uint32))
	// Seen calls visit for the clocks in l, which Local does not visit: times that a process only raises and
	// passes to Outbox.Later, and compares with no other. Nil: there are none.
	Seen    func(l *L, visit func(*uint32))
	ByOrder bool
	// MaxSkew bounds the difference between two times of a state; 0: no bound. States
	// beyond it are cut off, and then no property is known to hold.
	MaxSkew int
	// Within is a further bound, for counters that grow for ever: it is false for local
	// states beyond the bound; Limit describes it. Nil: no bound.
	Within func(l *L) bool
	Limit  string
}

// bounds describes the bounds that cut off states; "": none.
func (c *composition) bounds() string {
	var all []string
	if c.Clocks != nil && c.Clocks.MaxSkew > 0 {
		all = append(all, fmt.Sprintf("times at most %d apart", c.Clocks.MaxSkew))
	}
	if c.Network.MaxInFlight > 0 {
		all = append(all, fmt.Sprintf("messages under way: at most %d", c.Network.MaxInFlight))
	}
	if c.Clocks != nil && c.Clocks.Within != nil {
		all = append(all, c.Clocks.Limit)
	}
	return strings.Join(all, ", ")
}
