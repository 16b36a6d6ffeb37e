package occupancy

import (
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Watch judges logs that are still being written. A definite violation stays one whatever comes later: a
// holding is certain only as far as no later line can change that. Memory is bounded by a window of some
// thousand ends; holdings that come later than their window are left out. So a Watch may find less than Judge
// would in the whole log, and never more.
type Watch struct {
	engine   *engine
	tails    []*tail
	reported map[eventKey]bool // the events that completed overlap sets reported lately
	old      map[eventKey]bool // reported, before the last change of generation
	found    []Violation
	figures  Figures
	ended    bool
	uses     []*Occupancy // when it has ended
}

// An eventKey identifies an event that was reported. If a file is replaced, its line numbers begin again, so
// that the event's number at its node and its time are parts of the key.
type eventKey struct {
	file  uint16
	line  uint32
	node  string
	at    int32
	begin int64
}

// A Violation is a definite overlap set, or a stale token, found in logs that are watched.
type Violation struct {
	Resource string `json:"resource,omitempty"`
	K        int    `json:"k"`
	Shared   bool   `json:"shared,omitempty"` // the resource is one of readers and writers
	Stale    *Stale `json:"stale,omitempty"`  // not nil: the violation is this token
	OverlapSet
}

// Figures are the counts of a watch.
type Figures struct {
	Events     int
	Unread     int   // lines that cannot be read
	Violations int   // definite ones
	Late       int   // holdings that came too late to be judged
	Latest     int64 // the latest time stamp, in nanoseconds since 1970; 0: none
	Resources  []ResourceFigures
}

// A tail is a log that a watch follows.
type tail struct {
	name  string
	in    io.Reader // nil: a file
	next  func() (*order.Head, bool)
	ahead *order.Head // its next event
	idle  bool        // it had no event in this poll
	ended bool
}

// NewWatch begins to watch files; "-" stands for opt.Stdin. It waits for files that do not exist yet, and
// opens files that were moved away or truncated again.
func NewWatch(files []string, opt formats.Options, how Judging) (*Watch, error) {
	if err := formats.Usable(files, opt); err != nil {
		return nil, err
	}
	w := &Watch{engine: newEngine(opt, how), reported: map[eventKey]bool{}, old: map[eventKey]bool{}}
	w.engine.rd.Sink, w.engine.rd.Endless, w.engine.live = w.engine.take, true, true
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

func (w *Watch) open(t *tail) {
	rd := w.engine.rd
	t.next, _ = rd.Pull(func(rest func() bool) error {
		if t.in != nil {
			return rd.Live(t.name, &formats.Pausing{In: t.in, Rest: rest})
		}
		return rd.Live(t.name, &formats.Following{Name: t.name, Rest: rest})
	})
}

// Poll takes the lines written since the last call. It reports whether there were any, and whether all logs
// have ended, which files never do.
func (w *Watch) Poll() (some, ended bool, err error) {
	const most = 1 << 14 // events per call, so that violations are reported in between
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
		first.ahead, some = nil, true
		err := w.engine.rd.Take(h.S, h.E)
		// One bad line does not end the watch.
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

// peek reads the next event of a log, if it has one.
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

// Violations judges the events so far, and returns the definite overlap sets that were not reported before.
func (w *Watch) Violations() ([]Violation, error) {
	e := w.engine
	if e.units == nil {
		return nil, nil
	}
	if err := e.advance(0); err != nil { // nothing waits any longer
		return nil, err
	}
	for _, u := range e.judge.resources {
		if u != nil && !w.ended {
			w.collect(e.judge.soFar(u))
			u.sets, u.stalePairs = nil, nil
		}
	}
	w.figures.Violations += len(w.found)
	found := w.found
	w.found = nil
	if len(w.reported) > maxReported {
		w.old, w.reported = w.reported, map[eventKey]bool{}
	}
	if !w.ended {
		e.forgetNodes()
	}
	return found, nil
}

// End judges the rest after all logs have ended. Violations then returns the rest of the violations.
func (w *Watch) End() error {
	found, err := w.Violations()
	if err != nil {
		return err
	}
	e := w.engine
	if err := e.end(); err != nil {
		return err
	}
	w.uses, w.ended = e.results(), true
	for i, u := range e.judge.resources {
		w.uses[i].Exact = u.lost == 0 && !e.unsure
		w.collect(u)
		w.uses[i].Definite = nil
		if t := w.uses[i].Tokens; t != nil {
			t.Stale = []Stale{}
		}
	}
	w.figures.Violations -= len(found)
	w.found = append(found, w.found...)
	if e.l.Contradictory() {
		w.uses = nil
	}
	return nil
}

// Judgement returns the judgement of the whole logs after End, without the definite overlap sets, which
// Violations returns.
func (w *Watch) Judgement() (*order.Log, []*Occupancy) { return w.engine.l, w.uses }

// maxReported is the number of overlap sets in a generation of reported ones, so that none is reported twice.
const maxReported = 1 << 12

// soFar sweeps over the window of a resource as if the log ended now. It returns a copy of the resource with
// the findings, and leaves the window unchanged.
func (j *judge) soFar(u *resourceState) *resourceState {
	x := *u
	x.half, x.run = 0, x.edge
	x.edges = slices.Clone(u.edges)
	c := &x.certainParts
	c.known, c.passing = slices.Clone(c.known), slices.Clone(c.passing)
	c.low = lowest{slices.Clone(c.low.at), slices.Clone(c.low.units)}
	for i := range x.tokens {
		x.tokens[i].open = maps.Clone(x.tokens[i].open)
	}
	for _, h := range j.goingOn(u) {
		for _, s := range h.open {
			if s.goesOn {
				now := *s
				if now.sure.at == formats.None { // no line can be missing up to the latest event
					now.sure = h.of.prev
				}
				x.certain(&now)
			}
		}
	}
	x.edges = slices.DeleteFunc(x.edges, func(e edge) bool {
		_, possible := e.of.(*level)
		return possible
	})
	x.finish()
	return &x
}

// collect adds the overlap sets and stale tokens of a resource as violations. The latest line of each
// completes it.
func (w *Watch) collect(u *resourceState) {
	l := w.engine.l
	l.Files = w.engine.rd.Files
	v := Violation{Resource: u.Resource, K: u.K, Shared: u.Shared}
	for _, c := range u.sets {
		last := c.holdings[len(c.holdings)-1]
		v.OverlapSet = overlapOf(l, c.OverlapSet, c.holdings)
		w.add(v, &last.enter, last.name)
	}
	v.OverlapSet = OverlapSet{}
	for _, x := range u.stalePairs {
		v.Stale = new(staleOf(l, x))
		w.add(v, &x.t.at, x.t.name)
	}
}

func (w *Watch) add(v Violation, at *point, node string) {
	key := eventKey{at.file, at.line, node, at.at, at.begin}
	if !w.reported[key] && !w.old[key] {
		w.reported[key] = true
		w.found = append(w.found, v)
	}
}

// Figures returns the present counts.
func (w *Watch) Figures() Figures {
	e, f := w.engine, w.figures
	f.Events = e.rd.Count
	for i := range e.rd.Spoilt {
		f.Unread += int(e.rd.Spoilt[i].Lines)
	}
	for _, u := range e.begun {
		r := *u.figures
		r.K, r.Possibly = u.K, u.Possibly
		f.Late += u.lost
		for _, h := range e.judge.goingOn(u) {
			for _, s := range h.open {
				if s.mayGoOn {
					r.Inside += int(s.units)
				}
			}
		}
		f.Resources = append(f.Resources, r)
	}
	return f
}
