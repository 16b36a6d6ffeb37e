package occupancy

import (
	"errors"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Watch judges logs that are still being written. What it calls definite holds whatever comes
// later: a holding counts as certain only as far as no later line can make that doubtful. What is
// further out of order than a window of some thousand holdings is left out, so that memory is bounded; then
// it may say less than Judge would of the whole log, and never more.
type Watch struct {
	engine   *engine
	tails    []*tail
	reported map[eventKey]bool // the events that completed overlap sets, of those reported lately
	old      map[eventKey]bool
	found    []Violation
	figures  Figures
	ended    bool
	uses     []*Occupancy // when it has ended
}

// An eventKey identifies an event that was reported. A file that is moved away and begun anew has the same
// lines again, so that the event's number in the order of its node and its time belong to it.
type eventKey struct {
	file  uint16
	line  uint32
	node  int32
	at    int32
	begin int64
}

// key identifies an event of a node.
func (m *point) key(node int32) eventKey { return eventKey{m.file, m.line, node, m.at, m.begin} }

// A Violation is a definite overlap set that was found while logs were watched.
type Violation struct {
	Resource string `json:"resource,omitempty"`
	K        int    `json:"k"`
	Shared   bool   `json:"shared,omitempty"` // the resource is one of readers and writers
	Stale    *Stale `json:"stale,omitempty"`  // it is about a fencing token, and there is no overlap set
	OverlapSet
}

// Figures are what a watch can tell at any time.
type Figures struct {
	Events     int
	Unread     int   // lines that make no sense
	Violations int   // definite ones
	Late       int   // holdings that came too late to be judged
	Latest     int64 // the latest time stamp, in nanoseconds since 1970; 0: none
	Resources  []ResourceFigures
}

// ResourceFigures are those of one resource.
type ResourceFigures struct {
	Name     string
	K        int
	Inside   int       // units whose holdings go on
	Possibly int       // the most units that may have been in use at once, of what is further back
	Holdings int       // that are over
	Held     Durations // how long they lasted
	Waited   Durations // how long was waited for them
}

// Durations are how long something took, as far as it is known.
type Durations struct {
	Count int
	Sum   time.Duration
	Below [len(Bounds)]int // so many were at most as long as the bound
}

func (d *Durations) add(took int64) {
	d.Count++
	d.Sum += time.Duration(took)
	for i, bound := range Bounds {
		d.Below[i] += one(time.Duration(took) <= bound)
	}
}

// Bounds are those by which durations are counted.
var Bounds = [...]time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 10 * time.Second,
	time.Minute, 10 * time.Minute,
}

// A tail is a log that is followed.
type tail struct {
	name  string
	in    io.Reader // nil: a file
	next  func() (*order.Head, bool)
	stop  func()
	ahead *order.Head // its next event
	idle  bool        // it had none lately
	ended bool
}

// NewWatch begins to watch files, of which "-" stands for opt.Stdin. Those that do not exist yet are
// waited for, and those that are moved away or emptied are opened anew.
func NewWatch(files []string, opt formats.Options, how Judging) (*Watch, error) {
	if err := formats.Usable(files, opt); err != nil {
		return nil, err
	}
	w := &Watch{reported: map[eventKey]bool{}, old: map[eventKey]bool{}}
	st := newEngine(opt, how)
	st.rd.Sink, st.rd.Endless = st.take, true
	st.live, st.begun = true, w.begin
	w.engine = st
	for _, name := range files {
		t := &tail{name: name}
		if name == formats.Stdin {
			t.in = opt.Stdin
		}
		w.tails = append(w.tails, t)
		w.open(t)
	}
	return w, nil
}

// begin prepares what becomes of a resource.
func (w *Watch) begin(u *resourceState) {
	u.certainParts.live, u.possibleLevels.live, u.granted.live, u.used.live = true, true, true, true
	u.reportStale = func(x stalePair) { w.reportStale(u, x) }
	u.report = func(c OverlapSet, inside []*holding) { w.report(u, c, inside) }
	at := len(w.figures.Resources)
	u.number = at
	w.figures.Resources = append(w.figures.Resources, ResourceFigures{Name: u.Resource, K: u.K})
	u.held = func(s *holding) {
		f := &w.figures.Resources[at]
		from, to := s.enter.begin, s.sure.begin
		if f.Holdings++; from != formats.Never && to != formats.Never && to != formats.Ever {
			f.Held.add(to - from)
		}
		if s.enter.waited != formats.Ever {
			f.Waited.add(s.enter.waited)
		}
	}
}

