package contract_test

import (
	"maps"
	"slices"
	"strings"
)

// An event is a line of a drawn log.
type event struct {
	Node     string `json:"node"`
	Event    string `json:"event"`
	Time     int64  `json:"time"` // the stamp
	Seq      int    `json:"seq,omitempty"`
	Units    int    `json:"units,omitempty"`
	Fence    int    `json:"fence,omitempty"`
	Lasts    string `json:"lease_lasts,omitempty"`
	lasts    int64
	dropped  bool
	missings int // lines of its node that are missing right before it
}

// A hold is what a node holds.
type hold struct {
	units int
	lost  bool  // a missing line acquired them
	until int64 // the end of the lease; 0: none
	lasts int64
	term  int
}

// An asking is a request without an answer.
type asking struct {
	units int
	busy  bool // it was right to refuse it at some moment
}

// A lock is the automaton.
type lock struct {
	contract      string
	k             int
	held          map[string]hold
	asks          map[string][]asking
	asked         map[string]bool
	granted, used int
}

func newLock(name string) *lock {
	k := map[string]int{"semaphore": 3, "rwlock": 1 << 20}[name]
	return &lock{contract: name, k: max(k, 1), held: map[string]hold{}, asks: map[string][]asking{},
		asked: map[string]bool{}}
}

func (l *lock) clone() *lock {
	c := *l
	c.held, c.asked, c.asks = maps.Clone(l.held), maps.Clone(l.asked), map[string][]asking{}
	for n, a := range l.asks {
		c.asks[n] = slices.Clone(a)
	}
	return &c
}

// has reports whether a node holds something at a moment.
func (l *lock) has(node string, at int64) bool {
	h := l.held[node]
	return h.units > 0 && (h.until == 0 || at <= h.until)
}

// inUse counts the units that nodes hold just after a moment.
func (l *lock) inUse(at int64) (units int) {
	for node, h := range l.held {
		if l.has(node, at) && (h.until == 0 || h.until != at) {
			units += h.units
		}
	}
	return units
}

// step takes an event at a moment, and reports whether it keeps the contract.
func (l *lock) step(e *event, at int64) (right bool) {
	right = l.event(e, at)
	for node := range l.asks {
		for i := range l.asks[node] {
			a := &l.asks[node][i]
			a.busy = a.busy || l.inUse(at)+a.units > l.k
		}
	}
	return right
}

func (l *lock) event(e *event, at int64) bool {
	h := l.held[e.Node]
	units := max(e.Units, 1)
	switch e.Event {
	case "request":
		l.asks[e.Node] = append(l.asks[e.Node], asking{units: units})
		l.asked[e.Node] = true
	case "acquire", "acquire-read", "refused":
		return l.answer(e, h, units, at)
	case "renew":
		if !l.has(e.Node, at) {
			return false
		}
		h.until, h.lasts = at+e.lasts, e.lasts
		l.held[e.Node] = h
	case "expire":
		delete(l.held, e.Node)
	case "use":
		if !l.has(e.Node, at) || l.contract == "leader" && e.Fence != 0 && e.Fence < max(l.granted, l.used) {
			return false
		}
		l.used = max(l.used, e.Fence)
	case "release", "release-read":
		if e.Event == "release" && l.contract == "rwlock" {
			units = l.k
		}
		if !l.has(e.Node, at) || h.units < units || l.contract == "rwlock" && h.units%l.k < units%l.k {
			return false
		}
		h.units -= units
		l.held[e.Node] = h
	}
	return true
}

// answer takes an acquisition or a refusal.
func (l *lock) answer(e *event, h hold, units int, at int64) bool {
	if e.Event == "acquire" && l.contract == "rwlock" {
		units = l.k
	}
	busy := l.inUse(at)+units > l.k
	if l.contract == "lock-server" && l.asked[e.Node] {
		asks := l.asks[e.Node]
		if len(asks) == 0 {
			return false
		}
		l.asks[e.Node] = asks[1:]
		if e.Event == "refused" {
			busy = busy || asks[0].busy
		}
	}
	if e.Event == "refused" {
		return l.contract != "lock-server" || busy
	}
	again := l.has(e.Node, at) && l.contract == "leader"
	if e.Fence != 0 {
		if e.Fence < l.granted || e.Fence == l.granted && (!again || h.term != e.Fence) {
			return false
		}
		l.granted = max(l.granted, e.Fence)
	}
	if again {
		h.term = max(h.term, e.Fence)
		l.held[e.Node] = h
		return true
	}
	if busy {
		return false
	}
	if !l.has(e.Node, at) {
		h = hold{term: h.term}
	}
	h.units, h.term = h.units+units, max(h.term, e.Fence)
	if h.until = 0; l.contract == "lease" && e.lasts > 0 {
		h.until, h.lasts = at+e.lasts, e.lasts
	}
	l.held[e.Node] = h
	return true
}

// followsLost reports whether an event may follow an acquisition of its node that is a missing line. A
// release gives all of its units back.
func (l *lock) followsLost(e *event) bool {
	h := l.held[e.Node]
	if !h.lost || h.units == 0 {
		return true
	}
	reads, writes := h.units < l.k, l.contract == "rwlock" && e.Event == "release"
	switch {
	case strings.HasPrefix(e.Event, "acquire") || writes && reads || e.Event == "release-read" && !reads:
		return false
	case e.Event == "release" && e.Units > h.units:
		return false
	case e.Event == "release" && !writes:
		h.units = max(e.Units, 1)
	}
	l.held[e.Node] = h
	return true
}
