package occupancy

import (
	"errors"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Judging says what is asked of the logs of a run.
type Judging struct {
	// Units says how many units of each resource may be in use at once, when the header of the
	// logs is known.
	Units func(formats.Header) (func(resource string) int, error)
	Reading
	// Whole, if it is not nil, is called when events begin to pile up in memory.
	Whole func()
}

// Judge reads the logs of one run and judges how much of each resource was in use at once. It is
// Read and Log.Occupancies in one, and says the same; but an event is kept only as long as a later one
// may concern it. All are kept if the beginning of the log shows that any may: vector clocks and
// messages, nodes with several holdings at once. If the log contradicts itself there are no occupancies.
// A log without events has no order and no History if it was not kept.
func Judge(files []string, opt formats.Options, how Judging) (*order.Log, []*Occupancy, error) {
	if err := formats.Usable(files, opt); err != nil {
		return nil, nil, err
	}
	if opt.Stdin != nil && slices.Contains(files, formats.Stdin) {
		spool, err := order.NewSpool(opt.Stdin)
		if err != nil {
			return nil, nil, err
		}
		defer spool.Close()
		opt.Stdin = spool
	}
	e := newEngine(opt, how)
	if !opt.Keep && len(files) <= order.MaxMerged {
		e.rd.Sink = e.take
	}
	err := e.rd.ReadAll(files)
	if err == nil && e.rd.Sink != nil {
		err = e.finish()
	}
	if errors.Is(err, errForgotten) {
		if err := order.Rewind(opt.Stdin); err != nil {
			return nil, nil, err
		}
		e = newEngine(opt, how)
		err = e.rd.ReadAll(files)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case e.rd.Sink == nil:
		return e.whole()
	case e.l.Contradictory():
		return e.l, nil, nil
	}
	return e.l, e.results(), nil
}

// errForgotten ends the reading of a log whose first events show nothing that relates all events, and a later
// one does.
var errForgotten = errors.New("an event that was forgotten is needed")

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
	opt    formats.Options
	how    Judging
	rd     *order.Collector
	l      *order.Log
	f      *judge
	found  formats.Findings // about holdings
	counts formats.Findings // about counts and clocks
	units  func(resource string) int
	live   bool                 // the log has no end: nothing is waited for
	begun  func(*resourceState) // if it is not nil, takes each new resource

	lanes     []*lane            // by the numbers of the reader
	spanned   []*lane            // of holdings that lines give as a whole, until the first are forgotten
	heads     order.Queue[*lane] // the lanes in which events wait, or that have to be waited for
	waiting   int                // events in lanes
	judged    int                // events that are judged
	forgot    bool               // some of them are forgotten
	ended     bool               // no event comes any more
	piled     bool               // many wait
	passed    int64
	resources int  // the number of resources
	gapped    bool // what a missing line may have done was concluded from what was known of resources
	unsure    bool // and more became known later
	at        formats.Place
	spans     []order.Record // of each file the latest begin of a holding that its line tells as a whole
}

func newEngine(opt formats.Options, how Judging) *engine {
	e := &engine{opt: opt, how: how, l: &order.Log{Skewed: opt.Skew != nil}, rd: order.NewCollector(opt),
		passed: formats.Never}
	e.f = &judge{Reading: how.Reading, found: &e.found}
	return e
}

// whole judges a log all of whose events were kept.
func (e *engine) whole() (*order.Log, []*Occupancy, error) {
	if e.how.Whole != nil {
		e.how.Whole()
	}
	l := e.rd.Log()
	units, err := e.how.Units(l.Header)
	if err != nil || l.Contradictory() {
		return l, nil, err
	}
	uses := OccupanciesOf(l, units, e.how.Reading)
	l.Show()
	return l, uses, nil
}

// ready prepares for the first event, when the header is known.
func (e *engine) ready() (err error) {
	if e.units, err = e.how.Units(e.rd.Header0); err != nil {
		return err
	}
	e.l.Header = e.rd.Header0
	e.f.frees = frees(e.l, e.how.Ending)
	return nil
}

