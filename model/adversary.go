package model

import (
	"cmp"
	"iter"
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Network declares the channels and the limits of the crash adversary.
type Network struct {
	Channel    Channel
	Crashes    int // most crashes in a run, including Dead
	Crashable  Set // the processes that may crash
	Dead       Set // dead from the start
	CrashSends CrashSends
	// MaxInFlight bounds the total number of messages under way to live processes; 0: no bound.
	// States beyond it are cut off, and then no property is known to hold.
	MaxInFlight int
	// Limits are further bounds, each on the crashes among some of the processes.
	Limits []Limit
	// Faults are the faults of channels.
	Faults protocol.Faults
	// ToDead: messages to dead processes count, too, when the adversary chooses the part of
	// its messages that a crashing process sends. They are never stored.
	ToDead bool
}

// A Limit bounds the crashes among some processes, including those that are dead from the start.
type Limit struct {
	Among   Set
	Crashes int
}

// CrashSends is the part of its messages that a process may send when it
// crashes inside a handler. Sending all or none of them is a crash between handlers.
type CrashSends uint8

const (
	// NoPart lets processes crash between handlers only.
	NoPart CrashSends = iota
	// Prefix allows every proper initial part, by ascending target.
	Prefix
	// Subset allows every nonempty proper subset.
	Subset

	// largest, added to Prefix or Subset, allows their largest parts only. If one process gets several
	// messages all parts are allowed, since a part need not begin a larger one in its channel.
	largest
)

// recovers reports whether dead processes come up again, so that crashes are counted.
func (c *composition) recovers() bool { return c.Recover != nil }

func (c *composition) MayCrash(p Proc, dead Set) bool {
	nw := &c.Network
	for _, l := range nw.Limits {
		if l.Among.Has(p) && (dead&l.Among).Len() >= l.Crashes {
			return false
		}
	}
	counted := c.recovers() && nw.Crashes > 0 // by the record
	return nw.Crashable.Has(p) && (counted || dead.Len() < nw.Crashes)
}

// parts yields the parts of sent that the sender may send before it crashes inside a handler, until
// yield returns false. Messages to dead processes do not count; equal messages are sent or
// lost together. If draw is not nil it draws a single part.
func parts(of *codec.Kind, how CrashSends, sent []interp.Sent, dead func(Proc) bool, draw func(n int) int,
	yield func(part []interp.Sent) bool) {
	if how == NoPart || len(sent) < 2 {
		return
	}
	var live, units []interp.Sent // all messages to the living, and the distinct ones
	for _, s := range sent {
		if !dead(s.To) {
			live = append(live, s)
			if sentAt(of, units, &s) < 0 {
				units = append(units, s)
			}
		}
	}
	slices.SortStableFunc(units, func(a, b interp.Sent) int { return cmp.Compare(a.To, b.To) })
	for i := range max(1, len(units)) - 1 {
		if units[i].To == units[i+1].To && how > Subset {
			how -= largest
		}
	}
	choices := chosenParts(how, len(units))
	if draw != nil {
		choices = drawnPart(how, len(units), draw)
	}
	for chosen := range choices {
		var part []interp.Sent
		for _, s := range live {
			if chosen[sentAt(of, units, &s)] {
				part = append(part, s)
			}
		}
		if !yield(part) {
			return
		}
	}
}

// sentAt returns the index of a message in a list; -1: it is not there.
func sentAt(of *codec.Kind, list []interp.Sent, x *interp.Sent) int {
	return slices.IndexFunc(list, func(y interp.Sent) bool { return x.To == y.To && of.Equal(x.M, y.M) })
}

// drawnPart draws a part of n messages: element i is true if message i is sent. Fewer than two have no part.
func drawnPart(how CrashSends, n int, draw func(n int) int) iter.Seq[[]bool] {
	return func(yield func([]bool) bool) {
		if n < 2 {
			return
		}
		keep := make([]bool, n)
		if how == Prefix {
			for i := range 1 + draw(n-1) {
				keep[i] = true
			}
		}
		for !slices.Contains(keep, true) || !slices.Contains(keep, false) {
			for i := range keep {
				keep[i] = draw(2) == 0
			}
		}
		yield(keep)
	}
}

// chosenParts yields the allowed parts of n messages: element i is true if message i is sent.
func chosenParts(how CrashSends, n int) iter.Seq[[]bool] {
	return func(yield func([]bool) bool) {
		keep, full := make([]bool, n), uint64(1)<<n-1
		parts, part := full-1, func(k uint64) uint64 { return k + 1 }
		switch how {
		case Prefix:
			parts, part = uint64(n)-1, func(k uint64) uint64 { return 2<<k - 1 }
		case largest + Prefix:
			parts, part = 1, func(uint64) uint64 { return full >> 1 }
		case largest + Subset:
			parts, part = uint64(n), func(k uint64) uint64 { return full &^ (1 << k) }
		}
		for k := uint64(0); k < parts && n > 1; k++ {
			for i := range keep {
				keep[i] = part(k)>>i&1 == 1
			}
			if !yield(keep) {
				return
			}
		}
	}
}

// listActions lists the actions of a composition: its handlers in the order Local, Receive, Notice, events of
// Links, Recover, crashes, faults of channels.
func (c *composition) listActions() {
	add := func(a lts.Action) { c.actions = append(c.actions, a) }
	for _, h := range c.Local {
		add(lts.Action{Name: h.Name, Source: h.Source, Kind: h.Kind})
	}
	for _, r := range c.Receive {
		add(lts.Action{Name: r.Name, Source: r.Source, Receipt: true})
	}
	c.noticeAction = len(c.actions)
	if c.Notice != nil {
		add(lts.Action{Name: c.Notice.Name, Source: c.Notice.Source})
	}
	c.eventAction = len(c.actions)
	for _, e := range c.events {
		add(lts.Action{Name: e.Name, Source: e.Source, Kind: e.Kind})
	}
	c.crashAction = len(c.actions)
	if c.mayEver() {
		add(lts.Action{Name: "crash", Kind: Fault})
		if c.Network.CrashSends != NoPart {
			add(lts.Action{Name: "crash while sending", Kind: Fault})
		}
	}
	c.firstFault = len(c.actions)
	for _, x := range c.Network.Faults.List() {
		add(lts.Action{Name: [...]string{"", "lose", "copy", "split", "heal", "break"}[x], Kind: x.Kind()})
	}
}

// mayEver reports whether any process may crash in a run.
func (c *composition) mayEver() bool {
	return c.Network.Crashes > c.Network.Dead.Len() || c.recovers() && c.Network.Crashes > 0
}

// accepting returns the index of the handler that accepts m; -1: none does.
func (c *composition) accepting(m value) int {
	return slices.IndexFunc(c.Receive, func(r receiver) bool { return r.Accepts(c.messages.Own(m)) })
}

// receiver returns the index of the handler of m.
func (c *composition) receiver(m value) int {
	if i := c.accepting(m); i >= 0 {
		return i
	}
	panic(c.unaccepted(m))
}

// acceptAgain is the number of times that receivers are asked again about a message that none accepts.
const acceptAgain = 8

// unaccepted returns the mistake that no receiver accepts a message, or that one accepts it only sometimes.
func (c *composition) unaccepted(m value) *Error {
	for range acceptAgain {
		if i := c.accepting(m); i >= 0 {
			r := &c.Receive[i]
			return &Error{Part: "Accepts of " + r.Name, What: check.Nondeterministic,
				Where: check.DeclaredAt(r.declared), First: "it does not accept " + c.messages.Text(m),
				Second: "it does"}
		}
	}
	return &Error{Part: "Receive", What: "no receiver accepts the message " + c.messages.Text(m)}
}

// reset changes l to the local state that a crash leaves.
func (c *composition) reset(p Proc, l value) {
	if c.Crash != nil {
		defer check.Named(check.Part("Crash"))
		c.Crash(p, l)
	} else {
		c.locals.Assign(l, c.locals.Fresh())
	}
	if !c.locals.Flat {
		c.locals.Assign(l, c.locals.Copied(l))
	}
}

// indexOfFault returns the index of the action of a fault, which is among the actions.
func (c *composition) indexOfFault(x protocol.ChannelFault) int {
	return c.firstFault + slices.Index(c.Network.Faults.List(), x)
}
