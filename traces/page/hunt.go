//go:build !js

package page

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/traces/printable"
)

// A hunt is the search behind the page: one at a time, from the end of the path that was asked for last. It
// works in short turns, which end as soon as another question comes, and stops soon after nobody asks any
// more.
type hunt struct {
	mu      sync.Mutex // guards the rest; taken before Server.busy
	of      string     // the path
	search  *ahead
	asked   time.Time
	running bool
	took    time.Duration // to tell what was found, at the last time
	moved   chan struct{} // closed when there is more to tell
}

const (
	turn      = 10 * time.Millisecond  // for which a search keeps others waiting
	unasked   = 10 * time.Second       // after which it stops until it is asked for again
	aheadWait = 400 * time.Millisecond // for which a question waits for something new, at least
	aheadRest = 4                      // and at least so many times as long as the answer takes
)

// await waits until the search from the end of a path has something new, for a short time.
func (s *Server) await(ctx context.Context, p Path) {
	h := &s.hunt
	h.mu.Lock()
	wait := h.search != nil && h.of == fmt.Sprint(p) && !h.search.ended()
	moved, rest := h.moved, max(aheadWait, aheadRest*h.took)
	h.mu.Unlock()
	if !wait {
		return
	}
	select {
	case <-ctx.Done():
	case <-moved:
	case <-time.After(rest):
	}
}

func (s *Server) askAhead(ctx context.Context, q *question) (any, error) {
	s.await(ctx, q.Path)
	return s.Ahead(q.Path)
}

// Ahead tells what the search from the end of a path has found so far, and begins it if it is another one.
// What it tells needs the graph only, not the model, so that nobody else waits for it.
func (s *Server) Ahead(p Path) (*Told, error) {
	h := &s.hunt
	h.mu.Lock()
	defer h.mu.Unlock()
	if of := fmt.Sprint(p); h.search == nil || h.of != of {
		search, err := s.searchFrom(p)
		if err != nil {
			return nil, err
		}
		h.of, h.search, h.moved = of, search, make(chan struct{})
	}
	h.asked = time.Now()
	if !h.running && !h.search.ended() {
		h.running = true
		go s.hunting()
	}
	told := h.search.tell()
	h.took = time.Since(h.asked)
	return told, nil
}

// searchFrom begins a search from the end of a path, and gives it a first turn, so that there is something to
// tell.
func (s *Server) searchFrom(p Path) (*ahead, error) {
	s.enter()
	defer s.busy.Unlock()
	at, err := s.end(p)
	if err != nil {
		return nil, err
	}
	search := newAhead(s.In, &at)
	search.turn(&s.waiting)
	return search, nil
}

// turn searches for a short time, or until somebody waits.
func (h *ahead) turn(waiting *atomic.Int32) {
	until := time.Now().Add(turn)
	h.search(func() bool { return waiting.Load() > 0 || time.Now().After(until) })
}

// hunting searches in turns, whatever is asked for at the time.
func (s *Server) hunting() {
	for s.hunts() {
		for s.waiting.Load() > 0 {
			time.Sleep(time.Millisecond) // so that who waits comes first
		}
	}
}

// hunts takes a turn, and reports whether there is to be another one.
func (s *Server) hunts() bool {
	h := &s.hunt
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.search.ended() || time.Since(h.asked) > unasked {
		h.running = false
		return false
	}
	s.busy.Lock()
	h.search.turn(&s.waiting)
	s.busy.Unlock()
	if h.search.ended() {
		close(h.moved)
	}
	return true
}

// A Told is what a search has found so far.
type Told struct {
	States   int        `json:"states"`
	Levels   []int      `json:"levels"` // states at each distance; the last one is not complete
	Ended    bool       `json:"ended"`
	Text     string     `json:"text"`     // how far it is
	Well     string     `json:"well"`     // whether this can still go well
	Targets  []Target   `json:"targets"`  // what is violated or reached from here
	Choices  []Nearness `json:"choices"`  // for each choice
	Progress float64    `json:"progress"` // part of what the search may visit
}

// A Target says how far it is from the end of a path to a property.
type Target struct {
	Property int    `json:"property"`
	Text     string `json:"text"`
	Bad      bool   `json:"bad"`
	Path     []int  `json:"path,omitempty"` // choices that lead there, after those of the path
}

// A Nearness says how far it is from a choice to the nearest violation, and to each goal.
type Nearness struct {
	Bad  string `json:"bad,omitempty"`
	Text string `json:"text,omitempty"`
}