// resource has what becomes of a resource at hand.
func (e *engine) resource(res int32) *resourceState {
	for len(e.f.resources) <= int(res) {
		e.f.resources, e.f.most = append(e.f.resources, nil), append(e.f.most, 1)
	}
	if u := e.f.resources[res]; u != nil {
		return u
	}
	name := e.rd.Kinds[res]
	u := newResource(e.l, name, e.units(name), true, false)
	half := max(firstHalf/(e.resources+1), 16)
	e.resources++
	u.certainParts.half, u.possibleLevels.half, u.granted.half, u.used.half = half, half, half, half
	u.passed = &e.passed
	if e.begun != nil {
		e.begun(u)
	}
	e.f.resources[res] = u
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
		n = &lane{state: e.rd.State(name), counter: order.Counter{Name: name, Found: &e.counts},
			holdings: e.f.start(number, name), side: formats.None}
		e.lanes[number] = n
	}
	return n
}

// take takes the next event of its node. It returns false for one that shows that all events are to be kept.
func (e *engine) take(r *order.Record, x *order.Side) (bool, error) {
	if e.units == nil {
		if err := e.ready(); err != nil {
			return false, err
		}
	}
	e.at = formats.Place{File: e.rd.Files[r.File], Line: int(r.Line)}
	if (e.rd.Count+1)%order.Chunk == 1 {
		if err := e.room(); err != nil {
			return false, err
		}
	}
	if r.Is(order.Spans) {
		return e.span(r)
	}
	n := e.node(r.Node)
	if e.live {
		x = nil // what a clock says of others is no order here
	}
	related := x != nil && (x.Clock != nil || x.ID != "") || n.any && n.outOfOrder(r)
	if narrowed := n.narrow(r); (related || !narrowed) && !e.live {
		return false, e.keepAll()
	}
	if known, err := e.acquires(r); err != nil || !known {
		return false, err
	}
	if x != nil {
		r.Side = e.rd.Sides.Put(*x)
	}
	n.seen = e.rd.Count
	e.push(n, r)
	return e.next()
}

// next lets events happen when more wait than have to.
func (e *engine) next() (bool, error) {
	wait := settling
	if !e.forgot || e.spans != nil {
		wait = evidence
	}
	if e.waiting > wait {
		if kept, err := e.advance(wait); err != nil || kept {
			return true, err
		}
	}
	if e.waiting > piling && !e.piled && e.how.Whole != nil {
		e.piled = true
		e.how.Whole()
	}
	return true, nil
}

