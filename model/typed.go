package model

import (
	"reflect"
	"unsafe"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/stage"
)

// Compose makes a composition explorable. If there is a mistake in it, Check tells.
func Compose[L, M, H any](c Composition[L, M, H]) (in Instance) {
	defer caught(&in)()
	if err := c.checkTypes(); err != nil {
		return Instance{mistake: err}
	}
	c.of = &codecs[L, M, H]{codecOf[L](), codecOf[M](), codecOf[H]()}
	err := c.check()
	c.Names.count = c.N
	if err != nil && c.N > c.most() && c.N <= protocol.MaxStage && c.Links == nil &&
		!c.Network.Faults.Some() {
		return c.staged(err)
	}
	if err != nil {
		return Instance{mistake: err}
	}
	actions := c.actions()
	c.Properties = merged(assume(spelledOut(c.Properties), c.Assume), c.namedPart)
	j := newJudges(c.Properties, actions)
	sp := &composed[L, M, H]{
		c: &c, actions: actions, judges: j, table: newJudgeTable(&c),
		ofLocal: &c.of.local, ofMessage: &c.of.message, ofHistory: &c.of.history,
	}
	sp.counters = countersIn(reflect.TypeFor[L](), 0)
	sp.declare()
	sp.open().meet(sp.sameInit())
	plain := &worldPlain[L, M, H]{c: &c, judges: j}
	return Instance{
		Space: sp, Plain: plain, Nodes: newNodes(c), Capacity: c.Capacity,
		NewStage: func(light bool) stage.Stage { return newStage(&c, j, light) },
	}
}

// staged is an instance with more processes than a search takes, which is why it has a mistake. Up to
// MaxProcs its runs can be judged and followed; more can be measured only.
func (c *Composition[L, M, H]) staged(mistake error) Instance {
	actions := c.actions()
	c.Properties = merged(assume(spelledOut(c.Properties), c.Assume), c.namedPart)
	j := newJudges(c.Properties, actions)
	parts := c.Network.Crashes > 0 && c.Network.CrashSends != NoPart // of so many sends they are not listed
	if c.N > protocol.MaxProcs || parts {
		return Instance{mistake: mistake, NewStage: func(bool) stage.Stage { return newStage(c, j, true) }}
	}
	return Instance{
		mistake: mistake, Capacity: c.Capacity, Plain: &worldPlain[L, M, H]{c: c, judges: j},
		Space:    &composed[L, M, H]{c: c, actions: actions, judges: j},
		NewStage: func(light bool) stage.Stage { return newStage(c, j, light) },
	}
}

// namedPart names a part of a property that has no name: after the process, where there is one
// for each.
func (c *Composition[L, M, H]) namedPart(part, parts int) string {
	if parts == c.N {
		return c.Names.Of(Proc(part))
	}
	return numberedPart(part, parts)
}

// composed is the Space of a composition.
type composed[L, M, H any] struct {
	c           *Composition[L, M, H]
	actions     []lts.Action
	judges      judges[Global[L, M, H]]
	table       judgeTable
	decl        protocol.Declaration
	forgets     bool      // local states are taken for their normal forms
	judgedWhole string    // a property asked that may look at several local states at once; "": none
	counters    []uintptr // where Counters are in a local state

	ofLocal   *codec[L]
	ofMessage *codec[M]
	ofHistory *codec[H]
}

// codecs are those of what a composition is made of.
type codecs[L, M, H any] struct {
	local   codec[L]
	message codec[M]
	history codec[H]
}

func (sp *composed[L, M, H]) Actions() []lts.Action { return sp.actions }
func (sp *composed[L, M, H]) Properties() []PropertyInfo {
	is := info(sp.c.Properties)
	for i := range is {
		is[i].ByTable = sp.table.Props>>i&1 == 1
		is[i].StateByState = !is[i].ByTable && sp.judges.ofStates>>i&1 == 1
	}
	return is
}
func (sp *composed[L, M, H]) Fairness() []Fairness   { return sp.c.Fairness }
func (sp *composed[L, M, H]) Reduced() bool          { return false }
func (sp *composed[L, M, H]) Delivery() lts.Delivery { return sp.c.Delivery }
func (sp *composed[L, M, H]) Bounds() string         { return sp.c.bounds() }