// tell tells what was found so far.
func (h *ahead) tell() *Told {
	d := &Told{
		States: len(h.is), Levels: h.levels, Ended: h.ended(), Targets: []Target{}, Choices: []Nearness{},
		Progress: float64(len(h.is)) / aheadStates,
	}
	d.Text = fmt.Sprintf("%s up to %s ahead", printable.Plural(len(h.is), "state"),
		printable.Plural(len(h.levels)-1, "step"))
	switch {
	case h.fails != "":
		d.Text += "; the model is at fault: " + h.fails
	case h.complete:
		d.Text = fmt.Sprintf("all %s that follow were visited", printable.Plural(len(h.is), "state"))
	case h.limit != "":
		d.Text += "; " + h.limit
	default:
		d.Text += "; the search goes on"
	}
	from := h.into()
	var far [][]int32
	met, nowhere := h.met(), slices.Repeat([]int32{never}, len(h.is))
	for p := range h.infos {
		f := nowhere
		if met>>p&1 == 1 {
			f = h.distances(p, from)
		}
		far = append(far, f)
		if _, judged := h.judged(p); judged {
			d.Targets = append(d.Targets, h.target(p, f))
		}
	}
	d.Well = h.goesWell(from)
	if h.expanded() > 0 {
		for _, v := range h.to[:h.first[1]] {
			d.Choices = append(d.Choices, h.near(v, far))
		}
	}
	return d
}

// judged tells what it means that property p shows in a state or step, and whether it can.
func (h *ahead) judged(p int) (bad, can bool) {
	switch h.infos[p].Kind.String() {
	case "liveness", "costs":
		return false, false
	}
	return h.violations()>>p&1 == 1, true
}

// target tells how far it is from the beginning to property p.
func (h *ahead) target(p int, far []int32) Target {
	bad, _ := h.judged(p)
	to := Target{Property: p, Bad: bad && far[0] != never}
	word := h.verdictOf(p)
	switch {
	case far[0] == 0:
		to.Text = word + " here"
	case far[0] != never:
		to.Text, to.Path = word+" in "+h.steps(far[0], 0), h.way(p, far)
	case h.complete:
		to.Text = "never " + word + " from here on"
	default:
		to.Text = "not " + word + " within " + printable.Plural(h.sure(0), "step")
	}
	return to
}

// sure is the number of steps within which everything is known, from a state that many steps from the
// beginning.
func (h *ahead) sure(after int) int { return max(0, h.depth()-1-after) }

// steps writes a distance: it is the shortest where all that is nearer is known.
func (h *ahead) steps(d int32, after int) string {
	if int(d) <= h.sure(after)+1 || h.complete {
		return printable.Plural(int(d), "step")
	}
	return "at most " + printable.Plural(int(d), "step")
}

// goesWell answers whether this can still go well.
func (h *ahead) goesWell(from func(int32) []int32) string {
	is, may := h.well(from)
	switch {
	case h.is[0]&h.violations() != 0:
		return "It has not gone well: " + h.names(h.is[0]&h.violations()) + " is violated here."
	case is:
		return "It can still go well: there is a run from here that violates nothing."
	case may:
		return "Not known yet: so far no run from here ends or repeats itself."
	}
	return "It cannot go well any more: every run from here violates something."
}

// names lists the properties of a set.
func (h *ahead) names(which uint64) string {
	var names []string
	for p, info := range h.infos {
		if which>>p&1 == 1 {
			names = append(names, info.Name)
		}
	}
	return strings.Join(names, ", ")
}

// near tells how far it is from a choice to the nearest violation that does not stand already, and to each
// goal.
func (h *ahead) near(v int32, far [][]int32) (n Nearness) {
	worst, which := never, uint64(0)
	var goals []string
	for p := range h.infos {
		d := far[p][v]
		switch bad, can := h.judged(p); {
		case !can || h.is[0]>>p&1 == 1 || d == 0:
		case bad && d < worst:
			worst, which = d, 1<<p
		case bad && d == worst && d != never:
			which |= 1 << p
		case !bad && d != never:
			goals = append(goals, h.infos[p].Name+" in "+h.steps(d, 1))
		case !bad && h.complete:
			goals = append(goals, h.infos[p].Name+" out of reach")
		}
	}
	switch {
	case worst != never:
		n.Bad = h.names(which) + " violated " + h.steps(worst, 1) + " later"
	case h.complete:
		goals = slices.Insert(goals, 0, "nothing more violated")
	case h.sure(1) > 0:
		goals = slices.Insert(goals, 0, "nothing violated within "+printable.Plural(h.sure(1), "step"))
	}
	n.Text = strings.Join(goals, "; ")
	return n
}
