package model

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Network says how messages travel and what the crash adversary may do.
type Network struct {
	Channel    Channel
	Crashes    int // at most so many crashes in a run, those of Dead included
	Crashable  Set // who may crash
	Dead       Set // dead from the start
	CrashSends CrashSends
	// MaxInFlight bounds the messages under way to live processes, all together; 0: no
	// bound. States beyond are cut off: see Enabled.Beyond.
	MaxInFlight int
	// Limits are further bounds on crashes, among some of the processes each.
	Limits []Limit
	// Faults is what may befall the channels.
	Faults protocol.Faults
	// ToDead counts the messages to dead processes too, when the adversary chooses
	// which part of its messages a crashing process gets out; none is stored.
	ToDead bool
}

// A Limit bounds the crashes among some processes, those of the dead from the start
// included.
type Limit struct {
	Among   Set
	Crashes int
}

// CrashSends says which part of its messages a process may get out when it
// crashes inside a handler. All and none of them are crashes between handlers.
type CrashSends uint8

const (
	// NoPart lets processes crash between handlers only.
	NoPart CrashSends = iota
	// Prefix allows every proper initial part, by ascending target.
	Prefix
	// Subset allows every nonempty proper subset.
	Subset

	// largest, added to one of these, allows the largest of its parts only, and all of them where one process
	// is sent several messages: a part may be such that no larger one begins like it.
	largest
)

// MayCrash reports whether the adversary may crash p when the processes in dead are dead.
func (nw *Network) MayCrash(p Proc, dead Set) bool {
	for _, l := range nw.Limits {
		if l.Among.Has(p) && (dead&l.Among).Len() >= l.Crashes {
			return false
		}
	}
	return nw.Crashable.Has(p) && dead.Len() < nw.Crashes
}

// recovers reports whether dead processes come up again, so that crashes are counted.
func (c *Composition[L, M, H]) recovers() bool { return c.Links != nil && c.Links.Recover != nil }

// mayCrash reports whether the adversary may crash p when the processes in dead are dead.
// Where processes recover the number of crashes so far is another condition.
func (c *Composition[L, M, H]) mayCrash(p Proc, dead Set) bool {
	if c.Network.Crashes == 0 || !c.recovers() {
		return c.Network.MayCrash(p, dead)
	}
	nw := c.Network
	nw.Crashes = protocol.MaxProcs + 1 // the history counts them
	return nw.MayCrash(p, dead)
}

// parts yields the parts of sent that may get out when the sender crashes on the
// way. Messages to the processes in dead do not count; equal messages are kept or
// lost together.
func parts[M any](of *codec[M], how CrashSends, sent []Sent[M], dead Set, yield func(part []Sent[M])) {
	if how == NoPart || len(sent) < 2 {
		return
	}
	var live, units []Sent[M] // all messages to the living, and the distinct ones
	for _, s := range sent {
		if !dead.Has(s.To) {
			live = append(live, s)
			if of.index(units, &s) < 0 {
				units = append(units, s)
			}
		}
	}
	slices.SortStableFunc(units, func(a, b Sent[M]) int { return cmp.Compare(a.To, b.To) })
	for i := range max(1, len(units)) - 1 {
		if units[i].To == units[i+1].To && how > Subset {
			how -= largest
		}
	}
	kept := func(chosen uint32) (part []Sent[M]) {
		for _, s := range live {
			if chosen>>of.index(units, &s)&1 == 1 {
				part = append(part, s)
			}
		}
		return part
	}
	for chosen := range chosenParts(how, len(units)) {
		yield(kept(chosen))
	}
}

// chosenParts yields which of so many messages may get out.
func chosenParts(how CrashSends, n int) iter.Seq[uint32] {
	full := uint32(1)<<n - 1
	return func(yield func(uint32) bool) {
		switch how {
		case largest + Prefix:
			if n > 1 {
				yield(full >> 1)
			}
		case largest + Subset:
			for i := range n {
				if n > 1 && !yield(full&^(1<<i)) {
					return
				}
			}
		default:
			for chosen := uint32(1); chosen < full; chosen++ {
				prefix := chosen&(chosen+1) == 0 // a run of ones from the right
				if (how == Subset || prefix) && !yield(chosen) {
					return
				}
			}
		}
	}
}

// An outcome is one way in which a process can go on by itself.
type outcome[L, M any] struct {
	action  int
	kind    protocol.ActionKind // of the handler, also where it ends in a crash
	handler int                 // the action of the handler that was running; action itself without a crash
	peer    Proc                // the sender, or the process noticed dead
	local   L
	sent    []Sent[M]
	note    uint32
	crash   bool
	revives bool                  // the process was dead and is not any more
	fault   protocol.ChannelFault // the step is one of the channel adversary
	cut     protocol.Cut          // what is lost that the process had under way, before sent
	// exhausted: the handler asked for a fresh number, and there was none.
	exhausted bool
}

