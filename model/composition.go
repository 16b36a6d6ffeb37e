package model

import (
	"sync"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// A composition is a Composition with its types erased: local states, messages and histories are values,
// which point to an L, an M or an H. All that is said of compositions is compiled once for them, and not for
// each L, M and H.
type composition struct {
	N        int
	Names    Names
	Local    []handler
	Receive  []receiver
	Notice   *Notice[codec.Opaque, codec.Opaque]
	units    func(l value) int
	Capacity int
	suspects func(l value) values.Group
	Crash    func(p Proc, l value)
	Forget   func(p Proc, l value)
	Network  Network
	Links    *links
	Clocks   *Clocks[codec.Opaque, codec.Opaque]
	History  struct {
		Init            value
		Step            func(h value, e Event) bool
		Guards, Watches bool
	}
	Constraint func(p Proc, l value) bool
	Vars       func(l value) []Var
	Properties []property.Erased // about a global
	Fairness   []Fairness
	Assume     []StateFairness[codec.Opaque]
	Delivery   lts.Delivery
	Hermetic   bool
	Init       func(p Proc) value
	Sends      func(p Proc) []interp.Sent        // Composition.UnderWay
	Charge     func(from, to Proc, m value) Proc // nil: to that of its sender
	// inbox makes the slice that Global.Inbox returns, of one that is used again if into is not nil; received
	// returns pointers to the messages in it.
	inbox    func(list []interp.Envelope, into envelopes) envelopes
	received func(list envelopes) []value
	// what the model has declared, where that is said in a message
	declaredInit, declaredSends, declaredCharge any

	locals, messages, histories *codec.Kind
	runners                     *sync.Pool // for Run
}

type (
	value     = interp.Value
	global    = Global[codec.Opaque, codec.Opaque, codec.Opaque]
	handler   = Handler[codec.Opaque, codec.Opaque]
	outbox    = Outbox[codec.Opaque]
	envelopes = unsafe.Pointer // to a slice of Envelopes
)

// subject returns a state as properties are given it, and globalOf turns it back.
func subject(g *global) value  { return value(unsafe.Pointer(g)) }
func globalOf(s value) *global { return (*global)(unsafe.Pointer(s)) }

// A receiver is a Receiver with its types erased.
type receiver struct {
	Name, Source string
	Accepts      func(m value) bool
	Do           func(p, from Proc, m, l value, out *outbox) bool
	declared     any // Accepts as the model has it
}

// links are Links with their types erased.
type links struct {
	Of                                      func(l value) *protocol.Link
	Disconnect, Connect, OpenError, Recover *handler
	Timers                                  []timer
	list                                    []linkEvent // in the order of their actions
	Numbers, Carries                        func(x value) uint64
	Rising                                  bool
}

// A timer is a Timer with its types erased.
type timer struct {
	handler
	Awaits func(p Proc, m value) bool
}

// as is x as a type of the same layout: one whose pointers are to erased values. Functions that take pointers
// are called alike, whatever these point to.
func as[To, From any](x From) To { return *(*To)(unsafe.Pointer(&x)) }

// erased takes the types from a composition. Its values are assigned, compared, and written by their kinds.
func (c *Composition[L, M, H]) erased() *composition {
	e := &composition{
		N: c.N, Names: c.Names.Counted(c.N), Local: as[[]handler](c.Local),
		Notice: as[*Notice[codec.Opaque, codec.Opaque]](c.Notice),
		units:  as[func(value) int](c.Units), Capacity: c.Capacity,
		suspects: as[func(value) values.Group](c.Suspects), Crash: as[func(Proc, value)](c.Crash),
		Forget: as[func(Proc, value)](c.Forget), Network: c.Network,
		Clocks:     as[*Clocks[codec.Opaque, codec.Opaque]](c.Clocks),
		Constraint: as[func(Proc, value) bool](c.Constraint), Vars: as[func(value) []Var](c.Vars),
		Properties: as[[]property.Erased](c.Properties), Fairness: c.Fairness,
		Assume: as[[]StateFairness[codec.Opaque]](c.Assume), Delivery: c.Delivery, Hermetic: c.Hermetic,
		declaredInit: c.Init, declaredSends: c.UnderWay, declaredCharge: c.Charge,
		runners: new(sync.Pool), locals: codec.KindOf[L]().ShownBy(c.Shown),
		messages: codec.KindOf[M]().ShownBy(c.Shown), histories: codec.KindOf[H]().ShownBy(c.Shown),
	}
	e.History.Step = as[func(value, Event) bool](c.History.Step)
	e.History.Guards, e.History.Watches = c.History.Guards, c.History.Watches
	first := c.History.Init
	e.History.Init = value(unsafe.Pointer(&first))
	if c.Init != nil {
		e.Init = func(p Proc) value {
			l := c.Init(p)
			return value(unsafe.Pointer(&l))
		}
	}
	eraseMessages(e, c)
	return e
}

// eraseMessages does so where a function of the model takes a message by value, or returns one.
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
		e.Sends = func(p Proc) (sent []interp.Sent) {
			for _, s := range c.UnderWay(p) {
				sent = append(sent, interp.Sent{To: s.To, M: value(unsafe.Pointer(&s.M))})
			}
			return sent
		}
	}
	if c.Charge != nil {
		e.Charge = func(from, to Proc, m value) Proc { return c.Charge(from, to, *(*M)(unsafe.Pointer(m))) }
	}
	e.inbox = func(list []interp.Envelope, into envelopes) envelopes {
		all := (*[]Envelope[M])(into)
		if all == nil {
			all = new([]Envelope[M])
			*all = make([]Envelope[M], 0, len(list))
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
	k := c.Links
	if k == nil {
		return
	}
	e.Links = &links{
		Of:         as[func(value) *protocol.Link](k.Of),
		Disconnect: as[*handler](k.Disconnect), Connect: as[*handler](k.Connect),
		OpenError: as[*handler](k.OpenError), Recover: as[*handler](k.Recover), Rising: k.Rising,
		Numbers: as[func(value) uint64](k.Numbers), Carries: as[func(value) uint64](k.Carries),
	}
	for _, t := range k.Timers {
		of := timer{handler: as[handler](t.Handler)}
		if t.Awaits != nil {
			of.Awaits = func(p Proc, m value) bool { return t.Awaits(p, *(*M)(unsafe.Pointer(m))) }
		}
		e.Links.Timers = append(e.Links.Timers, of)
	}
	e.Links.list = e.Links.listed()
}

// later moves all times of a local state; by less than 0, as a uint32 has it, back.
func (c *composition) later(l value, by uint32) {
	c.Clocks.Local(l, func(time *uint32) { *time += by })
}
