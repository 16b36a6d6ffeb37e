package occupancy

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Judging has the numbers of units and the reading by which logs are judged.
type Judging struct {
	// Units returns the number of units of each resource that may be in use at once. It is called once the
	// header of the logs is known.
	Units func(formats.Header) (func(resource string) int, error)
	Reading
	// Whole, if not nil, is called when many events have to be kept in memory.
	Whole func()
}

// Numbers of events that wait before the engine judges them: evidence at the beginning of a log, until these
// show whether all events are needed; settling later on, as later events may narrow their times, or have
// happened before them. When more than piling events wait, the engine saves memory.
var (
	evidence = 1 << 14
	settling = 1 << 12
)

const piling = 1 << 17

// An engine judges events in the order of time, and forgets an event when no later one can affect it.
type engine struct {
	how    Judging
	rd     *order.Collector
	l      *order.Log
	judge  *judge
	found  formats.Findings // about holdings
	counts formats.Findings // about counts and clocks
	units  func(resource string) int
	live   bool             // the log has no end: events do not wait for later ones
	begun  []*resourceState // the resources, in the order of appearance

	lanes   []*lane            // by the numbers of the reader
	heads   order.Queue[*lane] // lanes with waiting events, or whose next event has to be known
	waiting int                // number of waiting events
	judged  int                // number of judged events
	settled bool               // the first events are judged: fewer wait from now on
	once    bool               // the input cannot be read again, so all events are kept
	forgot  bool               // some events are forgotten
	ended   bool               // there are no more events
	piled   bool               // Whole was called
	passed  int64              // the latest begin of a judged event
	gapped  bool               // what a missing line may have done was concluded from the resources known
	unsure  bool               // such a conclusion may be wrong: more became known later
	spans   []*lane            // of each file, the lane of the latest holding with a single line
}

func newEngine(opt formats.Options, how Judging) *engine {
	e := &engine{how: how, l: &order.Log{Skewed: opt.Skew != nil}, rd: order.NewCollector(opt),
		passed: formats.Never}
	e.judge = &judge{Reading: how.Reading, found: &e.found, open: map[*resourceState][]*nodeResource{},
		complete: how.Complete}
	return e
}

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

// resource returns the state of a resource, and makes it at first.
func (e *engine) resource(res int32) *resourceState {
	e.judge.resources = reaching(e.judge.resources, int(res))
	if u := e.judge.resources[res]; u != nil {
		return u
	}
	name := e.rd.Kinds[res]
	u := newResource(e.l, name, e.units(name), &e.how.Reading, true, false)
	u.half, u.live = max(firstHalf/(len(e.begun)+1), 32), e.live
	if e.live {
		u.figures = &ResourceFigures{Name: name}
	}
	e.begun, e.judge.resources[res] = append(e.begun, u), u
	e.unsure = e.unsure || e.gapped
	return u
}

// node returns the lane of a node, and makes it at first.
func (e *engine) node(number int32) *lane {
	e.lanes = reaching(e.lanes, int(number))
	n := e.lanes[number]
	if n == nil {
		name := e.rd.Names[number]
		n = e.newLane(number, name)
		n.state = e.rd.State(name)
		e.lanes[number] = n
	}
	return n
}

func (e *engine) newLane(number int32, name string) *lane {
	return &lane{holdings: e.judge.start(number, name), counter: order.Counter{Name: formats.Shown(name),
		Found: &e.counts, Timed: true, Skewed: e.l.Skewed}}
}

// errForgotten ends reading a log: a later event shows that all events are needed, but some are forgotten.
var errForgotten = errors.New("an event that was forgotten is needed")

// keepAll makes the reader keep all events, which are then judged together.
func (e *engine) keepAll() error {
	if e.forgot {
		return errForgotten
	}
	e.rd.KeepAll()
	return nil
}

