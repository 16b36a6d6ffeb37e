package kernel

import (
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Space is a transition system in the form in which it is searched: states are
// vectors of 32-bit words that are equal if and only if the states are.
//
// The methods of a Space may change its tables and are called by one goroutine
// at a time, never while a Cursor is in use; cursors only read the tables.
//
// Whatever asks a model may panic, as a protocol.Protocol says.
type Space interface {
	// Width is the number of words of a state; it changes only in Grow.
	Width() int
	// Init adds the initial states to the batch.
	Init(*Batch)
	// NewCursor returns a reader of the space, for one goroutine.
	NewCursor() Cursor
	// NewFiller returns a cursor that completes the tables.
	NewFiller() Filler
	// Grow changes the layout of vectors and returns the translation from
	// the old layout. Cursors must be thrown away. Grown is the Width that they will have:
	// a search that cannot afford that goes on without Grow.
	Grow() Translation
	Grown() int
	// Footprint estimates the bytes held by the tables of the space.
	Footprint() int64
	// Slots returns where the numbers of parts are in vectors; nil for a System.
	Slots() []protocol.Slot
	// Code returns the code of a state. After Encode several goroutines may ask for codes of states
	// whose parts were all known by then.
	Code(v []uint32) protocol.Code
	// Charges returns the costs of a noted step.
	Charges(n Note) *protocol.Charges
	// CheckMovers checks all that is new about receipts at once. EndLevel reports at the end of a level
	// whether one of them does not commute: then the states found are worthless, and Movers of the
	// declaration are changed.
	CheckMovers()
	EndLevel() (disproved bool)
	// Encode prepares Code.
	Encode()
	// Part returns the canonical bytes of the part of states that has a number in a slot, and Intern the
	// number of the part that has these bytes, which may be new. Outgrown reports whether states no longer
	// fit their vectors then, so that Grow has to be called; it is an error if there is more than can be
	// numbered. Tight reports whether they will soon no longer fit.
	Part(slot int, id uint32) []byte
	Intern(slot int, part []byte) uint32
	Outgrown() (bool, error)
	Tight() bool
	// Kept and Keep are for files: see memofiles.go.
	Kept(from int) [][]byte
	Keep([][]byte)
}

// A Cursor expands states.
type Cursor interface {
	// Hash returns the hash of a state, as Expand and Init put it into the batch. The
	// high bits are the good ones.
	// It is the same in all layouts.
	Hash(s []uint32) uint64
	// Expand appends the successors of s: all of them if the tag is zero, else those
	// that have to be looked up by a search by levels in which s was reached by the step
	// that the tag is of. If the tables lack something, the batch is as it was and the
	// result is false: a Filler has to do it.
	Expand(s []uint32, came SleepTag, b *Batch) (e Enabled, ok bool)
	// Annotate appends all successors of s, for which the tables must lack nothing, and notes of all
	// steps to the notes of the batch.
	Annotate(s []uint32, b *Batch) Enabled
}

// A Filler is a cursor whose Expand finds out what the tables lack, and puts it into
// them. No other cursor may be in use meanwhile.
type Filler interface {
	Cursor
	// Verify asks once more about the entries filled in since it was last called. If the model is not a
	// function it panics, and sets in to the state in whose expansion the entry was filled in.
	Verify(in *[]uint32)
	// Err returns why the latest Expand was false: that there is more than can be numbered; nil if
	// states no longer fit their vectors, so that Grow has to be called, after which the rest can
	// be filled in.
	Err() error
}

// space is the Space of a protocol. A state is the vector of its parts' numbers: for each
// process its local state and its inbox (everything on its way to it), and the history. What
// numbers turn into is the machine's.
type space struct {
	protocol protocol.Protocol
	decl     *protocol.Declaration
	machine
	procs        []tables
	sendingLists listed           // lists of sendings, as pairs of numbers
	sendingFirst []uint32         // per list: where it begins in sendings
	memoKey      protocol.MemoKey // that is new
	exhausted    bool             // a handler has asked for a number in vain
	found        []transition     // its outcomes
	rerun        rerun
	scratch      []uint32          // envelopes of an inbox
	key          []uint32          // of a list of sendings
	bytes        []byte            // of an envelope, or a history
	histories    interned          // with their records behind them
	codes        [][]protocol.Code // per slot, by number, as far as they were asked for
	events       numbers[occurrence]
	owners       interned           // of messages in channels, a byte for each, in order
	charges      []protocol.Charges // of these
	start        []uint32           // numbers of the initial state
	filled       []filledEntry      // since it was verified
	kept         []entry            // memo keys, receipts with 1 + the envelope, endless ones: see Kept
	facts        []protocol.Local
	asked        int // how many of them were asked about often
	cause        int // 1 + the index in filled of the entry being verified; 0: none
	memosFilled  int // memo keys, if the protocol is hermetic
}

// An occurrence is a step as the history, and the record, see it.
type occurrence struct {
	protocol.Event
	fault protocol.ChannelFault
}

// tables are the numberings that belong to one process.
type tables struct {
	*procTables
	locals    interned
	envelopes interned        // messages behind the byte of their sender
	senders   []protocol.Proc // per envelope
	times     []protocol.Times
	ranked    []uint32 // where times count by their order only: see addRanked
	traces    []protocol.Trace
	inboxes   listed // of envelopes
	groups    listed // of envelopes that one step sends here

	merged   interned  // local states that are taken for others
	mergings []merging // per local state
}

// Inbox 0 belongs to the dead: nothing is ever put into it. It stands for no list of envelopes.
const (
	dead       = protocol.Closed
	emptyInbox = dead + 1
)

// New returns the space of a protocol. It panics if the model is at fault, like the protocol does.
func New(p protocol.Protocol) Space {
	d := p.Declaration()
	n, m := len(d.Names), &d.Medium
	sp := &space{protocol: p, decl: d, procs: make([]tables, n), codes: make([][]protocol.Code, 2*n+1)}
	sp.open(n, m)
	sp.settles = m.Clocks || m.InFlight > 0
	sp.openMovers()
	sp.openSymmetry()
	sp.completes = sp.settles || sp.movers != nil || sp.symmetry != nil
	sp.chargesOf(&protocol.Outcome{}, 0) // nothing, which has the number 0
	sp.numberFaults()
	sp.table = d.Table
	sp.markNeedsCheck(false)
	for p := range sp.procs {
		t := &sp.procs[p]
		t.procTables = &sp.procTables[p]
		t.inboxes.values = append(t.inboxes.values, "") // the inbox of the dead
		sp.enterInbox(t, nil)
		sp.name(n+p, 0)
		t.inboxRows[dead].delivers = span{}
		sp.inbox(protocol.Proc(p), nil)
	}
	sp.start = sp.number(p.Init())
	for lacks := 0; sp.symmetry != nil && lacks >= 0; {
		sp.rename(lacks, sp.start[lacks])
		lacks = sp.symmetry.represent(sp.start[:2*n])
	}
	for i := 0; sp.movers != nil && i < len(sp.movers.Seen); i++ { // in a search before this one
		x := &sp.movers.Seen[i]
		sp.envelope(protocol.Proc(x.To), protocol.Proc(x.From), x.Bytes)
	}
	sp.EndLevel()
	sp.arrange(sp.counts())
	return sp
}

func (sp *space) Charges(n Note) *protocol.Charges { return &sp.charges[n.charges] }

func (sp *space) Width() int { return sp.layout.width }

// counts returns how many different numbers each slot has.
func (sp *space) counts() []int {
	counts := make([]int, len(sp.codes))
	for slot := range counts {
		counts[slot] = sp.known(slot)
	}
	if !sp.History && !sp.Recovers && !sp.Faults.Some() {
		counts[sp.historySlot()] = 0
	}
	return counts
}

func (sp *space) Init(b *Batch) {
	use, live := 0, 0
	for p := range sp.procs {
		if sp.start[sp.inboxSlot(protocol.Proc(p))] != dead {
			use, live = use+int(sp.units(protocol.Proc(p), sp.start[p])), live+1
		}
	}
	rec, h := make([]uint32, b.Stride), hash(0)
	for i, id := range sp.start {
		sp.layout.slots[i].Set(rec, 0, id)
		h += hash(id) * hashConstants[i]
	}
	rec[b.Width+RecordTag] = uint32(sp.needsCheck[live].mark(SleepTag(use) << tagUse))
	b.setHash(rec, h)
	b.Words = append(b.Words, rec...)
	for p := range sp.procs {
		if sp.procs[p].outside[sp.start[p]] {
			b.moveOutside()
			return
		}
	}
}

func (sp *space) Grown() int {
	words, _ := spread(sp.counts())
	return len(words)
}

func (sp *space) Grow() Translation {
	old := sp.layout
	sp.arrange(sp.counts())
	return old.translate(sp.layout)
}

func (sp *space) Footprint() int64 {
	size := sp.machine.bytes() + sp.histories.bytes() + sp.protocol.Footprint() +
		len(sp.kept)*int(unsafe.Sizeof(entry{})+4) // with its number in a merging
	for p := range sp.procs {
		t := &sp.procs[p]
		size += t.locals.bytes() + t.envelopes.bytes() + t.groups.bytes() + t.inboxes.bytes() +
			3*t.inboxes.size + // a delivery of each envelope
			t.merged.bytes() + len(t.mergings)*int(unsafe.Sizeof(merging{}))
	}
	return int64(size)
}

func (sp *space) Slots() []protocol.Slot { return sp.layout.slots }

// Code adds up the codes of the parts of the state; each is computed once.
func (sp *space) Code(v []uint32) (all protocol.Code) {
	for slot := range sp.codes {
		all = all.Plus(sp.codeOf(slot, sp.layout.slots[slot].Get(v)))
	}
	return all
}

// codeOf returns the code of a part by its number. It first computes the codes up to it that nobody has asked
// for: after Encode it changes nothing, so that several goroutines may call it.
func (sp *space) codeOf(slot int, id uint32) protocol.Code {
	codes := &sp.codes[slot]
	for n := len(*codes); n <= int(id); n++ {
		*codes = append(*codes, protocol.CodeOf(slot, sp.Part(slot, uint32(n))))
	}
	return (*codes)[id]
}

// inboxBytes returns the canonical bytes of an inbox.
func (sp *space) inboxBytes(t *tables, inbox uint32) []byte {
	if inbox == dead {
		return nil
	}
	var envelopes []protocol.Envelope
	for _, envelope := range t.inboxes.at(inbox) {
		message := []byte(t.envelopes.values[envelope][1:])
		envelopes = append(envelopes, protocol.Envelope{From: t.senders[envelope], Message: message})
	}
	return protocol.InboxBytes(sp.Channel, envelopes)
}
