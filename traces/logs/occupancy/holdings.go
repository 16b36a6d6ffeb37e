package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A judge finds holdings, node by node. Whatever order the nodes come in, the events of each
// come in the node's own.
type judge struct {
	Reading
	frees    bool // the units of the dead are free
	complete bool // no line of the log is missing
	causal   bool // clocks or messages are the order
	files    []string
	found    *formats.Findings

	resources []*resourceState // what becomes of the holdings, of each resource; nil: the log has none of it
	// doubtful: the certain parts of some holdings may be shorter than in any run.
	doubtful bool
	crashed  int
	overlap  bool // some node has several certain holdings of one resource at once
	guessed  bool // it matters how many units some line acquires at most
	// back: a holding began before what had been said of its node already, which is right only
	// if keep is set.
	back, keep bool
}

// A nodeHoldings walks along the events of a node.
type nodeHoldings struct {
	judge *judge
	node  int32
	name  string
	// nested: acquisitions add up. Its log may show that they do.
	nested bool

	prev     point      // the event before
	missable point      // the latest event before which lines may be missing
	solid    point      // the event before that one
	gap      point      // the latest event before which lines are known to be missing
	lost     uint32     // the number of these lines
	fresh    []*holding // those that have begun since missable
	busy     int        // holdings that block
	of       map[int32]*nodeResource
	order    []*nodeResource // of it, in the order of appearance
}

func (j *judge) start(node int32, name string) *nodeHoldings {
	return &nodeHoldings{
		judge: j, node: node, name: formats.Shown(name), nested: j.Nested || j.Reentrant,
		prev: nothing, missable: nothing, solid: nothing, gap: nothing,
	}
}

// event takes the next event of the log, which is about units of a resource if its role is one of a lock.
func (n *nodeHoldings) event(i *point, r *order.Record, x *formats.Grant) {
	if i.is(order.Restart) {
		n.crash(&n.prev, &n.prev)
	}
	if !i.is(order.Whole) {
		for _, s := range n.fresh {
			if !s.fixed {
				s.sure = n.prev
			}
		}
		n.fresh = n.fresh[:0]
		n.missable, n.solid = *i, n.prev
	}
	if i.is(order.Gap) {
		n.gap, n.lost = *i, r.Missing
		n.judge.doubtful = true
		for res := range n.judge.resources {
			if h := n.resource(int32(res)); h != nil {
				n.miss(h, i)
			}
		}
	}
	if i.role == formats.Crashes {
		n.judge.crashed++
		n.crash(i, i)
	}
	if r.Role.OfLock() {
		n.about(n.resource(r.Res), i, r, x)
	}
	if i.role == formats.Crashes || i.is(order.Restart|order.Gap) {
		for _, h := range n.order {
			h.update()
		}
	}
	n.prev = *i
}

// about takes an event about units of a resource.
func (n *nodeHoldings) about(h *nodeResource, i *point, r *order.Record, x *formats.Grant) {
	switch i.role {
	case formats.Enters:
		n.enter(h, i, r, x)
	case formats.Leaves:
		n.exit(h, i, r.Units)
	case formats.Refused:
		n.fail(h, i, r.Units)
	case formats.Renews:
		n.renew(h, i, x)
	case formats.Expires:
		n.expire(h, i)
	case formats.Uses:
		if x.Token != formats.NoToken {
			h.state.token(&token{x.Token, *i, n.name, true}, &h.used)
		}
	}
	h.update()
}

// resource is what the node has of a resource; nil if the log has none of it.
func (n *nodeHoldings) resource(res int32) *nodeResource {
	if n.judge.resources[res] == nil {
		return nil
	}
	h := n.of[res]
	if h == nil {
		h = &nodeResource{of: n, state: n.judge.resources[res], out: nothing, after: nothing}
		if n.of == nil {
			n.of = map[int32]*nodeResource{}
		}
		n.of[res] = h
		n.order = append(n.order, h)
	}
	return h
}

