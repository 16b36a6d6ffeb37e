// Package occupancy finds how many units of each resource were in use at once.
//
// An engine takes the events of a log. Each event waits in the lane of its node. In the order of time, events
// become holdings: intervals in which a node certainly or possibly holds units. Sweeps along time count the
// units of holdings that overlap. An event is forgotten when no later one can affect it. If any event may
// affect any other (clocks and messages are the order, or a node has several holdings at once), all events
// are kept, and cliques, chains and a search for an order decide. A Watch uses the same engine for logs that
// grow: it does not wait for later events, and its windows are bounded.
package occupancy

import (
	"errors"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// Judge reads the logs of one run and judges how much of each resource was in use at once. The result equals
// that of Read and OccupanciesOf, but an event is kept only as long as a later one may affect it. All events
// are kept if the beginning of the log shows that any may: it has vector clocks or messages, or nodes with
// several holdings at once. Events of standard input are always kept, as it cannot be read again. If the log
// contradicts itself there are no occupancies. If the events were not kept, the log has no order and no
// History.
func Judge(files []string, opt formats.Options, how Judging) (*order.Log, []*Occupancy, error) {
	if err := formats.Usable(files, opt); err != nil {
		return nil, nil, err
	}
	e := newEngine(opt, how)
	e.once = slices.Contains(files, formats.Stdin)
	if !opt.Keep && len(files) <= order.MaxMerged {
		e.rd.Sink = e.take
	}
	err := e.rd.ReadAll(files)
	if err == nil && e.rd.Sink != nil {
		err = e.finish()
	}
	if errors.Is(err, errForgotten) {
		e = newEngine(opt, how)
		err = e.rd.ReadAll(files)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case e.rd.Sink == nil:
		return whole(e.rd, how)
	case e.l.Contradictory():
		return e.l, nil, nil
	}
	return e.l, e.results(), nil
}

func whole(rd *order.Collector, how Judging) (*order.Log, []*Occupancy, error) {
	if how.Whole != nil {
		how.Whole()
	}
	if err := rd.Judgeable(); err != nil {
		return nil, nil, err
	}
	l := rd.Log()
	units, err := how.Units(l.Header)
	if err != nil || l.Contradictory() {
		return l, nil, err
	}
	uses := OccupanciesOf(l, units, how.Reading)
	l.Show()
	return l, uses, nil
}

// OccupanciesOf finds the moments at which more units are in use than allowed, for each resource that the log
// names; bound returns the allowed number. Unless reading.Nested is set, nodes do one thing at a time, except
// if a log in which no line can be missing shows otherwise.
//
// # Intervals
//
// If only intervals relate the nodes, an order is consistent if and only if each event can be given a moment
// in its interval so that the moments are in that order, and each node's in its own. A holding with an
// acquisition at E at the latest and a release at B at the earliest is inside from E to B, its certain part,
// if E < B; otherwise it is inside at some moment of [B, E]. Let all nodes acquire as late and release as
// early as possible, and let each holding without a certain part be inside at the moment of its interval at
// which the fewest certain parts of others are: that is a consistent order, and no other has fewer units in
// use at any moment. So there is a definite overlap set if and only if more than k units have a common moment
// of their certain parts, or some holding without a certain part has no moment with enough free units. A
// sweep over the ends of the parts finds both, in n log n. Parts that touch do not overlap.
//
// An overlap set is possible if and only if the closed intervals from the earliest begin to the latest end of
// holdings of different nodes overlap in pairs, as such intervals have a common moment.
//
// # Partial orders
//
// For vector clocks and messages let S and T be two holdings, e their acquisitions and r their releases. S
// and T overlap in every consistent order if and only if e(S) is known to be before r(T), and e(T) before
// r(S): otherwise, in some order one of them is over before the other begins. If this is so for every two
// holdings of a set, all acquisitions are before all releases in every order, and just after the last
// acquisition all of them are inside: overlaps forced in pairs are a common one. These definite sets, the
// same holdings in every order, are reported. They are not all: of three holdings, every order may have two
// inside, but not always the same two (e(A) before r(B), e(B) before r(C), e(C) before r(A)). To decide that
// takes a search over orders (decide).
//
// At the last acquisition of such a set, in any one consistent order, all of its holdings are open, so that
// the search for a largest set needs only the few holdings open there.
//
// Some order has a set of holdings inside together if and only if no release of one is known to be before, or
// the same event as, the acquisition of another: all events before their acquisitions are the beginning of an
// order in which none has released. So a largest possible overlap set is a largest antichain. By Dilworth's
// theorem it is as large as the smallest number of chains that cover all holdings.
func OccupanciesOf(l *order.Log, bound func(resource string) int, reading Reading) []*Occupancy {
	sweeps := !l.Causal || l.Traced
	j := &judge{Reading: reading, complete: l.Complete || reading.Complete,
		frees: frees(l, reading.Ending), files: l.Files, keep: true,
		open: map[*resourceState][]*nodeResource{}}
	for _, name := range l.Resources {
		j.resources = append(j.resources, newResource(l, name, bound(name), &reading, sweeps, true))
	}
	for i := range l.Recs {
		if r := &l.Recs[i]; r.Role.OfLock() && r.Is(order.Reads) && !j.resources[r.Res].Shared {
			j.resources[r.Res].share()
		}
	}
	for i := range l.Recs {
		if r := l.Recs[i]; r.Role == formats.Enters {
			u := j.resources[r.Res]
			u.setUnits(&r)
			u.most = max(u.most, r.Units)
		}
	}
	var found formats.Findings
	j.found = &found
	for node, name := range l.Nodes {
		n := j.start(int32(node), name)
		for i := l.First[node]; i < l.First[node+1]; i++ {
			r := l.Recs[i]
			if r.Role.OfLock() {
				j.resources[r.Res].setUnits(&r)
			}
			m := pointOf(&r, i)
			n.event(&m, &r, r.Grant())
		}
		n.end()
	}
	l.Findings = append(l.Findings, found...)
	l.Doubtful = j.doubtful
	return j.conclude(l.Causal && l.Sorted != nil || l.Timed && l.Bounds)
}
