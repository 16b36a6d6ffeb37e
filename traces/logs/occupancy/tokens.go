package occupancy

import (
	"fmt"
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

// Reasons for which a breach is not certain; the empty one: it is certain.
const (
	lineMissing = "unless a line is missing"
	timesOpen   = "unless the order was another one, as the times allow"
)

// unlessLost is the reason not to be certain of something that is not sure as a line may be missing.
func unlessLost(sure bool) string {
	if sure {
		return ""
	}
	return lineMissing
}

func (u *resourceState) breach(files []string, kind formats.Kind, doubt, text string, at ...*point) {
	if u.Resource != "" {
		text = u.Resource + ": " + text
	}
	if doubt != "" {
		kind = formats.Possibly + kind
		text += ", " + doubt
	}
	u.Breaches.Add(kind, allPlaced(files, at...), "%s", text)
}

// A request is a request in the sweep, until its answer.
type request struct {
	name  string // of its node
	at    point  // its line; nothing: not in the log
	units int
	// refused is the answer; nil: none, or the units. doubted: a line is missing between.
	refused *point
	files   []string // that are read at the refusal
	doubted bool
	// most is the most units that may be in use at a moment between the request and its answer. counts: the
	// sweep is certainly between them, and least and busy are the fewest and the most units certainly in use.
	most, least, busy int
	counts            bool
}

// beginRequest lets a request into the sweep: its moment lies between two.
func (u *resourceState) beginRequest(x *request, from, to, tie int64) {
	if u.sweeps {
		u.late = u.late || from < u.passed
		u.put(edge{from, int64(possibleBegin) | tie, x})
		u.put(edge{to, int64(passFrom) | tie, x})
	}
}

// endRequest ends a request with its answer. A refusal without a request is one moment, which may be any
// between its bounds.
func (u *resourceState) endRequest(x *request, i *point) {
	if !u.sweeps {
		if x.refused != nil {
			u.refuse(x, false, false)
		}
		return
	}
	sure := i.begin
	if x.at.at == formats.None {
		u.beginRequest(x, i.begin, i.begin, i.tie())
		sure = i.end
	}
	u.put(edge{sure, int64(passTo) | i.tie(), x})
	u.put(edge{i.end, int64(possibleEnd) | i.tie(), x})
}

func (u *resourceState) requestEdge(e *edge, x *request) {
	switch e.kind() {
	case possibleBegin:
		x.most = u.possibleLevels.total
		u.requests = append(u.requests, x)
	case passFrom:
		x.counts, x.least, x.busy = true, u.certainParts.units, u.certainParts.units
	case passTo:
		x.doubted = x.doubted || !x.counts // the two may have happened at one moment
		x.counts = false
	case possibleEnd:
		for k, other := range u.requests {
			if other == x {
				u.requests[k] = u.requests[len(u.requests)-1]
				u.requests = u.requests[:len(u.requests)-1]
				break
			}
		}
		if x.refused == nil {
			return
		}
		certainly := x.busy
		if x.at.at == formats.None {
			certainly = x.least
		}
		u.refuse(x, x.most+x.units <= u.K, !x.doubted && certainly+x.units > u.K)
	}
}

// during counts the units in use for the requests in the sweep.
func (u *resourceState) during() {
	for _, x := range u.requests {
		x.most = max(x.most, u.possibleLevels.total)
		if c := u.certainParts.units; x.counts {
			x.least, x.busy = min(x.least, c), max(x.busy, c)
		}
	}
}

// refuse judges a refusal: free or busy in every order.
func (u *resourceState) refuse(x *request, free, busy bool) {
	if busy {
		return
	}
	at := []*point{&x.at, x.refused}
	if x.at.at == formats.None {
		at = at[1:]
	}
	doubt, what := timesOpen, "though the lock is free"
	if free {
		doubt = unlessLost(u.complete)
	}
	if u.K > 1 {
		what = fmt.Sprintf("though %d units are free", x.units)
	}
	u.breach(x.files, formats.FreeRefused, doubt, x.name+" is refused, "+what, at...)
}
