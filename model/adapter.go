package model

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/instance"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// Compose makes a composition explorable. Instance.Check returns the first mistake in it.
func Compose[L, M, H any](c Composition[L, M, H]) (in Instance) {
	return instance.Build(c.erased().instance)
}

func (c *composition) instance() (in Instance) {
	if err := c.checkTypes(); err != nil {
		return Instance{Mistake: err}
	}
	for i := range c.Properties {
		if p := &c.Properties[i]; c.N == 1 && p.Cost != nil && p.Cost.Least == 0 && p.Cost.Most == 0 {
			p.Trivial = "with one process its bounds are 0, which is no limit"
		}
	}
	err, declared := c.check(), c.Properties
	// With too many processes for a search runs can be played.
	played := c.N > c.most() && c.N <= protocol.MaxStage && c.Links == nil && !c.Network.Faults.Some()
	if err != nil && !played {
		return Instance{Mistake: err}
	}
	x := interp.New(c)
	c.Properties = property.Merged(property.Assume(spelledOut(c.Properties), c.Assume), x.Names)
	j := property.NewJudges(c.Properties, c.actions)
	if err != nil {
		return c.staged(x, j, err)
	}
	if c.byOrder() {
		in.Numbers = func(skew int) instance.Numbered { return c.numbered(declared, skew) }
	}
	sp := &compositionSpace{c: c, x: x, judges: j, table: newJudgeTable(c)}
	sp.declare()
	c.checkStart()
	c.checkNames()
	sp.open().introduce(sp.Init())
	in.Space, in.Plain, in.Interp, in.Capacity = sp, newPlain(x, j, false), x, c.Capacity
	return in
}

// numbered returns the instance with numbers, with the properties as they were declared.
func (c *composition) numbered(declared []property.Erased, skew int) instance.Numbered {
	numbers, clocks, timeless := *c, *c.Clocks, *c
	clocks.ByOrder, clocks.MaxSkew = false, skew
	numbers.Clocks, numbers.Properties, numbers.runners = &clocks, declared, new(sync.Pool)
	timeless.Clocks = nil
	x := interp.New(&timeless)
	return instance.Numbered{Instance: numbers.instance(), Alike: func(s State) string {
		return c.ranked(x, s.(*interp.State)).Key()
	}}
}

// ranked returns a state, with or without numbers, with no clock and with stamps by their rank, as a state of
// an interpreter without times.
func (c *composition) ranked(x *interp.Interp, s *interp.State) *interp.State {
	var stamps []uint32
	c.respaced(x, s, func(stamp *uint32) { stamps = append(stamps, *stamp) }, func(*uint32) {})
	slices.Sort(stamps)
	stamps = slices.Compact(stamps)
	return c.respaced(x, s, func(stamp *uint32) {
		at, _ := slices.BinarySearch(stamps, *stamp)
		*stamp = uint32(at + 1)
	}, func(clock *uint32) { *clock = 0 })
}

// respaced returns a state, of the interpreter x, with all stamps and clocks changed.
func (c *composition) respaced(x *interp.Interp, s *interp.State, stamp, clock func(*uint32)) *interp.State {
	locals, inboxes := make([]value, c.N), make([][]interp.Envelope, c.N)
	for p := range Proc(c.N) {
		locals[p] = c.locals.Copied(s.Local(p))
		if s.IsDead(p) && !c.recovers() {
			continue
		}
		c.Clocks.Local(locals[p], stamp)
		c.Clocks.Seen(locals[p], clock)
		for _, e := range s.Inbox(p) {
			e.M = c.messages.Copied(e.M)
			c.Clocks.Message(e.M, stamp)
			inboxes[p] = append(inboxes[p], e)
		}
	}
	return x.StateOf(s.Dead, locals, inboxes, s.History(), s.Record())
}

// staged returns an instance with too many processes for a search, which is its Mistake. With up to
// MaxProcs processes its runs can be judged and followed; with more they can only be measured.
func (c *composition) staged(x *interp.Interp, j property.Judges, mistake error) Instance {
	parts := c.Network.Crashes > 0 && c.Network.CrashSends != NoPart // that many sends have too many parts
	if c.N > protocol.MaxProcs || parts {
		return Instance{Mistake: mistake, Interp: x}
	}
	return Instance{
		Mistake: mistake, Capacity: c.Capacity, Plain: newPlain(x, j, false), Interp: x,
		Space: &compositionSpace{c: c, x: x, judges: j},
	}
}

