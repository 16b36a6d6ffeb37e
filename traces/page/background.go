//go:build !js

package page

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// A background has the searches behind the page, from the ends of the last paths that were asked about: two
// windows may ask in turn. They run only while such a question waits for an answer, in short turns between
// other questions.
type background struct {
	mu   sync.Mutex            // guards the rest; locked before Server.busy
	kept map[string]*lookahead // at most two, by path
	took time.Duration         // time to compute the last outlook
}

// A question about the background search waits for the longer of answerWait and answerRest times the time to
// compute an outlook, while the search goes on.
const (
	turn       = 10 * time.Millisecond // other questions wait about this long
	answerWait = 400 * time.Millisecond
	answerRest = 4
)

// Ahead returns the outlook from the end of a path. The first answer comes at once, later ones after the
// search has gone on for some 400 ms.
func (s *Server) Ahead(ctx context.Context, p Path) (*Outlook, error) {
	h := &s.background
	h.mu.Lock()
	defer h.mu.Unlock()
	until := time.Now().Add(max(answerWait, answerRest*h.took))
	of := fmt.Sprint(p)
	search := h.kept[of]
	if search == nil {
		var err error
		search, err = locked(s, func() (*lookahead, error) {
			at, err := s.end(p)
			if err != nil {
				return nil, err
			}
			return newLookahead(s.In, &at), nil
		})
		if err != nil {
			return nil, err
		}
		if until = time.Now(); len(h.kept) != 1 {
			h.kept = map[string]*lookahead{}
		}
		h.kept[of] = search
	}
	for more := true; more && !search.ended() && ctx.Err() == nil; more = time.Now().Before(until) {
		if _, err := locked(s, func() (any, error) { search.turn(); return nil, nil }); err != nil {
			return nil, err
		}
	}
	begun := time.Now()
	found := search.outlook()
	h.took = time.Since(begun)
	return found, nil
}

// turn searches for a short time. Other questions come between the turns: a sync.Mutex goes to the
// goroutine that has waited for more than 1 ms.
func (h *lookahead) turn() {
	until := time.Now().Add(turn)
	h.run(func() bool { return time.Now().After(until) })
}

// An Outlook is the result of the background search so far.
type Outlook struct {
	States   int        `json:"states"`
	Levels   []int      `json:"levels"` // states at each distance; the last level may be incomplete
	Ended    bool       `json:"ended"`
	Text     string     `json:"text"`     // a sentence about the search
	Well     string     `json:"well"`     // a sentence: can a run from here violate nothing?
	Targets  []Target   `json:"targets"`  // the distance to each property
	Choices  []Nearness `json:"choices"`  // one for each choice
	Progress float64    `json:"progress"` // visited states, as a part of the limit: 0 to 1
}

// A Target is the distance from the end of a path to a property.
type Target struct {
	Property int    `json:"property"`
	Text     string `json:"text"`
	Bad      bool   `json:"bad"`
	Path     []int  `json:"path,omitempty"` // choices that lead there, after the path
}

// A Nearness has the distances from a choice to the nearest violation and to each goal, as text.
type Nearness struct {
	Bad  string `json:"bad,omitempty"`
	Text string `json:"text,omitempty"`
}

func (h *lookahead) outlook() *Outlook {
	d := &Outlook{States: len(h.is), Levels: h.levels, Ended: h.ended(), Targets: []Target{},
		Choices: []Nearness{}, Progress: float64(len(h.is)) / lookaheadStates}
	d.Text = fmt.Sprintf("%s up to %s ahead", printable.Plural(len(h.is), "state"),
		printable.Plural(len(h.levels)-1, "step"))
	switch {
	case h.fails != "":
		d.Text += "; " + h.fails
	case h.complete():
		d.Text = fmt.Sprintf("all %s that follow were visited", printable.Plural(len(h.is), "state"))
	case h.done:
		d.Text += "; states outside the constraint are not followed"
	case h.limit != "":
		d.Text += "; " + h.limit
	default:
		d.Text += "; the search goes on"
	}
	from := h.predecessors()
	var far [][]uint32
	for p := range h.infos {
		far = append(far, h.distances(p, from))
		if h.can>>p&1 == 1 {
			d.Targets = append(d.Targets, h.target(p, far[p]))
		}
	}
	d.Well = h.prospect(from)
	if h.expanded() > 0 {
		d.Choices = printable.Each(h.to[:h.first[1]], func(v *uint32) Nearness { return h.near(*v, far) })
	}
	return d
}

