//go:build !js

package page

import (
	"context"
	"fmt"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// Limits of the search behind the live page.
const (
	lookaheadStates = 400_000
	lookaheadBytes  = 1 << 29 // growth of the heap since the search began
)

// A lookahead is a search from the state in view, which goes on while the user reads the page. Its graph
// gives the distances from each choice to violations and goals.
type lookahead struct {
	search
	infos []model.PropertyInfo
	can   uint64           // bit p: a single state or step can show property p
	bad   uint64           // bit p: property p can be violated, it is not a goal
	is    []uint64         // by node; bit p: the state violates property p, or reaches goal p
	by    map[int32]uint64 // by index in search.to; bit p: the step violates property p
	bytes uint64           // size of the heap at the beginning
}

func newLookahead(in model.Instance, at *lts.Transition) *lookahead {
	h := &lookahead{
		search: search{in: in, most: lookaheadStates}, infos: in.Space.Properties(),
		by: map[int32]uint64{}, bytes: heapBytes(),
	}
	for p, info := range h.infos {
		if info.Kind != model.Liveness && info.Kind != model.Costs {
			h.can |= 1 << p
		}
		if info.Kind != model.Reachable {
			h.bad |= 1 << p
		}
	}
	h.met, h.look, h.taken, h.full = h.judge, h.judgeQuiet, h.judgeStep, h.memory
	h.begin(*at)
	return h
}

// heapBytes is the size of the objects on the heap.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func (h *lookahead) complete() bool { return h.done && len(h.outside) == 0 }

// memory returns the name of the memory limit if it is reached, otherwise "". It checks every 1,024 nodes.
func (h *lookahead) memory() string {
	if h.expanded()%1024 == 0 && heapBytes() > h.bytes+lookaheadBytes {
		return "the limit of memory is reached"
	}
	return ""
}

// judge judges a new node by invariants and goals.
func (h *lookahead) judge(_ int32, t *lts.Transition) {
	var is uint64
	for p, info := range h.infos {
		if (info.Kind == model.Invariant || info.Kind == model.Reachable) && h.in.Plain.Judge(t.Next, p) {
			is |= 1 << p
		}
	}
	h.is = append(h.is, is)
}

// judgeQuiet judges a node by the properties of deadlocks and of quiet states.
func (h *lookahead) judgeQuiet(n int32, at lts.State, steps []lts.Transition) {
	quiet := traces.Quiet(h.in, steps)
	for p, info := range h.infos {
		if info.Kind == model.DeadlockFree && len(steps) == 0 || info.Kind == model.Quiet && quiet &&
			h.in.Plain.Judge(at, p) {
			h.is[n] |= 1 << p
		}
	}
}

// judgeStep judges a step by the step invariants.
func (h *lookahead) judgeStep(_ int32, at lts.State, t *lts.Transition, _ int32) {
	for p, info := range h.infos {
		if info.Kind == model.StepInvariant && h.in.Plain.JudgeStep(at, *t, p) {
			h.by[int32(len(h.to))] |= 1 << p
		}
	}
}

// predecessors returns a function that returns the predecessors of a node.
func (h *lookahead) predecessors() (from func(v int32) []int32) {
	start := make([]int32, len(h.is)+1)
	for _, v := range h.to {
		start[v+1]++
	}
	for v := range h.is {
		start[v+1] += start[v]
	}
	sources, next := make([]int32, len(h.to)), slices.Clone(start)
	for u := range h.expanded() {
		for e := h.first[u]; e < h.first[u+1]; e++ {
			v := h.to[e]
			sources[next[v]] = int32(u)
			next[v]++
		}
	}
	return func(v int32) []int32 { return sources[start[v]:start[v+1]] }
}

const never = int32(1 << 30) // the distance if no path is known

// distances returns the distance of each node from property p, in steps; never if no path is known.
func (h *lookahead) distances(p int, from func(int32) []int32) []int32 {
	far := make([]int32, len(h.is))
	var now, next []int32
	for v := range h.is {
		far[v] = never
		if h.is[v]>>p&1 == 1 {
			far[v], now = 0, append(now, int32(v))
		}
	}
	for e, which := range h.by {
		if u := h.source(e); which>>p&1 == 1 && far[u] == never {
			far[u], next = 1, append(next, u)
		}
	}
	for d := int32(1); len(now)+len(next) > 0; d++ {
		for _, v := range now {
			for _, u := range from(v) {
				if far[u] == never {
					far[u], next = d, append(next, u)
				}
			}
		}
		now, next = next, now[:0]
	}
	return far
}

// pathTo returns the choices of a shortest path from the first node to property p. far are its distances.
func (h *lookahead) pathTo(p int, far []int32) (choices []int) {
	for v := int32(0); far[v] > 0; {
		for e := h.first[v]; e < h.first[v+1]; e++ {
			if to := h.to[e]; h.by[e]>>p&1 == 1 || far[to] == far[v]-1 {
				choices, v = append(choices, int(e-h.first[v])), to
				if h.by[e]>>p&1 == 1 {
					return choices
				}
				break
			}
		}
	}
	return choices
}

// canStayGood reports whether some run from the first node violates nothing and ends or has a cycle. It
// removes all nodes from which every run violates something. A node that is not expanded is removed, too;
// with open it counts as the beginning of a good run.
func (h *lookahead) canStayGood(from func(int32) []int32, open bool) bool {
	gone := make([]bool, len(h.is))
	var todo []int32
	take := func(v int32) {
		if !gone[v] {
			gone[v], todo = true, append(todo, v)
		}
	}
	for v := range int32(len(h.is)) {
		if unknown := int(v) >= h.expanded() || h.outside[v]; h.is[v]&h.bad != 0 || unknown && !open ||
			!unknown && h.allStepsBad(v, gone) {
			take(v)
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range from(v) {
			if !gone[u] && h.allStepsBad(u, gone) {
				take(u)
			}
		}
	}
	return !gone[0]
}

// allStepsBad reports whether a node has steps, and each violates something or leads to a removed node.
func (h *lookahead) allStepsBad(u int32, gone []bool) bool {
	for e := h.first[u]; e < h.first[u+1]; e++ {
		if !gone[h.to[e]] && h.by[e]&h.bad == 0 {
			return false
		}
	}
	return h.first[u] < h.first[u+1]
}

// A background is the search behind the page, from the end of the path of the last question about it. It runs
// only while such a question waits for an answer, in short turns between other questions.
type background struct {
	mu     sync.Mutex // guards the rest; locked before Server.busy
	of     string     // the path
	search *lookahead
	took   time.Duration // time to compute the last outlook
}

// A question about the background search waits for the longer of answerWait and answerRest times the time to
// compute an outlook, while the search goes on.
const (
	turn       = 10 * time.Millisecond // other questions wait about this long
	answerWait = 400 * time.Millisecond
	answerRest = 4
)

func (s *Server) askAhead(ctx context.Context, q *question) (any, error) { return s.Ahead(ctx, q.Path) }

// Ahead returns the outlook from the end of a path. The first answer comes at once, later ones after the
// search has gone on for some 400 ms.
func (s *Server) Ahead(ctx context.Context, p Path) (*Outlook, error) {
	h := &s.background
	h.mu.Lock()
	defer h.mu.Unlock()
	until := time.Now().Add(max(answerWait, answerRest*h.took))
	if of := fmt.Sprint(p); h.of != of || h.search == nil {
		at, err := locked(s, func() (lts.Transition, error) { return s.end(p) })
		if err != nil {
			return nil, err
		}
		h.of, h.search, until = of, newLookahead(s.In, &at), time.Now()
	}
	for more := true; more && !h.search.ended() && ctx.Err() == nil; more = time.Now().Before(until) {
		s.busy.Lock()
		h.search.turn()
		s.busy.Unlock()
	}
	begun := time.Now()
	found := h.search.outlook()
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
	d := &Outlook{
		States: len(h.is), Levels: h.levels, Ended: h.ended(), Targets: []Target{}, Choices: []Nearness{},
		Progress: float64(len(h.is)) / lookaheadStates,
	}
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
	var far [][]int32
	for p := range h.infos {
		far = append(far, h.distances(p, from))
		if h.can>>p&1 == 1 {
			d.Targets = append(d.Targets, h.target(p, far[p]))
		}
	}
	d.Well = h.prospect(from)
	if h.expanded() > 0 {
		for _, v := range h.to[:h.first[1]] {
			d.Choices = append(d.Choices, h.near(v, far))
		}
	}
	return d
}

// target returns the distance from the first node to property p.
func (h *lookahead) target(p int, far []int32) Target {
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
func (h *lookahead) steps(d int32, after int) string {
	if int(d) <= h.knownWithin(after)+1 || h.complete() {
		return printable.Plural(int(d), "step")
	}
	return "at most " + printable.Plural(int(d), "step")
}

// prospect is a sentence that answers whether a run from here can violate nothing.
func (h *lookahead) prospect(from func(int32) []int32) string {
	switch {
	case h.is[0]&h.bad != 0:
		return "It has not gone well: " + h.names(h.is[0]&h.bad) + " is violated here."
	case h.canStayGood(from, false):
		return "It can still go well: there is a run from here that violates nothing."
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
func (h *lookahead) near(v int32, far [][]int32) (n Nearness) {
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
		goals = slices.Insert(goals, 0, "nothing more violated")
	case h.knownWithin(1) > 0:
		goals = slices.Insert(goals, 0, "nothing violated within "+printable.Plural(h.knownWithin(1), "step"))
	}
	n.Text = strings.Join(goals, "; ")
	return n
}