type compositionSpace struct {
	c       *composition
	x       *interp.Interp
	judges  property.Judges
	table   judgeTable
	decl    protocol.Declaration
	forgets bool // normal forms replace local states
	// what can be forgotten in a local state and in a message, if forgets
	inLocal, inMessage []func(value) forgettable
	judgedWhole        string         // a property asked for that may read several local states; "": none
	movers             *movers.Movers // received at once; nil: none are
	renamings          [][]Proc       // of processes that may be exchanged; nil: none may
	asked              uint64         // with movers or renamings: the properties to check
}

func (sp *compositionSpace) Actions() []lts.Action { return sp.c.actions }
func (sp *compositionSpace) Properties() []PropertyInfo {
	is := property.Infos(sp.c.Properties)
	for i := range is {
		is[i].ByTable = sp.table.Props>>i&1 == 1
		is[i].StateByState = !is[i].ByTable && sp.judges.OfStates>>i&1 == 1
	}
	return is
}
func (sp *compositionSpace) Fairness() []Fairness   { return sp.c.Fairness }
func (sp *compositionSpace) Reduced() bool          { return sp.renamings != nil }
func (sp *compositionSpace) Delivery() lts.Delivery { return sp.c.Delivery }
func (sp *compositionSpace) Bounds() string         { return sp.c.bounds() }

func (sp *compositionSpace) Open() lts.Opened {
	t := sp.open()
	return lts.Opened{Protocol: t, States: t}
}

func (sp *compositionSpace) declare() {
	c := sp.c
	sp.decl = protocol.Declaration{
		Names: sp.x.Names, Medium: sp.x.Medium, FaultAction: c.firstFault,
		Table: sp.table.Table, Forgets: sp.forgets, Hermetic: c.Hermetic, Movers: sp.movers,
		Renamings: sp.renamings,
	}
	if (sp.movers != nil || sp.renamings != nil) && c.History.Watches && !sp.readsHistory() {
		sp.decl.Medium.History = false
	}
}

func (sp *compositionSpace) Declaration() *protocol.Declaration { return &sp.decl }

func (sp *compositionSpace) Init() (s protocol.Initial) {
	first := sp.x.Start().Settled()
	s.Dead, s.History = first.Dead, sp.c.histories.Append(nil, first.History())
	for p := range Proc(sp.c.N) {
		s.Locals = append(s.Locals, sp.c.locals.Append(nil, first.Local(p)))
		var inbox []protocol.Envelope
		for _, e := range first.Inbox(p) {
			inbox = append(inbox, protocol.Envelope{From: e.From,
				Message: sp.c.messages.Append(nil, sp.normalMessage(e.M))})
		}
		s.Inboxes = append(s.Inboxes, inbox)
	}
	return s
}

// An adapter is the protocol adapter: protocol.Protocol for one search of a composition. It keeps the value
// behind each number.
type adapter struct {
	*compositionSpace
	procs     []processParts
	histories []past
	run       *runner
	other     *runner           // alternates with run, so that arguments that a handler keeps are stale
	out       protocol.Outcomes // of run
	o         protocol.Outcome  // passed to out, with the bytes it points to
	bytes     []byte            // canonical bytes of a result
	written   value             // the local state that bytes stands for, if it is flat; else nil
	compared  []byte            // the first result of Forget; normal is the second
	normal    []byte
	sent      []protocol.Sent
	sentBytes []byte
	shown     value                     // a copy for functions of the model that read a local state
	part      partView                  // of a state, to judge
	verdict   verdict                   // about that part
	held      int                       // estimated bytes in slices and maps of values
	whole     global                    // shows part to properties
	exchanged map[protocol.MemoKey]bool // compared with the renamed ones
}

// processParts are the values of one process, by their numbers.
type processParts struct {
	locals    []value
	byMemory  protocol.Index // of flat locals, by Kind.InMemory
	envelopes []interp.Envelope
	merged    []value // local states that differ from their normal forms, from protocol.Merged on
	inboxes   [][]interp.Envelope
	shown     []envelopes // of inboxes, as properties see them

	ofLocals, ofInboxes []verdict // per local state, per inbox
}

// past is the part of a state that no handler reads.
type past struct {
	history value
	record  protocol.Record
}

func (sp *compositionSpace) open() *adapter {
	t := &adapter{compositionSpace: sp, procs: make([]processParts, sp.c.N), shown: sp.c.locals.Fresh(),
		exchanged: map[protocol.MemoKey]bool{}}
	t.run = &runner{c: sp.c, again: true, yield: t.yield}
	t.other = new(*t.run)
	t.whole = global{N: sp.c.N, view: t.part.open()}
	for p := range t.procs {
		t.procs[p].inboxes = make([][]interp.Envelope, 1) // of the dead
		t.procs[p].shown = []envelopes{sp.c.inbox(nil, nil)}
		t.procs[p].ofInboxes = make([]verdict, 1)
	}
	return t
}