// target returns the distance from the first node to property p.
func (h *lookahead) target(p int, far []uint32) Target {
	word := traces.Reached
	if h.bad>>p&1 == 1 {
		word = traces.Violated
	}
	to := Target{Property: p, Bad: word == traces.Violated && far[0] != never}
	switch {
	case far[0] == 0:
		to.Text = word + " here"
	case far[0] != never:
		to.Text, to.Path = word+" in "+h.steps(far[0], 0), h.pathTo(p, far)
	case h.complete():
		to.Text = "never " + word + " from here on"
	default:
		to.Text = "not " + word + " within " + printable.Plural(h.knownWithin(0), "step")
	}
	return to
}

// knownWithin is the number of steps within which all states are known, from a state at distance after of the
// first node.
func (h *lookahead) knownWithin(after int) int {
	expanded := len(h.levels) // levels, whose nodes are all expanded
	if !h.complete() {
		expanded--
	}
	return max(0, expanded-1-after)
}

// steps is a distance as text. It is "at most" d steps unless all nearer states are known.
func (h *lookahead) steps(d uint32, after int) string {
	if int(d) <= h.knownWithin(after)+1 || h.complete() {
		return printable.Plural(int(d), "step")
	}
	return "at most " + printable.Plural(int(d), "step")
}

// prospect is a sentence that answers whether a run from here can violate nothing.
func (h *lookahead) prospect(from func(uint32) []uint32) string {
	switch {
	case h.is[0]&h.bad != 0:
		return "It has not gone well: " + h.names(h.is[0]&h.bad) + " is violated here."
	case h.canStayGood(from, false):
		return "It can still go well: there is a run from here whose states and steps violate nothing."
	case h.canStayGood(from, true):
		return "Not known yet: so far no run from here ends or repeats itself."
	}
	return "It cannot go well any more: every run from here violates something."
}

// names lists the properties of a set, one bit each.
func (h *lookahead) names(which uint64) string {
	var names []string
	for p, info := range h.infos {
		if which>>p&1 == 1 {
			names = append(names, info.Name)
		}
	}
	return strings.Join(names, ", ")
}

// near returns the distances from node v, a choice's result, to the nearest new violation and each goal.
func (h *lookahead) near(v uint32, far [][]uint32) (n Nearness) {
	worst, which := never, uint64(0)
	var goals []string
	for p := range h.infos {
		d := far[p][v]
		switch bad := h.bad>>p&1 == 1; {
		case h.can&^h.is[0]>>p&1 == 0 || d == 0:
		case bad && d < worst:
			worst, which = d, 1<<p
		case bad && d == worst && d != never:
			which |= 1 << p
		case !bad && d != never:
			goals = append(goals, h.infos[p].Name+" in "+h.steps(d, 1))
		case !bad && h.complete():
			goals = append(goals, h.infos[p].Name+" out of reach")
		}
	}
	switch {
	case worst != never:
		n.Bad = h.names(which) + " violated " + h.steps(worst, 1) + " later"
	case h.complete():
		goals = slices.Insert(goals, 0, "no state or step violates more")
	case h.knownWithin(1) > 0:
		goals = slices.Insert(goals, 0, "nothing violated within "+printable.Plural(h.knownWithin(1), "step"))
	}
	n.Text = strings.Join(goals, "; ")
	return n
}