// The actions of a composition are its handlers in the order Local, Receive,
// Notice, events of Links, crashes, faults of channels.
func (c *Composition[L, M, H]) actions() (as []lts.Action) {
	for _, h := range c.Local {
		as = append(as, lts.Action{Name: h.Name, Source: h.Source, Kind: h.Kind})
	}
	for _, r := range c.Receive {
		as = append(as, lts.Action{Name: r.Name, Source: r.Source, Receipt: true})
	}
	if c.Notice != nil {
		as = append(as, lts.Action{Name: c.Notice.Name, Source: c.Notice.Source})
	}
	for _, e := range c.Links.events() {
		as = append(as, lts.Action{Name: e.Name, Source: e.Source, Kind: e.Kind})
	}
	if c.mayEver() {
		as = append(as, lts.Action{Name: "crash", Kind: Fault})
		if c.Network.CrashSends != NoPart {
			as = append(as, lts.Action{Name: "crash while sending", Kind: Fault})
		}
	}
	for _, x := range c.Network.Faults.List() {
		as = append(as, faultAction(x))
	}
	return as
}

// mayEver reports whether anybody may crash in a run.
func (c *Composition[L, M, H]) mayEver() bool {
	return c.Network.Crashes > c.Network.Dead.Len() || c.recovers() && c.Network.Crashes > 0
}

// firstFault is the index of the first action of the channel adversary, if there is one.
func (c *Composition[L, M, H]) firstFault() int {
	switch {
	case !c.mayEver():
		return c.crashAction()
	case c.Network.CrashSends != NoPart:
		return c.crashAction() + 2
	}
	return c.crashAction() + 1
}

// idle yields everything that process p can do in local state l without receiving
// anything, in a setting.
func (c *Composition[L, M, H]) idle(p Proc, l *L, in protocol.Setting, yield func(*outcome[L, M])) {
	(&runner[L, M, H]{c: c, yield: yield}).idle(p, l, in)
}

// own yields the outcomes of the local handler i.
func (c *Composition[L, M, H]) own(p Proc, l *L, in protocol.Setting, i int, yield func(*outcome[L, M])) {
	(&runner[L, M, H]{c: c, yield: yield, p: p, l: l, in: in}).own(i)
}

// told yields the outcomes of notices.
func (c *Composition[L, M, H]) told(p Proc, l *L, in protocol.Setting, yield func(*outcome[L, M])) {
	(&runner[L, M, H]{c: c, yield: yield, p: p, l: l, in: in}).told()
}

// linked yields the outcomes of events of the link.
func (c *Composition[L, M, H]) linked(p Proc, l *L, in protocol.Setting, yield func(*outcome[L, M])) {
	(&runner[L, M, H]{c: c, yield: yield, p: p, l: l, in: in}).linked()
}

// crash yields the crash between handlers, if the adversary may.
func (c *Composition[L, M, H]) crash(p Proc, l *L, in protocol.Setting, yield func(*outcome[L, M])) {
	(&runner[L, M, H]{c: c, yield: yield, p: p, l: l, in: in}).crash()
}

// react yields what p can do with an envelope that it receives.
func (c *Composition[L, M, H]) react(p Proc, l *L, envelope Envelope[M], in protocol.Setting,
	yield func(*outcome[L, M])) {
	(&runner[L, M, H]{c: c, yield: yield}).react(p, l, envelope, in)
}

// deliverable reports whether envelope i may be received next, and is not an equal
// copy of an earlier one that may.
func (c *Composition[L, M, H]) deliverable(inbox []Envelope[M], i int) bool {
	for k := range inbox[:i] {
		if c.Network.Channel == FIFO && inbox[k].From == inbox[i].From ||
			c.of.message.sameEnvelope(&inbox[k], &inbox[i]) {
			return false
		}
	}
	return true
}

// receiver returns the index of the handler of m.
func (c *Composition[L, M, H]) receiver(m M) int {
	for i, r := range c.Receive {
		if r.Accepts(c.of.message.own(m)) {
			return i
		}
	}
	panic(c.unaccepted(m))
}

// acceptAgain is how often receivers are asked again about a message that none accepts.
const acceptAgain = 8

// unaccepted is the mistake that no receiver accepts a message, or that one does sometimes.
func (c *Composition[L, M, H]) unaccepted(m M) *Error {
	for range acceptAgain {
		for _, r := range c.Receive {
			if r.Accepts(c.of.message.own(m)) {
				said := fmt.Sprintf("it does not accept %v", m)
				return &Error{Part: "Accepts of " + r.Name, What: impure, Where: declaredAt(r.Accepts),
					First: said, Second: "it does"}
			}
		}
	}
	return &Error{Part: "Receive", What: fmt.Sprintf("no receiver accepts the message %v", m)}
}

// noticeAction is the index of the action of Notice, if there is one.
func (c *Composition[L, M, H]) noticeAction() int { return len(c.Local) + len(c.Receive) }

// eventAction is the index of the action of the first event of Links, if there is one.
func (c *Composition[L, M, H]) eventAction() int {
	if c.Notice != nil {
		return c.noticeAction() + 1
	}
	return c.noticeAction()
}

// crashAction is the index of the action "crash"; "crash while sending" follows it.
func (c *Composition[L, M, H]) crashAction() int { return c.eventAction() + len(c.Links.events()) }

func (c *Composition[L, M, H]) reset(p Proc, l *L) {
	if c.Crash != nil {
		defer named(part("Crash"))
		c.Crash(p, l)
	} else {
		var zero L
		*l = zero
	}
	*l = c.of.local.copied(l)
}