// introduce introduces the parts of the initial state, so that mistakes in them show before the search.
func (t *adapter) introduce(s protocol.Initial) {
	for p := range Proc(t.c.N) {
		t.NewLocal(p, 0, s.Locals[p])
		var envelopes []uint32
		for i, e := range s.Inboxes[p] {
			t.NewMessage(p, uint32(i), e)
			envelopes = append(envelopes, uint32(i))
		}
		if !s.Dead.Has(p) {
			t.NewInbox(p, 1, nil)
			t.NewInbox(p, 2, envelopes)
		}
	}
}

func (t *adapter) NewLocal(p Proc, id uint32, local []byte) protocol.Local {
	var l value
	if t.written != nil && unsafe.SliceData(local) == unsafe.SliceData(t.bytes) {
		l = t.c.locals.Copied(t.written)
	} else {
		l = t.c.locals.Value(local)
	}
	t.checkLocal(p, l)
	t.c.locals.CopyTo(t.shown, l)
	is := t.local(p, t.shown)
	if !t.c.locals.Equal(l, t.shown) {
		panic(&Error{
			Part: "Constraint, Units or a property", What: check.MutatesInput,
			First: t.c.spelled(l), Second: t.c.spelled(t.shown),
		})
	}
	t.hold(t.c.locals, local)
	parts := &t.procs[p]
	parts.locals, parts.ofLocals = append(parts.locals[:id], l), append(parts.ofLocals[:id], t.verdict)
	if t.c.locals.Flat {
		parts.byMemory.Add(t.c.locals.HashInMemory(l), id)
	}
	return is
}

func (t *adapter) NewMessage(to Proc, id uint32, e protocol.Envelope) (is protocol.Message) {
	envelope := interp.Envelope{From: e.From, M: t.c.messages.Value(e.Message)}
	is.Times = t.c.MessageTimes(envelope.M)
	if t.c.Links != nil {
		is.Trace = t.c.MessageTrace(envelope.M)
	}
	if t.renamings != nil {
		is.Named = t.c.namedBy(envelope)
	}
	t.hold(t.c.messages, e.Message)
	parts := &t.procs[to]
	parts.envelopes = append(parts.envelopes[:id], envelope)
	return is
}

func (t *adapter) NewInbox(p Proc, id uint32, messages []uint32) (broken bool) {
	parts := &t.procs[p]
	inbox := make([]interp.Envelope, len(messages))
	for i, m := range messages {
		inbox[i] = parts.envelopes[m]
	}
	shown := t.c.inbox(inbox, nil)
	parts.inboxes, parts.shown = append(parts.inboxes[:id], inbox), append(parts.shown[:id], shown)
	broken = t.judgePart(p, partView{shown: shown})
	parts.ofInboxes = append(parts.ofInboxes[:id], t.verdict)
	t.held += len(messages) * t.c.messages.Size()
	return broken
}

func (t *adapter) NewHistory(id uint32, history []byte, r protocol.Record) {
	t.hold(t.c.histories, history)
	t.histories = append(t.histories[:id], past{t.c.histories.Value(history), r})
}

func (t *adapter) Steps(s protocol.MemoKey, out protocol.Outcomes) {
	t.out = out
	t.run, t.other = t.other, t.run
	l, e := t.procs[s.Proc].local(s.Local), t.received(s)
	if t.c.byOrder() {
		t.keepsOrder(s, l, e)
	}
	if t.renamings != nil && !t.exchanged[s] {
		t.checkOutcomes(s, l, e)
		t.exchanged[s] = true
	}
	t.run.outcomes(s.Proc, l, e, s.Context)
}

// received returns the envelope of the message in a memo key; nil: it has no message.
func (t *adapter) received(s protocol.MemoKey) *interp.Envelope {
	if s.Message == 0 {
		return nil
	}
	return &t.procs[s.Proc].envelopes[s.Message-1]
}