// enter begins a holding.
func (n *nodeHoldings) enter(h *nodeResource, i *point, r *order.Record, x *formats.Grant) {
	units := max(r.Units, 1)
	if !i.is(order.Maybe) {
		// it has acquired it again
		again := h.granted != nil && h.granted.value == x.Token && h.current() != nil
		if x.Token != formats.NoToken && !again {
			h.state.token(&token{x.Token, *i, n.name, false}, &h.granted)
		}
		if !n.nested {
			n.reacquire(h, i)
		}
	}
	if n.judge.Reentrant && n.nest(h, i, units) {
		return
	}
	certain := !i.is(order.Maybe) && (!i.is(order.WaitsForUnits) || !n.judge.causal)
	s := &holding{enter: *i, early: i.at, units: units, certain: certain, waited: r.Waited,
		lease: n.leased(h, i, x)}
	h.begin(n, s, i, false)
}

// exit takes a release.
func (n *nodeHoldings) exit(h *nodeResource, i *point, units int32) {
	n.outlasts(h, i)
	if n.judge.Reentrant && n.unnest(h, i) {
		return
	}
	n.leave(h, i, units)
}

// reacquire looks at what goes on when a node enters that is taken to do one thing at a time.
// If no line can be missing since an enter, its holdings do overlap. If not, a release may
// be missing, or they overlap: nothing is certain any more, and all is possible.
func (n *nodeHoldings) reacquire(h *nodeResource, i *point) {
	for k := len(h.open) - 1; k >= 0 && !h.open[k].seen; k-- {
		p := h.open[k]
		s := p
		places := []formats.Place{placed(n.judge.files, &s.enter), placed(n.judge.files, i)}
		switch {
		case p.dead || !s.certain && !p.missing:
		case s.lease.over(i):
			s.lease.ends = true
			h.lapsed++
			h.doubt(p, i)
			h.close(n, p, i)
		case p.missing:
			n.closeMissingAcquire(h, p)
		case mayHaveLeft(s):
			h.close(n, p, i)
		case n.missable.at <= s.enter.at:
			n.nested = true
			n.judge.found.Add(formats.Nested, places, "%s acquires again while it is inside, "+
				"and no line is missing between: what it acquires is added up, as several threads "+
				"may have its name", n.name)
			return
		default:
			n.judge.found.Add(formats.Twice, places, "%s acquires again while it is inside: "+
				"a release is missing between, or several threads have its name", n.name)
			n.judge.doubtful = true
			h.doubt(p, &s.sure)
		}
		p.seen = true
	}
	h.settle(i)
}

// closeMissingAcquire ends a holding whose enter is a missing line when its node enters again: its
// release is missing as well, or there is no such holding.
func (n *nodeHoldings) closeMissingAcquire(h *nodeResource, p *holding) {
	if n.gap.at == p.enter.at && n.lost < 2 && p.mayGoOn {
		p.possible, p.mayGoOn = false, false
		h.possible--
	}
	h.close(n, p, &n.gap)
}

// unmatchedRelease takes a release of units that nobody has acquired: their enter is missing, if
// a line can be.
func (n *nodeHoldings) unmatchedRelease(h *nodeResource, i *point, units int32) {
	if h.expired > 0 { // it was given back when its lease ended
		h.expired--
		return
	}
	if n.missable.at == formats.None {
		n.judge.found.Add(formats.NotInside, []formats.Place{placed(n.judge.files, i)},
			"%s leaves and is not inside, and no line is missing: it has left twice", n.name)
		return
	}
	n.judge.found.Add(formats.NotInside, []formats.Place{placed(n.judge.files, i)},
		"%s leaves and is not inside: its enter is missing, or it has left twice", n.name)
	switch {
	case units > 0:
	case !h.state.Shared:
		units = h.lost()
	case i.is(order.Reads):
		units = 1
	default:
		units = int32(min(h.state.K, AnyNumber))
	}
	early := &h.out
	if n.missable.at <= early.at { // none is missing since: it went on beside others
		early = &n.solid
	}
	s := &holding{enter: *i, sure: *i, fixed: true, early: early.at, units: units, waited: formats.Ever}
	h.begin(n, s, early, false)
	h.close(n, h.open[len(h.open)-1], i)
}

