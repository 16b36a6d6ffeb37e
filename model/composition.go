package model

import (
	"sync"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// A composition is a Composition with its types erased: local states, messages and histories are values,
// which point to an L, an M or an H. So code about compositions is compiled once, and not for
// each L, M and H. Functions that take or return one by value have forms of their own here, in place of the
// fields of the Composition.
type composition struct {
	Composition[codec.Opaque, codec.Opaque, codec.Opaque]
	Properties []property.Erased // about a global
	Assume     []StateFairness[codec.Opaque]
	Receive    []receiver
	Links      *links
	first      value // the first history
	mostUse    int   // the largest number of units of a process
	Init       func(p Proc) value
	Sends      func(p Proc) []interp.Sent        // Composition.UnderWay
	Charge     func(from, to Proc, m value) Proc // nil: the sender
	// inbox makes the slice that Global.Inbox returns, in the memory of another one if into is not nil;
	// received returns pointers to the messages in it.
	inbox    func(list []interp.Envelope, into envelopes) envelopes
	received func(list envelopes) []value

	locals, messages, histories *codec.Kind
	runners                     *sync.Pool // for Run

	actions []lts.Action
	events  []event // of links, and the recovery of processes, in the order of their actions
	// The indices of the actions of Notice, of the first of these events, of "crash" (followed by "crash
	// while sending"), and of the first fault of channels; a kind without actions has the index of the next
	// kind.
	noticeAction, eventAction, crashAction, firstFault int
}

type (
	value     = interp.Value
	global    = Global[codec.Opaque, codec.Opaque, codec.Opaque]
	handler   = Handler[codec.Opaque, codec.Opaque]
	outbox    = Outbox[codec.Opaque]
	envelopes = unsafe.Pointer // to a slice of Envelopes
)

// subject returns a state as the argument of a property, and globalOf reverses that.
func subject(g *global) value  { return value(unsafe.Pointer(g)) }
func globalOf(s value) *global { return (*global)(unsafe.Pointer(s)) }

// A receiver is a Receiver with its types erased.
type receiver struct {
	Name, Source string
	Accepts      func(m value) bool
	Do           func(p, from Proc, m, l value, out *outbox) bool
	declared     any // Accepts of the model, whose line a mistake names
}

// links are Links with their types erased.
type links struct {
	Links[codec.Opaque, codec.Opaque]
	Timers []timer
}

// A timer is a Timer with its types erased.
type timer struct {
	handler
	Awaits func(p Proc, m value) bool
}

// as returns x as a type of the same layout, whose pointers are to erased values. Functions are called in
// the same way whatever their pointers point to.
func as[To, From any](x From) To { return *(*To)(unsafe.Pointer(&x)) }

// largestUse is the largest number of units that a process may use: sums over all processes fit 32 bits.
const largestUse = 1 << 20

// erased takes the types from a composition. Its values are assigned, compared, and written by their kinds.
// The layout of a Composition depends on L, M and H in the first history only, which is at the end.
func (c *Composition[L, M, H]) erased() *composition {
	e := &composition{Composition: *as[*Composition[codec.Opaque, codec.Opaque, codec.Opaque]](c),
		Properties: as[[]property.Erased](c.Properties), Assume: as[[]StateFairness[codec.Opaque]](c.Assume),
		mostUse: largestUse, runners: new(sync.Pool), locals: codec.KindOf[L]().ShownBy(c.Shown),
		messages: codec.KindOf[M]().ShownBy(c.Shown), histories: codec.KindOf[H]().ShownBy(c.Shown)}
	e.Names = c.Names.Counted(c.N)
	e.first = value(unsafe.Pointer(new(c.History.Init)))
	if c.Init != nil {
		e.Init = func(p Proc) value { return value(unsafe.Pointer(new(c.Init(p)))) }
	}
	eraseMessages(e, c)
	e.listActions()
	return e
}

// eraseMessages erases functions of the model that take or return a message by value.
func eraseMessages[L, M, H any](e *composition, c *Composition[L, M, H]) {
	for _, r := range c.Receive {
		of := receiver{Name: r.Name, Source: r.Source, declared: r.Accepts}
		if r.Accepts != nil {
			of.Accepts = func(m value) bool { return r.Accepts(*(*M)(unsafe.Pointer(m))) }
		}
		if r.Do != nil {
			of.Do = func(p, from Proc, m, l value, out *outbox) bool {
				return r.Do(p, from, *(*M)(unsafe.Pointer(m)), (*L)(unsafe.Pointer(l)), as[*Outbox[M]](out))
			}
		}
		e.Receive = append(e.Receive, of)
	}
	if c.UnderWay != nil {
		e.Sends = func(p Proc) []interp.Sent {
			return mapped(c.UnderWay(p), func(s Sent[M]) interp.Sent {
				return interp.Sent{To: s.To, M: value(unsafe.Pointer(&s.M))}
			})
		}
	}
	if c.Charge != nil {
		e.Charge = func(from, to Proc, m value) Proc { return c.Charge(from, to, *(*M)(unsafe.Pointer(m))) }
	}
	e.inbox = func(list []interp.Envelope, into envelopes) envelopes {
		all := (*[]Envelope[M])(into)
		if all == nil {
			all = new(make([]Envelope[M], 0, len(list)))
		}
		*all = (*all)[:0]
		for i := range list {
			*all = append(*all, Envelope[M]{list[i].From, *(*M)(unsafe.Pointer(list[i].M))})
		}
		return unsafe.Pointer(all)
	}
	e.received = func(list envelopes) (messages []value) {
		all := *(*[]Envelope[M])(list)
		for i := range all {
			messages = append(messages, value(unsafe.Pointer(&all[i].M)))
		}
		return messages
	}
	eraseEvents(e, c)
}

func eraseEvents[L, M, H any](e *composition, c *Composition[L, M, H]) {
	if k := c.Links; k != nil {
		e.Links = &links{Links: *as[*Links[codec.Opaque, codec.Opaque]](k)}
		for _, t := range k.Timers {
			of := timer{handler: as[handler](t.Handler)}
			if t.Awaits != nil {
				of.Awaits = func(p Proc, m value) bool { return t.Awaits(p, *(*M)(unsafe.Pointer(m))) }
			}
			e.Links.Timers = append(e.Links.Timers, of)
		}
		e.events = e.Links.events()
	}
	if e.Recover != nil {
		e.events = append(e.events, event{handler: e.Recover, revives: true})
	}
}