// take takes the next event of its node. If it shows that all events are needed, they are kept from now on.
func (e *engine) take(r *order.Record) error {
	if err := e.ready(); err != nil {
		return err
	}
	if e.rd.Count%order.Chunk == 1 {
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
	e.l.Causal = e.live && e.rd.Causal
	related := r.Side != nil && (r.Side.Clock != nil || r.Side.ID != "") || // or out of order
		r.File < n.file || r.File != n.file && n.seq > 0 && r.Seq > 0 && r.Seq <= n.seq
	if narrowed := n.narrow(r); (related || !narrowed) && !e.live {
		return e.keepAll()
	}
	e.push(n, r)
	return e.next()
}

// next judges waiting events if more wait than necessary.
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
		e.settle() // otherwise waiting events would be in memory twice
	}
	if e.waiting > piling && !e.piled && e.how.Whole != nil {
		e.piled = true
		e.how.Whole()
	}
	return nil
}

// acquires takes the units of an event into account. It returns false if they change earlier conclusions.
func (e *engine) acquires(r *order.Record) bool {
	if !e.how.regards(r.Role) {
		return true
	}
	u := e.resource(r.Res)
	known := true
	if r.Is(order.Reads) && !u.Shared {
		known = !u.happened && !e.gapped // earlier events of a writer have other weights now
		u.share()
		u.most = 1
	}
	most := order.Record{Units: 1}
	if r.Role == formats.Enters {
		u.written = u.written || !r.Is(order.Reads)
		most = *r
	}
	u.setUnits(&most)
	if u.written && u.Shared { // a writer takes all units
		most.Units = max(most.Units, int32(min(u.K, AnyNumber)))
	}
	e.unsure = e.unsure || e.gapped && most.Units > u.most
	u.most = max(u.most, most.Units)
	return known && !e.unsure
}

// advance judges events in the order of time, until at most that many wait, or one has to wait for others.
func (e *engine) advance(most int) error {
	for e.waiting > most || e.ended && len(e.heads) > 0 {
		n := e.heads[0].Of
		wait := !e.live && e.heads[0].At != formats.Never // a lane without a time holds no other up
		if n.empty() && !e.ended && wait {
			break // the node holds something, and its next event is not known yet
		}
		if at := e.heads[0].At; !e.live && at > e.passed {
			e.passed = at
		}
		for more := true; more && !n.empty(); more = n.holdings.busy > 0 && wait {
			if needed := e.judgeNext(n); needed && !e.live {
				return e.keepAll()
			}
		}
		switch {
		case !n.empty():
			e.heads[0] = n.head()
			heap.Fix(&e.heads, 0)
		case n.holdings.busy == 0 || !wait || e.ended:
			if e.ended {
				n.end()
			}
			n.queued = false
			heap.Pop(&e.heads)
		}
		if !e.settled && !e.live && e.judged >= evidence && !e.ended {
			most = settling
			e.settle()
		}
	}
	return nil
}

// settle stops keeping all events, if the input can be read again.
func (e *engine) settle() {
	if e.settled = true; !e.once {
		e.forgot = true
		e.rd.Forget()
	}
}

func (e *engine) push(n *lane, r *order.Record) {
	e.waiting++
	if n.push(r); !n.queued {
		n.queued = true
		heap.Push(&e.heads, n.head())
	}
}

// judgeNext judges the next event of a lane, and reports whether it shows that all events are needed.
func (e *engine) judgeNext(n *lane) (needed bool) {
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
	if e.how.regards(r.Role) {
		u = e.judge.resources[r.Res]
		u.happened = true
		u.setUnits(&r)
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
	if u.full() { // the window lets go of ends that no later event can affect
		for _, h := range e.judge.goingOn(u) {
			if h.after.begin < e.passed { // a level ends there
				h.leaveLevel(h.of, e.passed, &h.after)
				h.after.begin = e.passed
			}
		}
		u.flush(e.passed)
	}
	return needed || u.late || u.untimed && r.Grant().Token != formats.NoToken
}

// span takes one end of a holding with a single line: first the begin, then the end. The holding has a lane
// of its own, as it may overlap with others of its node.
func (e *engine) span(r *order.Record) error {
	e.spans = reaching(e.spans, int(r.File))
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

// count checks the node's own counts and times. It returns true if all events are needed.
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
		// Ignored counts up to here are not needed any more.
		n.done = order.Counted{Life: c.Life, Seq: uint64(r.Seq)}
		if done, _ := slices.BinarySearchFunc(n.state.Left, n.done, order.Counted.Compare); done > 0 &&
			e.forgot {
			n.state.Left = append(n.state.Left[:0], n.state.Left[done:]...)
		}
	}
	e.l.Bounds = e.l.Bounds || r.Begin != formats.Never || r.End != formats.Ever
	return false
}

