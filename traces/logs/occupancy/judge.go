package occupancy

import (
	"errors"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// Judge reads the logs of one run and judges how much of each resource was in use at once. It is
// Read and OccupanciesOf in one, and says the same; but an event is kept only as long as a later one
// may concern it. All are kept if the beginning of the log shows that any may: vector clocks and
// messages, nodes with several holdings at once. Of standard input all are kept, as it cannot be read again.
// If the log contradicts itself there are no occupancies.
// A log without events has no order and no History if it was not kept.
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

// whole judges a log all of whose events were kept.
func whole(rd *order.Collector, how Judging) (*order.Log, []*Occupancy, error) {
	if how.Whole != nil {
		how.Whole()
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

// OccupanciesOf looks for moments at which more units are in use than may be: of each resource
// that the log names, and bound says how many of it may be. If nested is false nodes are taken
// to do one thing at a time, unless a log in which no line can be missing shows otherwise.
//
// # Intervals
//
// If nothing but intervals relates the nodes, an order is consistent if and only if
// each event can be given a moment within its interval, so that the moments are in
// that order and each node's in its own. A holding that has entered at E at the latest
// and is released at B at the earliest is inside from E to B, its certain part, if
// E < B; if not it is inside at least for a moment of [B, E]. Let everybody enter
// as late and leave as early as possible, and those without a certain part pass
// through at the moment of theirs at which the certain parts of others are fewest:
// that is a consistent order and no other has less at any moment. So there is a
// definite overlap set if and only if more than k units have a common moment of their
// certain parts, or some passing stay finds no moment at which there is room. Both
// are found by a sweep over the ends of the parts, in n log n. Touching parts do
// not overlap.
//
// An overlap set is possible if and only if the closed intervals from the earliest
// beginning to the latest end of holdings of different nodes overlap pairwise, as
// intervals that do so have a common moment.
//
// # Partial orders
//
// For vector clocks and messages let S and T be two holdings, e their enters and r
// their releases. In every consistent order S and T overlap if and only if it is
// known that e(S) is before r(T) and e(T) before r(S): else there is an order in
// which one of them is over before the other begins. If this is so of every two of a
// set, all enters are before all releases in every order, and just after the last
// enter all of them are inside: overlaps forced in pairs are a common one. That is
// the definite sets that are reported, the same holdings in every order. It is not all there
// is: three holdings can be so that every order has two of them inside, one time these
// and another time those (e(A) before r(B), e(B) before r(C), e(C) before r(A)). Such
// an overlap set is reported as possible, as deciding it is a search over orders.
//
// At the last enter of such a set, in any one consistent order, all of its holdings are
// open, so that the search for a largest set looks at the few holdings open there.
//
// Some order has a set of holdings inside together if and only if no release of one
// is known to be before, or the same event as, the enter of another: take all events
// before their enters, and this is a beginning of some order at which none has
// left. So a largest possible overlap set is a largest antichain, which by Dilworth's
// theorem is as large as the smallest number of chains that cover all the holdings.
func OccupanciesOf(l *order.Log, bound func(resource string) int, reading Reading) []*Occupancy {
	sweeps := !l.Causal || l.Traced
	j := &judge{Reading: reading, complete: l.Complete, causal: l.Causal,
		frees: frees(l, reading.Ending), files: l.Files, keep: true}
	if l.Resources == nil {
		l.Resources = []string{""}
	}
	for _, name := range l.Resources {
		j.resources = append(j.resources, newResource(l, name, bound(name), sweeps, true))
	}
	for i := range l.Recs {
		if r := &l.Recs[i]; r.Role.OfLock() && r.Is(order.Reads) && !j.resources[r.Res].Shared {
			j.resources[r.Res].share()
		}
	}
	for i := range l.Recs {
		if r := l.Recs[i]; r.Role == formats.Enters {
			u := j.resources[r.Res]
			u.weigh(&r)
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
				j.resources[r.Res].weigh(&r)
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
