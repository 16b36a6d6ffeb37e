package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A judge finds holdings. Nodes may come in any order, the events of each node in its own order.
type judge struct {
	Reading
	frees    bool // the units of crashed nodes are free
	complete bool // no line of the log is missing
	files    []string
	found    *formats.Findings

	resources []*resourceState // nil: the log has no such resource so far
	// open: of each resource, the nodes with a possible holding, and some that had one.
	open map[*resourceState][]*nodeResource
	// doubtful: the certain parts of some holdings may be shorter than in any run.
	doubtful bool
	crashed  int  // number of crashes
	pairs    int  // of nodes and resources
	overlap  bool // some node has several certain holdings of one resource at once
	guessed  bool // the most units that a line acquires were used for a missing line
	// back: a holding began earlier than a level of its node that was already reported. The result is right
	// only if keep is set.
	back, keep bool
}

type nodeHoldings struct {
	judge *judge
	node  int32
	name  string
	// nested: acquisitions add up, by the options or because the log shows it.
	nested bool

	prev     point      // the event before
	missable point      // the latest event before which lines may be missing
	solid    point      // the event before that one
	gap      point      // the latest event before which lines are known to be missing
	lost     uint32     // the number of these lines
	fresh    []*holding // certain holdings that began since missable
	busy     int        // number of resources that block
	of       map[int32]*nodeResource
	order    []*nodeResource // its values, in the order of appearance
}

func (j *judge) start(node int32, name string) *nodeHoldings {
	return &nodeHoldings{judge: j, node: node, name: formats.Shown(name), nested: j.Nested || j.Reentrant,
		prev: nothing, missable: nothing, solid: nothing, gap: nothing, of: map[int32]*nodeResource{}}
}

func (n *nodeHoldings) event(i *point, r *order.Record, x *formats.Grant) {
	if n.judge.Complete {
		i.mark = i.mark&^order.Gap | order.Whole
	}
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
	if n.judge.regards(r.Role) {
		n.about(n.resource(r.Res), i, r, x)
	}
	if i.role == formats.Crashes || i.is(order.Restart|order.Gap) {
		for _, h := range n.order {
			h.update()
		}
	}
	n.prev = *i
}

func (n *nodeHoldings) about(h *nodeResource, i *point, r *order.Record, x *formats.Grant) {
	switch i.role {
	case formats.Enters:
		n.enter(h, i, r, x)
	case formats.Leaves:
		n.exit(h, i, r.Units)
	case formats.Refused:
		n.fail(h, i, r.Units)
	case formats.Requests:
		n.ask(h, i)
	case formats.Denied:
		n.answer(h, i, r)
	case formats.Renews:
		n.uses(h, i, 1, "renews its lease")
		n.renew(h, i, x)
	case formats.Expires:
		n.expire(h, i)
	case formats.Uses:
		if x.Token != formats.NoToken {
			t := &token{x.Token, *i, n.name, true}
			if g := h.granted; n.judge.Elects && g != nil && g.forbids(t) && g.at.end >= i.begin {
				h.state.stale(g, t) // times alone do not show it
			}
			h.state.token(t, &h.used)
		}
		n.uses(h, i, 1, "uses the lock")
	}
	h.update()
}

// resource returns the node's part of a resource; nil: the log has no such resource.
func (n *nodeHoldings) resource(res int32) *nodeResource {
	if n.judge.resources[res] == nil {
		return nil
	}
	h := n.of[res]
	if h == nil {
		h = &nodeResource{of: n, state: n.judge.resources[res], out: nothing, after: nothing}
		n.of[res] = h
		n.judge.pairs++
		n.order = append(n.order, h)
	}
	return h
}

func (n *nodeHoldings) enter(h *nodeResource, i *point, r *order.Record, x *formats.Grant) {
	units := max(r.Units, 1)
	n.answer(h, i, r)
	if !i.is(order.Maybe) {
		// With its present token, a holder has acquired the lock again.
		again := h.granted != nil && h.granted.value == x.Token && h.current() != nil
		if x.Token != formats.NoToken && !again {
			h.state.token(&token{x.Token, *i, n.name, false}, &h.granted)
		}
		if n.judge.Elects && n.elected(h, i, x) {
			return
		}
	}
	if !n.nested {
		n.reacquire(h, i)
	}
	if n.judge.Reentrant && n.nest(h, i, units) {
		return
	}
	certain := !i.is(order.Maybe) && (!i.is(order.WaitsForUnits) || !h.state.l.Causal)
	s := &holding{enter: *i, early: i.at, units: units, certain: certain, waited: r.Waited,
		lease: n.newLease(h, i, x)}
	h.begin(n, s, i, false)
}

