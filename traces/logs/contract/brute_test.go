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

// This file is a second opinion on contracts: the automaton of each, and all orders and all missing lines
// that fit a log.

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
