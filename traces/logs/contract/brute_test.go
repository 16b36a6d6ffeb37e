package contract_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/contract"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/validate"
)

// This file is a second opinion on contracts: an automaton for each, which takes events one after the other,
// and all orders and all missing lines that fit a log.

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

// events are the events that logs of each contract have.
var events = map[string][]string{
	"mutex":       {"acquire", "release", "use", "step"},
	"semaphore":   {"acquire", "acquire", "release", "use"},
	"rwlock":      {"acquire", "acquire-read", "acquire-read", "release", "release-read"},
	"leader":      {"acquire", "release", "use", "use"},
	"lease":       {"acquire", "release", "renew", "use", "expire"},
	"lock-server": {"request", "request", "acquire", "refused", "refused", "release"},
}

// draw draws a log in the order of its events, mostly one that keeps the contract.
func draw(r *rand.Rand, name string, skew int64) (log []*event) {
	l, at, term := newLock(name), int64(100), 1
	seq := map[string]int{}
	apart := int64(10)
	if skew > 0 {
		apart = 1
	}
	wanted := 3 + r.IntN(5)
	for tries := 0; len(log) < wanted && tries < 100; tries++ {
		e := &event{Node: string(rune('a' + r.IntN(2+r.IntN(2))))}
		e.Event = events[name][r.IntN(len(events[name]))]
		switch {
		case name == "semaphore" && e.Event != "use":
			e.Units = 1 + r.IntN(2)
		case name == "leader" && e.Event != "release" && r.IntN(3) > 0:
			e.Fence = max(term-r.IntN(2), 1)
			if e.Event == "acquire" {
				e.Fence++
			}
		case name == "lease" && (e.Event == "acquire" || e.Event == "renew"):
			e.lasts = apart*int64(1+r.IntN(4)) + apart/2
			e.Lasts = time.Duration(e.lasts).String()
		}
		held := l.held[e.Node].units
		if name == "rwlock" && e.Event == "release" && held > 0 && held < l.k {
			continue // it would end the reading
		}
		next := at + apart
		if skew > 0 {
			next = at + r.Int64N(3)
		}
		if was := l.clone(); !l.step(e, next) && r.IntN(8) > 0 {
			l = was
			continue
		}
		term = max(term, e.Fence)
		seq[e.Node]++
		at, e.Seq = next, seq[e.Node]
		e.Time = at
		if skew > 0 {
			e.Time += r.Int64N(2*skew+1) - skew
		}
		log = append(log, e)
	}
	return log
}