// acquires takes into account what an event of a lock acquires.
func (e *engine) acquires(r *order.Record) (bool, error) {
	if !r.Role.OfLock() {
		return true, nil
	}
	u := e.resource(r.Res)
	if r.Is(order.Reads) && !u.Shared {
		if u.begun && !e.live { // what was before weighs something else
			return false, e.keepAll()
		}
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
	if u.weigh(&most); most.Units > e.f.most[r.Res] {
		e.f.most[r.Res] = most.Units
		e.unsure = e.unsure || e.gapped
	}
	if e.unsure && !e.live {
		return false, e.keepAll()
	}
	return true, nil
}

// keepAll hands all events that were read to the reader, which keeps them and those to come.
func (e *engine) keepAll() error {
	if e.forgot {
		return errForgotten
	}
	for _, n := range append(e.lanes, e.spanned...) {
		if n != nil {
			e.rd.Chunks = append(e.rd.Chunks, n.records(e.rd))
		}
	}
	e.rd.Chunks = append(e.rd.Chunks, nil)
	e.rd.Sink = nil
	return nil
}

// advance lets events happen in the order of time, until so many wait or one has to wait for others. It
// returns true if one shows that all events are to be kept.
func (e *engine) advance(most int) (kept bool, err error) {
	for e.waiting > most || e.ended && len(e.heads) > 0 {
		n := e.heads[0].Of
		wait := !e.live && e.heads[0].At != formats.Never // what has no time holds nobody up
		if n.empty() && !e.ended && wait {
			break // its node holds something since then, and what it does next is not known
		}
		if at := e.heads[0].At; !e.live && at > e.passed {
			e.passed = at
		}
		for more := true; more && !n.empty(); more = n.busy() && wait {
			if needed := e.happen(n); needed && !e.live {
				return true, e.keepAll()
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
		if !e.forgot && !e.live && e.judged >= evidence && !e.ended {
			e.forgetEvidence()
			most = settling
		}
	}
	return false, nil
}

// forgetEvidence forgets the events that were kept until now though they are judged.
func (e *engine) forgetEvidence() {
	e.forgot, e.spanned = true, nil
	for _, n := range e.lanes {
		if n != nil {
			n.forget()
		}
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
	r := *n.front()
	e.pop(n)
	if r.Is(order.Spans) && r.Role == formats.Enters {
		leave := *n.front()
		e.pop(n)
		return e.wholeHolding(&r, &leave)
	}
	x, token := e.rd.Sides.At(r.Side), order.GrantAt(&e.rd.Grants, r.Grant)
	if e.count(n, &r, x) && !e.live {
		return true
	}
	if e.forgot || e.live {
		e.rd.Sides.Drop(n.side)
		e.rd.Grants.Drop(r.Grant) // it is read below, before another takes its place
	}
	n.last, n.begun, n.side = r, true, r.Side
	p := pointOf(&r, n.events)
	n.events++
	e.f.files = e.rd.Files
	var u *resourceState
	if r.Role.OfLock() {
		u = e.f.resources[r.Res]
		u.begun = true
		u.weigh(&r)
	}
	n.holdings.event(&p, &r, token)
	e.gapped = e.gapped || e.f.guessed || r.Is(order.Gap)
	late := r.Role != formats.Other && r.Begin < e.passed
	if u == nil {
		return e.f.overlap || e.f.back || late || e.unsure
	}
	u.letGo()
	return e.f.overlap || e.f.back || late || e.unsure || u.late() || u.untimed &&
		token.Token != formats.NoToken
}

// wholeHolding takes a holding that a line gives as a whole, by its begin and its end.
func (e *engine) wholeHolding(r, q *order.Record) (needed bool) {
	e.l.Bounds = e.l.Bounds || r.Begin != formats.Never || q.End != formats.Ever
	enter, end := pointOf(r, 0), pointOf(q, 1) // it is beside all else of its node
	u := e.f.resources[r.Res]
	u.begun = true
	u.weigh(r)
	s := &holding{
		enter: enter, sure: end, late: end, early: enter.at, node: r.Node, units: max(r.Units, 1), res: r.Res,
		fixed: true, certain: true, possible: true, shared: u.Shared,
	}
	if x := order.GrantAt(&e.rd.Grants, r.Grant); x.Token != formats.NoToken {
		var latest *token // each is one of its own
		u.granted.take(&token{value: x.Token, at: enter, node: r.Node}, &latest)
	}
	u.certain(s)
	u.possible(&level{from: enter.begin, to: end.end, units: int(s.units), node: s.node, first: s,
		lone: true})
	u.done(s)
	u.letGo()
	return u.late()
}

// span takes one end of a holding that a line gives as a whole: first the begin, then the end.
func (e *engine) span(r *order.Record) (bool, error) {
	if known, err := e.acquires(r); err != nil || !known {
		return false, err
	}
	for len(e.spans) <= int(r.File) {
		e.spans = append(e.spans, order.Record{})
	}
	enter := &e.spans[r.File]
	switch {
	case r.Role != formats.Enters && e.live:
		e.wholeHolding(enter, r)
	case r.Role != formats.Enters:
		n := &lane{}
		n.push(enter)
		e.push(n, r)
		e.waiting++
		if !e.forgot {
			e.spanned = append(e.spanned, n)
		}
	default:
		*enter = *r
		if r.Is(order.Gap) {
			missed := *r
			missed.Role = formats.Other
			e.push(e.node(r.Node), &missed)
		}
		return true, nil
	}
	return e.next()
}

// pop takes the first event out of its lane.
func (e *engine) pop(n *lane) {
	e.waiting--
	e.judged++
	n.pop()
	if e.forgot || e.live {
		n.forget()
	}
}

// count follows the node's own counts and times. It returns true if all events have to be known.
func (e *engine) count(n *lane, r *order.Record, x *order.Side) bool {
	c := &n.counter
	c.Files, c.Left = e.rd.Files, n.state.Left
	var before *order.Record
	if n.begun {
		before = &n.last
	}
	c.Next(before, r, e.rd.Sides.At(n.side), x)
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
	if before != nil {
		if r.End < before.Begin {
			e.counts.Add(formats.Backwards, c.Places(before, r), "%s", e.l.StepsBack(c.Name, before, r))
			r.End = before.Begin
		}
		r.Begin = max(r.Begin, before.Begin)
	}
	e.l.Bounds = e.l.Bounds || r.Begin != formats.Never || r.End != formats.Ever
	return false
}

// behind reports whether lines that are left out come behind those that they are before.
func (n *lane) behind() bool {
	left := n.state.Left
	return len(left) > 0 && (left[0].Compare(n.done) <= 0 ||
		!slices.IsSortedFunc(left, order.Counted.Compare))
}

// What a holding in memory takes, with the ends of what is certain and possible of it, and what a
// node takes, in bytes, beside what reading takes in any case.
const (
	readBytes    = 4 << 20
	holdingBytes = 512
	nodeBytes    = 1024
)

// room looks whether there is memory for more events.
func (e *engine) room() error {
	if e.opt.Memory == 0 {
		return nil
	}
	bytes := readBytes + int64(len(e.lanes))*nodeBytes
	if e.forgot {
		bytes += int64(e.waiting) * order.RecordBytes
	}
	for _, u := range e.f.resources {
		if u != nil {
			bytes += int64(u.certainParts.held()+u.possibleLevels.held()) * holdingBytes
		}
	}
	if bytes > e.opt.Memory {
		return &order.MemoryError{At: e.at, Events: e.rd.Count, Memory: e.opt.Memory}
	}
	return nil
}

// finish ends the judgement when all is read.
func (e *engine) finish() error {
	if e.units == nil {
		if err := e.ready(); err != nil {
			return err
		}
	}
	if len(e.f.resources) == 0 {
		e.resource(0)
	}
	e.ended = true
	e.f.complete = e.rd.Frame().Complete
	if kept, err := e.advance(0); err != nil || kept {
		return err
	}
	needed := e.unsure
	for _, n := range e.lanes {
		if n != nil {
			needed = needed || n.behind()
			n.end()
		}
	}
	e.framed()
	needed = needed || e.f.back
	for _, u := range e.f.resources {
		needed = needed || u != nil && u.late()
	}
	if needed {
		return e.keepAll()
	}
	return nil
}

// framed gives the log, to which the uses refer, what was read but events.
func (e *engine) framed() {
	l := e.rd.Frame()
	l.Timed, l.Bounds, l.Number = true, e.l.Bounds, e.rd.Names
	*e.l = *l
	l = e.l
	used := make([]bool, max(len(e.rd.Kinds), len(e.f.resources)))
	for res, u := range e.f.resources {
		used[res] = u != nil
	}
	e.rd.NameResources(l, used)
	read := slices.Concat(e.rd.Found, e.counts)
	read.ByLines(l.Files)
	read.Sort()
	e.found.ByLines(l.Files)
	l.Findings = slices.Concat(read, e.found)
}

// results judges all resources, when all holdings are known.
func (e *engine) results() []*Occupancy {
	l := e.l
	l.Doubtful = e.f.doubtful
	uses := slices.DeleteFunc(e.f.resources, func(u *resourceState) bool { return u == nil })
	slices.SortFunc(uses, func(a, b *resourceState) int {
		return slices.Index(l.Resources, a.Resource) - slices.Index(l.Resources, b.Resource)
	})
	e.f.resources = uses
	return conclude(e.f, l.Bounds)
}