func (n *nodeHoldings) exit(h *nodeResource, i *point, units int32) {
	n.checkLease(h, i)
	if !n.uses(h, i, units, "releases") {
		return
	}
	if !n.judge.Reentrant || !n.unnest(h, i) {
		n.leave(h, i, units)
	}
}

// reacquire takes an acquisition by a holder, if nodes do one thing at a time. If no line can be missing
// since the earlier acquisition, the holdings overlap. Otherwise a release may be missing, or they overlap:
// then nothing is certain any more, and both are possible.
func (n *nodeHoldings) reacquire(h *nodeResource, i *point) {
	for k := len(h.open) - 1; k >= 0 && !h.open[k].seen; k-- {
		p := h.open[k]
		places := allPlaced(n.judge.files, &p.enter, i)
		switch {
		case i.is(order.Maybe): // if it happened, a lease that may be over has ended
			if p.lease.mayBeOver(i) {
				n.judge.doubtful = true
				h.doubt(p, i)
			}
			continue
		case p.dead || !p.certain && (!p.missing || n.gap.at < p.enter.at && n.whole(p.enter.at)):
		case p.lease.over(i):
			p.lease.end()
			h.lapses = true
			h.lapsed++
			h.doubt(p, i)
			h.close(n, p, i)
		case p.missing: // its release is missing as well, or there was no such holding
			if n.gap.at == p.enter.at && n.lost < 2 && p.mayGoOn {
				p.possible, p.mayGoOn = false, false
				h.change(k)
				h.possible--
			}
			h.close(n, p, &n.missable)
		case mayHaveLeft(p):
			h.close(n, p, i)
		case n.judge.Elects: // it may have lost between
			h.doubt(p, &p.sure)
			h.close(n, p, i)
		case n.whole(p.enter.at) && p.lease.mayBeOver(i):
			n.judge.doubtful = true
			h.doubt(p, &p.enter)
		case n.whole(p.enter.at) && n.judge.Once && h.state.K == 1:
			n.nested = true
			h.state.breach(n.judge.files, formats.GrantedAgain, "", n.name+" is granted the unit again "+
				"while it holds it", &p.enter, i)
			return
		case n.whole(p.enter.at):
			n.nested = true
			n.judge.found.Add(formats.Nested, places, "%s acquires again while it is inside, and no line is "+
				"missing between: its units are added up, as several threads may have its name", n.name)
			return
		default:
			n.judge.found.Add(formats.Twice, places, "%s acquires again while it is inside: "+
				"a release is missing between, or several threads have its name", n.name)
			n.judge.doubtful = true
			h.doubt(p, &p.sure)
		}
		p.seen = true
	}
	h.settle(i)
}

// unmatchedRelease takes a release without an acquisition: that one is missing, if a line can be.
func (n *nodeHoldings) unmatchedRelease(h *nodeResource, i *point, units int32) {
	if h.expired > 0 { // the units were given back when the lease ended
		h.expired--
		return
	}
	sure := n.judge.Held && n.missable.at == formats.None
	switch {
	case n.judge.Held:
		h.state.breach(n.judge.files, formats.NotHolder, unlessLost(sure),
			n.name+" releases more units than it holds", i)
		if sure {
			return
		}
	case n.missable.at == formats.None:
		n.judge.found.Add(formats.NotInside, []formats.Place{placed(n.judge.files, i)},
			"%s releases without holding, and no line is missing: it has released twice", n.name)
		return
	default:
		n.judge.found.Add(formats.NotInside, []formats.Place{placed(n.judge.files, i)},
			"%s releases without holding: its acquisition is missing, or it has released twice", n.name)
	}
	switch {
	case units > 0:
	case !h.state.Shared:
		units = h.mostMissed()
	case i.is(order.Reads):
		units = 1
	default:
		units = int32(min(h.state.K, AnyNumber))
	}
	early := &h.out
	if n.missable.at <= early.at { // no line is missing since: it overlaps other holdings of the node
		early = &n.solid
	}
	s := &holding{enter: *i, sure: *i, fixed: true, early: early.at, units: units, waited: formats.Ever}
	h.begin(n, s, early, false)
	h.close(n, h.open[len(h.open)-1], i)
}