// yield passes an outcome on, in bytes.
func (t *adapter) yield(o *interp.Outcome) bool {
	t.sent, t.sentBytes = t.sent[:0], t.sentBytes[:0]
	for i := range o.Sent {
		s, at := &o.Sent[i], len(t.sentBytes)
		t.sentBytes = t.c.messages.Append(t.sentBytes, t.normalMessage(s.M))
		owner := t.c.Owner(t.run.Proc, s)
		t.sent = append(t.sent, protocol.Sent{To: s.To, Owner: owner, Message: t.sentBytes[at:]})
	}
	// most outcomes lead to a known local state: writing and looking up its canonical bytes each time took
	// 5% of the instructions of a search of timerfree
	known := t.known(o.Local)
	if known == 0 {
		t.bytesOf(t.c.locals, o.Local)
		if t.c.locals.Flat {
			t.written = o.Local
		}
	}
	t.o = protocol.Outcome{
		Action: uint16(o.Action), Handler: uint16(o.Handler), Peer: o.Peer,
		Ordinary: o.Kind == protocol.Ordinary, Crash: o.Crash, Revives: o.Revives, Exhausted: o.Exhausted,
		Fault: o.Fault, Cut: o.Cut, Note: o.Note, Known: known, Local: t.bytes, Sent: t.sent,
	}
	t.out.Add(&t.o)
	return true
}

// known returns 1 + the number of a flat local state of the process that runs; 0: it has none.
func (t *adapter) known(l value) uint32 {
	k, parts := t.c.locals, &t.procs[t.run.Proc]
	if !k.Flat {
		return 0
	}
	return parts.byMemory.Find(k.HashInMemory(l), func(id uint32) bool {
		return k.InMemory(parts.locals[id]) == k.InMemory(l)
	})
}

func (t *adapter) After(history uint32, e Event) (next []byte, kept bool) {
	h, kept := t.c.Remember(t.histories[history].history, e)
	if !kept {
		return nil, false
	}
	return t.bytesOf(t.c.histories, h), true
}

func (t *adapter) Break(p Proc, local uint32, gone Proc) []byte {
	return t.bytesOf(t.c.locals, t.c.Break(t.procs[p].locals[local], gone))
}

func (t *adapter) bytesOf(k *codec.Kind, x value) []byte {
	t.bytes, t.written = k.Append(t.bytes[:0], x), nil
	return t.bytes
}

func (t *adapter) ShiftLocal(p Proc, local uint32, by uint32) []byte {
	return t.bytesOf(t.c.locals, t.c.LocalBack(t.procs[p].locals[local], by))
}

func (t *adapter) ShiftMessage(to Proc, message uint32, by uint32) []byte {
	return t.bytesOf(t.c.messages, t.c.MessageBack(t.procs[to].envelopes[message].M, by))
}

func (t *adapter) Renamed(p Proc, local uint32, by int) []byte {
	return t.bytesOf(t.c.locals, t.c.renamed(t.procs[p].locals[local], t.renamings[by]))
}

func (t *adapter) RenamedMessage(to Proc, message uint32, by int) []byte {
	e := t.c.renamedEnvelope(t.procs[to].envelopes[message], t.renamings[by])
	return t.bytesOf(t.c.messages, e.M)
}

// heldPerByte is the estimated number of bytes in memory for each canonical byte of slices and maps.
const heldPerByte = 16

// hold counts the memory of slices and maps in a value.
func (t *adapter) hold(k *codec.Kind, written []byte) {
	if !k.Flat {
		t.held += heldPerByte * len(written)
	}
}

func (t *adapter) Footprint() (size int) {
	size = t.held
	const pointer, envelope = 8, int(unsafe.Sizeof(interp.Envelope{}))
	for p := range t.procs {
		parts := &t.procs[p]
		size += (len(parts.locals)+len(parts.merged))*(t.c.locals.Size()+pointer) +
			len(parts.envelopes)*(t.c.messages.Size()+envelope) + len(parts.inboxes)*4*pointer +
			(len(parts.ofLocals)+len(parts.ofInboxes))*(int(unsafe.Sizeof(verdict{}))+8*len(t.table.counts))
	}
	return size + len(t.histories)*(t.c.histories.Size()+int(unsafe.Sizeof(past{})))
}

func (t *adapter) Decode(parts *protocol.Parts) State {
	n := t.c.N
	var dead Set
	locals, inboxes := make([]value, n), make([][]interp.Envelope, n)
	for p := range n {
		inbox := parts.At(n + p)
		if inbox == protocol.Closed {
			dead = dead.With(Proc(p))
		}
		locals[p], inboxes[p] = t.procs[p].locals[parts.At(p)], t.procs[p].inboxes[inbox]
	}
	h := &t.histories[parts.At(2*n)]
	return t.x.StateOf(dead, locals, inboxes, h.history, h.record)
}
