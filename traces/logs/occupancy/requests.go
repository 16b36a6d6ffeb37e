package occupancy

import (
	"slices"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

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
		u.refuse(x, false, false)
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
		u.requests = slices.DeleteFunc(u.requests, func(o *request) bool { return o == x })
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

// refuse judges a request, if it was refused: the units were free, or busy, in every order.
func (u *resourceState) refuse(x *request, free, busy bool) {
	if x.refused == nil || busy {
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
		what = "though what it asks for is free"
	}
	u.breach(x.files, formats.FreeRefused, doubt, x.name+" is refused, "+what, at...)
}