func (sp *composed[L, M, H]) Open() lts.Opened {
	t := sp.open()
	return lts.Opened{Protocol: t, States: t, Underway: t}
}

// declare fills in what the kernel has to know.
func (sp *composed[L, M, H]) declare() {
	c := sp.c
	sp.decl = protocol.Declaration{
		Medium: protocol.Medium{
			Channel: c.Network.Channel, Faults: c.Network.Faults,
			Clocks: c.Clocks != nil, InFlight: uint32(c.Network.MaxInFlight),
			History: c.History.Step != nil, Guards: c.History.Guards,
			Links: c.Links != nil, Recovers: c.recovers(), Crashes: c.Network.Crashes,
		},
		FaultAction: c.firstFault(), Charged: c.Charge != nil, Table: sp.table.Table, Forgets: sp.forgets,
		Hermetic: c.Hermetic,
	}
	if c.Clocks != nil {
		sp.decl.Medium.Skew = uint32(c.Clocks.MaxSkew)
	}
	if c.Links != nil {
		sp.decl.Medium.Rising = c.Links.Rising
	}
	for p := range Proc(c.N) {
		sp.decl.Names = append(sp.decl.Names, c.Names.Of(p))
	}
}

func (sp *composed[L, M, H]) Declaration() *protocol.Declaration { return &sp.decl }

func (sp *composed[L, M, H]) Init() (s protocol.Initial) {
	w := sp.c.start().settled()
	s.Dead, s.History = w.dead, sp.ofHistory.append(nil, &w.history)
	for p := range w.local {
		s.Locals = append(s.Locals, sp.ofLocal.append(nil, &w.local[p]))
		var inbox []protocol.Envelope
		for i := range w.inbox[p] {
			envelope := &w.inbox[p][i]
			inbox = append(inbox, protocol.Envelope{From: envelope.From, Message: sp.ofMessage.append(nil,
				&envelope.M)})
		}
		s.Inboxes = append(s.Inboxes, inbox)
	}
	return s
}

// typed is a composition as one search asks about it: the protocol, and the values of what has
// got a number.
type typed[L, M, H any] struct {
	*composed[L, M, H]
	procs     []typedParts[L, M]
	histories []past[H]
	run       *runner[L, M, H]
	other     *runner[L, M, H]  // takes turns with run, so that arguments that a handler keeps are stale
	under     underway          // of run and other
	keysLater uint64            // memo keys of which StepsLater was asked
	out       protocol.Outcomes // of what run runs
	o         protocol.Outcome  // that is handed over, with what it points to
	after     L
	bytes     []byte // also of what is returned
	compared  []byte // likewise of Forget, beside an outcome
	normal    []byte
	sent      []protocol.Sent
	sentBytes []byte
	shown     L                 // to functions of the model that look at a local state
	part      partView[L, M, H] // of a state, to be judged
	said      said              // of that part
	held      int               // bytes that slices and maps of values hold, about
	counted   []int             // likewise
	whole     Global[L, M, H]   // as which properties see it
}

// typedParts are the values of one process, by number.
type typedParts[L, M any] struct {
	locals    []L
	byMemory  byMemory // the numbers of locals
	envelopes []Envelope[M]
	merged    []L      // local states that are taken for others, from protocol.Merged on
	inboxes   []extent // in spelled
	spelled   []Envelope[M]

	// What is judged by table: per local state and inbox, of the counts so many each as there are properties
	// that count.
	ofLocals, ofInboxes      []said
	localCounts, inboxCounts []int
}

// An extent is a part of a list.
type extent struct{ first, end uint32 }

// past is the part of a state that no handler reads.
type past[H any] struct {
	history H
	record  protocol.Record
}

func (sp *composed[L, M, H]) open() *typed[L, M, H] {
	t := &typed[L, M, H]{composed: sp, procs: make([]typedParts[L, M], sp.c.N)}
	t.run, t.other = t.newRunner(), t.newRunner()
	t.whole = Global[L, M, H]{N: sp.c.N, view: &t.part}
	for p := range t.procs {
		t.procs[p].inboxes = make([]extent, 1) // that of the dead
		t.procs[p].ofInboxes, t.procs[p].inboxCounts = make([]said, 1), make([]int, len(sp.table.counts))
	}
	return t
}

