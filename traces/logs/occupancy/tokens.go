package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A token is a fencing token at an event.
type token struct {
	value int64
	at    point
	name  string // of its node
	used  bool   // used, not handed out: several events may use one
}

// A tokenSweep sweeps along the events that hand out tokens, or the events that use them. One event is before
// another in every order if it ends before the other begins. So it is enough to know the greatest token of
// the events that have ended and, as each token is handed out once, the tokens of events that have begun and
// not ended.
type tokenSweep struct {
	count int
	ended *token
	open  map[int64]*token
	kept  []*token // all tokens, if times are not the only order
}

// maxUntimed is the number of tokens of events without a time that a watch keeps.
const maxUntimed = 1 << 16

// token takes the next token of a node; latest is the node's greatest one so far.
func (u *resourceState) token(t *token, latest **token) {
	s := &u.tokens[one(t.used)]
	s.count++
	if !u.sweeps {
		s.kept = append(s.kept, t)
		if u.elects && !t.used {
			u.tokens[1].kept = append(u.tokens[1].kept, t)
		}
		return
	}
	if was := *latest; was == nil || was.value < t.value {
		*latest = t
	} else if was.forbids(t) && was.at.end >= t.at.begin { // times alone do not show it
		u.stale(was, t)
	}
	if t.at.begin != formats.Never || t.at.end != formats.Ever {
		u.add(t, t.at.tie(), t.at.begin, possibleBegin, t.at.end, possibleEnd)
		return
	}
	u.untimed = true
	if other := s.open[t.value]; other != nil {
		u.beside(other, t)
	} else if !u.live || len(s.open) < maxUntimed {
		s.open[t.value] = t
	}
}

// forbids reports whether a token must not come after t.
func (t *token) forbids(next *token) bool {
	return t.value > next.value || t.value == next.value && !next.used
}

// beside takes two events with one token whose order is unknown.
func (u *resourceState) beside(a, b *token) {
	if !b.used && a.name != b.name {
		u.stale(a, b)
	}
}

func (u *resourceState) tokenEdge(e *edge, t *token) {
	s := &u.tokens[one(t.used)]
	other := s.open[t.value]
	if e.kind() == possibleEnd {
		if s.ended == nil || s.ended.value < t.value {
			s.ended = t
		}
		if other == t {
			delete(s.open, t.value)
		}
		return
	}
	if elected := u.tokens[0].ended; u.elects && t.used && elected != nil && elected.forbids(t) {
		u.stale(elected, t)
	} else if s.ended != nil && s.ended.forbids(t) {
		u.stale(s.ended, t)
	} else if other != nil {
		u.beside(other, t)
	}
	s.open[t.value] = t
}

// byOrder judges the tokens of a log with a partial order: along l.Sorted, the greatest token before an event
// follows from its predecessors.
func (u *resourceState) byOrder(s *tokenSweep) {
	l := u.l
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
		if !t.used && s == &u.tokens[1] { // it was judged among those handed out
			continue
		}
		other := first[t.value]
		if was := before[t.at.at]; was != nil && was.forbids(t) {
			u.stale(was, t)
		} else if other != nil && !l.IsBefore(t.at.at, other.at.at) {
			u.beside(other, t)
		}
		if other == nil {
			first[t.value] = t
		}
	}
}

func staleOf(l *order.Log, x stalePair) Stale {
	at := func(t *token) Token { return Token{t.value, t.name, placed(l.Files, &t.at)} }
	return Stale{Token: at(x.t), Before: at(x.before), Used: x.t.used, Elected: x.t.used && !x.before.used}
}