// fail takes a failed release: the units stay held, unless they were given back when their lease ended.
func (n *nodeHoldings) fail(h *nodeResource, i *point, units int32) {
	s := n.latest(h, true, false, i)
	over := s != nil && s.lease.over(i)
	switch {
	case h.lapsed > 0 && !over:
		h.lapsed--
		n.judge.outlasted(n, "", i)
	case s == nil:
		n.judge.found.Add(formats.NotHeld, []formats.Place{placed(n.judge.files, i)},
			"%s fails to release a lock that it does not hold: it has lost it before, or lines are missing",
			n.name)
	case over && n.judge.Ending != Held:
		n.checkLease(h, i)
		n.leave(h, i, units)
	case n.judge.Ending == Free:
		n.leave(h, i, units)
	case n.judge.Ending == Possibly:
		n.release(h, i, units, true)
	default:
		tried := func(p *holding) bool { return p.mayGoOn && !p.dead && p.failed != nil }
		if !slices.ContainsFunc(h.open, tried) { // otherwise it may try the same one again
			s.failed = new(*i)
		}
		if l := s.lease; l != nil && l.known && l.earliest < i.end { // it may be over
			l.tried, s.released = i.end, true
			h.doubt(s, i)
		}
	}
}

// crash takes the crash of a node: at an event that logs it, or after its last event before a restart.
func (n *nodeHoldings) crash(sure, late *point) {
	for _, h := range n.order {
		h.least, h.most = 0, 0
		for _, p := range h.open {
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

func (n *nodeHoldings) end() {
	for _, h := range n.order {
		for _, p := range h.open {
			if !p.over() {
				n.unended(h, p)
			}
			h.state.done(p)
		}
		h.leaveLevel(n, formats.Ever, &nothing)
	}
}

func (n *nodeHoldings) unended(h *nodeResource, p *holding) {
	p.open = true
	if p.enter.is(order.WaitsForUnits) && p.enter.at == n.prev.at { // it may still wait
		h.certain -= one(p.goesOn)
		p.goesOn, p.certain = false, false
	}
	if n.judge.Ending == Held || n.judge.Ending == Auto && (p.lease == nil || !p.lease.known) &&
		(p.failed != nil || n.judge.complete) {
		h.doubt(p, &nothing)
		p.rests = p.rests || n.judge.Ending == Auto && !n.judge.complete
	} else {
		if p.lease != nil && p.lease.known {
			p.lease.end()
			n.judge.doubtful, h.state.byLeases, h.lapses = true, true, true
		}
		if n.judge.Ending == Auto && n.judge.complete {
			h.doubt(p, &nothing)
		}
		p.final = p.final || p.goesOn
		h.doubt(p, &n.prev)
	}
	if n.judge.Ending == Free {
		h.close(n, p, &n.prev)
	}
}

// frees reports whether the units of crashed nodes are free.
func frees(l *order.Log, ending Ending) bool {
	return ending == Free || ending == Auto && l.Header.Spec != ""
}

func (j *judge) conclude(related bool) (all []*Occupancy) {
	for _, u := range j.resources {
		u.Related, u.Crashes = related, j.crashed
		u.judge(j.overlap)
		all = append(all, &u.Occupancy)
	}
	return all
}

// current returns the open holding of the present life of a node; nil: none.
func (h *nodeResource) current() *holding {
	for k := len(h.open) - 1; k >= 0; k-- {
		if p := h.open[k]; p.mayGoOn && !p.dead {
			return p
		}
	}
	return nil
}

// nest takes an acquisition of a reentrant lock, and reports whether it only continues the open holding. It
// counts the fewest and the most acquisitions that are not released: the certain holding goes on while the
// fewest are above 0, and the possible one while the most are.
func (n *nodeHoldings) nest(h *nodeResource, i *point, units int32) bool {
	h.most++
	h.least += one(!i.is(order.Maybe))
	p := h.current()
	switch {
	case p == nil:
		h.varied = false
		return false
	case i.is(order.Maybe):
		return units <= p.units
	case p.goesOn && units <= p.units:
		h.varied = h.varied || units != p.units
		return true
	case units < p.units: // nothing is certain here, but these units are possible
		n.judge.doubtful = true
		return true
	}
	h.varied = h.varied || p.units != units
	h.doubt(p, i)
	h.close(n, p, i)
	return false
}

// unnest takes a release of a reentrant lock, and reports whether it needs no further treatment.
func (n *nodeHoldings) unnest(h *nodeResource, i *point) bool {
	h.least = max(h.least-1, 0)
	if !i.is(order.Maybe) {
		h.most--
	}
	if h.most < 0 {
		h.most = 0
		return false
	}
	for _, p := range h.open {
		if p.dead {
			continue
		}
		if h.least == 0 || h.varied { // it is unknown which of them goes on
			n.judge.doubtful = n.judge.doubtful || h.least > 0
			p.released = h.most == 0 // and no Maybe
			h.doubt(p, i)
		}
		if h.most == 0 {
			h.close(n, p, i)
		}
	}
	h.settle(i)
	return true
}
