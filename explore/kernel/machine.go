package kernel

import (
	"iter"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// A machine is a composition in numbers: it knows which numbers follow from which,
// and nothing of what they stand for. The steps of a process by itself depend on its
// local state and on the dead processes, the receipt of an envelope on that envelope too; this
// is a memo key. Handlers run once for each memo key that comes up, and the
// result is remembered as a list of transitions.
type machine struct {
	*protocol.Medium
	procTables  []procTables
	transitions []transition // lists, one behind the other
	effects     numbers[effect]
	sendings    []sending // lists, one behind the other
	successor   table     // of a history after an event: number<<2, or excluded, or impossible
	settles     bool      // there are clocks or bounds
	movers      *movers   // nil: no messages are received at once
	symmetry    *symmetry // nil: no processes may be exchanged
	completes   bool      // settles, or there are movers or renamings
	layout      layout
	counts      []int                             // how many numbers each slot had, when they were laid out
	table       protocol.Table                    // of properties judged by it
	needsCheck  [protocol.MaxProcs + 1]needsCheck // per number of live processes
	// the largest number of units of one process that is counted in tags
	maxHeld mark
	// per set of the dead: 1 + the number of its context; 0: it has none yet
	deadSets []uint32
	contexts map[protocol.Context]uint32 // with links, order or many processes, in place of deadSets

	// Where channels fail:
	ofMessages []knownFault
	ofNetwork  []knownFault
	apart      []bool // per history, if there is a partition: it is on
}

// procTables are the tables of one process: what became of its steps, and of what arrives.
type procTables struct {
	memos      []*memos     // per number of the context
	arrivals   rows[uint32] // per inbox and group: the inbox after it has arrived
	inboxRows  []inboxRows  // per inbox
	deliveries []delivery   // lists, one behind the other
	outside    []bool       // per local state: the constraint rejects it
	localMarks []mark       // per local state

	// Where there are clocks or bounds, see Clocks:
	localTimes     []timing // per local state
	inboxTimes     []timing // per inbox
	shiftedLocals  table    // a local state and a time to move back by, to a local state
	shiftedInboxes table    // the same for inboxes

	// Where channels fail:
	failing []span // per inbox: deliveries that can be lost or copied, with their senders
	inside  []span // per inbox: deliveries while there is a partition, with their senders
	copies  table  // an inbox and an envelope, to the inbox with a copy of it

	// Where there are links:
	localTraces []protocol.Trace // per local state
	inboxTraces []protocol.Trace // per inbox
	broken      table            // a local state and a process that crashes, to a local state
}

// Values in successor that are no history.
const (
	excluded   = 1 // an assumption, or with guards the model, forbids the step
	impossible = 2 // it is not enabled
)

// memos are what a process does in a context.
type memos struct {
	of       []localRows      // per local state
	cells    rows[transition] // per envelope, in the row of a local state
	receipts table            // a local state and an envelope, to a receipt
}

// localRows are what a process can do in a local state.
type localRows struct {
	idle      transition // without receiving anything
	receiving rowSpan    // of memos.cells: with an envelope
}

// inboxRows are the steps of an inbox.
type inboxRows struct {
	delivers span    // a list of deliveries
	arrives  rowSpan // of arrivals
}

// emptyRows: a local state with no memo yet.
var emptyRows localRows

// at returns what a process can do in a local state.
func (s *memos) at(local uint32) *localRows {
	if int(local) < len(s.of) {
		return &s.of[local]
	}
	return &emptyRows
}

// put stores the transitions of a local state, and of an envelope, given as 1 + its number; 0: none.
func (s *memos) put(local, envelope uint32, tr transition) {
	s.of = upTo(s.of, local)
	if envelope == 0 {
		s.of[local].idle = tr
	} else {
		s.cells.put(&s.of[local].receiving, envelope-1, tr)
	}
}

// needsCheck has, per number of units in use, tagSuspect if a state has to be judged, or 0.
type needsCheck [256]SleepTag

// mark makes a tag suspect if the state has to be judged.
func (a *needsCheck) mark(t SleepTag) SleepTag { return t | a[t.use()] }

// A span is a part of a list.
type span struct{ first, n uint32 }

// unknown is the span of deliveries that were not looked for yet.
var unknown = span{n: 1 << 31}

// A delivery takes an envelope out of an inbox.
type delivery struct {
	envelope uint32
	rest     uint32 // the inbox without it
	// from is its sender, or MaxProcs if that cannot have sent it in the last step, unless it
	// sent several envelopes.
	from protocol.Proc
}

// A transition is one outcome of a memo key. The tables are read at random and should stay
// in the cache, so transitions are short, and the many that differ in nothing but the local
// state share an effect. Most memo keys have one outcome; it is all that is stored.
type transition struct {
	local uint32 // of a list, where it begins in transitions
	kind  transitionKind
}

// A transitionKind is the number of an effect << 2, plus these.
type transitionKind uint32

// The kind 0: not known yet.
const (
	lastTransition transitionKind = 1 << iota // it is not followed by another
	transitionList                            // it is several; or none: lastTransition is set too

	noTransitions = transitionList | lastTransition
)

func (k transitionKind) effect() uint32 { return uint32(k >> 2) }

// An effect is what a transition does besides changing the local state.
type effect struct {
	label        uint32   // as in records
	tag          SleepTag // but for the units in use
	units        int32    // by how much it changes the units in use
	firstSending uint32
	event        uint32 // 1 + number of the event for the history; 0: none
	charges      uint32
	sendings     uint8
	flags        stepFlags
}

func (e *effect) hash() hash {
	return hashWords([]uint32{e.label, uint32(e.tag), uint32(e.units), e.firstSending, e.event, e.charges,
		uint32(e.sendings), uint32(e.flags)})
}

type stepFlags uint8

const (
	crashes  stepFlags = 1 << iota // the process is dead afterwards
	ordinary                       // the step counts against quiet
	outside                        // the constraint rejects the local state
	eventful                       // the history takes note of it
	enabled                        // of a state: there is a step
)

// A sending is a group, the envelopes that one step sends to one process, on its way into the inbox of a
// process.
type sending struct {
	to    uint32
	group uint32
}

// An entry of the tables is a question: the answer stands in the table of its kind.
type entry struct {
	kind entryKind
	proc protocol.Proc
	a, b uint32
	in   protocol.Context // in which a memo key came up
}

type entryKind uint8

const (
	memoEntry         entryKind = iota // a: local state, b: 1 + the message received or 0
	deliveriesEntry                    // a: inbox
	arrivalEntry                       // a: inbox, b: group
	historyEntry                       // a: history, b: event
	brokenEntry                        // a: local state, b: the process that crashes
	copyEntry                          // a: inbox, b: envelope
	shiftedLocalEntry                  // a: local state, b: time to move back by
	shiftedInboxEntry                  // a: inbox, b: time to move back by
	receiptEntry                       // a: local state, b: envelope
	endlessEntry                       // a: local state, b: envelope
	imageEntry                         // a: slot of symmetry, b: number
)

// Numbers of local states, and of messages to receive, have 24 bits at most.
const (
	maxLocals    = protocol.Merged
	maxEnvelopes = 1<<24 - 1
)

// memoKey returns what an entry of the kind memoEntry is about.
func (m *entry) memoKey() protocol.MemoKey {
	return protocol.MemoKey{Proc: m.proc, Local: m.a, Message: m.b, Context: m.in}
}

// open opens the zero machine for n processes. It is too large to be passed by value.
func (m *machine) open(n int, medium *protocol.Medium) {
	m.Medium, m.procTables, m.contexts = medium, make([]procTables, n), map[protocol.Context]uint32{}
	m.maxHeld = mark(min(maxHeld, maxUse/n))
	if n <= fewProcs {
		m.deadSets = make([]uint32, 1<<n)
	}
	for p := range m.procTables {
		m.procTables[p].arrivals = newRows[uint32]()
	}
}

// units returns the units that p uses in a local state, as far as they are counted in tags.
func (m *machine) units(p protocol.Proc, local uint32) int32 {
	return int32(min(m.procTables[p].localMarks[local]&countedUnits, m.maxHeld))
}

// slots: n local states, n inboxes, the history.
func (m *machine) inboxSlot(p protocol.Proc) int { return len(m.procTables) + int(p) }
func (m *machine) historySlot() int              { return 2 * len(m.procTables) }

// arrange makes a new layout of vectors, for counts of numbers per slot. It expects that the count of each
// slot grows twice more by the factor by which it grew since the last layout: timerfree n=4 k=3 f=2
// rounds=1,1,0,0 channel=fifo gets one more layout then, and 3 times if no growth is expected
// (docs/decisions/01-search.md).
func (m *machine) arrange(counts []int) {
	expected := make([]float64, len(counts))
	for i, n := range counts {
		growth := 1.0
		if i < len(m.counts) && m.counts[i] > 0 {
			growth = float64(n) / float64(m.counts[i])
		}
		expected[i] = float64(n) * growth * growth
	}
	m.layout, m.counts = pack(counts, expected), counts
}

// memos returns what p does in a context, which may be new.
func (m *machine) memos(p protocol.Proc, in protocol.Context) *memos {
	i := m.contextNumber(in)
	if i == 0 {
		for q := range m.procTables {
			m.procTables[q].memos = append(m.procTables[q].memos, &memos{cells: newRows[transition]()})
		}
		i = uint32(len(m.procTables[p].memos))
		if m.Links || m.Order || m.deadSets == nil {
			m.contexts[in] = i
		} else {
			m.deadSets[in.Dead] = i
		}
	}
	return m.procTables[p].memos[i-1]
}

// contextNumber returns 1 + the number of a context; 0: it has none yet.
func (m *machine) contextNumber(in protocol.Context) uint32 {
	if m.Links || m.Order || m.deadSets == nil {
		return m.contexts[in]
	}
	return m.deadSets[in.Dead]
}

// all yields the transitions of a memo key.
func (m *machine) all(tr transition) iter.Seq[transition] {
	return func(yield func(transition) bool) {
		switch {
		case tr.kind&transitionList == 0:
			yield(tr)
		case tr.kind&lastTransition == 0:
			for i := tr.local; yield(m.transitions[i]) && m.transitions[i].kind&lastTransition == 0; {
				i++
			}
		}
	}
}

// bytes returns the memory held.
func (m *machine) bytes() int {
	const entry = 48 // of a Go map, besides the key
	size := len(m.transitions)*int(unsafe.Sizeof(transition{})) +
		len(m.sendings)*int(unsafe.Sizeof(sending{})) +
		len(m.effects.values)*int(unsafe.Sizeof(effect{})) + m.effects.Bytes() + m.successor.bytes() +
		4*len(m.deadSets) + (int(unsafe.Sizeof(protocol.Context{}))+entry)*len(m.contexts)
	for p := range m.procTables {
		g := &m.procTables[p]
		size += 8*len(g.arrivals.cells) + 16*len(g.inboxRows) + 12*len(g.deliveries) +
			g.shiftedLocals.bytes() + g.shiftedInboxes.bytes() + g.broken.bytes() + g.copies.bytes() +
			16*(len(g.localTimes)+len(g.inboxTimes)+len(g.localTraces)+len(g.inboxTraces)) +
			8*(len(g.failing)+len(g.inside)) + len(g.outside) + len(g.localMarks)
		for i := range g.memos {
			s := g.memos[i]
			size += 16*len(s.of) + 12*len(s.cells.cells) + s.receipts.bytes()
		}
	}
	return size
}
