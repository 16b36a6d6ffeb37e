package occupancy

import (
	"maps"
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A token is one in the reading.
type token struct {
	value int64
	at    point
	node  int32
	name  string // of the node
}

// A tokenSweep goes along the events that have tokens. Of two events one was before the other in every
// order if it ended before that began. So it is enough to know the greatest token of those that have ended;
// and for tokens that nobody may have beside another, those that have begun and not ended.
type tokenSweep struct {
	window[*token]
	verdict *verdict
	used    bool // tokens are used: the same one may be again
	count   int
	timed   bool // times are all that is known, if not of some
	ended   *token
	open    map[int64]*token
	kept    []*token // if times are not all that is known
	// untimed: some token is of an event without a known time.
	untimed bool
}

// begins makes it ready.
func (s *tokenSweep) begins(u *verdict, used, timed bool) {
	s.verdict, s.used, s.timed, s.open = u, used, timed, map[int64]*token{}
	s.run, s.passed = s.edge, formats.Never
}

// maxUntimed is how many tokens of events without a time are known while logs are watched.
const maxUntimed = 1 << 16

// take takes the next token of a node; latest is its greatest one so far.
func (s *tokenSweep) take(t *token, latest **token) {
	s.count++
	if !s.timed {
		s.kept = append(s.kept, t)
		return
	}
	if was := *latest; was == nil || was.value < t.value {
		*latest = t
	} else if s.wrong(was, t) && was.at.end >= t.at.begin { // by times alone nobody would know
		s.verdict.stale(was, t, s.used)
	}
	if t.at.begin != formats.Never || t.at.end != formats.Ever {
		s.add(t, t.at.tie(), t.at.begin, possibleBegin, t.at.end, possibleEnd)
		return
	}
	s.untimed = true
	if other := s.open[t.value]; other != nil {
		s.beside(other, t)
	} else if !s.live || len(s.open) < maxUntimed {
		s.open[t.value] = t
	}
}

// wrong reports whether one token may not come after another.
func (s *tokenSweep) wrong(before, t *token) bool {
	return before.value > t.value || before.value == t.value && !s.used
}

// beside takes two events with one token, in unknown order.
func (s *tokenSweep) beside(a, b *token) {
	if !s.used && a.name != b.name {
		s.verdict.stale(a, b, false)
	}
}

// edge takes the begin or the end of an event.
func (s *tokenSweep) edge(e order.Queued[*token]) {
	t := e.Of
	if kindOf(e.Tie) == possibleEnd {
		if s.ended == nil || s.ended.value < t.value {
			s.ended = t
		}
		if s.open[t.value] == t {
			delete(s.open, t.value)
		}
		return
	}
	if s.ended != nil && s.wrong(s.ended, t) {
		s.verdict.stale(s.ended, t, s.used)
	} else if other := s.open[t.value]; other != nil {
		s.beside(other, t)
	}
	s.open[t.value] = t
}

// soFar sweeps over the window as if the log ended now, and leaves it as it was.
func (s *tokenSweep) soFar() {
	c := *s
	c.Queue, c.open = slices.Clone(s.Queue), maps.Clone(s.open)
	c.half, c.run = 0, c.edge
	c.finish()
}

// byOrder looks at all of them in an order of the events that fits, of a log whose order is partial: the
// greatest token before an event is known from the events right before it.
func (s *tokenSweep) byOrder() {
	l := s.verdict.l
	if l.Vectors == nil {
		return
	}
	slices.SortFunc(s.kept, func(a, b *token) int { return int(a.at.at - b.at.at) })
	at := make([]*token, len(l.Recs)) // of each event
	for _, t := range s.kept {
		at[t.at.at] = t
	}
	before := make([]*token, len(l.Recs)) // the greatest before each event
	for _, i := range l.Sorted {
		for _, j := range l.Before(i) {
			for _, g := range []*token{before[j], at[j]} {
				if g != nil && (before[i] == nil || g.value > before[i].value) {
					before[i] = g
				}
			}
		}
	}
	first := map[int64]*token{}
	for _, t := range s.kept {
		other := first[t.value]
		if was := before[t.at.at]; was != nil && s.wrong(was, t) {
			s.verdict.stale(was, t, s.used)
		} else if other != nil && !l.IsBefore(t.at.at, other.at.at) {
			s.beside(other, t)
		}
		if other == nil {
			first[t.value] = t
		}
	}
}
