package occupancy

import (
	"errors"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Judging has the numbers of units and the reading by which the logs of a run are judged.
type Judging struct {
	// Units says how many units of each resource may be in use at once, when the header of the
	// logs is known.
	Units func(formats.Header) (func(resource string) int, error)
	Reading
	// Whole, if it is not nil, is called when events begin to pile up in memory.
	Whole func()
}

// What an engine waits for before it judges: evidence is the number of events at the beginning of a log that
// are kept until all of them are judged; settling is how many wait later on, as those after them may narrow
// their times, or have happened before; piling is how many may wait before the memory is looked after.
var (
	evidence = 1 << 14
	settling = 1 << 12
)

const piling = 1 << 17

// An engine judges events in the order of time, and forgets them.
type engine struct {
	how    Judging
	rd     *order.Collector
	l      *order.Log
	judge  *judge
	found  formats.Findings // about holdings
	counts formats.Findings // about counts and clocks
	units  func(resource string) int
	live   bool             // the log has no end: nothing is waited for
	begun  []*resourceState // the resources that were met, in their order

	lanes   []*lane            // by the numbers of the reader
	heads   order.Queue[*lane] // the lanes in which events wait, or that have to be waited for
	waiting int                // events in lanes
	judged  int                // events that are judged
	settled bool               // enough are judged to settle for fewer that wait
	once    bool               // what is read cannot be read again, and is kept
	forgot  bool               // some events are forgotten
	ended   bool               // no event comes any more
	piled   bool               // many wait
	passed  int64
	gapped  bool    // what a missing line may have done was concluded from what was known of resources
	unsure  bool    // and more became known later
	spans   []*lane // of each file that of the latest holding that a line gives as a whole
}

func newEngine(opt formats.Options, how Judging) *engine {
	e := &engine{how: how, l: &order.Log{Skewed: opt.Skew != nil}, rd: order.NewCollector(opt),
		passed: formats.Never}
	e.judge = &judge{Reading: how.Reading, found: &e.found}
	return e
}

// ready prepares for the first event, when the header is known.
func (e *engine) ready() (err error) {
	if e.units != nil {
		return nil
	}
	if e.units, err = e.how.Units(e.rd.Header0); err != nil {
		return err
	}
	e.l.Header = e.rd.Header0
	e.judge.frees = frees(e.l, e.how.Ending)
	return nil
}

// resource has what becomes of a resource at hand.
func (e *engine) resource(res int32) *resourceState {
	for len(e.judge.resources) <= int(res) {
		e.judge.resources = append(e.judge.resources, nil)
	}
	if u := e.judge.resources[res]; u != nil {
		return u
	}
	name := e.rd.Kinds[res]
	u := newResource(e.l, name, e.units(name), true, false)
	u.half, u.live = max(firstHalf/(len(e.begun)+1), 32), e.live
	if e.live {
		u.figures = &ResourceFigures{Name: name}
	}
	e.begun, e.judge.resources[res] = append(e.begun, u), u
	e.unsure = e.unsure || e.gapped
	return u
}

// node is the lane of a node.
func (e *engine) node(number int32) *lane {
	for len(e.lanes) <= int(number) {
		e.lanes = append(e.lanes, nil)
	}
	n := e.lanes[number]
	if n == nil {
		name := e.rd.Names[number]
		n = e.newLane(number, name)
		n.state = e.rd.State(name)
		e.lanes[number] = n
	}
	return n
}

// newLane is a lane without events.
func (e *engine) newLane(number int32, name string) *lane {
	return &lane{counter: order.Counter{Name: name, Found: &e.counts, Timed: true, Skewed: e.l.Skewed},
		holdings: e.judge.start(number, name)}
}

// errForgotten ends the reading of a log whose first events show nothing that relates all events, and a later
// one does.
var errForgotten = errors.New("an event that was forgotten is needed")

// keepAll leaves the judgement to when all events are known, which the reader keeps.
func (e *engine) keepAll() error {
	if e.forgot {
		return errForgotten
	}
	e.rd.KeepAll()
	return nil
}

// take takes the next event of its node. If it shows that all events have to be known, they are kept.
func (e *engine) take(r *order.Record) error {
	if err := e.ready(); err != nil {
		return err
	}
	if e.rd.Count%order.Chunk == 1 && e.rd.Opt.Memory > 0 {
		if err := e.rd.Room(r, e.memory()); err != nil {
			return err
		}
	}
	if known := e.acquires(r); !known && !e.live {
		return e.keepAll()
	}
	if r.Is(order.Spans) {
		return e.span(r)
	}
	n := e.node(r.Node)
	related := e.rd.Relates(r) || n.any && n.outOfOrder(r)
	if narrowed := n.narrow(r); (related || !narrowed) && !e.live {
		return e.keepAll()
	}
	e.push(n, r)
	return e.next()
}

// next lets events happen when more wait than have to.
func (e *engine) next() error {
	wait := settling
	if !e.settled || e.spans != nil {
		wait = evidence
	}
	if e.waiting > wait {
		if err := e.advance(wait); err != nil {
			return err
		}
	}
	if e.waiting > piling && !e.settled && !e.live {
		e.settle() // or they would be in memory twice
	}
	if e.waiting > piling && !e.piled && e.how.Whole != nil {
		e.piled = true
		e.how.Whole()
	}
	return nil
}

// acquires takes into account what an event of a lock acquires. It returns false if what was concluded from
// the events before depends on it.
func (e *engine) acquires(r *order.Record) bool {
	if !r.Role.OfLock() {
		return true
	}
	u := e.resource(r.Res)
	known := true
	if r.Is(order.Reads) && !u.Shared {
		known = !u.happened // what was before weighs something else
		u.share()
	}
	most := order.Record{Units: 1}
	if r.Role == formats.Enters {
		u.written = u.written || !r.Is(order.Reads)
		most = *r
	}
	if u.written && u.Shared {
		most = order.Record{Role: formats.Enters} // a writer takes all that there are
	}
	if u.weigh(&most); most.Units > u.most {
		u.most = most.Units
		e.unsure = e.unsure || e.gapped
	}
	return known && !e.unsure
}

// advance lets events happen in the order of time, until only some wait or one has to wait for others.
func (e *engine) advance(most int) error {
	for e.waiting > most || e.ended && len(e.heads) > 0 {
		n := e.heads[0].Of
		wait := !e.live && e.heads[0].At != formats.Never // an event without a time holds no other up
		if n.empty() && !e.ended && wait {
			break // its node holds something since then, and its next event is not known
		}
		if at := e.heads[0].At; !e.live && at > e.passed {
			e.passed = at
		}
		for more := true; more && !n.empty(); more = n.busy() && wait {
			if needed := e.happen(n); needed && !e.live {
				return e.keepAll()
			}
		}
		switch {
		case !n.empty():
			e.heads[0] = n.head()
			e.heads.Down()
		case !n.busy() || !wait || e.ended:
			if e.ended {
				n.end()
			}
			n.queued = false
			e.heads.Pop()
		}
		if !e.settled && !e.live && e.judged >= evidence && !e.ended {
			most = settling
			e.settle()
		}
	}
	return nil
}

// settle leaves it to the engine which events are kept, if they can be read again.
func (e *engine) settle() {
	if e.settled = true; !e.once {
		e.forgot = true
		e.rd.Forget()
	}
}

// push lets an event wait.
func (e *engine) push(n *lane, r *order.Record) {
	e.waiting++
	if n.push(r); !n.queued {
		n.queued = true
		e.heads.Push(n.head())
	}
}

// happen takes the next event of a node, and reports whether it shows that all events are needed.
func (e *engine) happen(n *lane) (needed bool) {
	r := n.pop()
	e.waiting--
	e.judged++
	if e.count(n, &r) && !e.live {
		return true
	}
	n.last, n.begun = r, true
	p := pointOf(&r, n.events)
	n.events++
	e.judge.files = e.rd.Files
	var u *resourceState
	if r.Role.OfLock() {
		u = e.judge.resources[r.Res]
		u.happened = true
		u.weigh(&r)
	}
	n.holdings.event(&p, &r, r.Grant())
	e.gapped = e.gapped || e.judge.guessed || r.Is(order.Gap)
	late := r.Role != formats.Other && r.Begin < e.passed && !r.Is(order.Spans)
	needed = e.judge.overlap || e.judge.back || late || e.unsure
	if u == nil {
		return needed
	}
	if r.Is(order.Spans) && r.Role != formats.Enters {
		n.end()
	}
	if u.full() { // its window lets go of what nothing later can concern
		for _, h := range u.goingOn() {
			h.cut(e.passed)
		}
		u.flush(e.passed)
	}
	return needed || u.late || u.untimed && r.Grant().Token != formats.NoToken
}

// span takes one end of a holding that a line gives as a whole: first the begin, then the end. It has a lane
// of its own, as it is beside all else of its node.
func (e *engine) span(r *order.Record) error {
	for len(e.spans) <= int(r.File) {
		e.spans = append(e.spans, nil)
	}
	x := *r
	x.Seq, x.Mark = 0, x.Mark&^order.Gap|order.Whole
	if r.Role != formats.Enters {
		e.push(e.spans[r.File], &x)
		e.waiting++
		return e.next()
	}
	n := e.newLane(apart, e.rd.Names[r.Node])
	n.state = &order.NodeState{}
	n.push(&x)
	e.spans[r.File] = n
	if r.Is(order.Gap) {
		missed := *r
		missed.Role, missed.Mark = formats.Other, r.Mark&^order.Spans
		missed.Side = nil
		e.push(e.node(r.Node), &missed)
	}
	return nil
}

// count follows the node's own counts and times. It returns true if all events have to be known.
func (e *engine) count(n *lane, r *order.Record) bool {
	c := &n.counter
	c.Files, c.Left = e.rd.Files, n.state.Left
	var before *order.Record
	if n.begun {
		before = &n.last
	}
	c.Next(before, r)
	if e.live {
		n.state.Left = n.state.Left[:0]
	} else if r.Seq > 0 {
		if n.behind() {
			return true
		}
		// What was left out up to here is of no more use.
		n.done = order.Counted{Life: c.Life, Seq: uint64(r.Seq)}
		if done, _ := slices.BinarySearchFunc(n.state.Left, n.done, order.Counted.Compare); done > 0 &&
			e.forgot {
			n.state.Left = append(n.state.Left[:0], n.state.Left[done:]...)
		}
	}
	e.l.Bounds = e.l.Bounds || r.Begin != formats.Never || r.End != formats.Ever
	return false
}

// The bytes of a holding in memory, with the ends of its certain and possible parts, and of a node, beside
// those for reading in any case.
const (
	readBytes    = 4 << 20
	holdingBytes = 512
	waitingBytes = 80 // of an event in a lane, or that is kept
	nodeBytes    = 1024
)

// memory estimates the bytes that are held.
func (e *engine) memory() int64 {
	bytes := readBytes + int64(len(e.lanes))*nodeBytes
	if e.settled {
		bytes += int64(e.waiting) * waitingBytes
	}
	if e.once {
		bytes += int64(e.rd.Count) * waitingBytes
	}
	for _, u := range e.begun {
		bytes += int64(len(u.edges)) / 2 * holdingBytes
	}
	return bytes
}

// finish ends the judgement when all is read.
func (e *engine) finish() error {
	if err := e.ready(); err != nil {
		return err
	}
	e.ended = true
	e.judge.complete = e.rd.Frame().Complete
	if err := e.advance(0); err != nil || e.rd.Sink == nil {
		return err
	}
	needed := e.unsure
	for _, n := range e.lanes {
		needed = needed || n != nil && n.behind()
	}
	if err := e.end(); err != nil {
		return err
	}
	for _, u := range e.begun {
		needed = needed || u.late
	}
	if needed || e.judge.back {
		return e.keepAll()
	}
	return nil
}

// end takes it that nodes do nothing more, and gives the log, to which the uses refer, what was read but
// events.
func (e *engine) end() error {
	if err := e.ready(); err != nil {
		return err
	}
	if len(e.begun) == 0 {
		e.resource(0)
	}
	for _, n := range e.lanes {
		if n != nil {
			n.end()
		}
	}
	bounds := e.l.Bounds
	*e.l = *e.rd.Frame()
	l := e.l
	l.Timed, l.Bounds = true, bounds
	used := make([]bool, max(len(e.rd.Kinds), len(e.judge.resources)))
	for res, u := range e.judge.resources {
		used[res] = u != nil
	}
	e.rd.NameResources(l, used)
	read := slices.Concat(e.rd.Found, e.counts)
	read.ByLines(l.Files)
	read.Sort()
	e.found.ByLines(l.Files)
	l.Findings = slices.Concat(read, e.found)
	return nil
}

// results judges all resources, when all holdings are known.
func (e *engine) results() []*Occupancy {
	e.l.Doubtful = e.judge.doubtful
	e.judge.resources = slices.Clone(e.begun)
	slices.SortFunc(e.judge.resources, func(a, b *resourceState) int {
		return slices.Index(e.l.Resources, a.Resource) - slices.Index(e.l.Resources, b.Resource)
	})
	return e.judge.conclude(e.l.Bounds)
}

// maxKnown is how many nodes a watch knows at a time, and maxOwn how many events of one are counted, as its
// counts have 32 bits.
var (
	maxKnown       = 1 << 16
	maxOwn   int32 = 1 << 30
)

// forgetNodes forgets all nodes when there are too many, while no event waits. Of their holdings that go on
// no more is certain than is already; their later events are events of nodes with a missing beginning.
func (e *engine) forgetNodes() {
	long := len(e.rd.Nodes) > maxKnown
	for _, n := range e.lanes {
		long = long || n != nil && n.events > maxOwn
	}
	if !long {
		return
	}
	for _, n := range e.lanes {
		if n != nil {
			n.holdings.abandon()
		}
	}
	for _, u := range e.judge.resources {
		if u != nil {
			u.finish()
			u.note()
			u.possibleLevels.nodes, u.possibleLevels.always = nil, nil
		}
	}
	e.lanes, e.spans, e.heads = nil, nil, nil
	e.rd.ForgetNodes()
}

// abandon ends the certain and possible holdings of a node that is forgotten.
func (n *nodeHoldings) abandon() {
	for _, h := range n.order {
		for _, s := range h.open {
			if !s.over() {
				s.open = true
				h.doubt(s, &n.prev)
				h.close(n, s, &n.prev)
			}
		}
		h.settle(&n.prev)
		h.update()
	}
}