// judged is the verdict on a log.
func judged(t *testing.T, file, name string, skew int64, log []*event, complete bool) (
	explain.Verdict, *validate.Report) {
	t.Helper()
	var text []byte
	for _, e := range log {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	within := time.Duration(skew)
	opt := validate.Options{Options: formats.Options{Skew: &within, Format: "ndjson"}}
	if name == "semaphore" {
		opt.Units = map[string]int{"": 3}
	}
	opt.Complete = complete
	if err := opt.Contract(name); err != nil {
		t.Fatal(err)
	}
	report, err := validate.Run(context.Background(), []string{file}, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	opt.Keep = true // all events together
	kept, err := validate.Run(context.Background(), []string{file}, opt)
	if err != nil || kept.Verdict() != report.Verdict() {
		t.Fatalf("%s, and %s with all events kept: %v\n%s%v\n%v", report.Verdict(), kept.Verdict(), err, text,
			report.Findings(), kept.Findings())
	}
	return report.Verdict(), report
}

// A search looks at all orders, moments and missing lines that fit a log.
type search struct {
	skew  int64
	nodes [][]*event
	// plain: a missing line acquires at most as many units as a line of the log does, without a token, and
	// only if its node holds nothing; then the node does not acquire again before it has given all of them
	// back. It explains each release, renewal and use, and renews a lease for as long as it lasted.
	plain        bool
	most         int  // units of a line of the log
	writes       bool // a line acquires alone
	right, wrong bool
}

// from goes on from a moment; at has the next event of each node.
func (s *search) from(l *lock, wrong bool, at []int, now int64, missed []int) {
	if s.right && s.wrong {
		return
	}
	over := true
	for n, events := range s.nodes {
		if at[n] == len(events) {
			continue
		}
		over = false
		e := events[at[n]]
		if missed[n] < e.missings {
			s.missing(l, wrong, at, now, missed, n)
			continue
		}
		for m := max(now, e.Time-s.skew); m <= e.Time+s.skew; m++ {
			next := l.clone()
			if s.plain && !next.followsLost(e) {
				continue
			}
			broken := !next.step(e, m)
			if s.plain && broken && e.Event != "refused" && !strings.HasPrefix(e.Event, "acquire") {
				continue
			}
			at[n]++
			was := missed[n]
			missed[n] = 0
			s.from(next, wrong || broken, at, m, missed)
			at[n]--
			missed[n] = was
		}
	}
	s.right, s.wrong = s.right || over && !wrong, s.wrong || over && wrong
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

// missing tries each event that a missing line of a node may have been, before its next event.
func (s *search) missing(l *lock, wrong bool, at []int, now int64, missed []int, n int) {
	e := s.nodes[n][at[n]]
	missed[n]++
	defer func() { missed[n]-- }()
	for m := now; m <= e.Time; m += 5 {
		for _, name := range []string{"step", "acquire", "acquire-read", "release", "release-read", "renew",
			"request", "refused"} {
			for units := 1; units < 3; units++ {
				for _, fence := range []int{0, l.granted + 1} {
					acquires := strings.HasPrefix(name, "acquire")
					if s.plain && (fence > 0 || units > s.most || acquires && l.has(e.Node, m) ||
						name == "acquire" && !s.writes || name == "renew" && l.held[e.Node].lasts == 0) {
						continue
					}
					lost := &event{Node: e.Node, Event: name, Units: units, Fence: fence, lasts: 1 << 20}
					if s.plain && name == "renew" {
						lost.lasts = l.held[e.Node].lasts
					}
					if next := l.clone(); next.step(lost, m) {
						if h := next.held[e.Node]; acquires {
							h.lost = true
							next.held[e.Node] = h
						}
						s.from(next, wrong, at, m, missed)
					}
				}
			}
		}
	}
}

// all looks at all that fits a log.
func all(name string, skew int64, log []*event, plain bool) (right, wrong bool) {
	byNode := map[string][]*event{}
	for _, e := range log {
		byNode[e.Node] = append(byNode[e.Node], e)
	}
	s := &search{skew: skew, plain: plain}
	for _, e := range log {
		s.most, s.writes = max(s.most, e.Units, 1), s.writes || e.Event == "acquire"
	}
	for _, node := range slices.Sorted(maps.Keys(byNode)) {
		s.nodes = append(s.nodes, byNode[node])
	}
	s.from(newLock(name), false, make([]int, len(s.nodes)), 0, make([]int, len(s.nodes)))
	return s.right, s.wrong
}

// rounds is the number of logs of each contract and kind; with missing lines, which have many explanations,
// a fifth of these.
func rounds(missing bool) int {
	switch {
	case os.Getenv("ATMOSTK_SWEEP") == "":
		return 16
	case missing:
		return 200
	}
	return 1000
}

func acquires(log []*event) bool {
	return slices.ContainsFunc(log, func(e *event) bool {
		return formats.HasHoldings([]string{e.Event, "release"})
	})
}

func show(log []*event) (text string) {
	for i, e := range log {
		line, _ := json.Marshal(e)
		text += fmt.Sprintf("%d %s dropped %t\n", i+1, line, e.dropped)
	}
	return text
}

func TestExactCompleteLogsHaveTheVerdictOfTheAutomaton(t *testing.T) {
	for _, name := range contract.Names() {
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		rejected, file := 0, filepath.Join(t.TempDir(), "log")
		for range rounds(false) {
			log := draw(r, name, 0)
			if !acquires(log) {
				continue
			}
			_, wrong := all(name, 0, log, false)
			verdict, report := judged(t, file, name, 0, log, true)
			want := map[bool]explain.Verdict{true: explain.Rejected, false: explain.Accepted}[wrong]
			if verdict != want {
				t.Fatalf("%s: %s, want %s\n%s%v", name, verdict, want, show(log), report.Findings())
			}
			if wrong {
				rejected++
			}
		}
		if rejected < rounds(false)/8 || rejected > rounds(false)*7/8 {
			t.Errorf("%s: %d rejected of %d", name, rejected, rounds(false))
		}
	}
}

func TestSkewedLogsAreJudgedOnlyIfAllOrdersAgree(t *testing.T) {
	for _, name := range contract.Names() {
		r := rand.New(rand.NewPCG(2, uint64(len(name))))
		decided, unequal, file := 0, 0, filepath.Join(t.TempDir(), "log")
		for range rounds(false) {
			log := draw(r, name, 1)
			right, wrong := all(name, 1, log, false)
			verdict, report := judged(t, file, name, 1, log, true)
			if !right && !wrong { // a clock that runs back
				continue
			}
			if verdict == explain.Rejected && right || verdict == explain.Accepted && wrong {
				t.Fatalf("%s: %s, right %t wrong %t\n%s%v", name, verdict, right, wrong, show(log),
					report.Findings())
			}
			if verdict != explain.Undecided {
				decided++
			} else if right != wrong {
				unequal++
			}
		}
		t.Logf("%s: %d decided, %d more could be", name, decided, unequal)
		if decided < rounds(false)/8 {
			t.Errorf("%s: %d decided", name, decided)
		}
	}
}

func TestLogsWithMissingLinesAreJudgedOnlyIfAllExplanationsAgree(t *testing.T) {
	for _, name := range contract.Names() {
		r := rand.New(rand.NewPCG(3, uint64(len(name))))
		rejected, accepted, lost, file := 0, 0, 0, filepath.Join(t.TempDir(), "log")
		for range rounds(true) {
			log := draw(r, name, 0)
			var left []*event
			missing := map[string]int{}
			for _, e := range log {
				if e.dropped = r.IntN(5) == 0 && lost < 2; e.dropped {
					lost++
					missing[e.Node]++
					continue
				}
				e.missings, missing[e.Node] = missing[e.Node], 0
				left = append(left, e)
			}
			lost = 0
			verdict, report := judged(t, file, name, 0, left, false)
			right, wrong := false, false
			switch verdict {
			case explain.Rejected:
				rejected++
				right, _ = all(name, 0, left, false)
			case explain.Accepted:
				accepted++
				_, wrong = all(name, 0, left, true)
			}
			if right || wrong {
				t.Errorf("%s: %s, right %t wrong %t\n%s%v", name, verdict, right, wrong, show(log),
					report.Findings())
			}
		}
		t.Logf("%s: %d rejected, %d accepted", name, rejected, accepted)
		if rejected == 0 {
			t.Errorf("%s: nothing was rejected", name)
		}
	}
}