// Bytes for reading, per holding with the ends of its certain and possible parts, per waiting or kept event,
// per resource, per resource of a node, and per node.
const (
	readBytes    = 4 << 20
	holdingBytes = 512
	waitingBytes = 80
	lockBytes    = 1536
	pairBytes    = 512
	nodeBytes    = 1536
)

// memory estimates the bytes in use.
func (e *engine) memory() int64 {
	bytes := readBytes + int64(len(e.lanes))*nodeBytes + e.rd.Texts +
		int64(len(e.begun))*lockBytes + int64(e.judge.pairs)*pairBytes
	if e.settled {
		bytes += int64(e.waiting) * waitingBytes
	}
	if e.once {
		bytes += int64(e.rd.Count) * waitingBytes
	}
	for _, u := range e.begun {
		bytes += int64(len(u.edges)) / 2 * (holdingBytes + 48*int64(u.held))
	}
	return bytes
}

func (e *engine) finish() error {
	if err := e.ready(); err != nil {
		return err
	}
	e.ended = true
	e.judge.complete = e.how.Complete || e.rd.Frame().Complete
	if err := e.advance(0); err != nil || e.rd.Sink == nil {
		return err
	}
	needed := e.unsure || slices.ContainsFunc(e.lanes, func(n *lane) bool { return n != nil && n.behind() })
	if err := e.end(); err != nil {
		return err
	}
	if needed || e.judge.back || slices.ContainsFunc(e.begun, func(u *resourceState) bool { return u.late }) {
		return e.keepAll()
	}
	return nil
}

// end ends all nodes, and fills in the log, apart from its events, to which the results refer.
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
	l.Show()
	l.Timed, l.Bounds = true, bounds
	read := slices.Concat(e.rd.Found, e.counts)
	read.ByLines(l.Files)
	read.Sort()
	e.found.ByLines(l.Files)
	l.Findings = slices.Concat(read, e.found)
	return nil
}

// results judges all resources after the end.
func (e *engine) results() []*Occupancy {
	e.l.Doubtful = e.judge.doubtful
	e.judge.resources = slices.Clone(e.begun)
	byName := func(a, b *resourceState) int { return cmp.Compare(a.Resource, b.Resource) }
	slices.SortFunc(e.judge.resources, byName)
	return e.judge.conclude(e.l.Bounds)
}

// maxKnown is the number of nodes that a watch knows at a time; maxOwn is the number of events of a node that
// are counted, as counts have 32 bits.
var (
	maxKnown       = 1 << 16
	maxOwn   int32 = 1 << 30
)

// forgetNodes forgets all nodes if there are too many, while no event waits. Their open holdings are certain
// only up to now; later events of these nodes count as if their beginning was missing.
func (e *engine) forgetNodes() {
	long := func(n *lane) bool { return n != nil && n.events > maxOwn }
	if len(e.rd.Nodes) <= maxKnown && !slices.ContainsFunc(e.lanes, long) {
		return
	}
	for _, n := range e.lanes {
		if n != nil {
			n.holdings.abandon()
		}
	}
	for _, u := range e.begun {
		u.finish()
		u.note()
		u.possibleLevels.nodes = nil
	}
	e.lanes, e.spans, e.heads = nil, nil, nil
	e.rd.Names, e.rd.Nodes = nil, map[string]*order.NodeState{}
}

// abandon ends the open holdings of a forgotten node.
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