// meet makes the parts of the initial state known, so that it shows early if the model fails there.
func (t *typed[L, M, H]) meet(s protocol.Initial) {
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

func (t *typed[L, M, H]) NewLocal(p Proc, id uint32, local []byte) protocol.Local {
	l := t.ofLocal.value(local)
	t.ofLocal.copyTo(&t.shown, &l)
	is := t.local(p, &t.shown)
	if !t.ofLocal.equal(&l, &t.shown) {
		panic(&Error{
			Part: "Constraint, Units or a property", What: meddling,
			First: spelled(l, t.c.Names), Second: spelled(t.shown, t.c.Names),
		})
	}
	t.hold(&t.ofLocal.shape, local)
	parts := &t.procs[p]
	parts.locals, parts.ofLocals = append(parts.locals[:id], l), append(parts.ofLocals[:id], t.said)
	if t.ofLocal.flat {
		enter(&parts.byMemory, t.ofLocal, parts.locals)
	}
	parts.localCounts = append(parts.localCounts[:int(id)*len(t.counted)], t.counted...)
	return is
}

func (t *typed[L, M, H]) NewMessage(to Proc, id uint32, e protocol.Envelope) (is protocol.Message) {
	envelope := Envelope[M]{e.From, t.ofMessage.value(e.Message)}
	is.Times = t.c.timesIn(envelope.M)
	if t.c.Links != nil {
		defer named(part("Links"))
		is.Trace = t.c.Links.ofMessage(&envelope.M, t.c.N)
	}
	t.hold(&t.ofMessage.shape, e.Message)
	parts := &t.procs[to]
	parts.envelopes = append(parts.envelopes[:id], envelope)
	return is
}

func (t *typed[L, M, H]) NewInbox(p Proc, id uint32, messages []uint32) (broken bool) {
	parts := &t.procs[p]
	first := parts.inboxes[id-1].end
	parts.spelled = parts.spelled[:first] // without those of an inbox of which a property failed
	for _, m := range messages {
		parts.spelled = append(parts.spelled, parts.envelopes[m])
	}
	parts.inboxes = append(parts.inboxes[:id], extent{first, uint32(len(parts.spelled))})
	broken = t.inbox(p, parts.content(id))
	parts.ofInboxes = append(parts.ofInboxes[:id], t.said)
	parts.inboxCounts = append(parts.inboxCounts[:int(id)*len(t.counted)], t.counted...)
	return broken
}

// content returns the envelopes of an inbox.
func (t *typedParts[L, M]) content(inbox uint32) []Envelope[M] {
	x := t.inboxes[inbox]
	return t.spelled[x.first:x.end:x.end]
}

func (t *typed[L, M, H]) NewHistory(id uint32, history []byte, r protocol.Record) {
	t.hold(&t.ofHistory.shape, history)
	t.histories = append(t.histories[:id], past[H]{t.ofHistory.value(history), r})
}

func (t *typed[L, M, H]) Steps(s protocol.MemoKey, out protocol.Outcomes) {
	t.out = out
	t.run, t.other = t.other, t.run
	parts := &t.procs[s.Proc]
	l := parts.local(s.Local)
	if s.Message == 0 {
		t.run.idle(s.Proc, l, s.Setting)
	} else {
		t.run.react(s.Proc, l, parts.envelopes[s.Message-1], s.Setting)
	}
}

// Askers returns Steps of copies, which share the values of what has got a number and have all else to
// themselves. Handlers have to be hermetic: others may get into each other's way.
func (t *typed[L, M, H]) Askers(n int) (all []func(protocol.MemoKey, protocol.Outcomes)) {
	for range n {
		if !t.c.Hermetic {
			return nil
		}
		a := &typed[L, M, H]{composed: t.composed, procs: t.procs}
		a.run, a.other = a.newRunner(), a.newRunner()
		all = append(all, a.Steps)
	}
	return all
}

// newRunner returns a runner for Steps.
func (t *typed[L, M, H]) newRunner() *runner[L, M, H] {
	return &runner[L, M, H]{c: t.c, again: true, yield: t.yield, under: &t.under}
}

// yield hands over an outcome, in bytes.
func (t *typed[L, M, H]) yield(o *outcome[L, M]) {
	t.sent, t.sentBytes = t.sent[:0], t.sentBytes[:0]
	for i := range o.sent {
		s, at := &o.sent[i], len(t.sentBytes)
		t.sentBytes = t.ofMessage.append(t.sentBytes, &s.M)
		t.sent = append(t.sent, protocol.Sent{To: s.To, Owner: t.c.charge(t.run.p, *s),
			Message: t.sentBytes[at:]})
	}
	parts := &t.procs[t.run.p]
	known := lookUp(&parts.byMemory, t.ofLocal, parts.locals, &o.local)
	if known == 0 {
		t.after = o.local
		t.bytesOf(&t.after)
	}
	t.o = protocol.Outcome{
		Action: uint16(
			o.action,
		), Handler: uint16(o.handler), Peer: o.peer, Ordinary: o.kind == protocol.Ordinary,
		Crash: o.crash, Revives: o.revives, Exhausted: o.exhausted, Fault: o.fault, Cut: o.cut, Note: o.note,
		Known: known, Local: t.bytes, Sent: t.sent,
	}
	t.out.Add(&t.o)
}

func (t *typed[L, M, H]) After(history uint32, e Event) (next []byte, kept bool) {
	h := t.ofHistory.copied(&t.histories[history].history)
	if !t.c.remember(&h, e) {
		return nil, false
	}
	t.bytes = t.ofHistory.append(t.bytes[:0], &h)
	return t.bytes, true
}

func (t *typed[L, M, H]) Break(p Proc, local uint32, gone Proc) []byte {
	l := t.ofLocal.copied(&t.procs[p].locals[local])
	t.c.Links.breaks(&l, gone)
	return t.bytesOf(&l)
}

func (t *typed[L, M, H]) bytesOf(l *L) []byte {
	t.bytes = t.ofLocal.append(t.bytes[:0], l)
	return t.bytes
}

func (t *typed[L, M, H]) ShiftLocal(p Proc, local uint32, by uint32) []byte {
	defer named(part("Clocks"))
	l := t.ofLocal.copied(&t.procs[p].locals[local])
	t.c.Clocks.Local(&l, func(time *uint32) { *time -= by })
	return t.bytesOf(&l)
}

func (t *typed[L, M, H]) ShiftMessage(to Proc, message uint32, by uint32) []byte {
	defer named(part("Clocks"))
	m := t.ofMessage.copied(&t.procs[to].envelopes[message].M)
	t.c.Clocks.Message(&m, func(time *uint32) { *time -= by })
	t.bytes = t.ofMessage.append(t.bytes[:0], &m)
	return t.bytes
}

// heldPerByte is about how many bytes slices and maps take in memory for each that is written of them.
const heldPerByte = 16

// hold counts what a value holds in slices and maps.
func (t *typed[L, M, H]) hold(s *shape, written []byte) {
	if !s.flat {
		t.held += heldPerByte * len(written)
	}
}

func (t *typed[L, M, H]) Footprint() (size int) {
	size = t.held
	var l L
	var m Envelope[M]
	var h past[H]
	for p := range t.procs {
		parts := &t.procs[p]
		size += (len(parts.locals)+len(parts.merged))*int(unsafe.Sizeof(l)) + 8*len(parts.inboxes) +
			(len(parts.envelopes)+len(parts.spelled))*int(unsafe.Sizeof(m)) +
			(len(parts.ofLocals)+len(parts.ofInboxes))*int(unsafe.Sizeof(said{})) +
			8*(len(parts.localCounts)+len(parts.inboxCounts))
	}
	return size + len(t.histories)*int(unsafe.Sizeof(h))
}

func (t *typed[L, M, H]) Decode(parts *protocol.Parts) State {
	n := t.c.N
	w := &world[L, M, H]{c: t.c}
	for p := range n {
		inbox := partAt(parts, n+p)
		if inbox == protocol.Closed {
			w.dead = w.dead.With(Proc(p))
		}
		w.local = append(w.local, t.procs[p].locals[partAt(parts, p)])
		w.inbox = append(w.inbox, t.procs[p].content(inbox))
	}
	h := &t.histories[partAt(parts, 2*n)]
	w.history, w.record = h.history, h.record
	return w
}