// fail takes a release that has failed: its units are not given back, unless they were when its lease ended.
func (n *nodeHoldings) fail(h *nodeResource, i *point, units int32) {
	k := n.latest(h, true, false, i)
	over := k >= 0 && h.open[k].lease.over(i)
	switch {
	case h.lapsed > 0 && !over:
		h.lapsed--
		n.judge.outlasted(n, "", i)
	case k < 0:
		n.judge.found.Add(formats.NotHeld, []formats.Place{placed(n.judge.files, i)},
			"%s fails to release what it does not hold: it has lost it before, or lines are missing", n.name)
	case over && n.judge.Ending != Held:
		n.outlasts(h, i)
		n.leave(h, i, units)
	case n.judge.Ending == Free:
		n.leave(h, i, units)
	case n.judge.Ending == Possibly:
		n.release(h, i, units, true)
	default:
		tried := func(p *holding) bool { return p.mayGoOn && !p.dead && p.failed != nil }
		if !slices.ContainsFunc(h.open, tried) { // else it may try that one again
			at := *i
			h.open[k].failed = &at
		}
		if l := h.open[k].lease; l != nil && l.known && l.earliest < i.end { // it may be over
			l.tried = i.end
			h.doubt(h.open[k], i)
		}
	}
}

// crash takes the death of a node: at an event that logs it, or after its last one.
func (n *nodeHoldings) crash(sure, late *point) {
	for _, h := range n.order {
		h.least, h.most = 0, 0
		for k := range h.open {
			p := h.open[k]
			if p.over() {
				continue
			}
			p.dead = true
			p.open = true
			if n.judge.Ending != Held {
				p.final = p.final || p.goesOn
				h.doubt(p, sure)
			}
			if n.judge.frees {
				h.close(n, p, late)
			}
		}
		h.settle(late)
	}
}

// end takes the holdings that nothing has ended.
func (n *nodeHoldings) end() {
	for _, h := range n.order {
		for k := range h.open {
			if p := h.open[k]; !p.over() {
				n.unended(h, p)
			}
			h.state.done(h.open[k])
		}
		h.leaveLevel(n, formats.Ever, &nothing)
	}
}

// unended takes a holding that nothing has ended.
func (n *nodeHoldings) unended(h *nodeResource, p *holding) {
	s := p
	s.open = true
	if s.enter.is(order.WaitsForUnits) && s.enter.at == n.prev.at { // it may still wait
		h.certain -= one(p.goesOn)
		p.goesOn, s.certain = false, false
	}
	if n.judge.Ending == Held || n.judge.Ending == Auto && (s.lease == nil || !s.lease.known) &&
		(s.failed != nil || n.judge.complete) {
		h.doubt(p, &nothing)
	} else {
		if s.lease != nil && s.lease.known {
			if !n.judge.Leases {
				s.lease.last = max(s.lease.last, s.lease.tried)
			}
			s.lease.ends, n.judge.doubtful, h.state.byLeases = true, true, true
		}
		s.final = s.final || p.goesOn
		h.doubt(p, &n.prev)
	}
	if n.judge.Ending == Free {
		h.close(n, p, &n.prev)
	}
}

// frees reports whether the units of the dead are free.
func frees(l *order.Log, ending Ending) bool {
	return ending == Free || ending == Auto && l.Header.Spec != ""
}

// conclude ends the judgement of all resources.
func (j *judge) conclude(related bool) (all []*Occupancy) {
	for _, u := range j.resources {
		u.Related, u.Crashes = related, j.crashed
		u.judge(j.overlap)
		all = append(all, &u.Occupancy)
	}
	return all
}