// open begins to read a log.
func (w *Watch) open(t *tail) {
	t.next, t.stop = iter.Pull(func(yield func(*order.Head) bool) {
		rd := w.engine.rd
		h := &order.Head{}
		rest := func() bool { return yield(nil) } // there is nothing to read now
		in := t.in
		if in == nil {
			in = &formats.Following{Name: t.name, Rest: rest}
		} else {
			in = &formats.Pausing{In: in, Rest: rest}
		}
		rd.Merge = nil
		err := rd.Live(t.name, in, func(s *formats.Source, e *formats.Entry) error {
			h.S, h.E = s, e
			if !yield(h) {
				return order.ErrStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, order.ErrStopped) {
			yield(&order.Head{Err: err})
		}
	})
}

// Poll takes what has been written since, and reports whether there was anything, and whether
// all logs have ended, which files never do.
func (w *Watch) Poll() (some, ended bool, err error) {
	const most = 1 << 14 // events at a time, so that what they say is told in between
	for _, t := range w.tails {
		t.idle = false
	}
	for range most {
		var first *tail
		for _, t := range w.tails {
			if err := w.peek(t); err != nil {
				return some, false, err
			}
			if t.ahead != nil && (first == nil || t.ahead.E.Begin < first.ahead.E.Begin) {
				first = t
			}
		}
		if first == nil {
			break
		}
		h := first.ahead
		first.ahead = nil
		some = true
		err := w.engine.rd.Take(h.S, h.E)
		// one line is no reason to see no other
		if input := (*formats.InputError)(nil); errors.As(err, &input) {
			err = w.engine.rd.Unreadable(h.S, input.Why.String())
		}
		if err != nil {
			return some, false, err
		}
		if h.E.Stamp != formats.Ever {
			w.figures.Latest = max(w.figures.Latest, h.E.Stamp)
		}
	}
	return some, !slices.ContainsFunc(w.tails, func(t *tail) bool { return !t.ended }), nil
}

// peek looks for the next event of a log.
func (w *Watch) peek(t *tail) error {
	if t.ahead != nil || t.ended || t.idle {
		return nil
	}
	h, more := t.next()
	switch {
	case !more && t.in != nil:
		t.ended = true
	case !more: // it was moved away
		w.open(t)
	case h != nil && h.Err != nil:
		return h.Err
	default:
		t.ahead, t.idle = h, h == nil
	}
	return nil
}

// Violations judges what is known so far, and returns the definite overlap sets that were not told before.
func (w *Watch) Violations() ([]Violation, error) {
	st := w.engine
	if st.units == nil {
		return nil, nil
	}
	if _, err := st.advance(0); err != nil { // nothing waits any longer
		return nil, err
	}
	for _, u := range st.f.resources {
		if u != nil && !w.ended {
			w.soFar(u)
		}
	}
	w.figures.Violations += len(w.found)
	found := w.found
	w.found = nil
	if len(w.reported) > maxReported {
		w.old, w.reported = w.reported, map[eventKey]bool{}
	}
	if !w.ended {
		st.forget()
	}
	return found, nil
}

// End judges all that is held when the logs have ended. Violations has the rest then.
func (w *Watch) End() error {
	found, err := w.Violations()
	if err != nil {
		return err
	}
	w.figures.Violations -= len(found)
	w.found, w.ended = found, true
	if w.engine.units == nil {
		if err := w.engine.ready(); err != nil {
			return err
		}
	}
	if len(w.engine.f.resources) == 0 {
		w.engine.resource(0)
	}
	for _, n := range w.engine.lanes {
		if n != nil {
			n.end()
		}
	}
	w.engine.framed()
	l := w.engine.l
	l.Nodes = slices.DeleteFunc(l.Nodes, func(name string) bool { return name == "" }) // it is forgotten
	w.uses = w.engine.results()
	for _, u := range w.engine.f.resources {
		u.Exact = u.certainParts.lost+u.possibleLevels.lost == 0 && !w.engine.unsure
	}
	if l.Contradictory() {
		w.uses = nil
	}
	return nil
}

// Judgement is what Judge says of all that was read, when the logs have ended; but what is definite is not in
// it, as Violations has told that.
func (w *Watch) Judgement() (*order.Log, []*Occupancy) { return w.engine.l, w.uses }

// maxReported is how many overlap sets are remembered, so that none is told twice.
const maxReported = 1 << 12

// soFar sweeps over what is held of a resource as if the log ended now, and leaves it as it was.
func (w *Watch) soFar(u *resourceState) {
	c := u.certainParts
	c.edges = slices.Clone(u.certainParts.edges)
	c.inside, c.passing, c.gone = slices.Clone(c.inside), slices.Clone(c.passing), slices.Clone(c.gone)
	c.low = lows{slices.Clone(c.low.at), slices.Clone(c.low.units)}
	c.half, c.run = 0, c.edge
	c.copied()
	u.granted.soFar()
	u.used.soFar()
	for _, n := range w.engine.lanes {
		if n == nil {
			continue
		}
		for _, h := range n.holdings.order {
			for k := range h.open {
				if p := &h.open[k]; h.use == u && p.certain {
					s := *p.holding
					if s.sure.at == formats.None { // no line can be missing up to the latest event
						s.sure = n.holdings.prev
					}
					c.take(&s)
				}
			}
		}
	}
	c.finish()
}

// copied gives the holdings of a copy of a sweep places of their own.
func (c *certainSweep) copied() {
	own := map[*holding]*holding{}
	copyOf := func(s *holding) *holding {
		if own[s] == nil {
			x := *s
			own[s] = &x
		}
		return own[s]
	}
	for _, list := range [][]*holding{c.inside, c.passing, c.gone} {
		for i, s := range list {
			list[i] = copyOf(s)
		}
	}
	for i := range c.edges {
		c.edges[i].of = copyOf(c.edges[i].of)
	}
}

// report keeps an overlap set if it is new. Its latest line is what makes it one.
func (w *Watch) report(u *resourceState, c OverlapSet, inside []*holding) {
	w.engine.l.Files, w.engine.l.Number = w.engine.rd.Files, w.engine.rd.Names
	v := Violation{Resource: u.Resource, K: u.K, Shared: u.Shared, OverlapSet: overlapOf(w.engine.l, c,
		slices.Clone(inside))}
	last := inside[len(inside)-1]
	w.add(v, last.enter.key(last.node))
}

// reportStale keeps a token that is not as it should be.
func (w *Watch) reportStale(u *resourceState, x stalePair) {
	w.engine.l.Files, w.engine.l.Number = w.engine.rd.Files, w.engine.rd.Names
	stale := staleOf(w.engine.l, x)
	w.add(Violation{Resource: u.Resource, K: u.K, Shared: u.Shared, Stale: &stale}, x.t.at.key(x.t.node))
}

// add keeps a violation if its event was not reported.
func (w *Watch) add(v Violation, at eventKey) {
	if w.reported[at] || w.old[at] {
		return
	}
	w.reported[at] = true
	w.found = append(w.found, v)
}

// Figures are the present ones.
func (w *Watch) Figures() Figures {
	f := w.figures
	f.Events, f.Late = w.engine.rd.Count, 0
	for i := range w.engine.rd.Spoilt {
		f.Unread += int(w.engine.rd.Spoilt[i].Lines)
	}
	f.Resources = slices.Clone(f.Resources)
	for _, u := range w.engine.f.resources {
		if u != nil {
			f.Late += u.certainParts.lost + u.possibleLevels.lost
			f.Resources[u.number].K, f.Resources[u.number].Possibly = u.K, u.Possibly
		}
	}
	for _, n := range w.engine.lanes {
		if n == nil {
			continue
		}
		for _, h := range n.holdings.order {
			f.Resources[h.use.number].Inside += h.units()
		}
	}
	return f
}

// units are those that the node may have in use.
func (h *nodeResource) units() (units int) {
	for k := range h.open {
		if p := &h.open[k]; p.possible {
			units += int(p.holding.units)
		}
	}
	return units
}
