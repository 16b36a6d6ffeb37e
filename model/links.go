package model

import (
	"github.com/atmostk/atmostk/model/protocol"
)

// Links is the medium of algorithms on a ring: each process has one output, a link to
// some process, and sends into nothing else. A link is a FIFO channel that breaks when
// the process at its end crashes, and that steps of its owner close and open again, to
// that process or to another. What is in a link that is closed, or led elsewhere, is
// lost, and so is what is sent into one that is not open.
//
// Handlers are as local as under other media. What they learn of the surroundings is
// whether the end of their link is alive, whether what a timer waits for is under way,
// and a number that nobody uses.
type Links[L, M any] struct {
	// Of returns the link of a process, which is a part of its local state.
	Of func(l *L) *protocol.Link

	// The events of links; nil: there are none of that kind.
	Disconnect *Handler[L, M] // of a broken link, which is then closed
	Connect    *Handler[L, M] // of a closed link to a live process, which is then open
	OpenError  *Handler[L, M] // of a closed link to a dead process, or to one that it is cut off from
	Timers     []Timer[L, M]  // at most protocol.MaxTimers
	// Recover is the step by which a dead process comes up, those included that are
	// dead from the start; nil: nobody does. If it is there, Network.Crashes bounds
	// the crashes of a run, not the processes that are dead at once.
	Recover *Handler[L, M]

	// Numbers returns which of the numbers 1 to 63 a process uses, as bits, and Carries
	// those that a message uses. Outbox.Fresh gives out the others: the smallest of
	// them, or with Rising the one above all that are in use. Nil: none are used.
	Numbers func(l *L) uint64
	Carries func(m *M) uint64
	Rising  bool
}

// A Timer is a handler that runs when a time is up: while the link is open and no
// message that the process awaits is in any link. It never fires for what is only slow.
type Timer[L, M any] struct {
	Handler[L, M]
	Awaits func(p Proc, m M) bool
}

// LinkFairness gives a composition whose medium is Links the fairness conditions that no
// handler of a process rests for ever while it is enabled, and no message that is next in
// its link: one for each process and each ordinary handler, and one for each link. how is
// weak, strong or none: see param.Fairness.
func (c *Composition[L, M, H]) LinkFairness(how string) {
	if how == "none" {
		return
	}
	actions := c.erased().actions()
	condition := func(name string, has func(Label) bool) {
		c.Fairness = append(c.Fairness, Fairness{Name: name, Strong: how == "strong", Has: has})
	}
	for p := range Proc(c.N) {
		condition("messages of "+c.Names.Of(p)+" are received",
			func(l Label) bool { return actions[l.Action].Receipt && Proc(l.Peer) == p })
		for a, action := range actions {
			if action.Kind == protocol.Ordinary && !action.Receipt {
				condition(c.Names.Of(p)+" "+action.Name,
					func(l Label) bool { return int(l.Action) == a && Proc(l.Proc) == p })
			}
		}
	}
}
